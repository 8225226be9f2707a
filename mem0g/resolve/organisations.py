"""Whether two names can be one organisation's, one place's or one work's: a part of the name, and the kind left out."""

from __future__ import annotations

from typing import Final

from mem0g.resolve.kinds import UNKNOWN, kind_of
from mem0g.resolve.names import Name
from mem0g.resolve.places import is_place
from mem0g.resolve.spelling import plain_words

_LEGAL: Final = frozenset(
    "inc incorporated ltd limited llc corp corporation co company companies plc gmbh mbh ag sa spa nv ab as".split()
)
_KINDS: Final = _LEGAL | frozenset(
    "group holdings foundation trust institute institution academy university college school schools "
    "records recordings music entertainment pictures studios studio productions films film press publishing publishers "
    "publications books newspaper magazine times bank airlines airways motors industries systems technologies "
    "software electronics pharmaceuticals laboratories stores store hotels hotel restaurant cafe café club fc cf sc ac "
    "afc fk bk if il fotball fussball team band orchestra ensemble quartet church museum gallery library hospital "
    "party association society organization organisation network channel television tv radio agency services "
    "international worldwide".split()
)
"""Words that say what kind of organisation it is, and that go unsaid."""
_OF: Final = frozenset("university college bank museum academy institute church".split())
_PLACE_KINDS: Final = frozenset(
    "river rivers creek brook islands isles archipelago mountains hills desert peninsula bridge".split()
)
"""Words for kinds of places that go unsaid; a county, a bay or a street is another place than the town of its name."""


def is_part_of_organisation(short: Name, long: Name, *, shortened: bool) -> bool:
    """The Wolves and the Minnesota Wolves, Epic and Epic Records, Oxford and the University of Oxford.

    ``shortened``: the long name is known and the short one is said now. The other way round only Apple and Apple Inc.
    are one: who says Square need not mean Square Enix.
    """
    parts, whole = plain_words(short), plain_words(long)
    size = len(parts)
    if size >= len(whole) or (size == 1 and kind_of(parts[0]) != UNKNOWN):
        return False  # the University is not any university
    rest = whole[size:]
    if whole[:size] == parts and all(word in _LEGAL for word in rest):
        return True
    if not shortened:
        return False
    if whole[-size:] == parts:
        return whole[-size - 1] not in ("of", "for") or (whole[: -size - 1][-1] in _OF and not is_place(short))
    return whole[:size] == parts and not is_place(short) and (size == 1 or rest[0] == "of" or set(rest) <= _KINDS)


def is_place_and_kind(short: Name, long: Name) -> bool:
    """Mara and the Mara River, Shetland and the Shetland Islands; not Mexico and Mexico City, which are two."""
    parts, whole = plain_words(short), plain_words(long)
    rest = set(whole) - set(parts)
    if is_place(short) or not rest or not rest <= _PLACE_KINDS | {"of", "the"}:
        return False
    return parts in (whole[: len(parts)], whole[-len(parts) :])
