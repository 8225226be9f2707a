"""What commands that add to a memory tell: as it goes on, and at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from mem0g.cli.progress import INTERRUPTED, interruptible, progress
from mem0g.cli.terminal import print_json, say

if TYPE_CHECKING:
    from mem0g.ingest.report import Report

QUARANTINED = 3
"""The exit code when a model's reply could not be used, and its window waits."""


def followed(
    reports: Iterator[Report], total: int, *, windows: bool = False, changes: bool = False
) -> tuple[Report, bool]:
    """The sum of the reports, shown as they come; and whether they came to their end, or Ctrl-C stopped them.

    ``total`` is the number of messages and triples to come, or with ``windows`` of windows. ``changes``: the sum keeps
    what became of each fact.
    """
    from mem0g.ingest.report import Report

    told, done = Report(), 0
    with interruptible() as interrupted, progress(total, "reading") as show:
        for report in reports:
            told += report if changes else replace(report, changes=())
            done = done + 1 if windows else told.messages + told.known + told.triples
            show(done, counts(told))
            if interrupted:
                return told, False
    return told, True


def finish(report: Report, extractor: str, as_json: bool, *, finished: bool = True, verbose: bool = False) -> None:
    """Print what came of it, and end with the exit code that says so; ``verbose`` names every fact that changed."""
    if verbose and not as_json:
        for line in change_lines(report):
            say(line)
    _print(report, extractor, as_json)
    if report.held:
        say("`mem0g review` shows what the model would have retired, to accept or drop", err=True)
    if not finished:
        say("stopped after the window in hand; run it again to go on", err=True)
        raise typer.Exit(INTERRUPTED)
    if report.quarantined:
        say("`mem0g stats` with the same scope says why windows wait; `mem0g retry` tries them again", err=True)
        raise typer.Exit(QUARANTINED)


def change_lines(report: Report) -> Iterator[str]:
    """What became of each fact, a line each; a fact that another one replaced stands in the line of that one."""
    replaced = {other.id for change in report.changes if change.kind == "updated" for other in change.others}
    for change in report.changes:
        if change.kind != "retired" or change.fact_id not in replaced:
            instead = f", instead of: {'; '.join(other.text for other in change.others)}" if change.others else ""
            yield f"{change.kind} {change.fact_id}: {change.text}{instead if change.kind == 'updated' else ''}"


def counts(report: Report) -> str:
    """The report in a line."""
    told = f"{report.messages} messages, {report.facts} facts, {report.confirmed} confirmed, {report.retired} retired"
    held = [f"{report.held} retirements held for review"] if report.held else []
    more = [f"{report.quarantined} windows quarantined"] if report.quarantined else []
    return ", ".join([told, *held, *more, *([f"{report.waiting} windows waiting"] if report.waiting else [])])


def _print(report: Report, extractor: str, as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        print_json(asdict(report))
        return
    if not (report.messages or report.triples or report.quarantined):
        say(f"nothing new: {report.known} messages known already")
        return
    say(counts(report) + (f"; {report.known} messages known already" if report.known else ""))
    if extractor == "rules":
        say("extracted by rules: modest, but searches find the messages too", err=True)
