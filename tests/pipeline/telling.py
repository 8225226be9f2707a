"""Shared by the tests of the pipeline: places for stores, memories, conversations, and views of the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from mem0g.memory import Memory
from mem0g.model import Fact, Scope, Utterance
from mem0g.settings import Credentials, LLMSettings, Settings
from mem0g.store.queries import EVERYTHING, FactFilter
from mem0g.store.records import ModelReply
from mem0g.testing import HashingEmbedder
from tests.llm.server import Server
from tests.making import day, dumped

EMBEDDER = HashingEmbedder(384)

in_a_file = pytest.mark.parametrize("place", ["sqlite"], indirect=True)
"""For tests of what is above the stores, with the fixture ``place``: the contract of stores proves the rest."""
"""Of so many dimensions that words do not meet by chance."""

ANN: dict[str, Any] = {"user_id": "ann"}
MOST = 100_000

MOVES = [
    ("2024-01-10", "Ann", "Ann lives in Oslo."),
    ("2024-01-10", "Ben", "Ben likes tea."),
    ("2024-02-10", "Ann", "Ann plans to visit Japan since 2024-04."),
    ("2024-02-10", "Ben", "Ann lives in Oslo."),
    ("2024-05-02", "Ann", "Ann visited Japan since 2024-04."),
    ("2024-05-02", "Ann", "Ann lives in Lisbon since 2024-05."),
]
"""Six messages in which a plan comes true and Ann moves; something is said twice."""


@dataclass(frozen=True)
class Place:
    """The address of a store, which opens it."""

    address: str
    credentials: Credentials | None = None


def opened(place: Place, server: Server, extractor: str = "llm", **given: Any) -> Memory:
    """Open a memory that uses the model on ``server``; ``given`` are fields of LLMSettings, else of Settings.

    Each window is decided about alone, unless ``together`` is given.
    """
    ours = {name: given.pop(name) for name in list(given) if hasattr(LLMSettings(), name)}
    llm = LLMSettings(**{"base_url": server.base_url, "model": "tiny", "retries": 0, **ours})
    settings = Settings(llm=llm, **{"together": 1, **given})
    return Memory.open(
        place.address, embedder=EMBEDDER, extractor=extractor, settings=settings, credentials=place.credentials
    )


def talk(*said: tuple[str, str, str], source: str = "talk", session: str = "1", first: int = 0) -> list[Utterance]:
    """Return utterances of one session from (day, speaker, text)."""
    return [
        Utterance(source=source, session=session, position=place, speaker=who, role="user", text=words, time=day(date))
        for place, (date, who, words) in enumerate(said, start=first)
    ]


def likes(count: int, *, first: int = 0, **given: Any) -> list[Utterance]:
    """Return ``count`` messages, each with one fact that contradicts no other.

    Another session or source is of another year: the same words at the same times would be the same conversation.
    """
    session, other = given.get("session", "1"), given.get("source", "talk") != "talk"
    year = 2024 + (int(session) - 1 if session.isdecimal() else 0) + 10 * other
    said = ((f"{year}-01-{n % 28 + 1:02}", "Ann", sentence(n)) for n in range(first, first + count))
    return talk(*said, first=first, **given)


def sentence(number: int) -> str:
    """Return the text of a message of ``likes`` by its number; the sentences have one word in common."""
    return f"Person{number} likes thing{number}."


def everything(memory: Memory) -> tuple[Fact, ...]:
    """Return all facts of Ann's scope only, retired ones too, in the order in which they were recorded."""
    found = memory.store.list_facts(Scope("ann"), FactFilter(view=EVERYTHING), MOST)
    return tuple(fact for fact in found if fact.scope == Scope("ann"))


def current(memory: Memory, **given: Any) -> list[str]:
    """Return the sentences of the current facts, in the order in which they were recorded."""
    return [fact.text for fact in memory.facts(**{**ANN, **given})]


def told(memory: Memory) -> list[dict[str, Any]]:
    """Return the facts with their evidence and what replaced them."""
    found = everything(memory)
    by_id = {fact.id: fact.text for fact in found}
    words = {message.id: message.text for message in memory.messages(**ANN)}
    ends = {each.fact_id: each for each in memory.store.successions(Scope("ann"), list(by_id))}
    return [
        {
            "edge": f"{fact.subject} {fact.relation} {fact.object}",
            "types": (fact.subject_type, fact.object_type),
            "text": fact.text,
            "from": str(fact.valid_from or ""),
            "to": str(fact.valid_to or ""),
            "current": fact.current,
            "evidence": [words[each] for each in fact.evidence],
            "became": by_id.get(ends[fact.id].successor_id or "", "") if fact.id in ends else None,
            "why": (ends[fact.id].reason, ends[fact.id].decided_by) if fact.id in ends else None,
        }
        for fact in found
    ]


def log(memory: Memory) -> list[tuple[str, str, str]]:
    """Return the decisions about facts in order: operation, sentence, and decider."""
    found = [each for change in dumped(memory.store, Scope("ann")) for each in change.decisions]
    return [(each.operation, each.triple.get("text", ""), each.decided_by) for each in found]


def leftovers(memory: Memory) -> tuple[int, int]:
    """Return the number of pending windows, and of kept replies."""
    return len(memory.pending(all_scopes=True)), len(memory.store.records(ModelReply))


def texts(memory: Memory, **scope: Any) -> list[str]:
    """Return the texts of all messages, in order."""
    return [message.text for message in memory.messages(**(scope or ANN))]


def states(memory: Memory) -> list[str]:
    """Return the states of the pending windows, in order."""
    return [each.state for each in memory.pending(all_scopes=True)]


def summed(reports: Sequence[Any]) -> Any:
    """Return the sum of reports."""
    from mem0g.ingest.report import Report

    return sum(reports, start=Report())
