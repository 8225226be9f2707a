"""Texts to vectors: `open_embedder` gives the embedder that a setting names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mem0g.errors import EmbedderError

if TYPE_CHECKING:
    from mem0g.embed.protocol import Embedder

FORMS = (
    "minilm",
    "a folder with model.safetensors and tokenizer.json of all-MiniLM-L6-v2",
    "sentence-transformers:MODEL",
    "openai:MODEL",
)
"""What an embedder can be given as."""

_MINILM = frozenset({"minilm", "all-minilm-l6-v2"})


def open_embedder(
    spec: str | Embedder | None = None,
    *,
    weights: Path | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> Embedder:
    """The embedder that ``spec`` names (see `FORMS`); None is "minilm", an embedder is given back as it is.

    ``weights`` is a folder with MiniLM's weights, instead of looking for them; ``base_url`` and ``api_key`` are for
    "openai:MODEL". Nothing is loaded and no network is touched before the embedder is used, so missing weights or
    a missing key show only then.

    Raises EmbedderError if ``spec`` is none of the forms.
    """
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
    if (folder / "model.safetensors").is_file():
        return _minilm(folder)
    raise EmbedderError(f"no embedder {spec!r}", hint="one of: " + "; ".join(FORMS))


def _minilm(folder: Path | None) -> Embedder:
    from mem0g.embed.minilm import MiniLM
    from mem0g.embed.weights import Weights

    return MiniLM(Weights(folder=folder.expanduser() if folder else None))
