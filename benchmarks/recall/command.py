"""Evidence recall and answer words on LOCOMO: do the results cover the turns, and have the words, that answer?"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.embedders import TimedEmbedder
from benchmarks.locomo import Conversation, Question, read_conversations
from benchmarks.memories import memory_in
from benchmarks.options import AuditOption, DataOption, OptionalTriplesOption, OutOption, StoreOption
from benchmarks.recall.methods import Engine, Method, WholeSentences, baselines, full_conversation
from benchmarks.recall.passages import Passage, fact_passage
from benchmarks.recall.scoring import Returned, Score, rows, score
from benchmarks.report import Measurement, Row, commit, note, show, write
from benchmarks.timing import QueryTimes
from mem0g import Memory, Triple
from mem0g.errors import InputError
from mem0g.transfer.triples import read_triples


class Facts(StrEnum):
    """Where facts come from: prepared triples, mem0g's rules, or nowhere."""

    triples = "triples"
    rules = "rules"
    none = "none"


@dataclass(frozen=True, slots=True)
class Task:
    """A conversation with questions, and its prepared triples when facts come from them."""

    conversation: Conversation
    facts: Facts
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the results: token budgets, and numbers of hits."""

    budgets: tuple[int, ...] = (250, 500, 1000, 2000)
    ks: tuple[int, ...] = (10,)


def recall(
    data: DataOption,
    out: OutOption,
    audit: AuditOption = None,
    triples: OptionalTriplesOption = None,
    store: StoreOption = "sqlite",
    budget: Annotated[
        list[int] | None, typer.Option(min=1, help="Context tokens. [default: 250 500 1000 2000]")
    ] = None,
    k: Annotated[list[int] | None, typer.Option(min=1, help="First hits counted. [default: 10]")] = None,
    facts: Annotated[Facts, typer.Option(help="Facts from --triples, by the rules, or none.")] = Facts.triples,
    drop: Annotated[float, typer.Option(min=0, max=1, help="Share of the triples to leave out at random.")] = 0.0,
) -> None:
    """Measure recall of evidence and of the answers' words on LOCOMO, within token budgets and among the first k hits.

    Baselines of the same run: the full conversation; the hits of the same ranking as whole sentences; dense, and dense
    and BM25 fused, over the same facts; BM25 over messages.
    """
    code = commit()
    conversations = read_conversations(data, audit)
    files = _files(triples, conversations) if facts is Facts.triples else {}
    tasks = [Task(each, facts, _kept(files[each.id], drop) if files else ()) for each in conversations]
    limits = Limits(tuple(budget or Limits().budgets), tuple(k or Limits().ks))
    embedder = TimedEmbedder.usual()
    times = QueryTimes(embedder)
    with memory_in(store, embedder, "rules" if facts is Facts.rules else "none") as memory:
        found = measure(memory, tasks, limits, times)
    read = [data, *([audit] if audit else []), *files.values()]
    write(out, Measurement(benchmark="recall", commit=code, rows=found, milliseconds=times.milliseconds, data=read))
    left = f", {drop:.0%} left out" if drop else ""
    for name in dict.fromkeys(row["slice"] for row in found):
        sliced = [{key: row[key] for key in row if key != "slice"} for row in found if row["slice"] == name]
        show(f"facts: {facts}{left}, slice: {name}", sliced)
    note(f"mem0g: {times}")


def measure(memory: Memory, tasks: Iterable[Task], limits: Limits, times: QueryTimes) -> list[Row]:
    """Ask every question of every task of mem0g and of the baselines; return the rows by method, limit and slice."""
    scores: dict[tuple[str, str, int], list[Score]] = defaultdict(list)
    whole: list[Score] = []
    for task in tasks:
        conversation = task.conversation
        engine = Engine.of(memory, conversation.id, conversation.turns, task.triples, times)
        others = baselines(conversation, _facts(task, engine), memory.embedder)
        compared: list[Method] = [engine, WholeSentences(engine), *others]
        filling = replace(engine, fill=True)
        asked = [(method.name, *each) for method in compared for each in _asked(method, limits)]
        asked += [(filling.name, "budget", budget, filling.within) for budget in limits.budgets]
        for name, limit, most, ask in asked:
            scores[name, limit, most] += [score(each, ask(each, most)) for each in conversation.questions]
        whole += [score(each, full_conversation(conversation)) for each in conversation.questions]
        note(f"{conversation.id}: {len(conversation.turns)} turns, {len(conversation.questions)} questions asked")
    found = [row for (name, limit, most), some in scores.items() for row in rows(name, {limit: most}, some)]
    return found + rows("full-conversation", {}, whole)


def _asked(method: Method, limits: Limits) -> list[tuple[str, int, Callable[[Question, int], Returned]]]:
    """Return the limits to apply to a method: each with its name in the rows, its size, and the call."""
    return [
        *(("budget", budget, method.within) for budget in limits.budgets),
        *(("k", k, method.first) for k in limits.ks),
    ]


def _facts(task: Task, engine: Engine) -> list[Passage] | None:
    """Return the facts that baselines rank: given triples, or those that the rules extracted; None without facts."""
    if task.facts is Facts.triples:
        return [fact_passage(triple, triple.evidence) for triple in task.triples]
    return engine.facts() if task.facts is Facts.rules else None


def _kept(file: Path, drop: float) -> tuple[Triple, ...]:
    """Return the triples of ``file`` without a random share of about ``drop``, the same in each run."""
    chance = random.Random(file.name)  # noqa: S311 - not used for secrets
    return tuple(triple for triple in read_triples(file) if chance.random() >= drop)


def _files(folder: Path | None, conversations: Sequence[Conversation]) -> dict[str, Path]:
    """Return the file of triples of each conversation, by its id."""
    if folder is None:
        raise InputError("no --triples given", hint="name the folder that has them, or choose --facts rules or none")
    return {each.id: folder / f"{each.id}.jsonl" for each in conversations}
