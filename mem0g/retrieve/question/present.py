"""Whether a question asks for what holds now, so that the latest of several statements answers it."""

from __future__ import annotations

import re
from functools import lru_cache

from mem0g.retrieve.question.kinds import asks_for_a_time, asks_for_numbers, asks_for_several
from mem0g.retrieve.question.temporal_intent import asks_in_past_tense

_NOW = re.compile(
    r"\b(?:now|still|currently|current|latest|these days|nowadays|at (?:present|the moment)|today"
    r"|jetzt|noch|derzeit|aktuell\w*|zurzeit|momentan|ahora|todavía|aún|actualmente|hoy en día"
    r"|maintenant|encore|actuellement|toujours|en ce moment|nu|nog|momenteel|tegenwoordig)\b",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"(?:is|are|am|isn't|aren't|do|does|don't|doesn't|can|will"
    r"|ist|sind|bin|hat|habe|haben|kann|es|está|están|soy|tiene|tengo|est-ce|heeft|heb|zijn|ben)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:why|would|could|might|should|likely|ever|(?:has|have|had)(?! to\b)|kinds?|types?|sorts?|warum|wieso"
    r"|pourquoi|waarom)\b"
    r"|^por qué\b|^how (?!much|many|far|long|old|often|fast|big|heavy|tall|high)",
    re.IGNORECASE,
)
"""What asks for a reason, a manner, a supposition, or what has been so at any time."""
_HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def asks_for_present(question: str) -> bool:
    """Whether a question asks for a number, a time or a yes that may have changed, or says "now", in the present tense.

    "How much rent does Ann pay?", "When is the launch?", "Is Ann still at the bank?"; not "When did Ann move?", "Why is
    Ann away?" and "Which hobbies does Ann have?", to which several statements may give an answer each.
    """
    changing = asks_for_a_time(question) or asks_for_numbers(question)
    return may_have_changed(question) and (changing or bool(_NOW.search(question) or _WHETHER.match(question.strip())))


@lru_cache(maxsize=4096)
def may_have_changed(question: str) -> bool:
    """Whether a question is in the present tense and asks for one thing, but for no reason, manner or supposition."""
    if _OTHERWISE.search(question) or asks_in_past_tense(question):
        return False
    return not asks_for_several(question) or bool(_HOW_MANY.search(question))
