"""Results of functions of texts, remembered up to a size: a number of texts says nothing of how long these are."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from sys import getsizeof
from typing import ClassVar, Generic, TypeVar, TypeVarTuple

P = TypeVarTuple("P")
V = TypeVar("V")

MOST_BYTES = 3 << 25
"""What all functions remember, with the texts, each counted for each function: 100 MB."""

ENTRY = 100
"""Bytes of a result beside itself and what it is of."""


def remembered(find: Callable[[*P], V]) -> Callable[[*P], V]:
    """Decorate a function of texts so that its results are kept: all such functions share MOST_BYTES.

    What was not used for long is dropped.
    """
    kept = _Kept(find)

    @wraps(find)
    def found(*given: *P) -> V:
        return kept[given]

    return found


class _Kept(dict[tuple[*P], V], Generic[*P, V]):
    """The results of a function, by what they are of, in two generations.

    Once the young ones of all functions take half of MOST_BYTES, they become the old ones; an old one that is used
    becomes a young one. Threads may use them at once: then a result may be computed twice, or be kept for less time.
    """

    every: ClassVar[list[_Kept[*tuple[object, ...], object]]] = []
    size: ClassVar[int] = 0  # of the young ones of all functions

    def __init__(self, find: Callable[[*P], V]) -> None:
        super().__init__()
        self._find = find
        self._old: dict[tuple[*P], V] = {}
        _Kept.every.append(self)  # type: ignore[arg-type]  # what each is of does not matter there

    def __missing__(self, given: tuple[*P]) -> V:
        old = self._old  # another thread may replace it
        found = old[given] if given in old else self._find(*given)
        size = ENTRY + size_of(given) + size_of(found)
        if _Kept.size + size > MOST_BYTES // 2:
            for each in _Kept.every:
                each.age()
            _Kept.size = 0
        if size <= MOST_BYTES // 2:
            self[given] = found
            _Kept.size += size
        return found

    def age(self) -> None:
        """Make the young results the old ones, and drop those."""
        self._old = dict(self)
        self.clear()


def size_of(value: object) -> int:
    """Return the bytes that a value takes, with what is in it if it is a tuple; words in sets are shared by many."""
    return getsizeof(value) + (sum(map(size_of, value)) if isinstance(value, tuple) else 0)
