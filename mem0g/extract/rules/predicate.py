"""A predicate: the words of a clause after its subject, and the dates in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, marks, resolve
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.nouns import EVENTS
from mem0g.extract.rules.grammar.people import Subject, Turn
from mem0g.extract.rules.grammar.verb_phrases import Pattern
from mem0g.text.verbs import IRREGULAR


@dataclass(frozen=True, slots=True)
class Predicate:
    """The words of a clause after its subject, with the context needed to read them.

    ``words`` has marks for its date expressions, which index ``expressions``; ``at`` is when the message was
    sent, in its speaker's zone.
    """

    subject: Subject
    words: str
    turn: Turn
    at: datetime | None
    expressions: tuple[str, ...]
    evidence: str

    def dates(self, pattern: Pattern) -> list[ResolvedDate]:
        """Return the dates of the predicate, in order, read ahead or back as its verb asks."""
        found: list[ResolvedDate] = []
        for index in marks(self.words):
            expression, before = self.expressions[index], self.words.partition(f"{OPEN}{index}{CLOSE}")[0]
            future = _lies_ahead(pattern, expression, before)
            ahead = found and found[-1].future and found[-1].moment and _OF_SAME_MONTH.match(expression)
            at = self.at
            if ahead and found[-1].moment and at:  # "on 3 October and the 7th"
                at = max(at, found[-1].moment.start)
            date = resolve(expression, at, future=future)
            found.append(replace(date, moment=None, future=False) if _OF_ANOTHER.search(before) else date)
        return found


_OF_ANOTHER = re.compile(r"\b(?:who|which|whose) (?:[\w']+ ){1,3}$")
"""A short relative clause, whose date is its own: "a cello for my niece, who starts in January"."""
_OF_SAME_MONTH = re.compile(r"(?:on|by|for) the \d", re.IGNORECASE)


_FOR_AN_EVENT = re.compile(
    rf"\b(?:for|before|until) (?:my|our|the|an?) (?:[\w-]+ ){{0,3}}?(?:{'|'.join(EVENTS)})"
    r"(?: (?:to|in|at|with) [\w' ]+?)?\s*$"
)
_FOR_SOMETHING = re.compile(r"\b(?:for|to|in|at|with) [\w' -]+$|\bfor $")


def _lies_ahead(pattern: Pattern, expression: str, before: str) -> bool:
    """Whether a date after the words ``before`` is the next of its kind rather than the last.

    What is planned lies ahead, and what is booked, but for a weekday right after it: "bought tickets on Friday". So
    does an event that something present is for: "learning Portuguese for our trip in October", and a date of what is
    going on: "expecting a baby in May"; and of what is so from a day on: "takes 100 mg from Monday".
    """
    mode = pattern.mode
    if expression.lower().startswith("since "):
        return False
    if _BEGINS.search(before) or _MADE_FOR.match(before):
        return True
    if mode == "booking":
        return not _A_WEEKDAY.match(expression) or _FOR_SOMETHING.search(before) is not None
    if mode == "state":
        if (pattern.undated or GOING_ON.match(before)) and _POINT.match(expression):
            return True
        return (
            _FOR_AN_EVENT.search(before) is not None
            or before.rstrip().endswith(" due")
            or expression.lower().startswith(("until ", "till "))
            or (
                expression.lower().startswith("from ") and not _is_past(before) and pattern.relation not in _POSSESSIONS
            )
        )
    return mode == "plan"


def _is_past(words: str) -> bool:
    """Whether a predicate begins with a verb in the past, or after "have"."""
    return any(word in _PAST or (word.endswith("ed") and word not in _NO_PAST) for word in words.lower().split()[:3])


_POSSESSIONS = frozenset({"owns", "has", "drives", "has_pet"})
"""Relations to a thing that may itself be from a time: "has a Fiat from June"."""
_PAST = frozenset(form for base, forms in IRREGULAR.items() for form in forms if form != base) | {"were"}
_NO_PAST = frozenset({"need", "feed", "breed", "speed"})

GOING_ON = re.compile(r"(?:am|is|are) (?:not )?\w+ing\b")
_POINT = re.compile(r"(?:in|on|at) (?!(?:the )?(?:last|past|this)\b)|\d", re.IGNORECASE)
_BEGINS = re.compile(r"\b(?:starts?|starting|begins?|beginning|due|opens?|lands?|ends?|expires?) $")
"""Words after which a date is ahead, whatever is said before: "got an internship, starts on 10 June"."""
_MADE_FOR = re.compile(
    r"(?:got|(?:have|has) got|made|arranged) (?:an?|the|my|our) (?:[\w-]+ ){0,2}(?:appointment|interview|viewing"
    r"|slot|booking"
    r"|reservation|consultation)\b[^,]*$"
)
"""What somebody got for a date ahead."""
_A_WEEKDAY = re.compile(r"(?:on )?\w+day(?: \w+)?$", re.IGNORECASE)
