"""Check and repair the contents of a store: the invariants of docs/guarantees.md that are the same for every store.

``Store.verify`` checks what is specific to a kind of store, such as indexes and derived rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from mem0g.ingest.input_messages import SOURCE as ADDED
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.store.change import Change
from mem0g.store.protocol import Problem, Store, commit
from mem0g.store.records import Done, PendingWindow

ERASE = "restore a backup; a fact without a source can be removed with `mem0g erase`"
REINDEX = "`mem0g reindex` embeds everything again"


def verify(store: Store) -> tuple[Problem, ...]:
    """Return everything that is wrong: first with the store's own tables or indexes, then with its contents."""
    own = store.verify()
    if any(problem.kind in ("file", "vector size") for problem in own):
        return own  # the rest cannot be read until these are repaired
    return (*own, *(problem for problem, _ in _Contents.of(store, own).faults()))


def repair(store: Store, at: datetime) -> tuple[Problem, ...]:
    """Repair what can be repaired; return the problems that were. Deletes no fact and no message.

    ``at`` is the recorded time of what is written.
    """
    mended = list(store.repair())
    for problem, mending in list(_Contents.of(store, store.verify()).faults(at)):
        if mending is not None:
            commit(store, mending)
            mended.append(problem)
    return tuple(mended)


Fault = tuple[Problem, Change | None]


@dataclass
class _Contents:
    """The contents of a store, by id."""

    dimensions: int | None
    unreadable: frozenset[str]
    messages: dict[str, tuple[Scope, Message]] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    successions: list[Succession] = field(default_factory=list)
    decisions: list[tuple[Scope, Decision]] = field(default_factory=list)
    windows: list[PendingWindow] = field(default_factory=list)
    vectors: set[str] = field(default_factory=set)
    homes: dict[str, set[Scope]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Store, own: tuple[Problem, ...]) -> _Contents:
        """Read a snapshot. The records in the problems ``own`` exist, though a snapshot may leave them out."""
        held = cls(store.info().dimensions, frozenset(each for problem in own for each in problem.ids))
        with store.snapshot() as snapshot:
            for change in snapshot.changes:
                held.messages |= {each.id: (change.scope, each) for each in change.messages}
                held.entities |= {each.id: each for each in change.entities}
                held.facts |= {each.id: each for each in change.facts}
                held.successions += change.successions
                held.decisions += [(change.scope, each) for each in change.decisions]
                held.windows += change.windows
                held.vectors |= {each for each, vector in change.vectors.items() if len(vector) == held.dimensions}
                records: tuple[Message | Entity | Fact, ...] = (*change.messages, *change.entities, *change.facts)
                for each in records:
                    held.homes.setdefault(each.id, set()).add(change.scope)
        return held

    def faults(self, at: datetime | None = None) -> Iterator[Fault]:
        """Yield each problem with the change that repairs it (recorded at ``at``), or None."""
        yield from self._ids()
        yield from self._merges()
        yield from self._ends()
        yield from self._evidence()
        yield from self._retirements(at)
        yield from self._places()
        yield from self._decisions()
        yield from self._windows()
        yield from self._vectors()

    def _ids(self) -> Iterator[Fault]:
        for each, scopes in self.homes.items():
            if len(scopes) > 1:
                text = f"{each} is in several scopes: {'; '.join(sorted(map(str, scopes)))}"
                yield Problem(kind="id in two scopes", text=text, hint=ERASE, ids=(each,), mendable=False), None

    def _root(self, entity: Entity) -> Entity | None:
        """Return the last entity in the chain of merges; None if the chain is broken or circular."""
        passed = {entity.id}
        while entity.merged_into is not None:
            found = self.entities.get(entity.merged_into)
            if found is None or found.id in passed or found.scope != entity.scope:
                return None
            passed.add(found.id)
            entity = found
        return entity

    def _merges(self) -> Iterator[Fault]:
        for entity in self.entities.values():
            if self._root(entity) is None:
                text = f"{entity.id} ({entity.name}) was merged into {entity.merged_into}, which leads to no entity"
                alone = Change(scope=entity.scope, entities=(replace(entity, merged_into=None),))
                hint = "`mem0g repair` makes it a separate entity again"
                yield Problem(kind="merge", text=text, hint=hint, ids=(entity.id,), scope=entity.scope), alone

    def _ends(self) -> Iterator[Fault]:
        for fact in self.facts.values():
            for end in dict.fromkeys((fact.subject_id, fact.object_id)):
                entity = self.entities.get(end)
                if entity is None or entity.scope != fact.scope:
                    text = f"the end {end} of {fact.id} is in another scope than the fact"
                    ids = (fact.id, end)
                    yield Problem(kind="end", text=text, hint=ERASE, ids=ids, scope=fact.scope, mendable=False), None
                elif entity.merged_into is not None and (root := self._root(entity)) is not None:
                    text = f"{fact.id} is of {end} ({entity.name}), which was merged into {root.id}"
                    moved = Change(scope=fact.scope, merges=((end, root.id),))
                    yield Problem(kind="end", text=text, ids=(fact.id, end), scope=fact.scope), moved

    def _evidence(self) -> Iterator[Fault]:
        for fact in self.facts.values():
            for each in fact.evidence:
                if each in self.messages and not fact.scope.covers(self.messages[each][0]):
                    text = f"{fact.id} cites the message {each} of {self.messages[each][0]}, outside its scope"
                    ids = (fact.id, each)
                    yield (
                        Problem(kind="evidence", text=text, hint=ERASE, ids=ids, scope=fact.scope, mendable=False),
                        None,
                    )

    def _retirements(self, at: datetime | None) -> Iterator[Fault]:
        explained = {each.fact_id for each in self.successions}
        for fact in self.facts.values():
            if fact.retired_at is not None and fact.id not in explained:
                text = f"{fact.id} is retired without a recorded reason"
                why = Succession(
                    fact_id=fact.id,
                    successor_id=None,
                    reason="not known: the record of it was lost",
                    decided_by="repair",
                    at=at or fact.retired_at,
                )
                link = Change(scope=fact.scope, successions=(why,))
                hint = "`mem0g repair` records that the reason is unknown"
                yield Problem(kind="retirement", text=text, hint=hint, ids=(fact.id,), scope=fact.scope), link

    def _places(self) -> Iterator[Fault]:
        taken: dict[tuple[Scope, str, int], str] = {}
        for scope, message in self.messages.values():
            if message.source != ADDED:
                continue  # a transcript that was edited and read again has other words at the same place
            first = taken.setdefault((scope, message.session, message.position), message.id)
            if first != message.id:
                text = f"{first} and {message.id} are both number {message.position} of the session {message.session!r}"
                hint = "both are kept and found; which came first is not known"
                ids = (first, message.id)
                yield Problem(kind="place", text=text, hint=hint, ids=ids, scope=scope, mendable=False), None

    def _decisions(self) -> Iterator[Fault]:
        for scope, decision in self.decisions:
            there = decision.fact_id in self.facts or decision.fact_id in self.unreadable
            if decision.fact_id and decision.triple and not there:
                text = f"{decision.id} quotes the fact {decision.fact_id}, which does not exist"
                hint = "restore a backup if the fact should be there; `mem0g erase` removes the decision"
                ids = (decision.id, decision.fact_id)
                yield Problem(kind="decision", text=text, hint=hint, ids=ids, scope=scope, mendable=False), None

    def _windows(self) -> Iterator[Fault]:
        for window in self.windows:
            messages, context = (
                tuple(each for each in ids if each in self.messages) for ids in (window.messages, window.context)
            )
            if (messages, context) != (window.messages, window.context):
                text = f"the window {window.id} waits for messages that do not exist"
                hint = "`mem0g repair` keeps only the messages that exist"
                kept = Change(scope=window.scope, windows=(replace(window, messages=messages, context=context),))
                settled = messages or window.state == "buffered"
                mended = kept if settled else Change(scope=window.scope, done=(Done("window", window.id),))
                yield Problem(kind="window", text=text, hint=hint, ids=(window.id,), scope=window.scope), mended

    def _vectors(self) -> Iterator[Fault]:
        if self.dimensions is None:
            return
        found = [each.id for each in self.entities.values() if each.merged_into is None and not each.is_literal]
        for kind, ids in (("messages", self.messages), ("entities", found), ("facts", self.facts)):
            missing = tuple(each for each in ids if each not in self.vectors and not self._embedded_in_parts(each))
            if missing:
                text = (
                    f"{len(missing)} {kind} have no vector of {self.dimensions} dimensions: only full text finds them"
                )
                yield Problem(kind="vector", text=text, hint=REINDEX, ids=missing, mendable=False), None

    def _embedded_in_parts(self, message: str) -> bool:
        """Whether a message is stored in passages that all have vectors."""
        if message not in self.messages:
            return False
        passages = self.messages[message][1].passages()
        return bool(passages) and all(each.id in self.vectors for each in passages)
