"""Claims about what has a date ahead: "my appointment with Dr Lee is on 22 March", "our trip to Lisbon in October".

What has another date now ("the meeting was moved to 9 June") is a plan for that date, and what is cancelled is a plan
no longer.
"""

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
from mem0g.extract.rules.grammar.people import DEICTIC, KIN_WORDS, NAME, Turn, possessive, third_person
from mem0g.extract.rules.grammar.places import place
from mem0g.model import LITERAL, Triple
from mem0g.text.english import NUMBERS, OWN_KIN
from mem0g.text.names import normal_relation
from mem0g.times import Moment

_MARK = rf"{OPEN}\d+{CLOSE}"
_OWNED = r"(?P<owner>[Mm]y|[Oo]ur|[Tt]he)"
_WHAT = r"(?P<what>[A-Za-z][\w'. -]{2,50}?)"
_OCCASION = re.compile(
    rf"^(?:(?:[Mm]y|[Oo]ur) {_WHAT}|[Tt]he (?P<deadline>(?:[\w-]+ ){{0,3}}(?:deadline"
    r"|demo|exam|interview|viewing|operation|surgery|presentation|launch|release)(?: (?:for|with|at|of) [A-Z][\w-]+)?))"
    r" (?:is|are|will be|leaves?|starts?|begins?|departs?"
    r"|arrives?|ends?"
    rf"|takes place|is scheduled for|is booked for)(?: now)? (?={_MARK})"
)
_BARE = re.compile(
    r"^(?P<what>(?!(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]t|I|[Ww]e|[Tt]h(?:e|is|at|ere)|[Aa]n?|[Nn]ext|[Ll]ast)\b)"
    rf"[A-Za-z][\w'. -]{{2,50}}?) (?:is|are|will be|leaves?|starts?|begins?|ends?|takes place)(?: now)?(?: on)?"
    rf" (?={_MARK})"
)
"""Something with neither article nor owner, as in a chat: "resit is on 2 December"."""
_BARE_MOVED = re.compile(
    r"^(?P<what>(?!(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]t|I|[Ww]e|[Tt]h(?:e|is|at|ere)|[Aa]n?)\b)"
    r"[A-Za-z][\w'. -]{2,50}?) (?:(?:is|are|was|got|has been)(?: just| now)? (?:moved|pushed|postponed"
    r"|rescheduled|shifted|changed)"
    rf"|(?:has |just )?(?:moves|moved|slips|slipped))(?: back| forward)? to (?={_MARK})"
)
_CLOCK = (
    r"(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)?|noon|midnight|half (?:past )?\w+|quarter (?:to|past) \w+"
    rf"|(?:{'|'.join(NUMBERS[1:])})(?: thirty)?)(?: (?:o'clock|Irish time|your time|my time|sharp))?"
)
_TIME_OF = re.compile(
    rf"^(?:(?:from|as of) (?:{_MARK}|now)(?: on)?,? |{_MARK},? |on )?(?:[Tt]he |(?P<mine>[Mm]y |[Oo]ur"
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
    rf"|appointment with (?P<whom>[\w. ]+?)) (?={_MARK}){_MARK}(?P<time>,? (?:at )?{_CLOCK})?$",
    re.IGNORECASE,
)
"""An appointment as in a note."""
_MOVING = "moved|pushed|postponed|rescheduled|re-scheduled|delayed|deferred|shifted|brought|put|extended|changed|bumped"
_TO = rf"(?: off| back| forward| up| out)?(?: again)?(?P<to> (?:to|for|until|till))? (?={_MARK})"
_PASSIVE = r"(?:is|are|was|were|got|has been|have been|had to be|will be|is being)(?: just| now| already| finally)?"
_MOVED = (
    re.compile(
        rf"^{_OWNED} {_WHAT} (?:{_PASSIVE} (?:{_MOVING})|(?:has |just )?(?:moved|slipped|changed|shifted)){_TO}"
    ),
    re.compile(
        rf"^{_OWNED} {_WHAT} (?:is|are|will be)(?P<to> (?:now )?)(?={_MARK} (?:instead|now)\b|(?<=now ){_MARK})"
    ),
    re.compile(
        rf"^(?:I|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|(?:[Mm]y|[Oo]ur|[Tt]he) [a-z]+(?: [a-z]+)?|{NAME})(?: have| has)?"
        rf"(?: just| now| already| had to| will)? (?:{_MOVING}|move|push|postpone|reschedule|delay|extend|change)"
        rf"(?: back| forward| up)? {_OWNED.replace('[Mm]y|[Oo]ur|[Tt]he', 'my|our|the')} {_WHAT}{_TO}"
    ),
)
"""Something has another date now."""
_DATE_OF = re.compile(
    r"^(?:(?:[Mm]y|[Oo]ur|[Tt]he) |(?=[Nn]ew ))(?P<what>(?:[\w-]+ ){1,2}date) (?:(?:is|will be)(?: now)?(?:"
    r" (?:set|fixed) (?:for|to))?"
    rf"|(?:{_PASSIVE} (?:{_MOVING})|(?:has )?(?:moved|slipped|changed))(?: back| forward)? (?:to|until)) (?={_MARK})"
)
"""The date of something, such as the launch date, which is a value."""
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
_ENDS = re.compile(
    r"^(?:[Mm]y|[Oo]ur) (?P<what>(?:[a-z][\w-]+ ){0,2}(?:contract|lease|passport|visa|insurance|licen[cs]e|warranty"
    r"|subscription|membership|permit|card|id|notice period|probation|mortgage|season ticket|policy))"
    rf" (?P<verb>ends|expires|runs out|lapses|is up)(?: now)? (?={_MARK})"
)
"""Something that ends on a day, and of which one has one at a time."""
_OFF = (
    r"(?:cancelled|canceled|called off|scrapped|dropped)\b|(?:is|are|was|were) off(?: now)?$"
    r"|(?:is|are) not (?:happening|taking place|going ahead)\b|will not (?:happen|take place|go ahead)\b|fell through"
)
_CALLED_OFF = (
    re.compile(rf"^{_OWNED} {_WHAT} (?:{_MARK} )?(?:{_PASSIVE} )?(?:{_OFF})"),
    re.compile(
        rf"^(?:[Tt]hey|[Hh]e|[Ss]he|(?:[Mm]y|[Oo]ur|[Tt]he) [a-z]+(?: [a-z]+)?|{NAME})(?: have| has)?(?: just| had to)?"
        r" (?:cancel(?:led|ed)?|call(?:ed)? off) (?P<owner>my|our|the) "
        rf"{_WHAT}(?=$|,| {_MARK}| (?:because|as|since|again|at the last minute|today)\b)"
    ),
)
"""Something that was planned does not take place."""
_POSTPONED = (
    re.compile(
        rf"^{_OWNED} {_WHAT} {_PASSIVE} (?:postponed|delayed|put off|put on hold|pushed back)(?: indefinitely)?(?=$|,)"
    ),
    re.compile(
        rf"^(?:[Tt]hey|[Hh]e|[Ss]he|[Ww]e|I|(?:[Mm]y|[Oo]ur|[Tt]he) [a-z]+(?: [a-z]+)?|{NAME})(?: have| has)?"
        rf"(?: just| had to)? (?:postponed?|delay(?:ed)?) (?P<owner>my|our|the) {_WHAT}(?=$|,| indefinitely\b)"
    ),
)
"""Something does not take place when it was planned, and no other date is told."""
_TRIP_TO = re.compile(
    r"(?P<kind>(?:\w+ )?(?:trip|holiday|vacation|flight|visit)) (?:to|in) (?P<place>[A-Za-z][\w' -]+?)"
)
_TRIP_OF = re.compile(r"(?P<place>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?P<kind>trip|holiday|vacation|flight|visit)")
_SCHEDULED = frozenset(
    "train bus ferry deadline delivery test defence defense move shift holiday vacation leave party review demo launch"
    " release submission resit retake do communion christening housewarming kickoff kick-off standup sprint"
    " rehearsal booking reservation session call standup stand-up sync".split()
)
_OF_ONES_OWN = frozenset(
    "appointment meeting deadline interview exam test defence defense delivery review demo launch release submission"
    " presentation viewing checkup check-up surgery operation scan booking reservation rehearsal wedding".split()
)
"""What is the speaker's own also where it is called "the meeting"."""
_NO_ARTICLE = re.compile(
    r"(?!the |my |our |an? |his |her |their |your |no |this |that )"
    rf"(?:(?:[a-z]+ )?(?:{'|'.join(sorted(_OF_ONES_OWN))})"
    rf" (?:{_PASSIVE} )?(?:{_MOVING}|cancelled|called off)\b"
    rf"|(?:(?-i:[A-Z])\w+ (?:trip|flight|holiday)|(?:trip|flight|holiday) to [A-Za-z' ]{{3,30}}?)"
    rf" (?:(?:{_PASSIVE} )?(?:cancelled|called off)|is off)\b)",
    re.IGNORECASE,
)
"""What is the speaker's own, without an article: "interview got moved to Friday"."""
_TELEGRAPHIC = re.compile(rf"\b({'|'.join(sorted(_OF_ONES_OWN))}|trip|flight|holiday)(?= (?:cancelled|called off)\b)")
_WHOLE_DATE = re.compile(r"(?:\d{1,2} )?[A-Z]\w+ \d{4}")
_DATES = frozenset("launch release due start end delivery submission closing wedding moving exam defence".split())


def scheduled_claims(
    clause: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause``, which has marks for its date expressions, says is ahead, or no longer ahead."""
    dates = {index: resolve(expressions[index], at, future=True) for index in marks(clause)}
    clause = _TELEGRAPHIC.sub(r"\1 was", f"the {clause}") if _NO_ARTICLE.match(clause) else clause
    if dates and (match := _VISIT.match(clause)):
        yield from _visit(match, dates[marks(clause)[0]], turn, evidence)
    moved = _first(_MOVED, clause) if dates else None
    if " at " in clause and (match := _TIME_OF.match(clause)) and match["what"].split()[-1].lower() in _AT_A_TIME:
        what, time = match["what"].lower(), match["time"]
        text = f"{possessive(turn.speaker) if match['mine'] else 'The'} {what} is at {time}."
        yield claim(turn, normal_relation(f"has {what} time").lower(), time, LITERAL, text, evidence)
    if dates:
        yield from _of_dates(clause, expressions, dates, turn, evidence)
    if moved:
        number = marks(clause[moved.end() :])[0]
        if when := _new_date(moved, dates[number], at):
            yield from _moved(moved, when, _sentence(clause, dates, turn), turn, evidence)
    elif match := _first(_CALLED_OFF, clause):
        past = (date.moment for date in dates.values() if date.moment and at and date.moment.start <= at)
        yield from _called_off(match, next(past, None), _sentence(clause, dates, turn), turn, evidence)
    elif match := _first(_POSTPONED, clause):
        off = _called_off(match, None, _sentence(clause, dates, turn), turn, evidence)
        yield from (each for each in off if each.retracts)


def _visit(match: re.Match[str], when: ResolvedDate, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield an appointment that is told without a verb: "dentist on friday at 9"."""
    if not (when.moment and when.future and when.sense == "at"):
        return
    whom = f" with {match['whom'].strip()}" if match["whom"] else ""
    what = f"{match['who']} appointment" if match["who"] else f"appointment{whom}"
    article = "an" if what[0].lower() in "aeiou" else "a"
    text = f"{turn.speaker} has {article} {what} {when.words}{match['time'] or ''}."
    yield _planned(claim(turn, "plans_to_attend", what, "event", text, evidence), when)


def _of_dates(
    clause: str, expressions: Sequence[str], dates: dict[int, ResolvedDate], turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause`` gives a date to."""
    sentence = _sentence(clause, dates, turn)
    if match := _ENDS.match(clause):
        yield from _end_of(match, dates[marks(clause[match.end() :])[0]], turn, evidence)
    if match := _DAY_OF.match(clause):
        number = marks(clause[match.end() :])[0]
        yield from _day_of(match, dates[number], expressions[number], turn, evidence)
    elif match := _OCCASION.match(clause):
        what = (match["what"] or match["deadline"]).strip()
        yield from _occasion(what, dates[marks(clause[match.end() :])[0]], sentence, turn, evidence)
    if match := _BARE.match(clause) or _BARE_MOVED.match(clause):
        yield from _bare(match, dates[marks(clause[match.end() :])[0]], sentence, turn, evidence)
    if (match := _TRIP.search(clause)) and not _BACK_THEN.search(clause):
        when, there = dates[marks(clause[match.end() :])[0]], proper(match["place"])
        if there and when.moment and when.future:
            yield _planned(claim(turn, "plans_to_visit", there.name, "place", sentence, evidence), when)
    if match := _DATE_OF.match(clause):
        yield from _date_of(match["what"], dates[marks(clause[match.end() :])[0]], sentence, turn, evidence)


_VERSION = re.compile(r" v?\d[\d.]*$")
_FURTHER = re.compile(r"^(.*?\d{4}),(?! (?:at|in) ).*$")
_NO_BARE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|that|which|who|if|when|because|and|or|not|no|only|than|how|what|where)\b|\d{3}"
)


def _bare(match: re.Match[str], when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield something without owner that has a date ahead, as a plan: "gig is moved to 7 December"."""
    what = _VERSION.sub("", match["what"])
    if not (when.moment and when.future) or _NO_BARE.search(what) or not _is_occasion(what, theirs=False):
        return
    name = match["what"] if match["what"][:1].isupper() and _VERSION.search(match["what"]) else match["what"].lower()
    if not match["what"].split()[0][1:].islower() or (turn.cased and "'s" in match["what"]):
        name = match["what"]
    sentence = _FURTHER.sub(r"\1.", sentence)
    text = (
        sentence
        if _VERSION.search(match["what"]) or "'s " in match["what"]
        else f"The {sentence[0].lower()}{sentence[1:]}"
    )
    yield _planned(claim(turn, "plans_to_attend", name, "event", text, evidence), when)


def _date_of(what: str, when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield the date of something as a value."""
    what = re.sub(r"^[Nn]ew ", "", what)
    sentence = re.sub(r"(?<= is )(now )?on (?=\d)", r"\1", sentence)
    sentence = sentence if re.match(r"The |\S+'s ", sentence) else f"The {sentence[0].lower()}{sentence[1:]}"
    if what.split()[-2].lower() in _DATES and when.moment and re.fullmatch(_WHOLE_DATE, _day(when)):
        relation = normal_relation(f"has {what}").lower()
        yield claim(turn, relation, _day(when), LITERAL, sentence, evidence)


def _first(forms: Sequence[re.Pattern[str]], clause: str) -> re.Match[str] | None:
    return next(filter(None, (form.match(clause) for form in forms)), None)


def _new_date(match: re.Match[str], when: ResolvedDate, at: datetime | None) -> ResolvedDate | None:
    """Return the date that something is moved to, if it lies ahead; of "from 5 to 9 June" it is the second day.

    "Moved on Monday" says when it was moved.
    """
    if when.until and not match["to"]:
        when = replace(when, moment=when.until, until=None, words=when.words.partition(" to ")[2])
    elif not match["to"] and when.sense != "until":
        return None
    future = when.future or (when.moment is not None and at is not None and when.moment.start > at)
    return when if when.moment and future else None


def _moved(match: re.Match[str], when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield what has another date as a plan for it."""
    what = third_person(match["what"], turn.speaker, turn.addressee)
    if match.re is _MOVED[-1]:
        sentence = f"{possessive(turn.speaker)} {what} was moved to {_day(when)}."
    if trip := _destination(what, turn):
        yield _planned(claim(turn, "plans_to_visit", trip[1], "place", sentence, evidence), when)
    elif _is_occasion(what, theirs=match["owner"].lower() == "the" and not match[0].startswith(("I ", "We ", "we "))):
        plan = claim(turn, "plans_to_attend", f"{possessive(turn.speaker)} {what}", "event", sentence, evidence)
        yield _planned(plan, when)


def _called_off(match: re.Match[str], on: Moment | None, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield that something is planned no longer, and that it was cancelled if it is the speaker's own."""
    what, theirs = third_person(match["what"], turn.speaker, turn.addressee), match["owner"].lower() == "the"
    own = _is_occasion(what, theirs=theirs)
    owned = f"{possessive(turn.speaker)} {what}" if own else what
    if match.re not in (_CALLED_OFF[0], _POSTPONED[0]):
        done = "postponed" if match.re in _POSTPONED else "cancelled"
        sentence = f"{owned if own else f'The {what}'} was {done}."
    if trip := _destination(what, turn):
        kind, name = trip
        plan = claim(turn, "plans_to_visit", name, "place", sentence, evidence)
        yield replace(plan, retracts=True, valid_to=on)
        yield replace(plan, relation=f"cancelled_{kind}_to", valid_from=on, valid_to=on)
    elif _is_occasion(what, theirs=False):
        plan = claim(turn, "plans_to_attend", owned, "event", sentence, evidence)
        yield replace(plan, retracts=True, valid_to=on)
        if own and "'s " not in what:
            yield replace(plan, relation="cancelled", valid_from=on, valid_to=on)


def _destination(what: str, turn: Turn) -> tuple[str, str] | None:
    """Return the word for a trip and the place that it goes to: "the trip to Oslo", "the Oslo trip"."""
    trip = _TRIP_TO.fullmatch(what) or _TRIP_OF.fullmatch(what)
    found = place(trip["place"], turn) if trip else ()
    return (trip["kind"].split()[-1], found[0].name) if trip and found else None


def _day(when: ResolvedDate) -> str:
    """Return the words of a date without its preposition: 9 June 2024."""
    return re.sub(r"^(?:on|in|until|by|from) (?:the )?", "", when.words)


def _is_occasion(what: str, *, theirs: bool) -> bool:
    """Whether something takes place at a time; with ``theirs``, whether it is the speaker's own all the same."""
    head = re.split(r" (?:with|at|in|to|for|of|on) ", what)[0].lower().split()[-1]
    known = head in _OF_ONES_OWN or (not theirs and (kind_of(head) == "event" or head in _SCHEDULED))
    return known and DEICTIC.search(what) is None


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
    what = f"{possessive(turn.speaker)} {match['what']}"
    verb = "ends" if match["verb"] == "ends" else "expires"
    text = f"{what} {verb} {when.words}."
    yield replace(claim(turn, f"{verb}_on", _day(when), LITERAL, text, evidence), subject=what, subject_type="thing")


def _occasion(what: str, when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield an occasion ahead as a plan."""
    if _is_occasion(what, theirs=False) and when.moment and when.future:
        plan = claim(turn, "plans_to_attend", f"{possessive(turn.speaker)} {what}", "event", sentence, evidence)
        yield _planned(plan, when)


def _sentence(clause: str, dates: dict[int, ResolvedDate], turn: Turn) -> str:
    whole = with_words(clause, lambda number: dates[number].words).rstrip(" ,.;:-").replace(" ,", ",")
    whole = re.sub(r"^(?:My|Our|We)\b", lambda match: match[0].lower(), whole)
    text = re.sub(
        r"\b(to|for) (?:on|in|at) (?=\d|the |[A-Z])", r"\1 ", third_person(whole, turn.speaker, turn.addressee)
    )
    return f"{text}." if text.startswith(turn.speaker) else f"{text[:1].upper()}{text[1:]}."


def _planned(claimed: Triple, when: ResolvedDate) -> Triple:
    """Return a claim as a plan for its day; of a range, until the last day."""
    return replace(claimed, planned_for=when.moment, valid_to=when.until)
