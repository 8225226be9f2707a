"""Characters that control a terminal, turn the direction of writing, or are not seen at all."""

from __future__ import annotations

import re

HOSTILE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and newline, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides and isolates of writing direction
    "\u2028\u2029"  # separators of lines and paragraphs
    "\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # of no width, but for joiners, which scripts need
    "\U000e0000-\U000e007f"  # tags, which repeat ASCII without being seen
    "\ud800-\udfff"  # halves of surrogates, as of file names that are not UTF-8
    "]"
)

_BREAKS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SOFT_HYPHEN = "\xad"


def visible_text(text: str) -> str:
    """Return the text without what cannot be seen in it, each break of a line as a newline.

    What is pasted from web pages and exported by messengers has such marks in the middle of names and around numbers;
    tags can hide orders to a model.
    """
    if text.isprintable():
        return text
    return HOSTILE.sub("", _BREAKS.sub("\n", text)).replace(_SOFT_HYPHEN, "")
