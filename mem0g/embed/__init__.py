"""Embedders, which turn texts into vectors; `open_embedder` opens the one that a setting names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mem0g.embed.protocol import CalibratedEmbedder, Embedder, Thresholds, thresholds_of
from mem0g.embed.weights import MODEL
from mem0g.errors import EmbedderError
from mem0g.settings import Settings
from mem0g.text.scripts import CJK, CJK_CHARACTER

if TYPE_CHECKING:
    from mem0g.model import Matrix

FORMS = (
    "minilm",
    "a folder with model.safetensors and tokenizer.json, of all-MiniLM-L6-v2 or of a static embedding (model2vec)",
    "sentence-transformers:MODEL",
    "openai:MODEL",
)
"""The names of embedders that `open_embedder` accepts."""

_WORD = re.compile(rf"[^\W{CJK}]+")
_MINILM = frozenset({"minilm", "all-minilm-l6-v2"})


def open_embedder(
    spec: str | Embedder | None = None,
    *,
    weights: Path | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    thresholds: Path | None = None,
) -> Embedder:
    """Return the embedder that ``spec`` names (see `FORMS`); None means "minilm", an embedder is returned as it is.

    ``weights`` is a folder with MiniLM's weights, instead of the usual places; ``base_url`` and ``api_key`` are for
    "openai:MODEL". ``thresholds`` is a file for `Thresholds.read`; one made for another embedder is ignored. No model
    is loaded and nothing is sent before the embedder is used, so missing weights or a missing key are errors only then.

    Raises EmbedderError if ``spec`` has none of these forms, InputError if ``thresholds`` cannot be read.
    """
    embedder = _open(spec, weights, base_url, api_key)
    given = Thresholds.read(thresholds.expanduser()) if thresholds else None
    if given is None or given.embedder not in ("", embedder.name):
        return embedder
    return CalibratedEmbedder(embedder, given)


def _open(spec: str | Embedder | None, weights: Path | None, base_url: str | None, api_key: str | None) -> Embedder:
    if spec is None or (isinstance(spec, str) and spec.lower() in _MINILM):
        return _minilm(weights)
    if not isinstance(spec, str):
        return spec
    kind, _, model = spec.partition(":")
    if kind == "sentence-transformers" and model:
        from mem0g.embed.sentence_transformers import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(model)
    if kind == "openai" and model:
        from mem0g.embed.openai import OpenAIEmbedder

        return OpenAIEmbedder(model, base_url, api_key)
    folder = Path(spec).expanduser()
    if folder.is_dir():
        from mem0g.embed.static import StaticEmbedder, find_static

        if find_static(folder):
            return StaticEmbedder(folder)
        if (folder / "model.safetensors").is_file():
            return _minilm(folder)
    raise EmbedderError(f"no embedder {spec!r}", hint="one of: " + "; ".join(FORMS))


def _minilm(folder: Path | None) -> Embedder:
    from mem0g.embed.minilm import MiniLM
    from mem0g.embed.weights import Weights

    return MiniLM(Weights(folder=folder.expanduser() if folder else None))


class FollowingEmbedder:
    """See Embedder; delegates to another embedder, which ``follow`` replaces. Thread-safe.

    A memory stays usable with it when another process reindexes the store with another embedder.
    """

    def __init__(self, embedder: Embedder, open_by_name: Callable[[str], Embedder]) -> None:
        """``open_by_name`` opens an embedder by the name that a store has recorded."""
        self._embedder = embedder
        self._open = open_by_name

    @property
    def name(self) -> str:
        """The name of the embedder in use."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors of the embedder in use."""
        return self._embedder.dimensions

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds of the embedder in use."""
        return thresholds_of(self._embedder)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of ``texts`` by the embedder in use."""
        return self._embedder.embed(texts)

    def follow(self, name: str, dimensions: int) -> None:
        """Use the embedder of that name from now on. Raises EmbedderError if there is none with that name and size."""
        if (self.name, self.dimensions) == (name, dimensions):
            return
        found = self._open(name)
        if (found.name, found.dimensions) != (name, dimensions):
            raise EmbedderError(
                f"{name!r} has {found.dimensions} dimensions, not {dimensions}", hint="open the embedder again"
            )
        self._embedder = found


def embedder_of(embedder: str | Embedder | None, settings: Settings) -> Embedder:
    """Return the embedder of a memory, with the thresholds of the settings: the one given, or opened by its name.

    None is the embedder of the settings. One that is opened here follows the store when another process reindexes it.
    """
    opened = partial(open_embedder, weights=settings.weights, thresholds=settings.thresholds)
    found = opened(embedder or settings.embedder)
    return FollowingEmbedder(found, opened) if embedder is None or isinstance(embedder, str) else found


def understands(embedder: str, text: str) -> bool:
    """Whether the embedder of this name supports the language of ``text``; always true, except for all-MiniLM-L6-v2.

    It was trained on English: its vocabulary has a few hundred Chinese, Japanese and Korean characters, untrained, and
    one token for all others. Among the turns of a Chinese dialogue it ranks the right one first for 13 of 100
    questions, hardly more than chance. Texts with more CJK characters than other words count as not supported.
    """
    return embedder != MODEL or len(CJK_CHARACTER.findall(text)) <= len(_WORD.findall(text))
