"""Figures of ingesting a conversation: one row per configuration."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.pipeline.running import Run
from benchmarks.report import Row

HELD_BACK_BY = ("extract", "decide")
"""Purposes of the calls that a window waits for; summaries are made in the background."""

_PLACE = ("method", "data", "seconds_a_reply", "concurrency")


def median_run(runs: Sequence[Run]) -> Run:
    """Return the run of median wall time; of an even number, the faster of the two in the middle."""
    return sorted(runs, key=lambda run: run.seconds)[(len(runs) - 1) // 2]


def rows(runs: Sequence[Run]) -> list[Row]:
    """Return a row per run.

    ``calls_per_message`` and tokens are the ledger's, of all calls; ``extract_calls_per_message`` and so on are those
    of one purpose. The server reports no usage, so tokens are words × 1.3 of the request's JSON, including the schema,
    and of the reply. ``wall_seconds`` last from the first message to the last commit, ``closing_seconds`` from there
    until the last summary is made.

    ``engine_ms_per_window`` is the wall time of a window when replies take 0 s, one at a time. It includes the client,
    HTTP and the server's parsing of the prompt, and summaries compete with it in the background. Two parts of it:
    ``calls_ms_per_window``, from requests to replies according to the ledger, and ``embedder_ms_per_window``. With
    slower replies, or several at a time, the three are None. ``speedup`` is the wall time of the same run with
    concurrency 1, divided by this one's; None if that was not measured.
    """
    alone = {_same(run): run.seconds for run in runs if run.way.concurrency == 1}
    return [_row(run) | {"speedup": _ratio(alone.get(_same(run)), run.seconds)} for run in runs]


def tables(found: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows as printed, by sample.

    A line per figure, a column per configuration (seconds a reply × concurrency).
    """
    samples = dict.fromkeys(row["data"] for row in found)
    return {sample: _table([row for row in found if row["data"] == sample]) for sample in samples}


def _same(run: Run) -> tuple[str, int, float]:
    return run.sample, run.way.size, run.way.seconds


def _row(run: Run) -> Row:
    return {
        "method": run.way.method,
        "data": run.sample,
        "seconds_a_reply": run.way.seconds,
        "concurrency": run.way.concurrency,
        "messages": run.messages,
        "windows": run.windows,
        "facts": run.facts,
        **_calls(run),
        "wall_seconds": round(run.seconds, 2),
        "closing_seconds": round(run.closing, 2),
        **_engine(run),
    }


def _calls(run: Run) -> Row:
    purposes = (*HELD_BACK_BY, "summary")
    made = {purpose: sum(cost.calls for cost in run.costs if cost.purpose == purpose) for purpose in purposes}
    return {
        **{f"{purpose}_calls_per_message": _ratio(calls, run.messages) for purpose, calls in made.items()},
        "calls_per_message": _ratio(sum(cost.calls for cost in run.costs), run.messages),
        "prompt_tokens_per_message": _ratio(sum(cost.prompt_tokens for cost in run.costs), run.messages),
        "completion_tokens_per_message": _ratio(sum(cost.completion_tokens for cost in run.costs), run.messages),
    }


def _engine(run: Run) -> Row:
    parts = {
        "engine": sum(run.milliseconds),
        "calls": sum(1000 * cost.seconds for cost in run.costs if cost.purpose in HELD_BACK_BY),
        "embedder": run.embedding,
    }
    alone = run.way.seconds == 0 and run.way.concurrency == 1
    return {f"{name}_ms_per_window": round(part / run.windows, 1) if alone else None for name, part in parts.items()}


def _table(found: Sequence[Row]) -> list[Row]:
    names = [name for name in found[0] if name not in _PLACE]
    return [{"figure": name.replace("_", " ")} | {_way(row): _shown(row[name]) for row in found} for name in names]


def _way(row: Row) -> str:
    kind, _, size = row["method"].partition(" ")
    return f"{kind}\n{size}\n{row['seconds_a_reply']:g} s × {row['concurrency']}"  # narrow, as there are many columns


def _shown(value: object) -> str:
    return "" if value is None else str(value)


def _ratio(part: float | None, whole: float) -> float | None:
    return None if part is None else round(part / whole, 3)
