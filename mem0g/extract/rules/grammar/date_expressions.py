"""Date expressions: found by pattern and resolved against the time of the message, no more precise than written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from mem0g.extract.rules.grammar.date_meanings import COUNTS, HOLIDAY, RESOLVERS, ResolvedDate
from mem0g.extract.rules.grammar.date_ranges import RANGES
from mem0g.extract.rules.grammar.days import DAY_NAME, DAY_WORD, WEEKDAY
from mem0g.text import english

OPEN, CLOSE = "\u27e6", "\u27e7"
"""Marks around the number of a date expression, which stands in its place in the sentence."""


_MONTH = rf"(?:{english.MONTH})\.?"
_COUNT = rf"(?:{'|'.join(word for word in COUNTS if word != 'zero')}|\d{{1,2}})"
_FEW = r"(?:a few|few|several|some|many|a couple(?: of)?|couple(?: of)?)"
_UNITS = r"(?:day|week|weekend|month|year)s?"
_ABOUT = r"(?:(?P<about>about|around|almost|nearly|over|roughly|like|maybe|more than|at least)\s)?"
_PART = r"(?: (?:morning|afternoon|evening|night))?"
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|(?:{DAY_WORD})\b)"
_YEAR = r"(?:,? (?:19|20)\d\d)?"
_TO = r"(?: ?[-–—] ?| (?:to|until|till|through) )"
_END = rf"(?:(?:the )?{_DAY}(?: of)? {_MONTH}|{_MONTH} (?:the )?{_DAY}){_YEAR}"
_FORMS: tuple[tuple[str, str], ...] = (
    ("iso", r"(?:on )?\d{4}-\d{2}-\d{2}"),
    ("numeric", r"(?:on )?(?<![\d.])\d{1,2}(?:/\d{1,2}/|\.\d{1,2}\.)(?:20)?\d\d(?![\d/.]\d|\d)"),
    ("years", rf"(?:from )?(?:19|20)\d\d{_TO}(?:19|20)\d\d(?![\w-])"),
    (
        "range",
        rf"(?:(?:from )?(?:the )?(?:{_END}|{_DAY}){_TO}{_END}|(?:from )?{_MONTH} {_DAY}{_TO}{_DAY}(?!\w){_YEAR}"
        rf"|between (?:the )?(?:{_END}|{_DAY}) and {_END}|from {_MONTH} to {_MONTH}{_YEAR})(?![\d:])(?!\w)",
    ),
    (
        "inyear",
        rf"(?:(?:in|on|by) )?(?:the )?(?:(?P<inday>\d{{1,2}})(?:st|nd|rd"
        rf"|th)?(?: of)? )?{_MONTH} (?:of )?(?P<inyearwhich>next|this|last) year\b",
    ),
    ("weekdays", rf"from {WEEKDAY}{_TO}{WEEKDAY}\b(?!s)"),
    ("holiday", rf"(?P<holidayat>at|on|over|for) (?:(?P<holidaywhich>last|next|this) )?(?P<holidayname>{HOLIDAY})\b"),
    (
        "daysofmonth",
        rf"from the (?P<firstday>\d{{1,2}})(?:st|nd|rd|th){_TO}the (?P<lastday>\d{{1,2}})(?:st|nd|rd|th)"
        rf"(?! of\b| {_MONTH})(?![\w-])",
    ),
    (
        "dayofmonth",
        rf"(?:(?:on|by|for|(?P<monthdaysense>until|till|since|from)) |(?:on )?(?:{DAY_NAME}),? |(?<=back )|(?<=\bto )"
        r"|(?<=\bis )(?=the \d{1,2}(?:st|nd|rd|th)(?:$|[,.!;])))"
        r"(?:the |(?<=day )|(?<=day, ))(?P<monthday>\d{1,2})(?:st|nd|rd|th)"
        r"(?=\s*(?:$|[,.!;)]|\d{1,2}(?:[:.]\d\d)? ?[ap]m\b|\d{1,2}[:.]\d\d\b"
        r"|(?:noon|at|in|with|and|for|to|from|so|but|because|then|now|not|instead|after|before|or)\b))",
    ),
    (
        "day",
        rf"(?P<daysense>(?:since|until|till|by|from|on) )?(?:the )?(?:{DAY_NAME},? "
        rf"(?:the )?)?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|(?:{DAY_WORD}) of {_MONTH}"
        rf"|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)(?:,? (?:19|20)\d\d)?(?![\d:])",
    ),
    (
        "partofmonth",
        rf"(?:(?:in|on|during|over) )?(?:the )?(?P<partwhich>{'|'.join(english.ORDINALS[:4])}|last)"
        rf" (?P<partunit>week(?:end)?) (?:of|in) {_MONTH}{_YEAR}(?!\w)",
    ),
    (
        "month",
        rf"(?P<monthsense>since|until|till|by|in|back in|from|for|this|last|next|this past|this coming"
        rf"|early|late|mid|(?:(?:at|by|from|until) )?(?:the )?(?:end|beginning|start|middle) of)"
        rf"(?: (?:early|late|mid|mid-))? {_MONTH}(?! \d{{1,2}}(?:st|nd|rd|th)?(?![\d\w]))(?:,? (?:of )?(?:19"
        rf"|20)\d\d)?(?!\w)|{_MONTH},? (?:19|20)\d\d"
        rf"|(?:(?<=moved to )|(?<=pushed to )|(?<=postponed to )|(?<=back to )|(?<=forward to )){_MONTH}(?! ?\w)",
    ),
    ("year", r"(?P<yearsense>since|until|till|by|in|back in|from) (?:early |late )?(?:19|20)\d\d(?![\w-])"),
    (
        "ago",
        rf"{_ABOUT}(?P<agocount>{_COUNT}|\d{{3}}|{_FEW}) (?P<agounit>day|week|weekend|month|year)s? (?:ago"
        rf"(?P<agotoday> today)?|back|earlier)\b",
    ),
    (
        "span",
        rf"for {_ABOUT.replace('about>', 'spanabout>')}(?:the (?:past"
        rf"|last) )?(?P<spancount>{_COUNT}|{_FEW}) (?P<spanunit>day|week|month|year)s?(?: now"
        rf"| already)?\b",
    ),
    (
        "ahead",
        rf"in {_ABOUT.replace('about>', 'aheadabout>')}(?P<aheadcount>{_COUNT}"
        rf"|{_FEW}) (?P<aheadunit>day|week|month|year)s?(?:'? time)?\b",
    ),
    (
        "weekday",
        rf"(?:(?P<weekbefore>a week on )|(?P<daywhich>on|last|this|next|this past|this coming|since|until|till|by|from)"
        rf"(?: last| next| this)? )?(?<!/)(?<!\bblack )(?<!\bcyber )"
        rf"(?<!\bcasual ){WEEKDAY}\b"
        r"(?!s|/| of (?:every|each|the month)\b| (?:morning|afternoon|evening|night)s)"
        rf"(?:(?P<weekafter> week\b)|{_PART})",
    ),
    (
        "word",
        rf"(?:the day before yesterday|the day after tomorrow|earlier today|later today|(?:by "
        rf"|until |till |from |since )?(?:yesterday|tomorrow|today){_PART}|last night|tonight"
        r"|this (?:morning|afternoon|evening))",
    ),
    (
        "unit",
        r"(?:over |during |in |since |later |earlier |early |late |the end of "
        r"|at the end of )?(?:the )?(?P<calwhich>last|this past|past|this|next|this coming|coming)"
        r" (?P<calunit>week(?:end)?|month|year|summer|spring|fall|autumn|winter)\b",
    ),
    (
        "vague",
        r"(?:(?:just )?the other (?:day|night|week|month)|a while (?:ago|back)|recently|lately"
        r"|these days|nowadays|one day|someday|some day|soon"
        rf"|(?:every|each) (?:other |second )?{WEEKDAY}(?:s\b)?"
        r"|right now|at the moment|ages ago|a long time ago|long ago|years ago|months ago"
        r"|weeks ago|for ages|for years|for a while(?: now)?"
        rf"|(?:once|twice|{_COUNT} times) (?:a|per|each|every) (?:day|week|month|year)"
        rf"|{_FEW} {_UNITS} later|{_COUNT} {_UNITS} (?:later|from now)|all the time|every (?:day"
        r"|week|month|year|morning|night|weekend|now and then)|as soon as possible|anytime soon)\b",
    ),
)
_EXPRESSION = re.compile(rf"\b(?=\w)(?:{'|'.join(f'(?P<{name}>{form})' for name, form in _FORMS)})", re.IGNORECASE)
"""A date expression; its forms are only tried where a word begins."""
_BOOKED = re.compile(r"\b(?:book|reserv|schedul|plann|tickets|due|set|fix|arrang)", re.IGNORECASE)
_TWO_PREPOSITIONS = re.compile(
    r"\b(?:for|by|from|on|in|of|until|since) (?=(?:on|in|around|since|until"
    r"|by|from|at) (?:the (?:week|summer|spring|fall|autumn)|[A-Z]\w+ \d{4}|\d))"
)
_A_KIND_OF_DAY = re.compile(r"\b(?:an?|every|another|that|one) $", re.IGNORECASE)
_MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")


@dataclass(frozen=True, slots=True)
class DatedSentence:
    """A sentence with numbered marks in place of its date expressions, and the expressions."""

    text: str
    expressions: tuple[str, ...]


def take_dates(sentence: str) -> DatedSentence:
    """Replace each date expression of ``sentence`` by a mark."""
    expressions: list[str] = []

    def mark(match: re.Match[str]) -> str:
        if match.lastgroup == "month" and re.fullmatch(r"(?:may|march|mar|dec|jan)", match[0]):
            return match[0]
        if match["weekday"] and _A_KIND_OF_DAY.search(sentence, max(0, match.start() - 8), match.start()):
            return match[0]  # "that's a Saturday"
        if match[0].lower().startswith("for ") and match["month"] and not _BOOKED.search(sentence):
            return match[0]  # "a gift for June"
        expressions.append(match[0])
        return f"{OPEN}{len(expressions) - 1}{CLOSE}"

    return DatedSentence(_EXPRESSION.sub(mark, sentence.replace(OPEN, "(").replace(CLOSE, ")")), tuple(expressions))


def marks(text: str) -> list[int]:
    """Return the numbers of the marks in ``text``, in order."""
    return [int(number) for number in _MARK.findall(text)]


def without_marks(text: str) -> str:
    """Return ``text`` without its marks."""
    return " ".join(_MARK.sub(" ", text).split())


def with_words(text: str, words: Callable[[int], str]) -> str:
    """Return ``text`` with each mark replaced by ``words`` of its number."""
    whole = " ".join(_MARK.sub(lambda match: f" {words(int(match[1]))} ", text).split())
    return _TWO_PREPOSITIONS.sub("", whole)


def resolve(expression: str, sent_at: datetime | None, *, future: bool) -> ResolvedDate:
    """Resolve ``expression`` against the day of ``sent_at`` in its zone; with ``future``, "on Friday" lies ahead."""
    whole = (f"{word}{expression}" for word in ("", "on ", "in "))  # what followed "to" has none of its own
    match = next(filter(None, map(_EXPRESSION.fullmatch, whole)), None)
    if match is None:
        return ResolvedDate(None, "", "vague")
    kind = next(name for name, _ in _FORMS if match[name])
    if sent_at is None and kind not in _TIMELESS and not re.search(r"\b(?:19|20)\d\d\b", expression):
        return ResolvedDate(None, "", "vague")
    base = (sent_at or datetime(2000, 1, 1, tzinfo=UTC)).date()
    try:
        found = (RESOLVERS | RANGES)[kind](match, base, future)
    except (ValueError, OverflowError):
        return ResolvedDate(None, "", "vague")
    if found.sense == "since" and not expression.lower().startswith("since"):  # "a Fiat from 2011" is none since then
        return replace(found, words=found.words.replace("since ", "from ", 1))
    if expression.lower().startswith("for ") and kind in ("month", "dayofmonth"):
        return replace(found, words=re.sub(r"^(?:on|in) ", "for ", found.words))
    if expression.lower().startswith("by "):
        return replace(found, words=re.sub(r"^(?:on|in) ", "by ", found.words))
    return found


_TIMELESS = frozenset({"iso", "numeric", "year", "years", "vague"})
