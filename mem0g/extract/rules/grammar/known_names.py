"""Names of known people and pets in a message without capitals: "luca dumped me" as "Luca dumped me"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from mem0g.extract.rules.grammar.people import NAME, may_be_person
from mem0g.model import Message

_NAME = re.compile(NAME)
_BEGINS = re.compile(r"(?:^|[.!?,;:\n] ?|\b(?:and|but|so|because|ok|well) )$")
_DONE_WITH = re.compile(r"\b(?:put|met|gave|give|giving|with|dumped|married|rehomed|left) $")
"""What stands before a name."""


def with_capitals(message: Message, known: Iterable[str]) -> Message:
    """Return the message, if it has no capitals, with those of the known names in it.

    That is where such a name begins a clause or is what something is done with; elsewhere it may be a common word.
    """
    text = message.text
    if any(map(str.isupper, text)):
        return message
    for name in (each for each in known if each.lower() in text and _NAME.fullmatch(each)):
        for match in reversed(list(re.finditer(rf"\b{re.escape(name.lower())}\b(?!-)", text))):
            before, after = text[: match.start()], text[match.end() :]
            begins = _BEGINS.search(before) and (after.startswith((" and i ", "'s ")) or may_be_person(name, after[1:]))
            if begins or (_DONE_WITH.search(before) and may_be_person(name, "is ")):
                text = before + name + after
    return message if text == message.text else replace(message, text=text)
