"""Claims about what has a date ahead: "my appointment with Dr Lee is on 22 March", "our trip to Lisbon in October"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.date_expressions import OPEN, marks, resolve
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.kin import KIN_WORDS
from mem0g.extract.rules.grammar.noun_phrases import proper
from mem0g.extract.rules.grammar.people import NAME, Turn, possessive
from mem0g.extract.rules.moved_claims import between_weekdays, moved_claims, new_date, with_article
from mem0g.extract.rules.occasions import (
    DAYS_OF_A_JOB,
    MARK,
    MOVING,
    NO_NAME,
    OWNED,
    PASSIVE,
    VERSION,
    WHAT,
    claim_ahead,
    day_words,
    has_day,
    is_occasion,
    planned,
    sentence_of,
)
from mem0g.model import LITERAL, Triple
from mem0g.text.english import NUMBERS, OWN_KIN
from mem0g.text.names import normal_relation

_BOOKED = r"(?:is|are)(?: now)? (?:booked|scheduled|set)(?: in)? for"

_OCCASION = re.compile(
    rf"^{OWNED} {WHAT} (?:is|are|will be|leaves?|starts?|begins?|departs?"
    r"|arrives?"
    rf"|takes place|{_BOOKED})(?: now)? (?={MARK})"
)
_BARE = re.compile(
    r"^(?P<what>(?!(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]t|I|[Ww]e|[Tt]h(?:e|is|at|ere)|[Aa]n?|[Nn]ext|[Ll]ast)\b)"
    rf"[A-Za-z][\w'. -]{{2,50}}?) (?:is|are|will be"
    rf"|(?:leaves?|starts?|begins?|lands?|arrives?)(?: (?:in|at) [A-Z][a-z]+)?"
    rf"|takes place|{_BOOKED})(?: now)?(?: on)?"
    rf" (?={MARK})"
)
"""Something with neither article nor owner, as in a chat: "resit is on 2 December"."""
_BARE_MOVED = re.compile(
    r"^(?P<what>(?!(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]t|I|[Ww]e|[Tt]h(?:e|is|at|ere)|[Aa]n?)\b)"
    r"[A-Za-z][\w'. -]{2,50}?) (?:(?:is|are|was|got|has been)(?: just| now)? (?:moved|pushed|pulled|bumped"
    r"|postponed|rescheduled|shifted|changed)"
    rf"|(?:has |just )?(?:moves|moved|slips|slipped))(?: back| forward| up)?(?P<to> to)? (?={MARK})"
)
_IS_ON = re.compile(rf" (?:(?:is|are|will be)(?: now)?(?: on)?|{_BOOKED}) ")
_CLOCK = (
    r"(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)?|noon|midnight|half (?:past )?\w+|quarter (?:to|past) \w+"
    rf"|(?:{'|'.join(NUMBERS[1:])})(?: thirty)?)(?: (?:o'clock|Irish time|your time|my time|sharp))?"
)
_TIME_OF = re.compile(
    rf"^(?:(?:from|as of) (?:{MARK}|now)(?: on)?,? |{MARK},? |on )?(?:[Tt]he |(?P<mine>[Mm]y |[Oo]ur"
    rf" ))?(?P<what>(?:[\w-]+ )?[A-Za-z-]+)"
    rf" (?:is|are|stays|starts|begins|will be)(?: now| always| still)? at (?P<time>{_CLOCK})(?=$|,| now\b|"
    rf" from\b| again\b)",
    re.IGNORECASE,
)
"""At what time of the day something regular takes place."""
_AT_A_TIME = frozenset(
    "standup stand-up sync daily weekly rehearsal practice class lesson training choir yoga scrum retro".split()
)
_VISIT = re.compile(
    r"^(?:(?P<who>dentist|doctor|doctors|gp|vet|physio|hairdresser|optician|hospital|midwife)(?:'s)?(?:"
    r" appointment| appt)?"
    r"|(?P<other>(?!(?:my|our|his|her|their|your|the|an?|no|next|last|new|this|that|other)\b)"
    r"[a-z][\w'-]*(?: [a-z][\w'-]*)?) (?:appointment|appt)"
    rf"|appointment with (?P<whom>[\w. ]+?)) (?={MARK}){MARK}(?P<time>,? (?:at )?{_CLOCK})?(?=$|, [a-z])",
    re.IGNORECASE,
)
"""An appointment as in a note."""
_DATE_OF = re.compile(
    r"^(?:(?:[Mm]y|[Oo]ur|[Tt]he) |(?=[Nn]ew ))(?P<what>(?:[\w-]+ ){1,2}date) (?:(?:is|will be)(?: now)?(?:"
    r" (?:set|fixed) (?:for|to))?"
    rf"|(?:{PASSIVE} (?:{MOVING})|(?:has )?(?:moved|slipped|changed))(?: back| forward)? (?:to|until)) (?={MARK})"
)
"""The date of something, such as the launch date, which is a value."""
_TRIP = re.compile(
    rf"\b(?:my|our|the) (?:upcoming |next |big |summer |family )?(?:trip|holiday|vacation|flight|visit"
    rf"|honeymoon) (?:to|in) "
    rf"(?P<place>[^{OPEN}]+?) (?={MARK})"
)
_BACK_THEN = re.compile(r"\b(?:was|were|went|had|did|took|saw|met|came|loved|been|\w+(?<!book)(?<!plann)ed)\b")
_DAY_OF = re.compile(
    rf"^(?:(?P<mine>[Mm]y|[Oo]ur)|(?P<name>{NAME})'s|[Mm]y (?P<kin>{KIN_WORDS})(?P<kinname> {NAME})?'s)"
    rf" (?P<day>birthday|name day|(?:wedding )?anniversary) (?:is|was) (?={MARK})"
)
"""A day of every year."""
_IT_IS = re.compile(rf"^it is (?P<day>.* (?:birthday|name day|anniversary)) (?={MARK})", re.IGNORECASE)
"""The same, told as "it's my birthday on Friday"."""
_ENDS = re.compile(
    rf"^(?:(?P<name>{NAME})'s |[Mm]y (?P<kin>{KIN_WORDS})'s |(?:[Mm]y|[Oo]ur) |(?=(?i:passport|visa|licen[cs]e)\b))"
    r"(?P<what>(?:[a-z][\w-]+ ){0,2}(?i:contract|lease|passport|visa|insurance|licen[cs]e|warranty"
    r"|subscription|membership|permit|card|id|cert|certificate|notice period|probation|mortgage|season ticket|policy))"
    rf" (?P<verb>ends|expires|runs out|lapses|is up)(?: now)? (?={MARK})"
)
"""Something that ends on a day, and of which one has one at a time."""
_WHOLE_DATE = re.compile(r"(?:\d{1,2} )?[A-Z]\w+ \d{4}")
_DATES = frozenset("launch release due start end delivery submission closing wedding moving exam defence".split())


def scheduled_claims(
    clause: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause``, which has marks for its date expressions, says is ahead, or no longer ahead."""
    dates = {index: resolve(expressions[index], at, future=True) for index in marks(clause)}
    dates = {index: between_weekdays(clause, expressions[index], when, at) for index, when in dates.items()}
    clause = with_article(clause)
    if dates and (match := _VISIT.match(clause)):
        yield from _visit(match, dates[marks(clause)[0]], turn, evidence)
    if " at " in clause and (match := _TIME_OF.match(clause)) and match["what"].split()[-1].lower() in _AT_A_TIME:
        what, time = match["what"].lower(), match["time"]
        text = f"{possessive(turn.speaker) if match['mine'] else 'The'} {what} is at {time}."
        yield claim(turn, normal_relation(f"has {what} time").lower(), time, LITERAL, text, evidence)
    if dates:
        yield from _of_dates(clause, expressions, dates, at, turn, evidence)
    yield from moved_claims(clause, dates, at, turn, evidence)


def _visit(match: re.Match[str], when: ResolvedDate, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield an appointment that is told without a verb: "dentist on friday at 9"."""
    if not (when.moment and when.future and when.sense == "at"):
        return
    whom = f" with {match['whom'].strip()}" if match["whom"] else ""
    name = match["who"] or match["other"]
    what = f"{name.lower()} appointment" if name else f"appointment{whom}"
    article = "an" if what[0].lower() in "aeiou" else "a"
    text = f"{turn.speaker} has {article} {what} {when.words}{match['time'] or ''}."
    yield planned(claim(turn, "plans_to_attend", what, "event", text, evidence), when)


def _of_dates(
    clause: str,
    expressions: Sequence[str],
    dates: dict[int, ResolvedDate],
    at: datetime | None,
    turn: Turn,
    evidence: str,
) -> Iterator[Triple]:
    """Yield what ``clause`` gives a date to."""
    sentence = sentence_of(clause, dates, turn)
    if match := _ENDS.match(clause):
        yield from _end_of(match, dates[marks(clause[match.end() :])[0]], turn, evidence)
    if match := _DAY_OF.match(_IT_IS.sub(r"\g<day> is ", clause)):
        number = marks(match.string[match.end() :])[0]
        yield from _day_of(match, dates[number], expressions[number], turn, evidence)
    elif match := _OCCASION.match(clause):
        yield from _occasion(match, dates[marks(clause[match.end() :])[0]], sentence, turn, evidence)
    if match := _BARE.match(clause) or _BARE_MOVED.match(clause):
        yield from _bare(match, dates[marks(clause[match.end() :])[0]], at, sentence, turn, evidence)
    if (match := _TRIP.search(clause)) and not _BACK_THEN.search(clause):
        when, there = dates[marks(clause[match.end() :])[0]], proper(match["place"])
        if there and when.moment and when.future:
            yield planned(claim(turn, "plans_to_visit", there.name, "place", sentence, evidence), when)
    if match := _DATE_OF.match(clause):
        yield from _date_of(match["what"], dates[marks(clause[match.end() :])[0]], sentence, turn, evidence)


_FURTHER = re.compile(r"^(.*?\d{4}),(?! (?:at|in) ).*$")


def _bare(
    match: re.Match[str], when: ResolvedDate, at: datetime | None, sentence: str, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield something without owner that has a date ahead, as a plan: "gig is moved to 7 December"."""
    what = VERSION.sub("", match["what"])
    if match.re is _BARE_MOVED:
        if (day := new_date(match, when, at)) is None:
            return
        when = day
    if not (when.moment and when.future) or NO_NAME.search(what):
        return
    moved = match.re is _BARE_MOVED and what[0].islower() and has_day(what, when, match.string[match.end() :])
    if not (is_occasion(what) or moved or ("'s " in what and _is_on(match, what, when))):
        return
    said, version = match["what"], VERSION.search(match["what"])
    kept = (said[0].isupper() and version) or not said.split()[0][1:].islower() or (turn.cased and "'s" in said)
    name = said if kept else said[0].lower() + said[1:]
    sentence = _FURTHER.sub(r"\1.", sentence)
    text = sentence if version or "'s " in said else f"The {sentence[0].lower()}{sentence[1:]}"
    yield planned(claim_ahead(name, "", turn, text, evidence), when)


def _is_on(match: re.Match[str], what: str, when: ResolvedDate) -> bool:
    """Whether ``what`` is on a day, not leaves or begins then."""
    verb = match.string[match.end("what") : match.end()]
    return _IS_ON.fullmatch(verb) is not None and has_day(what, when, match.string[match.end() :])


def _date_of(what: str, when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield the date of something as a value."""
    what = re.sub(r"^[Nn]ew ", "", what)
    sentence = re.sub(r"(?<= is )(now )?on (?=\d)", r"\1", sentence)
    sentence = sentence if re.match(r"The |\S+'s ", sentence) else f"The {sentence[0].lower()}{sentence[1:]}"
    of = what.split()[:-1]
    if of and of[-1].lower() in _DATES and when.moment and re.fullmatch(_WHOLE_DATE, day_words(when)):
        relation = normal_relation(f"has {what}").lower()
        yield claim(turn, relation, day_words(when), LITERAL, sentence, evidence)


def _day_of(match: re.Match[str], when: ResolvedDate, said: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield a birthday or another day of every year, with its year only where that is said."""
    day = re.sub(r"^(?:on|in) ", "", when.words)
    day = day if re.search(r"\d{4}", said) else re.sub(r" \d{4}$", "", day)
    if not re.fullmatch(r"\d{1,2} [A-Z]\w+(?: \d{4})?|[A-Z]\w+", day):
        return
    kin = f"{possessive(turn.speaker)} {match['kin']}" if match["kin"] else ""
    if match["name"] and match["name"].lower() in OWN_KIN and match["name"] not in (turn.speaker, *turn.others):
        kin = f"{possessive(turn.speaker)} {match['name'].lower()}"
    owner = (kin if match["name"] and kin else match["name"]) or (match["kinname"] or kin).strip() or turn.speaker
    what = match["day"]
    text = f"{possessive(owner)} {what} is {'in' if day.isalpha() else 'on'} {day}."
    relation = f"has_{what.replace(' ', '_')}"
    yield replace(claim(turn, relation, day, LITERAL, text, evidence), subject=owner)


def _end_of(match: re.Match[str], when: ResolvedDate, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield the day on which something of the speaker's ends, as a value of that thing."""
    if when.moment is None or when.sense != "at":
        return
    kin = f"{possessive(turn.speaker)} {match['kin']}" if match["kin"] else ""
    what = f"{possessive(match['name'] or kin or turn.speaker)} {match['what'].lower()}"
    verb = "ends" if match["verb"] == "ends" else "expires"
    text = f"{what} {verb} {when.words}."
    yield replace(
        claim(turn, f"{verb}_on", day_words(when), LITERAL, text, evidence), subject=what, subject_type="thing"
    )


def _occasion(match: re.Match[str], when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield an occasion ahead as a plan."""
    what = match["what"].strip()
    known = is_occasion(what) or (match["owner"].lower() != "the" and what.lower() in DAYS_OF_A_JOB)
    if when.moment and when.future and (known or _is_on(match, what, when)):
        yield planned(claim_ahead(what, match["owner"], turn, sentence, evidence), when)
