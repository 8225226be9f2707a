"""Records of a memory as commands print them: plain values for JSON, lines and rows for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mem0g.cli.terminal import dim, say
from mem0g.model import Entity, Fact, Hit, Message
from mem0g.times import Moment


def plain(record: object) -> dict[str, Any]:
    """A dataclass as JSON can hold it; a fact also says whether it is current."""
    from mem0g.transfer.jsonl import plain as as_plain

    given = as_plain(record)
    if isinstance(record, Fact):
        given["current"] = record.current
    return given


def print_hit(place: int, hit: Hit, messages: Mapping[str, Message]) -> None:
    """A hit: the text, its times and id, why it was found, and what was said."""
    if hit.fact:
        say(f"{place:>2}. {hit.fact.text}  ", dim(f"[{times(hit.fact)}{hit.fact.id}]"))
    elif hit.message:
        say(f"{place:>2}. {said(hit.message)}  ", dim(f"[{hit.message.id}]"))
    why = "; ".join(f"{reason.channel}: {reason.detail}" for reason in hit.reasons)
    say(dim(f"    {hit.score:.2f}  {why}"))
    for each in hit.evidence if hit.fact else ():
        if each in messages:
            say(dim(f"    said by {said(messages[each])}"))


def said(message: Message) -> str:
    """Who said what, when, in one line."""
    when = f" ({message.time:%Y-%m-%d})" if message.time else ""
    words = " ".join(message.text.split())
    return f"{message.speaker}{when}: {words if len(words) <= 200 else words[:199] + '…'}"


def times(fact: Fact) -> str:
    """The fact's interval and status, "" when nothing is known of it."""
    begun, ended = (_day(moment) for moment in (fact.valid_from, fact.valid_to))
    interval = begun if begun == ended else f"{begun}…{ended}"
    parts = [interval, "" if fact.current else "retired"]
    return "".join(f"{part} " for part in parts if part)


def _day(moment: Moment | None) -> str:
    """A moment to the day at most."""
    return str(moment)[:10] if moment else ""


def named(entity: Entity) -> str:
    """An entity's name, type and other names."""
    kind = f" ({entity.type})" if entity.type else ""
    also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    return f"{entity.name}{kind}{also}"


def fact_rows(facts: Iterable[Fact]) -> list[tuple[str, str, str, str]]:
    """Facts as rows of a table: id, interval, edge, sentence."""
    return [(fact.id, times(fact).strip(), fact.relation, fact.text) for fact in facts]


FACT_COLUMNS = ("id", "valid", "relation", "text")
