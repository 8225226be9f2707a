"""Whether anything found is about the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from mem0g import Memory
from mem0g.embed.weights import MODEL
from mem0g.retrieve.ranking.known import is_known
from mem0g.retrieve.ranking.ranking import rank
from mem0g.store.candidates import FactCandidate, FactColumns, LazyCandidates, SearchCandidates
from tests.making import entity, fact
from tests.retrieve.test_ranking import found_fact, question

ASKED = "Which vaccines did the veterinarian recommend?"


def unread(given: FactCandidate) -> SearchCandidates:
    """A fact as columns, which may not be read as a whole."""

    def make(places: Sequence[int]) -> Iterable[FactCandidate]:
        raise AssertionError(places)

    return SearchCandidates(LazyCandidates(FactColumns.of([given]), make), ())


def test_a_like_candidate_is_told_by_its_column() -> None:
    """Where a cosine is high enough, no candidate is read."""
    asked = replace(question(ASKED), embedder=MODEL)
    like = found_fact(fact(entity("Rex"), "RECEIVED", entity("injections")), similarities=(0.2, 0.31))
    ranking = rank(asked, SearchCandidates((like,), ()))
    assert is_known(replace(ranking, found=unread(like)))
    with pytest.raises(AssertionError, match=re.escape("[0]")):
        is_known(replace(ranking, found=unread(replace(like, similarities=(0.2, 0.29)))))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Is anyone allergic to something?", "Samir can't have hazelnuts, he's allergic, so no nut paste on Mondays."),
        ("Where can people park?", "Yes, and mention that parking is behind the church."),
        ("Who owns the hotel?", "The owner of the hotel came by to see the lake."),
        ("Where is the service hosted?", "The service runs at Hetzner by now."),
    ],
)
def test_a_little_likeness_and_some_words_are_enough(memory: Memory, asked: str, told: str) -> None:
    """What an answer shares with a question is often one word, and its cosine is low."""
    talk = ("The newsletter goes out every Thursday.", told, "We're up to 510 subscribers!", "Draft it, please.")
    memory.add([{"role": "user", "content": text} for text in talk], user_id="ann")
    found = memory.context(asked, user_id="ann")
    assert found.known
    assert told.split(",")[0] in found.text
    assert not memory.context("Which vaccines did the veterinarian recommend?", user_id="ann").known
