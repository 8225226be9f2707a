"""What a message shows by its text and speaker alone: whether it asks, and whether it states anything."""

from __future__ import annotations

import re
from functools import lru_cache

from mem0g.text.asking import begins_asking, beside_unmarked, ends_asking
from mem0g.text.languages import FIRST_PERSON, asks, wishes, word_set
from mem0g.text.names import fold
from mem0g.text.names import words as words_of
from mem0g.text.stemming import content

BESIDE_A_QUESTION = 3
"""Content words that a message needs beside its question to state something: fewer lead up to the question."""

SHORT = 60
"""Characters up to which a reply may only put off."""

ASKS, STATES, SAYS, WISHING, MARKED, WITHIN = 1, 2, 4, 8, 16, 32
"""What a message may do: end with a question, state anything, state it with enough words to do so by itself, wish, end
with a question mark, and state all that it states within that question: "The party is on Sunday, right?"."""

_PUTS_OFF = re.compile(
    r"(?:(?:ok|okay|sure|yes|yeah|hm+|good question)\W+)*(?:i'?ll|i will|i can|let me|will|gonna|i'm gonna) "
    r"(?:ask|check|see|look|find out|let (?:you|u) know|get back|do|try|think|google|text|call)"
    r"(?: (?:it|that|this|you|u|him|her|them|around|up|into it|about it|to you|again|later|now|tomorrow|first)){0,3}\W*"
)
"""A reply, folded, that only says that its writer will see: "I'll ask", "let me check that first"."""

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|(?<=[。！？])|\n+")
_CLAUSE_END = re.compile(r"[,;:–—]\s+|\s[-–—]\s")


@lru_cache(maxsize=4096)
def stated(text: str) -> str:
    """Return ``text`` without its questions. The first clauses of one stay: "The move is on Friday, who can help?"."""
    sentences = _SENTENCE_END.split(text)
    kept = (" ".join(_CLAUSE_END.split(each)[:-1]) if asks(each) else each for each in sentences)
    return " ".join(each for each in kept if each)


def _beside(text: str) -> str:
    """Return the sentences of ``text`` that do not ask, and what one states before a question of its own.

    As in "Ole is vegan, can they do that?", not in "The party is on Sunday, right?".
    """
    kept: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        *before, last = _CLAUSE_END.split(sentence) if asks(sentence) else (sentence, "")
        if before and (not last or begins_asking(last)):
            kept += before
    return " ".join(kept)


def normal(text: str) -> str:
    """Return the words of ``text``, folded, without marks and emoji: equal for a question and its echo."""
    return " ".join(words_of(text.lower() if text.isascii() else fold(text)))


def wording(text: str, speaker: str) -> int:
    """Return what a message does: ASKS to WITHIN, added up."""
    found = content(text if text.isascii() and "?" not in text else stated(text))
    said = len(found) - len(found & content(speaker))
    return wording_of(text, said)


def wording_of(text: str, said: int) -> int:
    """Return the same of a message that states ``said`` content words beside its speaker's name."""
    asking = ends_asking(text)
    if len(text) <= SHORT and _PUTS_OFF.fullmatch(fold(text)):
        said, says = 0, False
    elif asking:
        said = said if asks(text) else len(content(beside_unmarked(text) or ""))
        says = said >= BESIDE_A_QUESTION
    else:
        says = said > 1 or (said == 1 and not FIRST_PERSON.isdisjoint(word_set(text)))
    marked = text.rstrip().endswith("?")
    within = marked and len(content(_beside(text))) < BESIDE_A_QUESTION
    return (
        ASKS * asking + STATES * (said > 0) + SAYS * says + WISHING * wishes(text) + MARKED * marked + WITHIN * within
    )
