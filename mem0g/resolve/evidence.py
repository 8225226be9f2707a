"""What the strings of two names say for and against their meaning one thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mem0g.resolve.kinds import GROUP, IDEA, ORGANISATION, PERSON, PLACE, THING, UNKNOWN, WORK, compatible, kind_of
from mem0g.resolve.names import Name

_TITLES: Final = {
    "mr": "m", "mister": "m", "sir": "m", "mrs": "f", "ms": "f", "miss": "f", "madam": "f", "dr": "", "doctor": "",
    "prof": "", "professor": "",
}  # fmt: skip
_COMPANY_WORDS: Final = frozenset(
    "inc incorporated ltd limited llc corp corporation co company plc gmbh ag group foundation university "
    "college".split()
)
_SMALL: Final = frozenset("of the and for in on at a an de la".split())
_DEMONYMS: Final = {
    demonym: place
    for place, demonyms in {
        "america": "american", "argentina": "argentine argentinian", "australia": "australian",
        "austria": "austrian", "belgium": "belgian", "brazil": "brazilian", "britain": "british",
        "bulgaria": "bulgarian", "canada": "canadian", "chile": "chilean", "china": "chinese",
        "colombia": "colombian", "croatia": "croatian", "cuba": "cuban", "denmark": "danish", "egypt": "egyptian",
        "england": "english", "estonia": "estonian", "ethiopia": "ethiopian", "europe": "european",
        "finland": "finnish", "france": "french", "germany": "german", "greece": "greek", "hungary": "hungarian",
        "iceland": "icelandic", "india": "indian", "indonesia": "indonesian", "iran": "iranian", "iraq": "iraqi",
        "ireland": "irish", "israel": "israeli", "italy": "italian", "japan": "japanese", "kenya": "kenyan",
        "korea": "korean", "latvia": "latvian", "lithuania": "lithuanian", "malaysia": "malaysian",
        "mexico": "mexican", "morocco": "moroccan", "netherlands": "dutch", "new zealand": "kiwi",
        "nigeria": "nigerian", "norway": "norwegian", "pakistan": "pakistani", "peru": "peruvian",
        "philippines": "filipino philippine", "poland": "polish", "portugal": "portuguese", "romania": "romanian",
        "russia": "russian", "scotland": "scottish", "serbia": "serbian", "spain": "spanish", "sweden": "swedish",
        "switzerland": "swiss", "thailand": "thai", "turkey": "turkish", "ukraine": "ukrainian",
        "vietnam": "vietnamese", "wales": "welsh",
    }.items()
    for demonym in demonyms.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """That two names mean one thing: by which ``rule``, and which is the ``better`` name to keep."""

    rule: str
    better: Name


def evidence_for(one: Name, two: Name, kind: str) -> Evidence | None:
    """What in the strings says that the two names mean one thing of this kind, or None.

    It holds only where nothing speaks against it (`objection`), and where no third thing fits as well.
    """
    short, long = _by_length(one, two)
    if _is_named_thing(short, long, kind):
        return Evidence("the thing with its kind", short)
    if kind == WORK and _is_title(short, long):
        return Evidence("title and more", short)
    if not (one.proper and two.proper) or one.owner != two.owner:
        return None
    if kind == PERSON:
        return Evidence("part of the name", long) if is_part_of_person(short, long) else None
    if kind in (ORGANISATION, GROUP) and _is_part_of_organisation(short, long):
        return Evidence("part of the name", long)
    if _is_acronym(short, long):
        return Evidence("acronym", long)
    if kind == PLACE and _is_demonym(one, two):
        return Evidence("demonym", two if one.key in _DEMONYMS else one)
    return None


def objection(one: Name, two: Name) -> str | None:
    """What in the strings says that the two names mean two things, or None. Owners are judged elsewhere."""
    if found := contradiction(one, two):
        return found
    if one.key != two.key and one.head != two.head and not (one.proper and two.proper):
        return "another head noun"
    return None


def contradiction(one: Name, two: Name) -> str | None:
    """What in the strings no likeness of meaning outweighs, or None; "shop" and "store" have no contradiction."""
    if one.key == two.key:
        return None
    if one.marks != two.marks:
        return "another number, date or contrast"
    if one.roles != two.roles:
        return "another role"
    if _titles(one) and _titles(two) and _titles(one) != _titles(two):
        return "another title"
    if one.proper and two.proper and _are_two_people(one, two):
        return "another full name"
    return None


def is_part_of_person(short: Name, long: Name) -> bool:
    """Caroline and Caroline Miller, Lars T. Berg and Lars Berg, Mr Berg and Lars Berg; not Anna Berg and Anna Moe."""
    parts, whole = _without_title(short), _without_title(long)
    if not parts or len(parts) > len(whole) or len(whole) < 2 or len(whole) > 4 or short.roles or long.roles:
        return False
    if len(parts) == 1:
        return len(parts[0]) > 1 and parts[0] in (whole[0], whole[-1])
    rest = iter(whole)
    in_order = all(any(_is_same_or_initial(part, word) for word in rest) for part in parts)
    return in_order and parts[-1] == whole[-1]


def _are_two_people(one: Name, two: Name) -> bool:
    """Anna Berg and Anna Moe: full names that share a part and go on differently."""
    parts, others = set(_without_title(one)), set(_without_title(two))
    return bool(parts & others and parts - others and others - parts) and not is_part_of_person(*_by_length(one, two))


def _by_length(one: Name, two: Name) -> tuple[Name, Name]:
    """The shorter and the longer name, titles not counted."""
    short, long = sorted((one, two), key=lambda name: (len(_without_title(name)), len(name.words), name.key))
    return short, long


def _is_same_or_initial(part: str, word: str) -> bool:
    return part == word or (min(len(part), len(word)) == 1 and part[0] == word[0])


def _without_title(name: Name) -> tuple[str, ...]:
    return tuple(word for word in name.words if word not in _TITLES)


def _titles(name: Name) -> set[str]:
    return {_TITLES[word] for word in name.words if _TITLES.get(word)}


def _is_part_of_organisation(short: Name, long: Name) -> bool:
    """The Wolves and the Minnesota Wolves, Apple and Apple Inc."""
    size = len(short.words)
    if size == len(long.words) or (size == 1 and kind_of(short.words[0]) != UNKNOWN):
        return False  # the University is not any university
    rest = long.words[size:]
    return long.words[-size:] == short.words or (
        long.words[:size] == short.words and all(word in _COMPANY_WORDS for word in rest)
    )


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


def _is_acronym(short: Name, long: Name) -> bool:
    """CS:GO and Counter-Strike: Global Offensive, UN and United Nations."""
    letters = "".join(char for char in short.text if char.isalnum())
    if len(short.words) > 1 or len(long.words) < 2 or len(letters) < 2 or not letters.isupper():
        return False
    initials = ("".join(word[0] for word in long.words), "".join(word[0] for word in long.words if word not in _SMALL))
    return letters.casefold() in initials


def _is_demonym(one: Name, two: Name) -> bool:
    return two.key == _DEMONYMS.get(one.key) or one.key == _DEMONYMS.get(two.key)
