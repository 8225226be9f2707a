"""The predicates that a clause joins for one subject, and the claims of each with all its complements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, marks
from mem0g.extract.rules.grammar.people import FULL_NAME
from mem0g.extract.rules.grammar.verb_phrases import PRESENT, is_past
from mem0g.extract.rules.predicate import Predicate
from mem0g.extract.rules.verb_claims import ADVERBS, verb_claims
from mem0g.model import Triple

_PRESENT_VERBS = frozenset(
    "live work study have own speak teach play enjoy collect hate adore volunteer am are eat wear sell support "
    "prefer take want "
    "lives works studies has owns speaks teaches plays enjoys collects hates adores volunteers is wears eats "
    "sells takes "
    "prefers supports wants".split()
)
"""Verbs in the present that cannot be nouns after "and"."""
_LEADING_PRESENT = _PRESENT_VERBS | frozenset(
    "love loves like likes drive drives run runs take takes need needs".split()
)
"""Further verbs that may be nouns after "and", but not at the beginning of a predicate."""
_NEXT_VERB = re.compile(
    r",? and (?P<then>(?:then|also|just|even|finally|eventually|recently) )?(?=([a-z]+)\b)|, (?=([a-z]+)\b)"
)

_FOR_ONESELF = re.compile(r"(?<=[a-z] )(?:myself|ourselves|himself|herself|themselves) (?=(?:an?|the|some|two|new)\b)")

_AT_ITS_OWN_TIME = re.compile(r"(?:(?:was|were) (?:born|raised|brought up)|grew up|spent (?:my|his|her|our)|lived) ")
"""A predicate about where somebody was before something else that is joined to it."""


def coordinated(predicate: str, leading_date: str) -> list[str]:
    """Return the predicates of one subject: "sold my car and bought a bike" are two. Each gets the date of both.

    Where one of them is about a time of its own, "was born in Otaru and moved to Rome in 1999", and of states, "am 41,
    live in Rome since 2016", each keeps its date.
    "Got myself a bike" is "got a bike".
    """
    predicate = _FOR_ONESELF.sub("", predicate)
    parts, start = [], 0
    tense = _tense(predicate) or ("present" if predicate.split(" ", 1)[0] in _LEADING_PRESENT else "")
    for match in _NEXT_VERB.finditer(predicate):
        following = _tense(match[2] or match[3])
        if following and (following == tense or (match["then"] and following == "past")):
            parts.append(predicate[start : match.start()])
            start = match.end()
    parts.append(predicate[start:])
    own = tense == "present" or any(map(_AT_ITS_OWN_TIME.match, parts))
    joint = [] if own else marks(predicate)[:1]
    shared = leading_date or "".join(f"{OPEN}{number}{CLOSE}" for number in joint)
    return [part if marks(part) or not shared else f"{part} {shared}" for part in parts]


def _tense(words: str) -> str:
    """Return "past" or "present" for words that begin with such a verb form, "" for others."""
    first = next((word for word in words.split() if word not in ADVERBS), "")
    return "past" if is_past(first) else "present" if first in _PRESENT_VERBS else ""


def claims_of_predicate(predicate: Predicate) -> list[Triple]:
    """Return the claims of a predicate; "am 30, vegan and allergic to nuts" makes those of all complements."""
    several = list(_of_each_complement(predicate))
    if several:
        return several
    return list(verb_claims(predicate)) or list(_after_the_name(predicate))


def _of_each_complement(predicate: Predicate) -> Iterator[Triple]:
    """Yield the claims of complements of one "be", if there are several. What is none goes on with the one before it:
    "allergic to nuts and milk".
    """
    verb = _BE.match(predicate.words)
    pieces = _BETWEEN.split(predicate.words[verb.end() :]) if verb else []
    if not verb or len(pieces) < 3:
        return
    parts = [pieces[0]]

    def _is_claim(piece: str) -> bool:
        return any(_claims_of(piece, verb[1], predicate))

    for separator, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        loose = _NUMBER.fullmatch(piece) and not (_NAMED_FIRST_PIECE.fullmatch(parts[-1]) or _is_claim(parts[-1]))
        if not loose and _is_claim(piece):
            parts.append(piece)
        else:
            parts[-1] += separator + piece
    found = [_claims_of(part, verb[1], predicate) for part in parts]
    jobs = 0
    for triple in (each for claims in found for each in claims) if len(parts) > 1 else ():
        jobs += triple.relation == "works_as"
        beside = triple.relation == "works_as" and jobs > 1
        yield replace(triple, relation="is_a") if beside else triple


def _claims_of(complement: str, be: str, predicate: Predicate) -> list[Triple]:
    """Return the claims of a complement: an adjective or a noun, no gerund, which would be a verb."""
    bare = _STILL.sub("", complement)
    if not bare or bare.split()[0].endswith("ing") or _CLAUSE.match(bare):
        return []
    return [each for each in verb_claims(replace(predicate, words=f"{be} {bare}")) if each.relation in _OF_BEING]


_NAMED_FIRST = re.compile(rf"am (?:called |named )?{FULL_NAME}(?:,? and|,) (?:also )?(?=[a-z])")
"""The speaker's name before what is said of them."""


def _after_the_name(predicate: Predicate) -> Iterator[Triple]:
    """Yield the claims of what follows the speaker's name: "I am Kim and allergic to nuts"."""
    match = _NAMED_FIRST.match(predicate.words)
    if match and predicate.subject.first:
        rest = predicate.words[match.end() :]
        verb = "" if rest.split(" ", 1)[0] in PRESENT or _tense(rest) else "am "
        yield from verb_claims(replace(predicate, words=f"{verb}{rest}"))


_NUMBER = re.compile(r"\d+")
_NAMED_FIRST_PIECE = re.compile(rf"(?:called |named )?{FULL_NAME}")
"""What an age may follow in a list: "am Kim, 30", but not "am on losartan, 50"."""
_BE = re.compile(r"(am|is|are) (?!not )(?:(?:also|both|now) )?")
_BETWEEN = re.compile(r"(,? and |, |,? but )")
_STILL = re.compile(r"^(?:(?:also|still|now|both|sadly|unfortunately) )+")
_CLAUSE = re.compile(r"the [\w-]+(?: [\w-]+)? (?:is|was|has|had|says|said|told|took|put|gave|made|let|wants?)\b")
"""What begins as a complement and is about somebody else: "the dietitian had me off it"."""
_OF_BEING = frozenset(
    "works_as is_a is has_age follows_diet allergic_to afraid_of marital_status has_condition comes_from".split()
)
"""Relations of what stands after "be" and may be one of several."""
