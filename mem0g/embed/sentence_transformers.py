"""Models of the sentence-transformers library, an optional dependency."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mem0g.errors import EmbedderError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from mem0g.model import Matrix


class SentenceTransformerEmbedder:
    """See Embedder; a model of sentence-transformers, by its name on the model hub or its folder.

    Library and model are loaded at the first ``embed`` or ``dimensions``, which raises EmbedderError if the library is
    not installed or the model does not exist.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self.name = f"sentence-transformers:{model}"

    @cached_property
    def dimensions(self) -> int:
        """The length of the vectors."""
        return int(self._vectors([""]).shape[1])

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of ``texts``, in order: float32, shape (len(texts), dimensions), rows of length 1."""
        import numpy as np

        return self._vectors(texts) if texts else np.empty((0, self.dimensions), dtype=np.float32)

    def _vectors(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        readable = [text.encode("utf-8", "replace").decode() for text in texts]
        vectors = self._loaded.encode(
            readable, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _loaded(self) -> SentenceTransformer:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise EmbedderError(
                f"the embedder {self.name!r} needs the library sentence-transformers",
                hint='pip install "mem0g[sentence-transformers]"',
            ) from error
        try:
            return SentenceTransformer(self.model)
        except (OSError, ValueError) as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise EmbedderError(
                f"the model {self.model!r} cannot be loaded: {reason}",
                hint="a name on the model hub (downloaded once) or a folder",
            ) from error
