"""Ranges of writing systems, as the inside of a character class of a regular expression."""

from __future__ import annotations

import re
from typing import Final

HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Chinese characters: the unified ideographs, extension A, and the compatibility ideographs."""

CJK: Final = f"\u3040-\u30ff{HAN}\uac00-\ud7af"
"""HAN, Japanese kana and Korean syllables: most of this text has no spaces between words."""

CJK_CHARACTER: Final = re.compile(f"[{CJK}]")
CJK_RUN: Final = re.compile(f"[{CJK}]+")
