"""Everyday words for what ends: couples, homes, jobs, habits, possessions; and what only sounds like it."""

from __future__ import annotations

import pytest

from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from tests.extract.talk import WEDNESDAY, ends, message, over, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "ended", "deed"),
    [
        ("Tom dumped me last week", ("Tom", "dating", ME), ("Tom", "dumped", ME)),
        ("I dumped Kev in January", (ME, "dating", "Kev"), (ME, "dumped", "Kev")),
        ("Split up with Jo at Christmas", (ME, "dating", "Jo"), (ME, "split_up_with", "Jo")),
        ("I broke it off with Piotr", (ME, "dating", "Piotr"), (ME, "broke_up_with", "Piotr")),
        ("I ended things with Sipho", (ME, "dating", "Sipho"), (ME, "broke_up_with", "Sipho")),
        ("me and luca aren't together anymore", (ME, "dating", "Luca"), (ME, "broke_up_with", "Luca")),
        ("ben and i have called it quits", (ME, "dating", "Ben"), (ME, "broke_up_with", "Ben")),
        ("Sara and Tim are no longer together", ("Sara", "dating", "Tim"), ("Sara", "broke_up_with", "Tim")),
        ("We broke up", (ME, "dating", "partner"), (ME, "broke_up_with", "partner")),
        ("We aren't together any more", (ME, "dating", "partner"), (ME, "broke_up_with", "partner")),
        ("I dumped him on Sunday", (ME, "dating", "partner"), (ME, "broke_up_with", "partner")),
        ("she left me for her boss", (ME, "dating", "partner"), (ME, "broke_up_with", "partner")),
        ("My girlfriend and I split up in March", (ME, "dating", "partner"), (ME, "broke_up_with", "girlfriend")),
        ("We called off the engagement", (ME, "engaged_to", "partner"), (ME, "cancelled_engagement", "partner")),
    ],
)
def test_a_couple_parts(text: str, ended: tuple[str, str, str], deed: tuple[str, str, str]) -> None:
    """They are a couple no longer, and what happened is a fact; a partner without a name is "partner"."""
    assert (over(text), ends(text)) == ({ended}, {deed})


@pytest.mark.parametrize(
    "text",
    [
        "We split up the rent three ways",
        "They broke up the old road outside us",
        "The band broke up",
        "We broke up for Christmas on Friday",
        "We split up in the shop to save time",
        "He left me a voicemail",
        "She left me at the station",
        "I left him a key",
        "I dumped the sofa",
        "If we broke up, I'd move to Spain",
        "Maybe Tom dumped me by accident",
        "Did you hear we broke up?",
        "He split the bill with Jean",
    ],
)
def test_no_couple_parts(text: str) -> None:
    """Other things that are split, broken up, left and dumped, questions and suppositions."""
    couple = {"dating", "engaged_to", "married_to", "broke_up_with", "dumped", "left", "split_up_with"}
    assert [each for each in over(text) | ends(text) if each[1] in couple] in (
        [],
        [(ME, "dumped", "sofa")],
    )


@pytest.mark.parametrize(
    ("text", "ended", "deed"),
    [
        ("quit my job today", (ME, "works_at", "job"), (ME, "quit", "job")),
        ("Packed in my job at Greggs", (ME, "works_at", "Greggs"), (ME, "quit_job_at", "Greggs")),
        ("I left Google", (ME, "works_at", "Google"), (ME, "left", "Google")),
        ("I left the agency in May", (ME, "works_at", "agency"), (ME, "left", "agency")),
        ("I resigned from the board", (ME, "member_of", "board"), (ME, "resigned_from", "board")),
        ("My friend Sven left Google", ("Sven", "works_at", "Google"), ("Sven", "left", "Google")),
        ("I don't play bridge any more", (ME, "plays", "bridge"), (ME, "played", "bridge")),
        ("I no longer play for the Hornets", (ME, "plays_for", "Hornets"), (ME, "played_for", "Hornets")),
        ("I sold the Skoda", (ME, "owns", "Skoda"), (ME, "sold", "Skoda")),
        ("Grace moved out", (ME, "lives_with", "Grace"), ("Grace", "moved_out", "home")),
    ],
)
def test_what_else_ends(text: str, ended: tuple[str, str, str], deed: tuple[str, str, str]) -> None:
    """What was so is taken back, and what was done, or was so, is a fact."""
    assert ended in over(text)
    assert deed in ends(text)


@pytest.mark.parametrize("text", ["I'm not at Spotify any more", "I'm no longer with Theo"])
def test_an_end_that_tells_nothing_of_before(text: str) -> None:
    """It only takes something back."""
    assert len(over(text)) == 1
    assert ends(text) == set()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("quit the gym in January", (ME, "quit", "gym")),
        ("gave up the ukulele", (ME, "gave_up", "ukulele")),
        ("I packed in smoking", (ME, "gave_up", "smoking")),
        ("I've stopped drinking altogether", (ME, "gave_up", "drinking")),
        ("I had to give up driving", (ME, "gave_up", "driving")),
        ("I'm giving up coffee next week", (ME, "plans_to_give_up", "coffee")),
        ("I'm leaving Aldi in June", (ME, "plans_to_leave", "Aldi")),
        ("I dropped out of uni", (ME, "dropped_out_of", "uni")),
        ("I'm going through a divorce", (ME, "is", "getting divorced")),
        ("left Rome in May", (ME, "left", "Rome")),
        ("I'm vegan now", (ME, "follows_diet", "vegan")),
        ("I've gone veggie", (ME, "follows_diet", "vegetarian")),
        ("I'm going to be an auntie", (ME, "expects_to_be", "auntie")),
        ("I became a grandad in May", (ME, "became", "grandad")),
        ("and now I'm married to Eva", (ME, "married_to", "Eva")),
        ("We get married on 5 July", (ME, "plans_to_get_married", "5 July 2024")),
        ("We get married on 5 July, did I tell you?", (ME, "plans_to_get_married", "5 July 2024")),
        ("My sister Ruth is due in August", ("Ruth", "is_due", "August 2024")),
        ("I'm in Milan now", (ME, "stays_in", "Milan")),
        ("I'm moving in with Hugo in July", (ME, "plans_to_live_with", "Hugo")),
        ("I live with my mum in Hull", (ME, "lives_in", "Hull")),
        ("I live in Rome with my brother Max", (ME, "lives_with", "Max")),
        ("I'm living with my mum in Hull for a bit", (ME, "stays_in", "Hull")),
        ("I work nights at the hospital", (ME, "works_at", "hospital")),
        ("I was diagnosed with an ulcer", (ME, "has_condition", "ulcer")),
        ("I used to have a Volvo, now I have a Tesla", (ME, "owns", "Tesla")),
        ("Ann died in May", ("Ann", "died_on", "May 2024")),
    ],
)
def test_changes(text: str, fact: tuple[str, str, str]) -> None:
    """Changes of everyday life, and plans for them."""
    assert fact in ends(text)


@pytest.mark.parametrize(
    "text",
    [
        "quit the gym, it's a rip-off",
        "I gave up my seat on the train",
        "I gave up my lunch break for nothing",
        "My kids have left home",
        "I left work early",
        "I'm in IT now",
        "i'm in bed now",
        "I'm in Berlin",
        "I'm in Paris now and then",
        "I'm with MTN",
        "I went vegetarian for a year once",
        "I became a grandad. His name is Alfie",
        "We broke up, me and my girlfriend. Her name was Hannah",
        "Starting at a school was hard",
        "working at a bar sucks",
    ],
)
def test_what_changes_nothing(text: str) -> None:
    """Advice, what is left for an hour, a whereabouts, a provider, what was for a time, a subject that is no object."""
    states = "lives_in stays_in works_at works_as quit gave_up left follows_diet dating has_pet has_grandfather".split()
    assert {each for each in ends(text) if each[1] in states} == set()


def answered(question: str, answer: str) -> set[tuple[str, str, str]]:
    """Subject, relation and object of Olivia's answer to a question of Ben's."""
    messages = (message(question, "Ben"), message(answer, ME, 1))
    found = RulesExtractor().extract(Window(messages=messages, speakers=(ME, "Ben")))
    return {(each.subject, each.relation, each.object) for each in found if each.evidence == (messages[1].id,)}


def test_an_answer_about_somebody_else() -> None:
    """A sentence without a subject is about whom another one asked about."""
    assert answered("What is Jess up to?", "working at Aldi now") == set()
    assert answered("What are you up to?", "working at Aldi now") == {(ME, "works_at", "Aldi")}


@pytest.mark.parametrize(
    ("texts", "facts"),
    [
        (("Uncle Bob lives in Rome",), {("Bob", "lives_in", "Rome"), (ME, "has_uncle", "Bob")}),
        (("Your Aunt Vera is a plumber",), {("Vera", "works_as", "plumber"), ("Ben", "has_aunt", "Vera")}),
        (("Tom's girlfriend Jess lives in Rome",), {("Jess", "lives_in", "Rome"), ("Tom", "dating", "Jess")}),
        (
            ("My boss Tom is 50", "My boss lives in Rome"),
            {("Tom", "has_age", "50"), (ME, "has_boss", "Tom"), ("Tom", "lives_in", "Rome")},
        ),
        (
            ("My sister Mia is 50", "My sister Zoe is 40", "My sister lives in Rome"),
            {
                ("Mia", "has_age", "50"),
                ("Zoe", "has_age", "40"),
                (ME, "has_sister", "Mia"),
                (ME, "has_sister", "Zoe"),
                (f"{ME}'s sister", "lives_in", "Rome"),
            },
        ),
        (("My wife and I have two kids, Zoe and Max",), {(ME, "has_child", "Zoe"), (ME, "has_child", "Max")}),
    ],
)
def test_one_person_has_one_name(texts: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    """An uncle has his name, and the boss that given before, where one only was; kin of others have theirs."""
    assert ends(*texts) == facts


def test_the_day_of_a_change() -> None:
    """It ends on its day."""
    assert WEDNESDAY.year == 2024
    (ended,) = (each for each in said("Tom dumped me in March") if each.retracts)
    assert str(ended.valid_to) == "2024-03"


def test_what_is_going_to_be_is_not_the_speaker() -> None:
    """A sentence such as "Gonna be a great night" tells of the night, not of who writes it."""
    for text in ("Gonna be a great night featuring local artists!", "Going to be a long day."):
        assert not list(said(text))
