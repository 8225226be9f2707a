"""Keep a run: its items as messages, and facts of its steps in the graph. The same run, grown, adds what is new."""

from __future__ import annotations

import dataclasses
import hashlib
from datetime import datetime
from typing import Any

from mem0g.conflict.rule_decider import RuleDecider
from mem0g.errors import InputError
from mem0g.ingest.commit_request import CommitRequest
from mem0g.ingest.input_messages import check_lengths
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.ingest.report import Report
from mem0g.model import LITERAL, UNSTORABLE, Message, Scope, Triple, Utterance
from mem0g.procedural.runs import ARROW, NOTED, SOURCE, shorter
from mem0g.procedural.traces import Item, Trace

BATCH = 20
"""Items that are committed together."""

SHOWN = 200
"""Characters of a call or a result in the sentence of a fact."""


def run_id_of(trace: Trace) -> str:
    """Return the id that a trace gives, else one of its beginning: the same when the trace has grown."""
    if trace.id:
        return trace.id
    beginning = [f"{item.kind}\x1f{item.tool}\x1f{item.arguments}\x1f{item.text}" for item in trace.items[:2]]
    return f"run-{hashlib.sha256(chr(30).join(beginning).encode()).hexdigest()[:12]}"


def record(ingest: IngestPipeline, scope: Scope, trace: Trace, at: datetime) -> Report:
    """Store the items that are new, and their facts.

    Raises InputError for a run that is stored with other items: that is another run.
    """
    run = scope.run_id or ""
    messages = _messages(trace, scope, at)
    check_lengths(messages, ingest.settings.longest_message)
    stored = {each.id: each for each in ingest.store.messages(scope, [message.id for message in messages])}
    for message in messages:
        known = stored.get(message.id)
        if known and known.text != message.text:
            problem = f"item {message.position + 1} of the run {run!r} is stored with another text"
            raise InputError(problem, hint="a run that took another way is another run: give it another run_id")
    new = [message for message in messages if message.id not in stored]  # facts are committed with their messages
    committer = dataclasses.replace(ingest.committer, policy=RuleDecider())  # facts of steps never retire each other
    times = {message.id: message.time for message in messages}
    total = Report(known=len(stored), message_ids=tuple(message.id for message in messages))
    for start in range(0, len(new), BATCH):
        batch = new[start : start + BATCH]
        triples = [triple for message in batch for triple in _triples(trace, message, run)]
        request = CommitRequest(
            scope=scope,
            messages=tuple(batch),
            triples=tuple(triples),
            times=times,
            at=at,
        )
        total += committer.commit(request)
    return total


def _messages(trace: Trace, scope: Scope, at: datetime) -> list[Message]:
    made, number = [], 0
    for place, item in enumerate(trace.items):
        noted: dict[str, Any] = {"kind": item.kind}
        if item.kind == "step":
            number += 1
            noted |= {"step": number, "tool": item.tool[:SHOWN], "call": len(_call(item)), "error": item.error}
        said = Utterance(
            source=SOURCE,
            session=scope.run_id or "",
            position=place,
            speaker=item.tool[:SHOWN] or "tool" if item.kind == "step" else "",
            role={"user": "user", "agent": "assistant"}.get(item.kind, "tool"),  # type: ignore[arg-type]
            text=_clean(f"{_call(item)}{ARROW}{item.text}" if item.kind == "step" else item.text),
            time=item.time or at,
            metadata={NOTED: noted},
        )
        made.append(Message.of(said, scope, key=f"item:{place}"))
    return made


def _call(item: Item) -> str:
    return _clean(f"{item.tool}({item.arguments})")


def _clean(text: str) -> str:
    """Return the text with a replacement for characters that no store keeps: tools print anything."""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _triples(trace: Trace, message: Message, run: str) -> list[Triple]:
    """Return the facts that an item states: the objective is the first thing that the user said."""
    item, name = trace.items[message.position], f"run {run}"
    if item.kind == "step":
        return _of_step(item, message, name)
    asked = next((place for place, each in enumerate(trace.items) if each.kind == "user"), None)
    if message.position != asked:
        return []
    sentence = f"The {name} has the objective: {item.text}"
    return [_triple(message, (name, "run"), "HAS_TASK", (item.text, LITERAL), sentence)]


def _of_step(item: Item, message: Message, name: str) -> list[Triple]:
    number = message.metadata[NOTED]["step"]
    step, call = (f"step {number} of {name}", "step"), _line(_call(item))
    told = f"Step {number} of the {name}"
    found = [
        _triple(message, (name, "run"), "STEP", step, f"{told}: {call}"),
        _triple(message, step, "USED_TOOL", (item.tool or "tool", "tool"), f"{told} used {item.tool or 'a tool'}."),
    ]
    if number > 1:
        earlier = f"step {number - 1} of {name}"
        found.append(_triple(message, (earlier, "step"), "NEXT", step, f"After {earlier} came step {number}."))
    if item.error:
        failed = f"{told}, {call}, failed with {item.error}"
        return [*found, _triple(message, step, "FAILED_WITH", (item.error, "error"), failed)]
    result = _line(item.text) or "nothing"
    return [*found, _triple(message, step, "RESULTED_IN", (result, LITERAL), f"{told}, {call}, resulted in: {result}")]


def _triple(message: Message, subject: tuple[str, str], relation: str, obj: tuple[str, str], text: str) -> Triple:
    """Return a triple between two ends, each a name and a type, that the message states."""
    return Triple(
        subject=subject[0],
        relation=relation,
        object=_line(obj[0]),
        text=_line(text),
        subject_type=subject[1],
        object_type=obj[1],
        evidence=(message.id,),
    )


def _line(text: str) -> str:
    return _clean(" ".join(shorter(text, SHOWN * 2).split()))
