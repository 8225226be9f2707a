"""Retrieval in Chinese: is the dialogue turn that holds a relation found by subject and relation?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer

from benchmarks.dialogue.ranking import BASELINES, MAX_HITS, bm25, engine, remember
from benchmarks.dialogue.reading import Asked, Dialogue, read_dialogues
from benchmarks.embedders import TimedEmbedder
from benchmarks.memories import memory_in
from benchmarks.options import OutOption, StoreOption
from benchmarks.report import Measurement, Row, commit, note, show, write
from benchmarks.timing import QueryTimes
from mem0g import Memory, Utterance

KS = (1, 3, 5, 10)

AMONG_ITS_OWN, AMONG_ALL = "its dialogue", "all dialogues"
"""The sets of turns searched for each question; the set of all only for questions whose subject has a name."""


def dialogue(
    data: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="Chinese DialogRE file, JSON.")],
    out: OutOption,
    store: StoreOption = "sqlite",
    k: Annotated[
        list[int] | None, typer.Option(min=1, max=MAX_HITS, help="First hits counted. [default: 1 3 5 10]")
    ] = None,
) -> None:
    """Measure recall of turns in Chinese dialogues by subject and relation, messages only, beside plain BM25."""
    code, dialogues = commit(), read_dialogues(data)
    embedder = TimedEmbedder.usual()
    times = QueryTimes(embedder)
    with memory_in(store, embedder, "none") as memory:
        found = measure(memory, dialogues, tuple(k or KS), times)
    write(out, Measurement(benchmark="dialogue", commit=code, rows=found, milliseconds=times.milliseconds, data=[data]))
    for among in dict.fromkeys(row["among"] for row in found):
        show(f"the turn among those of {among}", [row for row in found if row["among"] == among])
    note(f"mem0g: {times}")


def measure(memory: Memory, dialogues: Sequence[Dialogue], ks: Sequence[int], times: QueryTimes) -> list[Row]:
    """Ask every question of mem0g and of the baselines; return a row per method, k and set of turns."""
    remember(memory, dialogues)
    shares: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    for among, alone, turns, questions in _rounds(dialogues):
        rankers = {"mem0g": engine(memory, alone, times)} | {name: bm25(turns, by) for name, by in BASELINES.items()}
        for (name, ranker), question in product(rankers.items(), questions):
            ranked = ranker(question.text)
            for most in ks:
                shares[among, name, most].append(len(question.gold.intersection(ranked[:most])) / len(question.gold))
    return [_row(*place, some) for place, some in shares.items()]


def _rounds(dialogues: Sequence[Dialogue]) -> Iterator[tuple[str, Dialogue | None, list[Utterance], list[Asked]]]:
    """Yield each set of turns: its label, its one dialogue (None for all), the turns, and the questions."""
    for each in dialogues:
        if each.questions:
            yield AMONG_ITS_OWN, each, list(each.turns), list(each.questions)
    named = [question for each in dialogues for question in each.questions if question.named]
    yield AMONG_ALL, None, [turn for each in dialogues for turn in each.turns], named


def _row(among: str, method: str, most: int, shares: Sequence[float]) -> Row:
    """Return a row of percentages.

    ``recall`` is the mean share of a question's turns among the first ``k`` hits, ``hit`` the share of questions with
    any.
    """
    return {
        "method": method,
        "among": among,
        "k": most,
        "recall": round(100 * fmean(shares), 1),
        "hit": round(100 * fmean(share > 0 for share in shares), 1),
        "n": len(shares),
    }
