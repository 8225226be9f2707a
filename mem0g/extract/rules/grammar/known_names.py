"""Names of known people and pets in a message without capitals: "luca dumped me" as "Luca dumped me"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from mem0g.extract.rules.grammar.people import NAME, may_be_person
from mem0g.model import Message

_NAME = re.compile(NAME)
_BEGINS = re.compile(r"(?:[.!?,;:\n] ?|\b(?:and|but|so|because|ok|well) )$")
_DONE_WITH = re.compile(r"\b(?:put|met|gave|give|giving|with|dumped|married|rehomed|left) $")
"""What stands before a name."""
_WORD = re.compile(r"\b[^\W\d_]{2,}\b(?!-)")


_BEFORE, _AFTER = 10, 40
"""Characters that are read before a name, the longest of what may stand there, and after it."""


def with_capitals(message: Message, known: Iterable[str]) -> Message:
    """Return the message, if it has no capitals, with those of the known names in it.

    That is where such a name begins a clause or is what something is done with; elsewhere it may be a common word.
    """
    if any(map(str.isupper, message.text)):
        return message
    text = message.text
    here = (each for each in known if each.lower() in text and _NAME.fullmatch(each))
    for name in sorted(here, key=lambda each: (-len(each), each)):
        found = re.compile(rf"\b{re.escape(name.lower())}\b(?!-)")
        text = found.sub(partial(_cased, name), text)
    return message if text == message.text else replace(message, text=text)


def names_in(text: str) -> set[str]:
    """Return the words of a text without capitals that may be names: where ``with_capitals`` would find these."""
    if any(map(str.isupper, text)):
        return set()
    found = (match for match in _WORD.finditer(text) if _NAME.fullmatch(match[0].title()))
    return {match[0] for match in found if _is_name(match, match[0].title())}


def _cased(name: str, match: re.Match[str]) -> str:
    return name if _is_name(match, name) else match[0]


def _is_name(match: re.Match[str], name: str) -> bool:
    """Whether the word is somebody's name by what stands around it."""
    text, start, end = match.string, match.start(), match.end()
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
    if _DONE_WITH.search(before) and may_be_person(name, "is "):
        return True
    begins = start == 0 or _BEGINS.search(before)
    return bool(begins) and (after.startswith((" and i ", "'s ")) or may_be_person(name, after[1:]))
