"""Splitting long texts at the ends of paragraphs, sentences or words."""

from __future__ import annotations

from collections.abc import Iterator

_SEPARATORS = ("\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", "; ", ", ", " ")
"""Separators after which a text may be cut, best first."""


def split_text(text: str, size: int) -> Iterator[str]:
    """Yield the text in pieces of at most ``size`` characters, cut after paragraphs, sentences or words if possible."""
    start = 0
    while len(text) - start > size:
        end = _end(text, start, start + size)
        yield text[start:end]
        start = end
    yield text[start:]


def _end(text: str, start: int, limit: int) -> int:
    """Return the best end of a piece in the second half of its allowed length."""
    low = start + (limit - start) // 2
    for separator in _SEPARATORS:
        found = text.rfind(separator, max(start, low - len(separator)), limit)
        if found >= 0:
            return found + len(separator)
    return limit
