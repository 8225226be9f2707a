"""Facts, and what happens to them, as parameters of the Neo4j store's queries, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mem0g.metadata import metadata_of, metadata_text
from mem0g.model import Decision, Fact, Scope, Succession
from mem0g.store.change import Retirement, Support
from mem0g.store.neo4j.fulltext import CURRENT, tokens_of
from mem0g.store.neo4j.rows import EARLY, FAR, Row, edge_type, known_time, scope_of, scope_row, time_of
from mem0g.text.stemming import tokens
from mem0g.times import Moment, utc

_as_json = json.JSONEncoder(ensure_ascii=False).encode


def fact_row(fact: Fact, n: int, embedding: Any) -> Row:
    """Return the row of a fact, with its edge."""
    keys = tokens_of(fact.scope)
    return {
        "labels": [] if fact.current else ["Retired"],
        "type": edge_type(fact.relation),
        "embedding": embedding,
        "edge": {
            "fact_id": fact.id,
            "current": fact.current,
            "caption": fact.relation + ("" if fact.current else until(fact.valid_to)),
        },
        "properties": {
            "id": fact.id,
            "n": n,
            **scope_row(fact.scope),
            "subject_id": fact.subject_id,
            "relation": fact.relation,
            "relation_given": fact.relation_given,
            "object_id": fact.object_id,
            "text": fact.text,
            "current": fact.current,
            **_interval(fact),
            "said_at": utc(fact.said_at) if fact.said_at else None,
            "recorded_at": utc(fact.recorded_at),
            "retired_at": utc(fact.retired_at or FAR),
            "confidence": float(fact.confidence),
            "evidence": list(dict.fromkeys(fact.evidence)),
            "brief": fact.brief,
            "observed": _text(fact.observed),
            "planned_for": _text(fact.planned_for),
            "metadata": metadata_text(fact.metadata),
            "keys": f"{keys} {CURRENT}" if fact.current else keys,
            "terms": " ".join(tokens(fact.text)),
        },
    }


def _interval(fact: Fact) -> Row:
    """Return when the fact is true, as instants to compare with and as it was given."""
    begins = fact.valid_from.start if fact.valid_from else utc(fact.said_at or EARLY)
    # When a retired fact without a known end held is unknown: its interval is empty.
    ends = fact.valid_to.start if fact.valid_to else FAR if fact.current else begins
    return {
        "valid_from": begins,
        "valid_to": ends,
        "valid_from_given": _text(fact.valid_from),
        "valid_to_given": _text(fact.valid_to),
    }


def fact_of(row: Mapping[str, Any]) -> Fact:
    """Return the fact of a node, with the names and types of its subject and object."""
    return Fact(
        id=row["id"],
        scope=scope_of(row),
        subject_id=row["subject_id"],
        subject=row["subject"],
        subject_type=row["subject_type"],
        relation=row["relation"],
        relation_given=row["relation_given"],
        object_id=row["object_id"],
        object=row["object"],
        object_type=row["object_type"],
        text=row["text"],
        valid_from=_moment(row.get("valid_from_given")),
        valid_to=_moment(row.get("valid_to_given")),
        said_at=time_of(row.get("said_at")),
        recorded_at=known_time(row["recorded_at"]),
        retired_at=None if row["current"] else time_of(row["retired_at"]),
        confidence=row["confidence"],
        evidence=tuple(row["evidence"]),
        brief=row.get("brief"),
        observed=_moment(row.get("observed")),
        planned_for=_moment(row.get("planned_for")),
        metadata=metadata_of(row.get("metadata")),
    )


def until(ended: Moment | None) -> str:
    """Return the end of the caption of a retired fact's edge, with the date but not the time."""
    if ended is None:
        return " no longer"
    return f" until {ended.start.date() if ended.precision == 'second' else ended}"


def support_row(support: Support) -> Row:
    """Return the row of more evidence."""
    dated, ended = support.valid_from, support.valid_to
    return {
        "fact_id": support.fact_id,
        "evidence": list(dict.fromkeys(support.evidence)),
        "valid_from": dated.start if dated else None,
        "valid_from_given": _text(dated),
        "valid_to": ended.start if ended else None,
        "valid_to_given": _text(ended),
        "observed": _text(support.observed),
        "planned_for": _text(support.planned_for),
        "metadata": metadata_text(support.metadata),
    }


def retirement_row(scope: Scope, retirement: Retirement) -> Row:
    """Return the row of a retirement."""
    ended = retirement.valid_to
    return {
        "fact_id": retirement.succession.fact_id,
        "retired_at": retirement.succession.at,
        "valid_to": ended.start if ended else None,
        "valid_to_given": _text(ended),
        "until": until(ended),
        "keys": tokens_of(scope),
    }


def succession_row(succession: Succession, n: int) -> Row:
    """Return the row of a succession, for the link to the successor."""
    properties = {"reason": succession.reason, "decided_by": succession.decided_by, "at": succession.at, "n": n}
    return {"fact_id": succession.fact_id, "successor_id": succession.successor_id, "properties": properties}


def ending_row(succession: Succession, n: int) -> Row:
    """Return the row of a succession without a successor, for the fact itself."""
    properties = {"ended_reason": succession.reason, "ended_by": succession.decided_by, "ended_at": succession.at}
    return {"fact_id": succession.fact_id, "properties": {**properties, "ended_n": n}}


def succession_of(row: Mapping[str, Any]) -> Succession:
    """Return the succession of a row."""
    return Succession(
        fact_id=row["fact_id"],
        successor_id=row["successor_id"],
        reason=row["reason"],
        decided_by=row["decided_by"],
        at=known_time(row["at"]),
    )


def decision_row(scope: Scope, decision: Decision, n: int) -> Row:
    """Return the row of a decision, with the ids it is about."""
    return {
        "about": list(decision.about),
        "properties": {
            "id": decision.id,
            "n": n,
            **scope_row(scope),
            "operation": decision.operation,
            "rule": decision.rule,
            "reason": decision.reason,
            "at": decision.at,
            "decided_by": decision.decided_by,
            "fact_id": decision.fact_id,
            "targets": list(decision.targets),
            "score": None if decision.score is None else float(decision.score),
            "evidence": list(decision.evidence),
            "triple": _as_json(dict(decision.triple)),
            "before": _as_json(dict(decision.before)),
        },
    }


def decision_of(row: Mapping[str, Any]) -> Decision:
    """Return the decision of a node."""
    return Decision(
        id=row["id"],
        operation=row["operation"],
        rule=row["rule"],
        reason=row["reason"],
        at=known_time(row["at"]),
        decided_by=row["decided_by"],
        fact_id=row.get("fact_id"),
        targets=tuple(row["targets"]),
        score=row.get("score"),
        evidence=tuple(row["evidence"]),
        triple=json.loads(row["triple"]),
        before=json.loads(row.get("before", "{}")),
    )


def _text(moment: Moment | None) -> str | None:
    return None if moment is None else str(moment)


@lru_cache(maxsize=4096)
def _moment(text: str | None) -> Moment | None:
    return None if text is None else Moment.parse(text)
