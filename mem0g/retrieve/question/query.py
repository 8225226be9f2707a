"""Read a question: the entities and dates it names, its stems and its vectors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from mem0g.embed import understands
from mem0g.embed.protocol import MINILM, Embedder, Thresholds, thresholds_of
from mem0g.errors import QueryError
from mem0g.model import Entity, Scope
from mem0g.retrieve.question.kinds import Overview, read_overview
from mem0g.retrieve.question.temporal_intent import NamedDate, named_dates
from mem0g.store.protocol import Store
from mem0g.text.english import STOP_WORDS
from mem0g.text.identifiers import identifier_terms
from mem0g.text.names import fold
from mem0g.text.scripts import CJK, CJK_RUN
from mem0g.text.stemming import tokens

if TYPE_CHECKING:
    from mem0g.model import Vector

MAX_NAME_WORDS = 8
"""Words in a name looked for in a question: of 1,757 names of an encyclopaedia 20 have more than four, none nine."""

MAX_WORDS = 400
"""Words of a question that are searched for names; a pasted page names its people early."""

MAX_CHARACTERS = 2000
"""Characters of a question that are searched for Chinese, Japanese and Korean names, which no spaces delimit."""

MAX_CJK_NAME = 12
"""Characters of a Chinese, Japanese or Korean name."""

_JOINING = "-'.&"
"""Marks that belong to a name when inside it: O'Brien, Jean-Luc, J.K. Rowling, AT&T."""

_MARKS = " \"'“”‘’«»?!,;:()[]"
"""Marks around a name that are no part of it; a full stop may be part of it: Apple Inc., S.H.I.E.L.D."""

_ASCII_APART = re.compile(r"[^A-Za-z0-9\-'.&]")
_APART = re.compile(r"[-'.&]{2,}")
_BESIDE = re.compile(rf"[^\W{CJK}]")
"""A character that would make a name beside it part of a longer word; not so in Chinese, Japanese and Korean. Compiled
once: within the pattern of each name it took 20 ms a name."""


_SUBJECT = re.compile(
    r"\b((?i:do|does|did|is|are|was|were|has|have|had|will|would|can|could|should|might)) "
    r"[A-Z][\w-]+(?: and [A-Z][\w-]+)?(?= [a-z])|(?<= )[A-Z][\w-]+['’]s\b"
)
"""A name, or two, that is the subject of an English question, and one in the possessive."""


_OCCUPATION = re.compile(r"\bdo for (?:(?:a|his|her|their|my|your|our) living|work)\b", re.IGNORECASE)
"""What asks for somebody's profession: not for where they live, nor where they work."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what retrieval reads from it.

    ``anchors``: the entities it names. ``terms``: its stems, in order; ``identifiers``: further
    terms of identifiers in it (see ``identifier_terms``). ``dates``: the dates it names. ``vectors``: of
    the question as asked, and without the names in it. ``rest``: the question without those names, "" where nothing is
    left. ``understood``: whether the embedder knows the script it is written in; if not, the vectors are ignored.
    ``embedder``: the name of the embedder that made the vectors; ``thresholds``: its cosines. ``overview``: what it
    asks for if it is about the whole of a conversation; terms and vectors are then those of its topic. ``as_of``: the
    time as of which it is asked, None for now.
    """

    text: str
    anchors: tuple[Entity, ...]
    terms: tuple[str, ...]
    dates: tuple[NamedDate, ...]
    vectors: tuple[Vector, Vector]
    rest: str = ""
    understood: bool = True
    embedder: str | None = None
    thresholds: Thresholds = MINILM
    overview: Overview | None = None
    identifiers: tuple[str, ...] = ()
    as_of: datetime | None = None

    @property
    def searched(self) -> tuple[str, ...]:
        """All terms by which texts are found and quoted."""
        return (*self.terms, *self.identifiers)


def read_question(text: str, scope: Scope, store: Store, embedder: Embedder) -> Question:
    """Find the entities that ``text`` names and embed it: one lookup in the store, one pass of the embedder.

    Raises QueryError for an empty question.
    """
    if not text.strip():
        raise QueryError("the question is empty", hint="ask something, in words")
    name = embedder.name  # before embedding: if a FollowingEmbedder changes meanwhile, the store refuses the vectors
    anchors = store.match_names(scope, sorted(possible_names(text)))
    overview = read_overview(text)
    asked = _OCCUPATION.sub("have as a profession", overview.topic if overview and overview.topic else text)
    rest = _without_names(asked, anchors)
    whole, nameless = embedder.embed([asked, _without_subjects(rest) or asked])
    return Question(
        text,
        anchors,
        tuple(tokens(asked)),
        named_dates(text),
        (whole, nameless),
        rest,
        understands(name, text),
        name,
        thresholds_of(embedder),
        overview,
        identifier_terms(asked),
    )


def possible_names(text: str) -> set[str]:
    """Return the names that ``text`` may hold, folded: every run of up to eight words.

    Each once as words alone, without the marks between them and a possessive ending, and once as written.
    """
    folded = fold(text)
    found = {
        name for spaced in {folded, CJK_RUN.sub(" ", folded)} for name in _runs(_words(spaced), MAX_NAME_WORDS, " ")
    }
    found |= _as_written(folded.split()[:MAX_WORDS])
    for run in CJK_RUN.findall(folded[:MAX_CHARACTERS]):
        found |= _runs(run, MAX_CJK_NAME, "")
    return {name for name in found if name not in STOP_WORDS and len(name) > 1}


def _words(folded: str) -> list[str]:
    """Return the words of a folded text, without the marks around them and a possessive ending."""
    if folded.isascii():
        kept = _ASCII_APART.sub(" ", folded)
    else:
        kept = "".join(char if char in _JOINING or unicodedata.category(char)[0] in "LMN" else " " for char in folded)
    stripped = (word.strip(_JOINING).removesuffix("'s") for word in _APART.sub(" ", kept).split())
    return [word for word in stripped if word][:MAX_WORDS]


def _as_written(pieces: Sequence[str]) -> set[str]:
    """Return every run with marks in it, without those around it: "lady windermere's fan", "chieti f.c."."""
    runs = (run.strip(_MARKS) for run in _runs(pieces, MAX_NAME_WORDS, " "))
    marked = {run.removesuffix("'s") for run in runs if not run.replace(" ", "").isalnum()}
    return {name for run in marked for name in (run.strip(), run.rstrip(". ")) if name}


def _runs(parts: Sequence[str], longest: int, between: str) -> set[str]:
    """Return every run of up to ``longest`` parts, joined."""
    ends = range(1, longest + 1)
    return {between.join(parts[start : start + length]) for start in range(len(parts)) for length in ends}


def masked_names(text: str, anchors: Sequence[Entity]) -> str:
    """Return ``text`` with an "x" for each name of ``anchors``: the grammar stays, the words within names go."""
    return _with_names_as(text, anchors, "x")


def _without_names(text: str, anchors: tuple[Entity, ...]) -> str:
    """Return ``text`` without the names of ``anchors``, "" where no word is left."""
    rest = " ".join(_with_names_as(text, anchors, " ", possessive=True).split())
    return rest if tokens(rest) else ""


def _without_subjects(rest: str) -> str:
    """Return ``rest`` without names that its grammar shows: after an auxiliary, and possessive.

    Of messages alone no entity is known, and a message is embedded with its speaker's name: to a question that names
    Ann whatever she said is similar.
    """
    cut = " ".join(_SUBJECT.sub(r"\1 ", rest).split())
    return cut if tokens(cut) else rest


def _with_names_as(text: str, anchors: Sequence[Entity], put: str, *, possessive: bool = False) -> str:
    """Return ``text`` with ``put`` for each name of ``anchors``; with ``possessive`` for "Ann's" as for "Ann".

    A name stays where it is part of a longer word. Names that are not in the text are left out at once, and those in
    ASCII are looked for by hand: compiling a pattern takes longer than all else that is read of a question.
    """
    names = sorted({name for anchor in anchors for name in anchor.names}, key=len, reverse=True)
    for name in names:
        if name.isascii() and text.isascii():
            text = _with_ascii_name_as(text, name, put, possessive=possessive)
        else:
            pattern = _pattern(re.escape(name) + ("(?:['’]s)?" if possessive else ""))
            text = pattern.sub(lambda found: found[0] if _is_within_word(found) else put, text)
    return text


def _with_ascii_name_as(text: str, name: str, put: str, *, possessive: bool) -> str:
    """Return ``text`` with ``put`` for each ``name`` in any case, both in ASCII; the same as by a pattern."""
    lowered, sought = text.lower(), name.lower()
    pieces, done = [], 0
    at = lowered.find(sought)
    while at >= 0:
        end = at + len(sought)
        end += 2 if possessive and lowered.startswith("'s", end) else 0
        within = _BESIDE.match(text[at - 1 : at]) or _BESIDE.match(text[end : end + 1])
        pieces += [text[done:at], text[at:end] if within else put]
        done = end
        at = lowered.find(sought, end)
    return "".join([*pieces, text[done:]])


@lru_cache(maxsize=4096)
def _pattern(escaped: str) -> re.Pattern[str]:
    return re.compile(escaped, re.IGNORECASE)


def _is_within_word(name: re.Match[str]) -> bool:
    """Whether a name is part of a longer word."""
    before, after = name.string[: name.start()][-1:], name.string[name.end() :][:1]
    return bool(_BESIDE.match(before) or _BESIDE.match(after))
