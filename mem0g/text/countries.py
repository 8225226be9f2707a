"""The names of countries."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from mem0g.text.names import fold

_CITIES_TOO: Final = frozenset(
    ("djibouti", "gibraltar", "hong kong", "luxembourg", "macau", "macao", "monaco", "singapore")
)
"""Names that mean a city as often as a country."""


def is_country(name: str) -> bool:
    """Whether it is the name of a country that is no city as well: Norway, the U.K."""
    plain = fold(name).removeprefix("the ").replace(".", "")
    return plain not in _CITIES_TOO and plain in _names()


@cache
def countries() -> tuple[tuple[str, ...], ...]:
    """Return the names of each country in countries.txt, folded and without "the", the usual one first."""
    text = resources.files(__package__).joinpath("countries.txt").read_text(encoding="utf-8")
    return tuple(tuple(line.split("; ")) for line in text.splitlines() if line and not line.startswith("#"))


@cache
def _names() -> frozenset[str]:
    return frozenset(name for names in countries() for name in names)
