"""The gist of a message in a few words of its own, for a line of a time line."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

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

LATER, WITHIN = 0.9, 0.9
"""What a part of a message counts for against the part before it, as what comes first is what it is about; and what one
counts for that begins within a sentence, as it often lacks its subject."""

AGAIN, MOST_AGAIN = 0.85, 6
"""What a word of a reply counts for with each line of a page that has it, and the number of lines after which it loses
no more: many replies have steps and tips in common."""

LEAST, SHORT = 0.8, 0.7
"""The share of a rare word's weight that a heading or a point of a list has to say, and the power of the number of its
words by which its weight is divided: of short ones more fit. With points, and fewer words for replies than for their
requests, a summary on six chats of BEAM has 4 points more of the answers' words within 2000 tokens, and as much of the
evidence."""

SPARE = 2
"""Words by which a gist may be longer where that ends its clause: "… using" says less than "… using Redis 7.0"."""

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_FORMULA = re.compile(r"\\\[(?:(?!\\\[).)*?\\\]|\\\((?:(?!\\\().)*?\\\)|\$\$.*?\$\$", re.DOTALL)
"""Formulas in LaTeX, which say little when they are cut."""
_HEADING = re.compile(r"^#{1,6}[ \t]+(.{3,80})$", re.MULTILINE)
_LEAD = re.compile(r"^[ \t]*(?:[-*+•][ \t]+|\d{1,2}[.)][ \t]+)?\*\*(.{3,80}?)\*\*", re.MULTILINE)
"""Bold words at the start of a line or a list item: "1. **Plan the beds**: …"."""
_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|[-*+•>]|\d{1,2}[.)])[ \t]+|\*\*|__|`|\|", re.MULTILINE)
_NAME = re.compile(r"`[^`]*`")
"""A heading that is a name in code, such as that of a file: what it is of is not told."""
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
        """Return about ``most`` words of ``text`` in a row, from the start of a clause; "" if it has no words.

        At most SPARE words more, where these end the clause.
        Those with the rarest words are taken, an earlier clause before a later one. Code is left out where there is
        anything else.
        """
        return self._best(text, most, self._weight)

    def reply(
        self, text: str, most: int, *, said: Collection[str] = (), told: Mapping[str, int] = MappingProxyType({})
    ) -> str:
        """Return what a reply says in about ``most`` words: its headings and bold words of its lists, else its gist.

        Those with the rarest words are taken. Stems that its request ``said`` count for nothing, and those of other
        lines less with each that has ``told`` them.
        """
        known = set(said)

        def weight(words: Iterable[str]) -> float:
            stems = token_set(" ".join(words)) - known
            return sum(self._stem(stem) * AGAIN ** min(told.get(stem, 0), MOST_AGAIN) for stem in stems)

        left = [each for each in _points(text) if self._weight(each[1].split()) >= LEAST * self._rare]
        points: list[tuple[int, str]] = []
        while left := [each for each in left if count_words(each[1]) <= most]:
            values = [weight(point.split()) for _, point in left]
            best = max(range(len(left)), key=lambda number: values[number] / count_words(left[number][1]) ** SHORT)
            points.append(left.pop(best))
            known |= token_set(points[-1][1])
            most -= count_words(points[-1][1])
        return "; ".join(point for _, point in sorted(points)) if points else self._best(text, most, weight)

    def weight(self, text: str, most: int) -> float:
        """Return how much the gist of ``text`` says: the sum of its words' weights."""
        return self._weight(self.of(text, most).split())

    def _best(self, text: str, most: int, weight: Callable[[Iterable[str]], float]) -> str:
        """Return the words in a row from the start of a clause that have the most ``weight``."""
        found = list(_clauses(text))
        language = guess_language(" ".join(each for each, _ in found[:LOOKED_AT]))
        clauses = _telling(found, language)
        windows = [_window(clauses[place:], most, language) for place in range(len(clauses))]
        values = (
            weight(window) * LATER**place * (1.0 if clauses[place].begins else WITHIN)
            for place, window in enumerate(windows)
        )
        return " ".join(max(zip(values, windows, strict=True), key=lambda each: each[0], default=(0.0, []))[1])

    def _weight(self, words: Iterable[str]) -> float:
        return sum(map(self._stem, token_set(" ".join(words))))

    def _stem(self, stem: str) -> float:
        return self._weights.get(stem, self._rare) * (ASKED if self._is_asked(stem) else 1)

    def _is_asked(self, stem: str) -> bool:
        return stem in self._asked or (self._counting and stem[:1].isdecimal())


def _points(text: str) -> list[tuple[int, str]]:
    """Return the headings and the bold words of lists of a text, without numbers and marks, each with its place."""
    prose = _CODE.sub(" ", text[:LONGEST])
    found: dict[str, int] = {}
    for each in (*_HEADING.finditer(prose), *_LEAD.finditer(prose)):
        point = _NUMBERED.sub("", each[1].strip(" :*#")).strip(" :*#")
        if point and not _NAME.fullmatch(point):
            found.setdefault(point, each.start())
    return [(place, point) for point, place in found.items()]


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the clauses of a text, each with whether it begins a sentence."""
    prose = _FORMULA.sub(" ", _CODE.sub(" ", text[:LONGEST]))
    plain = _MARKS.sub(" ", prose if prose.strip() else text[:LONGEST])
    begins = True
    for each in _CLAUSE.split(plain):
        if clause := each.strip():
            yield clause, begins
            begins = not clause.endswith(",")


class _Clause(NamedTuple):
    """The words of a clause, and whether it begins a sentence."""

    words: list[str]
    begins: bool


def _telling(clauses: list[tuple[str, bool]], language: str) -> list[_Clause]:
    """Return the words of the clauses that say something: not "can you help me with that?", unless that is all."""
    telling = [each for each in clauses if len(content(each[0], language) - _LEADING) > 1]
    return [_Clause(_trimmed(each.split(), language), begins) for each, begins in telling or clauses]


def _window(clauses: list[_Clause], most: int, language: str) -> list[str]:
    """Return the words of as many whole clauses as ``most`` words hold, or a part of the first if it is long."""
    words = clauses[0].words
    if count_words(" ".join(words)) > most + SPARE:
        words = words[:most]
        while words and count_words(" ".join(words)) > most:
            words = words[:-1]
        while words and is_function_word(_bare(words[-1]), language):
            words = words[:-1]
    else:
        for clause in clauses[1:]:
            if count_words(" ".join([*words, *clause.words])) > most:
                break
            words = [*words, *clause.words]
    return [*words[:-1], words[-1].rstrip(".,;:")] if words else words


def _trimmed(words: list[str], language: str) -> list[str]:
    """Return the words from the first one on that says something, or begins a title."""
    silent = (
        word[:1] not in _OPENING
        and (
            bare in FUNCTION_WORDS[language]
            or bare in _LEADING
            or (bare in INTERJECTIONS and is_function_word(bare, language))
        )
        for word, bare in ((each, _bare(each)) for each in words)
    )
    return words[next((place for place, each in enumerate(silent) if not each), len(words)) :]


def _bare(word: str) -> str:
    return fold(word).strip(".,;:!?\"'()")
