"""Short quotations of passages: the sentences and lines of code with most of the words asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mem0g.text.code import blocks, identifier_words
from mem0g.text.stemming import tokens
from mem0g.text.token_count import count_words

LONGEST = 30
"""Words of a passage that are quoted. With 80 half as many messages fit a context; their words are hardly fewer."""

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!^\d\.)(?<!^\d\d\.)\s+|(?<=[。！？])|(?<=[;,:])\s+(?=(?:and|but|so|which|because) )"
)


_LINE_MARK = re.compile(r"^[ \t]*(?:(?:#{1,6}|[-*+•>])[ \t]+)+|^[ \t]*(?:-{3,}|\*{3,})[ \t]*$")
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_END = ";"
"""What stands between two lines that are quoted as one, after one that ends in a word."""

_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, or a line of code, which is quoted on a line of its own."""

    text: str
    words: int
    asked: frozenset[str]
    code: bool


def excerpt(text: str, heading: str, terms: frozenset[str], longest: int = LONGEST) -> str:
    """Return the part of ``text`` with most of ``terms``, of at most ``longest`` words, below its heading.

    ``terms`` are stems, or several with a space between, which stand in this order in what has them. Names in camel
    case have the stems of their words as well.

    Prose is put on one line; lines of code stay as they are, each indented by four more spaces, so that no text starts
    a line of its own. A sentence of more than ``longest`` words comes alone, to be cut by the caller.
    """
    pieces = list(_pieces(text, terms))
    if not pieces:
        return ""
    start, end = _best(pieces, longest)
    quoted = _joined(pieces[start:end]).removesuffix(_END)
    title = _plain(" ".join(heading.split())).rstrip(" :;")
    if (
        title
        and title not in quoted
        and sum(piece.words for piece in pieces[start:end]) + count_words(title) <= longest
    ):
        quoted = f"{title}: {quoted}"
    return ("… " if start else "") + quoted + (" …" if end < len(pieces) else "")


def _pieces(text: str, terms: frozenset[str]) -> Iterator[_Piece]:
    code = list(blocks(text))
    end = 0
    for start, stop in (*code, (len(text), len(text))):
        for line in text[end:start].splitlines():
            for sentence in _SENTENCE_END.split(_plain(line)):
                yield from _piece(" ".join(sentence.split()), terms, code=False)
        for line in text[start:stop].splitlines():
            if not _FENCE.match(line):
                yield from _piece(line.rstrip(), terms, code=True)
        end = stop


def _plain(line: str) -> str:
    """Return a line of prose without the marks of headings, lists and bold words, and with an end."""
    text = _BOLD.sub(r"\1", _LINE_MARK.sub("", line)).strip()
    return text + _END if text[-1:].isalnum() or text[-1:] in {")", "%", '"', "`"} else text


def _piece(text: str, terms: frozenset[str], *, code: bool) -> Iterator[_Piece]:
    if text.strip():
        stems = tokens(text)
        asked = terms.intersection((*stems, *tokens(" ".join(identifier_words(text)))))
        in_order = f" {' '.join(stems)} "
        phrases = (each for each in terms if " " in each and f" {each} " in in_order)
        yield _Piece(text, count_words(text), asked.union(phrases), code)


def _best(pieces: Sequence[_Piece], longest: int) -> tuple[int, int]:
    """Return the first and the end of the pieces in a row with most of the terms.

    Of equal ones, those that begin with a piece that has any, and of these the first.
    """
    best, place = (-1, False), (0, 1)
    for start in range(len(pieces)):
        words, asked, end = pieces[start].words, pieces[start].asked, start + 1
        while end < len(pieces) and words + pieces[end].words <= longest:
            words, asked, end = words + pieces[end].words, asked | pieces[end].asked, end + 1
        if (len(asked), bool(pieces[start].asked)) > best:
            best, place = (len(asked), bool(pieces[start].asked)), (start, end)
    return place


def _joined(pieces: Sequence[_Piece]) -> str:
    parts: list[str] = []
    for number, piece in enumerate(pieces):
        beside_code = number and (piece.code or pieces[number - 1].code)
        parts += ["\n" + "    " if beside_code else " " if number else "", piece.text]
    return "".join(parts)
