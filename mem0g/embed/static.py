"""Static embeddings in model2vec's format, without torch: the mean of the vectors of a text's word pieces.

A folder holds ``tokenizer.json`` and ``model.safetensors`` with the matrix ``embeddings``; optionally ``weights``, one
factor for each word piece, and ``mapping``, the row of each word piece where several share one. A model of
sentence-transformers that is a single static embedding is read too: its matrix is called ``embedding.weight``, and it
may be in the subfolder ``0_StaticEmbedding``. ``config.json`` is not needed: the vectors always have length 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mem0g.errors import EmbedderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from mem0g.model import Matrix

MATRICES = ("embeddings", "embedding.weight")
"""The names of the matrix: model2vec's and that of sentence-transformers."""

SUBFOLDER = "0_StaticEmbedding"

MAX_PIECES = 512
"""Word pieces of a text that are read, as model2vec does."""

MAX_CHARACTERS = 50_000
"""Characters of a text that are tokenized."""

_HINT = "a folder with tokenizer.json and model.safetensors in model2vec's format"


def find_static(folder: Path) -> Path | None:
    """Return ``folder``, or its subfolder, if it holds a static embedding; None for another model or none."""
    for place in (folder / SUBFOLDER, folder):
        if (place / "model.safetensors").is_file() and not _names(place).isdisjoint(MATRICES):
            return place
    return None


def _names(folder: Path) -> frozenset[str]:
    """Return the names of the tensors in a folder's file; none if that cannot be read."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(folder / "model.safetensors", framework="numpy") as file:
            return frozenset(file.keys())
    except (SafetensorError, OSError):
        return frozenset()


class StaticEmbedder:
    """See Embedder; a static embedding, which knows the words that it was made for, in any language.

    It is named by its folder. The files are read at the first ``embed`` or ``dimensions``, which raises EmbedderError
    if they are missing, broken or do not fit together. A text without a single word piece that the model knows has the
    vector of the first axis. Thread-safe.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.name = str(self.folder)
        self._loading = Lock()

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""
        with self._loading:
            return int(self._model.rows.shape[1])

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of ``texts``, in order: float32, shape (len(texts), dimensions), rows of length 1.

        Only the first 512 word pieces of a text are read. A lone surrogate is read as a question mark.
        """
        with self._loading:
            model = self._model
        vectors = np.zeros((len(texts), model.rows.shape[1]), dtype=np.float32)
        if not texts:
            return vectors
        for row, pieces in enumerate(model.pieces(texts)):
            if pieces:
                vectors[row] = model.mean(pieces)
        vectors[~vectors.any(axis=1), 0] = 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    @cached_property
    def _model(self) -> _Model:
        folder = find_static(self.folder)
        if folder is None:
            raise EmbedderError(f"{self.folder} holds no static embedding", hint=_HINT)
        return _read(folder)


def _read(folder: Path) -> _Model:
    """Read a model. Raises EmbedderError if its parts are missing or do not fit together."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    try:
        tensors = load_file(folder / "model.safetensors")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except (SafetensorError, OSError) as error:
        raise EmbedderError(f"{folder} cannot be read: {error}", hint=_HINT) from error
    except Exception as error:  # the only class that tokenizers raises
        raise EmbedderError(f"{folder / 'tokenizer.json'} cannot be read: {error}", hint=_HINT) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    unknown = getattr(tokenizer.model, "unk_token", None)
    model = _Model(
        tokenizer=tokenizer,
        rows=next(tensors[name] for name in MATRICES if name in tensors),
        weights=tensors.get("weights"),
        mapping=tensors.get("mapping"),
        unknown=tokenizer.token_to_id(unknown) if unknown else None,
    )
    if problem := model.problem:
        raise EmbedderError(f"{folder}: {problem}", hint=_HINT)
    return model


@dataclass(frozen=True, slots=True)
class _Model:
    """A tokenizer and the vectors of its word pieces; ``unknown`` is the piece that stands for unknown words."""

    tokenizer: Tokenizer
    rows: NDArray[np.generic]
    weights: NDArray[np.generic] | None
    mapping: NDArray[np.generic] | None
    unknown: int | None

    @property
    def problem(self) -> str:
        """What does not fit together, "" if all does."""
        size = self.tokenizer.get_vocab_size()
        if self.rows.ndim != 2 or not self.rows.size:
            return f"its embeddings have the shape {self.rows.shape}"
        if self.mapping is not None and self.mapping.size and int(self.mapping.max()) >= len(self.rows):
            return f"its mapping names row {int(self.mapping.max())} of {len(self.rows)}"
        for name, tensor in (("embeddings", self.rows), ("weights", self.weights), ("mapping", self.mapping)):
            needed = tensor is not None and (name != "embeddings" or self.mapping is None)
            if needed and tensor is not None and len(tensor) < size:
                return f"its {name} are for {len(tensor)} word pieces, its tokenizer has {size}"
        return ""

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text's word pieces that the model knows."""
        readable = [text[:MAX_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
        encoded = self.tokenizer.encode_batch(readable, add_special_tokens=False)
        return [[each for each in encoding.ids if each != self.unknown][:MAX_PIECES] for encoding in encoded]

    def mean(self, pieces: Sequence[int]) -> NDArray[np.float32]:
        """Return the mean of the pieces' vectors, each times its weight."""
        ids = np.asarray(pieces)
        found = self.rows[ids if self.mapping is None else self.mapping[ids]].astype(np.float32)
        if self.weights is not None:
            found *= self.weights[ids].astype(np.float32)[:, None]
        mean: NDArray[np.float32] = found.mean(axis=0)
        return mean
