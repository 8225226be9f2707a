"""A question as retrieval sees it: whom it names, its stems, its vectors, its dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mem0g.embed.protocol import Embedder
from mem0g.lexical import STOP_WORDS, tokens
from mem0g.model import Entity, Scope
from mem0g.names import fold
from mem0g.retrieve.dates import NamedDate, named_dates
from mem0g.store.protocol import Store

if TYPE_CHECKING:
    from mem0g.model import Vector

LONGEST_NAME_WORDS = 5
"""Words in a name looked for in a question."""

MOST_WORDS = 400
"""Words of a question looked at for names; whoever pastes a page names its people early."""

_WORD = re.compile(r"[^\W_]+(?:[-'.&][^\W_]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")


@dataclass(frozen=True, slots=True)
class Question:
    """``vectors`` are of the question as asked, and with the names in it cut out so that the rest of it speaks."""

    text: str
    anchors: tuple[Entity, ...]
    terms: tuple[str, ...]
    dates: tuple[NamedDate, ...]
    vectors: tuple[Vector, Vector]


def read_question(text: str, scope: Scope, store: Store, embedder: Embedder) -> Question:
    """Find the entities that ``text`` names and embed it: one look-up in the store, one pass of the embedder."""
    anchors = store.match_names(scope, sorted(possible_names(text)))
    rest = _without(text, anchors)
    whole, nameless = embedder.embed([text, rest or text])
    return Question(text, anchors, tuple(tokens(text)), named_dates(text), (whole, nameless))


def possible_names(text: str) -> set[str]:
    """Every run of up to five words, folded, without a possessive's end: the names that ``text`` may hold."""
    words = [fold(word).removesuffix("'s") for word in _WORD.findall(text.replace("’", "'"))[:MOST_WORDS]]
    found = {
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(start + LONGEST_NAME_WORDS, len(words)) + 1)
    }
    for run in _CJK.findall(fold(text))[:MOST_WORDS]:
        found |= {run[a:b] for a in range(len(run)) for b in range(a + 1, min(a + 12, len(run)) + 1)}
    return {name for name in found if name not in STOP_WORDS and len(name) > 1}


def _without(text: str, anchors: tuple[Entity, ...]) -> str:
    """``text`` with the names of ``anchors`` cut out, if words of its own are left."""
    names = sorted({name for anchor in anchors for name in anchor.names}, key=len, reverse=True)
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", text, flags=re.IGNORECASE)
    rest = " ".join(text.split())
    return rest if tokens(rest) else ""
