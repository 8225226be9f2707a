"""Tasks of several users, and what a memory holds of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mem0g.distributed import IngestTask, MemoryOptions
from mem0g.ingest.report import Report
from mem0g.model import Scope
from tests.pipeline.telling import MOVES, likes, talk

USERS = ("ann", "bob", "cy")


def task_of(user: str, count: int = 30) -> IngestTask:
    """Return a task with ``count`` messages of one file, and six of another in which Ann moves.

    The first file is another one for each user: replies to equal requests would be shared.
    """
    first = 1000 * USERS.index(user)
    said = [replace(each, position=each.position - first) for each in likes(count, first=first, source="first.txt")]
    return IngestTask(
        scope=Scope(user),
        utterances=(*said, *talk(*MOVES, source="second.txt")),
        metadata={"of": user},
    )


def held(options: MemoryOptions, tasks: Sequence[IngestTask]) -> dict[str, Any]:
    """Return what the memory holds of each user, but for when it was recorded."""
    with options.open() as memory:
        return {str(each.scope): _of(memory, each.scope) for each in tasks}


def alone(options: MemoryOptions, tasks: Sequence[IngestTask]) -> Report:
    """Ingest the tasks in this process."""
    with options.open() as memory:
        return sum((report for task in tasks for report in task.reports(memory)), start=Report())


def _of(memory: Any, scope: Scope) -> dict[str, Any]:
    messages = {message.id: message for message in memory.messages(**scope.keys, limit=1000)}
    facts = memory.facts(**scope.keys, include_retired=True, limit=1000)
    told = [
        (fact.text, fact.subject, fact.relation, fact.object, str(fact.valid_from), str(fact.valid_to), fact.current)
        for fact in facts
    ]
    costs = [(cost.purpose, cost.calls, cost.prompt_tokens) for cost in memory.costs(**scope.keys)]
    return {
        "messages": [(each.source, each.position, each.text, dict(each.metadata)) for each in messages.values()],
        "facts": sorted(told),
        "evidence": sorted((fact.text, *fact.evidence) for fact in facts),
        "entities": sorted(entity.name for entity, _ in memory.entities(**scope.keys, limit=1000)),
        "waiting": len(memory.pending(**scope.keys)),
        "costs": costs,
    }
