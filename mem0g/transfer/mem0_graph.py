"""Read the graph that mem0 1.x keeps in Neo4j: a node for each name, a relationship for each fact, and no sentences.

Nodes have the label ``__Entity__``, the name of their type, or both; mem0 writes names and types in lower snake case.
A relationship that mem0 found to be no longer true has ``valid`` false and ``invalidated_at``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from mem0g.errors import InputError, Mem0gError, NotFoundError
from mem0g.model import Scope, Triple, content_id
from mem0g.resolve.kinds import ANIMAL, ORGANISATION, PERSON, PLACE, UNKNOWN, WORK, kind_of
from mem0g.settings import Credentials
from mem0g.text.names import SMALL_WORDS, fold

BASE_LABEL = "__Entity__"
"""The label of all nodes, where mem0 is set to use one."""

UNTYPED = "__User__"
"""The type of a node for which mem0's model gave none, often but not always the user."""

USER_PREFIX = "user_id:"
"""Mem0's prompt names the user as "user_id: ann", which its models take for the name."""

NAMED = frozenset({PERSON, PLACE, ORGANISATION, WORK})
"""Kinds of things that mostly have names of their own; animals do when one word names them."""

OWNERS = frozenset("my your his her its our their".split())

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mem0Edge:
    """A fact of mem0's graph, as a triple with cleaned names.

    ``created_at`` and ``updated_at`` are when it was first and last said, ``ended_at`` is when it was invalidated; each
    is None where the graph does not say. ``current``: it was not invalidated.
    """

    scope: Scope
    triple: Triple
    current: bool = True
    created_at: datetime | None = None
    updated_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def fact_id(self) -> str:
        """The id of the fact that it becomes, the same in every import."""
        return content_id("f", "mem0", *self._identity)

    @property
    def decision_id(self) -> str:
        """The id of the decision about it, the same in every import."""
        return content_id("d", "mem0", *self._identity)

    @property
    def _identity(self) -> tuple[str, ...]:
        return (str(self.scope), self.triple.subject, self.triple.relation, self.triple.object)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mem0Graph:
    """A graph of mem0's: its facts, the oldest first, and the number of relationships that cannot be facts.

    These join nodes of two scopes, or have a name that is not usable.
    """

    address: str
    edges: tuple[Mem0Edge, ...]
    unusable: int = 0

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes of its facts, in order."""
        return tuple(sorted({edge.scope for edge in self.edges}, key=str))

    def within(self, scope: Scope) -> Mem0Graph:
        """Return the part that a scope covers. Raises NotFoundError when it holds nothing of it."""
        edges = tuple(edge for edge in self.edges if scope.covers(edge.scope))
        if not edges:
            held = "; ".join(map(str, self.scopes[:5]))
            raise NotFoundError(f"mem0's graph at {self.address} has no facts of {scope}", hint=f"it has {held}")
        return Mem0Graph(address=self.address, edges=edges)


def read_mem0_graph(address: str, credentials: Credentials = Credentials()) -> Mem0Graph:  # noqa: B008 - frozen
    """Return the graph at ``neo4j://…`` or ``bolt://…``; ``credentials`` take precedence over those in the address.

    Nothing is written there. Raises InputError for an address of another kind, a StoreError when the database cannot be
    read, and NotFoundError when it holds no graph of mem0's.
    """
    from mem0g.store.address import local_path
    from mem0g.store.neo4j.server.address import read_address
    from mem0g.store.neo4j.server.connection import Connection

    if local_path(address) is not None:
        raise InputError(f"{address} is not the address of a Neo4j database", hint="write neo4j://host or bolt://host")
    connection = Connection(read_address(address, credentials))
    try:
        rows = connection.rows("mem0_edges")
        if not rows:
            (holds,) = connection.rows("mem0_absent")
            raise _absent(str(connection.address), holds)
    finally:
        connection.close()
    return graph_of(rows, str(connection.address))


def graph_of(rows: Sequence[Mapping[str, Any]], address: str) -> Mem0Graph:
    """Return the graph of rows as cypher/mem0_edges.cypher returns them."""
    edges = list(_edges(rows))
    return Mem0Graph(address=address, edges=_merged(edges), unusable=len(rows) - len(edges))


def _absent(address: str, holds: Mapping[str, Any]) -> NotFoundError:
    if not holds["nodes"]:
        hint = "name the database that mem0 uses: --database, NEO4J_DATABASE or neo4j://host/NAME"
        return NotFoundError(f"{address} is empty", hint=hint)
    hint = "mem0 1.x writes relationships between nodes that have a name and a user_id"
    if holds["graphiti"]:
        hint = "it is a graph of graphiti's: docs/from-graphiti.md says how to move"
    elif holds["mem0g"]:
        hint = "it is a memory of mem0g's: `mem0g copy` copies one"
    return NotFoundError(f"{address} holds no graph of mem0's", hint=hint)


def _edges(rows: Sequence[Mapping[str, Any]]) -> Iterator[Mem0Edge]:
    """Yield the rows that can be facts."""
    for row in rows:
        try:
            edge = _edge(row)
        except Mem0gError:
            continue
        yield edge


def _edge(row: Mapping[str, Any]) -> Mem0Edge:
    source, target = row["source"], row["target"]
    scope = Scope(**{key: source[key] for key in ("user_id", "agent_id", "run_id") if source[key] == target[key]})
    (subject, subject_type), (object_name, object_type) = _end(source, scope), _end(target, scope)
    words = row["relation"].replace("_", " ").strip().lower()
    triple = Triple(
        subject=subject,
        relation=row["relation"],
        object=object_name,
        text=f"{subject} {words} {object_name}.",
        subject_type=subject_type,
        object_type=object_type,
    )
    created, updated = _time(row["created_at"]), _time(row["updated_at"])
    if row["valid"] is not False:
        return Mem0Edge(scope=scope, triple=triple, created_at=created, updated_at=updated)
    ended = _time(row["invalidated_at"]) or updated or created
    return Mem0Edge(scope=scope, triple=triple, current=False, created_at=created, updated_at=updated, ended_at=ended)


def _end(node: Mapping[str, Any], scope: Scope) -> tuple[str, str]:
    """Return the name and the type of a node."""
    labels = [each for each in node["labels"] if each not in (BASE_LABEL, UNTYPED)]
    given = labels[0].replace("_", " ") if labels else ""
    if not isinstance(node["name"], str):
        raise InputError(f"the name {node['name']!r} is not text")
    name = clean_name(node["name"], given, scope)
    return name, given or ("person" if name in (scope.user_id, scope.agent_id) else "")


def clean_name(name: str, kind: str, scope: Scope) -> str:
    """Return a name of mem0's as it is written in a sentence: "Alice Smith" for alice_smith, a person.

    The user and the agent of the scope get the names that their ids are. What is not named, such as an activity, and
    what is called by a common noun stays in lower case, and a name with capitals stays as it is.
    """
    words = name.removeprefix(USER_PREFIX).replace("_", " ").split()
    plain = " ".join(words)
    for own in (scope.user_id, scope.agent_id):
        if own and fold(own.replace("_", " ")) == fold(plain):
            return own
    if plain != plain.lower() or not _is_name(words, kind_of(kind)):
        return plain
    first, *rest = words
    return " ".join([_capital(first), *(each if each in SMALL_WORDS else _capital(each) for each in rest)])


def _is_name(words: Sequence[str], kind: str) -> bool:
    """Whether a thing of this kind has these words as its name: not "sister", "her sister" or "golden retriever"."""
    if not words or words[0] in OWNERS:
        return False
    if len(words) == 1:
        return kind in NAMED | {ANIMAL} and kind_of(words[0]) == UNKNOWN
    return kind in NAMED


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _time(value: Any) -> datetime | None:
    """Return a time of mem0's: milliseconds since 1970, or what Neo4j's datetime() returned."""
    if hasattr(value, "to_native"):
        value = value.to_native()
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 253_402_300_800_000:  # year 9999
        return _EPOCH + timedelta(milliseconds=value)
    return None


def _merged(edges: Sequence[Mem0Edge]) -> tuple[Mem0Edge, ...]:
    """Return the edges, oldest first, of those with the same names the current or else the last one.

    Mem0 has two nodes of a name where its model gave it two types.
    """

    def order(edge: Mem0Edge) -> tuple[datetime, str]:
        return (edge.created_at or _EPOCH, edge.fact_id)

    kept: dict[str, Mem0Edge] = {}
    for edge in sorted(edges, key=order):
        before = kept.get(edge.fact_id)
        if before is None or edge.current or not before.current:
            kept[edge.fact_id] = edge
    return tuple(sorted(kept.values(), key=order))
