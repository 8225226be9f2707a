"""All ways to read a memory, each as a probe that asks for a tenant's own or another's data and returns the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.faults.checks import scope_contents
from benchmarks.isolation.tenants import Tenant, World
from mem0g import Memory
from mem0g.errors import Mem0gError
from mem0g.model import Fact
from mem0g.store.sqlite import SqliteStore
from mem0g.transfer.copy import copy
from mem0g.transfer.jsonl import export_lines

QUESTIONS = (
    "Where does Ann live?",
    "What does {} like?",
    "Carla {}",
    "the bitter old pills of doctor smith",
    "{} Oslo Rome figs",
    "same-1",
)
"""The search queries; the braces are replaced by the public marker of a tenant."""


@dataclass
class Probing:
    """A store full of tenants, with their ids and expected contents."""

    world: World
    memory: Memory
    asking: Memory
    random: Random
    folder: Path
    other: Tenant = field(init=False)
    asked: str = ""
    facts: dict[int, Sequence[Fact]] = field(default_factory=dict)
    entities: dict[int, Sequence[str]] = field(default_factory=dict)
    messages: dict[int, Sequence[str]] = field(default_factory=dict)
    message_ids: dict[int, Sequence[str]] = field(default_factory=dict)
    calls: dict[int, int] = field(default_factory=dict)

    def learn(self) -> None:
        """Record the ids of every tenant's data including what it covers, and the exact contents of its scope."""
        scopes = scope_contents(self.memory.store)
        for tenant in self.world.tenants:
            self.facts[tenant.number] = self.memory.facts(**tenant.keys, include_retired=True)
            self.entities[tenant.number] = [each.id for each, _ in self.memory.entities(**tenant.keys)]
            self.messages[tenant.number] = [each.id for each in self.memory.messages(**tenant.keys)]
            mine = scopes[tenant.scope]
            self.message_ids[tenant.number] = [each.id for each in mine.messages]
            self.calls[tenant.number] = len(mine.calls)

    def unlike(self, tenant: Tenant, counted: int, own: Mapping[int, int]) -> str:
        """Return another tenant's marker when ``counted`` is not the sum over the tenants covered."""
        if counted == sum(own[each] for each in self.world.visible[tenant.number]):
            return ""
        return next(each.hidden for each in self.world.tenants if each.number not in self.world.visible[tenant.number])

    def random_tenant(self) -> Tenant:
        """Pick any tenant."""
        return self.random.choice(self.world.tenants)

    def turn(self) -> Tenant:
        """Pick the tenant that asks, and set ``other``, whose data it asks for."""
        self.other, self.asked = self.random_tenant(), ""
        return self.random_tenant()

    def fact(self) -> str:
        """Return the id of a fact of the other tenant, or its start."""
        self.asked = self._cut(self.random.choice(self.facts[self.other.number]).id)
        return self.asked

    def entity(self) -> str:
        """Return a name, an id or the start of an id of an entity of the other tenant."""
        ids, name = self.entities[self.other.number], self.other.name
        self.asked = self.random.choice([name, name.upper(), self._cut(self.random.choice(ids))])
        return self.asked

    def question(self) -> str:
        """Return a question, perhaps about a tenant."""
        return self.random.choice(QUESTIONS).format(self.random_tenant().public)

    def _cut(self, id_: str) -> str:
        return id_[: self.random.choice((3, 6, len(id_), len(id_)))]


Probe = Callable[[Probing, Tenant], object]
"""Reads as a tenant, perhaps asking for the other's data, and returns the result."""


def _search(at: Probing, tenant: Tenant) -> object:
    question = at.question()
    retired = at.random.random() < 0.5
    return at.memory.search(question, **tenant.keys, include_retired=retired, limit=20)


def _context(at: Probing, tenant: Tenant) -> object:
    return at.memory.context(at.question(), **tenant.keys, tokens=2000, fill=True)


def _facts(at: Probing, tenant: Tenant) -> object:
    return at.memory.facts(**tenant.keys, include_retired=True)


def _facts_of_entity(at: Probing, tenant: Tenant) -> object:
    entity = at.entity()
    return at.memory.facts(entity=entity, **tenant.keys)


def _facts_of_relation(at: Probing, tenant: Tenant) -> object:
    return at.memory.facts(relation=at.other.relation, **tenant.keys)


def _entities(at: Probing, tenant: Tenant) -> object:
    return at.memory.entities(**tenant.keys)


def _entity(at: Probing, tenant: Tenant) -> object:
    entity = at.entity()
    return at.memory.entity(entity, **tenant.keys)


def _fact(at: Probing, tenant: Tenant) -> object:
    fact = at.fact()
    return at.memory.fact(fact, **tenant.keys)


def _history(at: Probing, tenant: Tenant) -> object:
    fact = at.fact()
    return at.memory.history(fact, **tenant.keys)


def _why(at: Probing, tenant: Tenant) -> object:
    fact = at.fact()
    return at.memory.why(fact, **tenant.keys)


def _messages(at: Probing, tenant: Tenant) -> object:
    return at.memory.messages(**tenant.keys)


def _messages_by_id(at: Probing, tenant: Tenant) -> object:
    return at.memory.messages(ids=at.messages[at.other.number], **tenant.keys)


def _subgraph(at: Probing, tenant: Tenant) -> object:
    entity = at.entity()
    graph = at.memory.subgraph(entity, **tenant.keys, hops=3, include_retired=True)
    return (graph.graph, list(graph.nodes(data=True)), list(graph.edges(keys=True, data=True)))


def _relations(at: Probing, tenant: Tenant) -> object:
    return [each for each in at.memory.relations(**tenant.keys) if each.origin != "seed"]


def _relation(at: Probing, tenant: Tenant) -> object:
    """Look up a relation similar to everybody's, then another tenant's by its name; only the name may be returned."""
    like = at.memory.relation("takes the bitter old pill of doctor smith", **tenant.keys)
    named = at.memory.relation(at.other.relation, **tenant.keys)
    known = named if named.origin != "seed" or named.synonyms else None
    return (like, known)


def _stats(at: Probing, tenant: Tenant) -> object:
    stats = at.memory.stats(**tenant.keys)
    markers = {each.scope: each.hidden for each in at.world.tenants}
    counted = {number: len(messages) for number, messages in at.message_ids.items()}
    scopes = [markers[scope] for scope in stats.scopes]
    return stats.relations, scopes, at.unlike(tenant, stats.messages, counted)


def _export(at: Probing, tenant: Tenant) -> object:
    return list(export_lines(at.memory.store, tenant.scope))


def _pending(at: Probing, tenant: Tenant) -> object:
    return at.memory.pending(**tenant.keys)


def _costs(at: Probing, tenant: Tenant) -> object:
    """Sums name no tenant, but they must be those of the scopes covered."""
    calls = sum(cost.calls for cost in at.memory.costs(**tenant.keys))
    return at.unlike(tenant, calls, at.calls)


def _copy(at: Probing, tenant: Tenant) -> object:
    file = at.folder / "copy.db"
    target = SqliteStore(file)
    try:
        copy(at.memory.store, target, tenant.scope)
        return list(export_lines(target))
    finally:
        target.drop()


def _prompts(at: Probing, tenant: Tenant) -> object:
    """Let a model read a message of the tenant; a prompt with data of two tenants that none covers is a leak."""
    at.world.prompts.clear()
    at.asking.add(f"I swim in lake {at.random.random()} {tenant.hidden}.", **tenant.keys)
    return [prompt for prompt in at.world.prompts if at.world.mixed(prompt)]


PROBES: dict[str, tuple[Probe, float]] = {
    "search": (_search, 1),
    "context": (_context, 1),
    "facts": (_facts, 1),
    "facts of an entity": (_facts_of_entity, 1),
    "facts of a relation": (_facts_of_relation, 1),
    "entities": (_entities, 1),
    "entity": (_entity, 1),
    "fact": (_fact, 1),
    "history": (_history, 1),
    "why": (_why, 1),
    "messages": (_messages, 1),
    "messages by id": (_messages_by_id, 1),
    "subgraph": (_subgraph, 1),
    "relations": (_relations, 0.2),
    "relation": (_relation, 1),
    "stats": (_stats, 1),
    "export": (_export, 0.5),
    "pending": (_pending, 1),
    "costs": (_costs, 0.5),
    "copy": (_copy, 0.05),
    "prompts": (_prompts, 0.05),
}
"""Each way by name, with its frequency relative to the others; those that write come last."""


def probe(at: Probing, way: Probe) -> set[int]:
    """Return the tenants that one probe leaks; the message of an error counts as a result."""
    tenant = at.turn()
    try:
        answer = repr(way(at, tenant))
    except Mem0gError as error:
        answer = f"{error} {error.hint}"
    return at.world.leaks(tenant, at.asked, answer)


def exports(at: Probing, tenants: Iterable[Tenant]) -> dict[int, list[str]]:
    """Return the contents of each tenant's export."""
    return {tenant.number: list(export_lines(at.memory.store, tenant.scope)) for tenant in tenants}


def writes(at: Probing, name: str, tenant: Tenant) -> tuple[int, int]:
    """Write as ``tenant``; return how many other exports were compared, and how many changed."""
    visible = at.world.visible
    apart = [each for each in at.world.tenants if visible[each.number].isdisjoint(visible[tenant.number])]
    apart = [each for each in apart if not each.scope.covers(tenant.scope)]
    before = exports(at, apart)
    if name == "add":
        at.memory.add_triples(tenant.triples(), **tenant.keys)
        at.memory.add(f"I live in Lima {tenant.hidden}.", **tenant.keys)
    elif name == "define relation":
        at.memory.define_relation("takes the bitter old pills of doctor smith", one_object=True, **tenant.keys)
    elif name == "reindex":
        at.memory.reindex()
    else:
        at.memory.forget(**tenant.keys)
    after = exports(at, apart)
    return len(apart), sum(before[each.number] != after[each.number] for each in apart)


WRITES = ("add", "define relation", "reindex", "forget")
"""The writes of a tenant that must leave the exports of others unchanged."""
