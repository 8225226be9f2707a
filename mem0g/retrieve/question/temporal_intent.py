"""What a question says about time: the dates it names, and whether it asks about the past.

``asks_about_past`` decides whether retired facts may answer the question. A word alone does not decide: a bus stop, a
history museum and breakfast belong to the present. Phrases that only look like the past are removed first. Some
constructions then ask for the past by themselves ("used to", "no longer", "her previous job"). Most cues count only
beside a verb in the past tense ("where did she live before?"), and so does a date without a year; a date with a year
counts once it is over. Of German, Spanish, French and Dutch only a few cues are known; dates are read in English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from mem0g.text.english import MONTH, month_number
from mem0g.text.languages import asks_about_past_in, guess_language
from mem0g.times import Moment

_WRITTEN = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{MONTH})\b\.?"
    r"(?:\s+(?P<late_day>\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?(?:,?\s+(?P<year>(?:19|20)\d{2}))?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b")
_YEAR = re.compile(
    r"(?<![$€£¥#])(?<![$€£¥#] )(?<!\b(?:room|code|flat|line|page|unit) )(?<!\b(?:route|model) )"
    r"(?<!\bnumber )(?<!\bno\. )"
    r"\b(?:19|20)\d{2}\b(?![.,]\d|%| ?(?:[$€£¥]|(?:[km]?m|k?g|[kmg]b|euros?|eur|dollars?|usd|pounds?|people|"
    r"persons|guests|words|characters|steps|calories|k?cal|miles|feet|metres|meters|kilometres|kilometers|hours|minutes|days|years|"
    r"times|copies|pieces|pages|tokens|points|followers|watts|square|mah)\b))",
    re.IGNORECASE,
)
"""Four digits that can be a year: not a price, measure, count or room number."""
_MODAL_MAY = re.compile(r"\bmay\b|^\W*May(?=\s+(?:I|we|you|he|she|they|it)\b)")
_MONTH_MAY = re.compile(
    r"(?:\d(?:st|nd|rd|th)?|\b(?:of|in|since|until|by|before|after|during|last|next|early|mid|late))[\s-]+may\b"
    r"|\bmay\s+\d"
)
"""The month in lower case, distinguished from the verb by the words beside it."""

SAME_DAY, SAME_MONTH, OTHER_DAY, SAME_YEAR = 1.0, 0.7, 0.4, 0.3
"""Scores of a match; measured on the LOCOMO development conversations by leaving one out."""


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A date that a question names; any part may be missing."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


def named_dates(question: str) -> tuple[NamedDate, ...]:
    """Return the dates named in ``question``, in English words or ISO 8601."""
    text = question if _MONTH_MAY.search(question) else _MODAL_MAY.sub(" ", question)
    found: list[NamedDate] = []
    for pattern in (_ISO, _WRITTEN):
        found += [_named(match) for match in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    found += [NamedDate(year=int(match[0])) for match in _YEAR.finditer(text)]
    return tuple(found)


def date_match(dates: tuple[NamedDate, ...], moment: Moment | None) -> float:
    """Return how well ``moment`` matches the best of ``dates``, 0 to 1."""
    if moment is None:
        return 0.0
    return max((_worth(date, moment) for date in dates), default=0.0)


def _named(match: re.Match[str]) -> NamedDate:
    parts = match.groupdict()
    month = parts["month"]
    number = int(month) if month.isdigit() else month_number(month)
    day = parts.get("day") or parts.get("late_day")
    return NamedDate(int(parts["year"]) if parts["year"] else None, number, int(day) if day else None)


def _worth(date: NamedDate, moment: Moment) -> float:
    if date.year is not None and date.year != moment.start.year:
        return 0.0
    if date.month is None:
        return SAME_YEAR
    if moment.precision == "year":
        return SAME_YEAR if date.year is not None else 0.0
    if date.month != moment.start.month:
        return 0.0
    if date.day is None or moment.precision == "month":
        return SAME_MONTH
    return SAME_DAY if date.day == moment.start.day else OTHER_DAY


MAX_CHARACTERS = 2000
"""Characters of a question that are examined."""

_BE = "am|is|are|was|were|be|been|being|get|gets|getting|got"
_ROUTINE = (
    "breakfast|brunch|lunch|dinner|supper|tea|bed|bedtime|sleep|sleeping|noon|midnight|dawn|dusk|sunrise|sunset|work"
    "|school|class|meals?|eating|running|training|exercise|christmas|easter"
)
_UNIT = "night|weekend|week|month|year|decade|century|spring|summer|autumn|fall|winter|[a-z]+day"
_WORDS = r"[\w'-]+"
_IRREGULAR = (
    "went|came|left|had|knew|held|met|kept|taught|drove|thought|said|told|saw|gave|took|made|ran|quit|began|became|got"
    "|wore|ate|drank|grew|spent|bought|sold|did|was|were"
)
_PAST_FORM = rf"(?:{_IRREGULAR}|[a-z]+[^\We]ed)"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{each})" for each in patterns))


_SEEMING = _any(
    rf"(?:{_BE})(?: {_WORDS}){{0,2}} used to\b",  # is she used to the cold? what is a sieve used to do?
    rf"(?:before|by|until|till|earlier than) (?:{_ROUTINE}|\d{{1,2}}(?::\d\d)? ?(?:am|pm|o'clock))\b",
    r"once (?:a|an|per|every|each|in|more|again|upon|daily|the|it|he|she|they|we|you|i)\b|at once\b",
    r"(?:no|any) longer than\b",
    r"(?:bus|train|tram|metro|pit|truck|next|last|first|full) stops?\b",
    r"stop (?:by|at|near|for the bus)\b",
    r"(?:the|at|dead|an|week|far|other|rear|this) end\b|end (?:of|up|to)\b|ended up\b",
    r"chang(?:e|es|ed|ing) (?:trains?|bus|buses|planes?|lines?|clothes|money|gears?)\b",
    r"chang(?:e|es|ed|ing) the (?:oil|sheets|tyres?|tires?)\b",
    r"(?:small|spare|loose|climate|gear|oil) changes?\b",
    r"(?:light|nintendo|network) switch\b|switch(?:ed)? (?:on|off)\b",
    r"(?:previous|former|prior|earlier) (?:question|message|answer|page|chapter|slide|section|version)s?\b",
    r"prior (?:art|knowledge|notice)\b",
)
"""Phrases with the words of a cue that do not ask about the past; removed before the cues are searched."""

_CUES = _any(
    r"used to\b",
    r"no longer\b",
    r"any ?more(?= ?(?:[?.,!]|$))",
    r"(?:formerly|previously)\b",
    r"(?:former|previous|prior) [a-z]",
    r"ex\b",
    r"in the past\b",
    r"back (?:then|in the day)\b",
    r"ago\b",
    r"since when\b",
    r"how long (?:did|was|were|had|has|have)\b",
    r"over (?:time|the (?:past |last )?years)\b",
    r"(?:job|work|employment|career|medical|address|housing|residence|relationship|dating|salary) history\b",
    r"history of (?:his|her|their|my|our|your)\b",
    r"changed\b",
    r"(?:in|since|during|from) the (?:(?:early|mid|late)[ -])?(?:(?:19|20)?\d0'?s|(?:seven|eigh|nine)ties|noughties)\b",
)
"""Cues that ask about the past by themselves."""

_BESIDE_PAST = _any(
    r"(?:before|prior to|earlier|until|till|at first|initially|once|ever|yesterday)\b",
    r"originally(?= ?(?:[?.,!]|$))",
    rf"last (?:{_UNIT})\b",
    r"as an? (?:young )?(?:kid|child|boy|girl|teen|teenager|student|baby|toddler)\b",
    rf"(?:when|while) (?:{_WORDS} ){{1,3}}?(?:was|were|lived|worked|studied)\b",
    r"in (?:his|her|their|my|your|our) (?:youth|childhood|teens|twenties|thirties|forties|fifties)\b",
    r"use to\b",
    r"(?:growing up|back when|in (?:high school|college|university))\b",
    r"(?:chang(?:e|es|ing)|switch(?:ed)?|stop(?:ped)?|quit|g[ai]ve up|end(?:ed)?)\b",
    rf"(?:in|on|of|by|since|until|before|after|during|last|early|mid|late|\d(?:st|nd|rd|th)?)[ -](?:{MONTH})\b",
    rf"(?:{MONTH}) \d",
)
"""Cues that ask about the past beside a verb in the past tense."""

_FORMER = _any(
    r"used? to\b",
    r"(?:formerly|previously|former|previous|prior|originally)\b",
    r"before(?= ?(?:[?.!,]|$))",
)
"""Cues that ask for what was before, beside the past tense."""

_PAST_VERB = _any(
    r"(?:did|was|were|had)(?:n't)?\b",
    rf"(?:has|have)(?:n't)?(?: {_WORDS}){{0,4}}? (?:been|ever|{_PAST_FORM})\b",
    rf"(?:who|what|that|which|where|when|i|he|she|we|they|you|x)(?: (?:all|else|first|also))? {_PAST_FORM}\b",
)
"""A past auxiliary, the perfect, or a past form right after its subject."""

_PAST_STATE = _any(
    rf"did(?:n't)?(?: {_WORDS}){{1,4}}? (?:live|reside|belong|own|rent|smoke)\b",
    rf"did(?:n't)?(?: {_WORDS}){{1,3}}? work\b(?! out\b)",
    rf"(?:what|who|which {_WORDS}) (?:was|were) (?:his|her|their|my|your|our|{_WORDS}'s|{_WORDS}s')"
    r"(?: (?![a-z]+ed\b)[a-z-]+){1,3} ?(?:[?.!]|$)",
    rf"^(?:was|were) (?!there|it|this|that)(?:{_WORDS} ){{1,2}}?an? [a-z]+ ?(?:[?.!]|$)",
)
"""Questions about a past state: "where did she live", "who was her boss", "was he a vegetarian"."""


def asks_about_past(question: str, now: datetime) -> bool:
    """Whether the question asks about the past, by its words or by naming a date before ``now``.

    "Where did she live before?", "since when", "in May 2023"; not "which bus stop is near", "in May", "2000 euros", nor
    "what did she buy": what happened stays true.
    """
    language = guess_language(question[:MAX_CHARACTERS])
    if asks_about_past_in(language, question[:MAX_CHARACTERS]):
        return True
    text = _plain(question)
    if _CUES.search(text) or _PAST_STATE.search(text):
        return True
    past_verb = _PAST_VERB.search(text) is not None
    if past_verb and _BESIDE_PAST.search(text):
        return True
    return any(_is_over(date, now) or (past_verb and _has_begun(date, now)) for date in named_dates(question))


def asks_in_past_tense(question: str) -> bool:
    """Whether a question asks for an event or a state of the past: "When did she move?", "her previous job"."""
    text = _plain(question)
    language = guess_language(question[:MAX_CHARACTERS])
    if asks_about_past_in(language, question[:MAX_CHARACTERS]):
        return True
    return any(cues.search(text) for cues in (_PAST_VERB, _CUES, _PAST_STATE))


@lru_cache(maxsize=4096)
def asks_for_former(question: str) -> bool:
    """Whether a question asks for what was before: "Where did Ann live before?", "Who was her previous boss?"."""
    return bool(_FORMER.search(_plain(question))) and asks_in_past_tense(question)


def _plain(question: str) -> str:
    """Return the question in lower case without phrases that only seem to ask about the past."""
    return _SEEMING.sub(" ", " ".join(question[:MAX_CHARACTERS].lower().replace("’", "'").split()))


def _is_over(date: NamedDate, now: datetime) -> bool:
    today = (now.year, now.month, now.day)
    return date.year is not None and (date.year, date.month or 12, date.day or 31) < today


def _has_begun(date: NamedDate, now: datetime) -> bool:
    today = (now.year, now.month, now.day)
    return date.year is not None and (date.year, date.month or 1, date.day or 1) <= today
