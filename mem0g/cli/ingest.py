"""Commands that add messages, and the one that extracts again what waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mem0g.cli.conditions import MetadataOption, metadata_given
from mem0g.cli.files import text_of
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
    from mem0g.memory import Memory
    from mem0g.model import Triple
    from mem0g.transcripts import Transcript

    Reports = Callable[[Stopping], Iterator[Numbered]]
    """Yields reports, each with the number of its task, until it is done or should stop."""

QUARANTINED = 3
"""The exit code when a model's reply could not be used, and its window waits."""

_FOR_QUARANTINED = "configure a model (see `mem0g doctor`), or read them by --extractor rules, which find less"
"""What helps where a model quarantined windows and none is there to read them again."""


FilesArgument = Annotated[
    list[str],
    typer.Argument(metavar="FILE|DIR|-", help="Transcripts, folders or zip archives of them; - is standard input."),
]
TriplesOption = Annotated[
    Path | None, typer.Option("--triples", help="JSON Lines file of triples to store instead of extracting them.")
]
UserFromOption = Annotated[
    str | None,
    typer.Option(
        "--user-from",
        metavar="folder|file",
        help="Give each file the user that its folder or its own name names, by the path in DIR.",
    ),
]
WorkersOption = Annotated[
    int, typer.Option("--workers", min=1, help="Processes; each ingests the files of one scope at a time.")
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="Dask scheduler whose workers ingest, such as tcp://host:8786."
    ),
]
ProceduralOption = Annotated[
    bool, typer.Option("--procedural", help="Each FILE is the trace of an agent's run: remember its steps.")
]


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def ingest(
    target: Target,
    files: FilesArgument,
    form: FormatOption = None,
    sample: SampleOption = None,
    speaker: SpeakerOption = None,
    column: ColumnOption = None,
    timezone: TimezoneOption = "UTC",
    extractor: ExtractorOption = None,
    triples: TriplesOption = None,
    metadata: MetadataOption = None,
    user_from: UserFromOption = None,
    workers: WorkersOption = 1,
    scheduler: SchedulerOption = None,
    procedural: ProceduralOption = False,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Extract facts from transcripts and store them. Ingesting a file again, under any name, changes nothing."""
    if procedural:
        reading = {"format": form, "sample": sample, "speaker": speaker, "column": column, "triples": triples}
        how = {"metadata": metadata, "user_from": user_from, "workers": workers > 1, "scheduler": scheduler}
        _ingest_runs(target, files, extractor, {**reading, **how}, as_json=as_json)
        return
    _check_ways(target, user_from, workers, scheduler, triples)
    columns, common = columns_of(column), metadata_given(metadata)
    transcript = _transcript(files, timezone, format=form, sample=sample, speaker=speaker or "", columns=columns)
    tasks = _tasks(target, transcript, user_from, common)
    ways = Ways(extractor or ("none" if triples else None), workers, scheduler, changes=verbose or as_json)
    name, report, finished = _ingested(target, tasks, triples, ways)
    if name == "rules" and report.messages and not as_json:
        _note_language(each.text for each in transcript.utterances)
    _finish(report, name, as_json, finished=finished, verbose=verbose)


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def add(
    target: Target,
    text: Annotated[str, typer.Argument(metavar="TEXT|-", help="Text of the message; - is standard input.")],
    extractor: ExtractorOption = None,
    metadata: MetadataOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Add one message by the user, dated now."""
    keys, noted = target.keys, metadata_given(metadata)
    said = text_of("-", hint="give the text of a message").strip() if text == "-" else text
    with target.open(extractor=extractor) as memory:
        report = memory.add(said, metadata=noted, **keys)
        name = memory.extractor.name
    _finish(report, name, as_json, verbose=verbose)


@takes(SCOPE_OR_ALL, STORE, EMBEDDER, MODEL)
def retry(
    target: Target, extractor: ExtractorOption = None, verbose: VerboseOption = False, as_json: JsonOption = False
) -> None:
    """Extract failed and quarantined windows again. Those that a model quarantined are read by rules only if asked."""
    from mem0g.errors import InputError

    keys = target.keys_or_all
    with target.open(extractor=extractor, existing=True) as memory:
        name, windows = memory.extractor.name, [each for each in memory.pending(**keys) if each.state != "buffered"]
        left = sum(each.state == "quarantined" for each in windows) if name == "rules" and not extractor else 0
        if left and left == len(windows):
            raise InputError(f"a model quarantined {_windows(left)}, and none is configured", hint=_FOR_QUARANTINED)
        again = partial(_until, memory.retry(**keys, quarantined=not left))
        report, finished = _followed(again, total=len(windows) - left, windows=True, changes=verbose or as_json)
    if not windows and not as_json:
        say("no windows are waiting")
        return
    _finish(report, name, as_json, finished=finished, verbose=verbose, left=left)


@dataclass(frozen=True, slots=True)
class Ways:
    """How to ingest: with which extractor, in how many processes or on which cluster.

    With ``changes`` the reports say what became of each fact.
    """

    extractor: str | None
    workers: int
    scheduler: str | None
    changes: bool

    def shared(self, tasks: Sequence[IngestTask]) -> bool:
        """Whether other processes ingest: one scope is ingested by one process."""
        return bool(self.scheduler) or min(self.workers, len(tasks)) > 1


def _ingested(
    target: Target, tasks: Sequence[IngestTask], triples: Path | None, ways: Ways
) -> tuple[str, Report, bool]:
    """Ingest; return the name of the extractor, the report, and whether all is done."""
    from mem0g.transfer.triples import read_triples

    given = read_triples(triples) if triples else []
    total = sum(len(each.utterances) for each in tasks) + len(given)
    follow = partial(_followed, total=total, changes=ways.changes)
    with target.open(extractor=ways.extractor) as memory:
        name = memory.extractor.name
        if not ways.shared(tasks):
            report, finished = follow(partial(_reports, memory, tasks, given))
    if ways.shared(tasks):
        report, finished = follow(_shared(target, tasks, ways))
    elif ways.workers > 1:
        say("all messages are of one scope, which one process ingests; --user-from reads several users", err=True)
    return name, report, finished


def _ingest_runs(
    target: Target, files: Sequence[str], extractor: str | None, others: Mapping[str, object], *, as_json: bool
) -> None:
    """Ingest traces of runs. Raises InputError for an option of conversations, which these would silently ignore."""
    from mem0g.cli.runs import ingest_runs
    from mem0g.errors import InputError

    for name, value in others.items():
        if value:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"--procedural and {option} were both given", hint=f"leave out {option}")
    ingest_runs(target, files, extractor, as_json=as_json)


def _check_ways(
    target: Target, user_from: str | None, workers: int, scheduler: str | None, triples: Path | None
) -> None:
    """Raise an error for options that exclude each other, and for no scope."""
    from mem0g.distributed.cluster import check_shared
    from mem0g.errors import InputError

    if user_from is None:
        _ = target.keys
    elif user_from not in ("folder", "file"):
        raise InputError(f"--user-from is {user_from!r}", hint="give folder or file")
    elif target.user is not None:
        raise InputError("--user and --user-from were both given", hint="give one of them")
    if scheduler is not None:
        if not scheduler.strip():
            raise InputError("--scheduler is empty", hint="give its address, such as tcp://host:8786")
        if workers > 1:
            hint = "--workers is the number of processes on this machine; a cluster has its own workers"
            raise InputError("--workers and --scheduler were both given", hint=hint)
        check_shared(target.store or target.settings.store)
    if triples and (user_from or scheduler):
        other = "--user-from" if user_from else "--scheduler"
        raise InputError(f"--triples and {other} were both given", hint="triples are of one scope: give --user")


def _transcript(files: Sequence[str], timezone: str, **how: Any) -> Transcript:
    """Return what the files say, and print which of them hold no transcript."""
    from mem0g.times import timezone as zone_of
    from mem0g.transcripts import read_files

    transcript = read_files(files, zone=zone_of(timezone), **how)
    for skipped in transcript.skipped:
        say(Styled(f"skipped {skipped.path}: {skipped.reason}", "yellow"), err=True)
    return transcript


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


def _shared(target: Target, tasks: Sequence[IngestTask], ways: Ways) -> Reports:
    """Return what ingests in several processes, or on a cluster."""
    from mem0g.distributed import MemoryOptions, ingest_in_processes, ingest_on_cluster

    options = MemoryOptions(
        store=target.store or None,
        settings=target.settings,
        credentials=target.credentials,
        embedder=target.embedder,
        extractor=ways.extractor,
    )
    scheduler, workers, changes = ways.scheduler, ways.workers, ways.changes
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


def _finish(
    report: Report, extractor: str, as_json: bool, *, finished: bool = True, verbose: bool = False, left: int = 0
) -> None:
    """Print the report, with ``verbose`` every fact that changed, and exit with the code that fits it.

    ``left`` is the number of quarantined windows that were passed over.
    """
    from mem0g.lines import change_lines

    if verbose and not as_json:
        for line in change_lines(report):
            say(line)
    _print_report(report, extractor, as_json)
    if left:
        say(f"still quarantined: {_windows(left)}; {_FOR_QUARANTINED}", err=True)
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
    for name, known in report.known_speakers:
        say(f"{name} is the speaker {known} of messages already known")
    if not (report.messages or report.triples or report.quarantined):
        say(f"nothing new: {report.known} messages known already")
        return
    say(_counts(report) + (f"; {report.known} messages known already" if report.known else ""))
    if extractor == "rules":
        say("extracted by rules, which find less than a language model; searches also find messages", err=True)


def _windows(count: int) -> str:
    return f"{count} window{'s' * (count > 1)}"


def _counts(report: Report) -> str:
    counts = [
        f"{report.messages} messages, {report.facts} facts, {report.confirmed} confirmed, {report.retired} retired"
    ]
    counts += [f"{report.held} retirements held for review"] if report.held else []
    counts += [f"{report.quarantined} windows quarantined"] if report.quarantined else []
    counts += [f"{report.waiting} windows waiting"] if report.waiting else []
    return ", ".join(counts)
