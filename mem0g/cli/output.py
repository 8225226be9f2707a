"""What commands print: JSON for programs, lines and tables for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from mem0g.model import Entity, Fact, Hit, Message
from mem0g.times import Moment

if TYPE_CHECKING:
    from rich.console import Console

DIM = "bright_black"

PIPE_WIDTH = 160
"""Characters in a line of a table that goes to a file or another program."""


def print_json(value: object) -> None:
    """One JSON document."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def plain(record: object) -> dict[str, Any]:
    """A dataclass as JSON can hold it; a fact also says whether it is current."""
    from mem0g.exchange import plain as as_plain

    given = as_plain(record)
    if isinstance(record, Fact):
        given["current"] = record.current
    return given


def console() -> Console:
    """A console for tables and trees on standard output: colour on a terminal only, as wide as it is."""
    from rich.console import Console

    made = Console(highlight=False, markup=False, emoji=False, soft_wrap=False)
    if not made.is_terminal:
        made.width = PIPE_WIDTH
    return made


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table; the last column takes the room that is left."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold", no_wrap=column == "id")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    console().print(made)


def print_hit(place: int, hit: Hit, messages: Mapping[str, Message]) -> None:
    """A hit: the text, its times and id, why it was found, and what was said."""
    if hit.fact:
        typer.echo(f"{place:>2}. {hit.fact.text}  " + typer.style(f"[{times(hit.fact)}{hit.fact.id}]", fg=DIM))
    elif hit.message:
        typer.echo(f"{place:>2}. {said(hit.message)}  " + typer.style(f"[{hit.message.id}]", fg=DIM))
    why = "; ".join(f"{reason.channel}: {reason.detail}" for reason in hit.reasons)
    typer.secho(f"    {hit.score:.2f}  {why}", fg=DIM)
    for each in hit.evidence if hit.fact else ():
        if each in messages:
            typer.secho(f"    said by {said(messages[each])}", fg=DIM)


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


FACT_COLUMNS = ("id", "valid", "relation", "fact")
