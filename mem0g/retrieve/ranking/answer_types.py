"""Whether a message has what a question asks for: a number ("How much …?"), or a time ("When …?").

Messages about the same thing differ in it: "The bakery opened" fits "When does the bakery open?" as well as "they are
open from seven on Saturdays" does, which answers it.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mem0g.retrieve.question.kinds import asks_for_a_time, asks_for_numbers
from mem0g.text.english import MONTHS, NUMBERS, WEEKDAYS
from mem0g.text.languages import word_set

if TYPE_CHECKING:
    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.proximity import Scores

AnswerType = Literal["number", "time"]

LONGEST = 2000
"""Characters of a message that are read."""

_TIMES: Final = frozenset(
    (*WEEKDAYS, *(f"{each}s" for each in WEEKDAYS), *MONTHS, *(each[:3] for each in MONTHS))
) - frozenset(("may", "mar", "march")) | frozenset(
    "today tonight tomorrow yesterday ago weekend week month year noon midnight morning evening o'clock summer winter "
    "autumn "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag heute morgen gestern übermorgen woche monat jahr uhr "
    "januar februar märz juni juli oktober dezember "
    "lunes martes miércoles jueves viernes sábado domingo hoy mañana ayer semana mes año enero febrero marzo abril "
    "mayo junio julio agosto septiembre octubre noviembre diciembre "
    "lundi mardi mercredi jeudi vendredi samedi dimanche aujourd'hui demain hier semaine mois année janvier février "
    "avril mai juin juillet août septembre octobre novembre décembre "
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag vandaag gisteren week maand jaar januari februari "
    "maart mei augustus".split()
)
"""Words for days, months and other times; not those that are mostly something else ("may")."""

_DATED: Final = re.compile(r"\b(?:\d{1,2}(?:st|nd|rd|th|[:.]\d\d| ?[ap]m)|(?:19|20)\d\d)\b")
_DIGIT: Final = re.compile(r"\d")
_NUMBERS: Final = frozenset(NUMBERS[2:]) | frozenset(
    "hundred thousand million half dozen twice nothing none "
    "zwei drei vier fünf sechs sieben acht neun zehn hundert tausend halb "
    "dos tres cuatro cinco seis siete ocho nueve diez cien mil "
    "deux trois quatre cinq six sept huit neuf dix cent mille "
    "twee drie vijf zes zeven acht negen tien honderd duizend".split()
)
"""Words for numbers; not for one, which is an article and a pronoun as well."""


def answer_type(question: str) -> AnswerType | None:
    """Return what the answer to a question has to have, None if that is neither a number nor a time."""
    if asks_for_a_time(question):
        return "time"
    return "number" if asks_for_numbers(question) else None


@lru_cache(maxsize=16384)
def has(kind: AnswerType, text: str) -> bool:
    """Whether a text has a number, or words for a time; the numbers of a date are both."""
    text = text[:LONGEST]
    if kind == "number":
        return _DIGIT.search(text) is not None or not _NUMBERS.isdisjoint(word_set(text))
    return not _TIMES.isdisjoint(word_set(text)) or _DATED.search(text) is not None


def typed(candidates: CandidateSet) -> Scores:
    """Return 1 for each message that has what the question asks for, else 0, and 0 for facts; see ``answer_type``."""
    scores = np.zeros(len(candidates))
    kind = answer_type(candidates.question.text)
    if kind:
        scores[candidates.first :] = candidates.noted(kind, partial(has, kind))
    return scores
