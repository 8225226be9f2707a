"""The parameters of the queries that write a change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Protocol, TypeVar

from mem0g.model import Decision, Fact, Message, Scope, Succession
from mem0g.store.change import Change
from mem0g.store.neo4j.fact_rows import (
    decision_row,
    ending_row,
    fact_row,
    retirement_row,
    succession_row,
    support_row,
)
from mem0g.store.neo4j.records import record_rows
from mem0g.store.neo4j.rows import (
    Row,
    entity_row,
    literal_row,
    message_row,
    new_version,
    passage_row,
    relation_rows,
    scope_row,
    session_row,
    spelled,
)
from mem0g.store.neo4j.server.queries import AsParameter
from mem0g.store.queries import scope_text


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Identified)


def change_rows(change: Change, n: int, *, loaded: bool, as_parameter: AsParameter) -> dict[str, Any]:
    """Return the parameters of ``commit`` and, under their names, those of the queries for what few changes have.

    ``n`` is the last number assigned in the scope; the returned ``n`` is the last one assigned here.
    """
    numbers, scope = count(n + 1), change.scope
    vectors = {known: as_parameter(vector) for known, vector in change.vectors.items()}
    messages, nodes = once(change.messages), once(change.entities)
    entities = [each for each in nodes if not each.is_literal]
    literals = [each for each in nodes if each.is_literal]
    sessions = {(message.source, message.session): message for message in messages}
    successions = (*change.successions, *(each.succession for each in change.retirements))
    restated = {fact.id for fact in change.rewritten}
    added = [each for each in successions if each.fact_id not in restated]
    rewritten = _rewrite_rows(change, [each for each in successions if each.fact_id in restated], numbers, vectors)
    rows: dict[str, Any] = {
        "sessions": [session_row(scope, message, next(numbers)) for message in sessions.values()],
        "messages": [_message_row(change, each, numbers, vectors) for each in messages],
        "entities": [spelled(entity_row(each, next(numbers), vectors.get(each.id))) for each in entities],
        "literals": [spelled(literal_row(each, next(numbers))) for each in literals],
        "facts": [spelled(fact_row(each, next(numbers), vectors.get(each.id))) for each in once(change.facts)],
        "support": [support_row(each) for each in change.support],
        "retirements": [retirement_row(scope, each) for each in change.retirements],
        "successions": [succession_row(each, next(numbers)) for each in added if each.successor_id],
        "endings": [ending_row(each, next(numbers)) for each in added if not each.successor_id],
        "decisions": [spelled(decision_row(scope, each, next(numbers))) for each in once(change.decisions)],
        "tenant": scope_text(scope.tenant),
        "relations": relation_rows(change.relations),
        "vocabulary": change.vocabulary or new_version(),
        "loaded": loaded,
        **record_rows(change, numbers, loaded=loaded),
    }
    return {
        "scope": scope_row(scope)["scope"],
        "n": next(numbers) - 1,
        "rows": rows,
        "merges": [{"loser": loser, "winner": winner} for loser, winner in change.merges],
        "known_vectors": known_vectors_of(messages, vectors),
        "rewritten": rewritten,
    }


def known_vectors_of(messages: Sequence[Message], vectors: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Return the vectors of messages and passages that are stored already, as they are not among ``messages``."""
    new = {message.id for message in messages} | {each.id for message in messages for each in message.passages()}
    return {
        name: [
            {"id": each, "embedding": vector} for each, vector in vectors.items() if each[0] == kind and each not in new
        ]
        for name, kind in (("messages", "m"), ("passages", "p"))
    }


def _message_row(change: Change, message: Message, numbers: Iterator[int], vectors: Mapping[str, Any]) -> Row:
    """Return the row of a message with its passages, which are numbered after it."""
    scope, n = change.scope, next(numbers)
    passages = change.passages_of(message)
    rows = [spelled(passage_row(scope, message, each, next(numbers), vectors.get(each.id))) for each in passages]
    return spelled(message_row(scope, message, n, vectors.get(message.id), rows))


def _rewrite_rows(
    change: Change, successions: Sequence[Succession], numbers: Iterator[int], vectors: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the parameters of ``rewrite``; ``successions`` are those of the rewritten facts."""
    return {
        "facts": [_rewritten_row(each, vectors.get(each.id)) for each in once(change.rewritten)],
        "successions": [succession_row(each, next(numbers)) for each in successions if each.successor_id],
        "endings": [ending_row(each, next(numbers)) for each in successions if not each.successor_id],
        "decisions": [_reworded_row(change.scope, each) for each in change.reworded],
    }


def erased_rows(ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the parameters of ``erase``: the ids by type."""
    kinds = {"f_": "facts", "e_": "entities", "m_": "messages", "d_": "decisions"}
    rows: dict[str, list[str]] = {kind: [] for kind in (*kinds.values(), "records")}
    for each in dict.fromkeys(ids):
        rows[kinds.get(each[:2], "records")].append(each)
    return rows


def _rewritten_row(fact: Fact, embedding: Any) -> Row:
    row = fact_row(fact, 0, embedding)
    del row["properties"]["n"]  # it keeps its number, and so its place in the order of recording
    return row


def _reworded_row(scope: Scope, decision: Decision) -> Row:
    row = decision_row(scope, decision, 0)
    del row["properties"]["n"]
    return row


def once(given: Sequence[T]) -> list[T]:
    """Return the items without repeated ids; the first of each is kept, just as stored rows are not replaced."""
    found: dict[str, T] = {}
    for each in given:
        found.setdefault(each.id, each)
    return list(found.values())
