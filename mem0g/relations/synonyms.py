"""Synonyms among relation names: new names that mean the same as a known one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mem0g.embed.protocol import MINILM
from mem0g.relations.parsing import parse_relation
from mem0g.text.english import KIN_BY_SEX
from mem0g.text.names import normal_relation

if TYPE_CHECKING:
    from mem0g.model import Vector

_DIRECTIONS: Final = frozenset("to from by of in on at with for about into after as against without until".split())
"""Small words that give a direction: names that differ in one are different relations."""

_CONTRASTS: Final = KIN_BY_SEX | frozenset(
    "older younger elder big little left right upper lower first second third last next previous most least more less "
    "before after early late morning evening day night summer winter home work parent child boy girl birth death "
    "indoor outdoor".split()
)
"""Words of different meaning whose vectors are nearly equal (older, younger: cosine 0.96)."""


def find_synonyms(
    new: Mapping[str, Vector],
    known: Mapping[str, Vector],
    *,
    threshold: float = MINILM.same_relation,
    types: Mapping[str, tuple[str, str]] | None = None,
) -> dict[str, str]:
    """Return the known name that each new relation name is a synonym of; names without one are left out.

    The vectors are unit vectors of the names' words ("lives in"). Two names are synonyms if they have the same verb and
    words but for inflection and auxiliaries, or a cosine of at least ``threshold``. They are never synonyms if they
    differ in tense or mood (planned, wished, done), in negation, in a direction (to, from, by), in a contrast (older,
    younger) or in a number, or if they are favourites of two kinds. ``types`` are the subject and object types of names
    where they are known: with different ones names are never synonyms. A tie goes to the first in the alphabet.
    """
    found: dict[str, str] = {}
    for name in new:
        scores = {other: _similarity(name, other, new, known) for other in sorted(known) if other != name}
        fitting = {other: score for other, score in scores.items() if _same_types(name, other, types or {})}
        best = max(fitting, key=fitting.__getitem__, default=None)
        if best is not None and fitting[best] >= threshold:
            found[name] = best
    return found


def _similarity(name: str, other: str, new: Mapping[str, Vector], known: Mapping[str, Vector]) -> float:
    one, two = parse_relation(name), parse_relation(other)
    if (one.tense, one.mood, one.denied) != (two.tense, two.mood, two.denied):
        return 0.0
    if one.words == two.words:
        return 1.0 if one.words else 0.0
    if _distinctive_words(name) != _distinctive_words(other) or "favorite" in one.words:
        return 0.0
    return float(new[name] @ known[other])


def _distinctive_words(name: str) -> list[str]:
    """Return the words and numbers that two names must have in common."""
    words = normal_relation(name).casefold().split("_")
    return [word for word in words if word in _DIRECTIONS or word in _CONTRASTS or word.isdigit()]


def _same_types(name: str, other: str, types: Mapping[str, tuple[str, str]]) -> bool:
    mine, theirs = types.get(name), types.get(other)
    return mine is None or theirs is None or mine == theirs
