"""What statements say: their words, their numbers, and whether they say that something changed or ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from types import MappingProxyType

from mem0g.retrieve.ranking.statements import stated
from mem0g.text.languages import CHANGING, ENDING, SPEAKING, guess_language, may_revise, revisions, word_set
from mem0g.text.names import fold, words
from mem0g.text.stemming import are_english, content

LONGEST = 2000
"""Characters of a message that are read."""

TOPIC, NUMBER, TERM = 1, 2, 4
"""What a word of a statement may be: of its topic, one of its numbers, one of its terms; see ``Said``."""

_NUMBER = re.compile(r"\d+")
_NO_SETS: Mapping[int, frozenset[str]] = MappingProxyType({})
_CLAUSE = re.compile(r"[.!?…,;:–—]\s+|\n+| but | aber | pero | mais | maar ")


class Said:
    """What a message says: its words, numbers, and what it says of a change.

    ``question`` is the text of the question it follows, "" if none: "It's on the hook" is about the key asked for.
    ``of_speaker``: whether it is about a speaker though nobody says "I" in it, as a fact does.

    ``words``: its words and numbers, each once; ``kinds``: what each is, TERM, TOPIC and NUMBER added up. ``changes``:
    whether it says that something changed; ``ended``: the content words of each clause that says that something ended,
    without the words that say so; ``revises``: whether it says either.

    It is kept in two flat sequences, as a search reads hundreds of messages and keeps thousands.
    """

    __slots__ = ("_of_speaker", "_sets", "_stated", "changes", "ended", "kinds", "revises", "words")

    def __init__(self, message: str, speaker: str, question: str = "", of_speaker: bool = False) -> None:
        message = message[:LONGEST]
        plain = message.isascii() and "?" not in message
        self._stated = message if plain else stated(message)
        self._of_speaker, self._sets = of_speaker, _NO_SETS
        self.changes = False
        self.ended: tuple[frozenset[str], ...] = ()
        written = words(message.lower()) if plain and "'" not in message else []
        if written and are_english(written) and not any(map(may_revise, written)):
            kinds = _kinds_written(written, speaker)
        else:
            text, names = fold(self._stated), content(speaker)
            self.changes, ends = revisions(text)
            language = guess_language(message) if self.changes or ends else None  # a part of it may not show it
            terms = content(message if plain else text) - names
            topic = content(CHANGING.sub(" ", text), language) - names if self.changes else terms
            kinds = _kinds_read(text, terms, topic)
            clauses = _CLAUSE.split(text) if ends else ()
            parts = (content(ENDING.sub(" ", each), language) for each in clauses if ENDING.search(each))
            self.ended = tuple(each - names for each in parts)
        self.revises = self.changes or bool(self.ended)
        for word in content(question) if question else ():
            kinds[word] = kinds.get(word, 0) | TOPIC
        self.words, self.kinds = tuple(kinds), bytes(kinds.values())

    @property
    def terms(self) -> frozenset[str]:
        """Its content words without the speaker's name."""
        return self._of_kind(TERM)

    @property
    def topic(self) -> frozenset[str]:
        """Its content words without numbers, and those of the question it follows."""
        return self._of_kind(TOPIC)

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return self._of_kind(NUMBER)

    @property
    def own(self) -> bool:
        """Whether it is in the first person."""
        return self._of_speaker or not SPEAKING.isdisjoint(word_set(self._stated))

    def _of_kind(self, kind: int) -> frozenset[str]:
        """Return the words of a kind; kept, as a search asks for those of the best messages again and again."""
        if kind not in self._sets:
            found = frozenset([word for word, its in zip(self.words, self.kinds, strict=True) if its & kind])
            self._sets = {**self._sets, kind: found}
        return self._sets[kind]


read = lru_cache(maxsize=32768)(Said)
"""Read a message: a ``Said`` of its text, speaker and question, kept for later searches."""


def _kinds_read(text: str, terms: Iterable[str], topic: Iterable[str]) -> dict[str, int]:
    """Return the words and numbers of a folded text with their kinds, given its terms and the words of its topic."""
    kinds = dict.fromkeys(_NUMBER.findall(text), NUMBER)
    for word in terms:
        kinds[word] = kinds.get(word, 0) | TERM
    for word in topic:
        if not _NUMBER.search(word):
            kinds[word] = kinds.get(word, 0) | TOPIC
    return kinds


def _kinds_written(written: Iterable[str], speaker: str) -> dict[str, int]:
    """Return the same for the words of an English text in ASCII that changes nothing, in less time."""
    found = list(chain.from_iterable(map(_kinds_of, written)))
    kinds = dict(found)
    if len(kinds) < len(found):
        for word, kind in found:
            kinds[word] |= kind
    for name in content(speaker):
        if name in kinds:
            kinds[name] &= NUMBER
    return kinds


@lru_cache(maxsize=65536)
def _kinds_of(word: str) -> tuple[tuple[str, int], ...]:
    """Return the stem of a word of ASCII letters and digits, unless it is a function word, and the numbers in it."""
    kinds = dict.fromkeys(_NUMBER.findall(word), NUMBER)
    for stem in content(word, "english"):
        kinds[stem] = kinds.get(stem, 0) | TERM | TOPIC * (not _NUMBER.search(stem))
    return tuple(kinds.items())
