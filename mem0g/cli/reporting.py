"""What commands that add to a memory tell: as it goes on, and at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from mem0g.cli.progress import INTERRUPTED, interruptible, progress

if TYPE_CHECKING:
    from mem0g.ingest.batch import Report

QUARANTINED = 3
"""The exit code when a model's reply could not be used, and its window waits."""


def followed(reports: Iterator[Report], total: int, *, windows: bool = False) -> tuple[Report, bool]:
    """The sum of the reports, shown as they come; and whether they came to their end, or Ctrl-C stopped them.

    ``total`` is the number of messages and triples to come, or with ``windows`` of windows.
    """
    from mem0g.ingest.batch import Report

    told, done = Report(), 0
    with interruptible() as interrupted, progress(total, "reading") as show:
        for report in reports:
            told += report
            done = done + 1 if windows else told.messages + told.known + told.triples
            show(done, counts(told))
            if interrupted:
                return told, False
    return told, True


def finish(report: Report, extractor: str, as_json: bool, *, finished: bool = True) -> None:
    """Print what came of it, and end with the exit code that says so."""
    _print(report, extractor, as_json)
    if not finished:
        typer.echo("stopped after the window in hand; run it again to go on", err=True)
        raise typer.Exit(INTERRUPTED)
    if report.quarantined:
        typer.echo("`mem0g stats` tells why windows wait; `mem0g retry` tries them again", err=True)
        raise typer.Exit(QUARANTINED)


def counts(report: Report) -> str:
    """The report in a line."""
    told = f"{report.messages} messages, {report.facts} facts, {report.confirmed} confirmed, {report.retired} retired"
    more = [f"{report.quarantined} windows quarantined"] if report.quarantined else []
    return ", ".join([told, *more, *([f"{report.waiting} windows waiting"] if report.waiting else [])])


def _print(report: Report, extractor: str, as_json: bool) -> None:
    from dataclasses import asdict

    from mem0g.cli.output import print_json

    if as_json:
        print_json(asdict(report))
        return
    if not (report.messages or report.triples or report.quarantined):
        typer.echo(f"nothing new: {report.known} messages known already")
        return
    typer.echo(counts(report) + (f"; {report.known} messages known already" if report.known else ""))
    if extractor == "rules":
        typer.echo("extracted by rules: modest, but searches find the messages too", err=True)
