"""Distinguish messages and passages that state something from those that ask, acknowledge or quote a tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from mem0g.store.candidates import MessageCandidate, Turns
from mem0g.text.languages import FIRST_PERSON, asks, word_set
from mem0g.text.names import fold
from mem0g.text.names import words as words_of
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


def normal(text: str) -> str:
    """Return the words of ``text``, folded, without marks and emoji: equal for a question and its echo."""
    return " ".join(words_of(text.lower() if text.isascii() else fold(text)))


class Wording:
    """What a message shows by its text and speaker alone, whatever is asked.

    ``normal`` is its text for comparison (see ``normal``). ``asks``: whether it ends with a question; ``states``:
    whether it states anything, and ``says`` whether with enough words to do so by itself.
    """

    __slots__ = ("asks", "normal", "says", "states")

    def __init__(self, text: str, speaker: str) -> None:
        words = content(text if text.isascii() and "?" not in text else stated(text))
        said = len(words) - len(words & content(speaker))
        self.normal = normal(text)
        self.asks = asks(text)
        self.states = said > 0
        if self.asks:
            self.says = said >= BESIDE_A_QUESTION
        else:
            self.says = said > 1 or (said == 1 and not FIRST_PERSON.isdisjoint(word_set(text)))


wording = lru_cache(maxsize=16384)(Wording)
"""The ``Wording`` of a text and its speaker, kept for later searches."""


class Statements:
    """Which of some messages state something; see ``stating``.

    ``turns`` place the messages in their conversations. ``follows`` is the place of the nearest question that a message
    follows closely, by the place of the message; ``answered`` has those of somebody else, which it may answer.
    """

    def __init__(self, messages: Sequence[MessageCandidate], turns: Turns) -> None:
        self._messages = [each.message for each in messages]
        self._wordings = [wording(each.text, each.message.speaker) for each in messages]
        self.follows = self._follows(turns)
        self.answered = {
            place: asking
            for place, asking in self.follows.items()
            if self._messages[asking].speaker != self._messages[place].speaker
        }

    def stating(self, question: str) -> list[bool]:
        """Return for each message whether it states something.

        It does not if it only asks, echoes ``question``, acknowledges, or is the output of a tool. A few words count if
        they are in the first person, or right after a question that they may answer.
        """
        asked = normal(question)
        repeated = Counter(each.normal for each in self._wordings)
        return [
            (each.says or (each.states and place in self.answered))
            and self._messages[place].role != "tool"
            and not (each.asks and each.normal == asked)
            and repeated[each.normal] < FORMULA
            for place, each in enumerate(self._wordings)
        ]

    def _follows(self, turns: Turns) -> dict[int, int]:
        turn_of = dict(zip(turns.ids, range(len(turns.ids)), strict=True))
        at = [(turn_of[each.id], place) for place, each in enumerate(self._messages) if each.id in turn_of]
        positions = {(turns.sessions[turn], turns.positions[turn]): place for turn, place in at}
        found: dict[int, int] = {}  # of a message in passages the last one found is in its position: there it asks
        for turn, place in sorted(at):
            if self._wordings[place].asks:
                continue
            session, position = turns.sessions[turn], turns.positions[turn]
            for back in range(1, ANSWERS_WITHIN + 1):
                before = positions.get((session, position - back))
                if before is None:
                    break
                if self._wordings[before].asks:
                    found[place] = before
                    break
                if self._wordings[before].says:
                    break
        return found
