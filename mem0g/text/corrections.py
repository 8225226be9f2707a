"""Whether a text corrects what was just said, denies something, or tells how it used to be.

In English, German, Spanish, French and Dutch.
"""

from __future__ import annotations

import re
from typing import Final

from mem0g.text.names import fold
from mem0g.text.remembering import remembered

_OVER: Final = re.compile(r"\bno longer\b|\bnot\b.{1,80}\bany ?(?:more|longer)\b")

LOOKED_AT = 2000
"""Characters of a text that are read; a correction shows in the first BEGINNING."""

BEGINNING = 200

_CORRECTING: Final = re.compile(
    r"(?:no|nope|nah|oops|ups|correction|edit|sorry(?! (?:to|for|about|i|that)\b)|nein|nee|nö|quatsch|korrektur|perdón"
    r"|non|pardon)\b"
    r"|.*\b(?:i meant?|meant to (?:say|write|put)|(?:ignore|scratch|forget|strike) (?:that|this|it)|never ?mind"
    r"|(?:got|had|read|wrote|said) (?:that|it|this) wrong"
    r"|(?:the )?wrong (?:one|line|way|day|date|week|month|time|number)|misread|mistyped?|typo|i was wrong"
    r"|my (?:bad|mistake)|not \S+ but"
    r"|ich meinte?|meinte ich|verguckt|vertan|verlesen|verschrieben|vertippt|verwechselt|geirrt|stimmt (?:doch )?nicht"
    r"|quise decir|me equivoqué|je voulais dire|je me suis trompée?|ik bedoelde|vergist)\b",
    re.DOTALL,
)
_DENYING: Final = re.compile(
    r"\b(?:not|never|no|nope|none|nicht|kein\w*|nie|nein|nee|nunca|jamais|ne|niet|geen|nooit)\b|n't\b"
    r"|\b(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)nt\b"
)
_PAST: Final = re.compile(
    r"\b(?:used to|formerly|back (?:then|in the day)|in the past|früher|damals|einst|antes|solía|autrefois|à l'époque"
    r"|vroeger|destijds)\b"
)


@remembered
def corrects(text: str) -> bool:
    """Return whether ``text`` says that what was just said is wrong: "No, the 3rd", "ignore that, it's 18.10"."""
    return _CORRECTING.match(_plain(text[:BEGINNING]).lstrip(" *\"'([")) is not None


def denies(text: str) -> bool:
    """Return whether ``text`` has a negation: "I told him no", "imran didnt get in"."""
    return _DENYING.search(_plain(text[:LOOKED_AT])) is not None


def tells_of_past(text: str) -> bool:
    """Return whether ``text`` tells how it used to be: "I used to live in Paris"."""
    return _PAST.search(_plain(text[:LOOKED_AT])) is not None


def is_over(text: str) -> bool:
    """Return whether ``text`` tells that something is so no longer: "Ann does not live in Rome any more"."""
    return _OVER.search(_plain(text[:LOOKED_AT])) is not None


def _plain(text: str) -> str:
    return fold(text).replace("’", "'")
