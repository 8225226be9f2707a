"""What a question wants to know: a time, a detail of one thing, or several things."""

from __future__ import annotations

import re

from mem0g.retrieve.temporal_intent import named_dates

_WHEN = re.compile(r"\b(?:when|how long|since|(?:what|which) (?:date|day|month|year|time))\b", re.IGNORECASE)

_DETAIL = re.compile(r"(?:why|who|whom|with whom|where|how(?! (?:many|much|long|often|old)\b))\b", re.IGNORECASE)

_VERB = r"(?:has|have|had|did|do|does|is|are|am|was|were|can|could|may|might|must|shall|should|will|would)"

_SEVERAL = re.compile(
    rf"""(?:(?:about|at|for|from|in|of|on|to|with)\ )?
    (?:
        (?:what|which)(?:\ (?!{_VERB}\b)[\w'’+-]+)*?   # "What", "Which local", up to
        \ (?!{_VERB}\b|series\b|news\b)[\w+-]*[a-z]{{2}}(?<!s)s\b   # a plural: "events", "hobbies", not "business"
        (?!\ (?:the|an?|his|her|their|that)\b)         # and no verb: "What Ann thinks the studio should look like"
        (?:\ [\w'’+-]+)*?\ {_VERB}\b                   # and what is asked of them: "… has she been to?"
      | (?:what|which|who)\ (?:are|were)\b
      | (?:what|which)\ (?:[\w+-]+\ )?(?:kind|type|sort)s?\ of\b
      | (?:what|where|which|who|whom)\b(?:\ [\w'’+-]+){{0,3}}?\ (?:has|have)\b   # what has been done up to now
      | how\ many\b
      | .*\bboth\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


_COUNTS = re.compile(
    r"\b(?:how (?:many|much|often|long|old|far|big|large)|total|overall|average|combined|in all|altogether|sum of"
    r"|wie (?:viele?|oft|lange)|insgesamt|cu[áa]nt[oa]s?|en total|combien|au total"
    r"|hoe (?:veel|vaak|lang)|hoeveel|in totaal)\b",
    re.IGNORECASE,
)


def asks_for_numbers(question: str) -> bool:
    """Whether a question counts, sums or measures: "How many …", "How much …", "… in total"."""
    return bool(_COUNTS.search(question))


def asks_when(question: str) -> bool:
    """Whether a question needs dates: "When did …", "How long …", "In what year …", "… on 1 February 2023?"."""
    return bool(_WHEN.search(question) or named_dates(question))


def asks_for_a_detail(question: str) -> bool:
    """Whether a question is about one thing told at length: "Why …", "Who …", "Where …", "How …", not "How many …"."""
    return bool(_DETAIL.match(question.strip()))


def asks_for_several(question: str) -> bool:
    """Whether many facts may each hold a part of the answer: "Which events has …", "What do they both …", "How many …".

    English only; any other question is taken to be about one thing.
    """
    return bool(_SEVERAL.match(question.strip()))
