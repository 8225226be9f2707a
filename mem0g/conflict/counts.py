"""How many of a thing somebody has: who has three turtles now has two no longer."""

from __future__ import annotations

import re
from typing import Final

from mem0g.conflict.claim import Claim
from mem0g.model import Fact
from mem0g.resolve.names import parse
from mem0g.text.english import NUMBERS
from mem0g.text.names import fold

_POSSESSES = re.compile(r"(?:HAS|HAVE|OWNS?)(?:_|$)")
"""Relations whose object is counted. Two wins stay two wins."""

_WORDS: Final = NUMBERS[2:]
_MEANING: Final = {word: number for number, word in enumerate(_WORDS, start=2)} | {str(n): n for n in range(2, 1000)}
_NUMBER: Final = rf"({'|'.join(_WORDS)}|\d{{1,3}})"


def recounted(claim: Claim, fact: Fact) -> bool:
    """Whether the claim tells another number of what the fact says that the same one has."""
    same = (fact.subject_id, fact.relation) == (claim.subject.id, claim.relation)
    if not same or not _POSSESSES.match(claim.relation):
        return False
    number, thing = _counted(claim.triple.object)
    known, other = _counted(fact.object)
    if number is None or (thing != other and fact.object_id != claim.object.id):
        return False
    return (_said_of(thing, fact.text) or known or number) != number


def _counted(name: str) -> tuple[int | None, str]:
    """The number in front of a name, if there is one, and what is counted: owner and article aside."""
    first, *rest = parse(name).words
    return (_MEANING[first], " ".join(rest)) if first in _MEANING and rest else (None, " ".join([first, *rest]))


def _said_of(thing: str, text: str) -> int | None:
    """The number that a sentence tells of a thing: a node keeps the name that it was given first."""
    said = re.search(rf"\b{_NUMBER}(?: [\w-]+){{0,2}} {re.escape(thing)}\b", fold(text))
    return _MEANING.get(said[1]) if said else None
