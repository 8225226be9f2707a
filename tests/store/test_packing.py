"""Vectors as a file holds them: small, and as near to those given as twelve bits allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.store.sqlite.packing import packed, packed_dimensions, packed_each, packed_size, unpacked


@given(seed=st.integers(0, 1000), rows=st.integers(0, 6), dimensions=st.integers(1, 33), largest=st.floats(1e-6, 1e6))
def test_components_are_kept_to_twelve_bits(seed: int, rows: int, dimensions: int, largest: float) -> None:
    """No component differs by more than half a step; packed again, what was unpacked is the same."""
    matrix = np.random.default_rng(seed).uniform(-largest, largest, (rows, dimensions)).astype(np.float32)
    blobs = packed(matrix)
    assert {len(blob) for blob in blobs} <= {packed_size(dimensions)}
    assert packed_dimensions(packed_size(dimensions)) == dimensions
    found = unpacked(blobs, dimensions)
    assert found.shape == matrix.shape
    step = np.abs(matrix).max(axis=1, keepdims=True, initial=0) / 2047
    assert np.all(np.abs(found - matrix) <= 0.51 * step)
    assert packed(found) == blobs


def test_a_vector_of_zeros_stays_one() -> None:
    """A text without words has a vector of zeros."""
    assert not unpacked(packed(np.zeros((2, 8), dtype=np.float32)), 8).any()


def test_vectors_are_packed_alone_as_among_others() -> None:
    """The same vector has the same bytes, whatever is written beside it."""
    one, other = np.random.default_rng(1).standard_normal((2, 16)).astype(np.float32)
    assert packed_each({"a": one, "b": other})["b"] == packed(other[None])[0]
    assert packed_each({}) == {}


def test_a_vector_of_another_size() -> None:
    """It is refused, not read as something else."""
    with pytest.raises(ValueError, match="reshape"):
        unpacked([bytes(7)], 8)
