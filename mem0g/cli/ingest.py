"""Commands that add messages, and those about what a language model left to do: `retry` and `review`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mem0g.cli.conditions import MetadataOption, metadata_given
from mem0g.cli.options import (
    EMBEDDER,
    MODEL,
    SCOPE,
    SCOPE_OR_ALL,
    STORE,
    ColumnOption,
    ExtractorOption,
    FormatOption,
    JsonOption,
    SampleOption,
    SpeakerOption,
    Target,
    TimezoneOption,
    VerboseOption,
    columns_of,
    takes,
)
from mem0g.cli.progress import INTERRUPTED, interruptible, progress
from mem0g.cli.terminal import Styled, print_json, say

if TYPE_CHECKING:
    from mem0g.distributed import IngestTask
    from mem0g.distributed.tasks import Numbered, Stopping, UserFrom
    from mem0g.ingest.report import Report
    from mem0g.ingest.review import Held
    from mem0g.memory import Memory
    from mem0g.model import Triple
    from mem0g.transcripts import Transcript

    Reports = Callable[[Stopping], Iterator[Numbered]]
    """Yields reports, each with the number of its task, until it is done or should stop."""

QUARANTINED = 3
"""The exit code when a model's reply could not be used, and its window waits."""


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def ingest(
    target: Target,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE|DIR|-", help="Transcripts, folders or zip archives of them; - is standard input."),
    ],
    form: FormatOption = None,
    sample: SampleOption = None,
    speaker: SpeakerOption = None,
    column: ColumnOption = None,
    timezone: TimezoneOption = "UTC",
    extractor: ExtractorOption = None,
    triples: Annotated[
        Path | None, typer.Option("--triples", help="JSON Lines file of triples to store instead of extracting them.")
    ] = None,
    metadata: MetadataOption = None,
    user_from: Annotated[
        str | None,
        typer.Option(
            "--user-from",
            metavar="folder|file",
            help="Give each file the user that its folder or its own name names, by the path in DIR.",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, help="Processes; each ingests the files of one scope at a time.")
    ] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="Dask scheduler whose workers ingest, such as tcp://host:8786."
        ),
    ] = None,
    procedural: Annotated[
        bool, typer.Option("--procedural", help="Each FILE is the trace of an agent's run: remember its steps.")
    ] = False,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Extract facts from transcripts and store them. Ingesting a file again, under any name, changes nothing."""
    from mem0g.times import timezone as zone_of
    from mem0g.transcripts import read_files
    from mem0g.transfer.triples import read_triples

    if procedural:
        from mem0g.cli.runs import ingest_runs

        _check_procedural(
            format=form,
            sample=sample,
            speaker=speaker,
            column=column,
            triples=triples,
            metadata=metadata,
            user_from=user_from,
            workers=workers > 1,
            scheduler=scheduler,
        )
        ingest_runs(target, files, extractor, as_json=as_json)
        return
    _check_ways(target, user_from, scheduler, triples)
    columns, common = columns_of(column), metadata_given(metadata)
    transcript = read_files(
        files, format=form, sample=sample, zone=zone_of(timezone), speaker=speaker or "", columns=columns
    )
    for skipped in transcript.skipped:
        say(Styled(f"skipped {skipped.path}: {skipped.reason}", "yellow"), err=True)
    tasks = _tasks(target, transcript, user_from, common)
    given = read_triples(triples) if triples else []
    changes = verbose or as_json
    follow = partial(_followed, total=len(transcript.utterances) + len(given), changes=changes)
    with target.open(extractor=extractor or ("none" if triples else None)) as memory:
        name = memory.extractor.name
        if not scheduler and min(workers, len(tasks)) == 1:
            report, finished = follow(partial(_reports, memory, tasks, given))
    if scheduler or min(workers, len(tasks)) > 1:
        report, finished = follow(_shared(target, tasks, extractor, workers, scheduler, changes=changes))
    elif workers > 1:
        say("one scope is ingested by one process; --user-from gives each folder or file a user of its own", err=True)
    if name == "rules" and report.messages and not as_json:
        _note_language(each.text for each in transcript.utterances)
    _finish(report, name, as_json, finished=finished, verbose=verbose)


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def add(
    target: Target,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Text of the message.")],
    extractor: ExtractorOption = None,
    metadata: MetadataOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Add one message by the user, dated now."""
    keys, noted = target.keys, metadata_given(metadata)
    with target.open(extractor=extractor) as memory:
        report = memory.add(text, metadata=noted, **keys)
        name = memory.extractor.name
    _finish(report, name, as_json, verbose=verbose)


@takes(SCOPE_OR_ALL, STORE, EMBEDDER, MODEL)
def retry(
    target: Target, extractor: ExtractorOption = None, verbose: VerboseOption = False, as_json: JsonOption = False
) -> None:
    """Extract failed and quarantined windows again."""
    keys = target.keys_or_all
    with target.open(extractor=extractor or "llm", existing=True) as memory:
        windows = [each for each in memory.pending(**keys) if each.state != "buffered"]
        again = partial(_until, memory.retry(**keys))
        report, finished = _followed(again, total=len(windows), windows=True, changes=verbose or as_json)
        name = memory.extractor.name
    if not windows and not as_json:
        say("no windows are waiting")
        return
    _finish(report, name, as_json, finished=finished, verbose=verbose)


@takes(SCOPE, STORE)
def review(
    target: Target,
    accept: Annotated[
        str | None, typer.Option("--accept", metavar="ID|all", help="Retire the facts of this entry.")
    ] = None,
    drop: Annotated[str | None, typer.Option("--drop", metavar="ID|all", help="Keep the facts of this entry.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List retirements that are held for review, because a model decided on many at once; accept or drop them."""
    from mem0g.errors import InputError

    if accept and drop:
        raise InputError("--accept and --drop were both given", hint="give one of them")
    keys = target.keys
    with target.open_existing() as memory:
        held = memory.review(**keys)
        wanted = accept or drop
        ids = [each.id for each in held] if wanted == "all" else [wanted] if wanted else []
        retired = 0
        for each in ids:
            if accept:
                retired += memory.accept(each, **keys)
            else:
                memory.drop(each, **keys)
    if wanted:
        done = {"accepted": len(ids), "retired": retired} if accept else {"dropped": len(ids)}
        if as_json:
            print_json(done)
        else:
            say(", ".join(f"{count} {what}" for what, count in done.items()))
    elif as_json:
        print_json([_held_json(each) for each in held])
    else:
        _print_held(held)


def _check_procedural(**given: object) -> None:
    """Raise an error for an option of conversations, which the traces of runs would silently ignore."""
    from mem0g.errors import InputError

    for name, value in given.items():
        if value:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"--procedural and {option} were both given", hint=f"leave out {option}")


def _check_ways(target: Target, user_from: str | None, scheduler: str | None, triples: Path | None) -> None:
    """Raise an error for options that exclude each other, and for no scope."""
    from mem0g.distributed.cluster import check_shared
    from mem0g.errors import InputError

    if user_from is None:
        _ = target.keys
    elif user_from not in ("folder", "file"):
        raise InputError(f"--user-from is {user_from!r}", hint="give folder or file")
    elif target.user is not None:
        raise InputError("--user and --user-from were both given", hint="give one of them")
    if scheduler:
        check_shared(target.store or target.settings.store)
    if triples and (user_from or scheduler):
        other = "--user-from" if user_from else "--scheduler"
        raise InputError(f"--triples and {other} were both given", hint="triples are of one scope: give --user")


def _tasks(
    target: Target, transcript: Transcript, user_from: str | None, metadata: Mapping[str, Any] | None
) -> list[IngestTask]:
    """Return the messages by scope: one, or that of each user."""
    from mem0g.distributed.tasks import IngestTask, tasks_by_user
    from mem0g.model import Scope

    if user_from is None:
        scope = Scope(target.user, target.agent, target.run)
        return [IngestTask(scope=scope, utterances=transcript.utterances, metadata=metadata)]
    naming: UserFrom = "folder" if user_from == "folder" else "file"
    return tasks_by_user(transcript.files, naming, agent_id=target.agent, run_id=target.run, metadata=metadata)


def _reports(
    memory: Memory, tasks: Sequence[IngestTask], triples: list[Triple], stopping: Stopping
) -> Iterator[Numbered]:
    """Ingest in this process, one task after the other."""
    for number, task in enumerate(tasks):
        for _, report in _until(task.reports(memory), stopping):
            yield number, report
        if stopping():
            return
    if triples:
        yield from _until(memory.ingest_triples(triples, **tasks[0].scope.keys), stopping)


def _until(reports: Iterator[Report], stopping: Stopping) -> Iterator[Numbered]:
    """Yield reports as those of one task, until it should stop."""
    for report in reports:
        yield 0, report
        if stopping():
            return


def _shared(
    target: Target,
    tasks: Sequence[IngestTask],
    extractor: str | None,
    workers: int,
    scheduler: str | None,
    *,
    changes: bool,
) -> Reports:
    """Return what ingests in several processes, or on a cluster."""
    from mem0g.distributed import MemoryOptions, ingest_in_processes, ingest_on_cluster

    options = MemoryOptions(
        store=target.store or None,
        settings=target.settings,
        credentials=target.credentials,
        embedder=target.embedder,
        extractor=extractor,
    )
    if scheduler:
        return lambda stopping: ingest_on_cluster(tasks, options, scheduler, stopping=stopping, changes=changes)
    return lambda stopping: ingest_in_processes(tasks, options, workers, stopping=stopping, changes=changes)


def _followed(reports: Reports, *, total: int, windows: bool = False, changes: bool = False) -> tuple[Report, bool]:
    """Return the sum of the reports, in the order of their tasks, with a progress bar meanwhile; False after Ctrl-C.

    ``total`` is the number of messages and triples to come, or with ``windows`` of windows. With ``changes`` the sum
    keeps what became of each fact.
    """
    from mem0g.ingest.report import Report

    by_task: dict[int, Report] = {}
    counted, windows_done = Report(), 0
    with interruptible() as interrupted, progress(total, "reading") as show:
        for number, report in reports(lambda: bool(interrupted)):
            by_task[number] = by_task.get(number, Report()) + (report if changes else replace(report, changes=()))
            counted += replace(report, changes=())
            windows_done += 1
            show(windows_done if windows else counted.messages + counted.known + counted.triples, _counts(counted))
    return sum((by_task[number] for number in sorted(by_task)), start=Report()), not interrupted


def _finish(report: Report, extractor: str, as_json: bool, *, finished: bool = True, verbose: bool = False) -> None:
    """Print the report, with ``verbose`` every fact that changed, and exit with the code that fits it."""
    from mem0g.views.lines import change_lines

    if verbose and not as_json:
        for line in change_lines(report):
            say(line)
    _print_report(report, extractor, as_json)
    if report.held:
        say("run `mem0g review` to accept or drop what the model would have retired", err=True)
    if not finished:
        say("stopped after the current window; run the command again to continue", err=True)
        raise typer.Exit(INTERRUPTED)
    if report.quarantined:
        say("`mem0g stats` with the same scope shows why windows wait; `mem0g retry` tries them again", err=True)
        raise typer.Exit(QUARANTINED)


def _note_language(texts: Iterable[str]) -> None:
    """Say what another language than English needs, if most of the texts whose language shows are written in one."""
    from mem0g.text.languages import main_language

    language = main_language(texts)
    if language != "english":
        say(
            f"this looks like {language.capitalize()}: the rules read English only, so facts need a language model"
            " (--extractor llm); for searches choose a multilingual --embedder",
            err=True,
        )


def _print_report(report: Report, extractor: str, as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        print_json(asdict(report))
        return
    for name, known in report.known_from:
        say(f"{name} goes on from {known}, which is known" if report.messages else f"{name} is {known}, which is known")
    if not (report.messages or report.triples or report.quarantined):
        say(f"nothing new: {report.known} messages known already")
        return
    say(_counts(report) + (f"; {report.known} messages known already" if report.known else ""))
    if extractor == "rules":
        say("extracted by rules, which find less than a language model; searches also find messages", err=True)


def _counts(report: Report) -> str:
    counts = [
        f"{report.messages} messages, {report.facts} facts, {report.confirmed} confirmed, {report.retired} retired"
    ]
    counts += [f"{report.held} retirements held for review"] if report.held else []
    counts += [f"{report.quarantined} windows quarantined"] if report.quarantined else []
    counts += [f"{report.waiting} windows waiting"] if report.waiting else []
    return ", ".join(counts)


def _held_json(held: Held) -> dict[str, Any]:
    from mem0g.cli.output import plain

    rows = [
        {
            "fact": plain(each.fact),
            "successor": plain(each.successor) if each.successor else None,
            "reason": each.reason,
            "since": str(each.since) if each.since else None,
        }
        for each in held.retirements
    ]
    given = {"id": held.id, "scope": held.scope.keys, "window": held.window, "at": held.at.isoformat()}
    return {**given, "model": held.model, "retirements": rows}


def _print_held(held: tuple[Held, ...]) -> None:
    if not held:
        say("nothing is held for review")
        return
    for each in held:
        say(f"{each.id}  {each.at:%Y-%m-%d %H:%M} by {each.model}, {len(each.retirements)} retirements")
        for one in each.retirements:
            state = "" if one.fact.current else " (retired since)"
            then = f" -> {one.successor.text}" if one.successor else ""
            say(f"    {one.fact.text}{state}{then}  [{one.reason}]")
    say()
    say("`mem0g review --accept ID` retires the facts on the left, `--drop ID` keeps them")
