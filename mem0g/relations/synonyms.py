"""New relation names that only say a known one in other words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mem0g.embed.thresholds import MINILM
from mem0g.names import normal_relation
from mem0g.relations.reading import read

if TYPE_CHECKING:
    from mem0g.model import Vector

_GIVES_DIRECTION: Final = frozenset("to from by of in on at with for about into after as against without until".split())
"""Small words that say which end does what: names that differ in one are different relations."""

_SETS_APART: Final = frozenset(
    "older younger elder big little left right upper lower first second third last next previous most least more less "
    "before after early late morning evening day night summer winter home work husband wife mother father mom dad son "
    "daughter brother sister aunt uncle parent child boy girl grandmother grandfather birth death indoor "
    "outdoor".split()
)
"""Words that vectors hardly tell apart and that name different things (older, younger: 0.96)."""


def fold_new(
    new: Mapping[str, Vector],
    known: Mapping[str, Vector],
    *,
    threshold: float = MINILM.same_relation,
    types: Mapping[str, tuple[str, str]] | None = None,
) -> dict[str, str]:
    """Map each new relation name that is a known one in other words to that one; the others are left out.

    Vectors are those of the names' words ("lives in"), as unit vectors. Two names fold when they have the same verb
    and words but for inflection and auxiliaries, or a cosine of at least ``threshold``; never when they differ in
    tense, in plan, wish and done, in a denial, or in a word that tells (to, from, by; older, younger; a number), and
    favourites of two kinds never. ``types`` gives subject and object type of names where they are known: different
    ones never fold. A tie goes to the first in alphabet.
    """
    folded: dict[str, str] = {}
    for name in new:
        scores = {other: _likeness(name, other, new, known) for other in sorted(known) if other != name}
        fitting = {other: score for other, score in scores.items() if _same_types(name, other, types or {})}
        best = max(fitting, key=fitting.__getitem__, default=None)
        if best is not None and fitting[best] >= threshold:
            folded[name] = best
    return folded


def _likeness(name: str, other: str, new: Mapping[str, Vector], known: Mapping[str, Vector]) -> float:
    one, two = read(name), read(other)
    if (one.tense, one.mood, one.denied) != (two.tense, two.mood, two.denied):
        return 0.0
    if one.words == two.words:
        return 1.0 if one.words else 0.0
    if _telling(name) != _telling(other) or "favorite" in one.words:
        return 0.0
    return float(new[name] @ known[other])


def _telling(name: str) -> list[str]:
    """The words that two names must have in common, and the numbers."""
    words = normal_relation(name).casefold().split("_")
    return [word for word in words if word in _GIVES_DIRECTION or word in _SETS_APART or word.isdigit()]


def _same_types(name: str, other: str, types: Mapping[str, tuple[str, str]]) -> bool:
    mine, theirs = types.get(name), types.get(other)
    return mine is None or theirs is None or mine == theirs
