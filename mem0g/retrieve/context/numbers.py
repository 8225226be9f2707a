"""Numbers of one attribute together: for a question that counts or sums, what users said with a number about it.

The words around a number are short: "completed 10 classification problems", "accuracy improved from 70% to 90%". Those
that share most with the question stand below each other, in order of time, dated, so that they can be added up or
compared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from mem0g.model import Context, Hit, Message
from mem0g.retrieve.context.filler import is_filler
from mem0g.retrieve.context.quoting import said_by
from mem0g.retrieve.context.secrets import keeps_secret
from mem0g.retrieve.context.timeline import order_of
from mem0g.text.code import without_code
from mem0g.text.english import NUMBERS
from mem0g.text.stemming import token_set
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

HEADING = "Numbers:"
"""What stands above them."""

REACH, BESIDE = 10, 3
"""Words from a number within which words of the question are about it, and words shown before and after these."""

MAX_CHARACTERS = 4000
"""Characters of a message that are read."""

ALIKE = 0.6
"""Share of the weight of the words that the best shares with the question that others of the group share with it."""

FEWEST = 2
"""Numbers that make a group: one alone is compared with nothing."""

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_NUMBER = re.compile(
    rf"[(\"'“]?[$€£¥]?(?:\d+(?:[.,]\d+)*(?:st|nd|rd|th|[a-z%€]{{0,3}})|{'|'.join(NUMBERS[2:])})[.,;:!?)\"'”]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A number in a message: the words around it, and which of the question's are among them."""

    hit: Hit
    message: Message
    text: str
    shared: frozenset[str]


def numbers(hits: Iterable[Hit], terms: Collection[str], tokens: int, question: str = "") -> Context:
    """Return what users said with numbers about ``terms``, stems of a question, as lines of at most ``tokens``.

    Empty where less than two numbers are about it.
    """
    said = {hit.message.id: (hit, hit.message) for hit in hits if hit.message and hit.message.role == "user"}
    asked = frozenset(terms)
    mentions = [
        _Mention(hit, message, *each)
        for hit, message in said.values()
        if not is_filler(message) and not keeps_secret(message.text, question)
        for each in _mentions(message.text, asked)
    ]
    having = Counter(word for each in mentions for word in each.shared)
    weights = {word: math.log(1 + len(mentions) / count) for word, count in having.items()}
    scores = [sum(weights[word] for word in sorted(each.shared)) for each in mentions]
    least = ALIKE * max(scores, default=0.0)
    best = [place for place, score in enumerate(scores) if score and score >= least]
    lines: dict[str, list[_Mention]] = {}
    left = tokens - count_words(HEADING) * TOKENS_PER_WORD
    for place in sorted(best, key=lambda place: -scores[place]):
        mention = mentions[place]
        line = f"{said_by(mention.message)} {mention.text}"
        cost = 0 if line in lines else count_words(line) * TOKENS_PER_WORD
        if cost <= left:
            lines.setdefault(line, []).append(mention)
            left -= cost
    if len(lines) < FEWEST:
        return Context("", (), 0)
    ordered = sorted(lines, key=lambda line: order_of(lines[line][0].message))
    text = "\n".join([HEADING, *(f"  {line}" for line in ordered)])
    found = {mention.message.id: mention.hit for line in ordered for mention in lines[line]}
    return Context(text, tuple(found.values()), math.ceil(count_words(text) * TOKENS_PER_WORD))


def _mentions(text: str, asked: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the words around each number of a text and the words ``asked`` among them; those that overlap as one."""
    for sentence in _SENTENCE_END.split(without_code(text[:MAX_CHARACTERS])):
        words = sentence.split()
        places = [place for place, word in enumerate(words) if _NUMBER.fullmatch(word)]
        if not places:
            continue
        stems = [token_set(word) & asked for word in words]
        until = -1
        for place in places:
            near = [n for n in range(max(until + 1, place - REACH), min(len(words), place + REACH + 1)) if stems[n]]
            if place <= until or not near:
                continue
            first, last = max(until + 1, min(place, *near) - BESIDE), max(place, *near) + BESIDE
            while last + 1 in places:  # "by April 5" is not cut before the day
                last += 1
            until = last
            yield " ".join(words[first : last + 1]).strip(" ,.;:"), frozenset().union(*(stems[n] for n in near))
