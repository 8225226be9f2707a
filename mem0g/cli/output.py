"""Format the records of a memory for output: JSON values, lines and tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from mem0g.cli.terminal import dim, print_json, say, table
from mem0g.lines import said, sentence_of, times
from mem0g.model import Contradiction, Decision, Fact, Hit, Message
from mem0g.times import last_instant, now


def plain(record: object, at: datetime | None = None) -> dict[str, Any]:
    """Return a dataclass as JSON values; a fact in it has ``current`` and ``past_plan`` besides its fields.

    Plans are past as of ``at``, by default now.
    """
    from mem0g.transfer.jsonl import plain as as_plain

    given = as_plain(record)
    fact = record if isinstance(record, Fact) else getattr(record, "fact", None)
    if isinstance(fact, Fact):
        more = {"current": fact.current, "past_plan": fact.is_past_plan(at or now())}
        (given if fact is record else given["fact"]).update(more)
    return given


def asked_at(as_of: str | None) -> datetime:
    """Return the time that a command's --as-of names, to its end; by default now."""
    return last_instant(as_of) if as_of else now()


def print_hits(hits: Iterable[Hit], messages: Mapping[str, Message], at: datetime) -> None:
    """Print hits as of ``at``, best first; those whose facts have one sentence as one, with the relation of each fact.

    A hit is its text, times and id, why it was found, and the messages it comes from or answers.
    """
    together: dict[Hashable, list[Hit]] = {}
    for hit in hits:
        together.setdefault(sentence_of(hit.fact, at) if hit.fact else hit.key, []).append(hit)
    for place, same in enumerate(together.values(), start=1):
        _print_hit(place, same, messages, at)


def _print_hit(place: int, same: Sequence[Hit], messages: Mapping[str, Message], at: datetime) -> None:
    best, facts = same[0], [hit.fact for hit in same if hit.fact]
    if best.fact:
        ids = ", ".join(f"{each.id} {each.relation}" for each in facts) if len(facts) > 1 else best.fact.id
        say(f"{place:>2}. {best.fact.text}  ", dim(f"[{times(best.fact, at)}{ids}]"))
    elif best.message:
        say(f"{place:>2}. {said(best.message)}  ", dim(f"[{best.message.id}]"))
    if best.answers:
        say(dim(f"    answers {said(best.answers)}"))
    why = "; ".join(f"{reason.channel}: {reason.detail}" for reason in best.reasons)
    say(dim(f"    {best.score:.2f}  {why}"))
    for each in dict.fromkeys(message for fact in facts for message in fact.evidence):
        if each in messages:
            say(dim(f"    said by {said(messages[each])}"))


def print_contradiction(found: Contradiction) -> None:
    """Print both statements, dated, with the ids of their messages or facts."""
    for each, text in ((found.earlier, found.earlier_text), (found.later, found.later_text)):
        line = f"{text}  " if isinstance(each, Fact) else f"{said(replace(each, text=text))}  "
        when = f"{each.said_at:%Y-%m-%d}, " if isinstance(each, Fact) and each.said_at else ""
        say(line, dim(f"[{when}{each.id}]"))
    say("")


def print_facts(facts: Iterable[Fact], at: datetime | None = None) -> None:
    """Print a table of facts as of ``at``, by default now."""
    at = at or now()
    table(
        ("id", "valid", "relation", "text"),
        [(each.id, times(each, at).strip(), each.relation, each.text) for each in facts],
    )


def print_decisions(decisions: Iterable[Decision], as_json: bool) -> None:
    """Print decisions as a table, or as JSON."""
    if as_json:
        print_json([plain(each) for each in decisions])
        return
    rows = [(each.id, f"{each.at:%Y-%m-%d %H:%M}", each.operation, each.decided_by, _about(each)) for each in decisions]
    table(("id", "when (UTC)", "operation", "by", "what and why"), rows)


def print_conversation(messages: Iterable[Message], message_id: str) -> None:
    """Print messages in their order: the one whose id starts so whole, the others on a line each."""
    for each in messages:
        if each.id.startswith(message_id):
            when = f" ({each.time:%Y-%m-%d %H:%M})" if each.time else ""
            session = f", {each.session}" if each.session else ""
            say(f"{each.speaker}{when}  ", dim(f"[{each.id}, {each.source}{session}]"))
            for line in each.text.split("\n"):
                say(f"  {line}")
        else:
            say(dim(f"{said(each)}  [{each.id}]"))


def _about(decision: Decision) -> str:
    text = decision.triple.get("text", "")
    return f"{text} ({decision.reason})" if text else decision.reason
