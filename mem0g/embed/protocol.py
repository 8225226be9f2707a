"""The embedder protocol, and the cosine thresholds, which depend on the embedder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from mem0g.errors import EmbedderError, InputError

if TYPE_CHECKING:
    from mem0g.model import Matrix


class Embedder(Protocol):
    """Turns texts into unit vectors, always the same vector for the same text."""

    @property
    def name(self) -> str:
        """The name of model and weights. A store filled under one name refuses embedders of another."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of ``texts``, in order: float32, shape (len(texts), dimensions), rows of length 1.

        The shape is (0, dimensions) for no texts. A text longer than the model accepts is truncated.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The cosines from which mem0g treats two texts as alike. The defaults are measured on all-MiniLM-L6-v2.

    All of them are cosine similarities, -1 to 1; a threshold above 1 is never reached. `mem0g doctor
    --calibrate` estimates them for another embedder. ``embedder`` is the name of the embedder that they were measured
    or estimated for, "" if they are part of it.
    """

    same_name: float = 0.95
    """Two names of entities may mean one node, unless their spelling speaks against it.

    On five conversations, 96% of the merged pairs of different names are right at 0.95, 89% at 0.9, 73% at 0.8. The
    quality of the nodes (B³ F1) is the same within 0.1 from 0.9 on, also with any of the five left out, so the strict
    end is used. ``Settings.threshold`` overrides it.
    """

    same_relation: float = 0.92
    """Two names of relations, as words ("lives in"), may be synonyms.

    Among 1,000 relation names of conversations, the most similar wrong pair that no other rule keeps apart has 0.90
    ("favorite dairy free flavor" and "favorite dairy free treat").
    """

    same_sentence: float = 0.85
    """Two sentences about one edge, with times that agree, say the same thing.

    Paraphrases have 0.85 to 1; an additional detail, such as a reason or a partner, lowers the cosine below that.
    """

    restated: float = 0.65
    """Two sentences may say the same thing, whether or not they are about the same edge.

    Of 42 facts that a model judged to be restated, among all facts from 0.5 on, no event was below.
    """

    touching: float = 0.85
    """Two triples of a window that share an entity may conflict. High, as few windows contradict themselves."""

    spread: float = 1.0
    """How far apart the cosines of sentences lie, as a multiple of all-MiniLM-L6-v2's.

    What is shown to a model that decides about conflicts depends on how much more similar a fact is than others.
    """

    anchor: float = 0.5
    """A search for a question that names no entity starts at an entity with this similarity to it."""

    instruction: float = 0.15
    """A standing instruction with a condition fits a question that shares no word with the condition.

    Of ten pairs, those that fit have 0.16 to 0.34, those that do not at most 0.04.
    """

    preference: float = 0.4
    """A preference fits a question."""

    known: float = 0.3
    """Where no candidate reaches it, with the words that it shares with the question, nothing is known about that.

    The default counts for all-MiniLM-L6-v2 alone: the cosines of unrelated texts differ between embedders. See
    mem0g.retrieve.ranking.known.
    """

    embedder: str = ""

    @classmethod
    def read(cls, path: Path) -> Thresholds:
        """Return the thresholds in a JSON file that `mem0g doctor --calibrate --json` has written.

        Raises InputError if the file cannot be read or is invalid.
        """
        hint = "write it with `mem0g doctor --calibrate --json` (MEM0G_THRESHOLDS names it)"
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"cannot read the thresholds {path}: {error.strerror}", hint=hint) from error
        except ValueError as error:  # not JSON, or not UTF-8
            raise InputError(f"the thresholds {path} are not JSON: {error}", hint=hint) from error
        if not isinstance(found, dict):
            raise InputError(f"the thresholds {path} are not a JSON object", hint=hint)
        names = {each.name for each in fields(cls)}
        for name, value in found.items():
            if name not in names:
                raise InputError(f"{path}: there is no threshold {name!r}", hint=f"one of {', '.join(sorted(names))}")
            if not (isinstance(value, str) if name == "embedder" else _is_number(value)):
                raise InputError(f"{path}: the threshold {name} is {value!r}", hint=hint)
        return cls(**found)

    @property
    def values(self) -> dict[str, float]:
        """The thresholds by name, without the embedder."""
        return {name: value for name, value in asdict(self).items() if name != "embedder"}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


MINILM: Final = Thresholds()
"""The thresholds of all-MiniLM-L6-v2."""


def thresholds_of(embedder: Embedder) -> Thresholds:
    """Return the ``thresholds`` attribute of ``embedder``, by default those of MiniLM.

    Raises EmbedderError if the attribute is something else.
    """
    found = getattr(embedder, "thresholds", MINILM)
    if not isinstance(found, Thresholds):
        raise EmbedderError(
            f"the thresholds of the embedder {embedder.name} are {found!r}", hint="give it mem0g.Thresholds(...)"
        )
    return found


class CalibratedEmbedder:
    """See Embedder; delegates to another embedder, and has thresholds estimated for it."""

    def __init__(self, embedder: Embedder, thresholds: Thresholds) -> None:
        self._embedder = embedder
        self.thresholds = thresholds

    @property
    def name(self) -> str:
        """The name of the other embedder."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder."""
        return self._embedder.embed(texts)
