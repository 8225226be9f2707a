"""How many tokens a text has, without a tokenizer."""

from __future__ import annotations

import re

TOKENS_PER_WORD = 1.3
"""The usual estimate for English with the tokenizers of current models; a CJK character counts as one word."""

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


def words(text: str) -> int:
    """Words as counted against a budget: by white space, each CJK character on its own."""
    return len((text if text.isascii() else CJK.sub(" x ", text)).split())


def estimated(text: str) -> int:
    """Words × 1.3, in tokens."""
    return round(words(text) * TOKENS_PER_WORD)


def at_least(text: str) -> int:
    """Tokens that a text has at least: one for eight characters also where there are no spaces to count words by."""
    return max(estimated(text), len(text) // 8)
