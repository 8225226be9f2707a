"""What statements say: their words, their numbers, and whether they say that something changed or ended.

A search reads hundreds of statements. They are read many at once into columns, and kept for later searches.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, compress, count, islice
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mem0g.retrieve.ranking.name_words import NameWords
from mem0g.retrieve.ranking.proximity import first_of_each
from mem0g.retrieve.ranking.wording import normal_key, stated, wording, wording_of
from mem0g.store.found_columns import Notes
from mem0g.store.in_memory.column import Column
from mem0g.text.languages import (
    AMBIGUOUS,
    CHANGING,
    ENDING,
    FOREIGN,
    SPEAKING,
    guess_language,
    may_revise,
    revisions,
    word_set,
)
from mem0g.text.names import fold, words
from mem0g.text.stemming import content

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices

LONGEST = 2000
"""Characters of a statement of which the words are read."""

TOPIC, NUMBER, TERM, CONTENT, NAME = 1, 2, 4, 8, 16
"""What a word of a statement may be: of its topic, one of its numbers, one of its terms, one of its content words, a
part of the name of who says it.

Terms are its content words without the name of who says it, and without those of its questions. The topic has no
numbers and no words that say that something changed, but the words of the question that it follows."""

CHANGES, ENDS = 1, 2
"""What a statement may say: that something changed, that something ended."""

MOST_BYTES = 3 << 25
"""What is kept of statements, 100 MB: enough for 150,000 facts of 15 words each, or 50,000 passages of 100 words."""

STATEMENT, WORD = 400, 150
"""Bytes that a statement takes beside its text and its words, and a word beside where it occurs."""

_NUMBER = re.compile(r"\d+")
_CLAUSE = re.compile(r"[.!?…,;:–—]\s+|\n+| but | aber | pero | mais | maar ")
_AMBIGUOUS, _FOREIGN, _MAY_REVISE = 1, 2, 4

Statement = tuple[str, str, str]
"""A text, who says it (of a fact, its subject), and the text of the question that it follows, "" if none: "It's on the
hook"."""


class Pairs(NamedTuple):
    """Statements and their words: the one at the place ``of`` has the word of this number, of these ``kinds``.

    Arrays of shape (pairs,), in order of ``of``; no two pairs are equal.
    """

    of: Indices
    words: Indices
    kinds: NDArray[np.uint8]


@dataclass(frozen=True)
class Said:
    """What some statements say, as columns.

    ``numbers``: those under which they are kept. ``revising``: CHANGES and ENDS added up, shape (statements,).
    ``pairs``: the words of each.
    """

    numbers: Indices
    revising: NDArray[np.uint8]
    pairs: Pairs
    _readings: Readings

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def words(self) -> Mapping[str, int]:
        """The numbers of all words that were read, of whatever statements."""
        return self._readings.terms

    def followed_by(self, more: Said) -> Said:
        """Return these statements and then others, read by the same Readings."""
        (of, words, kinds), (more_of, more_words, more_kinds) = self.pairs, more.pairs
        every = (of, more_of + len(self)), (words, more_words), (kinds, more_kinds)
        return Said(
            np.concatenate((self.numbers, more.numbers)),
            np.concatenate((self.revising, more.revising)),
            Pairs(np.concatenate(every[0]), np.concatenate(every[1]), np.concatenate(every[2])),
            more._readings,
        )

    def words_of(self, places: Indices) -> tuple[Indices, Indices]:
        """Return the content words of the statements at these places, each after the place of its own among them."""
        of, words, kinds = self.pairs
        chosen = kinds & CONTENT > 0
        ends = np.cumsum(np.bincount(of[chosen], minlength=len(self)))
        having, at = ranges(ends, places)
        return having, words[chosen][at]

    def having(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Return which statements have one of these content words, given as stems, shape (statements,)."""
        of, found, kinds = self.pairs
        wanted = [self.words[each] for each in words if each in self.words]
        return np.bincount(of[np.isin(found, wanted) & (kinds & CONTENT > 0)], minlength=len(self)) > 0

    def noted(self, name: str, find: Callable[[str], int]) -> Indices:
        """Return what ``find`` finds in each statement by its text alone, shape (statements,); kept under its name."""
        return self.noted_at_once(name, partial(map, find))

    def noted_at_once(self, name: str, find: Callable[[Sequence[str]], Iterable[int]]) -> Indices:
        """Return the same, where ``find`` takes many texts at once."""
        statements, numbers = self._readings.statements, self.numbers
        return self._readings.notes.at(numbers).get(
            name, lambda places: find([statements[number][0] for number in numbers[places].tolist()])
        )

    def ended(self, place: int) -> Sequence[Sequence[int]]:
        """Return the content words of each clause of a statement that says that something ended, by their numbers.

        The words that say so are left out.
        """
        return self._readings.ended.get(int(self.numbers[place]), ())

    def is_own(self, place: int) -> bool:
        """Whether a statement is in the first person."""
        text = self._readings.statements[self.numbers[place]][0]
        return not SPEAKING.isdisjoint(word_set(_stated(text[:LONGEST])))


@dataclass(frozen=True)
class Wordings:
    """What messages show by their texts and speakers alone, whatever is asked.

    ``flags``: ASKS to WITHIN added up (see mem0g.retrieve.ranking.wording), shape (messages,).
    ``normals``: the numbers of their normal texts, equal for a question and its echo. ``sizes``: their words, up to
    LONGEST characters.
    """

    flags: NDArray[np.int32]
    normals: NDArray[np.int32]
    sizes: NDArray[np.int32]


def current_readings() -> Readings:
    """Return what this process has read so far, for one search; nothing of it once too much is kept."""
    global _readings
    if _readings.size_in_bytes > MOST_BYTES:
        _readings = Readings()
    return _readings


class Readings:
    """Statements read so far, as columns that only grow; threads may read at once.

    Words have the same numbers in all that was read by one of these; ``version`` is an object of its own for each.
    """

    def __init__(self) -> None:
        self.terms: defaultdict[str, int] = defaultdict(count().__next__)
        self.version = object()
        self._normals: defaultdict[str | bytes, int] = defaultdict(count().__next__)
        self.ended: dict[int, tuple[list[int], ...]] = {}
        self.statements: list[Statement] = []
        self._numbers: dict[Statement, int] = {}
        self._words = _Words(self.terms)
        self._revising, self._ends = Column(np.uint8), Column(np.int64)
        self._flat, self._kinds = Column(np.int32), Column(np.uint8)
        self._wordings = Column(np.int32, 3)
        self.notes, self.names = Notes(), NameWords()
        self._characters = 0
        self._lock = Lock()

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated, about; the texts are counted even if a store keeps them, too."""
        columns = (self._revising, self._ends, self._flat, self._kinds, self._wordings, self.notes)
        words = len(self.terms) + len(self._normals) + self._words.size
        every = STATEMENT * len(self.statements) + self._characters + WORD * words
        return every + self.names.size_in_bytes + sum(each.nbytes for each in columns)

    def read(self, statements: Sequence[Statement]) -> Said:
        """Return what statements say; it is kept for later searches."""
        return self.said(np.array(self.numbers_of(statements), dtype=np.int64))

    def numbers_of(self, statements: Sequence[Statement]) -> list[int]:
        """Return the numbers under which statements are kept; new ones are read."""
        with self._lock:
            if new := [each for each in dict.fromkeys(statements) if each not in self._numbers]:
                self._add(new)
            return list(map(self._numbers.__getitem__, statements))

    def said(self, numbers: Indices) -> Said:
        """Return what the statements of these numbers say."""
        with self._lock:
            of, at = ranges(self._ends.values, numbers)
            pairs = Pairs(of, self._flat.values[at], self._kinds.values[at])
            return Said(numbers, self._revising.values[numbers], pairs, self)

    def wordings(self, said: Said, asked: str) -> tuple[Wordings, int]:
        """Return the wordings of messages, and the number of the normal text of ``asked``."""
        with self._lock:
            return self._wordings_of(said), self._normals[normal_key(asked)]

    def _wordings_of(self, said: Said) -> Wordings:
        """Return the wordings of messages."""
        held, numbers = self._wordings.values, said.numbers
        if (new := np.flatnonzero(held[numbers, 0] < 0)).size:
            of, _, kinds = said.pairs
            sizes = np.bincount(of[kinds & TERM > 0], minlength=len(said)).tolist()
            for place in new.tolist():
                text, speaker, _ = self.statements[numbers[place]]
                flags = wording_of(text, sizes[place]) if len(text) <= LONGEST else wording(text, speaker)
                held[numbers[place]] = flags, self._normals[normal_key(text)], len(text[:LONGEST].split())
        return Wordings(held[numbers, 0], held[numbers, 1], held[numbers, 2])

    def _add(self, new: Sequence[Statement]) -> None:
        """Read new statements: those whose words tell all of it many at once, then the others."""
        plain = [each for each in new if _is_plain(each[0])]
        read, english, simple = self._words.read([words(text.lower()) for text, _, _ in plain])
        pairs = _without_names(read, [speaker for _, speaker, _ in plain], self.terms)
        asked = [
            (place, self.terms[word])
            for place, (_, _, question) in enumerate(plain)
            for word in (content(question) if question else ())
        ]
        if asked:
            of, their = np.array(asked, dtype=np.int64).T
            kinds = np.full(len(asked), TOPIC, dtype=np.uint8)
            pairs = Pairs(
                np.concatenate((pairs.of, of)),
                np.concatenate((pairs.words, their)),
                np.concatenate((pairs.kinds, kinds)),
            )
        for place in np.flatnonzero(~simple).tolist():
            text = plain[place][0]
            simple[place] = not any(revisions(fold(text))) and (english[place] or guess_language(text) == "english")
        chosen, renumbered = simple[pairs.of], np.cumsum(simple) - 1
        pairs = Pairs(renumbered[pairs.of[chosen]], pairs.words[chosen], pairs.kinds[chosen])
        self._append(list(compress(plain, simple.tolist())), _each_once(pairs, len(self.terms)))
        for each in new:
            if each not in self._numbers:
                self._append_one(each)

    def _append(self, statements: Sequence[Statement], pairs: Pairs) -> None:
        """Add statements that revise nothing."""
        first = len(self._flat)
        self._numbers.update(zip(statements, count(len(self._numbers)), strict=False))
        self.statements += statements
        self._characters += sum(len(text) + len(question) for text, _, question in statements)
        self._ends.append(first + np.cumsum(np.bincount(pairs.of, minlength=len(statements))))
        self._flat.append(pairs.words)
        self._kinds.append(pairs.kinds)
        self._revising.append(np.zeros(len(statements), dtype=np.uint8))
        self._wordings.append(np.full((len(statements), 3), -1))

    def _append_one(self, statement: Statement) -> None:
        """Add any statement."""
        message, speaker, question = statement
        shown = message[:LONGEST]
        text, names = fold(_stated(shown)), content(speaker)
        changes, ends = revisions(text)
        language = guess_language(shown) if changes or ends else None  # a part of it may not show it
        terms = content(shown if _stated(shown) is shown else text) - names
        topic = content(CHANGING.sub(" ", text), language) - names if changes else terms
        kinds = dict.fromkeys(_NUMBER.findall(text), NUMBER)
        every = ((terms, TERM), (filter(_has_no_number, topic), TOPIC), (content(message), CONTENT), (names, NAME))
        for found, kind in (*every, (content(question) if question else (), TOPIC)):
            for word in found:
                kinds[word] = kinds.get(word, 0) | kind
        words = np.fromiter(map(self.terms.__getitem__, kinds), np.int64, len(kinds))
        number, of = len(self._numbers), np.zeros(len(kinds), dtype=np.int64)
        self._append([statement], Pairs(of, words, np.array([*kinds.values()], dtype=np.uint8)))
        clauses = [each for each in _CLAUSE.split(text) if ENDING.search(each)] if ends else ()
        if clauses:
            parts = (content(ENDING.sub(" ", each), language) - names for each in clauses)
            self.ended[number] = tuple([self.terms[word] for word in each] for each in parts)
        self._revising.values[number] = CHANGES * changes + ENDS * bool(clauses)


class _Words:
    """The words of plain texts, with what each is wherever it stands."""

    def __init__(self, terms: defaultdict[str, int]) -> None:
        self._all_terms = terms
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._flags, self._ends = Column(np.uint8), Column(np.int64)
        self._terms, self._kinds = Column(np.int32), Column(np.uint8)

    @property
    def size(self) -> int:
        """Number of different words."""
        return len(self._numbers)

    def read(self, texts: Sequence[Sequence[str]]) -> tuple[Pairs, NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the pairs of texts, which are English, and which of these surely revise nothing.

        ``texts``: the words of each in lower case. A word that a text has twice is in two pairs.
        """
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        flat = np.fromiter(map(self._numbers.__getitem__, chain.from_iterable(texts)), np.int64, int(sizes.sum()))
        self._add(list(islice(self._numbers, len(self._flags), None)))
        of, flags = np.repeat(np.arange(len(texts)), sizes), self._flags.values[flat]
        ambiguous, foreign, revising = (
            np.bincount(of[flags & flag > 0], minlength=len(texts)) > 0 for flag in (_AMBIGUOUS, _FOREIGN, _MAY_REVISE)
        )
        having, at = ranges(self._ends.values, flat)
        english = ~(ambiguous & foreign)
        return Pairs(of[having], self._terms.values[at], self._kinds.values[at]), english, english & ~revising

    def _add(self, new: Sequence[str]) -> None:
        for word in new:
            kinds = _kinds_of(word)
            self._terms.append([self._all_terms[each] for each in kinds])
            self._kinds.append(list(kinds.values()))
            self._ends.append([len(self._terms)])
            language = _AMBIGUOUS * (word in AMBIGUOUS) + _FOREIGN * (word in FOREIGN)
            self._flags.append([language + _MAY_REVISE * bool(may_revise(word))])


def _kinds_of(word: str) -> dict[str, int]:
    """Return the stem of a word of ASCII letters and digits, unless it is a function word, and the numbers in it."""
    kinds = dict.fromkeys(_NUMBER.findall(word), NUMBER)
    for stem in content(word, "english"):
        kinds[stem] = kinds.get(stem, 0) | TERM | CONTENT | TOPIC * _has_no_number(stem)
    return kinds


def _has_no_number(word: str) -> bool:
    return not _NUMBER.search(word)


def _is_plain(text: str) -> bool:
    """Whether the words of a text can be read one by one, if it is English and revises nothing."""
    return text.isascii() and "?" not in text and "'" not in text and len(text) <= LONGEST


def _stated(message: str) -> str:
    return message if message.isascii() and "?" not in message else stated(message)


def _each_once(pairs: Pairs, size: int) -> Pairs:
    """Return pairs in order, those of a statement and one of ``size`` words as one, with the kinds of all."""
    if not len(pairs.of):
        return pairs
    keys = pairs.of * size + pairs.words
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(first_of_each(keys))
    return Pairs(*np.divmod(keys[starts], size), np.bitwise_or.reduceat(pairs.kinds[order], starts))


def _without_names(pairs: Pairs, speakers: Sequence[str], terms: Mapping[str, int]) -> Pairs:
    """Return the pairs of statements, the names of their speakers as content words alone."""
    numbers = dict(zip(dict.fromkeys(speakers), count()))
    names = [(number, terms[name]) for who, number in numbers.items() for name in content(who) if name in terms]
    if not names:
        return pairs
    size, of = len(terms), np.fromiter(map(numbers.__getitem__, speakers), np.int64, len(speakers))
    named = np.isin(of[pairs.of] * size + pairs.words, [who * size + name for who, name in names])
    return pairs._replace(kinds=np.where(named, pairs.kinds & (NUMBER | CONTENT) | NAME, pairs.kinds))


def ranges(ends: Indices, rows: Indices) -> tuple[Indices, Indices]:
    """Return the places of what some rows have, row by row, each after the place of its row among ``rows``.

    What the row n has stands in one array from ``ends[n - 1]`` to ``ends[n]``.
    """
    last = ends[rows]
    sizes = last - np.where(rows > 0, ends[rows - 1], 0)
    firsts = np.repeat(last - np.cumsum(sizes), sizes)
    return np.repeat(np.arange(len(rows)), sizes), np.arange(len(firsts)) + firsts


_readings = Readings()
