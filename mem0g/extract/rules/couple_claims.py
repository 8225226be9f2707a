"""Claims about couples: "Clara and I are together", "Bob and Eve got married last June", "Tom and I broke up"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.date_expressions import marks, resolve, with_words
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.people import NAME, Turn, may_be_person, third_person
from mem0g.model import Triple

_STATE = (
    r"(?: (?:are|have been|got|became|just|have))?(?: (?:now|officially|finally|just|back|recently))*"
    r" (?P<state>together(?=$|[,.!]| \u27e6| now\b| again\b)|dating|a couple|engaged(?! (?:in|with) )|married|divorced"
    r"|broke up|split up|broken up|separated)\b"
)
_WITH_ME = re.compile(rf"^(?:(?P<before>{NAME}) and I|(?:I|[Mm]e) and (?P<after>{NAME})){_STATE}")
_OTHERS = re.compile(
    rf"^(?P<one>{NAME}) and (?P<other>{NAME})(?! (?:together|dating|separated)){_STATE}"
    r"(?! (?:the|an?|their|our|my|some)\b)"
)
_FICTION = re.compile(
    r"\bin (?:the|my|an?|this|that|his|her) (?:story|novel|book|film|movie|show|series|dream|game|play|head)\b"
)
_RELATIONS = {
    "together": "dating",
    "dating": "dating",
    "a couple": "dating",
    "engaged": "engaged_to",
    "married": "married_to",
}
_APART = {"divorced": "divorced_from", "separated": "separated_from"}
"""Relations after the end, "broke_up_with" for the others."""


def couple_claims(
    clause: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause``, which has marks for its date expressions, says of the speaker and another one, or of two
    others, as a couple.
    """
    dates = {index: resolve(expressions[index], at, future=False) for index in marks(clause)}
    when = next((date for date in dates.values() if date.moment and not date.future), None)
    if match := _WITH_ME.match(clause):
        other, state = match["before"] or match["after"], match["state"]
        words = f"are {state}" if state in _RELATIONS else f"are no longer together ({state})"
        made = claim(turn, "dating", other, "person", f"{turn.speaker} and {other} {words}.", evidence)
        yield from _couple(made, state, when)
    elif (match := _OTHERS.match(clause)) and may_be_person(match["one"], "is ") and not _FICTION.search(clause):
        whole = with_words(clause, lambda number: dates[number].words).rstrip(" ,.;:-")
        whole = third_person(whole, turn.speaker, turn.addressee)
        made = replace(claim(turn, "dating", match["other"], "person", f"{whole}.", evidence), subject=match["one"])
        yield from _couple(made, match["state"], when)


def _couple(made: Triple, state: str, when: ResolvedDate | None) -> Iterator[Triple]:
    """Yield that two are a couple, since their date; or that they are one no longer, and what they did."""
    began = when.moment if when and when.sense in ("at", "since") else None
    if state in _RELATIONS:
        yield replace(made, relation=_RELATIONS[state], valid_from=began)
        return
    former = "married_to" if state == "divorced" else "dating"
    yield replace(made, relation=former, retracts=True, valid_to=began)
    yield replace(made, relation=_APART.get(state, "broke_up_with"), valid_from=began)
