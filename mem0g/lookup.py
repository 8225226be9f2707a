"""Look up what a caller names: a scope, an entity, a fact, a message or a decision; and names that may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypedDict

from mem0g.errors import NotFoundError, ScopeError, quoted
from mem0g.model import MAX_NAME_LENGTH, Decision, Entity, Fact, Message, Scope
from mem0g.relations.relation_type import RelationType
from mem0g.store.protocol import Store
from mem0g.store.queries import FactFilter, View
from mem0g.text.names import fold, is_user

NAMES_COMPARED = 1000
"""Entities, those with the most facts, whose names are compared with a name that is not known."""

SCOPES_COMPARED = 10_000
"""Scopes whose keys are compared with those of an empty scope."""

SPELT_ALIKE = 0.65
"""Ratio of difflib from which two names are spelt alike: "aleks" and "alex" have 0.67, "Tom" and "Tim" too."""

MAX_FACTS = 100_000
"""Facts of an entity whose messages are looked up."""

MOST_STATING = 10
"""Messages named after an erasure, see ``messages_stating``; an entity may have hundreds."""

PAGE = 1000
"""Decisions of the log that are read at a time."""


class ScopeKeys(TypedDict):
    """A scope as the keyword arguments of Memory's methods."""

    user_id: str | None
    agent_id: str | None
    run_id: str | None


def scope_keys(scope: Scope) -> ScopeKeys:
    """Return the scope as keyword arguments."""
    return {"user_id": scope.user_id, "agent_id": scope.agent_id, "run_id": scope.run_id}


def scope_or_all(user_id: str | None, agent_id: str | None, run_id: str | None, *, all_scopes: bool) -> Scope | None:
    """Return the scope of the keys, or None, which stands for the whole store, when ``all_scopes`` asks for it.

    Raises ScopeError when both are given or neither is: a forgotten key must not open the whole store.
    """
    if user_id is None and agent_id is None and run_id is None:
        if all_scopes:
            return None
        hint = "name a user, an agent or a run (--user, --agent, --run), or ask for the whole store (--all)"
        raise ScopeError("no scope given", hint=hint)
    scope = Scope(user_id, agent_id, run_id)
    if all_scopes:
        raise ScopeError(f"both the scope {scope} and the whole store were asked for", hint="leave out one of them")
    return scope


def find_entity(store: Store, scope: Scope, wanted: str) -> Entity:
    """Return the entity with this name, this id, or an id that starts so.

    Of several with the name, one whose own name it is comes before one that has it as an alias, then the one updated
    last. Raises NotFoundError when there is none.
    """
    return find_entities(store, scope, wanted)[0]


def find_entities(store: Store, scope: Scope, wanted: str) -> tuple[Entity, ...]:
    """Return the entities with this name in every scope covered, that of ``find_entity`` first; or the one of an id.

    In a scope where it is some entity's own name, entities that have it only as an alias are left out. "I", "me" and
    "the user", where nothing has that name, are the scope's user. Raises NotFoundError when there is none.
    """
    found = _entities_by_name(store, scope, wanted)
    if not found and scope.user_id and is_user(wanted):
        found = _entities_by_name(store, scope, scope.user_id)
    return found or (_entity_by_id(store, scope, wanted),)


def _entities_by_name(store: Store, scope: Scope, name: str) -> tuple[Entity, ...]:
    folded = fold(name)
    named = store.match_names(scope, [folded])
    exact = {each.scope for each in named if fold(each.name) == folded}
    meant = [each for each in named if fold(each.name) == folded or each.scope not in exact]
    return tuple(sorted(meant, key=lambda each: (fold(each.name) == folded, each.updated_at), reverse=True))


def _entity_by_id(store: Store, scope: Scope, wanted: str) -> Entity:
    found = store.entities(scope, ids_starting(store, scope, wanted, "e_"))
    if len(found) == 1 and found[0].is_literal:
        hint = "`mem0g facts` lists the facts; name the fact, or the entity it is about"
        raise NotFoundError(f"{quoted(found[0].name)} is the value of a fact, not an entity", hint=hint)
    if len(found) != 1:
        meant = did_you_mean(near_entities(store, scope, wanted))
        raise NotFoundError(f"no entity {quoted(wanted)} in {scope}", hint=f"{meant}`mem0g entities` lists them")
    return _entity_by_id(store, scope, found[0].merged_into) if found[0].merged_into else found[0]


def near_entities(store: Store, scope: Scope, wanted: str) -> list[str]:
    """Return up to three names of entities of the scope that ``wanted`` may mean, see ``near_names``."""
    entities = store.list_entities(scope, NAMES_COMPARED)
    return near_names(wanted, (name for entity, _ in entities for name in entity.names))


def check_relation(store: Store, scope: Scope, wanted: RelationType, known: Sequence[RelationType]) -> None:
    """Raise NotFoundError for a relation that is not one of ``known``, and of which the scope has no fact.

    For people, who misspell: to a program a relation that nothing has yet is no mistake.
    """
    used = store.stats(scope).relations
    if wanted in known or wanted.name in used:
        return
    meant = did_you_mean(near_names(wanted.name, [*used, *(each.name for each in known)]))
    raise NotFoundError(f"no relation {quoted(wanted.name)} in {scope}", hint=f"{meant}`mem0g relations` lists them")


def near_scopes(store: Store, scope: Scope) -> list[str]:
    """Return up to three users, agents or runs of the store that those of ``scope`` may mean, as in "user alex".

    Only for the owner of the store: users of one scope must not learn about others.
    """
    keys = scope_keys(scope)
    kinds = {"user_id": "user", "agent_id": "agent", "run_id": "run"}
    others = [scope_keys(each) for each in store.scopes()[:SCOPES_COMPARED]]
    found: list[str] = []
    for key, given in keys.items():
        known = dict.fromkeys(str(other[key]) for other in others if other[key] and other[key] != given)  # type: ignore[literal-required]
        found += [f"{kinds[key]} {quoted(name)}" for name in near_names(str(given), known)] if given else []
    return found[:3]


def near_names(wanted: str, names: Iterable[str]) -> list[str]:
    """Return up to three of ``names`` that ``wanted`` may mean: those that contain it, then those spelt alike.

    Names are compared folded; whole words come before parts of words: "Tom" is nearer to "Tom 🚲" than to "tomato".
    Nothing is near to a text that is too long for a name.
    """
    import difflib

    by_folded = {fold(each): each for each in reversed(list(names))}
    folded = fold(wanted)
    if not folded or len(folded) > MAX_NAME_LENGTH:
        return []
    word = re.compile(rf"(?<!\w){re.escape(folded)}(?!\w)")
    containing = sorted((each for each in by_folded if folded in each), key=lambda each: word.search(each) is None)
    alike = difflib.get_close_matches(folded, list(by_folded), n=3, cutoff=SPELT_ALIKE)
    return [by_folded[each] for each in dict.fromkeys([*containing[:3], *alike])][:3]


def did_you_mean(names: Iterable[str]) -> str:
    """Return "did you mean 'Tom 🚲'? " for a hint, "" without names."""
    listed = " or ".join(map(quoted, names))
    return f"did you mean {listed}? " if listed else ""


def namesakes(store: Store, scope: Scope, entity_id: str, name: str, home: Scope) -> set[str]:
    """Return ``entity_id`` and the ids of the entities of that name in the scopes covered other than ``home``."""
    return {entity_id, *(each.id for each in _entities_by_name(store, scope, name) if each.scope != home)}


def find_fact(store: Store, scope: Scope, wanted: str) -> Fact:
    """Return the fact of an id or the start of one. Raises NotFoundError when there is none, or several."""
    found = store.facts(scope, ids_starting(store, scope, wanted, "f_"))
    if len(found) != 1:
        problem = (
            f"{quoted(wanted)} is the start of several facts' ids" if found else f"no fact {quoted(wanted)} in {scope}"
        )
        raise NotFoundError(problem, hint="`mem0g facts` and `mem0g search` show ids")
    return found[0]


def find_message(store: Store, scope: Scope, wanted: str) -> Message:
    """Return the message of an id or the start of one. Raises NotFoundError when there is none, or several."""
    found = store.messages(scope, ids_starting(store, scope, wanted, "m_"))
    if len(found) != 1:
        several = f"{quoted(wanted)} is the start of several messages' ids"
        problem = several if found else f"no message {quoted(wanted)} in {scope}"
        raise NotFoundError(problem, hint="`mem0g messages` lists them")
    return found[0]


def read_decision(store: Store, scope: Scope, wanted: str) -> Decision:
    """Return the decision of an id or the start of one. Raises NotFoundError when there is none, or several."""
    _, decision_id = find_decision(store, scope, wanted)
    offset = 0
    while page := store.log(scope, PAGE, offset):
        for decision in page:
            if decision.id == decision_id:
                return decision
        offset += PAGE
    raise NotFoundError(f"no decision {quoted(wanted)} in {scope}", hint="`mem0g log` lists them")


def find_decision(store: Store, scope: Scope, wanted: str) -> tuple[Scope, str]:
    """Return the exact scope and the id of the decision of an id or the start of one.

    Raises NotFoundError when there is none, or several.
    """
    ids = ids_starting(store, scope, wanted, "d_")
    homes = store.homes(scope, ids)
    if len(ids) != 1 or not homes:
        problem = (
            f"{quoted(wanted)} is the start of several decisions' ids"
            if len(ids) > 1
            else f"no decision {quoted(wanted)} in {scope}"
        )
        raise NotFoundError(problem, hint="`mem0g log` lists them")
    return homes[ids[0]], ids[0]


def messages_stating(store: Store, scope: Scope, wanted: str) -> tuple[str, ...]:
    """Return the ids of the messages that state a fact, or the facts of an entity: those that stay when it is erased.

    ``wanted`` is an id or the start of one. Returns none for a message, and for what is not known.
    """
    ids = ids_starting(store, scope, wanted, "e_", "f_")
    if len(ids) != 1:
        return ()
    every = FactFilter(entity_ids=ids, view=View(include_retired=True))
    stating = store.facts(scope, ids) if ids[0].startswith("f_") else store.list_facts(scope, every, MAX_FACTS)
    return tuple(dict.fromkeys(message for fact in stating for message in fact.evidence))


def ids_starting(store: Store, scope: Scope, wanted: str, *kinds: str) -> tuple[str, ...]:
    """Return up to two ids of these kinds ("f_" for facts) that start with ``wanted``; none for text that is not an id.

    A bare prefix is not an id, even where the scope has only one of that kind.
    """
    known = wanted.startswith(kinds) and wanted.isascii() and wanted.isprintable()
    found = store.ids_with_prefix(scope, wanted, 2) if known else ()
    return () if wanted in kinds and len(found) == 1 else found
