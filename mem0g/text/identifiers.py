"""Further terms by which a question finds identifiers: whole, split, and spelled as separate words.

What a store keeps of a text are its stems in order: "0 6 2" for version 0.6.2, "max retri" for max_retries, and one,
"getuserbyid", for getUserById. So a whole identifier is a phrase of stems, and words in a row may be one stem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mem0g.text.code import identifier_words
from mem0g.text.english import STOP_WORDS
from mem0g.text.names import fold, words
from mem0g.text.scripts import CJK_CHARACTER
from mem0g.text.stemming import tokens

MOST_JOINED, SHORTEST = 4, 6
"""Words in a row that are looked for as one, and the characters of the shortest: "user id" may be userId."""

MOST_WORDS = 40
"""Words of a text beyond which none are joined: what is pasted has its identifiers as they are written."""

MOST_TERMS = 200
"""Terms that are returned at most: a full-text query of Lucene has at most 1,024."""

_JOINED = re.compile(r"(?<!\w)\w+(?:[._/:\\-]+\w+)+")
_VERSION = re.compile(r"v?(?=\d)", re.IGNORECASE)


def identifier_terms(text: str) -> tuple[str, ...]:
    """Return the terms of the identifiers in ``text`` beside its stems, each once; several stems with a space between.

    They are those of whole identifiers and versions (0.6.2 and v0.6.2 alike), of the words of a name in camel case, and
    of up to MOST_JOINED words in a row as one: "get user by id" for getUserById.
    """
    split = tokens(" ".join(identifier_words(text)))
    return tuple(dict.fromkeys((*_phrases(text), *split, *_compounds(text))))[:MOST_TERMS]


def _phrases(text: str) -> Iterator[str]:
    for name in _JOINED.findall(text):
        spellings = (_VERSION.sub(mark, name, count=1) for mark in ("", "v")) if _is_version(name) else (name,)
        for each in spellings:
            stems = tokens(each)
            if len(stems) > 1:
                yield " ".join(stems)


def _is_version(name: str) -> bool:
    return bool(_VERSION.match(name)) and "." in name


def _compounds(text: str) -> Iterator[str]:
    found = words(fold(text))
    for start in range(len(found) if len(found) <= MOST_WORDS else 0):
        for end in range(start + 2, min(start + MOST_JOINED, len(found)) + 1):
            joined = "".join(found[start:end])
            edges = {found[start], found[end - 1]}
            if STOP_WORDS.isdisjoint(edges) and len(joined) >= SHORTEST and not CJK_CHARACTER.search(joined):
                yield from tokens(joined)
