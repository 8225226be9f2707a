"""What an ingest did."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from mem0g.conflict.protocol import Verdict
from mem0g.model import Fact
from mem0g.store.change import Change


@dataclass(frozen=True, slots=True)
class FactRef:
    """A fact by its id and its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """What became of one fact.

    ``kind``: "added"; "updated", for a new fact that replaced ``others``; "retired", for an old one, which ``others``
    replaced if any did; "confirmed", for a known one that was said again.
    """

    kind: Literal["added", "updated", "retired", "confirmed"]
    fact_id: str
    text: str
    others: tuple[FactRef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an ingest did, in counts; reports can be added.

    ``messages`` were new, ``known`` ones were stored before. Of the ``triples``, ``confirmed`` ones said what was
    known. ``facts`` were added, ``retired`` ones retired; ``held`` retirements wait for a person to accept or drop
    them. ``entities`` were added or changed. ``waiting`` windows have their messages stored and no facts yet;
    ``quarantined`` ones because the model's reply could not be used. ``changes`` are the facts that were added,
    updated, retired and confirmed, in order. ``message_ids`` are those of all messages given to ``Memory.add``,
    new and known, ``differing`` those of known ones that are stored with another text, which stays: who edits a
    message erases it and adds it again. ``known_from`` are the conversations that are known under another name: the
    name given and the known one. ``known_speakers`` are the speakers of these who were renamed, likewise; their
    messages keep the known name. Two reports are equal by their counts.
    """

    messages: int = 0
    known: int = 0
    triples: int = 0
    facts: int = 0
    confirmed: int = 0
    retired: int = 0
    entities: int = 0
    held: int = 0
    waiting: int = 0
    quarantined: int = 0
    changes: tuple[FactChange, ...] = field(default=(), compare=False)
    message_ids: tuple[str, ...] = field(default=(), compare=False)
    differing: tuple[str, ...] = field(default=(), compare=False)
    known_from: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    known_speakers: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def __add__(self, other: Report) -> Report:
        return Report(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in dataclasses.fields(Report)}
        )


def report_of(change: Change, verdicts: Sequence[Verdict], known: Mapping[str, Fact]) -> Report:
    """Return the report of a window's change; ``known`` are the facts that were there before, by id."""
    facts = {**known, **{fact.id: fact for fact in change.facts}}
    return Report(
        triples=len(verdicts),
        facts=len(change.facts),
        confirmed=sum(len(verdict.supports) for verdict in verdicts),
        retired=len(change.retirements),
        held=sum(len(verdict.held) for verdict in verdicts),
        entities=sum(not each.is_literal for each in change.entities),
        changes=tuple(each for verdict in verdicts for each in _fact_changes(verdict, facts)),
    )


def _fact_changes(verdict: Verdict, facts: Mapping[str, Fact]) -> Iterator[FactChange]:
    """Yield what the verdict did: to the new or the known fact, then to those that it retired."""

    def change(kind: Literal["added", "updated", "retired", "confirmed"], fact_id: str, *others: str) -> FactChange:
        refs = tuple(FactRef(each, facts[each].text) for each in others)
        return FactChange(kind=kind, fact_id=fact_id, text=facts[fact_id].text, others=refs)

    retired = {each.succession.fact_id: each.succession.successor_id for each in verdict.retirements}
    if verdict.fact:
        replaced = [each for each in retired if each != verdict.fact.id]
        yield change("updated" if replaced else "added", verdict.fact.id, *replaced)
    for more in verdict.supports:
        yield change("confirmed", more.fact_id)
    for old, successor in retired.items():
        yield change("retired", old, *([successor] if successor else []))
