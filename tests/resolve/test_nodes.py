"""The nodes that a name may mean, in order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from mem0g.model import Scope
from mem0g.resolve.nodes import Nodes
from mem0g.store.queries import EntityCandidate
from tests.making import AT, entity


@pytest.mark.parametrize("similarity", [1.00003, 1.0, 0.99999994])
def test_stores_that_keep_vectors_differently_agree(similarity: float) -> None:
    """The one updated last comes first, whichever bits the cosine of the other one has in this store."""
    older, newer = (
        replace(entity("race"), id=id_, updated_at=AT + timedelta(days=days)) for id_, days in (("e_1", 0), ("e_2", 1))
    )
    found = [EntityCandidate(older, similarity), EntityCandidate(newer, 1.0)]
    nodes = Nodes(Scope("ann"), {"race": found}, {}, AT)
    assert [each.id for each, _ in nodes.candidates("race")] == ["e_2", "e_1"]
