"""What the tests of the pipeline share: a place for a store, a memory over it, a talk, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mem0g.memory import Memory
from mem0g.model import Fact, Scope, Utterance
from mem0g.settings import Credentials, LLMSettings, Settings
from mem0g.store.queries import EVERYTHING, FactFilter
from mem0g.store.records import ModelReply
from mem0g.testing import HashingEmbedder
from tests.llm.server import Server
from tests.making import day, dumped

EMBEDDER = HashingEmbedder(1024)
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
    """Where a store is: an address and who opens it."""

    address: str
    credentials: Credentials | None = None


def opened(place: Place, server: Server, extractor: str = "llm", **given: Any) -> Memory:
    """A memory there that asks the model on ``server``; ``given`` are of LLMSettings, else of Settings."""
    ours = {name: given.pop(name) for name in list(given) if hasattr(LLMSettings(), name)}
    llm = LLMSettings(**{"base_url": server.base_url, "model": "tiny", "retries": 0, **ours})
    settings = Settings(llm=llm, **given)
    return Memory.open(
        place.address, embedder=EMBEDDER, extractor=extractor, settings=settings, credentials=place.credentials
    )


def talk(*said: tuple[str, str, str], source: str = "talk", session: str = "1", first: int = 0) -> list[Utterance]:
    """Utterances of one session from (day, speaker, words)."""
    return [
        Utterance(source=source, session=session, position=place, speaker=who, role="user", text=words, time=day(date))
        for place, (date, who, words) in enumerate(said, start=first)
    ]


def likes(count: int, *, first: int = 0, **given: Any) -> list[Utterance]:
    """A talk of so many messages, the one at each position with one fact that touches no other."""
    said = ((f"2024-01-{n % 28 + 1:02}", "Ann", sentence(n)) for n in range(first, first + count))
    return talk(*said, first=first, **given)


def sentence(number: int) -> str:
    """What the message of that number says in ``likes``; the sentences share no words but one."""
    return f"Person{number} likes thing{number}."


def everything(memory: Memory) -> tuple[Fact, ...]:
    """All facts of just Ann's scope, retired ones too, in the order in which they were recorded."""
    found = memory.store.list_facts(Scope("ann"), FactFilter(view=EVERYTHING), MOST)
    return tuple(fact for fact in found if fact.scope == Scope("ann"))


def current(memory: Memory, **given: Any) -> list[str]:
    """The sentences of the facts that hold, in the order in which they were recorded."""
    return [fact.text for fact in memory.facts(**{**ANN, **given})]


def told(memory: Memory) -> list[dict[str, Any]]:
    """The facts as a reader sees them, with the words they stand on and what became of them."""
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
    """The decisions about facts in order: what, about which sentence, decided by whom."""
    found = [each for change in dumped(memory.store, Scope("ann")) for each in change.decisions]
    return [(each.operation, each.triple.get("text", ""), each.decided_by) for each in found]


def leftovers(memory: Memory) -> tuple[int, int]:
    """How many windows wait, and how many replies are kept."""
    return len(memory.pending(all_scopes=True)), len(memory.store.records(ModelReply))


def texts(memory: Memory, **scope: Any) -> list[str]:
    """The words of all messages, in order."""
    return [message.text for message in memory.messages(**(scope or ANN))]


def states(memory: Memory) -> list[str]:
    """How the windows that wait do, in order."""
    return [each.state for each in memory.pending(all_scopes=True)]


def summed(reports: Sequence[Any]) -> Any:
    """Reports added up."""
    from mem0g.ingest.report import Report

    return sum(reports, start=Report())
