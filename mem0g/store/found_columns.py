"""Columns of what a search found: names as numbers, values that are taken when they are read, and numbers noted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

V = TypeVar("V")


class _Values(Sequence[V]):
    """A sequence that is equal to any sequence of the same values."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Picked(_Values[V]):
    """Some of many values, at the places given, in their order; equal to any sequence of the same values."""

    __slots__ = ("_places", "_values")

    def __init__(self, values: Sequence[V], places: NDArray[np.int64]) -> None:
        self._values, self._places = values, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> V: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[V]: ...

    def __getitem__(self, place: int | slice) -> V | Sequence[V]:
        at = self._places[place].tolist()
        return list(map(self._values.__getitem__, at)) if isinstance(at, list) else self._values[at]

    def __iter__(self) -> Iterator[V]:
        return map(self._values.__getitem__, self._places.tolist())


class Whole(_Values[int]):
    """An array of integers as a sequence, equal to any sequence of the same ones."""

    __slots__ = ("_array",)

    def __init__(self, array: NDArray[np.int64]) -> None:
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[int]: ...

    def __getitem__(self, place: int | slice) -> int | Sequence[int]:
        found: int | list[int] = self._array[place].tolist()
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self._array.tolist())

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.int64]:
        return self._array if dtype is None else self._array.astype(dtype, copy=bool(copy))


class Cited(NamedTuple):
    """The messages that some facts cite, as numbers: of each fact how many, shape (facts,), and then which."""

    counts: NDArray[np.int64]
    numbers: NDArray[np.int64]


class Names(Sequence[str]):
    """A column of names, many of them equal, as ``codes``: the number of each, shape (rows,).

    ``names`` are those of the numbers, ``numbers`` the numbers of names; there may be more than occur.
    """

    __slots__ = ("codes", "names", "numbers")

    def __init__(self, codes: NDArray[np.int32], names: Sequence[str], numbers: Mapping[str, int]) -> None:
        self.codes, self.names, self.numbers = codes, names, numbers

    @classmethod
    def of(cls, *columns: Sequence[str]) -> Iterator[Names]:
        """Yield columns that share one numbering."""
        import numpy as np  # a store that is only written to needs none

        numbers = {name: number for number, name in enumerate(dict.fromkeys(chain.from_iterable(columns)))}
        names = list(numbers)
        for column in columns:
            yield cls(np.fromiter(map(numbers.__getitem__, column), np.int32, len(column)), names, numbers)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        codes = self.codes[place].tolist()
        return list(map(self.names.__getitem__, codes)) if isinstance(codes, list) else self.names[codes]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.codes.tolist())

    def distinct(self) -> dict[int, str]:
        """Return the names that occur, by number."""
        return {code: self.names[code] for code in set(self.codes.tolist())}

    def are(self, wanted: Iterable[str]) -> NDArray[np.bool_]:
        """Return which rows have one of the names wanted, which are few, shape (rows,)."""
        import numpy as np  # a store that is only written to needs none

        are = np.zeros(len(self.codes), dtype=bool)
        for name in wanted:
            if name in self.numbers:
                are |= self.codes == self.numbers[name]
        return are

    def have(self, numbers: Sequence[int]) -> NDArray[np.bool_]:
        """Return which rows have one of these numbers of names, shape (rows,); for columns of few names in all."""
        import numpy as np  # a store that is only written to needs none

        wanted = np.zeros(len(self.names), dtype=bool)
        wanted[numbers] = True
        have: NDArray[np.bool_] = wanted[self.codes]
        return have


class Notes:
    """Numbers that whoever ranks has found out about candidates, kept beside what is kept of their rows.

    They tell what follows from a row alone, such as the number of its reading. Of candidates that no store keeps they
    last for one search.
    """

    def __init__(self) -> None:
        self._columns: dict[str, tuple[object, NDArray[np.int64]]] = {}

    @property
    def nbytes(self) -> int:
        """Memory allocated."""
        return sum(column.nbytes for _, column in self._columns.values())

    def at(self, places: NDArray[np.int64]) -> NotesAt:
        """Return the notes of these rows."""
        return NotesAt(self, places)

    def column(self, name: str, version: object, size: int) -> NDArray[np.int64]:
        """Return the column of a name, -1 for what is not known, of at least ``size`` rows.

        What was noted for another version is dropped.
        """
        import numpy as np  # a store that is only written to needs none

        held = self._columns.get(name)
        known = held[1] if held and held[0] is version else np.empty(0, dtype=np.int64)
        if size > len(known):
            room = np.full(size * 5 // 4 + 16, -1)
            room[: len(known)] = known
            known = room
            self._columns[name] = (version, known)
        return known


class NotesAt:
    """The notes of some candidates."""

    def __init__(self, notes: Notes, places: NDArray[np.int64]) -> None:
        self._notes, self._places = notes, places

    def get(self, name: str, find: Callable[[list[int]], Iterable[int]], version: object = None) -> NDArray[np.int64]:
        """Return the numbers of this name, shape (candidates,).

        ``find`` returns those of the candidates at some places; what it returned for another ``version`` is forgotten.
        """
        import numpy as np  # a store that is only written to needs none

        places = self._places
        column = self._notes.column(name, version, int(places.max(initial=-1)) + 1)
        found = column[places]
        (new,) = (found < 0).nonzero()
        if len(new):
            found[new] = np.fromiter(find(new.tolist()), np.int64, len(new))
            column[places] = found
        return found
