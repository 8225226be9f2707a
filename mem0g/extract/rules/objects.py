"""Readers of objects: each takes the words after the verb and gives the things they name, if they are of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from mem0g.extract.rules.kinds import animal, is_belonging, is_condition, is_profession, is_role, kind_of
from mem0g.extract.rules.people import FULL_NAME, KIN, KIN_WORDS, Party
from mem0g.extract.rules.phrases import Phrase, noun_phrases, proper
from mem0g.extract.rules.voice import possessive


@dataclass(frozen=True, slots=True)
class Thing:
    """What a claim is about: ``name`` and ``type`` for the triple, ``words`` as said, over how many ``tokens``."""

    name: str
    type: str
    words: str
    tokens: int


Reader = Callable[[str, Party], tuple[Thing, ...]]


def _things(phrases: tuple[Phrase, ...], kind: str = "") -> tuple[Thing, ...]:
    return tuple(Thing(p.name, kind or animal(p.name) or kind_of(p.name), p.words, p.tokens) for p in phrases)


def _is_proper(phrase: Phrase) -> bool:
    return phrase.name[:1].isupper() and not re.match(r"[\w-]+'s ", phrase.name)


def _quoted(phrase: Phrase) -> bool:
    return phrase.words.count('"') == 2 or phrase.name.istitle()


def anything(rest: str, party: Party) -> tuple[Thing, ...]:
    """Whatever it names that can stand by itself."""
    return _things(noun_phrases(rest, party))


def place(rest: str, party: Party) -> tuple[Thing, ...]:
    """A place by its proper name."""
    if re.match(r"(?:the )?(?:[A-Z][a-z]+)'s ", rest):
        return ()
    found = proper(rest)
    return _things((found,), "place") if found else ()


def organization(rest: str, party: Party) -> tuple[Thing, ...]:
    """A company, school or the like, by name or as "a coffee shop"."""
    found = proper(rest)
    if found:
        return _things((found,), "organization")
    phrases = noun_phrases(rest, party, gerunds=False)[:1]
    return _things(phrases, "organization") if re.match(r"(?:an?|the|my|our|two) ", rest) else ()


def person(rest: str, party: Party) -> tuple[Thing, ...]:
    """A person by name, or as "my sister"."""
    match = re.match(rf"(?:my (?:[\w-]+ )?(?:{KIN_WORDS}),? )?({FULL_NAME})(?!'s)(?=[ ,.!]|$)", rest)
    if match and match[1] not in (party.speaker,):
        return (Thing(match[1], "person", match[0], len(match[0].split())),)
    match = re.match(rf"(?:my|our) (?:(?:[\w-]+) )?({KIN_WORDS})(?!'s)(?=[ ,.!]|$)", rest)
    if match:
        kin = KIN[match[1]]
        return (Thing(f"{possessive(party.speaker)} {match[1]}", kin.type, match[0], len(match[0].split())),)
    return ()


def visitable(rest: str, party: Party) -> tuple[Thing, ...]:
    """Somewhere or something one goes to: Paris, the beach, a concert, my parents."""
    if re.match(rf"(?:my|our) (?:[\w-]+ )?(?:{KIN_WORDS})\b(?!'s)", rest):
        return person(rest, party)
    found = noun_phrases(rest, party, gerunds=False)
    if found and kind_of(found[0].name) in {"place", "event"}:
        return _things(found[:1])
    return place(rest, party)


def hobby(rest: str, party: Party) -> tuple[Thing, ...]:
    """Something liked or done in general, not "the colours" of what is being shown."""
    if re.match(r"(?:the|this|that|these|those|your|how|when|what|all|both|every|seeing|being|to) ", rest + " ", re.IGNORECASE):
        return _things((found,)) if re.match(r"the [A-Z]", rest) and (found := proper(rest)) else ()
    return _things(noun_phrases(rest, party))


def owned(rest: str, party: Party) -> tuple[Thing, ...]:
    """A belonging or a pet, not an idea."""
    if not re.match(r"(?:an?|my|our|two|three|some|several|\d+) ", rest):
        return ()
    return tuple(thing for thing in anything(rest, party)[:1] if is_belonging(thing.name))


def pet(rest: str, party: Party) -> tuple[Thing, ...]:
    """A pet, by its name where it is given."""
    found = noun_phrases(rest, party, gerunds=False)
    if not found or not re.match(r"(?:an?|my|our|another|some|two|three|four|five|\d|[a-z]+s\b) ?", rest):
        return ()
    kinds = [animal(phrase.name) for phrase in found]
    if not all(kinds):
        return ()
    return tuple(Thing(p.name, kind, p.words, p.tokens) for p, kind in zip(found, kinds, strict=True))


def job(rest: str, party: Party) -> tuple[Thing, ...]:
    """A profession: "a nurse"."""
    found = noun_phrases(rest, party, gerunds=False)[:1]
    ok = found and re.match(r"(?:an?|the) ", rest) and is_profession(found[0].name)
    return _things(found, "profession") if ok else ()


def role(rest: str, party: Party) -> tuple[Thing, ...]:
    """What one is for good: "a single parent"."""
    found = noun_phrases(rest, party, gerunds=False)[:1]
    ok = found and re.match(r"(?:an?) ", rest) and is_role(found[0].name)
    return _things(found, "role") if ok else ()


def _only(test: Callable[[Phrase], bool], kind: str = "", article: str = "") -> Reader:
    """A reader of noun phrases that pass ``test``; with ``article``, only after one of these words."""

    def read(rest: str, party: Party) -> tuple[Thing, ...]:
        if article and not re.match(rf"(?:{article}) ", rest):
            return ()
        found = noun_phrases(rest, party)
        return _things(found, kind) if found and all(map(test, found)) else ()

    return read


def _literal(pattern: str, kind: str = "") -> Reader:
    """A reader of exactly what ``pattern`` matches: its first group is the name."""
    regex = re.compile(pattern)

    def read(rest: str, _party: Party) -> tuple[Thing, ...]:
        match = regex.match(rest)
        return (Thing(match[1], kind, match[0].strip(), len(match[0].split())),) if match else ()

    return read


def _kin(rest: str, party: Party) -> tuple[Thing, ...]:
    found = noun_phrases(rest, party, gerunds=False)
    if not re.match(r"(?:an?|two|three|four|five|six|seven|\d|kids|children|twins) ?", rest):
        return ()
    heads = [re.search(rf"(?:^| )({KIN_WORDS})$", phrase.name) for phrase in found]
    if not found or not all(heads) or any(KIN[h[1]].type != "person" for h in heads if h):
        return ()
    return tuple(Thing(p.name, KIN[h[1]].relation, p.words, p.tokens) for p, h in zip(found, heads, strict=True) if h)


_LIGHT = frozenset(
    """
    friends friend sure decision decisions mistakes memories difference progress sense money plan time way point choice
    connections connection changes effort living use noise call calls promise impact space room contact strides it
    """.split()
)
_BODY = "ankle|leg|arm|wrist|foot|knee|back|shoulder|finger|toe|rib|ribs|hip|hand|elbow|nose|collarbone"
_STATUS = (
    "single|married|divorced|engaged|widowed|pregnant|retired|unemployed|vegetarian|vegan|pescatarian|transgender|trans|gay|lesbian|bisexual|"
    "nonbinary|non-binary|left-handed|colorblind|colour-blind|deaf|lactose intolerant|gluten intolerant|diabetic|adopted|"
    "asthmatic|dyslexic|autistic|self-employed|bilingual|Catholic|Christian|Muslim|Jewish|Buddhist|Hindu"
)
_NATION = (
    "American|British|English|Scottish|Irish|Welsh|Canadian|Australian|German|French|Italian|Spanish|Portuguese|Dutch|Belgian|Swiss|Austrian|"
    "Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Russian|Ukrainian|Indian|"
    "Pakistani|Bangladeshi|Chinese|Japanese|Korean|Vietnamese|Thai|Filipino|Indonesian|Malaysian|Mexican|Brazilian|Argentinian|Chilean|"
    "Colombian|Peruvian|Cuban|Egyptian|Moroccan|Nigerian|Kenyan|Ethiopian|Ghanaian|South African|Israeli|Iranian|Iraqi|Lebanese|Syrian"
)
LANGUAGES = (
    "English|Spanish|French|German|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|Hungarian|Romanian|"
    "Greek|Turkish|Russian|Ukrainian|Arabic|Hebrew|Persian|Farsi|Hindi|Urdu|Bengali|Punjabi|Tamil|Chinese|Mandarin|Cantonese|Japanese|"
    "Korean|Vietnamese|Thai|Tagalog|Indonesian|Swahili|Latin|Welsh|Irish|Catalan|Croatian|Serbian|sign language|ASL"
)

READERS: dict[str, Reader] = {
    "thing": anything,
    "place": place,
    "organization": organization,
    "person": person,
    "visitable": visitable,
    "hobby": hobby,
    "owned": owned,
    "pet": pet,
    "job": job,
    "role": role,
    "kin": _kin,
    "status": _literal(rf"({_STATUS})(?= |,|$)(?! (?:of|to|in|about|by)\b)"),
    "nation": _literal(rf"({_NATION})(?=,|$)", "nationality"),
    "language": _literal(rf"(?:a (?:bit|little) of |some |fluent )?({LANGUAGES})\b", "language"),
    "age": _literal(r"(\d{1,2})(?: years old)?(?=,|$| (?:and|but|now|already)\b)", "age"),
    "going": _literal(
        r"((?:camping|hiking|swimming|skiing|snowboarding|surfing|fishing|shopping|dancing|climbing|rock climbing|kayaking|"
        r"canoeing|sailing|cycling|biking|running|jogging|skydiving|diving|scuba diving|snorkeling|bowling|ice skating|skating|"
        r"horseback riding|backpacking|birdwatching|thrifting|sightseeing|paddleboarding|sledding|golfing|mushroom picking))\b",
        "activity",
    ),
    "years": _literal(r"((?:\d+|two|three|four|five|six|seven|eight|nine|ten) years)", "duration"),
    "name": _literal(rf"({FULL_NAME})(?=,|$| because| (?:and|at|now|for)\b)", "person"),
    "body": _literal(rf"(?:my|his|her) ((?:left |right )?(?:{_BODY}))\b", "body part"),
    "dated": _literal(r"\S*(\d{1,2} \w+)", "date"),
    "condition": _only(lambda p: is_condition(p.name), "condition"),
    "instrument": _only(lambda p: kind_of(p.name) in {"instrument", "activity"} or _is_proper(p)),
    "event": _only(lambda p: kind_of(p.name) == "event"),
    "race": _only(lambda p: bool(re.search(r"(?i)(?:race|marathon|\\d ?km?|tournament|event|relay|camp|workshop|class|campaign|fundraiser)$", p.name))),
    "possession": _only(lambda p: kind_of(p.name) in {"work", "instrument"} and not _is_proper(p), article="an?|two|three|some"),
    "definite": _only(lambda p: p.name.lower().split()[-1] not in _LIGHT, article="an?|some|my|our|two|three|four|five"),
    "made": _only(lambda p: p.name.lower().split()[-1] not in _LIGHT, article="an?|some|my|our|this|homemade|\\w+"),
    "seen": _only(lambda p: bool(kind_of(p.name)) or _quoted(p)),
    "begun": _only(lambda p: kind_of(p.name) in {"event", "work", "activity", "thing"} or p.name.lower().endswith(("business", "job", "blog", "channel", "family", "ing"))),
    "job_or_thing": _only(lambda p: bool(kind_of(p.name)) or p.name.lower().endswith(("job", "degree", "internship", "ticket", "tickets", "certificate", "scholarship"))),
    "book": _only(lambda p: kind_of(p.name) == "work" or _quoted(p), "work"),
    "exam": _only(lambda p: p.name.lower().endswith(("exam", "exams", "test", "tests", "interview", "bar"))),
}  # fmt: skip


def retyped(things: tuple[Thing, ...], kind: str) -> tuple[Thing, ...]:
    """The things with ``kind`` for the type where they have none."""
    return tuple(thing if thing.type or not kind else replace(thing, type=kind) for thing in things)
