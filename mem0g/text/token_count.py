"""Estimate of the number of tokens in a text, without a tokenizer."""

from __future__ import annotations

from mem0g.text.scripts import CJK_CHARACTER

TOKENS_PER_WORD = 1.3
"""The usual estimate for English with the tokenizers of current models; a CJK character counts as one word."""

MAX_WORD, PIECE = 20, 10
"""A run without spaces of more than MAX_WORD characters (an address, a key, Base64) counts as several words: pieces
of PIECE characters and a rest of at most MAX_WORD. Ordinary prose has hardly any."""


def count_words(text: str) -> int:
    """Return the number of words, separated by white space; each CJK character is a word of its own.

    A run longer than MAX_WORD counts as several words, so that a budget of words limits the characters too.
    """
    found = (text if text.isascii() else CJK_CHARACTER.sub(" x ", text)).split()
    return len(found) + sum(-((MAX_WORD - len(word)) // PIECE) for word in found if len(word) > MAX_WORD)


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens: words × 1.3."""
    return round(count_words(text) * TOKENS_PER_WORD)
