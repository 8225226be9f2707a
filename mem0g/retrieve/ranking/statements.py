"""Distinguish messages and passages that state something from those that ask, acknowledge or quote a tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from mem0g.store.queries import MessageCandidate, Turns
from mem0g.text.languages import FIRST_PERSON, asks, word_set
from mem0g.text.names import fold, words
from mem0g.text.stemming import content

BESIDE_A_QUESTION = 3
"""Content words that a message needs beside its question to state something: fewer lead up to the question."""

FORMULA = 3
"""Messages with the same words from which on these are a formula: "Got it, thanks for telling me!"."""

ANSWERS_WITHIN = 3
"""Messages after a question of which one may answer it."""

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|(?<=[。！？])|\n+")
_CLAUSE_END = re.compile(r"[,;:–—]\s+|\s[-–—]\s")


@lru_cache(maxsize=16384)
def stated(text: str) -> str:
    """Return ``text`` without its questions. The first clauses of one stay: "The move is on Friday, who can help?"."""
    sentences = _SENTENCE_END.split(text)
    kept = (" ".join(_CLAUSE_END.split(each)[:-1]) if asks(each) else each for each in sentences)
    return " ".join(each for each in kept if each)


@lru_cache(maxsize=16384)
def _stated_words(text: str, speaker: str) -> frozenset[str]:
    """Return the content words of what ``text`` states, without the speaker's name."""
    return content(stated(text)) - content(speaker)


@lru_cache(maxsize=16384)
def normal(text: str) -> str:
    """Return the words of ``text``, folded, without marks and emoji: equal for a question and its echo."""
    return " ".join(words(fold(text)))


class Statements:
    """Which of some messages state something; see ``states``.

    ``turns`` place the messages in their conversations. ``follows`` is the place of the nearest question that a message
    follows closely, by the place of the message; ``answered`` has those of somebody else, which it may answer.
    """

    def __init__(self, messages: Sequence[MessageCandidate], turns: Turns) -> None:
        self._messages = [each.message for each in messages]
        self._texts = [each.text for each in messages]
        self._words = [normal(text) for text in self._texts]
        self._repeated = Counter(self._words)
        self._asking = [asks(text) for text in self._texts]
        self.follows = self._follows(turns)
        self.answered = {
            place: asking
            for place, asking in self.follows.items()
            if self._messages[asking].speaker != self._messages[place].speaker
        }

    def states(self, place: int, question: str) -> bool:
        """Whether the message at ``place`` states something.

        It does not if it only asks, echoes ``question``, acknowledges, or is the output of a tool. A few words count if
        they are in the first person, or right after a question that they may answer.
        """
        message = self._messages[place]
        if message.role == "tool" or (self._asking[place] and self._words[place] == normal(question)):
            return False
        if self._repeated[self._words[place]] >= FORMULA:
            return False
        if self._says(place):
            return True
        return place in self.answered and bool(_stated_words(self._texts[place], message.speaker))

    def _says(self, place: int) -> bool:
        """Whether the message at ``place`` has enough words to state something by itself."""
        text = self._texts[place]
        said = len(_stated_words(text, self._messages[place].speaker))
        if self._asking[place]:
            return said >= BESIDE_A_QUESTION
        return said > 1 or (said == 1 and not FIRST_PERSON.isdisjoint(word_set(text)))

    def _follows(self, turns: Turns) -> dict[int, int]:
        ids = zip(turns.ids, turns.sessions, turns.positions, strict=True)
        positions = {id_: (session, position) for id_, session, position in ids}
        at = [(positions[each.id], place) for place, each in enumerate(self._messages) if each.id in positions]
        places = dict(at)  # of a message in passages the last one found, which is where it asks
        found: dict[int, int] = {}
        for (session, position), place in sorted(at):
            for back in range(1, ANSWERS_WITHIN + 1):
                before = places.get((session, position - back))
                if before is None or self._asking[place]:
                    break
                if self._asking[before]:
                    found[place] = before
                    break
                if self._says(before):
                    break
        return found
