"""A memory from one store into another, and back: everything is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.errors import EmbedderMismatchError
from mem0g.model import Decision, Fact, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.store.change import Change, Retirement
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, FactFilter, SearchQuery
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from mem0g.times import Moment
from mem0g.transfer.copy import Copied, copy
from tests.making import ANN, AT, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector
from tests.store.fixtures import clear

MANY = 510
"""More than a dump puts in one change."""

HOSTILE = (
    'O\'Brien "the boss" `x`',
    "$(DETACH DELETE n)",
    "n}) MATCH (m) DETACH DELETE m //",
    "`) MATCH (m) DETACH DELETE m //",
    "{id: $id} \\u0027 \\",
    "👩‍🚀🦄",
    "居住于 北京",
    "مريم \u202e",
    "line\nbreak\r\n\u2028\t\x7f",
    "Fact",
    "Entity",
    "",
)
"""Names and types of things; the last is a type alone."""

MOMENTS = (
    "0001",
    "0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "2024-02",
    "2024-02-29",
    "2024-03-01T10:00:00.000001Z",
    "9999",
    "9999-12-31T23:59:59.999999Z",
)
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
MIXED = Scope("ann", "helper 🦄 \"'`$(x)", "r&1=ü")


def everything(scope: Scope) -> list[Change]:
    """All that a memory can hold, strange names and far times included."""
    names = [name for name in HOSTILE if name.strip()]
    told = [message(name, place, scope, speaker=name, source=name, source_id=name) for place, name in enumerate(names)]
    told += [message(f"at {time}", 50 + place, scope, time=time) for place, time in enumerate((None, FIRST, LAST))]
    told += [message("system", 60, scope, role="system", session="", source_id="")]
    person = entity("Ann", scope, type="person", aliases=tuple(names), created_at=FIRST, updated_at=LAST)
    things = [entity(name, scope, type=kind) for name, kind in zip(names, HOSTILE[1:], strict=True)]
    facts = [
        fact(person, relation, thing, thing.name, relation_given=thing.name, confidence=1 / 3, evidence=(told[0].id,))
        for relation, thing in zip(("IN", "SUBJECT", "SUPERSEDED_BY", "居住于", *["LIKES"] * 7), things, strict=True)
    ]
    facts += [
        fact(person, "AT", things[0], f"since {text}", valid_from=Moment.parse(text), said_at=None) for text in MOMENTS
    ]
    facts += [fact(person, "KNOWS", person, "Ann knows herself.", recorded_at=FIRST, confidence=0)]
    gone = [
        fact(
            person,
            "WAS",
            things[1],
            f"until {text}",
            valid_to=Moment.parse(text) if text else None,
            retired_at=day("2024-07-01"),
            evidence=tuple(each.id for each in told[2::-1]),
        )
        for text in ("", *MOMENTS)
    ]
    return [
        change(scope, told, [person, *things], [*facts, *gone]),
        *_retirements(scope, facts, gone),
        *_merges(scope),
        Change(scope=scope, decisions=tuple(_decisions(scope, facts))),
        Change(scope=scope, messages=(message("no vector", 99, scope),), entities=(entity("no vector", scope),)),
    ]


def _retirements(scope: Scope, facts: list[Fact], gone: list[Fact]) -> list[Change]:
    """Facts that were replaced, one after the other, and facts that only ended."""
    links = [_succession(old, new, at) for (old, new), at in zip(pairwise(facts[:4]), (AT, FIRST, LAST), strict=True)]
    ended = [_succession(each, None, AT) for each in gone[:3]]
    replaced = tuple(Retirement(link, Moment.parse("2024")) for link in links)
    dateless = Retirement(_succession(facts[5], None, AT), None)
    return [change(scope, retirements=(*replaced, dateless)), Change(scope=scope, successions=tuple(ended))]


def _succession(old: Fact, new: Fact | None, at: datetime) -> Succession:
    successor = new.id if new else None
    return Succession(fact_id=old.id, successor_id=successor, reason=old.text, decided_by="gpt-4o-mini", at=at)


def _merges(scope: Scope) -> list[Change]:
    """Liv turned out to be Livia, and Livia to be Olivia; Al to be Olivia too; each had facts at both ends."""
    liv, livia, olivia, al = people = [entity(name, scope, type=name) for name in ("Liv", "Livia", "Olivia", "Al")]
    facts = [fact(one, "KNOWS", other) for one in people for other in people if one is not other]
    steps = ((liv, livia), (livia, olivia), (al, olivia))
    return [
        change(scope, entities=people, facts=facts),
        *(Change(scope=scope, merges=((loser.id, winner.id),)) for loser, winner in steps),
    ]


def _decisions(scope: Scope, facts: list[Fact]) -> Iterator[Decision]:
    """One of each operation, on facts and on entities."""
    for place, (operation, fact_id) in enumerate(
        (("ADD", facts[0].id), ("UPDATE", facts[1].id), ("DELETE", None), ("NOOP", facts[2].id), ("MERGE", None))
    ):
        yield Decision(
            id=f"d_{scope}_{place}",
            operation=operation,  # type: ignore[arg-type]
            rule="single",
            reason=HOSTILE[place],
            at=(AT, FIRST, LAST)[place % 3],
            decided_by="rule" if place else "gpt-4o-mini",
            fact_id=fact_id,
            targets=(facts[3].id, facts[3].subject_id, "gone") if place else (),
            score=None if place == 1 else place / 3,
            evidence=facts[place].evidence * 2,
            triple={"subject": HOSTILE[place], HOSTILE[0]: "a\u2028b"} if place else {},
        )


def many(scope: Scope) -> Change:
    """More of each kind than goes into one change; the first fact is replaced by the last, the last merge the first."""
    told = [message(f"turn {number}", number, scope, session="long") for number in range(MANY)]
    ends = [entity(f"thing {number}", scope) for number in range(MANY)]
    ends[0] = replace(ends[0], merged_into=ends[-1].id)
    facts = [fact(one, "BEFORE", other) for one, other in pairwise(ends[1:])]
    link = _succession(facts[0], facts[-1], AT)
    log = (Decision(id=f"d_{number}", operation="ADD", rule="new", reason="", at=AT) for number in range(MANY))
    return change(scope, told, ends, facts, retirements=(Retirement(link, None),), decisions=tuple(log))


def held(store: Store, scope: Scope | None = None) -> dict[str, Any]:
    """All that a store holds, by scope and kind, in order where the order means something; vectors as bytes."""
    found: dict[str, Any] = {}
    for part in dumped(store, scope):
        kinds = found.setdefault(str(part.scope), {"vectors": {}})
        for kind in ("messages", "entities", "facts", "decisions", "successions"):
            kinds.setdefault(kind, []).extend(getattr(part, kind))
        kinds["vectors"] |= {each: vector.astype("<f4").tobytes() for each, vector in part.vectors.items()}
    for kinds in found.values():
        kinds["successions"].sort(key=str)
    info = store.info()
    types = {each.tenant: store.vocabulary(each.tenant).types for each in store.scopes(scope)}
    return {"scopes": found, "embedder": (info.embedder, info.dimensions), "relations": types}


@pytest.fixture
def server(empty: Neo4jStore) -> Neo4jStore:
    """The server's store with nothing in it."""
    return empty


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Callable[[], SqliteStore]]:
    """Makes empty files."""
    made: list[SqliteStore] = []

    def make() -> SqliteStore:
        made.append(SqliteStore(tmp_path / f"{len(made)}.db"))
        return made[-1]

    yield make
    for store in made:
        store.close()


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.neo4j)])
def target(request: pytest.FixtureRequest, file: Callable[[], SqliteStore]) -> Store:
    """An empty store of each kind."""
    store: Store = file() if request.param == "file" else request.getfixturevalue("server")
    return store


def fill(store: Store) -> None:
    """Everything in three scopes, many of each kind in a fourth, and relation types."""
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    for scope in (ANN, BOB, MIXED):
        for made in everything(scope):
            write(store, made)
    write(store, many(Scope(run_id="long")))
    dwells = RelationType(name="居住于", synonyms=("DWELLS_IN",), one_object=True, inverse="HOME_OF", origin="user")
    store.save_relation_types(ANN, [dwells, RelationType(name="IN", symmetric=True)])


@pytest.fixture
def filled(file: Callable[[], SqliteStore]) -> SqliteStore:
    """A file that holds everything."""
    store = file()
    fill(store)
    return store


@pytest.mark.slow
def test_from_a_file_to_a_server_and_back(
    filled: SqliteStore, server: Neo4jStore, file: Callable[[], SqliteStore]
) -> None:
    """Both copies hold what the file held: every record and vector, relation types, the embedder."""
    before = held(filled)
    copied = copy(filled, server)
    stats = filled.stats()
    assert (copied.messages, copied.facts) == (stats.messages, stats.facts)
    assert copied.decisions == sum(stats.decisions.values())
    assert held(server) == before
    back = file()
    assert copy(server, back) == copied
    assert held(back) == before
    assert back.stats() == stats


@pytest.mark.slow
def test_from_a_server_to_a_file_and_back(server: Neo4jStore, file: Callable[[], SqliteStore]) -> None:
    """What a server holds is the same in the file, and again on the server, to the last drawn property.

    Its vectors have been in a file before: that rounds them, once.
    """
    origin = file()
    fill(origin)
    copy(origin, server)
    before, graph = held(server), drawn(server)
    between = file()
    copy(server, between)
    assert held(between) == before
    clear(server)
    copy(between, server)
    assert held(server) == before
    assert drawn(server) == graph


def drawn(store: Neo4jStore) -> dict[str, list[str]]:
    """The graph as it lies in the database, past the code under test; numbers of order and times of writing aside."""
    with store._connection._session("READ") as session:
        nodes = session.run(
            "MATCH (n) WHERE n.scope IS NOT NULL AND NOT n:Mem0gScope "
            "RETURN labels(n) AS labels, "
            "n {.*, n: null, ended_n: null, written_at: null, vocabulary: null} AS properties"
        )
        found = {"nodes": sorted(f"{sorted(row['labels'])} {_ordered(row['properties'])}" for row in nodes)}
        edges = session.run(
            "MATCH (a)-[r]->(b) WHERE a.scope IS NOT NULL RETURN a.id AS a, type(r) AS type, b.id AS b, "
            "r {.*, n: null} AS properties"
        )
        found["edges"] = sorted(f"{row['a']} {row['type']} {row['b']} {_ordered(row['properties'])}" for row in edges)
        counts = session.run("MATCH (s:Mem0gScope) RETURN s {.scope, .messages, .entities, .facts} AS counts")
        found["counts"] = sorted(_ordered(row["counts"]) for row in counts)
    return found


def _ordered(properties: dict[str, Any]) -> str:
    return str(sorted((name, str(value)) for name, value in properties.items()))


def test_a_copy_answers_alike(filled: SqliteStore, server: Neo4jStore) -> None:
    """Lists, histories, names and searches of the copy are those of the original."""
    copy(filled, server)
    probe = SearchQuery(vectors=(vector("Ann knows Al."),), terms=("ann", "know", "🦄"), view=EVERYTHING, anchors=())
    for scope in (BOB, MIXED):
        everything = filled.list_facts(scope, FactFilter(view=EVERYTHING), 1000)
        ids = [each.id for each in everything]
        assert server.list_facts(scope, FactFilter(view=EVERYTHING), 1000) == everything
        assert server.list_messages(scope, 1000) == filled.list_messages(scope, 1000)
        assert server.list_entities(scope, 1000) == filled.list_entities(scope, 1000)
        assert sorted(map(str, server.successions(scope, ids))) == sorted(map(str, filled.successions(scope, ids)))
        assert sorted(map(str, server.decisions(scope, ids))) == sorted(map(str, filled.decisions(scope, ids)))
        names = ["liv", "olivia", "👩‍🚀🦄"]
        assert server.match_names(scope, names) == filled.match_names(scope, names)
        found = [[each.fact.id for each in store.find(scope, probe).facts] for store in (server, filled)]
        assert found[0] == found[1]


def test_again_changes_nothing(filled: SqliteStore, target: Store) -> None:
    """A second copy adds nothing, and leaves what the target learnt since as it is."""
    copy(filled, target)
    learnt = entity("Ann", BOB, type="person", aliases=("B.",))
    write(target, change(BOB, entities=[learnt]))
    target.save_relation_types(ANN, [RelationType(name="IN", synonyms=("INSIDE",), origin="user")])
    before = held(target)
    copied = copy(filled, target)
    assert copied == Copied(known=copied.records, differing=1)
    assert held(target) == before
    assert target.entities(BOB, [learnt.id])[0].aliases == ("B.",)


def test_a_scope_alone(filled: SqliteStore, target: Store) -> None:
    """Only what the scope covers goes along, beside what is there already, with its tenant's relation types."""
    write(target, change(Scope("zoe"), messages=[message("here before", scope=Scope("zoe"))]))
    copy(filled, target, BOB)
    assert set(target.stats().scopes) == {BOB, Scope("zoe")}
    assert held(target, BOB) == held(filled, BOB)
    copy(filled, target, ANN)  # and of a run of hers
    assert held(target, ANN) == held(filled, ANN)
    assert set(target.stats().scopes) == {BOB, Scope("zoe"), ANN, MIXED}


def test_another_embedder_is_refused(filled: SqliteStore, target: Store) -> None:
    """A store that another embedder filled takes nothing, and says which it was."""
    target.claim_embedder("other", EMBEDDER.dimensions)
    before = held(target)
    with pytest.raises(EmbedderMismatchError, match="other") as caught:
        copy(filled, target)
    assert caught.value.hint
    assert held(target) == before
    assert target.stats().scopes == ()


def test_a_copy_that_is_stopped_goes_on(filled: SqliteStore, target: Store) -> None:
    """What came before the stop is whole; the same copy again ends where one would have."""
    told: list[Copied] = []

    def go_on(copied: Copied) -> bool:
        told.append(copied)
        return len(told) < 4

    copied = copy(filled, target, go_on=go_on)
    assert copied == told[-1]
    assert 0 < copied.records < copy(filled, target).records
    assert held(target) == held(filled)
    assert [each.records for each in told] == sorted({each.records for each in told})


def test_nothing_to_copy(file: Callable[[], SqliteStore], target: Store) -> None:
    """An empty store copies as nothing; the target stays free to choose its embedder."""
    assert copy(file(), target) == Copied()
    assert target.info().embedder is None


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(texts=st.lists(TEXT, min_size=1, max_size=5, unique=True), kind=TEXT)
def test_any_names_and_texts(server: Neo4jStore, file: Callable[[], SqliteStore], texts: list[str], kind: str) -> None:
    """Whatever texts are, they come back from a server as they went."""
    store, back = file(), file()
    server.forget(ANN)
    ends = [entity(text, type=kind, aliases=tuple(texts)) for text in texts]
    said = [message(text, place, session=kind, speaker=kind) for place, text in enumerate(texts)]
    made = fact(ends[0], "KNOWS", ends[-1], texts[0], relation_given=kind, evidence=tuple(each.id for each in said))
    write(store, change(messages=said, entities=ends, facts=[made]))
    copy(store, server)
    copy(server, back)
    assert held(back)["scopes"] == held(store)["scopes"]
