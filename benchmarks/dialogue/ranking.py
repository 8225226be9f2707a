"""The rankers of turns: mem0g with messages only, and BM25 on characters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
from rank_bm25 import BM25Okapi

from benchmarks.dialogue.reading import Dialogue
from benchmarks.memories import AGENT
from benchmarks.recall.methods import K1, B
from benchmarks.timing import QueryTimes
from mem0g import Memory
from mem0g.model import Utterance
from mem0g.text.names import fold, words

MAX_HITS = 10
"""Maximum number of hits requested."""

Terms = Callable[[str], list[str]]


class Ranker(Protocol):
    """Protocol of a ranker to compare."""

    def __call__(self, question: str) -> Sequence[str]:
        """Return the ids of the turns found, best first."""
        ...


def characters(text: str) -> list[str]:
    """Return the letters, digits and signs of any script in ``text``, one by one."""
    return [character for word in words(fold(text)) for character in word]


def bigrams(text: str) -> list[str]:
    """Return the character bigrams of each run of letters and digits; a run of one character is a term by itself."""
    runs = words(fold(text))
    return [pair for run in runs for pair in (map("".join, pairwise(run)) if len(run) > 1 else [run])]


BASELINES: Mapping[str, Terms] = {"bm25-characters": characters, "bm25-bigrams": bigrams}


def bm25(turns: Sequence[Utterance], terms: Terms) -> Ranker:
    """Return a ranker of the turns, each with its speaker, by BM25 of their terms; ties by position."""
    index = BM25Okapi([terms(f"{turn.speaker}: {turn.text}") for turn in turns], k1=K1, b=B)

    def ranked(question: str) -> list[str]:
        order = np.argsort(-index.get_scores(terms(question)), kind="stable")
        return [str(turns[place].source_id) for place in order[:MAX_HITS]]

    return ranked


def remember(memory: Memory, dialogues: Sequence[Dialogue]) -> None:
    """Add every dialogue to a scope of its own."""
    for dialogue in dialogues:
        memory.add(dialogue.turns, user_id=dialogue.id, agent_id=AGENT)


def engine(memory: Memory, dialogue: Dialogue | None, times: QueryTimes) -> Ranker:
    """Return mem0g's search in the scope of ``dialogue``, in all scopes if it is None."""
    user = dialogue.id if dialogue else None

    def ranked(question: str) -> list[str]:
        hits = times.time(memory.search, question, limit=MAX_HITS, user_id=user, agent_id=AGENT)
        return [hit.message.source_id for hit in hits if hit.message and hit.message.source_id]

    return ranked
