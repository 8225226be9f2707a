"""Commands that add to a memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.options import (
    AgentOption,
    EmbedderOption,
    JsonOption,
    RunOption,
    ScopeKeys,
    StoreOption,
    UserOption,
    open_memory,
    scope_keys,
)
from mem0g.cli.progress import INTERRUPTED, interruptible, progress

if TYPE_CHECKING:
    from mem0g.batch import Report
    from mem0g.memory import Memory
    from mem0g.model import Triple, Utterance


def ingest(
    files: Annotated[list[str], typer.Argument(metavar="FILE|DIR|-", help="Transcripts; - is standard input.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    form: Annotated[str | None, typer.Option("--format", "-f", help="Force a format (else by content).")] = None,
    sample: Annotated[
        str | None, typer.Option("--sample", help="One conversation of a file that holds several.")
    ] = None,
    timezone: Annotated[str, typer.Option("--timezone", help="Of times that state none, as Europe/Oslo.")] = "UTC",
    extractor: Annotated[str | None, typer.Option("--extractor", help="rules or none. [default: rules]")] = None,
    triples: Annotated[Path | None, typer.Option("--triples", help="Triples made elsewhere (JSON Lines).")] = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remember transcripts: read them, extract facts, resolve, judge, store. Again on the same file changes nothing."""
    from mem0g.model import Scope
    from mem0g.times import timezone as zone_of
    from mem0g.transcripts import read_files
    from mem0g.triples import read_triples

    keys = scope_keys(user, agent, run)
    Scope(**keys)  # before anything is read or made
    transcript = read_files(files, format=form, sample=sample, zone=zone_of(timezone))
    for skipped in transcript.skipped:
        typer.secho(f"skipped {skipped.path}: {skipped.reason}", err=True, fg="yellow")
    made_elsewhere = read_triples(triples) if triples else []
    chosen = extractor or ("none" if triples else "rules")
    with open_memory(store, embedder, extractor=chosen) as memory:
        reports = _reports(memory, transcript.utterances, made_elsewhere, keys)
        report, finished = _followed(reports, len(transcript.utterances), len(made_elsewhere))
    _print_report(report, chosen, as_json)
    if not finished:
        typer.echo("stopped after the window in hand; run it again to go on", err=True)
        raise typer.Exit(INTERRUPTED)


def add(
    text: Annotated[str, typer.Argument(help="What was said.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remember one message, said now by the user."""
    with open_memory(store, embedder) as memory:
        report = memory.add(text, **scope_keys(user, agent, run))
    _print_report(report, "rules", as_json)


def _reports(
    memory: Memory, utterances: tuple[Utterance, ...], triples: list[Triple], keys: ScopeKeys
) -> Iterator[Report]:
    yield from memory.ingest(utterances, **keys)
    if triples:
        yield from memory.ingest_triples(triples, **keys)


def _followed(reports: Iterator[Report], messages: int, triples: int) -> tuple[Report, bool]:
    """The sum of the reports, shown as they come; and whether they came to their end, or Ctrl-C stopped them."""
    from mem0g.batch import Report

    total = Report()
    with interruptible() as interrupted, progress(messages + triples, "reading") as show:
        for report in reports:
            total += report
            show(total.messages + total.known + total.triples, _counts(total))
            if interrupted:
                return total, False
    return total, True


def _print_report(report: Report, extractor: str, as_json: bool) -> None:
    from dataclasses import asdict

    from mem0g.cli.output import print_json

    if as_json:
        print_json(asdict(report))
        return
    if not (report.messages or report.triples):
        typer.echo(f"nothing new: {report.known} messages known already")
        return
    typer.echo(_counts(report) + (f"; {report.known} messages known already" if report.known else ""))
    if extractor == "rules":
        typer.echo("extracted by rules: modest, but searches find the messages too", err=True)


def _counts(report: Report) -> str:
    return f"{report.messages} messages, {report.facts} facts, {report.confirmed} confirmed, {report.retired} retired"
