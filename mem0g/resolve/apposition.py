"""Whether a text says that two names are one thing's: "Interpol (ICPO)", "Cobh, formerly known as Queenstown"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_ALSO: Final = (
    "(?:also|formerly|previously|originally|initially|now|currently|commonly|often|better|best|otherwise|simply|"
    "sometimes|usually|officially|locally|popularly|informally|professionally|today|alternatively)"
)
_WHEN: Final = f"(?:{_ALSO}|later|then|once)"
_KNOWN_AS: Final = (
    "(?:(?:known|spelled|spelt|written|credited|styled|designated|rendered|transliterated|romani[sz]ed) "
    rf"(?:{_WHEN} )?as|referred to(?: simply)? as|(?:abbreviated|shortened|translated|translates) (?:to|as)|"
    r"a\.?k\.?a\.?|alias|or simply|in short)"
)
_CALLED: Final = f"(?:{_KNOWN_AS}|called|named|renamed|nicknamed|dubbed)"
_SAYS: Final = (
    rf"(?:(?:,? ?(?:and|but) (?:(?:he|she|it) )?)?(?:(?:is|are|was|were) )?(?:{_WHEN} )*{_KNOWN_AS}|"
    rf"(?:, (?:which|who) )?(?:is|was) (?:{_WHEN} )*{_CALLED}|, (?:{_ALSO} )*{_CALLED}|, formerly)"
)
"""Words between a name and another of the same bearer.

"Anna called Bob", "Anna, who later called Bob" and "cat and dog are named Tom and Bo" say something else.
"""
_CUE: Final = rf"(?:(?:{_WHEN} )*{_CALLED}|{_WHEN}|or|born|née|nee|[\w ]{{0,20}}[a-z]{{3}} ?:)"
"""Words that begin a part of a bracket which gives another name: "(now Oslo)", "(or Jim)", "(Chinese: ...)"."""
_ASIDE: Final = r"(?:[(\[][^()\[\]]{0,60}[)\]] ?)*(?:[)\]] ?)?"
"""What stands between in "Debub Gondar (Amharic: ...) (or South Gondar)" and "Latin School (LASM), formerly ..."."""
_ARTICLE: Final = r"(?: ?\b(?:the|an?|simply))*"
_GIVES: Final = re.compile(
    rf"{_ASIDE}(?:{_SAYS}(?: [^.()]{{1,60}}? or)?|[(\[] ?(?:[^()\[\]]{{0,60}}?[,;/] ?)?{_CUE}){_ARTICLE}"
)
_OPENS: Final = re.compile(rf"[(\[]{_ARTICLE}")
_WITHIN: Final = re.compile(r"[(\[][^()\[\]]*")
_CLOSES: Final = re.compile(r"[\s\"“”’'»]*[)\]]")
_GOES_ON: Final = re.compile(r"\w| [A-Z]|'s")
"""What follows a part of a name: Carey is not said in Carey Business School."""
_QUOTES: Final = str.maketrans(dict.fromkeys('"“”„‘’«»', " "))
_FARTHEST: Final = 150
"""Characters between two names that are given as one's."""


@lru_cache(maxsize=16384)
def said_to_be_one(text: str, one: str, two: str, *, in_brackets: bool) -> bool:
    """Whether ``text`` gives one name as another name of the other's bearer, in either order.

    ``in_brackets``: a name alone in brackets behind another says so without more words. Of people it may be who plays
    them, of places where they are.
    """
    if one not in text or two not in text:
        return False
    return _gives(text, one, two, in_brackets) or _gives(text, two, one, in_brackets)


def _gives(text: str, name: str, other: str, in_brackets: bool) -> bool:
    for begin in _places(text, name):
        for end in _places(text, other):
            after = begin + len(name)
            if not after < end <= after + _FARTHEST:
                continue
            between = " ".join(text[after:end].translate(_QUOTES).casefold().split())
            behind = end + len(other)
            if _GIVES.fullmatch(between) and not _GOES_ON.match(text, behind):
                return True
            if _WITHIN.fullmatch(between) and _is_foreign(other):
                return True
            if in_brackets and _OPENS.fullmatch(between) and _CLOSES.match(text, behind):
                return True
    return False


def _places(text: str, name: str) -> Iterator[int]:
    place = text.find(name)
    while place >= 0:
        if not text[place - 1 : place].isalnum():
            yield place
        place = text.find(name, place + 1)


def _is_foreign(name: str) -> bool:
    """Whether a name is in another script than Latin: behind a name, in brackets, it is its original spelling."""
    letters = [char for char in name if char.isalpha()]
    return bool(letters) and not any(unicodedata.name(char, "").startswith("LATIN") for char in letters)
