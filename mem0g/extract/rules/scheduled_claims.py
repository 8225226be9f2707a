"""Claims about what has a date ahead: "my appointment with Dr Lee is on 22 March", "our trip to Lisbon in October"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, marks, resolve, with_words
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.noun_phrases import proper
from mem0g.extract.rules.grammar.nouns import kind_of
from mem0g.extract.rules.grammar.people import KIN_WORDS, NAME, Turn, possessive, third_person
from mem0g.model import LITERAL, Triple

_MARK = rf"{OPEN}\d+{CLOSE}"
_OCCASION = re.compile(
    rf"^(?:[Mm]y|[Oo]ur) (?P<what>[A-Za-z][\w'. -]{{2,50}}?) (?:is|are|will be|leaves?|starts?|begins?|departs?"
    rf"|arrives?|ends?"
    rf"|takes place|has been moved to|got moved to|is scheduled for|is booked for)(?: now)? (?={_MARK})"
)
_TRIP = re.compile(
    rf"\b(?:my|our|the) (?:upcoming |next |big |summer |family )?(?:trip|holiday|vacation|flight|visit"
    rf"|honeymoon) (?:to|in) "
    rf"(?P<place>[^{OPEN}]+?) (?={_MARK})"
)
_BACK_THEN = re.compile(r"\b(?:was|were|went|had|did|took|saw|met|came|loved|been|\w+(?<!book)(?<!plann)ed)\b")
_DAY_OF = re.compile(
    rf"^(?:(?P<mine>[Mm]y|[Oo]ur)|(?P<name>{NAME})'s|[Mm]y (?P<kin>{KIN_WORDS})(?P<kinname> {NAME})?'s)"
    rf" (?P<day>birthday|name day|(?:wedding )?anniversary) (?:is|was) (?={_MARK})"
)
"""A day of every year."""
_CALLED_OFF = re.compile(
    r"^(?:[Mm]y|[Oo]ur|[Tt]he) (?P<what>(?:\w+ )?(?:trip|holiday|vacation|flight|visit)) (?:to"
    rf"|in) (?P<place>[A-Z][\w' -]+?) (?:{_MARK} )?"
    r"(?:is|was|got|has been|had to be|will be) (?:cancelled|canceled|called off)\b"
)
_SCHEDULED = frozenset(
    "train bus ferry deadline delivery test defence defense move shift holiday vacation leave party".split()
)


def scheduled_claims(
    clause: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause``, which has marks for its date expressions, says is ahead, or no longer ahead."""
    dates = {index: resolve(expressions[index], at, future=True) for index in marks(clause)}
    sentence = _sentence(clause, dates, turn)
    if match := _DAY_OF.match(clause):
        number = marks(clause[match.end() :])[0]
        yield from _day_of(match, dates[number], expressions[number], turn, evidence)
    elif match := _OCCASION.match(clause):
        yield from _occasion(match["what"].strip(), dates[marks(clause[match.end() :])[0]], sentence, turn, evidence)
    if (match := _TRIP.search(clause)) and not _BACK_THEN.search(clause):
        when, place = dates[marks(clause[match.end() :])[0]], proper(match["place"])
        if place and when.moment and when.future:
            yield _planned(claim(turn, "plans_to_visit", place.name, "place", sentence, evidence), when)
    if (match := _CALLED_OFF.match(clause)) and (place := proper(match["place"])):
        plan = claim(turn, "plans_to_visit", place.name, "place", sentence, evidence)
        yield replace(plan, retracts=True)
        deed = f"cancelled_{match['what'].split()[-1]}_to"
        yield claim(turn, deed, place.name, "place", sentence, evidence)


def _day_of(match: re.Match[str], when: ResolvedDate, said: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield a birthday or another day of every year, with its year only where that is said."""
    day = re.sub(r"^(?:on|in) ", "", when.words)
    day = day if re.search(r"\d{4}", said) else re.sub(r" \d{4}$", "", day)
    if not re.fullmatch(r"\d{1,2} [A-Z]\w+(?: \d{4})?|[A-Z]\w+", day):
        return
    kin = f"{possessive(turn.speaker)} {match['kin']}" if match["kin"] else ""
    owner = match["name"] or (match["kinname"] or kin).strip() or turn.speaker
    what = match["day"]
    text = f"{possessive(owner)} {what} is {'in' if day.isalpha() else 'on'} {day}."
    relation = f"has_{what.replace(' ', '_')}"
    yield replace(claim(turn, relation, day, LITERAL, text, evidence), subject=owner)


def _occasion(what: str, when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield an occasion ahead as a plan."""
    head = re.split(r" (?:with|at|in|to|for|of) ", what)[0].lower().split()[-1]
    if (kind_of(head) == "event" or head in _SCHEDULED) and when.moment and when.future:
        plan = claim(turn, "plans_to_attend", f"{possessive(turn.speaker)} {what}", "event", sentence, evidence)
        yield _planned(plan, when)


def _sentence(clause: str, dates: dict[int, ResolvedDate], turn: Turn) -> str:
    whole = with_words(clause, lambda number: dates[number].words).rstrip(" ,.;:-")
    whole = re.sub(r"^(?:My|Our|We)\b", lambda match: match[0].lower(), whole)
    text = re.sub(r"\b(to|for) on (?=\d)", r"\1 ", third_person(whole, turn.speaker, turn.addressee))
    return f"{text}." if text.startswith(turn.speaker) else f"{text[:1].upper()}{text[1:]}."


def _planned(claimed: Triple, when: ResolvedDate) -> Triple:
    """Return a claim as a plan for its day; of a range, until the last day."""
    return replace(claimed, planned_for=when.moment, valid_to=when.until)
