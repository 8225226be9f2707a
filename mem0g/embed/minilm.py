"""all-MiniLM-L6-v2 without torch: its tokenizer, its encoder in numpy, the mean of a text's word pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from mem0g.embed.weights import MODEL, Weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from mem0g.embed.bert import Bert
    from mem0g.model import Matrix

LONGEST_TEXT = 256
"""Word pieces of a text that are read (max_seq_length of sentence_bert_config.json), its two marks included."""

MOST_CHARACTERS = 50_000
"""Characters of a text that are cut into word pieces: 256 pieces of prose are about 1,200."""

_HEADS = 12  # config.json
_LARGEST_BATCH = 1024
"""Word pieces computed at once: speed is the same from 512 to 16,384, memory (about 10 kB a piece) is not."""
_SMALLEST_BATCH = 128


class MiniLM:
    """The sentence embedder all-MiniLM-L6-v2: 384 dimensions, equal to sentence-transformers' to 3e-7.

    Weights are found, verified and read at the first ``embed``, which raises WeightsMissingError or
    ChecksumError if that fails. May be used from several threads.
    """

    def __init__(self, weights: Weights | None = None) -> None:
        self.name = MODEL
        self.dimensions = 384
        self._weights = weights or Weights()
        self._loading = Lock()

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Vectors of ``texts`` in order: float32, shape (len(texts), 384), rows of length 1.

        Of a text, the first 256 word pieces are read. A lone surrogate is read as a question mark.
        """
        import numpy as np

        from mem0g.embed.bert import each

        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        if not texts:
            return vectors
        with self._loading:
            model = self._model
        pieces = model.pieces(texts)

        def compute(batch: list[int]) -> None:
            vectors[batch] = model.bert([pieces[i] for i in batch])

        each(compute, _batches([len(text) for text in pieces]))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    @cached_property
    def _model(self) -> _Model:
        from tokenizers import Tokenizer

        from mem0g.embed.bert import Bert, read_tensors

        folder = self._weights.obtain()
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()  # the file asks for padding and truncation to 128
        tokenizer.enable_truncation(LONGEST_TEXT)
        return _Model(tokenizer, Bert(read_tensors(folder / "model.safetensors"), heads=_HEADS))


@dataclass(frozen=True, slots=True)
class _Model:
    tokenizer: Tokenizer
    bert: Bert

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text's word pieces."""
        readable = [text[:MOST_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
        return [encoding.ids for encoding in self.tokenizer.encode_batch(readable)]


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """The indices of the texts of these lengths in batches of similar length, the longest first.

    A batch has at most 1,024 word pieces, and fewer where there are few texts, so that each core gets some.
    """
    from mem0g.embed.bert import cores

    most = min(_LARGEST_BATCH, max(_SMALLEST_BATCH, -(-sum(lengths) // cores())))
    batches: list[list[int]] = []
    room = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if lengths[index] > room:
            batches.append([])
            room = most
        batches[-1].append(index)
        room -= lengths[index]
    return batches
