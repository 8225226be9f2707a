"""Search in the Neo4j store: the nearest by vector, then all candidates, in two round trips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mem0g.model import INSTRUCTS, Fact, Scope
from mem0g.store.neo4j.connection import Run
from mem0g.store.neo4j.fact_rows import fact_of
from mem0g.store.neo4j.fulltext import CURRENT as CURRENT_TOKEN
from mem0g.store.neo4j.fulltext import covered
from mem0g.store.neo4j.queries import AsParameter
from mem0g.store.neo4j.rows import Row, message_of, passage_of, scope_keys, selection_row, view_row
from mem0g.store.queries import (
    CURRENT,
    INSTRUCTION_STEM,
    MAX_WITH_STEM,
    FactCandidate,
    MessageCandidate,
    SearchCandidates,
    SearchQuery,
    Selection,
    Turns,
    View,
)

if TYPE_CHECKING:
    from mem0g.model import Vector

EXACT = 300
"""Up to this many vectors, a search compares all, which is exact: 7 ms, against 4 ms for an index of 100,000."""

OVERFETCH = 5
"""Maximum number of results requested from an index without filters, as a multiple of the vectors to search: comparing
one vector costs as much as fetching five results."""

TEXT_LIMIT = 10_000
"""Maximum of full-text hits for a view that the index cannot filter by."""

WIDER = 2
"""How many times the wanted number an index with filters looks for: of the nearest 100 of 10,000 facts it misses one or
two otherwise."""

LAST = "\U0010ffff"
"""Sorts after every scope key: keys are printable, and this is not a character."""


def find(
    run: Run, scope: Scope, query: SearchQuery, *, filters: bool, as_parameter: AsParameter
) -> tuple[SearchCandidates, tuple[str | None, int | None]]:
    """Return the candidates (see Store.find), and the name and dimensions of the store's embedder."""
    selection = query.selection
    asked = {"vector": as_parameter(query.vectors[0]), "nearness": as_parameter(_sum(query.vectors))}
    near = (
        _nearest_selected(run, scope, query, selection, asked)
        if selection
        else _nearest(run, scope, query, asked, filters=filters)
    )
    anchors = query.anchors or _anchors(near["entities"], query)
    row = _gather(run, scope, query, near, anchors, [as_parameter(vector) for vector in query.vectors])
    facts = {
        each["id"]: FactCandidate(fact_of(each), tuple(cosine or 0.0 for cosine in each["similarities"]), each["terms"])
        for each in row["facts"]
    }
    paths = _paths(row["walk"], facts, anchors)
    if selection:
        facts = _selected(run, scope, facts, selection)
    found = tuple(replace(facts[each], path=paths.get(each, ())) for each in sorted(row["found"]) if each in facts)
    traversal = tuple(facts[each] for each in row["traversal"] if each in facts)
    instructions = tuple(facts[each] for each in row["instructing"] if each in facts)
    messages, turns = _messages(row["messages"], row["passages"]), _turns(row["turns"])
    everything = SearchCandidates(found, messages, turns, traversal, instructions)
    seen = everything.without_evidence(_recorded_later(run, scope, facts.values(), query.view))
    return seen, (near["embedder"], near["dimensions"])


def walk(run: Run, scope: Scope, ids: Sequence[str], hops: int, budget: int, view: View) -> tuple[Fact, ...]:
    """Return the facts around entities (see Store.walk), in one round trip per hop."""
    found: dict[str, Fact] = {}
    reached, frontier = set(ids), list(dict.fromkeys(ids))
    for _ in range(hops):
        if not frontier or len(found) >= budget:
            break
        asked = {"ids": frontier, "limit": budget + len(found), **scope_keys(scope), **view_row(view)}
        facts = [fact_of(row["fact"]) for row in run("hop", **asked)]
        new = [fact for fact in facts if fact.id not in found][: budget - len(found)]
        found |= {fact.id: fact for fact in new}
        ends = dict.fromkeys(end for fact in new for end in (fact.subject_id, fact.object_id))
        frontier = [end for end in ends if end not in reached]
        reached.update(frontier)
    return tuple(found.values())


def _gather(
    run: Run, scope: Scope, query: SearchQuery, near: Row, anchors: Sequence[str], vectors: Sequence[Any]
) -> Row:
    """Return the nearest with what full text finds, the facts that cite them, and what the walks reach."""
    selection = query.selection
    current = (CURRENT_TOKEN,) if query.view == CURRENT else ()
    (row,) = run(
        "gather",
        near_messages=near["messages"],
        near_passages=near["passages"],
        near_facts=near["facts"],
        anchors=list(anchors),
        message_query="" if selection else covered(scope, "terms", query.terms),  # else found by full text already
        fact_query="" if selection else covered(scope, "terms", query.terms, *current),
        messages=query.messages,
        facts=query.facts,
        message_text_limit=query.messages if query.view.known_at is None else TEXT_LIMIT,
        text_limit=query.facts if current else TEXT_LIMIT,
        hops=query.hops,
        budget=query.budget,
        radius=query.radius,
        instruction_query=covered(scope, "terms", [INSTRUCTION_STEM] if query.instructions else [], *current),
        instruct=INSTRUCTS,
        max_with_stem=MAX_WITH_STEM,
        instructions=query.instructions,
        traversal=list(query.traversal.anchors),
        traversal_hops=query.traversal.hops,
        traversal_budget=query.traversal.budget,
        max_degree=query.traversal.max_degree,
        **scope_keys(scope),
        vectors=vectors,
        **view_row(query.view),
    )
    return row


def _nearest(run: Run, scope: Scope, query: SearchQuery, asked: Row, *, filters: bool) -> Row:
    near = "nearest" if filters else "lts/nearest"
    wide = {"wide_messages": WIDER * query.messages, "wide_facts": WIDER * query.facts}
    how: dict[str, Any] = {"last": LAST, **wide} if filters else {"overfetch": OVERFETCH}
    (row,) = run(
        near,
        **asked,
        anchors=0 if query.anchors else query.nearest_anchors,
        messages=query.messages,
        facts=query.facts,
        exact=EXACT,
        current_view=query.view == CURRENT,
        all_messages=query.view.known_at is None,
        **how,
        **scope_keys(scope),
        **view_row(query.view),
    )
    return row


def _nearest_selected(run: Run, scope: Scope, query: SearchQuery, selection: Selection, asked: Row) -> Row:
    """Return what ``_nearest`` does, among what is selected, with what full text finds there."""
    current = (CURRENT_TOKEN,) if query.view == CURRENT else ()
    (row,) = run(
        "nearest_selected",
        **asked,
        anchors=0 if query.anchors else query.nearest_anchors,
        messages=query.messages,
        facts=query.facts,
        message_query=covered(scope, "terms", query.terms),
        fact_query=covered(scope, "terms", query.terms, *current),
        text_limit=TEXT_LIMIT,
        facts_only=selection.facts_only,
        **scope_keys(scope),
        **view_row(query.view),
        **selection_row(selection),
    )
    return row


def _selected(
    run: Run, scope: Scope, facts: Mapping[str, FactCandidate], selection: Selection
) -> dict[str, FactCandidate]:
    """Return those of the facts that are selected, by id."""
    rows = run("selected_facts", ids=sorted(facts), **scope_keys(scope), **selection_row(selection))
    return {row["id"]: facts[row["id"]] for row in rows}


def _sum(vectors: Sequence[Vector]) -> Vector:
    """Return a vector whose cosines rank texts as the sums of their cosines with each of ``vectors`` do."""
    total: Vector = sum(vectors[1:], start=vectors[0])
    return total if total.any() else vectors[0]


def _anchors(entities: Sequence[Row], query: SearchQuery) -> tuple[str, ...]:
    near = sorted(entities, key=lambda each: (-each["similarity"], each["id"]))[: query.nearest_anchors]
    return tuple(each["id"] for each in near if each["similarity"] >= query.anchor_similarity)


def _messages(rows: Sequence[Row], parts: Sequence[Row]) -> tuple[MessageCandidate, ...]:
    """Return the messages, and in place of those with passages the passages found, in order."""
    passages: dict[str, list[Row]] = {}
    for part in sorted(parts, key=lambda part: part["start"]):
        passages.setdefault(part["message_id"], []).append(part)
    found = []
    for row in sorted(rows, key=lambda row: row["id"]):
        message = message_of(row)
        for each in passages.get(row["id"], [row]):
            cosines = None if None in each["similarities"] else tuple(each["similarities"])
            passage = None if each is row else passage_of(each)
            found.append(MessageCandidate(message, cosines, each["terms"], row["outdated"], passage))
    return tuple(found)


def _recorded_later(run: Run, scope: Scope, facts: Iterable[FactCandidate], view: View) -> frozenset[str]:
    """Return the ids of the facts' evidence that was recorded after the view's ``known_at``."""
    if view.known_at is None:
        return frozenset()
    cited = sorted({each for found in facts for each in found.fact.evidence})
    messages = [message_of(row["message"]) for row in run("messages", ids=cited, **scope_keys(scope))]
    return frozenset(message.id for message in messages if not message.was_known(view.known_at))


def _turns(sessions: Sequence[list[Any]]) -> Turns:
    """Return the turns in order of place, of rows in any order: one a session."""
    ids: list[str] = []
    numbers: list[int] = []
    positions: list[int] = []
    terms: list[str] = []
    noted: list[str] = []
    for number, (*_, known, places, stems, with_metadata) in enumerate(sorted(sessions, key=lambda row: row[:3])):
        order = sorted(range(len(places)), key=places.__getitem__)
        ids += [known[each] for each in order]
        numbers += [number] * len(order)
        positions += [places[each] for each in order]
        terms += [stems[each] for each in order]
        noted += with_metadata
    return Turns(tuple(ids), tuple(numbers), tuple(positions), tuple(terms), tuple(noted))


def _paths(
    walk: Sequence[Sequence[str]], facts: Mapping[str, FactCandidate], anchors: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the path of names from an anchor to each fact of the walk, whose facts are given hop by hop."""
    paths: dict[str, tuple[str, ...]] = {}
    reached: dict[str, tuple[str, ...]] = dict.fromkeys(anchors, ())
    for hop in walk:
        for fact in (facts[each].fact for each in hop):
            ends = ((fact.subject_id, fact.subject), (fact.object_id, fact.object))
            (near, near_name), (far, far_name) = ends if fact.subject_id in reached else ends[::-1]
            paths[fact.id] = (*(reached[near] or (near_name,)), fact.relation, far_name)
            reached.setdefault(far, paths[fact.id])
    return paths
