"""Kinds: the types that extractors give, sorted into a few, so that entities of one name can be kept apart."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mem0g.text.names import fold

PERSON, ANIMAL, PLACE, ORGANISATION, GROUP = "person", "animal", "place", "organisation", "group"
EVENT, WORK, THING, IDEA = "event", "work", "thing", "idea"
UNKNOWN = ""
"""The kind of a type that is not given or not known: it is compatible with every kind."""

_WORDS: Final = {
    PERSON: """
        person people man woman boy girl child kid adult individual human user character actor actress
        author athlete player singer musician artist writer celebrity politician friend relative mother
        father sister brother colleague mentor teacher speaker assistant agent per baby son daughter wife
        husband fan
    """,
    ANIMAL: """
        animal pet dog cat puppy kitten horse bird fish turtle rabbit hamster snake species
    """,
    PLACE: """
        place location city town village country state region county province area neighborhood
        neighbourhood district continent island mountain river lake beach park street road building venue
        landmark restaurant cafe bar hotel museum address loc gpe fac facility site house apartment
        destination planet address trail
    """,
    ORGANISATION: """
        organization organisation company business employer school university college institution agency
        club team brand church shelter startup studio store shop charity nonprofit league party government
        publisher hospital org community forum platform
    """,
    GROUP: """
        group family band couple class crowd audience crew nationality norp
    """,
    EVENT: """
        event trip tournament competition meeting conference concert festival party wedding ceremony holiday
        game race show performance accident experience appointment exam incident vacation visit match war
        election milestone
    """,
    WORK: """
        work book novel series movie film song album artwork painting screenplay script story poem article
        recipe show photo picture video play drawing sculpture publication blog podcast document quote piece
        trilogy music game app website software
    """,
    THING: """
        thing object item possession food drink dish meal ingredient vehicle car bike clothing instrument
        device tool product plant furniture gift toy award medication medicine equipment computer phone
        collection money
    """,
    IDEA: """
        activity concept emotion goal reason belief problem idea topic hobby interest sport skill plan
        project job occupation profession role career genre style color colour language date time day month
        year duration age number num quantity frequency status state cause quality trait advice theme
        relationship condition health disease illness symptom challenge feeling opinion lesson habit
        practice commitment achievement strategy subject field religion identity attribute property value
        memory passion routine position service
    """,
}
_PHRASES: Final = {"stuffed animal": THING, "family member": PERSON}
_KIND_OF: Final = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_COMPATIBLE: Final = frozenset(
    frozenset(pair)
    for pair in (
        (PERSON, GROUP),
        (ANIMAL, GROUP),
        (ORGANISATION, GROUP),
        (ORGANISATION, PLACE),
        (ORGANISATION, EVENT),
        (PLACE, THING),
        (EVENT, IDEA),
        (EVENT, WORK),
        (WORK, THING),
        (WORK, IDEA),
        (THING, IDEA),
    )
)
"""Kinds that extractors confuse: a support group is an event or an organisation, a café a place or an organisation."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@lru_cache(maxsize=8192)
def kind_of(type_name: str) -> str:
    """Return the kind of a type: organisation for 'sports team' or 'SportsTeam', UNKNOWN if no word of it is known."""
    words = re.findall(r"\w+", fold(_CAMEL.sub(" ", type_name)).replace("_", " "))
    if " ".join(words) in _PHRASES:
        return _PHRASES[" ".join(words)]
    for word in reversed(words):
        for form in (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"):
            if form in _KIND_OF:
                return _KIND_OF[form]
    return UNKNOWN


def common(kind: str, other: str) -> str:
    """Return the kind that two have in common, where one may be unknown; UNKNOWN if they differ.

    An unknown kind is never taken for a person: Paris need not be Paris Hilton.
    """
    if kind == other:
        return kind
    if {kind, other} == {ORGANISATION, GROUP}:
        return ORGANISATION
    return UNKNOWN if PERSON in (kind, other) or (kind and other) else kind or other


def compatible(kind: str, other: str) -> bool:
    """Whether one entity may have both kinds: they are equal, one is unknown, or they are often confused."""
    return kind == other or UNKNOWN in (kind, other) or frozenset((kind, other)) in _COMPATIBLE
