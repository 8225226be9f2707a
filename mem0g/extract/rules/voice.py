"""From the first person to the third: "I have sold my car" is "Olivia has sold Olivia's car"."""

from __future__ import annotations

import re

from mem0g.extract.rules.verbs import PRESENT
from mem0g.text.verbs import third

_AGREE = {"am": "is", "are": "is", "have": "has", "do": "does", "were": "was"}
_SUBJECT = re.compile(r"\b(I|we)\s+((?:also|just|really|still|always|never|now|both|usually|often)\s+)?(\w+)")
_VERB = re.compile(r"^((?:no longer|never|always|usually|often|sometimes|both|still) )?(\w+)")
_CAN_NOT = re.compile(r"\bcan not\b")


def possessive(name: str) -> str:
    """Olivia's."""
    return name + "'s"


def agree(verb: str, present: bool = True) -> str:
    """The form of ``verb`` after a name, given the one after "I" or "we"; past forms stay.

    Without ``present``, only the auxiliaries change: "read" may be a past.
    """
    if verb in _AGREE:
        return _AGREE[verb]
    return third(verb) if present and verb in PRESENT else verb


def third_person(words: str, speaker: str, other: str | None, *, predicate: bool = False, present: bool = True) -> str:
    """``words`` of ``speaker`` to ``other`` with names for I, we and you.

    With ``predicate``, they begin with the verb of "I" or "we", which is made to agree. ``other`` is None when it is
    not known who "you" is; "you" then stays.
    """
    if predicate:
        words = _VERB.sub(lambda match: f"{match[1] or ''}{agree(match[2], present)}", words, count=1)
    words = _SUBJECT.sub(lambda m: f"{speaker} {m[2] or ''}{agree(m[3])}", words)
    for pattern, name in _names(speaker, other):
        words = pattern.sub(name.replace("\\", "\\\\"), words)
    return _CAN_NOT.sub("cannot", words)


_WHOLE = {
    "my|our": "{}'s",
    "mine|ours": "{}'s",
    "myself|ourselves": "{}",
    "me|us|I|we": "{}",
}
_MINE = tuple((re.compile(rf"(?<!-)\b(?:{words})\b(?![-'])"), name) for words, name in _WHOLE.items())
_YOURS = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), name)
    for words, name in {"your|yours": "{}'s", "yourself": "{}", "you": "{}"}.items()
)


def _names(speaker: str, other: str | None) -> list[tuple[re.Pattern[str], str]]:
    mine = [(pattern, name.format(speaker)) for pattern, name in _MINE]
    return mine + [(pattern, name.format(other)) for pattern, name in _YOURS] if other else mine


LOOSE = re.compile(
    r"\b(?:he|she|it|they|him|her|his|hers|its|them|their|theirs|himself|herself|itself|themselves|yourself|yourselves|you|your|this|these"
    r"|those|there|here|yours|one|ones)\b|\bthat\b(?! (?:I|we|is|are|was|were|has|have|can)\b)",
    re.IGNORECASE,
)
"""Words that point outside the sentence: with one of these left, it does not stand by itself."""
