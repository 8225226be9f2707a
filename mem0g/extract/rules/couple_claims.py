"""Claims about couples: "Clara and I are together", "Bob and Eve got married last June", "Tom and I broke up"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.date_expressions import marks, resolve, with_words
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.kin import KIN
from mem0g.extract.rules.grammar.people import NAME, NO_NAMES, Turn, may_be_person, possessive, third_person
from mem0g.extract.rules.implied_claims import PARTNER
from mem0g.model import LITERAL, Triple
from mem0g.text.english import STOP_WORDS

_NO_MORE = r"(?:no longer together|not together(?= (?:any ?more|any longer)\b))"
_STATE = (
    r"(?: (?:are|have been|got|became|just|have))?(?: (?:now|officially|finally|just|back|recently|sadly))*"
    r" (?P<state>together(?=$|[,.!]| \u27e6| now\b| again\b)|dating|a couple|engaged(?! (?:in|with) )|married|divorced"
    r"|broke up|split up|broken up|separated|called it quits|parted ways|split(?=$|[,.!]| \u27e6)"
    rf"|{_NO_MORE})\b"
)
_WITH_ME = re.compile(rf"^(?:(?P<before>{NAME}) and I|(?:I|[Mm]e) and (?P<after>{NAME})){_STATE}")
_WITH_ME_UNCASED = re.compile(rf"^(?:(?P<before>[a-z]{{2,15}}) and I|(?:I|[Mm]e) and (?P<after>[a-z]{{2,15}})){_STATE}")
_PARTED = (
    r"(?:broke up|split up|broken up|separated|called it quits|parted ways|split|got divorced|have divorced"
    rf"|are {_NO_MORE})"
)
_END = (
    r"(?=(?: (?:any ?more|too|as well|in the end|for good))?(?:$|[,.!]| \u27e6| (?:because|after|when|before|over)\b"
    r"| last\b| a (?:while|few|couple)\b| for (?:his|her|another|some|a (?:man|woman))\b))"
)
_PARTNER = r"(?:boyfriend|girlfriend|partner|bf|gf|fianc[eé]e?|husband|wife)"
_WE_PARTED = re.compile(
    rf"^(?:[Ww]e|[Mm]y (?P<kin>{_PARTNER}) and (?:I|me)|(?:[Mm]e|I) and my (?P<other>{_PARTNER}))"
    rf" (?:have )?(?:(?:just|finally|recently|officially|sadly) )*(?P<state>{_PARTED}){_END}"
)
_LEFT = re.compile(
    r"^(?:(?:I|[Ww]e) (?:have )?(?:(?:just|finally|recently) )*"
    r"(?:dumped|(?:broke|broken|split) up with|(?:broke|ended|called) (?:it|things) (?:off )?with) (?:him|her)"
    rf"|(?:he|she|He|She) (?:has )?(?:just |finally )?(?:dumped|left|broke up with|split up with) me){_END}"
)
"""A couple that is over, whose other one has no name here: "we broke up", "I dumped him", "she left me"."""
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
_SPOUSES = frozenset({"husband", "wife"})


def couple_claims(
    clause: str, expressions: Sequence[str], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause``, which has marks for its date expressions, says of the speaker and another one, or of two
    others, as a couple.
    """
    dates = {index: resolve(expressions[index], at, future=False) for index in marks(clause)}
    for_a_while = any(expressions[index].lower().startswith("for ") for index in dates)  # "broke up for Christmas"
    when = next((date for date in dates.values() if date.moment and not date.future), None)
    if match := _WITH_ME.match(clause) or (None if turn.cased else _uncased(clause)):
        name, state = match["before"] or match["after"], match["state"]
        other = name[:1].upper() + name[1:]
        words = f"are {state}" if state in _RELATIONS else f"are no longer together ({state})"
        made = claim(turn, "dating", other, "person", f"{turn.speaker} and {other} {words}.", evidence)
        yield from _couple(made, state, when)
    elif (match := _WE_PARTED.match(clause) or _LEFT.match(clause)) and not for_a_while:
        yield from _unnamed(match.groupdict(), turn, evidence, when)
    elif (match := _OTHERS.match(clause)) and may_be_person(match["one"], "is ") and not _FICTION.search(clause):
        whole = with_words(clause, lambda number: dates[number].words).rstrip(" ,.;:-")
        whole = third_person(whole, turn.speaker, turn.addressee)
        made = replace(claim(turn, "dating", match["other"], "person", f"{whole}.", evidence), subject=match["one"])
        yield from _couple(made, match["state"], when)


def _uncased(clause: str) -> re.Match[str] | None:
    """Return a match of the speaker and a name in lower case: "me and luca are together"."""
    match = _WITH_ME_UNCASED.match(clause)
    word = (match["before"] or match["after"]) if match else ""
    return match if word and word not in STOP_WORDS | NO_NAMES | KIN.keys() else None


def _unnamed(parted: dict[str, str | None], turn: Turn, evidence: str, when: ResolvedDate | None) -> Iterator[Triple]:
    """Yield that the speaker and a partner without a name are a couple no longer."""
    kin, state = parted.get("kin") or parted.get("other") or PARTNER, parted.get("state") or "broke up"
    married = kin in _SPOUSES or "divorced" in state
    began = when.moment if when and when.sense in ("at", "since") else None
    words = {"got divorced": "got divorced", "have divorced": "divorced", "separated": "separated"}.get(
        state, "broke up"
    )
    date = f" {when.words}" if when and began else ""
    text = f"{turn.speaker} and {possessive(turn.speaker)} {kin} {words}{date}."
    made = claim(turn, "dating", PARTNER, LITERAL, text, evidence)
    if not married:
        yield replace(made, retracts=True, valid_to=began)
    elif "divorced" in state:
        yield replace(made, relation="marital_status", object="divorced")
    yield replace(
        made, relation="got_divorced" if "divorced" in state else "broke_up_with", object=kin, valid_from=began
    )


def _couple(made: Triple, state: str, when: ResolvedDate | None) -> Iterator[Triple]:
    """Yield that two are a couple, since their date; or that they are one no longer, and what they did."""
    began = when.moment if when and when.sense in ("at", "since") else None
    if state in _RELATIONS:
        yield replace(made, relation=_RELATIONS[state], valid_from=began)
        return
    former = "married_to" if state == "divorced" else "dating"
    yield replace(made, relation=former, retracts=True, valid_to=began)
    yield replace(made, relation=_APART.get(state, "broke_up_with"), valid_from=began)
