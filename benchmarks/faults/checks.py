"""Consistency checks of a store, read directly, past the code that wrote it."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.faults.places import EMBEDDERS, Place, closing_store
from mem0g.errors import StoreError
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.store.address import complete_credentials
from mem0g.store.neo4j.server.address import Address, read_address
from mem0g.store.protocol import Store
from mem0g.store.queries import StoreInfo
from mem0g.store.records import ModelCall, ModelReply, PendingWindow

if TYPE_CHECKING:
    import neo4j

    from mem0g.model import Vector

UNFINISHED = "not finished"
"""Part of the embedder's name while a server is being reindexed; vectors are not checked then."""

ROUNDED = 3e-4
"""How far a component may differ: a file holds unit vectors to twelve bits a component."""

_ROWS = {
    "a message without full text": "SELECT id FROM message WHERE n NOT IN (SELECT n FROM message_stems)",
    "a fact without full text": "SELECT id FROM fact WHERE n NOT IN (SELECT n FROM fact_stems)",
    "full text of no message": "SELECT n FROM message_stems WHERE n NOT IN (SELECT n FROM message)",
    "full text of no fact": "SELECT n FROM fact_stems WHERE n NOT IN (SELECT n FROM fact)",
    "a vector of no message": "SELECT n FROM message_vector WHERE n NOT IN (SELECT n FROM message)",
    "a vector of no entity": "SELECT n FROM entity_vector WHERE n NOT IN (SELECT n FROM entity)",
    "a vector of no fact": "SELECT n FROM fact_vector WHERE n NOT IN (SELECT n FROM fact)",
    "evidence of no fact": "SELECT fact FROM evidence WHERE fact NOT IN (SELECT n FROM fact)",
    "an entity without a name to find it by": (
        "SELECT id FROM entity WHERE merged_into IS NULL AND n NOT IN (SELECT entity FROM entity_name)"
    ),
}
"""Inconsistencies of a file, each with the query that finds them."""

_NODES = {
    "a fact with other than one subject, object and edge": """
      MATCH (f:Fact) WHERE f.n IS NOT NULL AND (
        COUNT { (f)-[:SUBJECT]->(:Entity) } <> 1 OR COUNT { (f)-[:OBJECT]->(:Entity) } <> 1
        OR COUNT { MATCH (:Entity {id: f.subject_id, scope: f.scope})-[edge {fact_id: f.id}]->
          (:Entity {id: f.object_id, scope: f.scope}) } <> 1)
      RETURN f.id AS id""",
    "a fact without links to its evidence": """
      MATCH (f:Fact) WHERE f.n IS NOT NULL AND COUNT { (f)-[:EVIDENCE]->(:Message) } <> size(f.evidence)
      RETURN f.id AS id""",
    "an edge that is current while its fact is not": """
      MATCH (a:Entity)-[edge]->(:Entity) WHERE edge.fact_id IS NOT NULL
      MATCH (f:Fact {id: edge.fact_id, scope: a.scope}) WHERE f.current <> edge.current
      RETURN f.id AS id""",
    "a message of no session": """
      MATCH (m:Message) WHERE m.n IS NOT NULL AND COUNT { (m)-[:IN]->(:Session) } <> 1
      RETURN m.id AS id""",
}
"""Inconsistencies of a server, each with the query that finds them."""

_RUNNING = """
  SHOW TRANSACTIONS YIELD currentQuery WHERE NOT currentQuery CONTAINS 'SHOW TRANSACTIONS'
  RETURN count(*) AS others"""
"""Counts all other transactions; one that is committing has no current query, so it is empty here."""

KINDS = ("messages", "entities", "facts", "successions", "decisions", "windows", "calls", "replies")
"""The fields of a change that are checked."""


@dataclass(slots=True)
class ScopeContents:
    """The contents of one scope."""

    messages: list[Message] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    successions: list[Succession] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    windows: list[PendingWindow] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    replies: list[ModelReply] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)


def scope_contents(store: Store, scope: Scope | None = None) -> dict[Scope, ScopeContents]:
    """Return the contents of the scopes covered, or of all scopes."""
    found: defaultdict[Scope, ScopeContents] = defaultdict(ScopeContents)
    with store.snapshot(scope) as snapshot:
        for change in snapshot.changes:
            mine = found[change.scope]
            for kind in KINDS:
                getattr(mine, kind).extend(getattr(change, kind))
            mine.vectors |= change.vectors
    return found


def problems(place: Place, *, linked: bool = True, indexed: bool = True) -> set[str]:
    """Return a description of each inconsistency of a store; empty for a sound one.

    ``linked``: check that every retired fact has a reason, which an unfinished copy lacks. ``indexed``: also check
    indexes and vectors, which the store keeps beside the records.
    """
    if not place.file:
        _wait_until_idle(place)
    with closing_store(place) as store:
        info, stats, scopes = store.info(), store.stats(), scope_contents(store)
    found = {problem for scope, mine in scopes.items() for problem in _problems(scope, mine, info, linked=linked)}
    counted = (len(each.messages) for each in scopes.values()), (len(each.facts) for each in scopes.values())
    for kind, said, given in zip(("messages", "facts"), (stats.messages, stats.facts), map(sum, counted), strict=True):
        if said != given:
            found.add(f"the store counts {said} {kind} and gives {given}")
    if indexed:
        found |= set(_of_file(place.file) if place.file else _of_server(place))
    return found


def _wait_until_idle(place: Place, seconds: float = 60) -> None:
    """Wait until the server runs no transaction of another client.

    A server completes the commit of a client that was killed after sending it; reads in the meantime may differ from
    one query to the next, although nothing is wrong. Raises StoreError if a transaction still runs after ``seconds``.
    """
    ends = time.monotonic() + seconds
    with _driver(place) as driver:
        while driver.execute_query(_RUNNING).records[0]["others"]:
            if time.monotonic() > ends:
                raise StoreError(f"a transaction still runs on {place.address} after {seconds:.0f} s")
            time.sleep(0.05)


def _problems(scope: Scope, mine: ScopeContents, info: StoreInfo, *, linked: bool) -> Iterator[str]:
    messages = {each.id for each in mine.messages}
    nodes = {each.id for each in mine.entities if each.merged_into is None}
    facts = {each.id for each in mine.facts}
    for kind, things in _ids(mine):
        yield from (f"{kind} {each} is there {count} times" for each, count in Counter(things).items() if count > 1)
    for fact in mine.facts:
        yield from (f"{fact.id} has no end {end}" for end in (fact.subject_id, fact.object_id) if end not in nodes)
        yield from (f"{fact.id} stands on no message {each}" for each in fact.evidence if each not in messages)
    if linked:
        yield from _unexplained(mine)
    ends = [end for each in mine.successions for end in (each.fact_id, each.successor_id) if end]
    yield from (f"a succession names no fact {end}" for end in ends if end not in facts)
    yield from _misplaced(scope, mine.messages)
    if UNFINISHED not in (info.embedder or ""):
        yield from _without_vectors(mine, info)


def _ids(mine: ScopeContents) -> Iterator[tuple[str, list[str]]]:
    yield "message", [each.id for each in mine.messages]
    yield "entity", [each.id for each in mine.entities]
    yield "fact", [each.id for each in mine.facts]


def _unexplained(mine: ScopeContents) -> Iterator[str]:
    retired = {each.fact_id for each in mine.successions}
    yield from (
        f"{fact.id} is retired without a reason" for fact in mine.facts if not (fact.current or fact.id in retired)
    )
    decided = {each.fact_id for each in mine.decisions}
    yield from (f"nothing decided on {fact.id}" for fact in mine.facts if fact.id not in decided)


def _misplaced(scope: Scope, messages: Iterable[Message]) -> Iterator[str]:
    """Yield messages with the same position in a session, and gaps in the positions."""
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for message in messages:
        places[message.source, message.session].append(message.position)
    for (source, session), taken in places.items():
        if sorted(taken) != list(range(len(taken))):
            places_taken = f"{len(set(taken))} positions up to {max(taken)}"
            yield f"{scope}, {source} {session!r}: {len(taken)} messages have {places_taken}"


def _without_vectors(mine: ScopeContents, info: StoreInfo) -> Iterator[str]:
    """Yield texts without a vector, or with one that differs from the result of the store's embedder."""
    import numpy as np

    texts = {each.id: f"{each.speaker}: {each.text}" for each in mine.messages} | {
        each.id: each.text for each in mine.facts
    }
    texts |= {each.id: each.name for each in mine.entities if each.merged_into is None}
    yield from (f"{each} has no vector" for each in texts if each not in mine.vectors)
    embedder = EMBEDDERS.get(info.embedder or "")
    known = [each for each in texts if each in mine.vectors]
    if embedder is None or not known:
        return
    for each, expected in zip(known, embedder.embed([texts[each] for each in known]), strict=True):
        vector = mine.vectors[each]
        if vector.shape != expected.shape or not np.allclose(vector, expected, atol=ROUNDED):
            yield f"the vector of {each} is not of {info.embedder}"


def _of_file(file: Path) -> Iterator[str]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        answers = connection.execute("PRAGMA integrity_check").fetchall()
        yield from (f"integrity_check: {answer}" for (answer,) in answers if answer != "ok")
        for problem, query in _ROWS.items():
            yield from (f"{problem}: {found}" for (found,) in connection.execute(query))


def _of_server(place: Place) -> Iterator[str]:
    database = _read(place).database
    with _driver(place) as driver:
        for problem, query in _NODES.items():
            records = driver.execute_query(query, database_=database).records
            yield from (f"{problem}: {record['id']}" for record in records)


def _driver(place: Place) -> neo4j.Driver:
    import neo4j

    read = _read(place)
    return neo4j.GraphDatabase.driver(read.uri, auth=read.auth, notifications_min_severity="OFF")


def _read(place: Place) -> Address:
    return read_address(place.address, complete_credentials(place.address, place.credentials, place.credentials))


def contents(store: Store, scope: Scope) -> Counter[str]:
    """Return the contents of one scope as lines, without ids and recording times: equal runs have equal lines.

    Messages by position and text, facts by sentence, ends and status, entities by their names, decisions by their
    result. Pending windows and kept replies are lines too; a finished run has none.
    """
    mine = scope_contents(store, scope).get(scope, ScopeContents())
    texts = {each.id: each.text for each in mine.messages} | {each.id: each.text for each in mine.facts}
    rows: list[Sequence[Any]] = [
        ("message", each.source, each.session, each.position, each.speaker, each.text, each.source_id)
        for each in mine.messages
    ]
    rows += [("entity", each.name, each.type, sorted(each.aliases), bool(each.merged_into)) for each in mine.entities]
    for fact in mine.facts:
        said = [texts.get(each) for each in fact.evidence]
        ends = (fact.subject, fact.relation, fact.object)
        rows.append(("fact", *ends, fact.text, str(fact.valid_from), str(fact.valid_to), fact.current, said))
    for link in mine.successions:
        rows.append(("succession", texts.get(link.fact_id), texts.get(link.successor_id or ""), link.reason))
    rows += [("decision", each.operation, each.rule, each.decided_by, dict(each.triple)) for each in mine.decisions]
    rows += [("window",) for _ in mine.windows] + [("reply",) for _ in mine.replies]
    return Counter(json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows)


def contents_at(place: Place, scope: Scope) -> Counter[str]:
    """Return the contents of the store at a place, see ``contents``."""
    with closing_store(place) as store:
        return contents(store, scope)


def keys(messages: Iterable[Message]) -> Counter[str]:
    """Count each message, by the id from its source, else by its position and text."""
    return Counter(each.source_id or place_key(each.session, each.position) for each in messages)


def place_key(session: str, position: int) -> str:
    """Return the key that acknowledges a message of a transcript."""
    return f"{session}:{position}"
