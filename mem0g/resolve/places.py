"""What countries, parts of the world and cities are called."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from mem0g.resolve.names import Name
from mem0g.resolve.spelling import plain

_SHORTEST: Final = 3
"""Letters from which a name need not be in capitals: "us" and "la" are words."""


def are_one_place(one: Name, two: Name) -> bool:
    """The U.S. and America, Thailand and Siam."""
    return bool(_named(one) & _named(two))


def are_two_places(one: Name, two: Name) -> bool:
    """Mexico and New Mexico: two names of places that are known to be two."""
    places, others = _named(one), _named(two)
    return bool(places and others) and not places & others


def is_place(name: Name) -> bool:
    """Whether it is a name of a known place."""
    return bool(_named(name))


def names_of_place(name: Name) -> frozenset[str]:
    """All names of a known place, folded; none of what is not known."""
    return frozenset(each for row in _named(name) for each in _rows()[row])


def _named(name: Name) -> frozenset[int]:
    """The rows of the table that have the name."""
    letters = [char for char in name.text if char.isalpha()]
    if len(letters) < _SHORTEST and not all(char.isupper() for char in letters):
        return frozenset()
    return _table().get(_key(name), frozenset())


def _key(name: Name) -> str:
    words = tuple(plain(word).replace(".", "") for word in name.key.split())
    return "".join(words) if all(len(word) == 1 for word in words) else " ".join(words)


@cache
def _table() -> dict[str, frozenset[int]]:
    """The rows of each name."""
    found: dict[str, set[int]] = {}
    for at, names in enumerate(_rows()):
        for name in names:
            found.setdefault(plain(name), set()).add(at)
    return {name: frozenset(rows) for name, rows in found.items()}


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    text = resources.files(__package__).joinpath("places.txt").read_text(encoding="utf-8")
    return tuple(tuple(line.split("; ")) for line in text.splitlines() if line and not line.startswith("#"))
