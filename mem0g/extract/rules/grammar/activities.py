"""Readers of what one does: a hobby, a habit, what one likes or plans to do, what one gave up or gave away."""

from __future__ import annotations

import re
from dataclasses import replace

from mem0g.extract.rules.grammar.literals import FOREGONE
from mem0g.extract.rules.grammar.noun_phrases import MAX_WORDS, noun_phrases, proper
from mem0g.extract.rules.grammar.nouns import is_belonging
from mem0g.extract.rules.grammar.people import DEICTIC, Turn, third_person
from mem0g.extract.rules.grammar.referents import Referent, referents_of
from mem0g.model import LITERAL
from mem0g.text.verbs import gerund

_NO_HOBBY = frozenset("see hear know say think let keep have get make give see be come go show tell help".split())
_NO_DEED = frozenset(
    """
    a an the my our some more tell talk ask show call any another this that his her their your be keep do get let see
    say have stay continue thank hear know check try miss forget go rock
    """.split()
)
LIGHT = frozenset(
    """
    friends friend sure decision decisions mistakes memories difference progress sense money plan time way point choice
    connections connection changes effort living use noise call calls promise impact space room contact strides it
    chance leap no turn peek seat stand while breath risk risks toll break-up best all kick feel glimpse grip handle
    hold trial error hug kiss question questions ride lift
    """.split()
)


def hobby(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read something liked or done in general, not "the colours" of a photo."""
    if re.match(
        r"(?:the|this|that|these|those|your|how|when|what|all (?:the|your|of|this|that|those|these)|both|every|to) ",
        rest + " ",
        re.IGNORECASE,
    ):
        return referents_of((found,)) if re.match(r"the [A-Z]", rest) and (found := proper(rest)) else ()
    return referents_of(noun_phrases(rest, turn))


def habit(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read what one makes or does regularly: "poems", not "mistakes"."""
    if re.match(r"(?:an?|some|two|three) ", rest):
        return ()
    if served := _SERVED.match(rest):
        return (Referent(served[1], "", served[0], len(served[0].split())),)
    return tuple(each for each in hobby(rest, turn) if each.name.lower().rsplit(" ", 1)[-1] not in LIGHT)


_SERVED = re.compile(r"(?:my|our) ([a-z]+) (?:black|white|neat|plain|raw|cold|hot|iced|rare|strong|weak)(?=$|,| )")
"""What one eats or drinks, and how: "my coffee black"."""


def to_do(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read what one likes to do, as an activity: "to collect stamps" is "collecting stamps"."""
    match = re.match(r"to ([a-z]{3,}) (?=\w)", rest)
    if match is None or match[1] in _NO_HOBBY:
        return ()
    found = noun_phrases(f"{gerund(match[1])} {rest[match.end() :]}", turn)
    return tuple(
        Referent(p.name, "activity", f"to {match[1]} {' '.join(p.words.split()[1:])}", p.length + 1) for p in found[:1]
    )


def deed(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read what one plans or wishes to do: "give kids a home", the whole clause if it is short and specific."""
    words = rest.split(" \u27e6")[0].rstrip(" ,.;:!")
    verb, _, after = words.partition(" ")
    if (
        verb in _NO_DEED
        or not verb.isalpha()
        or not verb.islower()
        or DEICTIC.search(words)
        or "," in words
        or words.endswith((" to", " from", " until", " till"))
        or not 2 <= len(words.split()) <= MAX_WORDS
    ):
        return ()
    after = re.sub(r"^(?:to|for|on|at|with|about|into|in|out|up|off|over|a part of) ", "", after)
    if not noun_phrases(after, turn):
        return ()
    name = third_person(words, turn.speaker, turn.addressee)
    return (Referent(name, LITERAL, words, len(words.split())),)


def given_up(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read what one gave up: coffee, the ukulele, or an activity such as "going to the gym"; not one's seat."""
    if alone := _ALONE.match(rest):
        return (Referent(alone[1], "activity", alone[1], 1),)
    match = _THE.match(rest)
    found = referents_of(noun_phrases(rest, turn)[:1]) if match else hobby(rest, turn)
    if match and not (found and (found[0].type in {"instrument", "activity"} or _may_be_given_up(found[0].name))):
        return ()
    return tuple(
        replace(each, type="activity") if each.name.split()[0].endswith("ing") else each
        for each in found
        if each.name.lower().rsplit(" ", 1)[-1] not in _KEPT
    )


def _may_be_given_up(name: str) -> bool:
    return name in _INDULGENCES or is_belonging(name) or name.rsplit(" ", 1)[-1] in _JOINED


_JOINED = frozenset("choir band orchestra club course class classes lessons committee society team".split())
_ALONE = re.compile(
    r"(drinking|driving|gambling|swearing|flying)"
    r"(?=$|,| \u27e6| (?:altogether|completely|entirely|for|because|after|since|when|and|at|in)\b)"
)
"""An activity that is one without an object, here."""
_THE = re.compile(r"the (?=[a-z])")
_INDULGENCES = frozenset("fags cigarettes cigs booze drink bottle drugs weed wine beer sugar sweets".split())
"""What one gives up with the article."""
_KEPT = LIGHT | frozenset(
    "seat place spot turn hope search fight secrets names control power sunday saturday evening lunch trying".split()
)
"""What one gives up without having done it as a habit."""


def pet_left(rest: str, _turn: Turn) -> tuple[Referent, ...]:
    """Read a pet that somebody else gets, by its name: "Kiwi to my neighbour", "Rex back to the shelter"."""
    match = _PET_LEFT.match(rest)
    return (Referent(match[1], "", match[1], 1),) if match else ()


_PET_LEFT = re.compile(
    r"((?!(?:I|God|Mum|Mom|Dad)\b)[A-Z][a-z]+)(?=$|,| \u27e6| (?:away|up for adoption|back to (?:the|her|his|a)"
    r"|to (?:my|our|the|an?) (?:\w+ )?(?:neighbou?rs?|friends?|shelter|rescue|farm|family|cousin|aunt|uncle|sister"
    r"|brother|mum|mom|parents|colleague|pound|breeder)(?! to\b))\b)"
)


def medicine_left(rest: str, _turn: Turn) -> tuple[Referent, ...]:
    """Read a medicine that is taken no longer, by its one word."""
    match = _MEDICINE_LEFT.match(rest)
    return (Referent(match[1], "medicine", match[0], len(match[0].split())),) if match else ()


_MEDICINE_LEFT = re.compile(
    r"(?:the |my )?((?!(?:work|worse|better|badly|well|shift|duty|stage|course|road|track|topic|target|limits|sick"
    r"|school|again|today|tomorrow|on|to|this|that|it|him|her|them|you|us|me|line|air|balance|guard"
    rf"|{FOREGONE})\b)[A-Za-z][a-z-]{{4,}})"
    r"(?=$|[,.]| \u27e6| (?:now|again|completely|because|after|for good)\b)"
)
