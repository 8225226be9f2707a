"""What one tenant's memory learns does not reach another: relation names, and prompts."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mem0g.errors import InputError
from mem0g.extract import NoExtractor
from mem0g.lookup import scope_keys
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.relations.relation_type import RelationType, to_json
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.queries import FactFilter
from mem0g.store.records import FIELDS
from mem0g.store.sqlite import SqliteStore
from mem0g.store.sqlite.maintenance.upgrading import VERSION, statements
from mem0g.store.sqlite.records import NAMES
from mem0g.testing.store_samples import write
from mem0g.transfer.jsonl import export_lines, import_lines
from tests.llm.server import Server
from tests.making import ANN, change, dumped, entity, fact, triple
from tests.pipeline.scripted import Model
from tests.pipeline.telling import EMBEDDER, Place, opened, talk
from tests.store.old_notes import NOTES, RECORDS
from tests.store.older_layouts import FIRST, drop_passages

LONG, SHORT = "is_taking_prozac_for", "takes_prozac_for"
"""Two names that are one to the registry, so that the second becomes a synonym of the first."""


def remember(place: Place, user: str, relation: str, run: str | None = None) -> None:
    """Add one fact of one user, in a memory opened for it only."""
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as memory:
        memory.add_triples([triple("Sam", relation, "years", f"Sam {relation}.")], user_id=user, run_id=run)


def exported(place: Place, user: str) -> str:
    """An export of one user's memory."""
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as memory:
        return "\n".join(export_lines(memory.store, Scope(user)))


def test_another_tenants_names_are_not_seen(place: Place) -> None:
    """Another tenant's relation name does not change this one's, and is in no result and no export of it."""
    remember(place, "ann", SHORT)
    remember(place, "bob", LONG)
    remember(place, "bob", SHORT)
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as memory:
        (hers,) = memory.facts(user_id="ann")
        assert hers.relation == SHORT.upper()
        assert {fact.relation for fact in memory.facts(user_id="bob")} == {LONG.upper()}, "his own names do fold"
        assert memory.facts(relation=SHORT, user_id="bob") == memory.facts(user_id="bob")
        assert memory.stats(user_id="bob").relations == {LONG.upper(): 1}
        assert LONG.upper() not in {each.name for each in memory.relations(user_id="ann")}
        assert memory.relation(LONG, user_id="ann").origin == "seed"
    assert LONG.upper() not in exported(place, "ann").upper()
    assert "PROZAC" not in exported(place, "nobody").upper()


def test_another_process_has_learnt_meanwhile(place: Place) -> None:
    """Two memories of one tenant, opened before either learns, end up with one name for one relation."""
    given = {"embedder": EMBEDDER, "extractor": "none", "credentials": place.credentials}
    with Memory.open(place.address, **given) as one, Memory.open(place.address, **given) as other:  # type: ignore[arg-type]
        for memory, relation in ((one, LONG), (other, SHORT), (one, SHORT)):
            memory.add_triples([triple("Sam", relation, "years")], user_id="ann")
        assert {fact.relation for fact in one.facts(user_id="ann")} == {LONG.upper()}
        assert one.relation(SHORT, user_id="ann") == other.relation(SHORT, user_id="ann")
        other.define_relation(LONG, user_id="ann", one_object=True)
        one.add_triples([triple("Sam", SHORT, "months")], user_id="ann")
        assert [fact.object for fact in one.facts(user_id="ann")] == ["months"], "what was defined elsewhere holds"


def test_what_a_user_defines_is_the_tenants(place: Place) -> None:
    """A cardinality applies to the tenant for whom it was defined, in all its scopes."""
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as memory:
        memory.define_relation("mentored_by", user_id="ann", one_object=True)
        for scope in (Scope("ann", run_id="r1"), Scope("bob")):
            for who in ("Bea", "Cleo"):
                memory.add_triples([triple("Sam", "mentored_by", who)], **scope_keys(scope))
        assert [fact.object for fact in memory.facts(user_id="ann")] == ["Cleo"]
        assert [fact.object for fact in memory.facts(user_id="bob")] == ["Bea", "Cleo"]


def test_forgetting_takes_names_along(place: Place) -> None:
    """Names used only by a forgotten run are deleted, and with a user all of the user's."""
    remember(place, "ann", "sings_in")
    remember(place, "ann", LONG, run="r1")
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as memory:
        memory.forget(user_id="ann", run_id="r1")
        assert "PROZAC" not in exported(place, "ann").upper()
        assert "SINGS_IN" in {each.name for each in memory.relations(user_id="ann")}
        memory.forget(user_id="ann")
        assert memory.store.vocabulary(Scope("ann")).types == ()
        assert memory.relations(user_id="ann") == memory.relations(user_id="nobody")


def test_a_model_is_shown_its_tenants_names_alone(file: Place, server: Server, model: Model) -> None:
    """Common names in a prompt are those of the tenant; of an agent with many users they are not the users'."""
    remember(file, "ann", LONG)
    with opened(file, server) as memory:
        memory.add_triples([triple("Sam", LONG, "years")], user_id="ann", agent_id="helper")
        for keys in ({"user_id": "bob", "agent_id": "helper"}, {"agent_id": "helper"}, {"user_id": "ann"}):
            memory.add(talk(("2024-03-01", "Ann", "Ann lives in Oslo.")), **keys)  # type: ignore[arg-type]
    shown = [LONG in prompt.user for prompt in model.prompts("extract")]
    assert shown == [False, False, True]


OLD = (
    RelationType(name=SHORT.upper(), synonyms=(LONG.upper(),), origin="learnt"),
    RelationType(name="MENTORED_BY", one_object=True, origin="user"),
    RelationType(name="SINGS_IN", origin="learnt"),
)
"""What a store of the layout before this one knew for all tenants: Ann gave the first, Bob its synonym."""


def upgraded(memory: Memory) -> None:
    """Every tenant has its own names, and Bob's fact the name that he gave."""
    assert [fact.relation for fact in memory.facts(user_id="ann")] == [SHORT.upper(), "MENTORED_BY"]
    assert [fact.relation for fact in memory.facts(user_id="bob")] == [LONG.upper()]
    assert memory.facts(relation=LONG, user_id="bob") == memory.facts(user_id="bob")
    (hers, mentored) = memory.store.vocabulary(Scope("ann")).types[::-1]
    assert (hers.name, hers.synonyms) == (SHORT.upper(), ())
    assert mentored == OLD[1]
    (his,) = memory.store.vocabulary(Scope("bob")).types
    assert (his.name, his.synonyms, his.origin) == (LONG.upper(), (), "learnt")


def told(memory: Memory) -> None:
    """Ann and Bob as a store of that layout held them; Bob's relation had become a synonym of Ann's."""
    memory.add_triples([triple("Sam", SHORT, "years"), triple("Sam", "mentored_by", "Bea")], user_id="ann")
    memory.add_triples([triple("Sam", LONG, "years")], user_id="bob")


def test_a_file_of_an_older_layout(tmp_path: Path) -> None:
    """The relation types that were one table for all are given to those who used them."""
    path = tmp_path / "old.db"
    with Memory(SqliteStore(path), EMBEDDER, NoExtractor()) as memory:
        told(memory)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE fact SET relation = ? WHERE relation = ?", (SHORT.upper(), LONG.upper()))
        drop_passages(raw)
        for table in ("tenant", "tenant_relation"):
            raw.execute(f"DROP TABLE {table}")
        raw.execute("ALTER TABLE message DROP COLUMN recorded_at")
        raw.execute("ALTER TABLE decision DROP COLUMN before")
        for column in ("brief", "observed", "planned_for"):
            raw.execute(f"ALTER TABLE fact DROP COLUMN {column}")
        for statement in statements("upgrade_2.sql"):
            raw.execute(statement)
        for table in NAMES:
            raw.execute(f"DROP TABLE {table}")
        raw.execute(
            next(each for each in FIRST.read_text(encoding="utf-8").split(";") if "TABLE relation_type" in each)
        )
        raw.executemany("INSERT INTO relation_type VALUES (?, ?)", [(each.name, to_json(each)) for each in OLD])
        raw.execute("PRAGMA user_version = 2")
        raw.commit()
    for _ in range(2):
        with Memory(SqliteStore(path), EMBEDDER, NoExtractor()) as memory:
            upgraded(memory)
            assert memory.info().version == VERSION


SCOPE_OF_NOTES = {"user_id": "ann", "agent_id": "", "run_id": "", "n": 100, "messages": 0, "entities": 0, "facts": 0}

EDGES_OF_OLD = """
MATCH (a)-[edge:$($long)]->(b)
CREATE (a)-[old:$($short)]->(b) SET old = properties(edge), old.caption = $short
DELETE edge
"""


def test_a_graph_of_an_older_layout(emptied: Place) -> None:
    """The same in Neo4j: nodes without a tenant are assigned to those who used them, and edges get their own names."""
    assert emptied.credentials is not None
    with Memory(Neo4jStore(emptied.address, emptied.credentials), EMBEDDER, NoExtractor()) as memory:
        told(memory)
    store = Neo4jStore(emptied.address, emptied.credentials)
    run = store._connection
    rows = [{"name": each.name, "definition": to_json(each)} for each in OLD]
    with run._driver.session(database=run.address.database) as session:
        session.run("MATCH (n) WHERE n:Mem0gRelation OR n:Mem0gTenant DETACH DELETE n").consume()
        session.run("UNWIND $rows AS row CREATE (r:Mem0gRelation) SET r = row", rows=rows).consume()
        names = {"long": LONG.upper(), "short": SHORT.upper()}
        session.run("MATCH (f:Fact {relation: $long}) SET f.relation = $short", names).consume()
        session.run(EDGES_OF_OLD, names).consume()
        session.run("MATCH (m:Mem0g {id: 'store'}) SET m.layout = 2").consume()
    store.close()
    for _ in range(2):
        store = Neo4jStore(emptied.address, emptied.credentials)
        upgraded(Memory(store, EMBEDDER, NoExtractor()))
        with store._connection._driver.session(database=store._connection.address.database) as session:
            edges = session.run("MATCH ()-[edge]->() WHERE edge.fact_id IS NOT NULL RETURN type(edge), edge.caption")
            assert sorted(edges.values()) == sorted(
                [name, name] for name in (SHORT.upper(), "MENTORED_BY", LONG.upper())
            )
        store.close()


def test_an_export_of_an_older_format(tmp_path: Path) -> None:
    """Relation types in the first line, which were shared by all, are assigned to those whose facts use them."""
    with Memory(SqliteStore(tmp_path / "new.db"), EMBEDDER, NoExtractor()) as memory:
        told(memory)
        first, *lines = export_lines(memory.store)
    kept = [json.loads(line) for line in lines]
    kept = [each for each in kept if each["kind"] != "relations"]
    for each in kept:
        if each["kind"] == "facts" and each["record"]["relation"] == LONG.upper():
            each["record"]["relation"] = SHORT.upper()
    head = json.loads(first) | {"mem0g": 1, "relations": [json.loads(to_json(each)) for each in OLD]}
    with Memory(SqliteStore(tmp_path / "copy.db"), EMBEDDER, NoExtractor()) as memory:
        import_lines(memory.store, [json.dumps(each) for each in (head, *kept)])
        upgraded(memory)


def test_an_export_with_notes(tmp_path: Path) -> None:
    """Notes of formats before 3 are imported as their records; an unknown kind is refused with its line."""
    head = {"mem0g": 2, "embedder": None, "dimensions": None}
    scope = {"user_id": "ann"}
    notes = [{"scope": scope, "kind": kind, "key": key, "body": body} for kind, key, body in NOTES]
    lines = [json.dumps({"kind": "notes", "scope": scope, "record": note}) for note in notes]
    with closing(SqliteStore(tmp_path / "copy.db")) as store:
        import_lines(store, [json.dumps(head), *lines])
        for kind, field in FIELDS.items():
            assert store.records(kind) == RECORDS[field]
        assert sorted(each.id for change in dumped(store) for each in change.done) == ["k_2", "r_2", "w_2"]
        for body in ({"mood": "good"}, None):
            note = {"scope": scope, "kind": "mood", "key": "k", "body": body}
            with pytest.raises(InputError, match=r"line 2 cannot be read: .*mood"):
                import_lines(store, [json.dumps(head), json.dumps({"kind": "notes", "scope": scope, "record": note})])


def test_a_graph_with_entities_of_the_type_literal(emptied: Place) -> None:
    """Of layout 4, one that is only an object becomes a literal; others lose the type, or get another label."""
    assert emptied.credentials is not None
    person, noted, other, kind = (entity(name, type="x") for name in ("Ann", "no peanuts", "Bea", "word"))
    facts = [fact(person, "NOTED", noted), fact(other, "LIKES", person), fact(person, "SAID", kind)]
    store = Neo4jStore(emptied.address, emptied.credentials)
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    write(store, change(entities=[person, noted, other, kind], facts=facts))
    given = {"ids": [noted.id, other.id], "kind": kind.id}
    with store._connection._driver.session(database=store._connection.address.database) as session:
        session.run(
            "MATCH (e:Entity) WHERE e.id IN $ids OR e.id = $kind "
            "REMOVE e:X SET e:Literal, e.label = 'Literal', "
            "  e.type = CASE e.id WHEN $kind THEN 'Literal' ELSE 'literal' END",
            given,
        ).consume()
        session.run("MATCH (m:Mem0g {id: 'store'}) SET m.layout = 4").consume()
    store.close()
    for _ in range(2):
        with closing(Neo4jStore(emptied.address, emptied.credentials)) as store:
            found = store.entities(ANN, [noted.id, other.id, kind.id])
            assert [each.type for each in found] == ["literal", "", "Literal"]
            assert store.match_names(ANN, ["no peanuts"]) == ()
            assert store.stats(ANN).entities == 3
            assert noted.id not in {key for part in dumped(store) for key in part.vectors}
            assert [each.object_is_literal for each in store.list_facts(ANN, FactFilter(), 9)] == [True, False, False]
            assert store.verify() == ()


def test_a_graph_with_notes(emptied: Place) -> None:
    """Nodes of notes become nodes of the labels of their types, done ones included."""
    assert emptied.credentials is not None
    store = Neo4jStore(emptied.address, emptied.credentials)
    with store._connection._driver.session(database=store._connection.address.database) as session:
        rows = [
            {"kind": kind, "key": key, "n": n, "body": None if body is None else json.dumps(body)}
            for n, (kind, key, body) in enumerate(NOTES, start=1)
        ]
        session.run("MERGE (s:Mem0gScope {scope: 'user_id=ann'}) SET s += $given", given=SCOPE_OF_NOTES).consume()
        session.run("UNWIND $rows AS row CREATE (n:Mem0gNote {scope: 'user_id=ann'}) SET n += row", rows=rows).consume()
        session.run("MATCH (m:Mem0g {id: 'store'}) SET m.layout = 3").consume()
    store.close()
    for _ in range(2):
        with closing(Neo4jStore(emptied.address, emptied.credentials)) as store:
            for kind, field in FIELDS.items():
                assert store.records(kind) == RECORDS[field]
            assert sorted(each.id for change in dumped(store) for each in change.done) == ["k_2", "r_2", "w_2"]
            assert store.verify() == ()
