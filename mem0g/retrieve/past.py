"""Whether a question is about the past, so that what is no longer true may answer it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mem0g.retrieve.dates import NamedDate

_CUES = re.compile(
    r"\b(?:before|earlier|until|till|previous(?:ly)?|prior|former(?:ly)?|at first|initially|used to"
    r"|once|in the past|back (?:then|in|when)|ago|history|since when|how long|over time|no longer|any ?more"
    r"|stop(?:ped)?|quit|end(?:ed)?|gave up|chang(?:e|ed|es|ing)|switch(?:ed)?)\b",
    re.IGNORECASE,
)
"""Words that ask for what was, how long it was, or what became of it."""


def is_about_the_past(text: str, dates: Sequence[NamedDate]) -> bool:
    """Whether the question asks what was so: by its words, or by naming one of ``dates``.

    "Where did she live before?", "since when", "in May 2023"; not "where does she live", nor "what did she buy": what
    happened stays true.
    """
    return bool(dates) or _CUES.search(text) is not None
