"""Vectors as parameters: as a list for any server, as a vector for one that knows the type."""

from __future__ import annotations

import numpy as np
import pytest

from mem0g.store.neo4j.server.queries import as_list, as_vector

VECTOR = np.array([0.5, -0.25, 0.1], dtype=np.float32)


def test_a_list() -> None:
    """Older servers get numbers."""
    assert as_list(VECTOR) == VECTOR.tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_vector(kind: type[np.floating]) -> None:
    """Newer ones get a vector in single precision, whatever an embedder returns."""
    sent = as_vector(VECTOR.astype(kind))
    assert (sent.dtype, sent.to_native()) == ("f32", VECTOR.tolist())


def test_nothing() -> None:
    """What has no vector gets null."""
    assert (as_list(None), as_vector(None)) == (None, None)
