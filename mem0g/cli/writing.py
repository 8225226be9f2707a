"""Commands that add to a memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.model import given_settings
from mem0g.cli.options import (
    AgentOption,
    EmbedderOption,
    ExtractorOption,
    FormatOption,
    JsonOption,
    RunOption,
    SampleOption,
    ScopeKeys,
    StoreOption,
    TimezoneOption,
    UserOption,
    VerboseOption,
    open_memory,
    scope_keys,
)
from mem0g.cli.reporting import finish, followed
from mem0g.cli.terminal import Styled, say

if TYPE_CHECKING:
    from mem0g.ingest.batch import Report
    from mem0g.memory import Memory
    from mem0g.model import Triple, Utterance


def ingest(
    files: Annotated[list[str], typer.Argument(metavar="FILE|DIR|-", help="Transcripts; - is standard input.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    form: FormatOption = None,
    sample: SampleOption = None,
    timezone: TimezoneOption = "UTC",
    extractor: ExtractorOption = None,
    triples: Annotated[Path | None, typer.Option("--triples", help="Triples made elsewhere (JSON Lines).")] = None,
    embedder: EmbedderOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Remember transcripts: read them, extract facts, resolve, judge, store. Again on the same file changes nothing."""
    from mem0g.times import timezone as zone_of
    from mem0g.transcripts import read_files
    from mem0g.transfer.triples import read_triples

    keys = scope_keys(user, agent, run)
    transcript = read_files(files, format=form, sample=sample, zone=zone_of(timezone))
    for skipped in transcript.skipped:
        say(Styled(f"skipped {skipped.path}: {skipped.reason}", "yellow"), err=True)
    made_elsewhere = read_triples(triples) if triples else []
    chosen = extractor or ("none" if triples else None)
    with open_memory(store, embedder, extractor=chosen, settings=given_settings()) as memory:
        reports = _reports(memory, transcript.utterances, made_elsewhere, keys)
        total = len(transcript.utterances) + len(made_elsewhere)
        report, finished = followed(reports, total, changes=verbose or as_json)
        name = memory.extractor.name
    finish(report, name, as_json, finished=finished, verbose=verbose)


def add(
    text: Annotated[str, typer.Argument(help="What was said.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    extractor: ExtractorOption = None,
    embedder: EmbedderOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Remember one message, said now by the user."""
    keys = scope_keys(user, agent, run)
    with open_memory(store, embedder, extractor=extractor, settings=given_settings()) as memory:
        report = memory.add(text, **keys)
        name = memory.extractor.name
    finish(report, name, as_json, verbose=verbose)


def _reports(
    memory: Memory, utterances: tuple[Utterance, ...], triples: list[Triple], keys: ScopeKeys
) -> Iterator[Report]:
    yield from memory.ingest(utterances, **keys)
    if triples:
        yield from memory.ingest_triples(triples, **keys)
