"""Lists, several complements of one verb, and subjects that are named in other ways than "I"."""

from __future__ import annotations

import pytest

from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from tests.extract.talk import ends, message, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "allergens"),
    [
        ("I'm 41, vegetarian and allergic to wheat", {"wheat"}),
        ("I'm Kim, vegan and allergic to soy", {"soy"}),
        ("I'm a vegetarian, lactose intolerant and allergic to kiwi", {"kiwi"}),
        ("I'm pescatarian but allergic to prawns", {"prawns"}),
        ("I'm no longer vegan but still allergic to peanuts", {"peanuts"}),
        ("I'm gluten-free and severely allergic to sesame", {"sesame"}),
        ("I'm allergic to eggs, milk, and nuts", {"eggs", "milk", "nuts"}),
        ("I'm not vegan but allergic to milk", {"milk"}),
        ("I'm not allergic to nuts", set()),
    ],
)
def test_allergies_among_other_things(text: str, allergens: set[str]) -> None:
    """An allergy is found wherever it stands."""
    assert {name for _, relation, name in ends(text) if relation == "allergic_to"} == allergens


def test_each_complement_is_a_fact() -> None:
    """Three complements of one verb are three sentences."""
    assert [t.text for t in said("My sister is a nurse, vegan and allergic to bees")] == [
        "Olivia's sister is a nurse.",
        "Olivia's sister is vegan.",
        "Olivia's sister is allergic to bees.",
    ]


def test_an_exception_stays() -> None:
    """What the allergy is not to belongs to it."""
    assert said("I'm allergic to nuts but not to almonds")[0].text == "Olivia is allergic to nuts but not to almonds."


def test_a_second_profession_does_not_replace_the_first() -> None:
    """One works as one thing at a time."""
    assert ends("I'm a barista and a tutor") == {(ME, "works_as", "barista"), (ME, "is_a", "tutor")}


@pytest.mark.parametrize(
    ("text", "relation", "names"),
    [
        ("I lived in Berlin, Vienna and Zurich", "lived_in", {"Berlin", "Vienna", "Zurich"}),
        ("I want to visit Japan, Korea, and Vietnam", "wants_to_visit", {"Japan", "Korea", "Vietnam"}),
        ("I've been to Rome and Bari", "visited", {"Rome", "Bari"}),
        ("We went to the Netherlands and Belgium last year", "visited", {"Netherlands", "Belgium"}),
        ("I've worked at Google, Meta and Apple", "worked_at", {"Google", "Meta", "Apple"}),
        ("I live in Portland, Oregon", "lives_in", {"Portland, Oregon"}),
        ("I lived in Paris, Texas and hated it", "lived_in", {"Paris, Texas"}),
        ("I've been to Bosnia and Herzegovina", "visited", {"Bosnia and Herzegovina"}),
        ("I live in Rome and Ben lives in Milan", "lives_in", {"Rome", "Milan"}),
        ("I play violin, piano and a bit of cello", "plays", {"violin", "piano", "cello"}),
        ("I play tennis, padel and squash", "plays", {"tennis", "padel", "squash"}),
        ("I enjoy hiking, baking, and chess", "enjoys", {"hiking", "baking", "chess"}),
        ("My hobbies are knitting, chess and running", "has_hobby", {"knitting", "chess", "running"}),
        ("My favourite colours are green and navy", "favorite_colour", {"green", "navy"}),
        ("My parents are called Rosa and Emil", "has_parent", {"Rosa", "Emil"}),
        ("I have two dogs and a cat called Momo", "has_pet", {"two dogs", "Momo"}),
    ],
)
def test_lists(text: str, relation: str, names: set[str]) -> None:
    """Each item is an object of its own."""
    assert {name for _, made, name in ends(text) if made == relation} == names


def test_children_with_their_ages() -> None:
    """An age in brackets is that of the name before it."""
    assert ends("My kids are Leo (7) and Mia (4)") == {
        (ME, "has_child", "Leo"),
        (ME, "has_child", "Mia"),
        ("Leo", "has_age", "7"),
        ("Mia", "has_age", "4"),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ahmed's allergic to shellfish", ("Ahmed", "allergic_to", "shellfish")),
        ("My husband's allergic to nuts", ("Olivia's husband", "allergic_to", "nuts")),
        ("Mark, my flatmate, plays the drums", ("Mark", "plays", "drums")),
        ("Kofi and Ama have moved to Accra", ("Ama", "lives_in", "Accra")),
        ("My sister is a nurse. Lives in Nantes now.", ("Olivia's sister", "lives_in", "Nantes")),
        ("My cat died", ("Olivia's cat", "is", "dead")),
        ("I've taken a job at Ocado", (ME, "works_at", "Ocado")),
        ("I changed jobs, I'm at Ocado now", (ME, "works_at", "Ocado")),
        ("I've taken early retirement", (ME, "is", "retired")),
        ("Great news! Adopted a puppy", (ME, "has_pet", "puppy")),
        ("Hey Ben! Adopted a puppy", (ME, "has_pet", "puppy")),
        ("My week was fine. Adopted a puppy", (ME, "has_pet", "puppy")),
        ("Saw Rafi today. Just adopted a puppy", (ME, "has_pet", "puppy")),
        ("Car's gone. Got myself an e-bike", (ME, "got", "e-bike")),
        ("I joined a climbing hall btw, it's big", (ME, "joined", "climbing hall")),
        ("I'm a lab technician at a brewery and want to visit Norway", (ME, "wants_to_visit", "Norway")),
    ],
)
def test_subjects_and_verbs(text: str, expected: tuple[str, str, str]) -> None:
    """People named by name, by what they are, or by both; and what they did."""
    assert expected in ends(text)


def test_she_of_the_message_before() -> None:
    """ "She" at the beginning is the relative of whom the same speaker's message before told."""
    assert ("Olivia's sister", "lives_in", "Milan") in ends("My sister lives in Rome", "she moved to Milan")
    assert ("Olivia's sister", "lives_in", "Milan") not in ends("My sister lives in Rome", "he moved to Milan")


@pytest.mark.parametrize(
    "text",
    [
        "We moved our office to Floor 3",
        "We moved to Slack",
        "We have moved to Block 7",
        "I'm moving to the Leeds office",
        "I want to move to the Stockholm one",
        "My phone died",
        "I died laughing",
        "Sure, I love paying taxes",
        "Rafi came by today. Adopted a puppy",
        "Kez update. Moved to Rome",
        "so Kez. left him.",
        "went to someone internal",
    ],
)
def test_what_is_not_said(text: str) -> None:
    """Neither places, nor deaths, nor what is meant ironically, nor a verb of nobody after somebody else's name."""
    assert said(text) == ()


def test_who_is_meant_from_message_to_message() -> None:
    """A message that begins with its verb goes on about what its speaker's last one was about."""
    assert ends("I'm back home", "adopted a puppy") == {(ME, "has_pet", "puppy")}
    assert ends("Rafi came by today", "adopted a puppy") == set()


def test_short_words_of_chats_are_left_out() -> None:
    """ "btw", "lol" and "myself" are no part of a fact."""
    assert [each.text for each in said("I joined a climbing hall lol")] == ["Olivia joined a climbing hall."]
    assert [each.text for each in said("I got myself an e-bike")] == ["Olivia got an e-bike."]


def test_relatives_who_speak() -> None:
    """ "My dad" is Dad where Dad speaks, but not for his own parent or where a parent speaks."""
    lines = (
        ("Zoe", "My dad has a boat. I live with my mother."),
        ("Dad", "I sold the boat."),
        ("Mum", "My dad lives in Rome."),
    )
    messages = tuple(message(text, speaker, place) for place, (speaker, text) in enumerate(lines))
    found = RulesExtractor().extract(Window(messages=messages, speakers=("Zoe", "Dad", "Mum")))
    assert {(t.subject, t.relation, t.object) for t in found if not t.retracts} == {
        ("Dad", "owns", "boat"),
        ("Zoe", "lives_with", "Mum"),
        ("Dad", "sold", "boat"),
        ("Mum's dad", "lives_in", "Rome"),
    }


_DATES = ("", " on Friday", " from april", " since 2019", " in July", " for two years", " next week", " yesterday")


@pytest.mark.parametrize("date", _DATES)
def test_a_fact_is_no_longer_than_its_sentence(date: str) -> None:
    """With names in place of pronouns: each may be longer than what it replaces, and a date has its year."""
    said_of_oneself = (
        "I'm on leave", "I'm away", "I got married", "I retire", "I was born", "I quit my job", "I retired",
        "my mum died", "I moved to leeds", "I'm allergic to eggs, milk, and nuts", "I booked a flight to rome",
    )  # fmt: skip
    for text in (each + date for each in said_of_oneself):
        for line in (text, text.lower(), text.capitalize()):
            assert all(len(t.text) <= 2 * len(line) + 40 for t in said(line)), line
