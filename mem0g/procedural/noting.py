"""What a language model notes about a run: its progress, its context, and the findings of its steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from mem0g.answer.answering import ask_once
from mem0g.conflict.rule_decider import RuleDecider
from mem0g.errors import UnusableReplyError
from mem0g.ingest.commit_request import CommitRequest
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.llm.prompts import Prompts, quoted
from mem0g.llm.protocol import Request
from mem0g.model import LITERAL, Triple, content_id
from mem0g.procedural.recalling import CONTEXT, PROGRESS, read_run
from mem0g.procedural.runs import SOURCE, Run, Step, shorter
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.records import ConversationSummary

if TYPE_CHECKING:
    from mem0g.llm.exchange import Exchange

AT_ONCE = 20
"""Steps that a model is shown in one call."""

SHOWN = 1500
"""Characters of a result that it is shown."""

NOTED = "Noted: "
"""How the line of a run's summary begins that says up to which step it is noted."""


class Finding(BaseModel):
    """What a step found out."""

    model_config = ConfigDict(strict=True, extra="forbid")

    step: int
    text: str = Field(min_length=1, max_length=800)


class Notes(BaseModel):
    """What a model notes."""

    model_config = ConfigDict(strict=True, extra="forbid")

    progress: str = Field(min_length=1, max_length=800)
    context: str = Field(min_length=1, max_length=1500)
    findings: list[Finding]


def note(ingest: IngestPipeline, run: Run, exchange: Exchange, prompts: Prompts, at: datetime) -> Run:
    """Return the run with notes about the steps that have none yet; they are stored.

    Raises a ModelError when the model cannot be used; what it has noted until then stays, and another call continues.
    """
    store = ingest.store
    while steps := run.steps[_noted(store, run) :][:AT_ONCE]:
        last = steps[-1].number == len(run.steps)
        notes = ask_once(exchange, _request(run, steps, prompts, last=last), store, run.scope)
        _keep(ingest, run, steps, notes, at)
        run = read_run(store, run.scope)
    return run


def _noted(store: Store, run: Run) -> int:
    """Return the number of the last step that is noted; 0 for none."""
    written = store.records(ConversationSummary, run.scope, [_id(run)])
    lines = written[0].text.splitlines() if written else []
    return next((int(line.removeprefix(NOTED)) for line in lines if line.startswith(NOTED)), 0)


def _id(run: Run) -> str:
    return content_id("s", SOURCE, run.id)


def _request(run: Run, steps: Sequence[Step], prompts: Prompts, *, last: bool) -> Request[Notes]:
    lines = [
        f"{step.number}. {quoted(shorter(step.action, SHOWN))} → {quoted(shorter(step.result, SHOWN))}"
        for step in steps
    ]
    words = {
        "objective": quoted(run.objective),
        "before": f"{run.progress} {run.context}".strip(),
        "steps": "\n".join(lines),
        "outcome": quoted(run.outcome) if last and run.outcome else "",
    }
    rendered = prompts.render(__package__, "procedural", words)
    numbers = {step.number for step in steps}

    def check(notes: Notes) -> None:
        unknown = [each.step for each in notes.findings if each.step not in numbers]
        if unknown:
            raise UnusableReplyError(f"there is no step {unknown[0]} among those shown")

    return rendered.request(
        purpose="procedural",
        function="note",
        description="Note what happened in these steps.",
        reply=Notes,
        check=check,
        window=f"procedural {steps[-1].message_id}",
        scope=run.scope,
    )


def _keep(ingest: IngestPipeline, run: Run, steps: Sequence[Step], notes: Notes, at: datetime) -> None:
    """Store findings as facts that cite their steps, and the rest as the summary of the run."""
    by_number = {step.number: step for step in steps}
    triples = tuple(
        Triple(
            subject=f"step {each.step} of run {run.id}",
            relation="HAS_FINDING",
            object=" ".join(each.text.split()),
            text=f"Step {each.step} of the run {run.id} found: {' '.join(each.text.split())}",
            subject_type="step",
            object_type=LITERAL,
            evidence=(by_number[each.step].message_id,),
        )
        for each in notes.findings
        if each.text.strip()
    )
    times = {step.message_id: step.time for step in steps}
    committer = dataclasses.replace(ingest.committer, policy=RuleDecider())
    committer.commit(CommitRequest(scope=run.scope, triples=triples, times=times, at=at))
    lines = (f"{PROGRESS}{' '.join(notes.progress.split())}", f"{CONTEXT}{' '.join(notes.context.split())}")
    text = "\n".join((*lines, f"{NOTED}{steps[-1].number}"))
    summary = ConversationSummary(id=_id(run), scope=run.scope, source=SOURCE, text=text)

    def work(transaction: Transaction) -> None:
        transaction.begin()
        transaction.commit(Change(scope=run.scope, summaries=(summary,)))

    ingest.store.write(run.scope, work)
