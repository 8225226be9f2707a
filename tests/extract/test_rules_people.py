"""Statements of others than the speaker, without a subject, in lists, and what is no statement of its speaker."""

from __future__ import annotations

import pytest

from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from tests.extract.talk import ends, message, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alice lives in Paris.", {("Alice", "lives_in", "Paris")}),
        ("Peter moved to Dundee in January.", {("Peter", "lives_in", "Dundee")}),
        ("Bianca has two brothers, Luca and Enzo.", {("Bianca", "has_brother", n) for n in ("Luca", "Enzo")}),
        ("Vera's son lives in Peru.", {("Vera's son", "lives_in", "Peru")}),
        ("Dad retires in June.", {("Olivia's dad", "plans_to_retire", "June 2024")}),
        ("Mum and Dad live in Cromer.", {("Olivia's parents", "lives_in", "Cromer")}),
        (
            "My sister Carla has a baby called Leo.",
            {(ME, "has_sister", "Carla"), ("Carla", "has_child", "Leo")},
        ),
        (
            "Our neighbour Vera is 82 and has a parrot called Otto.",
            {(ME, "has_neighbor", "Vera"), ("Vera", "has_age", "82"), ("Vera", "has_pet", "Otto")},
        ),
        ("My brother-in-law runs a bakery in Hull.", {("Olivia's brother-in-law", "owns", "bakery")}),
    ],
)
def test_others(text: str, expected: set[tuple[str, str, str]]) -> None:
    """A name or a relative is the subject of its verb, and their kin are theirs, not the speaker's."""
    assert ends(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm vegan and allergic to nuts.", {(ME, "follows_diet", "vegan"), (ME, "allergic_to", "nuts")}),
        ("I speak Dutch, French and a bit of German.", {(ME, "speaks", n) for n in ("Dutch", "French", "German")}),
        ("We have three kids: Omar, Zain and Huda.", {(ME, "has_child", n) for n in ("Omar", "Zain", "Huda")}),
        ("I'm a nurse at St James's.", {(ME, "works_as", "nurse")}),
        ("I work as a teacher at Hill School.", {(ME, "works_as", "teacher"), (ME, "works_at", "Hill School")}),
        ("Moved to Lyon last week.", {(ME, "lives_in", "Lyon")}),
        ("Allergic to penicillin.", {(ME, "allergic_to", "penicillin")}),
        ("Selling my old drum kit.", {(ME, "is_selling", "Olivia's drum kit")}),
        ("I don't eat pork.", {(ME, "does_not_eat", "pork")}),
        ("I weigh 84 kilos.", {(ME, "weighs", "84 kilos")}),
        ("My car is a red Fiat Panda.", {(ME, "has_car", "red Fiat Panda")}),
        ("Our wifi code is blue22.", {(ME, "has_wifi_code", "blue22")}),
        ("I'm Belgian.", {(ME, "is", "Belgian")}),
        ("My birthday is 4 July 1990.", {(ME, "has_birthday", "4 July 1990")}),
        ("My favourite food used to be sushi, but now it's ramen.", {(ME, "favorite_food", "ramen")}),
    ],
)
def test_lists_numbers_and_things(text: str, expected: set[tuple[str, str, str]]) -> None:
    """Each of a list is a fact, with or without "I am" in front; numbers and makes are kept as they are said."""
    assert expected <= ends(text)


@pytest.mark.parametrize(
    "text",
    [
        "Oh great, I love waiting for the bus.",
        "Yeah right, I have a yacht in Monaco.",
        "In the book, I live in Paris.",
        "Nobody in my family speaks German.",
        "Tell Alice I moved to Wales.",
        "I'm a morning person, said no one ever.",
        "Students moved to the front.",
        "Coffee comes from Brazil.",
        "Working at Acme was hard.",
        "The user lives in Paris.",
        "Let's say I own a bakery.",
        "My point is 42.",
    ],
)
def test_irony_fiction_and_things_give_nothing(text: str) -> None:
    """What is not meant, not real or not said of a person makes no triple."""
    assert said(text) == ()


@pytest.mark.parametrize("speaker", ["Dad", "Mum", "Boss", "Sister"])
def test_a_role_that_speaks_is_somebody(speaker: str) -> None:
    """Where somebody speaks as Dad, "Dad" is that speaker, not the relative of the one who says it."""
    messages = (message("I live in Hull.", speaker), message(f"{speaker} works at Shell.", "Ann", 1))
    found = RulesExtractor().extract(Window(messages=messages, speakers=(speaker, "Ann")))
    assert {each.subject for each in found} == {speaker}


def test_a_fact_keeps_the_words_that_were_said() -> None:
    """Where, when, how often and how many stay in the sentence."""
    texts = {
        "I've booked a hotel in Hull from 3 to 6 May 2025.": "Olivia has booked a hotel in Hull from 3 to 6 May 2025.",
        "I take ramipril every morning.": "Olivia takes ramipril every morning.",
        "I pay 950 a month in rent.": "Olivia pays 950 a month in rent.",
    }
    for text, sentence in texts.items():
        assert [each.text for each in said(text)] == [sentence]


def test_a_relative_without_a_name_is_a_subject_whoever_listens() -> None:
    """ "My sister lives in Oslo" is understood in a group, or in a chat with an assistant, as between two people."""
    for speakers in [("Olivia",), ("Olivia", "assistant"), ("Olivia", "Ben", "Cleo")]:
        window = Window(messages=(message("My sister lives in Oslo."),), speakers=speakers)
        (triple,) = RulesExtractor().extract(window)
        assert (triple.subject, triple.relation, triple.object) == ("Olivia's sister", "lives_in", "Oslo")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Gareth sold his house in Cardiff.", "Gareth sold his house in Cardiff."),
        ("I bought a bike for my trip with them.", "Olivia bought a bike for Olivia's trip."),
        ("I moved to Leeds with him for a job in 2019.", "Olivia moved to Leeds in 2019."),
    ],
)
def test_a_sentence_ends_before_what_it_does_not_explain(text: str, sentence: str) -> None:
    """Details stay up to a word that means something said elsewhere; the date stays in any case."""
    assert said(text)[0].text == sentence


def test_a_relatives_favourite_is_theirs() -> None:
    """ "My wife's favourite film" is not the speaker's, and "My wife" is no name."""
    assert ends("My wife's favourite film is Spirited Away.") == {
        ("Olivia's wife", "favorite_film", "Spirited Away"),
    }


def test_the_words_for_an_end_stay_as_said() -> None:
    """ "Any more" is not respelt."""
    assert said("I don't drink coffee any more.")[0].text == "Olivia does not drink coffee any more."


@pytest.mark.parametrize(
    "text",
    [
        "Heard Tom moved to Kiel.",
        "Hope Ida works at Siemens.",
        "Poor Tom lives in Kiel.",
        "Meanwhile Ida got fired.",
        "Glad Tom lives in Kiel.",
        "Drew works at the bakery.",
    ],
)
def test_what_stands_before_a_name_is_no_part_of_it(text: str) -> None:
    """A verb or an adjective before a name is not somebody's first name, and a name like a verb is not what one did."""
    assert ends(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hope works at Siemens.", {("Hope", "works_at", "Siemens")}),
        ("Uncle Tom lives in Kiel.", {("Tom", "lives_in", "Kiel"), ("Olivia", "has_uncle", "Tom")}),
        ("Turns out Tom moved to Kiel.", {("Tom", "lives_in", "Kiel")}),
        ("PS. Tom lives in Kiel.", {("Tom", "lives_in", "Kiel")}),
    ],
)
def test_names_after_other_words(text: str, expected: set[tuple[str, str, str]]) -> None:
    """A name alone may be such a word, and a full stop sets it apart."""
    assert ends(text) == expected


@pytest.mark.parametrize("name", ["Max99", "Zed9", "Ida2"])
def test_a_name_with_digits_is_whole(name: str) -> None:
    """People are called so in chats; a name is not cut at its digits, or else Zed1 and Zed2 are one friend."""
    assert ends(f"I have a friend named {name}.") == {("Olivia", "has_friend", name)}
    assert ends(f"My friend {name} is a nurse.") >= {(name, "works_as", "nurse")}
    assert not any("Zed" in each for triple in ends("I have a friend named Zed_x9.") for each in triple)


@pytest.mark.parametrize("text", ["i have a brother", "I have a brother"])
def test_kin_in_a_message_without_capitals(text: str) -> None:
    """The sentence keeps its words; only the name of a place gets its capital."""
    assert [each.text for each in said(text)] == ["Olivia has a brother."]
    assert [each.text for each in said("i live in oslo")] == ["Olivia lives in Oslo."]
