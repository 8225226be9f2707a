"""What else a name may be stored under: the nicknames of a person, an acronym, the other names of a place."""

from __future__ import annotations

from mem0g.resolve.acronyms import initials
from mem0g.resolve.kinds import PERSON, PLACE, UNKNOWN
from mem0g.resolve.names import Name
from mem0g.resolve.people import given_forms, parts_of
from mem0g.resolve.places import names_of_place


def other_names(name: Name, kind: str) -> frozenset[str]:
    """Folded whole names to look up beside the name itself: of 'United Nations' 'un', of 'USA' 'the united states'."""
    if not name.proper:
        return frozenset()
    places = names_of_place(name) if kind in (PLACE, UNKNOWN) else frozenset()
    found = {form for each in places for form in (each, f"the {each}")}
    return frozenset(found if kind == PERSON else found | initials(name))


def other_tokens(name: Name, kind: str) -> frozenset[str]:
    """Tokens to look up beside those of the name itself: of 'Liz' 'elizabeth', of 'Robert Berg' 'bob'."""
    is_persons = kind in (PERSON, UNKNOWN) and name.proper and not name.owner
    return given_forms(parts_of(name)[0]) if is_persons and parts_of(name) else frozenset()
