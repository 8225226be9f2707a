"""Readers of objects: each takes the words after a verb and returns what they name, if it is of the reader's kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from mem0g.extract.rules.grammar.activities import (
    LIGHT,
    deed,
    given_up,
    habit,
    hobby,
    medicine_left,
    pet_left,
    to_do,
)
from mem0g.extract.rules.grammar.kin import KIN, KIN_WORDS
from mem0g.extract.rules.grammar.literals import LITERALS
from mem0g.extract.rules.grammar.noun_phrases import NounPhrase, noun_phrases, proper, propers
from mem0g.extract.rules.grammar.nouns import (
    BUSINESSES,
    FIELDS,
    FIRMS,
    animal,
    is_belonging,
    is_condition,
    is_profession,
    is_role,
    kind_of,
)
from mem0g.extract.rules.grammar.people import FULL_NAME, NAME, Turn, possessive
from mem0g.extract.rules.grammar.places import after, home, place
from mem0g.extract.rules.grammar.referents import Reader, Referent, referents_of
from mem0g.extract.rules.grammar.versions import versioned
from mem0g.text.english import NUMBERS


def _is_proper(phrase: NounPhrase) -> bool:
    return phrase.name[:1].isupper() and not re.match(r"[\w-]+'s ", phrase.name)


def _quoted(phrase: NounPhrase) -> bool:
    return phrase.words.count('"') == 2 or phrase.name.istitle()


def anything(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read any noun phrase."""
    return referents_of(noun_phrases(rest, turn))


_KIND_AND_NAME = re.compile(r"(?:an?|the|this|our|my) (?:[\w-]+ ){1,4}?(?:called|named) (?=[A-Z])")
"""What something is, before its name: "a bakery called Crumb"."""


def organization(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a company, school or the like, by name or as "a coffee shop"."""
    match = _KIND_AND_NAME.match(rest)
    if found := propers(rest[match.end() :] if match else rest):
        return after(match, rest, lambda _rest, _turn: referents_of(found, "organization"), turn)
    if re.match(rf"(?:my|our) (?:[\w-]+ )?(?:{KIN_WORDS})\b", rest):
        return person(rest, turn)
    phrases = noun_phrases(rest, turn, gerunds=False)[:1]
    return referents_of(phrases, "organization") if re.match(r"(?:an?|the|my|our|two) ", rest) else ()


_SOMEBODY = r"(?:an?|this) (?:[\w-]+ ){0,2}?(?:guy|man|woman|girl|boy|lady|bloke|lad|person) (?:called|named) "


def person(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a person by name, as "my sister", "a man called Felix", or "me"."""
    if match := re.match(r"(?:me|us)(?=[ ,.]|$)", rest):
        return (Referent(turn.speaker, "person", match[0], 1),)
    match = re.match(rf"(?:{_SOMEBODY}|my (?:[\w-]+ )?(?:{KIN_WORDS}),? )?({FULL_NAME})(?!'s)(?=[ ,.!]|$)", rest)
    if match and match[1] not in (turn.speaker,):
        return (Referent(match[1], "person", match[0], len(match[0].split())),)
    match = re.match(rf"(?:my|our) (?:(?:[\w-]+) )?({KIN_WORDS})(?!'s)(?=[ ,.!]|$)", rest)
    if match:
        kin, name = KIN[match[1]], turn.named_by_role(match[1]) or turn.named_before(turn.speaker, match[1])
        name = name or f"{possessive(turn.speaker)} {match[1]}"
        return (Referent(name, kin.type, match[0], len(match[0].split())),)
    return ()


def visitable(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read somewhere or something one goes to: Paris, the beach, a concert, my parents."""
    if re.match(rf"(?:my|our) (?:[\w-]+ )?(?:{KIN_WORDS})\b(?!'s)", rest):
        return person(rest, turn)
    if (named := _KIND_AND_NAME.match(rest)) and kind_of(named[0].split()[-2]) == "place":
        return after(named, rest, place, turn)
    if not re.match(
        r"(?:an?|the|my|our|another|some|this|that|\d|[A-ZÀ-Þ]|[a-z]+ (?:practice|class|church|camp)\b)", rest
    ):
        return ()
    found = noun_phrases(rest, turn, gerunds=False)
    if found and kind_of(found[0].name) in {"place", "event"}:
        return referents_of(found[:1])
    return place(rest, turn)


def owned(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a belonging or a pet, not an idea."""
    if not re.match(r"(?:an?|my|our|two|three|some|several|\d+) ", rest):
        return ()
    found = anything(rest, turn)
    mine = possessive(turn.speaker) + " "
    belongings = [replace(each, name=each.name.removeprefix(mine)) for each in found if is_belonging(each.name)]
    return tuple(belongings) if found and is_belonging(found[0].name) else ()


def visit(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read somewhere or somebody one visits, of any kind: Paris, my parents, a travel agency."""
    return visitable(rest, turn) or READERS["definite"](rest, turn)[:1]


def acquaintance(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read somebody one meets, by name or not: "some investors"."""
    return person(rest, turn) or (READERS["definite"](rest, turn) if re.match(r"(?:an?|some|two) ", rest) else ())


def pet(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a pet, by its name if it is given."""
    found = noun_phrases(re.sub(r"^(?:this|these) ", "a ", rest), turn, gerunds=False)
    if (
        not found
        or " for you" in rest
        or not re.match(rf"(?:an?|my|our|another|some|th[ei]se?|this|{'|'.join(NUMBERS[2:6])}|\d|[a-z]+s\b) ?", rest)
    ):
        return ()
    kinds = [animal(phrase.name) for phrase in found]
    if not all(kinds):
        return ()
    if " and " in rest.partition(" called ")[0].partition(" named ")[0] and re.search(r" (?:called|named) ", rest):
        return pet(re.split(r",? and (?=an? )", rest)[0], turn) if re.search(r" and an? ", rest) else ()
    if named := re.match(rf"((?:\S+ ){{1,6}}?(?:named|called) )({FULL_NAME})(?=[ ,.]|$)", rest):
        return (Referent(named[2], kinds[0], named[0], len(named[0].split())),)
    named = _PET_BY_NAME.match(rest)
    if named and named[1] not in (turn.speaker, turn.addressee, *turn.others):
        return (Referent(named[1], kinds[0], named[0], len(named[0].split())),)
    return tuple(Referent(p.name, kind, p.words, p.length) for p, kind in zip(found, kinds, strict=True))


_PET_BY_NAME = re.compile(rf"(?:an?|another) (?:[\w-]+ ){{0,3}}?[\w-]+, ({NAME})(?=,|$)")
"""A pet and its name, set off by a comma: "a greyhound, Nettle"."""


def job(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a profession: "a nurse"."""
    found = noun_phrases(rest, turn, gerunds=False)[:1]
    ok = found and re.match(r"(?:an?|the) ", rest + " ") and is_profession(found[0].name)
    return referents_of(found, "profession") if ok else ()


def past_job(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a profession that somebody had: "a retired nurse"."""
    if (match := _PAST_JOB.match(rest)) is None:
        return ()
    found = job(f"a {rest[match.end() :]}", turn)
    return tuple(replace(each, words=f"{match[0]}{each.name}", length=each.length + 1) for each in found)


_PAST_JOB = re.compile(r"an? (?:retired|former) (?=[a-z])")


def role(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a lasting role: "a single parent"."""
    found = noun_phrases(rest, turn, gerunds=False)[:1]
    ok = found and re.match(r"(?:an?) ", rest) and is_role(found[0].name)
    return referents_of(found, "role") if ok else ()


def _only(test: Callable[[NounPhrase], bool], kind: str = "", article: str = "") -> Reader:
    """Return a reader of noun phrases that pass ``test``; with ``article``, only after one of these words."""

    def read(rest: str, turn: Turn) -> tuple[Referent, ...]:
        if article and not re.match(rf"(?:{article}) ", rest + " "):
            return ()
        found = noun_phrases(rest, turn)
        return referents_of(found, kind) if found and all(map(test, found)) else ()

    return read


def _shown(test: Callable[[NounPhrase], bool], article: str = r"\w+") -> Reader:
    """Return a reader as ``_only`` does, which also reads "this cake", as a cake."""
    read = _only(test, article=article)

    def read_shown(rest: str, turn: Turn) -> tuple[Referent, ...]:
        match = re.match(r"(?:this|that|these|those) (?=[a-z]+(?:-\w+)? [a-z]|[a-z]+$|[a-z]+ )", rest)
        return read(("some " if match[0].startswith("the") else "a ") + rest[match.end() :] if match else rest, turn)

    return read_shown


def _kin(rest: str, turn: Turn) -> tuple[Referent, ...]:
    found = noun_phrases(rest, turn, gerunds=False)
    if not re.match(rf"(?:an?|{'|'.join(NUMBERS[2:8])}|\d|kids|children|twins) ?", rest):
        return ()
    heads = [re.search(rf"(?:^| )({KIN_WORDS})$", phrase.name) for phrase in found]
    if not found or not all(heads) or any(KIN[h[1]].type != "person" for h in heads if h):
        return ()
    return tuple(
        Referent(f"{possessive(turn.speaker)} {h[1]}", KIN[h[1]].relation, p.words, p.length)
        for p, h in zip(found, heads, strict=True)
        if h
    )


_SOME = f"an?|some|my|our|{'|'.join(NUMBERS[2:6])}"
_HELD = frozenset(
    "mortgage loan subscription passport visa licence license membership account allowance scholarship pension".split()
)
_WORN = frozenset("glasses lenses braces contacts wig uniform hijab kippah turban hearing-aid aid aids".split())
_SEEN_BY = frozenset("dentist doctor gp therapist specialist physio physiotherapist counsellor counselor vet".split())


def _field(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a place or a line of business that one works in."""
    found = place(rest, turn)
    if found:
        return found
    phrases = noun_phrases(rest, turn, gerunds=False)[:1]
    known = phrases and phrases[0].name.lower().split()[-1] in FIELDS
    return referents_of(phrases, "field") if known else ()


def _sold(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a belonging that the subject had: "my car", "the car", "his house"."""
    return owned(re.sub(r"^(?:the|his|her|their) ", "a ", rest), turn)


def _traded(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a belonging, or a thing of the subject's by its make: "the Triumph"."""
    named = noun_phrases(rest, turn, gerunds=False)[:1] if re.match(r"(?:the|my|our|his|her) ", rest) else ()
    return _sold(rest, turn) or referents_of(tuple(each for each in named if _is_proper(each)))


def _instruments(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read what one plays: a list with one known instrument or sport is one of them, "tennis, padel and squash"."""
    found = noun_phrases(rest, turn)
    known = [kind_of(p.name) in {"instrument", "activity"} or _is_proper(p) for p in found]
    short = all(len(p.name.split()) <= 2 for p in found)
    return referents_of(found) if known and (all(known) or (any(known) and short)) else ()


def _club(rest: str, _turn: Turn) -> tuple[Referent, ...]:
    """Read the proper name of a club or the like."""
    named = propers(rest)
    if len(named) == 1:  # of "Villa, God help him"
        named = (replace(named[0], name=named[0].name.partition(",")[0]),)
    return referents_of(named, "organization")


def _occasion(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read what tickets are for: an event, a place with one, or a name."""
    named = tuple(each for each in anything(rest, turn)[:1] if each.type in {"event", "place", "work"})
    found = proper(rest)
    return named or (referents_of((found,), "event") if found else ())


def _firm(rest: str, _turn: Turn) -> tuple[Referent, ...]:
    """Read a firm whose name is also that of what it makes: Google, which is no place."""
    found = proper(rest)
    return referents_of((found,), "organization") if found and found.name in FIRMS else ()


def _whereabouts(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a place where somebody is, by its name; a department (HR, Sales) is none."""
    found = place(rest, turn) if turn.cased else ()
    return tuple(each for each in found if each.name not in _NO_PLACES and each.name.lower() not in FIELDS)


def _home_of(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read whose home it is: "my parents' house"."""
    match = _HOME_OF.match(rest)
    return (
        tuple(replace(each, words=match[0], length=len(match[0].split())) for each in person(f"my {match[1]}", turn))
        if match
        else ()
    )


_HOME_OF = re.compile(
    rf"(?:my|our|his|her) ((?:{KIN_WORDS})(?: [A-Z]\w+)?)'s?(?: (?:house|place|home|flat|apartment|basement))?"
    r"(?=$|[,.]| \u27e6)"
)


_SCHOOLS = frozenset("school nursery preschool kindergarten college uni university".split())
_BY_BIRTH = frozenset(
    f"has_{word}"
    for word in "mother father parent brother sister aunt uncle grandmother grandfather grandparent cousin".split()
)
_NO_PLACES = frozenset("IT HR QA PR ICU A&E Ops Sales Marketing Finance Accounts Legal Love Heaven Hell".split())
"""What one may be "in" and is no place: departments, and love."""
_KINSHIP = frozenset(word for word, kin in KIN.items() if kin.relation in _BY_BIRTH) | frozenset(
    "dads mums moms godmother godfather godparent stepmum stepmom stepdad".split()
)
"""What one becomes by a birth."""

READERS: dict[str, Reader] = {
    **LITERALS,
    "thing": anything,
    "place": place,
    "home": home,
    "organization": organization,
    "person": person,
    "visitable": visitable,
    "visit": visit,
    "acquaintance": acquaintance,
    "habit": habit,
    "hobby": hobby,
    "owned": owned,
    "pet": pet,
    "job": job,
    "past_job": past_job,
    "role": role,
    "kin": _kin,
    "field": _field,
    "vehicle": _only(bool, article="an?|my|our|the"),
    "held": _only(lambda p: p.name.lower().split(" of ")[0].split()[-1] in _HELD, article="an?|my|our|two"),
    "worn": _only(lambda p: p.name.lower().split()[-1] in _WORN),
    "sold": _sold,
    "traded": _traded,
    "club": _club,
    "given_up": given_up,
    "home_of": _home_of,
    "pet_left": pet_left,
    "medicine_left": medicine_left,
    "first_name": lambda rest, _turn: referents_of(propers(rest)[:1]),
    "firm": _firm,
    "whereabouts": _whereabouts,
    "kinship": _only(lambda p: p.name.lower() in _KINSHIP, article="an?|parents|grandparents"),
    "business": _only(lambda p: p.name.lower().split()[-1] in BUSINESSES, article="an?|the|my|our"),
    "named": _only(_is_proper),
    "occasion": _occasion,
    "versioned": versioned,
    "seen_by": _only(lambda p: p.name.lower().split()[-1] in _SEEN_BY),
    "condition": _only(lambda p: is_condition(p.name), "condition"),
    "instrument": _instruments,
    "event": _only(lambda p: kind_of(p.name) == "event"),
    "race": _only(
        lambda p: bool(
            re.search(
                r"(?i)(?:race|marathon|\d ?km?|tournament|event|relay|camp|workshop|class|campaign"
                r"|fundraiser)$",
                p.name,
            )
        )
    ),
    "possession": _only(
        lambda p: (
            kind_of(p.name) in {"work", "instrument"}
            and not _is_proper(p)
            and not p.name.endswith(("story", "stories"))
        ),
        article="an?|two|three|some",
    ),
    "definite": _shown(lambda p: p.name.lower().split()[-1] not in LIGHT, _SOME),
    "several": _shown(
        lambda p: p.name.lower().split()[-1] not in LIGHT,
        rf"{_SOME}|(?:(?!th)[a-z-]+ )?(?!this|his|hers|yours|always)[a-z]{{3,}}[^\Wsui]s",
    ),
    "to_do": to_do,
    "deed": deed,
    "recommended": _only(lambda p: _quoted(p) or p.name.partition(" ")[0].endswith("ing")),
    "sport": _only(lambda p: kind_of(p.name) == "activity"),
    "made": _shown(lambda p: p.name.lower().split()[-1] not in LIGHT),
    "seen": _only(lambda p: bool(kind_of(p.name)) or _quoted(p)),
    "begun": _only(
        lambda p: (
            kind_of(p.name) in {"event", "work", "activity", "thing"}
            or p.name.lower() in _SCHOOLS
            or p.name.lower().endswith(("business", "job", "blog", "channel", "family", "ing"))
            or p.name.partition(" ")[0].endswith("ing")
        )
    ),
    "job_or_thing": _only(
        lambda p: (
            bool(kind_of(p.name))
            or p.name.lower().endswith(
                ("job", "degree", "internship", "ticket", "tickets", "certificate", "scholarship")
            )
        )
    ),
    "book": _only(lambda p: kind_of(p.name) == "work" or _quoted(p), "work"),
    "exam": _only(lambda p: p.name.lower().endswith(("exam", "exams", "test", "tests", "interview", "bar"))),
}


def with_type(referents: tuple[Referent, ...], kind: str) -> tuple[Referent, ...]:
    """Return the referents, with ``kind`` for the type where they have none."""
    return tuple(each if each.type or not kind else replace(each, type=kind) for each in referents)
