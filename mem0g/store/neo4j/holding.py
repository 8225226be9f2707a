"""Which scopes of a Neo4j database are held in memory, and how they are kept up with what is written to them.

Every search asks once for the versions of its scopes, which is all that it asks while nothing is written to them. After
a write it reads what was added and replaced since, whoever wrote; after a change that removes anything, all anew.
A transaction reads the same once it has the scope's lock, so that what it decides by is the last version.

What is large is read by a thread of its own while the server answers the searches: it takes seconds.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread, local
from time import perf_counter

from mem0g.errors import StoreError
from mem0g.model import Entity, Scope
from mem0g.store.candidates import SearchCandidates
from mem0g.store.in_memory.searching import find
from mem0g.store.neo4j.held import HeldScopes, StaleError
from mem0g.store.neo4j.reading import (
    AT_ONCE_BESIDE,
    Version,
    all_of,
    batches,
    nothing,
    read,
    read_into,
    since,
)
from mem0g.store.neo4j.rows import Row, scope_keys, scope_of
from mem0g.store.neo4j.server.connection import Run
from mem0g.store.neo4j.server.queries import AsParameter, as_vector
from mem0g.store.queries import SearchQuery, scope_text

MOST_FACTS, MOST_OTHERS = 20_000, 40_000
"""Facts, and messages, passages and entities, of scopes that are read by a search; larger ones are read beside them."""

LARGE_FACTS, LARGE_OTHERS = 100_000, 200_000
"""The same of the largest scopes that are held at all."""

NODES_A_SEARCH = 1_000
"""Nodes of a large scope that are read for each search, or window, that the server has answered. Reading them takes
about 80 ms, and a search in memory 40 ms less than one by the server, a window half a second."""

FEW_FACTS = 2_000
"""Facts that are read for a first search; scopes of more are held once they are searched twice without a write."""

NODES_A_WINDOW = 1_000
"""Nodes that are read in about the time in which the server answers the look-ups of one window. A scope is held for its
writers once those that came before would have paid for that: at worst, both together take twice the time of the one."""

MOST_SCOPES = 100
"""Scopes that one search covers and that are held together."""

MOST_ENTRIES = 5_000
"""Scopes asked for of which anything is known, if only that they are empty or too large."""

HELD_BYTES = 1 << 30
"""Memory that all that is held may take; the least recently used are dropped."""

CLOSE_SECONDS = 5.0
"""How long closing waits for what is being read."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a search, and the name and dimensions of the store's embedder."""

    candidates: SearchCandidates
    embedder: tuple[str | None, int | None]


_Current = tuple[HeldScopes | None, tuple[str | None, int | None]]


@dataclass(slots=True)
class _Entry:
    """What is held of the scopes that one scope covers, if anything, and the versions that were seen last.

    ``windows`` counts the transactions whose look-ups the server answered while nothing was held, ``nodes`` are those
    of the scope that the last of them found. ``searches`` counts the searches that it answered because the scope is
    ``too_large`` for a search to read it. A scope ``beyond`` the largest is never read.
    """

    held: HeldScopes | None = None
    versions: tuple[Version, ...] = ()
    too_large: bool = False
    beyond: bool = False
    size_in_bytes: int = 0
    windows: int = 0
    searches: int = 0
    nodes: int = 0
    lock: Lock = field(default_factory=Lock)


_Large = tuple[HeldScopes, tuple[Version, ...]]

Read = Callable[[Callable[[Run], "_Large | None"]], "_Large | None"]
"""Runs reading queries; see Connection.read."""


class Holder:
    """What is held of the scopes that were searched or written to last; thread-safe."""

    def __init__(self, as_parameter: AsParameter, read: Read) -> None:
        self._name, self._read = "held" if as_parameter is as_vector else "lts/held", read
        self._entries: OrderedDict[Scope, _Entry] = OrderedDict()
        self._lock = Lock()
        self._reader: Thread | None = None
        self._closed = Event()
        self._seen = _Seen()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let this thread ask once for the versions of a scope within the block; see Store.reading."""
        before, self._seen.states = self._seen.states, {}
        try:
            yield
        finally:
            self._seen.states = before

    def find(self, run: Run, scope: Scope, query: SearchQuery) -> Found | None:
        """Return what a search finds in memory (see Store.find); None if the server has to be asked."""
        entry = self._entry(scope)
        if entry.too_large:
            entry.searches += 1
            self._read_if_due(scope, entry)
            return None
        with self._current(run, scope, entry, searched=True) as (held, embedder):
            if held is None or held.dimensions not in (None, len(query.vectors[0])):
                return None
            return Found(find(held, query), embedder)

    def match_names(self, run: Run, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...] | None:
        """Return entities by folded names (see Store.match_names); None if the server has to be asked."""
        entry = self._entry(scope)
        if entry.too_large or (entry.held is None and entry.versions):
            return None
        with self._current(run, scope, entry) as (held, _):
            return None if held is None else held.named(names)

    def is_due(self, scope: Scope) -> bool:
        """Whether a scope is to be held for the transactions that write to it."""
        with self._lock:
            entry = self._entries.get(scope)
        if entry is None or entry.too_large or len(entry.versions) > 1 or (entry.held and _is_of(entry, scope)):
            return False
        return bool(entry.windows) and entry.windows * NODES_A_WINDOW >= entry.nodes

    def hold(self, run: Run, scope: Scope) -> None:
        """Hold a scope, if it is not too large."""
        with self._current(run, scope, self._entry(scope), due=True):
            pass

    def version(self, scope: Scope) -> str:
        """Return the version (``written_at``) that is held of exactly this scope, "" if none is."""
        with self._lock:
            entry = self._entries.get(scope)
        if entry is None:
            return ""
        with entry.lock:
            return entry.versions[0].written_at if entry.held and _is_of(entry, scope) else ""

    @contextmanager
    def in_transaction(self, run: Run, scope: Scope, found: Row) -> Iterator[HeldScopes | None]:
        """Bring what is held of exactly this scope up to date, and keep it so within the block; None if nothing is.

        ``found`` is what ``begin.cypher`` returned to the transaction, which has the scope's lock and has committed
        nothing: so there is nothing newer.
        """
        entry = self._entry(scope)
        with entry.lock:
            version = Version(scope_text(scope), found["n"], found["version"])
            if entry.held is not None and _is_of(entry, scope) and entry.versions != (version,):
                embedder = (found["embedder"], found["dimensions"])
                size = (found["facts"], found["facts"] + found["entities"], False)
                state = _State((version,), (scope,), *size, (found["changes"] or (),), embedder)
                _catch_up(run, entry, state, self._name)
                entry.size_in_bytes = entry.held.size_in_bytes if entry.held else 0
            yield entry.held if entry.versions == (version,) else None
        self._drop()

    def count(self, scope: Scope, found: Row) -> None:
        """Count a transaction whose look-ups the server answers; ``found`` is as above."""
        entry = self._entry(scope)
        entry.windows, entry.nodes = entry.windows + 1, found["entities"] + found["facts"]
        if entry.too_large:
            self._read_if_due(scope, entry)

    def close(self) -> None:
        """Stop reading, and drop everything."""
        self._closed.set()
        if self._reader:
            self._reader.join(CLOSE_SECONDS)
        self.discard()

    def _read_if_due(self, scope: Scope, entry: _Entry) -> None:
        """Begin to read a large scope if what the server has answered would have paid for it; one scope at a time."""
        with self._lock:
            due = (entry.searches + entry.windows) * NODES_A_SEARCH >= entry.nodes and not entry.beyond
            if not due or self._closed.is_set() or (self._reader and self._reader.is_alive()):
                return
            entry.searches = entry.windows = 0
            self._reader = Thread(target=self._read_large, args=(scope, entry), name="mem0g-holding", daemon=True)
            self._reader.start()

    def _read_large(self, scope: Scope, entry: _Entry) -> None:
        """Read a large scope and hold it. Others may write to it meanwhile: see ``in_transaction`` and ``_current``."""
        try:
            made = self._read(lambda run: self._large(run, scope, entry))
        except StoreError as error:  # no search needs it: the next ones count anew
            _log.warning("%s is not held in memory: %s", scope, error)
            return
        if made is None:
            return
        held, versions = made
        with entry.lock:
            entry.held, entry.versions, entry.too_large, entry.windows = held, versions, False, 0
            entry.size_in_bytes = held.size_in_bytes
        self._drop()

    def _large(self, run: Run, scope: Scope, entry: _Entry) -> _Large | None:
        """Return the nodes of a large scope, as of some versions or later; None if they cannot be held."""
        state = _State.read(run, scope, entry, large=True)
        if state.versions is None:
            return None
        rows = nothing()
        taken = 0.0
        for some in batches(all_of(state.versions), AT_ONCE_BESIDE):
            if self._closed.wait(taken):  # half of the time is left to the searches
                return None
            start = perf_counter()
            read_into(rows, run, self._name, some)
            taken = perf_counter() - start
        with suppress(StaleError):
            return _holding(state, state.versions, rows), state.versions
        return None

    @contextmanager
    def _current(
        self, run: Run, scope: Scope, entry: _Entry, *, searched: bool = False, due: bool = False
    ) -> Iterator[_Current]:
        """Bring what is held up to date, and keep it so within the block; None if nothing is held.

        With it comes the store's embedder. ``searched``: whether this is a search, of which a large scope needs two;
        ``due``: whether it is to be held now.
        """
        before, states = entry.versions, self._seen.states
        state = states.get(scope) if states else None
        if state is None or state.versions != before:
            state = _State.read(run, scope, entry)
        with entry.lock:
            if entry.versions != before and entry.versions != state.versions:
                state = _State.read(run, scope, entry)  # another thread came first
            if states is not None:
                states[scope] = state
            yield _renewed(run, entry, state, self._name, searched=searched, due=due), state.embedder
            after, entry.size_in_bytes = entry.versions, entry.held.size_in_bytes if entry.held else 0
        if after != before:
            self._drop()

    def discard(self, scope: str | None = None) -> None:
        """Drop what is held of a scope (its ``scope_text``), or of all."""
        with self._lock:
            for key, entry in list(self._entries.items()):
                if scope is None or any(each.scope == scope for each in entry.versions):
                    del self._entries[key]

    def _entry(self, scope: Scope) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(scope, _Entry())
            self._entries.move_to_end(scope)
            return entry

    def _drop(self) -> None:
        """Drop the least recently used of what takes too much memory."""
        with self._lock:
            sizes = {scope: entry.size_in_bytes for scope, entry in self._entries.items()}
            over = sum(sizes.values()) - HELD_BYTES
            for scope in list(sizes)[:-1]:
                if over <= 0 and len(self._entries) <= MOST_ENTRIES:
                    return
                over -= sizes[scope]
                del self._entries[scope]


class _Seen(local):
    """What a thread has asked for within ``reading``, by scope; None outside of it."""

    states: dict[Scope, _State] | None = None


@dataclass(frozen=True, slots=True)
class _State:
    """What ``versions.cypher`` returns; ``versions`` is None if the search covers too much to be held."""

    versions: tuple[Version, ...] | None
    scopes: tuple[Scope, ...]
    facts: int
    nodes: int
    beyond: bool
    changes: tuple[Sequence[str], ...]
    embedder: tuple[str | None, int | None]

    @property
    def is_large(self) -> bool:
        """Whether it takes too long to be read by a search."""
        return _exceed(self.facts, self.nodes - self.facts, MOST_FACTS, MOST_OTHERS)

    @classmethod
    def read(cls, run: Run, scope: Scope, entry: _Entry, *, large: bool = False) -> _State:
        """Ask the server; ``entry`` has the versions of which it is not asked what has changed since.

        What is held, or is ``large``, may be as large as what is read beside the searches.
        """
        known = [each.written_at for each in entry.versions]
        (row,) = run(_versions_of(scope), held=known, few=MOST_SCOPES, **scope_keys(scope))
        embedder, rows = (row["embedder"], row["dimensions"]), row["scopes"]
        facts, others = (sum(each[place] for each in rows) for place in (6, 7))
        beyond = len(rows) > MOST_SCOPES or _exceed(facts, others, LARGE_FACTS, LARGE_OTHERS)
        large = large or entry.held is not None
        if beyond or (not large and _exceed(facts, others, MOST_FACTS, MOST_OTHERS)):
            return cls(None, (), facts, facts + others, beyond, (), embedder)
        return cls(
            tuple(Version(each[0], each[4], each[5]) for each in rows),
            tuple(scope_of({"user_id": each[1], "agent_id": each[2], "run_id": each[3]}) for each in rows),
            facts,
            facts + others,
            beyond,
            tuple(each[8] or () for each in rows),
            embedder,
        )


def _exceed(facts: int, others: int, most_facts: int, most_others: int) -> bool:
    return facts > most_facts or others > most_others


def _versions_of(scope: Scope) -> str:
    """Return the name of the query for the versions of the scopes that ``scope`` covers."""
    if scope.user_id is not None:
        return "versions_of_user"
    return "versions_of_agent" if scope.run_id is None else "versions_of_run"


def _is_of(entry: _Entry, scope: Scope) -> bool:
    """Whether the versions that were seen last are of exactly this scope."""
    return [each.scope for each in entry.versions] == [scope_text(scope)]


def _renewed(run: Run, entry: _Entry, state: _State, name: str, *, searched: bool, due: bool) -> HeldScopes | None:
    """Return what is held, as of ``state``; None if it is not to be held."""
    if state.versions is None:
        entry.held = None
        _give_up(entry, state)
        return None
    seen, few = entry.versions, due or state.facts <= FEW_FACTS
    if (entry.held is not None and seen != state.versions) or (entry.held is None and (searched or few)):
        _catch_up(run, entry, state, name)
    if entry.held is None and state.is_large:
        _give_up(entry, state)
        return None
    if entry.held is None and (few or (searched and seen == state.versions)):
        with suppress(StaleError):
            held = _holding(state, state.versions, read(run, name, all_of(state.versions)))
            entry.held, entry.windows = held, 0
    return entry.held


def _holding(state: _State, versions: Sequence[Version], rows: Row) -> HeldScopes:
    """Return the rows of all scopes of a state, to be held. Raises StaleError if a node was removed meanwhile."""
    held = HeldScopes(state.scopes, [each.scope for each in versions], state.embedder[1])
    held.add(rows)
    return held


def _give_up(entry: _Entry, state: _State) -> None:
    """Note that what is asked for is too large to be read by a search."""
    entry.versions, entry.too_large, entry.beyond, entry.nodes = (), True, state.beyond, state.nodes


def _catch_up(run: Run, entry: _Entry, state: _State, name: str) -> None:
    """Add to what is held what was written since; hold nothing if that is not known."""
    seen, held = entry.versions, entry.held
    entry.versions, entry.held = state.versions or (), None
    with suppress(StaleError):
        added = None if held is None else since(held, seen, entry.versions, state.changes)
        if held is not None and added is not None:
            held.add(read(run, name, added))
            entry.held = held
