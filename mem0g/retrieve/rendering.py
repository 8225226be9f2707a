"""Facts and messages as lines of text for a prompt."""

from __future__ import annotations

import re

from mem0g.model import Fact, Message
from mem0g.text.scripts import CJK
from mem0g.text.stemming import tokens as stems
from mem0g.text.token_count import LONGEST_WORD, PIECE

LONGEST_TURN = 80
"""Words of a message that are quoted; of a longer one, those around the first word asked for."""

_LETTER = f"[^\\s{CJK}]"
_PIECE = re.compile(rf"[{CJK}]|{_LETTER}{{1,{LONGEST_WORD}}}(?!{_LETTER})|{_LETTER}{{1,{PIECE}}}")
"""A word as mem0g.text.token_count.count_words counts them."""
_ARTICLES = re.compile(r"\b(?:a|an|the)\s+(?=[a-z])")
_QUOTED = re.compile(r'("[^"]*"|“[^“”]*”)')


def sentence(fact: Fact) -> str:
    """The fact's sentence for a line under its subject's name: without the subject, dated, marked if retired."""
    text, subject = one_line(fact.text), one_line(fact.subject)
    told = _QUOTED.split(text.removeprefix(subject).strip() if text.startswith(subject + " ") else text)
    short = "".join(part if place % 2 else _ARTICLES.sub("", part) for place, part in enumerate(told))
    return short + _when(fact, said=True)


def phrase(fact: Fact) -> str:
    """Relation, object and date: what is left of a fact where room is short."""
    if fact.subject_id == fact.object_id:  # an alias: its name is in the sentence alone
        return sentence(fact)
    return f"{fact.relation.replace('_', ' ').lower()} {one_more(fact)}"


def one_more(fact: Fact) -> str:
    """Object and date: what another fact of the same subject and relation adds to a line."""
    return f"{one_line(fact.object)}{_when(fact, said=False)}"


def turn(message: Message, terms: tuple[str, ...]) -> str:
    """Who said it, when, and the words; of long ones those around the first of ``terms``."""
    day = f", {message.time.date().isoformat()}" if message.time else ""
    return f"{one_line(message.speaker)}{day}: {_excerpt(one_line(message.text), terms)}"


def one_line(text: str) -> str:
    """``text`` with its line breaks and other white space as single spaces: no text makes a line of its own."""
    return " ".join(text.split())


def _when(fact: Fact, *, said: bool) -> str:
    """The dates that the words do not tell: of the event or the state, else when it was said."""
    if not fact.current:
        since = f"{fact.valid_from} to" if fact.valid_from else "until"
        return f" ({since} {fact.valid_to or 'some time'}, no longer)"
    if fact.valid_from:
        told = said and str(fact.valid_from.start.year) in fact.text
        return "" if told else f" ({fact.valid_from})"
    return f" (said {fact.said_at.date().isoformat()})" if said and fact.said_at else ""


def _excerpt(text: str, terms: tuple[str, ...]) -> str:
    spans = [match.span() for match in _PIECE.finditer(text)]
    if len(spans) <= LONGEST_TURN:
        return text
    wanted = {term for term in terms if len(term) > 1} or set(terms)  # one Chinese character is in many words
    # At least two characters: the stems of Chinese, Japanese and Korean are pairs.
    found = (place for place, (a, b) in enumerate(spans) if wanted.intersection(stems(text[a : max(b, a + 2)])))
    start = max(0, min(next(found, 0) - LONGEST_TURN // 4, len(spans) - LONGEST_TURN))
    last = start + LONGEST_TURN - 1
    cut = text[spans[start][0] : spans[last][1]]
    return ("… " if start else "") + cut + ("" if last + 1 == len(spans) else " …")
