"""Messages that are no evidence of anything: acknowledgements, greetings, mere questions, the output of tools."""

from __future__ import annotations

import re
from collections.abc import Collection

from mem0g.model import Message
from mem0g.retrieve.context.rendering import counted, details, one_line
from mem0g.text.indirect_questions import asks_indirectly
from mem0g.text.languages import revisions
from mem0g.text.names import fold
from mem0g.text.remembering import remembered
from mem0g.text.stemming import content, token_set
from mem0g.text.token_count import count_words

FEW = 3
"""Words up to which a message, not about the speaker, has to say two things; one of fewer says nothing."""

LONGEST = 12
"""Words up to which a message may be filler because none of them says anything."""

ACKNOWLEDGED = 25
"""Words up to which what begins as an acknowledgement of an assistant only repeats what it was told."""

GREETING = 8
"""Words of a sentence that may be a greeting."""

LONG = 1000
"""Characters from which on a message is taken to tell something."""

_ME = re.compile(r"\b(?:I|I['’]\w+|[Mm]y|[Ww]e|[Oo]ur)\b")
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_QUESTION = re.compile(
    r"\W*(?:(?:and|so|but|ok|okay|also|hey|hi|by the way)\W+)*"
    r"(?:what|when|where|which|who|whose|why|how|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would"
    r"|should|shall|may|any)\b"
)
"""The beginning of a question with a mark, in folded text; one such as "I got a dog, want to see it?" tells as well."""

_ACKNOWLEDGES = re.compile(
    r"\W*(?:(?:ok|okay|great|perfect|sure|alright|thanks|thank you)\W+)*(?:noted\b|got it\b|understood\b|will do\b"
    r"|thanks for (?:telling|sharing|letting)\b|let me (?:think|check|see|look)\b"
    r"|i(?:'ll| will) (?:remember|keep|note|make a note)\b|i(?:'ve| have) (?:noted|saved|added|updated)\b)"
)
"""The beginning of what an assistant says to a mere statement, in folded text."""

_SMALL_TALK = token_set(
    "absolutely agree always amazing awesome babe bet birthday christmas cool crazy cute darling dear definitely "
    "excuse fantastic gosh great guess guys happy hear hope hun incredible know like look luck man mate merry new "
    "really see seem sound stranger super sweet talk think totally true wonderful word wow year"
)
"""Stems of words with which people greet, cheer and agree."""


_ENDED = re.compile(r"(?<=[.!?…]) +(?=\S)")
_GREETS = re.compile(
    r"(?:(?:hey|hi|hello|wow|whoa|woah|yay|aww*|thanks|thank you|congrats|congratulations)\b(?: [a-z]{2,20})?"
    r"|(?:cool|nice|great|awesome|amazing|good (?:morning|evening)|(?:great|good|nice|lovely) to (?:hear|see|chat))\b)"
    r"(?:[ ,!.]+(?:there|for (?:that|sharing|asking)|from you|with you|again|a lot|so much|buddy|mate|man|my friend"
    r"|that's|so|really|very|cool|nice|great|awesome|amazing|to (?:hear|see))\b)*"
    r"(?:, ?[a-z]{2,20})?[ !.…]*$"
)
"""A greeting, thanks or praise alone, in folded text, with the name of who is spoken to."""


def is_filler(message: Message, text: str = "", terms: Collection[str] = ()) -> bool:
    """Whether a message is no evidence: the output of a tool, or a few words such as "Patch applied." or "YES!!".

    ``text``: the words of it that are asked about, if not all. ``terms``: the stems of the question; what shares one
    with it is no filler, nor what says that something ended or changed ("gig's cancelled :(").
    """
    words = one_line(text or message.text)
    if message.role == "tool" or not words:
        return True
    if message.role == "assistant" and _acknowledges(words):
        return True
    return _says_nothing(words) and not token_set(words).intersection(terms)


@remembered
def only_asks(text: str) -> bool:
    """Whether each sentence of a text asks and tells nothing: "Where did I park the car?", "remind me where it is"."""
    if len(text) >= LONG:
        return False
    sentences = [each.strip() for each in _SENTENCE.findall(one_line(text))]
    told = [each for each in sentences if not _is_question(each) and content(each) - _SMALL_TALK]
    return not told and any(map(_is_question, sentences))


def merely_asks(text: str, terms: Collection[str]) -> bool:
    """Whether a text only asks, and brings at most one word that the question's ``terms`` (stems) do not have.

    "Where do I live?" tells nothing; a question about three things says what its author was busy with.
    """
    return only_asks(text) and len(content(text).difference(terms, _SMALL_TALK)) < FEW - 1


@remembered
def telling(text: str) -> str:
    """Return a text on one line from the first sentence to the last that say something: no greeting, no mere question.

    Nothing is left out within, nor where no sentence is left.
    """
    sentences = _ENDED.split(text)
    first = next((place for place, each in enumerate(sentences) if _says(each)), None)
    if first is None:
        return text
    last = next(place for place in reversed(range(len(sentences))) if _says(sentences[place]))
    return " ".join(sentences[first : last + 1])


def _says(sentence: str) -> bool:
    return not _is_question(sentence) and not _greets(sentence)


def _greets(sentence: str) -> bool:
    """Whether a sentence is a greeting, thanks or praise alone: "Hey Jo!", "That's so nice to hear"."""
    return sentence.isascii() and count_words(sentence) <= GREETING and _GREETS.match(fold(sentence)) is not None


def _is_question(sentence: str) -> bool:
    folded = fold(sentence)
    return asks_indirectly(sentence) or (sentence.endswith("?") and _QUESTION.match(folded) is not None)


@remembered
def _acknowledges(words: str) -> bool:
    return count_words(words) <= ACKNOWLEDGED and _ACKNOWLEDGES.match(fold(words)) is not None


@remembered
def _says_nothing(words: str) -> bool:
    size = count_words(words)
    if size > LONGEST or not words.isascii() or details(words) or any(revisions(fold(words))):
        return False
    own = _ME.search(words) is not None
    if size < FEW and not own:
        return True
    least = 2 if size == FEW and not own else 1
    return not counted(words) and len(content(words) - _SMALL_TALK) < least
