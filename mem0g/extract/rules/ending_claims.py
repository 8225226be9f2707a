"""What is over by a clause with another subject: "my Mazda was stolen", "my last day at Acme was Friday".

Most of it takes something back, which says nothing where nothing of it is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.extract.rules.clause_claims import as_sentence, claim
from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, marks, resolve, with_words
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.noun_phrases import noun_phrases, proper
from mem0g.extract.rules.grammar.nouns import is_belonging, kind_of
from mem0g.extract.rules.grammar.people import DEICTIC, Turn, possessive
from mem0g.model import LITERAL, Triple

_MARK = rf"{OPEN}\d+{CLOSE}"
_LAST_DAY = re.compile(
    rf"^(?:(?:(?:[Ii]t )?(?:is|was) )?(?:[Mm]y|[Oo]ur) )?(?:very )?[Ll]ast "
    rf"(?:working )?(?:day|shift)(?: of work)? (?:at|with) (?P<place>[A-Z][\w'&. -]*?)"
    rf"(?= (?:is|was|will be)\b|,|$| {_MARK})"
)
"""When somebody leaves an employer. Of a "last day" alone, a date must follow."""
_TAKEN = r"(?:stolen|nicked|pinched|repossessed)"
_BROKEN = r"(?:written off|totall?ed|wrecked|scrapped)"
_ROBBED = (
    re.compile(
        rf"^(?:[Mm]y|[Oo]ur) (?P<what>[\w' -]{{2,40}}?) (?:was|were|got|has been|have been)(?: just)?"
        rf" (?P<deed>{_TAKEN}|{_BROKEN})\b"
    ),
    re.compile(
        r"^(?:[Ss]ome(?:one|body)|[Tt]hey|[Tt]hieves|[Ss]ome [a-z]+)(?: has| have)?(?: just)? (?P<deed>stole|nicked"
        rf"|pinched|stolen|totall?ed|wrecked|wrote off) (?:my|our) (?P<what>[\w' -]{{2,40}}?)"
        rf"(?=$|,| {_MARK}| (?:from|outside|out of|at|in|while|when|and|off)\b)"
    ),
    re.compile(
        r"^(?:I|[Ww]e)(?: have)?(?: just)? (?P<deed>totall?ed|wrecked|wrote off|written off) (?:my|our|the)"
        rf" (?P<what>[\w' -]{{2,40}}?)(?=$|,| {_MARK}| (?:on|at|in|while|when|and|off)\b)"
    ),
)
_RESUMED = re.compile(
    r"^(?:I|[Ww]e) (?:have )?(?:(?:just|now|recently) )?(?:started|begun|taken up|took up|(?:am|are)(?: back to)?)"
    r" (?P<doing>smoking|drinking|driving|eating (?P<food>meat|fish|dairy|gluten)) again\b"
)
_DIETS = {
    "meat": ("vegetarian", "vegan", "pescatarian"),
    "fish": ("vegetarian", "vegan"),
    "dairy": ("vegan", "dairy-free"),
    "gluten": ("gluten-free",),
}
"""Diets that are over for who eats this again."""
_DEEDS = {"smoking": "smoke", "drinking": "drink", "driving": "drive"}
_NAMED_OFF = re.compile(
    r"^(?P<name>[A-Z][\w'&-]+(?: [A-Z][\w'&-]+){0,3}) (?:is|was|got|has been)(?: now| just)?"
    rf" (?:cancelled|called off|off(?=$|,| now\b)|(?:moved|pushed|postponed|put)(?: back| off)? (?:to|until) {_MARK})"
)
"""A place or an event by its name alone, which is planned no longer, or not for its day: "Madrid is off"."""


_Made = Callable[[str, str, str], Triple]
"""Makes a claim about the speaker of a relation, the object and its type."""


def ending_claims(
    clause: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause``, which has marks for its date expressions, says is over."""
    if not _CUE.search(clause):
        return
    bare = _LEADING.sub("", clause)
    found = [(match, read) for form, read in _READERS if (match := form.match(bare))]
    if not found:
        return
    ahead = _AHEAD.search(clause) is not None
    dates = {index: resolve(expressions[index], at, future=ahead) for index in marks(clause)}
    sentence = as_sentence(with_words(clause, lambda number: dates[number].words), turn)
    when = next((_told_at(date, at) for date in dates.values() if date.moment), None)

    def made(relation: str, name: str, kind: str) -> Triple:
        return claim(turn, relation, name, kind, sentence, evidence)

    match, read = found[0]
    yield from read(match, when, made, turn)


def _told_at(date: ResolvedDate, at: datetime | None) -> ResolvedDate:
    """Return a date that is ahead only if it is after the day of the message."""
    return replace(date, future=bool(at and date.moment and date.moment.start > at))


_CUE = re.compile(
    r"[Ll]ast |stole|nicked|pinched|repossessed|written off|wrote off|totall?ed|wrecked|scrapped|again"
    r"|cancelled|called off| off|moved|pushed|postponed|put "
)
"""A word of each of the forms, to find soon that a clause has none."""
_LEADING = re.compile(rf"^{_MARK},? ?")
_AHEAD = re.compile(r"\b(?:is|will be)\b")


def _leaves(match: re.Match[str], when: ResolvedDate | None, made: _Made, turn: Turn) -> Iterator[Triple]:
    """Yield that the speaker left an employer, or plans to if the last day is ahead."""
    place = proper(match["place"])
    if place is None or when is None:
        return
    ahead = when.future
    text = f"{possessive(turn.speaker)} last day at {place.name} {'is' if ahead else 'was'} {when.words}."
    made_of = replace(made("plans_to_leave" if ahead else "left", place.name, "organization"), text=text)
    if ahead:
        yield replace(made_of, planned_for=when.moment)
    else:
        yield replace(made_of, valid_from=when.moment, valid_to=when.moment)


def _robbed(match: re.Match[str], when: ResolvedDate | None, made: _Made, turn: Turn) -> Iterator[Triple]:
    """Yield that something of the speaker's was taken or broken."""
    named = noun_phrases(match["what"], turn, gerunds=False)
    if len(named) != 1 or "'s " in match["what"] or DEICTIC.search(match["what"]):
        return
    name = named[0].name
    if name[:1].isupper() or is_belonging(name):
        on = when.moment if when and not when.future else None
        deed = "was_robbed_of" if _STOLEN.match(match["deed"]) else "wrecked"
        yield replace(made(deed, name, "thing"), valid_from=on, valid_to=on)


_STOLEN = re.compile(rf"{_TAKEN}|stole")


def _resumed(match: re.Match[str], _when: ResolvedDate | None, made: _Made, _turn: Turn) -> Iterator[Triple]:
    """Take back what the speaker did not do, or the diet, or that the speaker is off a food."""
    if deed := _DEEDS.get(match["doing"]):
        yield replace(made("does_not", deed, LITERAL), retracts=True)
    if match["food"]:
        yield replace(made("avoids", match["food"], LITERAL), retracts=True)
    for diet in _DIETS.get(match["food"] or "", ()):
        yield replace(made("follows_diet", diet, LITERAL), retracts=True)


def _off(match: re.Match[str], _when: ResolvedDate | None, made: _Made, _turn: Turn) -> Iterator[Triple]:
    """Take back the plan for a place or an event with a name of its own."""
    name = proper(match["name"])
    if name and name.name.lower() not in _REGULAR and not kind_of(name.name.lower()):
        yield replace(made("plans_to_visit", name.name, "place"), retracts=True)
        yield replace(made("plans_to_attend", name.name, "event"), retracts=True)


_REGULAR = frozenset(
    "practice quiz choir bingo zumba drinks rehearsal standup stand-up retro school swimming gymnastics mass church"
    " nursery playgroup work crossfit spin scouts cubs brownies bridge poker karaoke".split()
)
"""What takes place regularly, and has a capital only where it begins a sentence."""
_READERS = (
    (_LAST_DAY, _leaves),
    *((form, _robbed) for form in _ROBBED),
    (_RESUMED, _resumed),
    (_NAMED_OFF, _off),
)
