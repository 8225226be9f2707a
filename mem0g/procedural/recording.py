"""Keep a run: its items as messages, and facts of its steps in the graph. The same run, grown, adds what is new."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from mem0g.conflict.rule_decider import RuleDecider
from mem0g.errors import InputError
from mem0g.ingest.commit_request import CommitRequest
from mem0g.ingest.input_messages import check_lengths
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.ingest.report import Report
from mem0g.model import LITERAL, UNSTORABLE, Message, Scope, Triple, Utterance
from mem0g.procedural.runs import shorter
from mem0g.procedural.traces import Item, Trace

SOURCE = "run"
"""The source of the messages of runs; their session is the run."""

NOTED = "procedural"
"""The key of their metadata."""

ARROW = "\n→ "
"""Stands between a call and its result in the text of a step."""

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
    total = Report(known=len(stored), message_ids=tuple(message.id for message in messages))
    for start in range(0, len(new), BATCH):
        batch = new[start : start + BATCH]
        triples = [triple for message in batch for triple in _triples(trace, message, messages, run)]
        request = CommitRequest(
            scope=scope,
            messages=tuple(batch),
            triples=tuple(triples),
            times={message.id: message.time for message in messages},
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


def _triples(trace: Trace, message: Message, messages: Sequence[Message], run: str) -> list[Triple]:
    """Return the facts that an item states."""
    place, item = message.position, trace.items[message.position]
    name = f"run {run}"

    def triple(subject: str, relation: str, obj: str, text: str, kinds: tuple[str, str]) -> Triple:
        subject_type, object_type = kinds
        return Triple(
            subject=subject,
            relation=relation,
            object=_line(obj),
            text=_line(text),
            subject_type=subject_type,
            object_type=object_type,
            evidence=(message.id,),
        )

    if item.kind != "step":
        if item.kind == "user" and place == next(n for n, each in enumerate(trace.items) if each.kind == "user"):
            return [
                triple(name, "HAS_OBJECTIVE", item.text, f"The {name} has the objective: {item.text}", ("run", LITERAL))
            ]
        return []
    number = message.metadata[NOTED]["step"]
    step, call = f"step {number} of {name}", _line(_call(item))
    before = [each.metadata[NOTED]["step"] for each in messages[:place] if each.metadata[NOTED]["kind"] == "step"]
    found = [
        triple(name, "STEP", step, f"Step {number} of the {name}: {call}", ("run", "step")),
        triple(
            step,
            "USED_TOOL",
            item.tool or "tool",
            f"Step {number} of the {name} used {item.tool}.",
            ("step", "tool"),
        ),
    ]
    if before:
        earlier = f"step {before[-1]} of {name}"
        found.append(triple(earlier, "NEXT", step, f"After {earlier} came step {number}.", ("step", "step")))
    if item.error:
        text = f"Step {number} of the {name}, {call}, failed with {item.error}"
        found.append(triple(step, "FAILED_WITH", item.error, text, ("step", "error")))
    else:
        result = _line(item.text) or "nothing"
        text = f"Step {number} of the {name}, {call}, resulted in: {result}"
        found.append(triple(step, "RESULTED_IN", result, text, ("step", LITERAL)))
    return found


def _line(text: str) -> str:
    return _clean(" ".join(shorter(text, SHOWN * 2).split()))
