"""Search in the Neo4j store: ids by vector and full text, then the rows that are not kept, in two round trips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mem0g.model import INSTRUCTS, Fact, Scope
from mem0g.store.candidates import FactCandidate, MessageCandidate, SearchCandidates
from mem0g.store.neo4j.candidates import paths_of, turns_of, with_passages
from mem0g.store.neo4j.fact_rows import fact_of
from mem0g.store.neo4j.fulltext import CURRENT as CURRENT_TOKEN
from mem0g.store.neo4j.fulltext import covered
from mem0g.store.neo4j.holding import Found
from mem0g.store.neo4j.kept import KeptRows, KeptScopes, Wanted
from mem0g.store.neo4j.rows import Row, message_of, named, passage_of, scope_keys, selection_row, view_row
from mem0g.store.neo4j.server.connection import Run
from mem0g.store.neo4j.server.queries import AsParameter, as_vector
from mem0g.store.queries import CURRENT, INSTRUCTION_STEM, MAX_WITH_STEM, SearchQuery, Selection, View

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

FEW_SCOPES = 20
"""Up to this many scopes have the rows of their searches kept."""


def find(
    run: Run, scope: Scope, query: SearchQuery, kept: KeptScopes, *, filters: bool, as_parameter: AsParameter
) -> Found:
    """Return the candidates (see Store.find), found by the server.

    Rows that were read before and are kept are not read again.
    """
    asked = {
        "vector": as_parameter(query.vectors[0]),
        "nearness": as_parameter(_sum(query.vectors)),
        **_walks(scope, query),
    }
    if query.selection:
        near = _nearest_selected(run, scope, query, query.selection, asked)
    else:
        held = kept.held(scope, query)
        near = _nearest(run, scope, query, asked, held, filters=filters)
    gather = partial(_gather, run, "gather" if filters and as_parameter is as_vector else "lts/gather", query)
    rows = kept.rows(scope, query, near.get("versions"))
    if rows is None:
        found = _found(run, scope, query, near, gather, [as_parameter(vector) for vector in query.vectors])
    else:
        found = rows.find(query, near, lambda wanted: _wanted(gather, query, wanted))
    return Found(found, (near["embedder"], near["dimensions"]))


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


def _found(
    run: Run, scope: Scope, query: SearchQuery, near: Row, gather: Callable[..., Row], vectors: Sequence[Any]
) -> SearchCandidates:
    """Return the candidates, given those found by vector, full text and the walks; all their rows are read."""
    reached = dict.fromkeys([*near["facts"], *(each for hop in near["walk"] for each in hop)])
    row = gather(
        messages=near["messages"],
        passages=near["passages"],
        facts=list(reached),
        others=[*near["traversal"], *near["instructions"]],
        vectors=vectors,
        most_citing=query.facts,
        keep=False,
    )
    facts = {
        each["id"]: FactCandidate(fact_of(each), tuple(cosine or 0.0 for cosine in each["similarities"]), each["terms"])
        for each in row["facts"]
    }
    paths = paths_of(near["walk"], facts, near["anchors"])
    if query.selection:
        facts = _selected(run, scope, facts, query.selection)
    messages = (
        MessageCandidate(message_of(each), _cosines(each), each["terms"], each["outdated"]) for each in row["messages"]
    )
    found = SearchCandidates(
        tuple(
            replace(facts[each], path=paths.get(each, ()))
            for each in sorted(reached.keys() | set(row["citing"]))
            if each in facts
        ),
        with_passages(messages, ((passage_of(each), _cosines(each), each["terms"]) for each in row["passages"])),
        turns_of(((scope, source, session), said) for scope, source, session, said in row["turns"]),
        tuple(facts[each] for each in near["traversal"] if each in facts),
        tuple(facts[each] for each in near["instructions"] if each in facts),
    )
    return found.without_evidence(_recorded_later(run, scope, facts.values(), query.view))


def _wanted(gather: Callable[..., Row], query: SearchQuery, wanted: Wanted) -> Row:
    """Return what is wanted to keep; no cosines, as the embeddings are kept too."""
    return gather(
        messages=wanted.messages,
        passages=wanted.passages,
        facts=wanted.facts,
        others=(),
        vectors=(),
        most_citing=query.facts,
        keep=True,
    )


def _gather(run: Run, name: str, query: SearchQuery, *, keep: bool, **given: Sequence[Any] | int) -> Row:
    """Return the row of ``gather``: these messages, passages and facts, and what cites them.

    ``name`` is that of the query; ``lts/gather`` returns embeddings as lists, not as vectors.
    """
    (row,) = run(
        name,
        radius=query.radius,
        all_messages=query.view.known_at is None,
        keep=keep,
        **{key: value if isinstance(value, int) else list(value) for key, value in given.items()},
        **view_row(query.view),
    )
    return row | {kind: named(row[f"of_{kind}"], row[kind]) for kind in ("messages", "passages", "facts")}


def _walks(scope: Scope, query: SearchQuery) -> Row:
    """Return the parameters of the walk, the traversal and the instructions."""
    current = (CURRENT_TOKEN,) if query.view == CURRENT else ()
    return {
        "current_view": query.view == CURRENT,
        "anchors": list(query.anchors),
        "nearest_anchors": 0 if query.anchors else query.nearest_anchors,
        "anchor_similarity": query.anchor_similarity,
        "hops": query.hops,
        "budget": query.budget,
        "traversal": list(query.traversal.anchors),
        "traversal_hops": query.traversal.hops,
        "traversal_budget": query.traversal.budget,
        "max_degree": query.traversal.max_degree,
        "instruction_query": covered(scope, "terms", [INSTRUCTION_STEM] if query.instructions else [], *current),
        "instruct": INSTRUCTS,
        "max_with_stem": MAX_WITH_STEM,
        "instructions": query.instructions,
    }


def _nearest(run: Run, scope: Scope, query: SearchQuery, asked: Row, held: KeptRows | None, *, filters: bool) -> Row:
    """Return the row of ``nearest``, in which what ``held`` has of the walks is taken from there."""
    near = "nearest" if filters else "lts/nearest"
    current = (CURRENT_TOKEN,) if query.view == CURRENT else ()
    wide = {"wide_messages": WIDER * query.messages, "wide_facts": WIDER * query.facts}
    how: dict[str, int] = wide if filters else {"overfetch": OVERFETCH}
    known = held.walks(query) if held else {}
    (row,) = run(
        near,
        **asked,
        messages=query.messages,
        facts=query.facts,
        exact=EXACT,
        all_messages=query.view.known_at is None,
        message_query=covered(scope, "terms", query.terms),
        fact_query=covered(scope, "terms", query.terms, *current),
        message_text_limit=query.messages if query.view.known_at is None else TEXT_LIMIT,
        text_limit=query.facts if current else TEXT_LIMIT,
        few=FEW_SCOPES,
        held=[list(each) for each in held.versions] if held else [],
        known=list(known),
        **how,
        **scope_keys(scope),
        **view_row(query.view),
    )
    return row | {name: known[name] for name in row["known"]} | ({"anchors": query.anchors} if query.anchors else {})


def _nearest_selected(run: Run, scope: Scope, query: SearchQuery, selection: Selection, asked: Row) -> Row:
    """Return what ``_nearest`` does, among what is selected, with what full text finds there."""
    current = (CURRENT_TOKEN,) if query.view == CURRENT else ()
    (row,) = run(
        "nearest_selected",
        **asked,
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
    return row | ({"anchors": query.anchors} if query.anchors else {})


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


def _cosines(row: Row) -> tuple[float, ...] | None:
    return None if None in row["similarities"] else tuple(row["similarities"])


def _recorded_later(run: Run, scope: Scope, facts: Iterable[FactCandidate], view: View) -> frozenset[str]:
    """Return the ids of the facts' evidence that was recorded after the view's ``known_at``."""
    if view.known_at is None:
        return frozenset()
    cited = sorted({each for found in facts for each in found.fact.evidence})
    messages = [message_of(row["message"]) for row in run("messages", ids=cited, **scope_keys(scope))]
    return frozenset(message.id for message in messages if not message.was_known(view.known_at))
