"""Long texts in pieces, cut where people would pause."""

from __future__ import annotations

from collections.abc import Iterator

_ENDS = ("\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", "; ", ", ", " ")
"""Where a text may be cut, from the best place to the worst."""


def split_text(text: str, size: int) -> Iterator[str]:
    """The text in pieces of at most ``size`` characters, cut between paragraphs, sentences or words where it can be."""
    start = 0
    while len(text) - start > size:
        end = _end(text, start, start + size)
        yield text[start:end]
        start = end
    yield text[start:]


def _end(text: str, start: int, most: int) -> int:
    """The best place to end a piece, in the last half of what it may have."""
    low = start + (most - start) // 2
    for mark in _ENDS:
        found = text.rfind(mark, max(start, low - len(mark)), most)
        if found >= 0:
            return found + len(mark)
    return most
