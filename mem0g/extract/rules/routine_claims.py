"""Claims of what takes place every week: "my yoga class is on Tuesdays", "Theo has football on Thursdays at 6"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mem0g.extract.rules.clause_claims import as_sentence, claim
from mem0g.extract.rules.grammar.kin import KIN, KIN_WORDS
from mem0g.extract.rules.grammar.nouns import kind_of
from mem0g.extract.rules.grammar.people import DEICTIC, LANGUAGE_NAMES, NAME, Turn, possessive
from mem0g.model import Triple
from mem0g.text.english import WEEKDAYS

_DAY = rf"(?:{'|'.join(day.capitalize() for day in WEEKDAYS)})"
_DAYS = rf"(?:on )?{_DAY}s(?:(?:,| and|, and) {_DAY}s)*"
_EVERY_WEEK = rf"(?:{_DAYS}|every {_DAY}(?: and {_DAY})?)"
_WHAT = r"[a-z][\w'-]*(?: [a-z][\w'-]*){0,2}?"
_IS_WEEKLY = re.compile(
    rf"^(?:my |our )?(?P<what>{_WHAT}) (?:(?:is|are|was|has been) (?:moving|moved) to|is|are)(?: now)?"
    rf" (?={_EVERY_WEEK}\b)",
    re.IGNORECASE,
)
_HAS_WEEKLY = re.compile(
    rf"^(?:(?:I|[Ww]e) have|(?:[Mm]y (?P<kin>{KIN_WORDS})|(?P<name>{NAME})) has)(?: got)?(?: an?| my| his| her)?"
    rf" (?P<what>{_WHAT}) (?={_EVERY_WEEK}\b)"
)
_REGULAR = frozenset(
    """
    physio physiotherapy therapy counselling counseling choir yoga pilates football swimming training practice rehearsal
    band orchestra gym judo karate ballet dance hockey netball rugby tennis cricket curling gymnastics scouts guides
    brownies cubs beavers
    class classes lesson lessons course club session sessions shift shifts lecture lectures seminar seminars tutorial
    dialysis chemo evening-class bowls pottery pt physical-therapy speech-therapy
    """.split()
)
"""What one goes to every week."""


def routine_claims(clause: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield what the speaker, or somebody named, goes to every week."""
    if not (_DAY_WORD.search(clause) and (match := _IS_WEEKLY.match(clause) or _HAS_WEEKLY.match(clause))):
        return
    what = match["what"].lower()
    if not _is_regular(what) or DEICTIC.search(what):
        return
    who = match.groupdict()
    kin = who.get("kin")
    name = who.get("name") or (kin and (turn.named_before(turn.speaker, kin) or f"{possessive(turn.speaker)} {kin}"))
    what = what.capitalize() if what in LANGUAGE_NAMES else what
    found = claim(turn, "attends", what, "event", as_sentence(clause, turn), evidence)
    yield replace(found, subject=name, subject_type=KIN[kin].type if kin else "person") if name else found


_DAY_WORD = re.compile(rf"\b{_DAY}", re.IGNORECASE)


def _is_regular(what: str) -> bool:
    """Whether one goes to it every week: a class, training, choir."""
    head = what.rsplit(" ", 1)[-1]
    return head in _REGULAR or kind_of(head) == "activity" or what in LANGUAGE_NAMES
