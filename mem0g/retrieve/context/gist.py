"""The gist of a message in a few words of its own, for a line of a time line."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from mem0g.text.languages import FUNCTION_WORDS, INTERJECTIONS, guess_language, is_function_word
from mem0g.text.names import fold
from mem0g.text.stemming import content, token_set
from mem0g.text.token_count import count_words

LONGEST = 6000
"""Characters of a message that are read."""

COMMON = 3
"""Messages with a word from which on a rarer one counts no more: most of those are names and numbers by the way."""

LOOKED_AT = 5
"""Clauses of a message by which its language is guessed."""

ASKED = 2.0
"""What a word counts for that the question has, against one that it has not."""

LATER = 0.95
"""What a part of a message counts for against the part before it: what comes first is what it is about."""

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.{3,80})$", re.MULTILINE)
_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|[-*+•>]|\d{1,2}[.)])[ \t]+|\*\*|__|`|\|", re.MULTILINE)
_NUMBERED = re.compile(r"^(?:(?:step|part) (?=\d))?[\d.:)]*\s*", re.IGNORECASE)
_LEADING = frozenset(
    "kinda just really actually definitely basically currently trying try want wanted need think thinking thought "
    "wondering wonder going gonna looking hoping like would know help i'm i've i'd i'll it's that's let's".split()
)
"""Words with which an English request begins before it says anything."""

_OPENING = frozenset('"“‘«')
"""Marks with which a title begins: the first word of "The Expanse" is part of it."""

_CLAUSE = re.compile(r"(?<=[.!?…。！？;:])\s+|(?<=,)\s+|\s[-–—]\s|\n+")


class Gists:
    """Gists of messages among others: their rarest words in the fewest.

    ``terms`` are the stems of the question, ``texts`` those of each message, separated by spaces.
    """

    def __init__(self, terms: Collection[str], texts: Iterable[str], *, counting: bool = False) -> None:
        """``counting``: numbers count double, as what is asked for is one of them."""
        having: Counter[str] = Counter()
        size = 0
        for text in texts:
            having.update(set(text.split()))
            size += 1
        self._weights = {stem: math.log(1 + size / max(count, COMMON)) for stem, count in having.items()}
        self._rare = math.log(1 + size / COMMON)
        self._asked = frozenset(terms)
        self._counting = counting

    def of(self, text: str, most: int) -> str:
        """Return at most ``most`` words of ``text`` in a row, from the start of a clause; "" if it has no words.

        Those with the rarest words are taken, an earlier clause before a later one. Code is left out where there is
        anything else.
        """
        clauses = _telling(list(_clauses(text)))
        windows = ((place, _window(clauses[place:], most)) for place in range(len(clauses)))
        best = max(windows, key=lambda each: self._weight(each[1]) * LATER ** each[0], default=(0, []))[1]
        return " ".join(best)

    def headings(self, text: str, most: int) -> str:
        """Return what a long message is about by its headings, as far as ``most`` words hold them, else its gist.

        Headings such as "Summary" and "Conclusion", which many messages have, are left out.
        """
        found = [
            _NUMBERED.sub("", each.strip(" :*#")).strip(" :*#")
            for each in _HEADING.findall(_CODE.sub(" ", text[:LONGEST]))
        ]
        told, used = [], 0
        weights = {each: self._weight(each.split()) for each in found}
        for heading in sorted(weights, key=lambda each: -weights[each]):
            if weights[heading] >= self._rare and used + count_words(heading) <= most:
                told.append(heading)
                used += count_words(heading)
        return "; ".join(each for each in weights if each in told) if len(told) > 1 else self.of(text, most)

    def weight(self, text: str, most: int) -> float:
        """Return how much the gist of ``text`` says: the sum of its words' weights."""
        return self._weight(self.of(text, most).split())

    def _weight(self, words: Iterable[str]) -> float:
        stems = token_set(" ".join(words))
        return sum(self._weights.get(stem, self._rare) * (ASKED if self._is_asked(stem) else 1) for stem in stems)

    def _is_asked(self, stem: str) -> bool:
        return stem in self._asked or (self._counting and stem[:1].isdecimal())


def _clauses(text: str) -> Iterator[str]:
    prose = _CODE.sub(" ", text[:LONGEST])
    plain = _MARKS.sub(" ", prose if prose.strip() else text[:LONGEST])
    return (clause for each in _CLAUSE.split(plain) if (clause := each.strip()))


def _telling(clauses: list[str]) -> list[list[str]]:
    """Return the words of the clauses that say something: not "can you help me with that?", unless that is all."""
    telling = [each for each in clauses if len(content(each) - _LEADING) > 1]
    language = FUNCTION_WORDS[guess_language(" ".join(clauses[:LOOKED_AT]))]
    return [_trimmed(each.split(), language) for each in telling or clauses]


def _window(clauses: list[list[str]], most: int) -> list[str]:
    """Return the words of as many whole clauses as ``most`` words hold, or a part of the first."""
    words = clauses[0]
    if count_words(" ".join(words)) > most:
        words = words[:most]
        while words and count_words(" ".join(words)) > most:
            words = words[:-1]
        while words and is_function_word(_bare(words[-1])):
            words = words[:-1]
    else:
        for clause in clauses[1:]:
            if count_words(" ".join([*words, *clause])) > most:
                break
            words = [*words, *clause]
    return [*words[:-1], words[-1].rstrip(".,;:")] if words else words


def _trimmed(words: list[str], language: Collection[str]) -> list[str]:
    """Return the words from the first one on that says something, or begins a title."""
    silent = (
        word[:1] not in _OPENING and (bare in language or bare in INTERJECTIONS or bare in _LEADING)
        for word, bare in ((each, _bare(each)) for each in words)
    )
    return words[next((place for place, each in enumerate(silent) if not each), len(words)) :]


def _bare(word: str) -> str:
    return fold(word).strip(".,;:!?\"'()")
