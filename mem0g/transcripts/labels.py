"""Find speakers' labels in text: "Ann: I moved", "**Ann Lee:** I moved", "小明：你好"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mem0g.text.english import NAME_PARTICLES

MAX_LABEL_LENGTH = 40
"""Maximum number of characters in a speaker's name; anything longer is a sentence with a colon."""

MAX_LABEL_WORDS = 4
"""Maximum number of words in a speaker's name: "Maria del Carmen Ruiz"."""

_LINE = re.compile(
    r"(?P<lead>\s*(?:[-+*>•]\s+)?)"
    r"(?:(?P<mark>\*\*|__)(?P<bold>[^\s:：*][^:：*\n]*)(?:[:：](?P=mark)|(?P=mark)\s*[:：])"
    r"|(?P<plain>[^\W_][^:：*\n]*|@[^:：*\n]+)(?::(?=\s|$)|：))"
    r"\s*(?P<words>.*)"
)
_PARTICLES = NAME_PARTICLES | {"of", "the", "and", "und"}
_NOT_NAMES = frozenset(
    "answer attachment btw bye cc date edit edited eta example from ftp fyi hint http https important link mailto note "
    "notes p.s ps question reminder source subject summary time tip title tl;dr tldr to todo update url warning".split()
)
"""Words that often have a colon after them and are not names."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name before a colon: ``lead`` is the bullet before it, after a blank if indented; ``words`` what follows."""

    name: str
    words: str
    lead: str
    bold: bool

    @property
    def style(self) -> tuple[str, bool]:
        """The way the label is written. It is the same for all labels of a transcript, unlike that of other colons."""
        return (self.lead, self.bold)


def find_label(line: str) -> Label | None:
    """Return the speaker's label at the start of ``line``, None if the text before its colon is not like a name."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    name = (match["bold"] or match["plain"]).strip()
    if not _is_name(name):
        return None
    lead = (" " if match["lead"][:1].isspace() else "") + match["lead"].strip()
    return Label(name, match["words"].strip(), lead, match["bold"] is not None)


def _is_name(name: str) -> bool:
    """Whether it is one word, or a few words that each start with a capital, a digit or an uncased letter."""
    words = name.split()
    if (
        not 1 <= len(words) <= MAX_LABEL_WORDS
        or len(name) > MAX_LABEL_LENGTH
        or name.casefold().strip(".") in _NOT_NAMES
    ):
        return False
    return len(words) == 1 or all(word in _PARTICLES or not word.lstrip("(@\"'“‘")[:1].islower() for word in words)
