"""Messages as lines of a context: speaker, day and words, without greetings and mere questions around these."""

from __future__ import annotations

import re

from mem0g.model import Message, Passage
from mem0g.retrieve.context.excerpts import LONGEST, excerpt, laid_out
from mem0g.retrieve.context.filler import telling
from mem0g.retrieve.context.rendering import one_line
from mem0g.text.code import blocks
from mem0g.text.invisible import visible_text
from mem0g.text.scripts import CJK
from mem0g.text.stemming import tokens
from mem0g.text.token_count import MAX_WORD, PIECE, count_words

LONGEST_TURN = 80
"""Words of a message that are quoted; of a longer one, those around the first word asked for."""

_LETTER = f"[^\\s{CJK}]"
_PIECE = re.compile(rf"[{CJK}]|{_LETTER}{{1,{MAX_WORD}}}(?!{_LETTER})|{_LETTER}{{1,{PIECE}}}")
"""A word as mem0g.text.token_count.count_words counts them."""


def said_by(message: Message) -> str:
    """Return what stands before the words of a message: speaker and day."""
    day = f", {message.local_time.date().isoformat()}" if message.local_time else ""
    return f"{one_line(message.speaker)}{day}:"


def quotation(message: Message, terms: tuple[str, ...], passage: Passage | None = None) -> str:
    """Return what is quoted of a message: its text, of a long one the part around the first of ``terms``.

    Of a ``passage``, the sentences and lines of code with most of ``terms``, after its heading; so of a message with
    code, of which each line stays a line.
    """
    if passage:
        quoted = excerpt(passage.text_in(message), passage.heading, frozenset(terms))
    elif next(blocks(message.text), None) is None:
        return _excerpt(telling(one_line(message.text)), terms, LONGEST_TURN)
    elif count_words(message.text) <= LONGEST_TURN:
        quoted = laid_out(message.text)
    else:
        quoted = excerpt(message.text, "", frozenset(terms), LONGEST_TURN)
    quoted = visible_text(quoted)
    return quoted if count_words(quoted) <= LONGEST_TURN else _excerpt(one_line(quoted), terms, LONGEST)


def shortened(text: str, terms: tuple[str, ...], longest: int) -> str:
    """Return the part of ``text`` with most of ``terms``, of at most ``longest`` words with its marks of omission."""
    quoted = one_line(excerpt(text, "", frozenset(terms), max(longest - 2, 1)))
    return quoted if count_words(quoted) <= longest else _excerpt(quoted, terms, max(longest - 2, 1))


def _excerpt(text: str, terms: tuple[str, ...], longest: int) -> str:
    spans = [match.span() for match in _PIECE.finditer(text)]
    if len(spans) <= longest:
        return text
    wanted = {term for term in terms if len(term) > 1} or set(terms)  # one Chinese character is in many words
    # At least two characters: the stems of Chinese, Japanese and Korean are pairs.
    found = (place for place, (a, b) in enumerate(spans) if wanted.intersection(tokens(text[a : max(b, a + 2)])))
    start = max(0, min(next(found, 0) - longest // 4, len(spans) - longest))
    last = start + longest - 1
    cut = text[spans[start][0] : spans[last][1]]
    return ("… " if start else "") + cut + ("" if last + 1 == len(spans) else " …")
