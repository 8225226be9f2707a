"""What a message shows by its text and speaker alone: whether it asks, and whether it states anything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from itertools import islice

from mem0g.text.asking import begins_asking, beside_unmarked, ends_asking
from mem0g.text.languages import FIRST_PERSON, asks, wishes, word_set
from mem0g.text.names import fold, lowered
from mem0g.text.names import words as words_of
from mem0g.text.remembering import remembered
from mem0g.text.stemming import content

BESIDE_A_QUESTION = 3
"""Content words that a message needs beside its question to state something: fewer lead up to the question."""

SHORT = 60
"""Characters up to which a reply may only put off."""

DIGEST = 32

ASKS, STATES, SAYS, WISHING, MARKED, WITHIN = 1, 2, 4, 8, 16, 32
"""What a message may do: end with a question, state anything, state it with enough words to do so by itself, wish, end
with a question mark, and state all that it states within that question: "The party is on Sunday, right?"."""

_PUTS_OFF = re.compile(
    r"(?:(?:ok|okay|sure|yes|yeah|hm+|good question)\W+)*(?:i'?ll|i will|i can|let me|will|gonna|i'm gonna) "
    r"(?:ask|check|see|look|find out|let (?:you|u) know|get back|do|try|think|google|text|call)"
    r"(?: (?:it|that|this|you|u|him|her|them|around|up|into it|about it|to you|again|later|now|tomorrow|first)){0,3}\W*"
)
"""A reply, folded, that only says that its writer will see: "I'll ask", "let me check that first"."""

UNKNOWING = 300
"""Characters up to which a reply may only say that its writer was not told what was asked."""

_NOTES = r"(?:information|info|records?|details|mention|memory|memories)\b"
_SORRY = re.compile(
    r"(?:(?:i'?m sorry|i'?m afraid|sorry|unfortunately|hm+|leider|tut mir leid)\W+(?:but |that |aber )?)*"
)
_KNOWS_NOTHING = re.compile(
    r"(?:you (?:haven'?t|have not|didn'?t|did not|never) (?:yet |actually )?(?:told|tell|mention|share|said|say|specif)"
    r"|(?:i (?:(?:don'?t|do not|can'?t|cannot|couldn'?t) (?:have|see|find|recall)|(?:have|find|found|see) no)"
    rf"|there (?:isn'?t|is not|is no))\b.{{0,40}}\b{_NOTES}"
    r"|i (?:don'?t|do not) know (?:(?:that|this|yet)\W*$|your\b"
    r"|(?:who|what|when|where|which|how|if|whether)\b.{0,60}\byour?\b)"
    r"|(?:das weiss ich|dazu weiss ich|das habe ich) (?:leider )?(?:noch )?(?:nicht|nichts)\b"
    r"|(?:dazu habe ich|ich habe) (?:leider )?(?:dazu )?(?:noch )?keine (?:information|info|angabe|notiz)"
    r"|du hast (?:mir )?(?:das )?(?:noch |bisher |leider )*(?:nicht|nie) (?:gesagt|erwähnt|erzählt|verraten))"
)
"""The beginning of a clause that says so, folded."""

_WHO_KNOWS_NOTHING = ("you ", "i ", "there ", "das ", "dazu ", "ich ", "du ")
"""The words with which it begins."""

_OFFERS = re.compile(
    r"(?:but |so |if you )?(?:feel free|let me know|just (?:tell|let)|tell me|please|once you|(?:could|would|can) you"
    r"|(?:wer|wann|wo|wie|welche[rsmn]?|ob|was (?:du|er|sie|es|dein\w*|dir|dich))\b"
    r"|i'?ll|i can|happy to|(?:you )?(?:tell|share|let|give|like|want|remind|provide)|sag mir|wenn du)\b"
)
"""The beginning of one that offers to note it once it is told, or, in German, says after a comma what was not told."""

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|(?<=[。！？])|\n+")
_CLAUSE_END = re.compile(r"[,;:–—]\s+|\s[-–—]\s")


@remembered
def stated(text: str) -> str:
    """Return ``text`` without its questions. The first clauses of one stay: "The move is on Friday, who can help?"."""
    sentences = _SENTENCE_END.split(text)
    kept = (" ".join(_CLAUSE_END.split(each)[:-1]) if asks(each) else each for each in sentences)
    return " ".join(each for each in kept if each)


def _tells_nothing(text: str) -> bool:
    """Whether a short text only puts off, or only says that its writer was not told, with offers and questions."""
    folded = fold(text) if len(text) <= UNKNOWING else ""
    if len(text) <= SHORT and _PUTS_OFF.fullmatch(folded):
        return True
    sorry = _SORRY.match(folded)
    told = folded[sorry.end() :] if sorry else folded
    if not told.startswith(_WHO_KNOWS_NOTHING):  # so it is of most texts
        return False
    sentences = _SENTENCE_END.split(told)
    first, *rest = [clause for each in sentences for clause in _CLAUSE_END.split(each)]
    return _KNOWS_NOTHING.match(first) is not None and all(
        asks(each) or _OFFERS.match(each) or _KNOWS_NOTHING.match(each) for each in rest
    )


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
    return " ".join(words_of(lowered(text)))


def normal_key(text: str) -> str | bytes:
    """Return what is equal for texts of the same normal form: that, or of a longer one a digest of DIGEST bytes."""
    form = normal(text)
    return form if len(form) <= DIGEST else blake2b(form.encode(errors="surrogatepass"), digest_size=DIGEST).digest()


def wording(text: str, speaker: str) -> int:
    """Return what a message does: ASKS to WITHIN, added up."""
    found = content(text if text.isascii() and "?" not in text else stated(text))
    said = len(found) - len(found & content(speaker))
    return wording_of(text, said)


def wording_of(text: str, said: int) -> int:
    """Return the same of a message that states ``said`` content words beside its speaker's name."""
    asking = ends_asking(text)
    if _tells_nothing(text):
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


def is_full_of_questions(texts: Sequence[str], limit: int) -> bool:
    """Whether ``limit`` messages and more were found, and fewer than half as many of them state anything."""
    if len(texts) < limit:
        return False
    stating = (each for each in texts if not ends_asking(each) or wording(each, "") & SAYS)
    enough = -(-limit // 2)  # mostly found among the first of them
    return sum(1 for _ in islice(stating, enough)) < enough
