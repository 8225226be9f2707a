"""Facts, entities, messages and changes as lines of text, for a terminal or a prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.model import Entity, Fact, Message
from mem0g.text.invisible import visible_text
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.ingest.report import Report


def said(message: Message) -> str:
    """Return a message as one line: the speaker, the day and the text, cut at 200 characters."""
    when = f" ({message.local_time:%Y-%m-%d})" if message.local_time else ""
    words = " ".join(visible_text(message.text).split())
    return f"{message.speaker}{when}: {words if len(words) <= 200 else words[:199] + '…'}"


def times(fact: Fact, at: datetime) -> str:
    """Return the fact's interval, plan and status as of ``at``, each followed by a space; "" if none is known."""
    begun, ended = (_day(moment) for moment in (fact.valid_from, fact.valid_to))
    interval = begun if begun == ended else f"{begun}…{ended}"
    plan = f"planned for {_day(fact.planned_for)}" if fact.planned_for else ""
    unanswered = "unanswered" if fact.is_past_plan(at) else ""
    observed = f"observed {_day(fact.observed)}" if fact.observed else ""
    parts = [interval, observed, plan, unanswered, "" if fact.current else "retired"]
    return "".join(f"{part} " for part in parts if part)


def sentence_of(fact: Fact, at: datetime) -> tuple[str, str]:
    """Return what is shown of a fact besides its id; facts that have it in common are shown in one line.

    "Jonas works as a baker at Lindt." is the sentence of two facts: WORKS_AS a baker, WORKS_AT Lindt.
    """
    return fact.text, times(fact, at)


def named(entity: Entity) -> str:
    """Return the entity's name, type and other names as one line."""
    kind = f" ({entity.type})" if entity.type else ""
    also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    return f"{entity.name}{kind}{also}"


def change_lines(report: Report) -> Iterator[str]:
    """Yield a line for each fact that changed; a fact that another one replaced stands in the line of that one."""
    replaced = {other.id for change in report.changes if change.kind == "updated" for other in change.others}
    for change in report.changes:
        if change.kind != "retired" or change.fact_id not in replaced:
            former = "; ".join(other.text for other in change.others) if change.kind == "updated" else ""
            yield f"{change.kind} {change.fact_id}: {change.text}{f' (instead of: {former})' if former else ''}"


def outdated_lines(report: Report, possibly_outdated: Callable[[Sequence[str]], Iterable[Fact]]) -> Iterator[str]:
    """Yield a line for each current fact that the new ones of a report may have made untrue, as told by their ids."""
    new = list(dict.fromkeys(change.fact_id for change in report.changes if change.kind in ("added", "updated")))
    yield from (f"{fact.id}: {fact.text}" for fact in possibly_outdated(new) if fact.id not in new)


def _day(moment: Moment | None) -> str:
    """Return the moment, to the day at most."""
    return str(moment)[:10] if moment else ""
