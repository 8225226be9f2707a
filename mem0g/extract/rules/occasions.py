"""Occasions: what takes place on a day, whose it is, and the claim that it lies ahead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, with_words
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.kin import KIN_WORDS
from mem0g.extract.rules.grammar.nouns import kind_of
from mem0g.extract.rules.grammar.people import DEICTIC, NAME, Turn, possessive, third_person
from mem0g.extract.rules.grammar.places import place
from mem0g.model import Triple

MARK = rf"{OPEN}\d+{CLOSE}"
OWNED = r"(?P<owner>[Mm]y|[Oo]ur|[Tt]he)"
WHAT = r"(?P<what>[A-Za-z][\w'. -]{2,50}?)"
MOVING = (
    "moved|pushed|pulled|postponed|rescheduled|re-scheduled|delayed|deferred|shifted|brought|put|extended|changed"
    "|bumped"
)
PASSIVE = r"(?:is|are|was|were|got|has been|have been|had to be|will be|is being)(?: just| now| already| finally)?"
VERSION = re.compile(r" v?\d[\d.]*$")
_TRIP_TO = re.compile(
    r"(?P<kind>(?:\w+ )?(?:trip|holiday|vacation|flight|visit)) (?:to|in) (?P<place>[A-Za-z][\w' -]+?)"
)
_TRIP_OF = re.compile(r"(?P<place>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?P<kind>trip|holiday|vacation|flight|visit)")
_SCHEDULED = frozenset(
    "train bus ferry deadline delivery test defence defense move shift holiday vacation leave party review demo launch"
    " release submission resit retake do communion christening housewarming kickoff kick-off standup sprint"
    " rehearsal booking reservation session call stand-up sync audit hearing recital inspection play".split()
)
OF_ONES_OWN = frozenset(
    "appointment meeting deadline interview exam test defence defense delivery review demo launch release submission"
    " presentation viewing checkup check-up surgery operation scan booking reservation rehearsal wedding".split()
)
"""What is the speaker's own also without an article: "interview got moved"."""
UPCOMING = "has_upcoming"
"""The relation to what has a day, of which no more is known than that."""
_NOT_ATTENDED = frozenset(
    "train bus ferry flight deadline delivery move shift trip holiday vacation honeymoon leave launch release"
    " submission sprint operation surgery booking reservation demo presentation".split()
)
"""What has a day without being attended by the one who tells of it."""
_ALWAYS_OWN = frozenset("appointment meeting interview exam viewing checkup check-up scan resit retake".split())
"""What is the speaker's own also where it is called "the meeting"."""
_NO_OCCASION = re.compile(
    r"\b(?:days?|dates?|time|month|week|weekend|favou?rite|best|worst|only|answer|choice|question|problem|price|cost|rent"
    r"|money|weather|rain|snow|rest|one|thing|first|last|other|same|latest|earliest|next|plan|idea|goal|aim|target"
    r"|subscription|order|card|membership|contract|policy|account|insurance|visa|licen[cs]e|payment|cheque|debit)s?\b",
    re.IGNORECASE,
)
"""Words of what is a day, or has one otherwise than by taking place then."""
NO_NAME = re.compile(
    r"\b(?:is|are|was|were|has|have|had|that|which|who|if|when|because|and|or|not|no|only|than|how|what|where)\b|\d{3}"
)
"""What is in no name of an occasion."""
DAYS_OF_A_JOB = ("first day", "last day")
"""Days that are occasions if they are somebody's: of a job, of a course."""
_ONLY_WHEN = re.compile(rf"{MARK}(?=$|[,;]| \d|,? (?:at|in|from|not|now|instead|with|for|so|and|but)\b)")
_OF_ANOTHER = re.compile(rf"(?:(?P<kin>(?i:{KIN_WORDS}))|(?:(?i:{KIN_WORDS}) )?(?P<name>{NAME}))'s (?=\S)")


_FOR_THE_DEAD = re.compile(r" (?:funeral|wake|cremation|burial|memorial(?: service)?)$")
"""What is somebody's, and to come for those who mourn."""


def is_occasion(what: str) -> bool:
    """Whether something takes place at a time."""
    head = _head(what)
    known = head in OF_ONES_OWN or kind_of(head) == "event" or head in _SCHEDULED
    known = known or what.lower().endswith(tuple(f"'s {day}" for day in DAYS_OF_A_JOB))
    return known and DEICTIC.search(what) is None


def is_ones_own(what: str) -> bool:
    """Whether something is taken for the speaker's own where it is called "the wedding"."""
    return _head(what) in OF_ONES_OWN


def has_day(what: str, when: ResolvedDate, after: str) -> bool:
    """Whether anything of this name is an occasion, as it is on a day, and no more is said of it than when and where.

    ``after`` begins with the mark of the date: "the panto is on the 19th not the 20th", but not "closed on the 19th".
    """
    is_day = when.moment is not None and when.moment.precision == "day" and when.until is None
    return is_day and may_have_day(what) and _ONLY_WHEN.match(after) is not None


def may_have_day(what: str) -> bool:
    """Whether something of this name may take place on a day: no price, no day itself, no subscription."""
    return not any(words.search(what) for words in (DEICTIC, _NO_OCCASION, NO_NAME))


def claim_ahead(what: str, owner: str, turn: Turn, text: str, evidence: str) -> Triple:
    """Return the claim that something has a day ahead: the speaker attends it, or it is merely to come.

    ``owner`` is its article, "my", "our", "the" or none. What is another one's is to come for them: "my mum's exam".
    """
    if whose := _OF_ANOTHER.match(what.removeprefix(f"{possessive(turn.speaker)} ")):
        return _of_another(whose, turn, text, evidence)
    mine = owner.lower() in ("my", "our")
    attended = _head(what) in _ALWAYS_OWN or (mine and is_occasion(what) and _head(what) not in _NOT_ATTENDED)
    name = f"{possessive(turn.speaker)} {what}" if mine or (owner and attended) else what
    return claim(turn, "plans_to_attend" if attended else UPCOMING, name, "event", text, evidence)


def _of_another(whose: re.Match[str], turn: Turn, text: str, evidence: str) -> Triple:
    """Return the claim that something is to come for kin or for somebody named."""
    name = whose["name"] or (whose["kin"] and turn.named_before(turn.speaker, whose["kin"].lower()))
    name = name or f"{possessive(turn.speaker)} {whose['kin'].lower()}"
    thing = f"{possessive(name)} {whose.string[whose.end() :]}"
    if _FOR_THE_DEAD.search(thing):
        return claim(turn, UPCOMING, thing, "event", text, evidence)
    return replace(claim(turn, UPCOMING, thing, "event", text, evidence), subject=name)


def _head(what: str) -> str:
    """Return the noun of a name: appointment, of "driving appointment with Bob"."""
    return re.split(r" (?:with|at|in|to|for|of|on) ", VERSION.sub("", what))[0].lower().split()[-1]


def destination(what: str, turn: Turn) -> tuple[str, str] | None:
    """Return the word for a trip and the place that it goes to: "the trip to Oslo", "the Oslo trip"."""
    trip = _TRIP_TO.fullmatch(what) or _TRIP_OF.fullmatch(what)
    found = place(trip["place"], turn) if trip else ()
    return (trip["kind"].split()[-1], found[0].name) if trip and found else None


def day_words(when: ResolvedDate) -> str:
    """Return the words of a date without its preposition: 9 June 2024."""
    return re.sub(r"^(?:on|in|until|by|from) (?:the )?", "", when.words)


def sentence_of(clause: str, dates: Mapping[int, ResolvedDate], turn: Turn) -> str:
    """Return the clause as a sentence in the third person, with its dates in words."""
    whole = with_words(clause, lambda number: dates[number].words).rstrip(" ,.;:-").replace(" ,", ",")
    whole = re.sub(r"^(?:My|Our|We)\b", lambda match: match[0].lower(), whole)
    text = re.sub(
        r"\b(to|for) (?:on|in|at) (?=\d|the |[A-Z])", r"\1 ", third_person(whole, turn.speaker, turn.addressee)
    )
    text = re.sub(r"\b(booked|scheduled|set(?: in)?) on (?=\d)", r"\1 for ", text)
    return f"{text}." if text.startswith(turn.speaker) else f"{text[:1].upper()}{text[1:]}."


def planned(claimed: Triple, when: ResolvedDate) -> Triple:
    """Return a claim as a plan for its day; of a range, until the last day."""
    return replace(claimed, planned_for=when.moment, valid_to=when.until)
