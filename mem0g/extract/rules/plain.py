"""Chat spelling made plain: straight quotes, no emoji, contractions written out, so that patterns see one form."""

from __future__ import annotations

import re
from functools import lru_cache

_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\u200d]+|(?<!\\S)[:;]-?[)(DPp](?!\\w)"
)
_LINK = re.compile(r"https?://\S+|www\.\S+")

_HAS = (
    r"(?=\s+(?:always |already |never |just |also |really )?(?:been|got|had|become|gone|taken|made|started|joined)\b)"
)
_WHO = r"(he|she|it|that|there|who|what|here|how|where|everyone|everything|one)"

_SPELLINGS: tuple[tuple[str, str], ...] = (
    (r"\bi\b", "I"),
    (r"\bim\b", "I am"),
    (r"\bive\b", "I have"),
    (r"\bdont\b", "do not"),
    (r"\bcant\b", "can not"),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"\bain't\b", "is not"),
    (r"n't\b", " not"),
    (r"\bI'm\b", "I am"),
    (r"\b(you|we|they|who)'re\b", r"\1 are"),
    (r"\b(I|you|we|they|who)'ve\b", r"\1 have"),
    (r"'ll\b", " will"),
    (rf"\b{_WHO}'s{_HAS}", r"\1 has"),
    (rf"\b{_WHO}'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"\b(I|you|he|she|we|they)'d(?=\s+(?:always |already |never |just )?(?:been|had|better|\w+ed)\b)", r"\1 had"),
    (r"\b(I|you|he|she|we|they)'d\b", r"\1 would"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "have to"),
    (r"(?<!\w)'em\b", "them"),
    (r"(?<!\w)'?(?:cause|cuz|coz)\b(?=\s+(?:I|we|it|he|she|they|my)\b)", "because"),
    (r"\b(?:any more)\b", "anymore"),
    (r"\bin'(?=\s|$)", "ing"),
    (r"\b(\w+in)'(?=\s)", r"\1g"),
    (r"\bfav(?:e|ou?rite)?\b", "favorite"),
    (r"\bcancell?ed\b", "cancelled"),
    (r"\b(?:got|have got|has got) to (?=\w)", "have to "),
    (r"\bwould (?:really |absolutely |just )?(?:love|like) to\b", "want to"),
    (r"\b(learn|learned|learnt|learning) how to\b", r"\1 to"),
    (r"\bI would (?:also )?(?:highly |definitely |totally |strongly |really )?recommend\b", "I recommend"),
)
_TABLE = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in _SPELLINGS)


@lru_cache(maxsize=64)
def plain(text: str) -> str:
    """``text`` with one spelling for each thing: "I'm gonna" is "I am going to"; a line break stays one."""
    text = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').replace("…", "...")
    text = _LINK.sub(" ", _EMOJI.sub(" .\n", text))
    for pattern, spelling in _TABLE:
        text = pattern.sub(spelling, text)
    return re.sub(r"[^\S\n]+", " ", text)
