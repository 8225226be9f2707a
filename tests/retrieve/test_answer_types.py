"""What the answer to a question has to have, and which texts have it."""

from __future__ import annotations

import pytest

from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.answer_types import FULLY, NAMED, PARTLY, AnswerType, answer_type, degree, has, typed
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.store.candidates import FactCandidate, MessageCandidate, SearchCandidates
from tests.making import entity, fact, message, vector


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When is the rehearsal?", "time"),
        ("Wann ist die Probe?", "time"),
        ("What is the deadline?", "time"),
        ("Until what day is the pool open?", "weekday"),
        ("An welchem Wochentag ist Training?", "weekday"),
        ("What time does the ferry leave?", "hour"),
        ("How long is the tunnel closed?", "duration"),
        ("How much is the ticket?", "number"),
        ("¿Cuántos barcos tiene?", "number"),
        ("How heavy is the anchor?", "number"),
        ("How much does Ann pay for the mooring?", "price"),
        ("Was kostet der Liegeplatz?", "price"),
        ("What is the gate code?", "code"),
        ("Wie lautet die Telefonnummer?", "code"),
        ("What colour is the hull?", "colour"),
        ("How old is the skipper?", "age"),
        ("Wie alt ist das Boot?", "age"),
        ("How often does the ferry go?", "frequency"),
        ("Which room is the office?", "number"),
        ("Wie hoch ist der Mast?", "number"),
        ("Why is the pool closed?", "reason"),
        ("Who sings when Ann is away?", "person"),
        ("Wer füttert die Ziegen?", "person"),
        ("Who sings, and when?", "person"),
        ("Where does Bo moor the boat?", "place"),
        ("In which city is the shipyard?", "place"),
        ("What is the dog called?", "name"),
        ("Is Ann at sea?", None),
        ("", None),
    ],
)
def test_what_a_question_asks_for(question: str, kind: AnswerType | None) -> None:
    """By its question words and by what it names: a price, a code, a colour."""
    assert answer_type(question) == kind


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("number", "seats are 14 each"),
        ("number", "we sold twelve boats"),
        ("time", "rehearsals are on Tuesdays"),
        ("time", "at 7pm, as always"),
        ("time", "since the 23rd"),
        ("weekday", "thursday now"),
        ("weekday", "jetzt montags"),
        ("hour", "we start at seven"),
        ("hour", "half six at the hall"),
        ("hour", "um 19 Uhr"),
        ("code", "take 9417"),
        ("code", "its otter-on-ice"),
        ("duration", "a couple of weeks"),
        ("duration", "ran it in 23:40"),
        ("price", "85 quid"),
        ("price", "it is €7"),
        ("price", "640 with water"),
        ("colour", "a red one"),
        ("reason", "cause of the storm"),
    ],
)
def test_texts_that_have_it(kind: AnswerType, text: str) -> None:
    """Digits and words, in the languages known."""
    assert has(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("number", "one of us has a boat"),
        ("time", "you may sing with 12 people"),
        ("time", ""),
        ("weekday", "in march"),
        ("hour", "we are 7 people"),
        ("hour", "at 7 euros"),
        ("code", "room 12"),
        ("duration", "in room 12"),
        ("price", "two of them"),
        ("colour", "a fast one"),
        ("reason", "we are late"),
        ("person", "Ann"),
    ],
)
def test_texts_that_do_not(kind: AnswerType, text: str) -> None:
    """Not words that are mostly something else; names need other texts to be known."""
    assert not has(kind, text)


def scores(asked: str, *texts: str) -> list[float]:
    """The scores of messages for a question."""
    said = (message(text, position=place) for place, text in enumerate(texts))
    found = SearchCandidates((), messages=tuple(MessageCandidate(each, (0.0, 0.0), "") for each in said)).in_columns()
    question = Question(asked, (), (), (), (vector(asked), vector(asked)))
    given: list[float] = typed(CandidateSet(question, found)).tolist()
    return given


def test_names_are_known_by_their_capitals() -> None:
    """Written with a capital in one message, a name counts in another one without; those of the question do not."""
    said = ["we asked Ingrid to steer", "ingrid it is", "nobody yet", "I asked Bo on Monday"]
    assert scores("Who steers Bo's boat?", *said) == [NAMED, NAMED, 0, 0]
    assert scores("Where is the boat?", "it lies in Bergen", "it lies here", "in bergen") == [NAMED, 0, NAMED]


def test_kin_are_persons() -> None:
    """A word for a relative answers who, not where."""
    assert scores("Who steers?", "my sister") == [NAMED]
    assert scores("Where is the boat?", "my sister") == [0]


@pytest.mark.parametrize(
    ("asked", "score"), [("What is the gate code?", 1), ("When is the gate shut?", 1), ("Why?", 0)]
)
def test_facts_have_it_too(asked: str, score: float) -> None:
    """By their texts; a time by their dates."""
    made = fact(entity("gate"), "HAS", entity("code 9417"))
    found = SearchCandidates((FactCandidate(made, (0.0, 0.0), ""),), messages=()).in_columns()
    question = Question(asked, (), (), (), (vector(asked), vector(asked)))
    assert typed(CandidateSet(question, found)).tolist() == [score]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("number", "we have 45 boats", FULLY),
        ("number", "ninety-seven thousand", FULLY),
        ("number", "the regatta is on 7 June at 18:30", PARTLY),
        ("number", "we have boats", 0),
        ("weekday", "on Tuesdays", FULLY),
        ("weekday", "on 7 June", PARTLY),
        ("age", "she turns 70", FULLY),
        ("age", "room 14", PARTLY),
        ("frequency", "every morning", FULLY),
        ("frequency", "20 minutes", PARTLY),
        ("time", "the tenth, same place", FULLY),
        ("time", "bis 1.6.", FULLY),
        ("time", "2 May", FULLY),
        ("time", "may I, the tenth man", 0),
        ("reason", "the mast is too high", FULLY),
    ],
)
def test_something_like_it_counts_in_part(kind: AnswerType, text: str, expected: int) -> None:
    """A date is like a weekday, any number like an age, and the numbers of a date like a count."""
    assert degree(kind, text) == expected
