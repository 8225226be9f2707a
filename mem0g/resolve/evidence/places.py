"""Whether two names are those of one place or one organisation: a gazetteer, parts of names, and kinds left out."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from mem0g.resolve.evidence.spelling import plain, plain_words
from mem0g.resolve.kinds import UNKNOWN, kind_of
from mem0g.resolve.names import ParsedName
from mem0g.text.countries import countries

_MIN_LETTERS: Final = 3
"""Letters from which the name of a place need not be in capitals: "us" and "la" are words."""
_LEGAL_FORMS: Final = frozenset(
    "inc incorporated ltd limited llc corp corporation co company companies plc gmbh mbh ag sa spa nv ab as".split()
)
_ORGANISATION_KINDS: Final = _LEGAL_FORMS | frozenset(
    "group holdings foundation trust institute institution academy university college school schools "
    "records recordings music entertainment pictures studios studio productions films film press publishing publishers "
    "publications books newspaper magazine times bank airlines airways motors industries systems technologies "
    "software electronics pharmaceuticals laboratories stores store hotels hotel restaurant cafe café club fc cf sc ac "
    "afc fk bk if il team band orchestra ensemble quartet church museum gallery library hospital "
    "party association society organization organisation network channel television tv radio agency services "
    "international worldwide".split()
)
"""Words for the kind of an organisation that a short form leaves out: Epic and Epic Records."""
_KINDS_BEFORE_OF: Final = frozenset("university college bank museum academy institute church".split())
_PLACE_KINDS: Final = frozenset(
    "river rivers creek brook islands isles archipelago mountains hills desert peninsula bridge".split()
)
"""Words for the kind of a place that a short form leaves out; the county or bay of a name is not the town."""


def is_place(name: ParsedName) -> bool:
    """Whether it is a name of a place in the gazetteer."""
    return bool(_rows_of(name))


def are_one_place(one: ParsedName, two: ParsedName) -> bool:
    """Whether both are names of one place: the U.S. and America, Thailand and Siam."""
    return bool(_rows_of(one) & _rows_of(two))


def are_two_places(one: ParsedName, two: ParsedName) -> bool:
    """Whether both are names of known places, and not of the same: Mexico and New Mexico."""
    places, others = _rows_of(one), _rows_of(two)
    return bool(places and others) and not places & others


def names_of_place(name: ParsedName) -> frozenset[str]:
    """Return all names of a known place, folded; none for other names."""
    return frozenset(each for row in _rows_of(name) for each in _gazetteer()[row])


def is_place_and_kind(short: ParsedName, long: ParsedName) -> bool:
    """Whether ``long`` adds the kind of place: Mara and the Mara River; not Mexico and Mexico City, which are two."""
    parts, whole = plain_words(short), plain_words(long)
    rest = set(whole) - set(parts)
    if is_place(short) or not rest or not rest <= _PLACE_KINDS | {"of", "the"}:
        return False
    return parts in (whole[: len(parts)], whole[-len(parts) :])


def is_part_of_organisation(short: ParsedName, long: ParsedName, *, shortened: bool) -> bool:
    """Whether ``short`` is a part of an organisation's name.

    The Wolves and the Minnesota Wolves, Epic and Epic Records, Oxford and the University of Oxford. ``shortened``: the
    long name came first. Without it only legal forms are left out (Apple, Apple Inc.): who wrote Square first need not
    mean Square Enix.
    """
    parts, whole = plain_words(short), plain_words(long)
    size = len(parts)
    if size >= len(whole) or (size == 1 and kind_of(parts[0]) != UNKNOWN):
        return False  # the University is not any university
    rest = whole[size:]
    if whole[:size] == parts and all(word in _LEGAL_FORMS for word in rest):
        return True
    if not shortened:
        return False
    if whole[-size:] == parts:
        before = whole[:-size][-1]
        return before not in ("of", "for") or (whole[: -size - 1][-1] in _KINDS_BEFORE_OF and not is_place(short))
    is_start = whole[:size] == parts and not is_place(short)
    return is_start and (size == 1 or rest[0] == "of" or set(rest) <= _ORGANISATION_KINDS)


def _rows_of(name: ParsedName) -> frozenset[int]:
    """Return the rows of the gazetteer that have the name."""
    letters = [char for char in name.text if char.isalpha()]
    if len(letters) < _MIN_LETTERS and not all(char.isupper() for char in letters):
        return frozenset()
    words = tuple(plain(word).replace(".", "") for word in name.key.split())
    key = "".join(words) if all(len(word) == 1 for word in words) else " ".join(words)
    return _rows_by_name().get(key, frozenset())


@cache
def _rows_by_name() -> dict[str, frozenset[int]]:
    rows: dict[str, set[int]] = {}
    for at, names in enumerate(_gazetteer()):
        for name in names:
            rows.setdefault(plain(name), set()).add(at)
    return {name: frozenset(found) for name, found in rows.items()}


@cache
def _gazetteer() -> tuple[tuple[str, ...], ...]:
    """Return the names of each country, and of each place in places.txt, the usual one first."""
    text = resources.files(__package__).joinpath("places.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return (*countries(), *(tuple(line.split("; ")) for line in lines))
