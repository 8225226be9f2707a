"""A pattern as data: the verb phrase that makes a claim, the relation it claims, what its object must be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from mem0g.text.verbs import gerund, third

Mode = Literal["state", "event", "plan"]
"""A state holds until it ends, an event happened at a time, a plan lies ahead."""

_FORMS = {"be": "am|is|are", "have": "have|has", "do": "do|does", "was": "was|were", "been": "have been|has been"}
_FORM = re.compile(r"(?<!\?P)<(\w+)>")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A verb phrase and the claim it makes.

    ``words`` is a regular expression from the verb to where the object begins, in which ``<live>`` stands for "live"
    and "lives", ``<be>`` for "am", "is" and "are". ``kind`` names the reader of the object (objects.py), ``type`` its
    type where the reader does not tell. ``since`` says that a date in the clause is when the state began, ``lasting``
    that only a clause with a duration ("for two years", "since 2016") matches; ``soon`` that only one with a date
    ahead does, ``undated`` that no such date may stand in it. ``retracts``: what it says is over.
    """

    words: str
    relation: str
    kind: str = "thing"
    type: str = ""
    mode: Mode = "state"
    since: bool = False
    lasting: bool = False
    soon: bool = False
    undated: bool = False
    retracts: bool = False


@cache
def compiled(words: str) -> re.Pattern[str]:
    """The regular expression of a pattern's words, to be matched at the start of a predicate."""
    return re.compile(f"(?:{_FORM.sub(_forms, words)})(?= |$)")


def _forms(match: re.Match[str]) -> str:
    word = match[1]
    if word in _FORMS:
        return f"(?:{_FORMS[word]})"
    if word.endswith("ing"):
        return f"(?:(?:am|is|are|have been|has been) {gerund(word[:-3])})"
    return f"(?:{word}|{third(word)})"
