"""Read runs back, and find those that are like a task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Protocol

from mem0g.errors import NotFoundError, QueryError
from mem0g.model import Hit, Message, Scope, content_id
from mem0g.procedural.runs import ARROW, NOTED, SOURCE, Run, Step, with_finding
from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, FactFilter, View
from mem0g.store.records import ConversationSummary


class Search(Protocol):
    """Searches a scope for a text."""

    def __call__(self, query: str, view: View, *, filters: object = None) -> Sequence[Hit]:
        """Return the hits, best first."""
        ...


PAGE = 1000
SEARCHED = 20
"""Hits of a search for each run that is asked for: several hits lead to one run."""

RANK_OFFSET = 60
"""The constant k of reciprocal rank fusion (Cormack et al. 2009)."""

PROGRESS, CONTEXT = "Progress: ", "Context: "
"""How the two lines of a run's summary begin, as a model notes them."""


def read_run(store: Store, scope: Scope) -> Run:
    """Return the run of exactly this scope. Raises NotFoundError when there is none."""
    run = scope.run_id or ""
    messages: list[Message] = []
    while page := store.list_messages(scope, PAGE, len(messages)):
        messages += page
    items = [each for each in messages if each.source == SOURCE and each.session == run and NOTED in each.metadata]
    if not items:
        raise NotFoundError(f"there is no run {run!r}", hint="`mem0g runs` lists those of a scope")
    objective = next((each.text for each in items if each.metadata[NOTED]["kind"] == "user"), "")
    steps: list[Step] = []
    for each in items:
        kind = each.metadata[NOTED]["kind"]
        if kind == "step":
            steps.append(_step(each))
        elif kind == "agent" and steps:
            steps[-1] = with_finding(steps[-1], each.text)
    last = items[-1]
    outcome = last.text if last.metadata[NOTED]["kind"] == "agent" and steps else ""
    if outcome:
        steps[-1] = replace(steps[-1], findings=steps[-1].findings[:-1])
    return _noted(store, Run(id=run, scope=scope, objective=objective, steps=tuple(steps), outcome=outcome))


def _step(message: Message) -> Step:
    noted = message.metadata[NOTED]
    call, result = message.text[: noted["call"]], message.text[noted["call"] + len(ARROW) :]
    tool, _, arguments = call.partition("(")
    return Step(
        number=noted["step"],
        tool=tool,
        arguments=arguments.removesuffix(")"),
        result=result,
        error=noted["error"],
        time=message.time,
        message_id=message.id,
    )


def _noted(store: Store, run: Run) -> Run:
    """Return the run with what a language model noted about it."""
    written = store.records(ConversationSummary, run.scope, [content_id("s", SOURCE, run.id)])
    lines = written[0].text.splitlines() if written else []
    facts = store.list_facts(run.scope, FactFilter(relations=("HAS_FINDING",)), PAGE)
    steps = {each.message_id: each for each in run.steps}
    for fact in facts:
        for message in fact.evidence:
            if message in steps:
                steps[message] = with_finding(steps[message], fact.object)
    return replace(
        run,
        steps=tuple(steps.values()),
        progress=next((line.removeprefix(PROGRESS) for line in lines if line.startswith(PROGRESS)), ""),
        context=next((line.removeprefix(CONTEXT) for line in lines if line.startswith(CONTEXT)), ""),
    )


def found_runs(store: Store, scope: Scope, task: str | None, search: Search, limit: int) -> tuple[Run, ...]:
    """Return the runs most like the task, or without one the first runs. Raises QueryError for a limit under 1."""
    if limit < 1:
        raise QueryError(f"limit is {limit}", hint="ask for at least 1")
    return tuple(list_runs(store, scope, limit) if task is None else similar_runs(store, scope, task, search, limit))


def list_runs(store: Store, scope: Scope, limit: int) -> list[Run]:
    """Return the first runs that the scope covers, by their ids."""
    homes = sorted(store.scopes(scope), key=lambda each: each.run_id or "")
    runs = (each for each in homes if each.run_id and store.recent_messages(each, SOURCE, each.run_id, 1))
    return [read_run(store, each) for each in islice(runs, limit)]


def similar_runs(store: Store, scope: Scope, task: str, search: Search, limit: int) -> list[Run]:
    """Return up to ``limit`` runs that are like the task, best first.

    By reciprocal rank fusion of two searches: for objectives like it, and for anything in a run.
    """
    scores: defaultdict[Scope, float] = defaultdict(float)
    for filters in ({"role": "user"}, None):
        ranked: dict[Scope, None] = {}
        hits = search(task, CURRENT, filters=filters)
        homes = store.homes(scope, list({each for hit in hits for each in hit.evidence}))
        for hit in hits:
            for each in hit.evidence:
                if each in homes and homes[each].run_id:
                    ranked.setdefault(homes[each])
        for place, home in enumerate(ranked, 1):
            scores[home] += 1 / (RANK_OFFSET + place)
    found: list[Run] = []
    for home in sorted(scores, key=lambda each: (-scores[each], str(each))):
        if len(found) < limit and store.recent_messages(home, SOURCE, home.run_id or "", 1):
            found.append(replace(read_run(store, home), score=scores[home]))
    return found
