"""Chats as people write them: is the first hit the answer, the current one, and no question?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.chats.asking import Cosine, Engine, dates_of
from benchmarks.chats.figures import Answered, answered, means, rows
from benchmarks.chats.reading import Chat, DatedSentence, read_chats, read_dates
from benchmarks.embedders import CachedEmbedder, TimedEmbedder
from benchmarks.memories import memory_in
from benchmarks.options import StoreOption
from benchmarks.report import Measurement, Row, commit, note, show, write
from benchmarks.timing import QueryTimes
from mem0g.errors import InputError


class Extractor(StrEnum):
    """What finds the facts."""

    rules = "rules"
    none = "none"


def chats(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="Folder of chats and their questions.")],
    out: Annotated[Path | None, typer.Option(dir_okay=False, help="Write the figures to this JSON file.")] = None,
    extractor: Annotated[Extractor, typer.Option(help="Facts by the rules, or none.")] = Extractor.rules,
    store: StoreOption = "sqlite",
    verbose: Annotated[bool, typer.Option("--verbose", help="List the questions that the first hit fails.")] = False,
) -> None:
    """Measure answers to questions about chats, before and after these are stored as turns, and the dates of facts."""
    code = commit()
    read, files = read_chats(data)
    sentences, dates = read_dates(data)
    if not (read or sentences):
        raise InputError(f"{data} has no chats", hint="a chat NAME.jsonl has its questions in NAME.questions.jsonl")
    embedder = TimedEmbedder(CachedEmbedder(TimedEmbedder.usual()))
    times = QueryTimes(embedder)
    given, found_dates = measure(read, sentences, store, embedder, times, extractor)
    found = rows(given)
    show("chats: questions answered", found)
    if found_dates:
        show("dates of facts", found_dates)
    if verbose:
        _list(given)
    if out:
        measured = [*found, *found_dates]
        done = times.milliseconds or [0.0]
        write(out, Measurement(benchmark="chats", commit=code, rows=measured, milliseconds=done, data=[*files, *dates]))
    if times.milliseconds:
        note(f"mem0g: {times}")


def measure(
    read: Sequence[Chat],
    sentences: Sequence[DatedSentence],
    store: str,
    embedder: TimedEmbedder,
    times: QueryTimes,
    extractor: Extractor = Extractor.rules,
) -> tuple[list[Answered], list[Row]]:
    """Ask mem0g with the extractor and without facts, and plain cosine; return the answers, and a row on dates."""
    given: list[Answered] = []
    found_dates: list[Row] = []
    for kind in dict.fromkeys((extractor, Extractor.none)):
        with memory_in(store, embedder, kind) as memory:
            for chat in read:
                given += answered(Engine.of(f"mem0g, {kind}", memory, chat, times), chat)
            if sentences and kind is not Extractor.none:
                right = sum(means(each, dates_of(memory, each)) for each in sentences)
                found_dates.append({"method": f"mem0g, {kind}", "n": len(sentences), "right": right})
    for chat in read:
        given += answered(Cosine(chat.messages, embedder), chat)
    return given, found_dates


def _list(given: Iterable[Answered]) -> None:
    for each in given:
        if not each.top1 and each.method.startswith("mem0g"):
            note(f"{each.chat}, {each.method}, {each.asked}: {each.question}  →  {each.first}")
