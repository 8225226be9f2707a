"""A file and a server give the same answers to the same questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.memory import Memory
from mem0g.model import Entity, Fact, Scope
from mem0g.settings import Settings
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import EVERYTHING, EntityQuery, FactFilter, FactQuery, SearchQuery, View
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import retirement, write
from mem0g.text.names import fold
from mem0g.times import Moment
from mem0g.transcripts import read_files
from tests.making import AT, EMBEDDER, change, day, entity, fact, message, vector

EXAMPLE = Path(__file__).parents[2] / "examples" / "olivia-and-ben.txt"
QUESTIONS = (
    "Where does Olivia live?",
    "What pets do Ben and Olivia have?",
    "Who is Anna?",
    "What happened in April 2024?",
    "Where did Olivia live before?",
    "running",
    "Summarize what Olivia and Ben told each other.",
    "In which order did they bring up their plans?",
)


@dataclass(frozen=True)
class Both:
    """The two stores; what is asked of both must be the same."""

    file: Store
    server: Store

    def write(self, made: Change) -> None:
        """Commit to both."""
        write(self.file, made)
        write(self.server, made)

    def forget(self, scope: Scope) -> None:
        """Empty both."""
        self.file.forget(scope)
        self.server.forget(scope)


@pytest.fixture
def both(empty: Neo4jStore, tmp_path: Path) -> Iterator[Both]:
    """An empty store of each kind."""
    file = SqliteStore(tmp_path / "memory.db")
    for store in (file, empty):
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield Both(file, empty)
    file.close()


@pytest.fixture
def memories(empty: Neo4jStore, tmp_path: Path, minilm_as_kept: None) -> Iterator[tuple[Memory, Memory]]:
    """The example conversation in a store of each kind, with the real embedder and the rules."""
    with Memory.open(tmp_path / "memory.db") as file:
        server = Memory(empty, file.embedder, file.extractor, Settings())
        for memory in (file, server):
            memory.add(read_files([EXAMPLE]).utterances, user_id="demo")
        yield file, server


@pytest.mark.parametrize("as_of", [None, "2024-02"])
def test_searches_agree(memories: tuple[Memory, Memory], as_of: str | None) -> None:
    """The same hits in the same order with the same scores but for rounding, and the same contexts."""
    file, server = memories
    for question in QUESTIONS:
        hits = [memory.search(question, user_id="demo", as_of=as_of, limit=20) for memory in (file, server)]
        assert [hit.text for hit in hits[0]] == [hit.text for hit in hits[1]]
        assert [hit.score for hit in hits[0]] == pytest.approx([hit.score for hit in hits[1]], abs=1e-4)
        context = [memory.context(question, user_id="demo", as_of=as_of, tokens=300).text for memory in (file, server)]
        assert context[0] == context[1]


SCOPES = (Scope(user_id="ann"), Scope(user_id="ann", run_id="r"), Scope(user_id="bob"))
NAMES = ("Ann", "Bea", "Oslo", "Lisbon", "green tea", "`$(x)`")
TIMES = ("2020", "2022-06", "2023-01-01", "2024-02-03T04:05:06Z")
VIEWS = (View(), EVERYTHING, View(as_of=day("2022-07-01")), View(known_at=day("2024-06-10")), View(as_of=day("2024")))
moments = st.none() | st.sampled_from(TIMES).map(Moment.parse)


@st.composite
def facts(draw: st.DrawFn, scope: Scope) -> tuple[Entity, Entity, Fact]:
    """Two entities and a fact between them, current or retired."""
    one, other = (entity(draw(st.sampled_from(NAMES)), scope) for _ in range(2))
    retired = draw(st.none() | st.sampled_from(("2024-06-05", "2024-07-01")).map(day))
    made = fact(
        one,
        draw(st.sampled_from(("LIVES_IN", "LIKES", "IN"))),
        other,
        valid_from=draw(moments),
        valid_to=draw(moments) if retired else None,
        said_at=draw(st.sampled_from((None, AT))),
        recorded_at=draw(st.sampled_from((day("2024-06-02"), day("2024-06-20")))),
        retired_at=retired,
        evidence=tuple(draw(st.lists(st.sampled_from(message_ids(scope)), max_size=2, unique=True))),
    )
    return one, other, made


def message_ids(scope: Scope) -> list[str]:
    """Ids of the messages that every scope has here."""
    return [message(f"{scope} turn {number}", number, scope).id for number in range(3)]


@st.composite
def changes(draw: st.DrawFn) -> list[Change]:
    """A few changes, each of one scope: messages, facts, then what happens to them."""
    made = []
    for scope in draw(st.lists(st.sampled_from(SCOPES), min_size=1, max_size=3)):
        told = [message(f"{scope} turn {number}", number, scope) for number in range(3)]
        drawn = draw(st.lists(facts(scope), min_size=1, max_size=5, unique_by=lambda each: each[2].id))
        ends = {each.id: each for one, other, _ in drawn for each in (one, other)}
        made.append(change(scope, told, list(ends.values()), [each for _, _, each in drawn]))
        made.append(draw(consequences(scope, [each for _, _, each in drawn], list(ends.values()))))
    return made


@st.composite
def consequences(draw: st.DrawFn, scope: Scope, known: list[Fact], ends: list[Entity]) -> Change:
    """More evidence, a retirement with or without a successor, a merge."""
    one, other = draw(st.sampled_from(known)), draw(st.sampled_from(known))
    support = Support(one.id, tuple(message_ids(scope)[:2]), draw(moments))
    retired: tuple[Retirement, ...] = ()
    if draw(st.booleans()):
        successor = other.id if other.id != one.id and draw(st.booleans()) else None
        retired = (retirement(one.id, successor, draw(st.sampled_from(TIMES))),)
    merges = ((ends[0].id, ends[-1].id),) if len(ends) > 2 and draw(st.booleans()) else ()
    return change(scope, support=(support,), retirements=retired, merges=merges)


@pytest.mark.slow
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])  # emptied within
@given(made=changes(), asked=st.sets(st.sampled_from((*SCOPES, Scope(run_id="r"))), min_size=2, max_size=2))
def test_any_changes_read_alike(both: Both, made: list[Change], asked: set[Scope]) -> None:
    """Whatever is written, every read of the protocol answers the same from both."""
    for scope in SCOPES:
        both.forget(scope)
    for each in made:
        both.write(each)
    for scope in asked:
        in_file, on_server = read(both.file, scope), read(both.server, scope)
        for question, answer in in_file.items():
            assert on_server[question] == answer, question


def read(store: Store, scope: Scope) -> dict[str, object]:
    """What the store answers about a scope; lists whose order is not told across scopes are sorted."""
    everything = listed(store, scope, EVERYTHING)
    ids = [each.id for each in everything]
    entities = [each for each, _ in store.list_entities(scope, 100)]
    stats = store.stats(scope)
    return {
        "facts": {str(view): listed(store, scope, view) for view in VIEWS},
        "entities": sorted(map(str, store.list_entities(scope, 100))),
        "messages": sorted(map(str, store.list_messages(scope, 100))),
        "successions": sorted(map(str, store.successions(scope, ids))),
        "named": store.match_names(scope, ["ann", "oslo", "`$(x)`"]),
        "walk": sorted(each.id for each in store.walk(scope, [each.id for each in entities[:1]], 2, 50)),
        "stats": (stats.messages, stats.sessions, stats.entities, stats.facts, stats.retired, stats.relations),
        "found": [found(store, scope, view) for view in VIEWS],
        "candidates": store.write(scope, lambda transaction: candidates(transaction, everything, scope)),
    }


def listed(store: Store, scope: Scope, view: View) -> list[Fact]:
    """The facts in the order recorded, scope by scope."""
    return sorted(store.list_facts(scope, FactFilter(view=view), 100), key=lambda each: str(each.scope))


def found(store: Store, scope: Scope, view: View) -> object:
    """A search's candidates, without their paths: which of two equally short ones is told is not."""
    probe = SearchQuery(
        vectors=(vector("Ann lives in Oslo."), vector("green tea")), terms=("ann", "tea", "turn"), view=view
    )
    answer = store.find(scope, probe)
    seen = [(each.fact, each.terms, cosines(each.similarities)) for each in answer.facts]
    turns = sorted(zip(answer.turns.ids, answer.turns.positions, answer.turns.terms, strict=True))
    said = [(each.message, each.terms, sorted(each.outdated.split())) for each in answer.messages]
    return seen, said, turns


def candidates(transaction: Transaction, known: list[Fact], scope: Scope) -> object:
    """What a window would be shown."""
    queries = [EntityQuery(names=(fold(name),), tokens=("tea",), vector=vector(name)) for name in NAMES]
    matched = transaction.match_entities(queries, 50)
    asked = [
        FactQuery(subject_id=each.subject_id, relations=("LIKES",), object_id=each.object_id, vector=vector(each.text))
        for each in known
        if each.scope == scope
    ]
    related = transaction.related_facts(asked, 50)
    return (
        [[(each.entity, cosines((each.similarity,))) for each in some] for some in matched],
        [sorted((each.fact.id, cosines((each.similarity,))) for each in some) for some in related],
    )


class Cosine(float):
    """A cosine that equals another within what a file loses by keeping twelve bits of a component."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and abs(self - other) < 2e-4

    __hash__ = None  # type: ignore[assignment]


def cosines(similarities: tuple[float, ...]) -> tuple[Cosine, ...]:
    """The similarities, to be compared with those of the other store."""
    return tuple(map(Cosine, similarities))
