"""What two names, and the sentence that one is mentioned in, say for and against their meaning one entity."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mem0g.resolve.evidence.people import (
    are_two_people,
    by_length,
    genders,
    generation,
    is_bare_family_name,
    is_nickname,
    is_part_of_person,
    parts_of,
)
from mem0g.resolve.evidence.places import (
    are_one_place,
    are_two_places,
    is_part_of_organisation,
    is_place,
    is_place_and_kind,
)
from mem0g.resolve.evidence.spelling import (
    is_acronym,
    is_misspelled,
    is_same_but_for_number,
    is_same_date,
    is_same_spelling,
)
from mem0g.resolve.kinds import GROUP, IDEA, ORGANISATION, PERSON, PLACE, THING, UNKNOWN, WORK, compatible, kind_of
from mem0g.resolve.names import ParsedName

_ALSO_ADVERB: Final = "(?:also|now|often|better|best|otherwise|today|sometimes|[a-z]+ly)"
_ADVERB: Final = f"(?:{_ALSO_ADVERB}|later|then|once)"
_NAME_NOUN: Final = (
    r"(?:(?:the|his|her|its|their|an?) )?(?:\w+ )?"
    r"(?:name|nickname|pseudonym|alias|moniker|acronym|abbreviation|initials)(?: of)?"
)
_PAST_AS: Final = (
    "known|spelled|spelt|written|credited|designated|rendered|transliterated|romani[sz]ed|styled|styli[sz]ed|billed|"
    "branded|marketed|trading|performing|publishing|recording|writing|referred to|abbreviated|shortened|translated"
)
_KNOWN_AS: Final = (
    rf"(?:(?:{_PAST_AS}) (?:{_ADVERB} )?(?:(?:in|to|by|among) [\w ]{{1,30}} )?as|"
    rf"(?:known|credited) (?:{_ADVERB} )?(?:by|under) {_NAME_NOUN}|under {_NAME_NOUN}|"
    r"(?:abbreviated|shortened|translated|translates) (?:to|as)|abbreviated|(?:which )?stands for|short for|"
    r"a\.?k\.?a\.?|d/b/a|doing business as|alias|or simply|in short)"
)
NICKNAME: Final = "nickname"
"""The rule by which a name is another form of a given name."""

_CALLED: Final = f"(?:{_KNOWN_AS}|called|named|renamed(?: as)?|nicknamed|dubbed|titled|entitled)"
_ALIAS_PHRASE: Final = (
    rf"(?:(?:,? ?(?:and|but) (?:(?:he|she|it) )?)?(?:(?:is|are|was|were) )?(?:{_ADVERB} )*{_KNOWN_AS}|"
    rf"(?:, (?:which|who) )?(?:is|was) (?:{_ADVERB} )*{_CALLED}|, (?:{_ALSO_ADVERB} )*{_CALLED}|"
    rf",? (?:which |who |and )?(?:later |then |has |had )*changed (?:its|his|her|their) name to|"
    rf", (?:formerly|originally|officially|previously|now|today|in full|in short|or|née|nee))"
)
"""Words between two names of one entity.

"Anna called Bob", "Anna, who later called Bob" and "cat and dog are named Tom and Bo" do not match.
"""
_ALIAS_CUE: Final = rf"(?:(?:{_ADVERB} )*{_CALLED}|{_ADVERB}|or|born|née|nee|[\w ]{{0,20}}[a-z]{{3}} ?:)"
"""Words in a bracket before another name: "(now Oslo)", "(or Jim)", "(Chinese: ...)"."""
_ASIDE: Final = r"(?:[(\[][^()\[\]]{0,60}[)\]] ?)*(?:[)\]] ?)?"
"""Brackets to skip, as in "Debub Gondar (Amharic: ...) (or South Gondar)" and "Latin School (LASM), formerly ..."."""
_ARTICLE: Final = r"(?: ?\b(?:the|an?|simply))*"
_ALIAS_AFTER: Final = re.compile(
    rf"{_ASIDE}(?:{_ALIAS_PHRASE}(?: [^.()]{{1,60}}? or)?|[(\[] ?(?:[^()\[\]]{{0,60}}?[,;/] ?)?{_ALIAS_CUE}){_ARTICLE}"
)
_OPENS: Final = re.compile(rf"[(\[]{_ARTICLE}")
_WITHIN: Final = re.compile(r"[(\[][^()\[\]]*")
_CLOSES: Final = re.compile(r"[\s\"“”’'»]*[)\]]")
_GOES_ON: Final = re.compile(r"\w| [A-Z]|'s")
"""What follows a part of a longer name: Carey in Carey Business School is another name."""
_QUOTES: Final = str.maketrans(dict.fromkeys('"“”„‘’«»', " "))
_MAX_DISTANCE: Final = 150
"""Characters at most between a name and another name of the same entity."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence that two names mean one entity: its ``rule``, and the ``better`` name to show.

    ``sure`` evidence needs no check against the entity's other names and takes precedence over other evidence.
    """

    rule: str
    better: ParsedName
    sure: bool = False


def evidence_for(
    new: ParsedName, known: ParsedName, kind: str, text: str = "", *, same_kind: bool = True
) -> Evidence | None:
    """Return the evidence that a new name means the entity of this kind with the name ``known``, or None.

    ``text`` is the sentence of the new name; ``same_kind`` says that both have this kind, rather than one of them an
    unknown one. Order matters: Square after Square Enix may be short for it; Square Enix after Square may be another.
    The caller checks that there is no `objection` and that no other entity fits as well.
    """
    short, long = by_length(new, known)
    if is_same_date(new, known):
        return Evidence("the same date", known, sure=True)
    if _is_kind_and_name(short, long, kind):
        return Evidence("the thing with its kind", short)
    if kind == WORK and _is_title_and_more(short, long):
        return Evidence("title and more", short)
    if kind == PLACE and are_one_place(new, known):
        return Evidence("name of the place", long)
    if not (new.proper or known.proper) or (new.owner and known.owner and new.owner != known.owner):
        return None
    if text and same_kind and _are_stated_alias(new, known, kind, text):
        better = long if _are_acronym_and_long(new, known) else known
        return Evidence("said to be the same", better, sure=True)
    if new.owner != known.owner:
        return None
    if _are_acronym_and_long(new, known):
        return Evidence("acronym", long)
    return _evidence_of_names(new, known, kind, same_kind) if new.proper and known.proper else None


def objection(one: ParsedName, two: ParsedName, kind: str = "") -> str | None:
    """Return why two names cannot mean one entity of this kind, or None. Owners are not compared here."""
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


def contradiction(one: ParsedName, two: ParsedName, kind: str = "") -> str | None:
    """Return the objection that no similarity of meaning outweighs, or None: there is none to "shop" and "store"."""
    if _are_spellings(one, two):
        return None
    both_proper = one.proper and two.proper
    if one.marks != two.marks and not _marks_are_of_names(one, two, kind):
        return "another number, date or contrast"
    if one.roles != two.roles:
        return "another role"
    if genders(one) and genders(two) and genders(one) != genders(two):
        return "another title"
    if both_proper and are_two_places(one, two):
        return "another place"
    if both_proper and are_two_people(one, two) and not are_one_place(one, two):
        return "another full name"
    return None


def _evidence_of_names(new: ParsedName, known: ParsedName, kind: str, same_kind: bool) -> Evidence | None:
    short, long = by_length(new, known)
    if is_same_spelling(new, known):
        return Evidence("spelling", known, sure=True)
    if is_misspelled(new, known) and generation(new) == generation(known):
        return Evidence("misspelling", known)
    if kind == PERSON:
        return _evidence_of_person(new, known)
    if kind in (ORGANISATION, GROUP) and is_part_of_organisation(short, long, shortened=same_kind and short is new):
        return Evidence("part of the name", long)
    if is_same_but_for_number(new, known):
        return Evidence("number in letters", known, sure=True)
    if kind == PLACE and is_place_and_kind(short, long):
        return Evidence("the place with its kind", long)
    return None


def _evidence_of_person(new: ParsedName, known: ParsedName) -> Evidence | None:
    short, long = by_length(new, known)
    if is_part_of_person(short, long):
        # An entity with a bare family name mostly had its own full name before, which is not this one.
        return None if short is known and is_bare_family_name(short, long) else Evidence("part of the name", long)
    if is_nickname(short, long) or is_nickname(long, short):
        return Evidence(NICKNAME, max(known, new, key=lambda name: (len(parts_of(name)), len(name.text))))
    return None


def _are_stated_alias(new: ParsedName, known: ParsedName, kind: str, text: str) -> bool:
    where_they_are = kind == PLACE and (is_place(new) or is_place(known))
    in_brackets = kind != PERSON and not where_they_are
    return states_alias(text, new.text, known.text, in_brackets=in_brackets)


def _marks_are_of_names(one: ParsedName, two: ParsedName, kind: str) -> bool:
    """Whether the differing marks are just words of names: of Rachel Green, of East Asia Forum and EAF."""
    if not (one.proper and two.proper):
        return _are_acronym_and_long(one, two)
    if kind == PERSON:
        return not any(char.isdigit() for char in "".join(one.marks ^ two.marks))
    return _are_acronym_and_long(one, two)


def _are_spellings(one: ParsedName, two: ParsedName) -> bool:
    return (
        one.key == two.key
        or is_same_date(one, two)
        or is_same_spelling(one, two)
        or (one.proper and two.proper and is_same_but_for_number(one, two))
    )


def _are_acronym_and_long(one: ParsedName, two: ParsedName) -> bool:
    return is_acronym(one, two) or is_acronym(two, one)


def _is_title_and_more(short: ParsedName, long: ParsedName) -> bool:
    """Whether ``long`` adds an author or kind to a title: 'Brave by Sara Bareilles', 'Game of Thrones series'."""
    rest = long.words[len(short.words) :]
    if long.words[: len(short.words)] != short.words or not rest or not short.proper or short.owner != long.owner:
        return False
    return (rest[0] == "by" and len(rest) > 1) or (len(rest) == 1 and kind_of(rest[0]) == WORK)


def _is_kind_and_name(short: ParsedName, long: ParsedName, kind: str) -> bool:
    """Whether ``long`` adds common nouns of the kind to a proper name: 'Caroline's dog Oliver' and Oliver."""
    size = len(short.words)
    before = long.words[:-size]
    if not before or long.words[-size:] != short.words or not short.proper or long.proper or short.owner:
        return False
    if kind in (THING, IDEA, UNKNOWN):
        return all(kind_of(word) not in (UNKNOWN, PERSON) for word in before)
    return all(compatible(kind_of(word), kind) and kind_of(word) != UNKNOWN for word in before)


@lru_cache(maxsize=16384)
def states_alias(text: str, one: str, two: str, *, in_brackets: bool) -> bool:
    """Whether ``text`` states that two names mean one entity, as in "Cobh, formerly known as Queenstown".

    With ``in_brackets``, a name alone in brackets behind the other is enough: "Interpol (ICPO)". For people it may be
    the actor, for places the country.
    """
    if one not in text or two not in text:
        return False
    return _states_alias_after(text, one, two, in_brackets) or _states_alias_after(text, two, one, in_brackets)


def _states_alias_after(text: str, name: str, other: str, in_brackets: bool) -> bool:
    for begin in _occurrences(text, name):
        for end in _occurrences(text, other):
            after = begin + len(name)
            if not after < end <= after + _MAX_DISTANCE:
                continue
            between = " ".join(text[after:end].translate(_QUOTES).casefold().split())
            behind = end + len(other)
            if _ALIAS_AFTER.fullmatch(between) and not _GOES_ON.match(text, behind):
                return True
            if _WITHIN.fullmatch(between) and _is_foreign(other):
                return True
            if in_brackets and _OPENS.fullmatch(between) and _CLOSES.match(text, behind):
                return True
    return False


def _occurrences(text: str, name: str) -> Iterator[int]:
    place = text.find(name)
    while place >= 0:
        if not text[place - 1 : place].isalnum():
            yield place
        place = text.find(name, place + 1)


def _is_foreign(name: str) -> bool:
    """Whether a name is not in Latin script: in brackets behind a name it is the original spelling."""
    letters = [char for char in name if char.isalpha()]
    return bool(letters) and not any(unicodedata.name(char, "").startswith("LATIN") for char in letters)
