"""What the strings of two names say for and against their meaning one thing."""

from __future__ import annotations

from dataclasses import dataclass

from mem0g.resolve.acronyms import is_acronym
from mem0g.resolve.apposition import said_to_be_one
from mem0g.resolve.dates import is_same_date
from mem0g.resolve.kinds import GROUP, IDEA, ORGANISATION, PERSON, PLACE, THING, UNKNOWN, WORK, compatible, kind_of
from mem0g.resolve.names import Name
from mem0g.resolve.organisations import is_part_of_organisation, is_place_and_kind
from mem0g.resolve.people import (
    are_two_people,
    by_length,
    generation,
    is_bare_family_name,
    is_part_of_person,
    nickname,
    parts_of,
    sexes,
)
from mem0g.resolve.places import are_one_place, are_two_places, is_place
from mem0g.resolve.spelling import is_misspelled, is_same_but_for_number, is_same_spelling

__all__ = ["Evidence", "contradiction", "evidence_for", "is_part_of_person", "objection"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """That two names mean one thing: by which ``rule``, and which is the ``better`` name to keep.

    ``sure``: no other name objects to it, and it goes before what is not sure.
    """

    rule: str
    better: Name
    sure: bool = False


def evidence_for(said: Name, known: Name, kind: str, text: str = "", *, same_kind: bool = True) -> Evidence | None:
    """What in the strings says that a name means the thing of this kind that is known by another name, or None.

    ``text`` is what the name was said in; ``same_kind`` says that both are told to be of this kind, not one of none.
    Order matters: who spoke of Square Enix may go on with Square; who spoke of Square may mean another by Square Enix.
    It holds only where nothing speaks against it (`objection`), and where no third thing fits.
    """
    short, long = by_length(said, known)
    if is_same_date(said, known):
        return Evidence("the same date", known, sure=True)
    if _is_named_thing(short, long, kind):
        return Evidence("the thing with its kind", short)
    if kind == WORK and _is_title(short, long):
        return Evidence("title and more", short)
    if kind == PLACE and are_one_place(said, known):
        return Evidence("name of the place", long)
    if said.owner != known.owner or not (said.proper or known.proper):
        return None
    if text and same_kind and _are_said_to_be_one(said, known, kind, text):
        better = long if _are_acronym_and_long(said, known) else known
        return Evidence("said to be the same", better, sure=True)
    if _are_acronym_and_long(said, known):
        return Evidence("acronym", long)
    return _evidence_of_names(said, known, kind, same_kind) if said.proper and known.proper else None


def objection(one: Name, two: Name, kind: str = "") -> str | None:
    """What in the strings says that the two names mean two things of a kind, or None. Owners are judged elsewhere."""
    if found := contradiction(one, two, kind):
        return found
    if (
        one.head == two.head
        or (one.proper and two.proper)
        or _are_spellings(one, two)
        or _are_acronym_and_long(one, two)
    ):
        return None
    return "another head noun"


def contradiction(one: Name, two: Name, kind: str = "") -> str | None:
    """What in the strings no likeness of meaning outweighs, or None; "shop" and "store" have no contradiction."""
    if _are_spellings(one, two):
        return None
    both_proper = one.proper and two.proper
    if one.marks != two.marks and not _marks_are_of_names(one, two, kind):
        return "another number, date or contrast"
    if one.roles != two.roles:
        return "another role"
    if sexes(one) and sexes(two) and sexes(one) != sexes(two):
        return "another title"
    if both_proper and are_two_places(one, two):
        return "another place"
    if both_proper and are_two_people(one, two) and not are_one_place(one, two):
        return "another full name"
    return None


def _evidence_of_names(said: Name, known: Name, kind: str, same_kind: bool) -> Evidence | None:
    short, long = by_length(said, known)
    if is_same_spelling(said, known):
        return Evidence("spelling", known, sure=True)
    if is_misspelled(said, known) and generation(said) == generation(known):
        return Evidence("misspelling", known)
    if kind == PERSON:
        return _evidence_of_person(said, known)
    if kind in (ORGANISATION, GROUP) and is_part_of_organisation(short, long, shortened=same_kind and short is said):
        return Evidence("part of the name", long)
    if is_same_but_for_number(said, known):
        return Evidence("number in letters", known, sure=True)
    if kind == PLACE and is_place_and_kind(short, long):
        return Evidence("the place with its kind", long)
    return None


def _evidence_of_person(said: Name, known: Name) -> Evidence | None:
    short, long = by_length(said, known)
    if is_part_of_person(short, long):
        # Who is known by a bare family name had a full one before, mostly another's.
        return None if short is known and is_bare_family_name(short, long) else Evidence("part of the name", long)
    if nickname(short, long) or nickname(long, short):
        return Evidence("nickname", max(known, said, key=lambda name: (len(parts_of(name)), len(name.text))))
    return None


def _are_said_to_be_one(said: Name, known: Name, kind: str, text: str) -> bool:
    where_they_are = kind == PLACE and (is_place(said) or is_place(known))
    in_brackets = kind != PERSON and not where_they_are
    return said_to_be_one(text, said.text, known.text, in_brackets=in_brackets)


def _marks_are_of_names(one: Name, two: Name, kind: str) -> bool:
    """Whether marks are words of a name and set nothing apart: of Rachel Green, of East Asia Forum and EAF."""
    if not (one.proper and two.proper):
        return _are_acronym_and_long(one, two)
    if kind == PERSON:
        return not any(char.isdigit() for char in "".join(one.marks ^ two.marks))
    return _are_acronym_and_long(one, two)


def _are_spellings(one: Name, two: Name) -> bool:
    return (
        one.key == two.key
        or is_same_date(one, two)
        or is_same_spelling(one, two)
        or (one.proper and two.proper and is_same_but_for_number(one, two))
    )


def _are_acronym_and_long(one: Name, two: Name) -> bool:
    return is_acronym(one, two) or is_acronym(two, one)


def _is_title(short: Name, long: Name) -> bool:
    """'Brave' and 'Brave by Sara Bareilles', 'Game of Thrones' and 'Game of Thrones series'."""
    rest = long.words[len(short.words) :]
    if long.words[: len(short.words)] != short.words or not rest or not short.proper or short.owner != long.owner:
        return False
    return (rest[0] == "by" and len(rest) > 1) or (len(rest) == 1 and kind_of(rest[0]) == WORK)


def _is_named_thing(short: Name, long: Name, kind: str) -> bool:
    """'dog Tilly' and Tilly, 'Caroline's dog Oliver' and Oliver: common nouns of the kind before the proper name."""
    size = len(short.words)
    before = long.words[:-size]
    if not before or long.words[-size:] != short.words or not short.proper or long.proper or short.owner:
        return False
    if kind in (THING, IDEA, UNKNOWN):
        return all(kind_of(word) not in (UNKNOWN, PERSON) for word in before)
    return all(compatible(kind_of(word), kind) and kind_of(word) != UNKNOWN for word in before)
