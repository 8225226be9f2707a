"""Which rows of searches the Neo4j store keeps, and until when."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mem0g.model import Scope
from mem0g.store.candidates import SearchCandidates
from mem0g.store.neo4j.kept import MOST, MOST_SCOPES, ROWS_OF_A_LIST, KeptRows, KeptScopes, cosines_of
from mem0g.store.queries import EVERYTHING, SearchQuery, Selection, View
from mem0g.store.queries import scope_text as text_of
from tests.making import ANN, AT, BOB, vector

PROBE = SearchQuery(vectors=(vector("tea"),), terms=("tea",))
NOTHING: dict[str, list[object]] = {
    **{kind: [] for kind in ("messages", "passages", "facts", "traversal", "instructions")},
    "walk": [[], [], []],
}
FIRST, SECOND = [["user_id=ann", 7, "2024-06-01T12:00:00.001Z"]], [["user_id=ann", 7, "2024-06-01T12:00:00.002Z"]]


def test_the_first_search_of_a_version_keeps_nothing() -> None:
    """Rows are kept from the second search on, and until anything is written."""
    kept = KeptScopes()
    assert kept.rows(ANN, PROBE, FIRST) is None
    rows = kept.rows(ANN, PROBE, FIRST)
    assert rows is not None
    assert kept.rows(ANN, PROBE, FIRST) is rows
    assert kept.rows(ANN, PROBE, SECOND) is None
    assert kept.rows(ANN, PROBE, SECOND) is not rows


def test_each_scope_and_view_has_its_own_rows() -> None:
    """Rows of one scope, of one view, or for turns of another radius are never those of another."""
    kept = KeptScopes()
    asked = [(ANN, PROBE), (ANN, replace(PROBE, view=EVERYTHING)), (ANN, replace(PROBE, radius=3)), (BOB, PROBE)]
    for scope, query in asked:
        assert kept.rows(scope, query, FIRST) is None
    assert len({id(kept.rows(scope, query, FIRST)) for scope, query in asked}) == len(asked)


@pytest.mark.parametrize("query", [replace(PROBE, view=View(as_of=AT)), replace(PROBE, selection=Selection(roles=()))])
def test_searches_of_a_moment_or_a_selection_keep_nothing(query: SearchQuery) -> None:
    """Their rows serve no other search."""
    kept = KeptScopes()
    assert [kept.rows(ANN, query, FIRST) for _ in range(3)] == [None] * 3


def test_many_scopes_keep_nothing() -> None:
    """The server returns no versions of many scopes."""
    kept = KeptScopes()
    assert [kept.rows(ANN, PROBE, None) for _ in range(3)] == [None] * 3


def test_rows_of_a_scope_are_discarded() -> None:
    """A write to a scope discards its rows at once; what is forgotten discards all."""
    kept = KeptScopes()
    for scope in (ANN, BOB):
        for _ in range(2):
            kept.rows(scope, PROBE, [[text_of(scope), 1, ""]])
    held = kept.rows(BOB, PROBE, [[text_of(BOB), 1, ""]])
    kept.discard(text_of(ANN))
    assert kept.rows(ANN, PROBE, [[text_of(ANN), 1, ""]]) is None
    assert kept.rows(BOB, PROBE, [[text_of(BOB), 1, ""]]) is held
    kept.discard()
    assert kept.rows(BOB, PROBE, [[text_of(BOB), 1, ""]]) is None


def test_walks_are_known_from_the_same_start() -> None:
    """What a walk reaches is kept by its anchors; those of the nearest names are not known before they are found."""
    rows = KeptRows([])
    named = replace(PROBE, anchors=("e_ann",))
    for query in (named, PROBE):
        assert rows.find(query, {**NOTHING, "anchors": query.anchors}, lambda wanted: {}) == SearchCandidates((), ())
    others: dict[str, object] = {"traversal": [], "instructions": []}
    assert rows.walks(named) == {"walk": [[], [], []], **others}
    assert rows.walks(replace(PROBE, anchors=("e_bob",))) == others
    assert rows.walks(PROBE) == others


def test_few_rows_are_kept() -> None:
    """More rows than are kept in all drop those of the scopes that were searched longest ago."""
    kept = KeptScopes()
    scopes = [Scope(user_id=name) for name in ("ann", "bob", "cy")]
    for scope in scopes:
        kept.rows(scope, PROBE, FIRST)
        rows = kept.rows(scope, PROBE, FIRST)
        assert rows is not None
        rows.facts.update(dict.fromkeys(map(str, range(MOST // 2))))
    assert kept.rows(scopes[2], PROBE, FIRST) is rows
    assert kept.rows(scopes[0], PROBE, FIRST) is None


def test_many_questions_about_one_scope() -> None:
    """The walks of ever new questions count too: where there are too many, all is read anew."""
    kept = KeptScopes()
    kept.rows(ANN, PROBE, FIRST)
    rows = kept.rows(ANN, PROBE, FIRST)
    assert rows is not None
    rows.lists.update({("walk", number): [["f"]] for number in range(MOST // ROWS_OF_A_LIST + 1)})
    anew = kept.rows(ANN, PROBE, FIRST)
    assert anew is not None
    assert len(anew) == 0


def test_few_scopes_are_kept() -> None:
    """A process that searches the memories of many users keeps the versions of those searched last."""
    kept = KeptScopes()
    for number in range(MOST_SCOPES + 1):
        kept.rows(Scope(user_id=f"user {number}"), PROBE, FIRST)
    assert kept.rows(Scope(user_id="user 1"), PROBE, FIRST) is not None
    assert kept.rows(Scope(user_id="user 0"), PROBE, FIRST) is None


def test_cosines() -> None:
    """Cosines are those that the server computes; of no vector there are none."""
    tea, cup = vector("tea"), vector("a cup of tea")
    known, nothing = cosines_of([cup, None], [cup, tea])
    assert known is not None
    own, near = known
    assert own == pytest.approx(1)
    assert near == pytest.approx(float(np.dot(cup, tea)), abs=1e-6)
    assert nothing is None
    assert cosines_of([None], [tea]) == [None]
    assert cosines_of([], [tea]) == []
