"""The names of countries."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from mem0g.text.names import fold, words

_OTHERS_TOO: Final = frozenset(
    ("djibouti", "georgia", "gibraltar", "hong kong", "luxembourg", "macau", "macao", "monaco", "singapore")
)
"""Names that mean a city or a state of the U.S. as often as a country."""


def is_country(name: str) -> bool:
    """Whether it is the name of a country that is no city or state as well: Norway, the U.K."""
    plain = _plain(name)
    return plain not in _OTHERS_TOO and plain in _names()


def are_countries(name: str, other: str) -> bool:
    """Whether each is the name of a country, of which one may mean another place as well: France and Georgia."""
    named = (_plain(name), _plain(other))
    return all(each in _names() for each in named) and any(each not in _OTHERS_TOO for each in named)


def names_country(text: str, country: str) -> bool:
    """Whether the text has one of the names of a country."""
    plain, said = _plain(country), f" {' '.join(words(_plain(text)))} "
    names = next((each for each in countries() if plain in each), (plain,))
    return any(f" {each} " in said for each in names)


@cache
def countries() -> tuple[tuple[str, ...], ...]:
    """Return the names of each country in countries.txt, folded and without "the", the usual one first."""
    text = resources.files(__package__).joinpath("countries.txt").read_text(encoding="utf-8")
    return tuple(tuple(line.split("; ")) for line in text.splitlines() if line and not line.startswith("#"))


@cache
def _names() -> frozenset[str]:
    return frozenset(name for names in countries() for name in names)


def _plain(name: str) -> str:
    return fold(name).removeprefix("the ").replace(".", "")
