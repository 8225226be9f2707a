"""The gist of a message in a few words of its own, for a line of a time line."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
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

_NEGATIONS = {
    "english": frozenset("not no nor never without cannot".split()),
    "german": frozenset("nicht nie kein keine keinen keinem keiner keines ohne gegen".split()),
    "spanish": frozenset("no nada ni nunca sin contra".split()),
    "french": frozenset("ne n'est pas plus sans ni".split()),
    "dutch": frozenset("niet geen nooit zonder tegen".split()),
}
"""Words that turn a statement round: none of them is cut off its beginning."""
_CONDITIONS = {
    "english": frozenset(("if", "unless", "until")),
    "german": frozenset(("wenn", "falls")),
    "spanish": frozenset(("si",)),
    "french": frozenset(("si",)),
    "dutch": frozenset(("als",)),
}
"""Words with which a condition begins, where they begin a clause: not so in "I wonder if"."""
_AUXILIARIES = frozenset("am is are was were be been do does did has have had will would can could should".split())
_MODALS = frozenset("would could should".split())
_ALSO_BEFORE = frozenset("and but so because that then".split())
"""Words that may stand before a condition or its subject within a clause."""
_PAST = frozenset("was were had".split())
"""Words that say that something is over, where they follow their subject: "I was vegetarian for three years"."""
_SUBJECTS = frozenset("i we he she it they this that there".split())
_BEING = frozenset("i'm we're he's she's they're am is are was were".split())
_PLACES = frozenset("in at on from off out over under above below near with after before until against".split())
"""Words that say where or when somebody is: "I'm in Brussels today"."""
_UNSURE = frozenset("sure certain only just".split())
"""What may follow "not" where it turns nothing round: "I'm not sure how to …", "not only …"."""

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
        self._words = _Stems()

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
            stems = self._stems_of(words) - known
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
        return sum(map(self._stem, self._stems_of(words)))

    def _stems_of(self, words: Iterable[str]) -> frozenset[str]:
        return frozenset(chain.from_iterable(map(self._words.__getitem__, words)))

    def _stem(self, stem: str) -> float:
        return self._weights.get(stem, self._rare) * (ASKED if self._is_asked(stem) else 1)

    def _is_asked(self, stem: str) -> bool:
        return stem in self._asked or (self._counting and stem[:1].isdecimal())


class _Stems(dict[str, frozenset[str]]):
    """The stems of words, looked up once each: the parts of texts that are weighed have most words in common."""

    def __missing__(self, word: str) -> frozenset[str]:
        self[word] = found = token_set(word)
        return found


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
    begins, condition = True, ""
    for each in _CLAUSE.split(plain):
        if clause := f"{condition} {each.strip()}".strip():
            condition = clause if not condition and _is_condition(clause) else ""
            if condition:
                continue
            yield clause, begins
            begins = not clause.endswith(",")
    if condition:
        yield condition, begins


def _is_condition(clause: str) -> bool:
    """Whether a clause is the first half of "If it rains, we stay": without it the other half says something else."""
    return clause.endswith(",") and any(_bare(clause.split()[0]) in words for words in _CONDITIONS.values())


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
    """Return the words from the first one on that says something, or begins a title.

    What turns the rest round, or makes it a mere thought, is not cut off: "not a morning person", "I'd kill for a
    holiday", "If it rains".
    """
    bare = [*map(_bare, words)]
    start = next((place for place in range(len(words)) if not _is_silent(words, bare, place, language)), len(words))
    negates = start < len(words) and bare[start] in _NEGATIONS[language]
    return words[start - 1 :] if negates and start and bare[start - 1] in _AUXILIARIES else words[start:]


def _is_silent(words: list[str], bare: list[str], place: int, language: str) -> bool:
    word = bare[place]
    if words[place][:1] in _OPENING or _matters(bare, place, language):
        return False
    known = word in FUNCTION_WORDS[language] or word in _LEADING
    return known or (word in INTERJECTIONS and is_function_word(word, language))


def _matters(bare: list[str], place: int, language: str) -> bool:
    """Whether the words after this function word say something else without it."""
    word = bare[place]
    before = bare[place - 1] if place else ""
    after = bare[place + 1] if place + 1 < len(bare) else ""
    if word in _NEGATIONS[language]:
        return after not in _UNSURE and after != ""
    if word in _CONDITIONS[language]:
        return not before or before in _ALSO_BEFORE
    if word in _MODALS:
        return after != "like" and (before in _SUBJECTS or (not before and after in ("i", "we")))
    if word in _PAST:
        return before in _SUBJECTS and after not in _LEADING
    if word in ("i'd", "we'd"):
        return after != "like"
    return word in _PLACES and before in _BEING


def _bare(word: str) -> str:
    return fold(word).strip(".,;:!?\"'()")
