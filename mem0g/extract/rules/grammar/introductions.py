"""Names that a sentence gives to kin, friends and pets: "my sister Anna", "we have a dog called Rex", "Leo (7)"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from mem0g.extract.rules.grammar.kin import KIN, KIN_WORDS, Kin
from mem0g.extract.rules.grammar.nouns import LANGUAGES, NATIONS
from mem0g.extract.rules.grammar.people import ADJECTIVES, FULL_NAME, NAME, TITLE, Turn, may_be_person
from mem0g.text.english import NUMBERS


@dataclass(frozen=True, slots=True)
class Introduction:
    """A name given to kin, a friend or a pet: "my sister Anna". ``now``: it was another one before."""

    owner: str
    kin: Kin
    word: str
    name: str
    now: bool = False


_OF_ONE = frozenset({"has_boss", "has_dentist", "has_landlord", "has_therapist"})
"""Relations of those whom one has one of: a new one takes the place of the one before."""

_NAMED = re.compile(
    rf"\b(?P<my>[Mm]y|[Oo]ur|[Yy]our) {ADJECTIVES}{{0,2}}(?P<kin>{KIN_WORDS})"
    rf"(?: (?:named |called )?|(?P<comma>, ))(?P<names>{FULL_NAME}(?:(?:, {NAME})*,? (?:and|&) {NAME})?)"
    r"(?P<after>[,.!]| [a-z&(-]|'s|$)"
)
_CALLED = re.compile(
    rf"^(?P<my>[Mm]y|[Oo]ur) {ADJECTIVES}{{0,2}}(?P<kin>{KIN_WORDS})(?:(?:'s|') names?)? (?:is|are|was|were|will be) "
    rf"(?P<now>now )?(?:(?:actually |really )?(?:(?:an? (?:[\w-]+ ){{1,3}})?(?:called "
    rf"|named )))?(?P<names>{TITLE}"
    rf"(?!(?:{NATIONS}|{LANGUAGES}|Catholic|Christian|Muslim|Jewish|Hindu|Buddhist)\b)"
    rf"{FULL_NAME}(?:(?:, {NAME})*,? (?:and|&) {NAME})?)(?P<at_last> now)?(?:,|$)"
)
_BARE_NAMED = re.compile(
    rf"^(?P<my>)(?P<kin>sister|brother|cousin|boyfriend|girlfriend|flatmate|roommate|housemate|coworker|colleague"
    rf"|neighbou?r|husband|wife) (?P<names>{FULL_NAME})(?P<after> [a-z])"
)
"""Somebody of the speaker's without "my": "brother Cathal rang"."""
_BARE_CALLED = re.compile(
    rf"^(?P<my>)(?P<kin>{KIN_WORDS}) (?:is|are) (?:called|named) (?P<names>{TITLE}{FULL_NAME}(?:(?:, {NAME})*,?"
    rf" (?:and|&)"
    rf" {NAME})?)(?:,|$)"
)
_HAVE_NAMED = re.compile(
    rf"^(?:I|[Ww]e|[Mm]y {ADJECTIVES}{{0,2}}(?:{KIN_WORDS})(?: {NAME})?,? and I) (?:also |just |now )?"
    r"(?:have|had|adopted|got|have got) (?:a|an|two|three"
    rf"|\d) (?:[\w-]+ ){{0,4}}?(?P<kin>{KIN_WORDS})"
    rf"(?:,? (?:named|called)|,|:) (?P<names>{FULL_NAME}(?:(?:, {NAME})*,? (?:and|&) {NAME})?)"
)


_OF_ANOTHER = (
    re.compile(rf"^(?P<names>{NAME}) is (?P<owner>{NAME})'s {ADJECTIVES}{{0,2}}(?P<kin>{KIN_WORDS})(?:,|$)"),
    re.compile(
        rf"^(?P<owner>{NAME})'s {ADJECTIVES}{{0,2}}(?P<kin>{KIN_WORDS})(?:'s name is| is (?:called|named)) "
        rf"(?P<names>{NAME})(?:,|$)"
    ),
    re.compile(rf"^(?P<owner>{NAME})'s {ADJECTIVES}{{0,2}}(?P<kin>{KIN_WORDS}),? (?P<names>{NAME}),? (?=[a-z])"),
)
"""Who somebody is to another, both by name: "Anna is Tom's sister"."""
_HIS_NAME_IS = r"(?:(?:[Hh]is|[Hh]er|[Ii]ts) name(?: is|['’]?s)|(?:[Hh]e|[Ss]he|[Ii]t)(?: is|['’]?s) (?:called|named)) "
_A_NAME = rf"(?={FULL_NAME}(?:[.,!;\n]| and |$))"
_NAME_BESIDE = re.compile(
    rf"\b((?:an?|[Mm]y|[Oo]ur) (?:[\w-]+ ){{0,2}}(?:{KIN_WORDS}))(?:[,.!;:]| [-–—])? (?:and )?{_HIS_NAME_IS}"
    rf"{_A_NAME}"
)
_NAME_BEFORE = re.compile(
    rf"\b((?:[Mm]y|[Oo]ur) {ADJECTIVES}{{0,2}}(?:{KIN_WORDS}))(?:['’]s name(?: is|['’]?s)| is (?:called|named)) "
    rf"({FULL_NAME})(?:[,.!;]| [-–—])?(?: and)? [Ss]?[Hh]e(?= |['’]s )"
)
_NAME_AND_MORE = re.compile(
    rf"(?<=[.!;,] )(?:and )?(?P<his>[Hh]is|[Hh]er) name(?: is|['’]?s) (?P<name>{FULL_NAME})[,.!;]?(?: and)? [Ss]?[Hh]e"
    r"(?= |['’]s )"
)
_SEEING = re.compile(
    rf"\b(?:seeing|dating|met) (?:someone|somebody)(?: new)?[,.!]? (?:and )?{_HIS_NAME_IS}({FULL_NAME})(?![\w'’])"
)
_NAME_LATER = re.compile(rf"(?:,|;| [-–—]| and|, and) {_HIS_NAME_IS}{_A_NAME}")


def with_names(text: str) -> str:
    """Return ``text`` with names where they are given, so that each clause can be read by itself.

    "A cat, her name is Pixel" becomes "a cat named Pixel"; "my wife's name is Elena and she is" becomes "my wife Elena
    is". "Her name is Elena", said later, becomes a sentence of its own, and a "she" right after it her name.
    """
    if " name" not in text and " called " not in text:
        return text
    text = _NAME_BESIDE.sub(r"\1 named ", _SEEING.sub(r"dating \1", _NAME_BEFORE.sub(r"\1 \2", text)))
    text = _NAME_AND_MORE.sub(r"\g<his> name is \g<name>. \g<name>", text)
    return _NAME_LATER.sub(". Her name is ", text)


_AGED = re.compile(rf"(?<![\w-])({NAME}),? \((?:aged? )?(\d{{1,2}})\)")


def without_ages(sentence: str) -> tuple[str, list[tuple[str, str]]]:
    """Return ``sentence`` without ages in brackets, and these with the names that they follow: "Leo (7)"."""
    return _AGED.sub(r"\1", sentence), _AGED.findall(sentence)


_TITLED = re.compile(
    rf"(?<![\w'-])(?P<title>Uncle|Aunt|Auntie|Aunty|Cousin|Grandma|Grandpa|Granny|Nana) (?P<name>{NAME})\b(?!')"
)
_OWNED = re.compile(r"(?:\b(?:my|our|your|his|her|their|the|an?|called|named)|'s) $", re.IGNORECASE)


def with_kin_for_title(sentence: str, known: frozenset[str]) -> str:
    """Return "Uncle Bob" as "my uncle Bob", and "your Uncle Bob" as "your uncle Bob"; not the name of somebody
    ``known`` to be called so, nor "Uncle Sam".
    """

    def as_kin(match: re.Match[str]) -> str:
        title, name = match["title"], match["name"]
        if match[0] in known or match[0] == "Uncle Sam":
            return match[0]
        owned = _OWNED.search(match.string, max(0, match.start() - 8), match.start())
        return f"{title.lower()} {name}" if owned else f"my {title.lower()} {name}"

    text = _TITLED.sub(as_kin, sentence)
    return text[:1].upper() + text[1:] if text != sentence else text


_APPOSITION = re.compile(rf"^(?P<name>{NAME}), (?P<kin>[Mm]y {ADJECTIVES}{{0,2}}(?:{KIN_WORDS})), (?=[a-z])")


def with_name_last(sentence: str) -> str:
    """Return "Mark, my flatmate, plays" as "my flatmate Mark plays"."""
    return _APPOSITION.sub(r"\g<kin> \g<name> ", sentence)


def presupposed(question: str, turn: Turn) -> list[Introduction]:
    """Return the names that a question gives to the speaker's own: "can my sister Anna come"."""
    return [
        each
        for match in _NAMED.finditer(question)
        if match["my"].lower() != "your" and match["after"] and match["after"][0] == " "
        for each in _introduced(match, turn)
    ]


def introductions(clause: str, turn: Turn) -> list[Introduction]:
    """Return the names that ``clause`` gives to people and pets of the speaker, or of another by name."""
    found: list[Introduction] = []
    for pattern in (_NAMED, _CALLED, _HAVE_NAMED, _BARE_NAMED, _BARE_CALLED, *_OF_ANOTHER):
        for match in pattern.finditer(clause):
            found += _introduced(match, turn)
    return found


_HAS_NAMED = re.compile(
    r"^(?:also |just |now )?(?:(?:has |have )?(?:just |recently )?(?:has|have|had|adopted|got)) "
    rf"(?:an?|{'|'.join(NUMBERS[2:5])}|\d) (?:[\w-]+ ){{0,4}}?(?P<kin>{KIN_WORDS})"
    rf"(?:,? (?:named|called)|,|:) (?P<names>{FULL_NAME}(?:(?:, {NAME})*,? (?:and|&) {NAME})?)(?![\w'])"
)


def named_in_predicate(words: str, owner: str) -> list[Introduction]:
    """Return the names that ``owner``'s kin or pets are given: "has a baby called Leo" said of Carla."""
    match = _HAS_NAMED.match(words)
    return _introduced(match, Turn(owner)) if match else []


_IN_THE_PAST = re.compile(r"\b(?:old|college|school|first)\b")


def _introduced(match: re.Match[str], turn: Turn) -> list[Introduction]:
    groups = match.groupdict()
    owner = groups.get("owner") or turn.owner(groups.get("my") or "my")
    if groups.get("owner") and not all(may_be_person(groups[each], "is ") for each in ("owner", "names")):
        return []
    kin = KIN[match["kin"]]
    names = re.split(r",? (?:and|&) |, ", match["names"])
    if groups.get("comma") and not (groups["after"] in ",.!" or len(names) > 1):
        return []
    if groups.get("comma") and len(names) > 1 and not kin.plural:  # a list: "my mother, Rick and Sandy"
        return []
    if kin.relation == "has_pet" and " had " in f" {match[0]}":  # it may be dead by now
        return []
    if kin.relation == "has_roommate" and _IN_THE_PAST.search(match[0]):
        kin = replace(kin, relation="had_roommate")
    if "first " in match[0] and kin.relation in {"married_to", "dating"}:  # somebody else is by now
        return []
    if owner is None or (len(names) > 1 and not kin.plural):
        names = names[:1] if owner else []
    spoken = {turn.speaker, turn.addressee}
    said = groups.get("now") or groups.get("at_last") or "new " in match[0][: match.start("kin") - match.start()]
    now = bool(said) and kin.relation in _OF_ONE
    return [Introduction(str(owner), kin, match["kin"], name, now) for name in names if name not in spoken]
