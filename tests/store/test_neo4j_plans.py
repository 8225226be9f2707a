"""How the server goes about the queries: it scans no label, and what others hold costs nothing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import neo4j
import pytest

from benchmarks.embedders import WordEmbedder
from benchmarks.scale.crowd import Member, changes
from benchmarks.synthetic import world
from mem0g.browser.contents import read_contents as read_contents
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.retrieve.question.query import read_question
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.holding import Holder
from mem0g.store.neo4j.maintenance.dumping import SnapshotReader
from mem0g.store.neo4j.maintenance.upgrading import part_literals, part_passages, share_relation_types, split_notes
from mem0g.store.neo4j.server.address import Address
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.neo4j.server.queries import as_list, as_sent, folder, with_one_parameter
from mem0g.store.protocol import Transaction
from mem0g.store.queries import (
    CURRENT,
    EVERYTHING,
    NO_METADATA,
    EntityQuery,
    FactFilter,
    FactQuery,
    PathTraversal,
    Period,
    SearchQuery,
    Selection,
    View,
)
from mem0g.store.records import FIELDS, Done, PendingWindow
from mem0g.testing.store_samples import fill_two_scopes
from mem0g.text.names import fold, name_tokens
from mem0g.times import Moment
from tests.making import AT, dumped
from tests.servers.server import Server
from tests.store.vector_indexes import UNFILTERED

EMBEDDER = WordEmbedder(64)
FACTS, SEED = 60, 99
"""Of the scopes that live; others have as many facts, but other ones."""

OTHERS, FOREIGN = 30, 1500
"""Scopes, and triples of foreign nodes, that come between a first life, alone in the store, and a second."""

ABOUT_THE_DATABASE = {
    *("schema", "vectors", "lts/vectors", "drop_index", "drop_constraint"),
    *("browse_settings", "database"),
    *("mem0_edges", "mem0_absent"),
}
"""Queries that read no node of mem0g's."""

NOTES = (
    *("s:Mem0gScope(scope)", "r:Mem0gRelation", "t:Mem0gTenant", "m:Mem0g", "store:Mem0g", "n:Mem0gNote"),
    "l:Mem0gLock",
)
"""mem0g's notes, of which all may be gone through: the scopes when all are asked for, the relation types that were
added, the one node of the store, the notes of older layouts that are upgraded, the one or two that lock the schema
before there is an index."""

OF_ALL = {"verify_facts", "verify_edges", "verify_scopes"}
"""Queries that are about everything in the store, which mem0g's own indexes list."""

HOT = ("begin", "match_entities", "related_facts", "commit", "nearest", "gather", "names", "versions_of_user", "held")
"""Queries of every window and of every search."""

LTS = {"lts/gather", "lts/held", "lts/match_entities", "lts/nearest", "lts/related_facts"}
Plan = Mapping[str, Any]


class Profiling(Connection):
    """A connection that has every query profiled and keeps the ``plans``, by the query's name."""

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.plans: defaultdict[str, list[Plan]] = defaultdict(list)

    def _run(self, runner: neo4j.Transaction | neo4j.Session) -> Run:
        plain = super()._run(runner)

        def run(name: str, /, **given: Any) -> list[dict[str, Any]]:
            if name in ABOUT_THE_DATABASE:
                return plain(name, **given)
            result = runner.run(profiling(as_sent(name, given)), given=given)
            rows = [dict(record) for record in result]
            plan = result.consume().profile
            assert plan is not None
            self.plans[name].append(plan)
            return rows

        return run


def profiling(text: str) -> str:
    """The query with PROFILE, which stands behind the options in its first line."""
    options, _, rest = text.partition("\n")
    return f"{options} PROFILE\n{rest}"


@dataclass
class Lives:
    """What was profiled: the life of a scope alone in the store, of an equal one among others, and the rest.

    ``way`` is the server's way of searching by vector.
    """

    way: str
    alone: Profiling
    among_many: Profiling
    rest: Profiling

    @property
    def plans(self) -> Iterator[tuple[str, Plan]]:
        """All plans, with the names of their queries."""
        for profiled in (self.rest, self.alone, self.among_many):
            yield from ((name, plan) for name, plans in profiled.plans.items() for plan in plans)


@pytest.fixture(scope="module")
def lives(opened: Neo4jStore, neo4j_server: Server) -> Iterator[Lives]:
    """Have a scope live alone, then an equal one among others; at the end drop all.

    Plans are made when there is next to nothing in the store, as for a user's first ingest, and kept.
    """
    opened.prepare()
    told = Lives(opened.info().details["vector filters"], *(Profiling(opened._connection.address) for _ in range(3)))
    auth = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        with through(opened, told.rest):
            opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        with through(opened, told.alone):
            live(opened, "alone", told.way)
        fill(opened, OTHERS)
        driver.execute_query(FOREIGN_DATA, count=FOREIGN, database_=neo4j_server.database)
        with through(opened, told.among_many):
            live(opened, "among many", told.way)
        with through(opened, told.rest):
            look_up(opened, Member("among many", world(FACTS, 3, SEED)))
            end(opened, "among many")
        yield told
        for profiled in (told.rest, told.alone, told.among_many):
            profiled.close()
        driver.execute_query("MATCH (n:Foreign) DETACH DELETE n", database_=neo4j_server.database)


@contextmanager
def through(store: Neo4jStore, profiled: Profiling) -> Iterator[Profiling]:
    """Have the queries of ``store`` profiled for a while."""
    plain, store._connection = store._connection, profiled
    yield profiled
    store._connection = plain


FOREIGN_DATA = """
UNWIND range(1, $count) AS i
CREATE (:Foreign:Entity:Person {id: 'e_' + i, name: 'Ada Abbott'})<-[:SUBJECT]-(:Foreign:Fact {id: 'f_' + i, text: 'x'})
  -[:EVIDENCE]->(:Foreign:Message {id: 'm_' + i, session_id: 's', position: i, source_id: 'S:1'})
"""


def fill(store: Neo4jStore, others: int) -> None:
    """Other people's memories."""
    for other in range(others):
        store.load(changes(Member(f"other {other}", world(FACTS, 0, other)), EMBEDDER))


def live(store: Neo4jStore, name: str, way: str) -> None:
    """What is done with a scope again and again: fill it, a window of everything, questions."""
    member = Member(name, world(FACTS, 3, SEED))
    scope = member.scope
    store.load(changes(member, EMBEDDER))
    entities = [entity for entity, _ in store.list_entities(scope, 12)]
    facts = store.list_facts(scope, FactFilter(entity_ids=(entities[0].id,)), 12)
    facts += store.list_facts(scope, FactFilter(), 12)
    messages = store.list_messages(scope, 12)
    store.write(scope, lambda transaction: window(transaction, entities, facts, messages))
    read, as_parameter = store._connection.read, as_list if way == UNFILTERED else store._connection.as_parameter
    for held in (Holder(as_parameter, read), NothingHeld(as_list, read)):
        store._holder = held
        for view in (CURRENT, EVERYTHING):
            search(store, member, view)


class NothingHeld(Holder):
    """No scope is held in memory: the server searches all."""

    def find(self, *_: object) -> None:
        """See Holder."""

    def match_names(self, *_: object) -> None:
        """See Holder."""

    def is_due(self, *_: object) -> bool:
        """See Holder."""
        return False


def window(
    transaction: Transaction, entities: Sequence[Entity], facts: Sequence[Fact], messages: Sequence[Message]
) -> None:
    """A window that asks everything and whose change has everything in it."""
    scope = entities[0].scope
    place = (messages[0].source, messages[0].session)
    transaction.begin([message.id for message in messages], learns=True, sessions=[place])
    transaction.next_position(*place)
    transaction.next_position(place[0], "another")
    transaction.records(PendingWindow, ["w_1"])
    transaction.match_entities(
        [
            EntityQuery(names=(fold(entity.name),), tokens=tuple(name_tokens(entity.name)), vector=vector)
            for entity, vector in zip(entities, EMBEDDER.embed([each.name for each in entities]), strict=True)
        ],
        10,
    )
    transaction.related_facts(
        [
            FactQuery(subject_id=fact.subject_id, relations=(fact.relation,), object_id=fact.object_id, vector=vector)
            for fact, vector in zip(facts, EMBEDDER.embed([each.text for each in facts]), strict=True)
        ],
        10,
    )
    first, second, third, fourth, *_ = {fact.id: fact for fact in facts}.values()
    replaced = Succession(fact_id=first.id, successor_id=second.id, reason="moved", decided_by="rule", at=AT)
    ended = Succession(fact_id=third.id, successor_id=None, reason="over", decided_by="rule", at=AT)
    decision = Decision(
        id=f"d_{scope}", operation="UPDATE", rule="one", reason="", at=AT, fact_id=second.id, targets=(first.id,)
    )
    said = Message(
        id=f"m_{scope}", source="late", session="1", position=0, speaker="Ada", role="user", text="Good.", time=AT
    )
    parted, whole = (
        replace(said, id=f"m_{kind}_{scope}", text="A long sentence. " * 99) for kind in ("parted", "whole")
    )
    parts = {key: EMBEDDER.embed([text])[0] for key, text in parted.embedded_texts().items()}
    waiting = PendingWindow(id=f"w_{scope}", scope=scope, messages=(said.id,), context=(), speakers=(), since=AT)
    transaction.commit(
        Change(
            scope=scope,
            messages=(said, parted, whole),
            entities=tuple(entities[:3]),
            facts=(),
            support=(Support(fourth.id, (said.id,), Moment.parse("2020")),),
            retirements=tuple(Retirement(each, Moment.parse("2024-02")) for each in (replaced, ended)),
            merges=((entities[-1].id, entities[-2].id),),
            successions=(replaced,),
            decisions=(decision,),
            relations=(RelationType(name="VISITED", origin="user"),),
            windows=(waiting,),
            done=(Done("window", "w_0"), Done("reply", "k"), Done("review", "r_0")),
            vectors=parts | {each.id: EMBEDDER.embed([each.text])[0] for each in (said, whole)},
        )
    )


def search(store: Neo4jStore, member: Member, view: View) -> None:
    """Questions with the anchors that they name, and without any."""
    for text in member.world.questions:
        question = read_question(text, member.scope, store, EMBEDDER)
        for anchors in (tuple(anchor.id for anchor in question.anchors), ()):
            probe = SearchQuery(
                vectors=question.vectors,
                terms=question.terms,
                anchors=anchors,
                hops=3,
                traversal=PathTraversal(anchors=anchors),
                view=view,
            )
            store.find(member.scope, probe)


def look_up(store: Neo4jStore, member: Member) -> None:
    """What people ask, and a dump."""
    scope = member.scope
    entities = [entity.id for entity, _ in store.list_entities(scope, 12)]
    facts = [fact.id for fact in store.list_facts(scope, FactFilter(), 12)]
    messages = store.list_messages(scope, 12)
    store.entities(scope, entities)
    store.facts(scope, facts)
    store.messages(scope, [message.id for message in messages])
    store.metadata(scope, [message.id for message in messages])
    selection = Selection(
        relations=store.values(scope, "relation"),
        types=store.values(scope, "type"),
        speakers=store.values(scope, "speaker"),
        metadata=(NO_METADATA, *store.values(scope, "metadata")),
        said=Period(since=AT),
    )
    store.list_facts(scope, FactFilter(selection=selection), 12)
    question = read_question(member.world.questions[0], scope, store, EMBEDDER)
    store.find(scope, SearchQuery(vectors=question.vectors, terms=question.terms, selection=selection))
    store._holder = Holder(as_list, store._connection.read)
    for unknown in (Scope(agent_id="nobody"), Scope(run_id="none")):
        assert store.match_names(unknown, ["ada"]) == ()
    store.ids_with_prefix(scope, facts[0][:6], 10)
    store.message_ids(scope, ["S:1"])
    store.messages_said_at(scope, [AT])
    store.recent_messages(scope, messages[0].source, messages[0].session, 10)
    store.messages_around(scope, [messages[0].id], 1, 1)
    store.walk(scope, entities[:1], 2, 50)
    store.successions(scope, facts)
    store.decisions(scope, facts)
    store.stats(scope)
    store.stats()
    store.vocabulary(scope.tenant)
    store.save_relation_types(scope.tenant, [RelationType(name="VISITED", origin="user")])
    store.relation_counts(scope.tenant)
    store.scopes(scope)
    read_contents(store, **member.keys)
    for kind in FIELDS:
        store.records(kind, scope)
    store.records(PendingWindow, scope, ["w_1"])
    (latest,) = store.log(scope, 1)
    store.homes(scope, [latest.id, *facts])
    store.write(scope, lambda transaction: by_hand(transaction, scope, latest, messages))
    store.load(iter(dumped(store, scope)))
    list(SnapshotReader(store._connection, EMBEDDER.name)._without_lock(store._scopes(scope)[0]))


def by_hand(transaction: Transaction, scope: Scope, decision: Decision, messages: Sequence[Message]) -> None:
    """Facts and log entries are read, rewritten and erased."""
    (fact,) = transaction.facts([decision.fact_id or ""])
    transaction.facts(of=[fact.subject_id], citing=fact.evidence)
    transaction.entities([fact.subject_id], merged_into=[fact.object_id])
    transaction.successions([fact.id])
    transaction.decisions([decision.id], about=decision.about, citing=decision.evidence)
    transaction.records(PendingWindow)
    known = {messages[0].id: EMBEDDER.embed([messages[0].text])[0]}
    transaction.commit(Change(scope=scope, rewritten=(fact,), reworded=(decision,), vectors=known))
    transaction.commit(Change(scope=scope, erased=(fact.id, messages[0].id, decision.id, "e_0", "w_1")))


def end(store: Neo4jStore, name: str) -> None:
    """What is done with the whole store: it is prepared again, checked, upgraded, embedded anew, dropped."""
    store.info()
    store.prepare()
    store.verify()
    store.repair()
    store._connection.write(lambda run: run("rename_relation", scopes=[], before="LIVES_IN", after="AT", type="AT"))
    share_relation_types(store._connection)
    split_notes(store._connection)
    part_literals(store._connection)
    part_passages(store._connection)
    store.replace_embedder("another", EMBEDDER.dimensions, lambda texts: list(EMBEDDER.embed(texts)))
    fill_two_scopes(store)
    store.forget(Scope(user_id="ann"))
    store.drop()


def operators(plan: Plan) -> Iterator[Plan]:
    """The operators of a plan."""
    yield plan
    for child in plan.get("children", ()):
        yield from operators(child)


def is_scan(operator: Plan) -> bool:
    """Whether it goes through all nodes, all of a label or a whole index, mem0g's few notes excepted."""
    kind, details = operator["operatorType"].partition("@")[0], str(operator["args"].get("Details", ""))
    about = details.removeprefix("RANGE INDEX ").removeprefix("UNIQUE ").partition(" ")[0]
    return kind.endswith("Scan") and about.partition("(name)")[0] not in NOTES


def hits(lived: Profiling, name: str) -> int:
    """What a query cost in one life, in the server's unit."""
    return sum(int(each["args"].get("DbHits", 0)) for plan in lived.plans[name] for each in operators(plan))


@pytest.mark.slow
def test_every_query_is_looked_at(lives: Lives) -> None:
    """All files in cypher/ were run, but those about the database itself and those for servers of the other kind."""
    profiled = {name for name, _ in lives.plans}
    others = {name.removeprefix("lts/") for name in LTS} if lives.way == UNFILTERED else LTS
    assert {*_names(""), *_names("lts/")} - ABOUT_THE_DATABASE - others == profiled


def _names(of: str) -> Iterator[str]:
    for path in folder().joinpath(of).iterdir():
        if path.name.endswith(".cypher"):
            yield of + path.name.removesuffix(".cypher")


@pytest.mark.slow
def test_no_query_scans(lives: Lives) -> None:
    """Every query finds its nodes by an index that is asked for an id or a scope."""
    scans = {
        f"{name}: {each['operatorType']} {each['args'].get('Details')}"
        for name, plan in lives.plans
        if name not in OF_ALL
        for each in filter(is_scan, operators(plan))
    }
    assert scans == set()


def test_one_plan_a_query() -> None:
    """Every query takes one map: of each size of a list or text that is a parameter, the server makes another plan."""
    names = [name for name in (*_names(""), *_names("lts/")) if name not in ABOUT_THE_DATABASE]
    assert {name: parameters for name in names if (parameters := _parameters(name)) - {"given"}} == {}


def _parameters(name: str) -> set[str]:
    lines = with_one_parameter(name).splitlines()
    return set(re.findall(r"\$(\w+)", "\n".join(line for line in lines if not line.startswith("//"))))


@pytest.mark.slow
def test_others_cost_nothing(lives: Lives) -> None:
    """With thirty others and foreign nodes around, a window and a search touch no more of the database than alone."""
    names = [name for name in lives.alone.plans if name.removeprefix("lts/") in HOT]
    assert len(names) == len(HOT)
    more = {name: (hits(lives.alone, name), hits(lives.among_many, name)) for name in names}
    assert {name: both for name, both in more.items() if both[1] > 1.05 * both[0]} == {}
