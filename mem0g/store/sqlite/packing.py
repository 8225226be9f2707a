"""Vectors as the file holds them: twelve bits a component, as a share of the largest magnitude.

Cosines differ from those of float32 by about 0.00003, and a vector of 384 dimensions takes 580 bytes in place of 1,536.
A blob has the largest magnitude (float32, little-endian), the upper eight bits of each component (a signed byte), and
the lower four: the first half of the components in the lower halves of its bytes, the second in the upper ones. What is
read and stored again, as by a copy, keeps its bytes: shares are computed in float64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector

LARGEST = 2047
"""The largest component of a packed vector."""

SCALE = 4
"""Bytes of the largest magnitude."""

AT_ONCE = 2048
"""Vectors that are unpacked at once, so that they stay in the processor's cache."""


def packed_size(dimensions: int) -> int:
    """Return the bytes of a packed vector."""
    return SCALE + dimensions + (dimensions + 1) // 2


def packed_dimensions(size: int) -> int:
    """Return the dimensions of a packed vector of ``size`` bytes."""
    return 2 * (size - SCALE) // 3


def packed(matrix: Matrix) -> list[bytes]:
    """Return each row of a matrix as it is stored."""
    if not len(matrix):
        return []
    matrix = np.asarray(matrix, dtype=np.float32)
    half = (matrix.shape[1] + 1) // 2
    largest = np.maximum(np.abs(matrix).max(axis=1, initial=0), np.float32(1e-30))
    whole = np.rint(matrix / (largest[:, None].astype(np.float64) / LARGEST)).astype(np.int16)
    low = (whole & 15).astype(np.uint8)
    low[:, : matrix.shape[1] - half] |= low[:, half:] << 4
    parts = (largest.astype("<f4")[:, None].view(np.uint8), (whole >> 4).astype(np.int8).view(np.uint8), low[:, :half])
    data = np.concatenate(parts, axis=1).tobytes()
    size = packed_size(matrix.shape[1])
    return [data[start : start + size] for start in range(0, len(data), size)]


def packed_each(vectors: Mapping[str, Vector]) -> dict[str, bytes]:
    """Return vectors as they are stored, by their keys."""
    return dict(zip(vectors, packed(np.stack(list(vectors.values()))), strict=True)) if vectors else {}


def unpacked(blobs: Sequence[bytes], dimensions: int) -> Matrix:
    """Return stored vectors, shape (blobs, dimensions). Raises ValueError if one has another size."""
    matrix = np.empty((len(blobs), dimensions), dtype=np.float32)
    half = (dimensions + 1) // 2
    for start in range(0, len(blobs), AT_ONCE):
        data = np.frombuffer(b"".join(blobs[start : start + AT_ONCE]), dtype=np.uint8).reshape(
            -1, packed_size(dimensions)
        )
        part, high, low = (
            matrix[start : start + len(data)],
            data[:, SCALE : SCALE + dimensions],
            data[:, SCALE + dimensions :],
        )
        np.multiply(high.view(np.int8), np.float32(16), out=part)
        part[:, :half] += low & 15
        part[:, half:] += low[:, : dimensions - half] >> 4
        np.multiply(part, data[:, :SCALE].copy().view("<f4") / np.float64(LARGEST), out=part, casting="same_kind")
    return matrix
