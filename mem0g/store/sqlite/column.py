"""An array that grows at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    Numbers = NDArray[np.int64]


class Column:
    """An array that grows at its end, by a quarter when it is full: appending takes amortised constant time.

    ``values`` is a view of what it holds, shape (size,) or (size, width).
    """

    def __init__(self, kind: DTypeLike, width: int | None = None) -> None:
        self._room: NDArray[Any] = np.empty(0 if width is None else (0, width), dtype=kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Any]:
        """What it holds."""
        return self._room[: self._size]

    @property
    def nbytes(self) -> int:
        """Memory allocated."""
        return self._room.nbytes

    def append(self, values: ArrayLike) -> None:
        """Add values at the end."""
        added = np.asarray(values, dtype=self._room.dtype)
        size = self._size + len(added)
        if size > len(self._room):
            self.reserve(max(size, len(self._room) * 5 // 4 + 16))
        self._room[self._size : size] = added
        self._size = size

    def reserve(self, size: int) -> None:
        """Make room for ``size`` values in all, if there is less, so that appending them copies nothing."""
        if size > len(self._room):
            room = np.empty((size, *self._room.shape[1:]), dtype=self._room.dtype)
            room[: self._size] = self.values
            self._room = room
