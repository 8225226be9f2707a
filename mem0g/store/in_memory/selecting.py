"""What a selection of facts and messages has of rows that are held in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from mem0g.store.in_memory.rows import FactRow, MessageRow, instant
from mem0g.store.in_memory.searching import Selected
from mem0g.store.queries import NO_METADATA, Period, Selection

T = TypeVar("T")


def select(
    facts: Iterable[tuple[FactRow, int]], messages: Collection[MessageRow], selection: Selection | None
) -> Selected:
    """Return those of the rows that a selection has: everything without one.

    A fact comes with the instant from which it holds, which counts only where ``valid_from`` is given.
    """
    if selection is None:
        return Selected()
    stated = _stated(messages, selection) if selection.by_message else None
    told = [row.n for row in messages if not selection.facts_only and _has_message(row, selection)]
    found = [row.n for row, starts in facts if _has_fact(row, starts, selection, stated)]
    return Selected(frozenset(found), frozenset(told))


def _stated(messages: Iterable[MessageRow], selection: Selection) -> frozenset[str]:
    """Return the ids of the messages of which facts are selected that they state."""
    return frozenset(row.id for row in messages if _is_by(row, selection))


def _is_by(row: MessageRow, selection: Selection) -> bool:
    return (
        _in(row.role, selection.roles)
        and _in(row.speaker, selection.speakers)
        and _in(row.metadata or NO_METADATA, selection.metadata)
    )


def _has_message(row: MessageRow, selection: Selection) -> bool:
    return _within(row.time, selection.said) and _within(row.recorded_at, selection.recorded) and _is_by(row, selection)


def _has_fact(row: FactRow, starts: int, selection: Selection, stated: frozenset[str] | None) -> bool:
    types = (row.subject_type, row.object_type)
    return (
        _in(row.relation, selection.relations)
        and (selection.types is None or any(each in selection.types for each in types))
        and (selection.not_types is None or not any(each in selection.not_types for each in types))
        and _within(None if row.valid_from is None else starts, selection.valid)
        and _within(row.said_at, selection.said)
        and _within(row.recorded_at, selection.recorded)
        and (stated is None or not stated.isdisjoint(row.evidence) or _has_own(row, selection))
    )


def _has_own(row: FactRow, selection: Selection) -> bool:
    """Whether the metadata that was given with a fact is selected."""
    if not selection.by_own_metadata or selection.metadata is None:
        return False
    if row.metadata is None:
        return NO_METADATA in selection.metadata and not row.evidence
    return row.metadata in selection.metadata


def _in(value: str, wanted: Collection[str] | None) -> bool:
    return wanted is None or value in wanted


def _within(time: int | None, period: Period | None) -> bool:
    """Whether a time, in microseconds since 1970, is in a period; one that is unknown is in none."""
    if period is None or (period.since is None and period.until is None):
        return True
    since, until = instant(period.since), instant(period.until)
    return time is not None and (since is None or time >= since) and (until is None or time < until)
