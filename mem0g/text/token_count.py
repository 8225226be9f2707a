"""How many tokens a text has, without a tokenizer."""

from __future__ import annotations

from mem0g.text.scripts import CJK_CHARACTER

TOKENS_PER_WORD = 1.3
"""The usual estimate for English with the tokenizers of current models; a CJK character counts as one word."""

LONGEST_WORD, PIECE = 20, 10
"""Characters of a word that count as one. A longer run without a space (an address, a key, base64) counts as several
words: pieces of ten characters, until at most twenty are left. Ordinary prose has next to none."""


def count_words(text: str) -> int:
    """Words as counted against a budget: by white space, each CJK character on its own.

    A run longer than LONGEST_WORD counts as several, so that a budget of words bounds the characters too.
    """
    found = (text if text.isascii() else CJK_CHARACTER.sub(" x ", text)).split()
    return len(found) + sum(-((LONGEST_WORD - len(word)) // PIECE) for word in found if len(word) > LONGEST_WORD)


def estimate_tokens(text: str) -> int:
    """Words × 1.3, in tokens."""
    return round(count_words(text) * TOKENS_PER_WORD)
