"""Questions that are answered several facts away from what they name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.memory import Memory
from mem0g.model import Hit
from mem0g.retrieve.path_search import BEST, follow_paths, path_anchors
from mem0g.retrieve.question.query import Question
from mem0g.store.candidates import FactCandidate
from mem0g.store.queries import PathTraversal
from mem0g.testing import HashingEmbedder
from tests.making import entity, fact, triple, vector

WORLD = [
    ("Blue Harbour", "author", "Ada Moe"),
    ("Ada Moe", "citizen_of", "Norway"),
    ("Ada Moe", "plays", "cello"),
    ("Norway", "capital", "Oslo"),
    ("Oslo", "founded_by", "Harald"),
    ("Red Hill", "author", "Tom Reyes"),
    ("Tom Reyes", "citizen_of", "Chile"),
    ("Chile", "capital", "Santiago"),
]
QUESTION = "What is the seat of government where the writer of Blue Harbour holds a passport?"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory of two books, among forty other facts that have more words in common with a question."""
    noise = [triple(f"writer {n}", "holds", f"passport {n}", f"Writer {n} holds a passport.") for n in range(40)]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(512), extractor="none") as opened:
        opened.add_triples([*noise, *(triple(*each) for each in WORLD)], user_id="ann")
        yield opened


def found(memory: Memory, question: str, limit: int = 10) -> list[Hit]:
    """The first hits."""
    return memory.search(question, user_id="ann", limit=limit)


def edges(hits: list[Hit]) -> list[tuple[str, str, str]]:
    """What the hits say."""
    return [(hit.fact.subject, hit.fact.relation, hit.fact.object) for hit in hits if hit.fact]


def asked(text: str, *names: str) -> Question:
    """A question that names these."""
    return Question(text, tuple(map(entity, names)), (), (), (vector(text), vector(text)))


def test_the_way_from_a_name_is_among_the_first(memory: Memory) -> None:
    """Author, citizenship and capital of one book come behind the best hits; those of the other book do not."""
    told = edges(found(memory, QUESTION, limit=BEST + 5))
    way = [
        ("Blue Harbour", "AUTHOR", "Ada Moe"),
        ("Ada Moe", "CITIZEN_OF", "Norway"),
        ("Norway", "CAPITAL", "Oslo"),
    ]
    assert set(way) <= set(told)
    assert ("Chile", "CAPITAL", "Santiago") not in told
    context = memory.context(QUESTION, user_id="ann", tokens=200).text
    assert "Oslo" in context


def test_the_way_is_told_as_the_reason(memory: Memory) -> None:
    """A hit says over which facts it was reached."""
    capital = next(hit for hit in found(memory, QUESTION, 20) if hit.fact and hit.fact.object == "Oslo")
    path = "Blue Harbour → AUTHOR → Ada Moe → CITIZEN_OF → Norway → CAPITAL → Oslo"
    assert ("anchor", path) in [(reason.channel, reason.detail) for reason in capital.reasons]


def test_scores_fall(memory: Memory) -> None:
    """The facts of the follow_paths are placed on the scale of the others."""
    scores = [hit.score for hit in found(memory, QUESTION, 50)]
    assert scores == sorted(scores, reverse=True)
    hits = found(memory, QUESTION, 100)
    assert len({hit.fact.id for hit in hits if hit.fact}) == len(hits)


def test_the_latest_of_what_may_be_many_comes_first(memory: Memory) -> None:
    """Of two objects of a relation that may have many, the one told later stands before the other."""
    told = [triple("Red Hill", "praised_by", name, f"Red Hill was praised by {name}.") for name in ("Zoe", "Bo")]
    memory.add_triples(told, user_id="ann")
    praise = [obj for _, relation, obj in edges(found(memory, "Who praised Red Hill?")) if relation == "PRAISED_BY"]
    assert praise == ["Bo", "Zoe"]


def test_what_was_told_later_is_no_answer_about_something_else(memory: Memory) -> None:
    """The fact that has the words of the question stays before one of the same relation that was told later."""
    told = [triple("Ida", "bought", what, f"Ida bought the {what}.") for what in ("red lamp", "old tent")]
    memory.add_triples(told, user_id="ann")
    bought = [
        obj for _, relation, obj in edges(found(memory, "When did Ida buy the red lamp?")) if relation == "BOUGHT"
    ]
    assert bought == ["red lamp", "old tent"]


def test_much_told_of_leads_nowhere(memory: Memory) -> None:
    """A person of many facts is not followed: what is told of Ann is for the ranking to choose from."""
    many = [triple("Ann", "likes", f"thing {n}") for n in range(PathTraversal().max_degree + 5)]
    memory.add_triples([*many, triple("thing 1", "made_in", "Peru")], user_id="ann")
    assert ("thing 1", "MADE_IN", "Peru") not in edges(found(memory, "What does Ann adore?", BEST + 20))


def test_paths() -> None:
    """A path goes from the name in the question over the traversal's facts, each from where it was first reached."""
    ann, bo, oslo = (entity(name) for name in ("Ann", "Bo", "Oslo"))
    facts = (fact(ann, "KNOWS", bo), fact(bo, "LIVES_IN", oslo), fact(ann, "LIVES_IN", oslo))
    told = follow_paths({ann.id: "Annie"}, [FactCandidate(each, (0.0,), "") for each in facts])
    assert [each.path for each in told] == [
        ("Annie", "KNOWS", "Bo"),
        ("Annie", "KNOWS", "Bo", "LIVES_IN", "Oslo"),
        ("Annie", "LIVES_IN", "Oslo"),
    ]


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        ("Who wrote The Great Movies?", ("movies", "The Great Movies"), {"The Great Movies"}),
        ("Does The Great Movies tell of movies?", ("movies", "The Great Movies"), {"movies", "The Great Movies"}),
        ("Where is Ann?", ("Ann", "Bob"), {"Ann", "Bob"}),
    ],
)
def test_a_name_within_a_name_is_not_meant(text: str, names: tuple[str, ...], left: set[str]) -> None:
    """An anchor that stands only within a longer one's name leads nowhere; one spelled in other ways stays."""
    assert set(path_anchors(asked(text, *names)).values()) == left
