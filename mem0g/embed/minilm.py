"""all-MiniLM-L6-v2 without torch: the tokenizer, a BERT encoder in numpy (arXiv 1810.04805), mean pooling.

Texts are packed: the word pieces of a batch are concatenated into one matrix without padding, so no padding is computed
and texts cannot attend to each other. Only attention treats texts separately, in runs of texts of equal length, which
is why batches are sorted by length.

Batches are computed in parallel, each in one thread. A multi-threaded BLAS library splits every matrix product into
parts that busy-wait for each other, hundreds of times for one text. That makes a text 1.7 times faster on two idle
cores, and up to 15 times slower on two busy ones; four threads with one query each were 25 times slower
(OpenBLAS 0.3.31).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from mem0g.embed.weights import MODEL, Weights
from mem0g.errors import EmbedderError

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController
    from tokenizers import Tokenizer

    from mem0g.model import Matrix

Floats = NDArray[np.float32]

_NORM_EPSILON = np.float32(1e-12)  # layer_norm_eps of config.json
_GELU_BLOCK = 1 << 15  # floats; the blocks of one step stay in a core's cache

_PHI = np.array(
    [0.79788452, 3.6333796e-2, -3.2861033e-5, -5.5309116e-5, 3.9778624e-6, -1.3397352e-7, 1.8174977e-9], np.float32
)
_PHI_RANGE = np.float32(5.5)

MAX_PIECES = 256
"""Word pieces of a text that are read (max_seq_length of sentence_bert_config.json), with the two special tokens."""

MAX_CHARACTERS = 50_000
"""Characters of a text that are tokenized: 256 word pieces of prose are about 1,200 characters."""

_HEADS = 12  # config.json

_TYPES: Mapping[str, type[np.generic]] = {"F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32}
"""The types of tensors that are read."""
_MAX_BATCH = 1024
"""Word pieces of a batch. The speed is the same from 512 to 16,384; memory grows by about 10 kB per piece."""
_MIN_BATCH = 128

Batch = TypeVar("Batch")

_loading = Lock()
"""Held while a model is looked up and loaded, so that it is read once in a process."""

_blas_lock = Lock()
"""The thread limit of BLAS is global, so callers of `compute_batches` take turns, one round of batches at a time."""


class MiniLM:
    """See Embedder; all-MiniLM-L6-v2, with 384 dimensions. The vectors equal those of sentence-transformers to 3e-7.

    The weights are found, verified and read at the first ``embed``, which raises WeightsMissingError or ChecksumError
    if that fails. All embedders of a process share one copy of the same files. Thread-safe.
    """

    def __init__(self, weights: Weights | None = None) -> None:
        self.name = MODEL
        self.dimensions = 384
        self._weights = weights or Weights()

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of ``texts``, in order: float32, shape (len(texts), 384), rows of length 1.

        Only the first 256 word pieces of a text are read. A lone surrogate is read as a question mark.
        """
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        if not texts:
            return vectors
        with _loading:
            model = self._model
        pieces = model.pieces(texts)

        def compute(batch: list[int]) -> None:
            vectors[batch] = model.bert([pieces[i] for i in batch])

        compute_batches(compute, _batches([len(text) for text in pieces]))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    @cached_property
    def _model(self) -> _Model:
        checksums = self._weights.checksums
        found = self._weights.find()
        model = _LOADED.get(_state(found, checksums)) if found else None
        if model is None:
            folder = self._weights.obtain()
            model = _LOADED.setdefault(_state(folder, checksums), _read_model(folder))
        return model


def _state(folder: Path, checksums: Mapping[str, str]) -> _State:
    """Return path, size, modification time and checksum of each file of a model."""
    files = ((folder / name, (folder / name).stat(), sha256) for name, sha256 in checksums.items())
    return tuple((str(path.resolve()), state.st_size, state.st_mtime_ns, sha256) for path, state, sha256 in files)


def _read_model(folder: Path) -> _Model:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()  # the file sets padding and truncation to 128
    tokenizer.enable_truncation(MAX_PIECES)
    return _Model(tokenizer, Bert(read_tensors(folder / "model.safetensors"), heads=_HEADS))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class _Model:
    tokenizer: Tokenizer
    bert: Bert

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text's word pieces."""
        readable = [text[:MAX_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
        return [encoding.ids for encoding in self.tokenizer.encode_batch(readable)]


_State: TypeAlias = tuple[tuple[str, int, int, str], ...]
_LOADED: WeakValueDictionary[_State, _Model] = WeakValueDictionary()
"""The verified models that embedders of this process use, by the state of their files."""


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Return the indices of texts of these lengths (word pieces), in batches of similar length, longest first.

    A batch has at most 1,024 word pieces, or fewer if there are few texts, so that every core has work.
    """
    size = min(_MAX_BATCH, max(_MIN_BATCH, -(-sum(lengths) // cores())))
    batches: list[list[int]] = []
    room = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if lengths[index] > room:
            batches.append([])
            room = size
        batches[-1].append(index)
        room -= lengths[index]
    return batches


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compute_batches(compute: Callable[[Batch], None], batches: Sequence[Batch]) -> None:
    """Call ``compute`` with each batch, one per core at a time; the first error is raised.

    Meanwhile numpy's BLAS is limited to one thread.
    """
    if len(batches) == 1:
        with _blas_lock, _blas().limit(limits=1, user_api="blas"):
            compute(batches[0])
        return
    from concurrent.futures import ThreadPoolExecutor

    width = cores()
    with ThreadPoolExecutor(width) as pool:
        for begin in range(0, len(batches), width):
            with _blas_lock, _blas().limit(limits=1, user_api="blas"):
                list(pool.map(compute, batches[begin : begin + width]))


@cache
def _blas() -> ThreadpoolController:
    """Return the BLAS libraries that are loaded. Finding them takes 2 ms, so it is done once, after numpy is loaded."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


class Run(NamedTuple):
    """Consecutive texts of equal length in a batch, from row ``start`` on."""

    start: int
    texts: int
    length: int


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear layer, x Wᵀ + b; ``weight`` has the shape (out, in)."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Return the layer's output for the rows of ``x``; shape (rows, out)."""
        y = x @ self.weight.T
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Normalise the rows of ``x`` in place and return it."""
        x -= x.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[1])
        x /= np.sqrt(variance + _NORM_EPSILON)[:, None]
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class Layer:
    """A transformer block: self-attention and a feed-forward network, each with a residual connection and a norm."""

    query: Linear
    key: Linear
    value: Linear
    attention: Linear
    attention_norm: Norm
    up: Linear
    down: Linear
    norm: Norm
    heads: int

    def __call__(self, x: Floats, runs: Sequence[Run]) -> Floats:
        """Return the hidden states after this layer, given those before it; shape (pieces, hidden)."""
        attended = self.attention(self._attend(x, runs))
        attended += x
        x = self.attention_norm(attended)
        y = self.down(gelu(self.up(x)))
        y += x
        return self.norm(y)

    def _attend(self, x: Floats, runs: Sequence[Run]) -> Floats:
        query, key, value = self.query(x), self.key(x), self.value(x)
        width = x.shape[1] // self.heads
        query *= np.float32(width**-0.5)
        attended = np.empty_like(x)
        for run in runs:
            q, k, v, out = (self._by_head(part, run, width) for part in (query, key, value, attended))
            out[...] = softmax(q @ k.swapaxes(2, 3)) @ v
        return attended

    def _by_head(self, x: Floats, run: Run, width: int) -> Floats:
        """Return a view of the run's rows with the shape (texts, heads, length, width)."""
        rows = x[run.start : run.start + run.texts * run.length]
        return rows.reshape(run.texts, run.length, self.heads, width).swapaxes(1, 2)


class Bert:
    """A BERT encoder over the tensors of a safetensors file with the names that transformers gives them."""

    def __init__(self, tensors: Mapping[str, NDArray[np.generic]], *, heads: int) -> None:
        self._tensors = tensors
        self._words = self._floats("embeddings.word_embeddings.weight")
        self._positions = self._floats("embeddings.position_embeddings.weight")
        self._type = self._floats("embeddings.token_type_embeddings.weight")[0]
        self._norm = self._norm_named("embeddings.LayerNorm")
        self._layers = list(self._stack(heads))

    def __call__(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return the mean of each text's last hidden states; shape (texts, hidden).

        ``texts`` are the ids of their word pieces, at least one each. Fastest if sorted by length.
        """
        lengths = np.array([len(text) for text in texts])
        starts = np.cumsum(lengths) - lengths
        pieces = np.concatenate([np.asarray(text, dtype=np.intp) for text in texts])
        places = np.arange(len(pieces)) - np.repeat(starts, lengths)
        x = self._words[pieces]
        x += self._positions[places]
        x += self._type
        x = self._norm(x)
        runs = runs_of(lengths.tolist())
        for layer in self._layers:
            x = layer(x, runs)
        sums: Floats = np.add.reduceat(x, starts, axis=0)
        sums /= lengths[:, None].astype(np.float32)
        return sums

    def _stack(self, heads: int) -> Iterator[Layer]:
        number = 0
        while f"encoder.layer.{number}.output.dense.weight" in self._tensors:
            at = f"encoder.layer.{number}"
            yield Layer(
                query=self._linear_named(f"{at}.attention.self.query"),
                key=self._linear_named(f"{at}.attention.self.key"),
                value=self._linear_named(f"{at}.attention.self.value"),
                attention=self._linear_named(f"{at}.attention.output.dense"),
                attention_norm=self._norm_named(f"{at}.attention.output.LayerNorm"),
                up=self._linear_named(f"{at}.intermediate.dense"),
                down=self._linear_named(f"{at}.output.dense"),
                norm=self._norm_named(f"{at}.output.LayerNorm"),
                heads=heads,
            )
            number += 1

    def _linear_named(self, name: str) -> Linear:
        return Linear(self._floats(f"{name}.weight"), self._floats(f"{name}.bias"))

    def _norm_named(self, name: str) -> Norm:
        return Norm(self._floats(f"{name}.weight"), self._floats(f"{name}.bias"))

    def _floats(self, name: str) -> Floats:
        tensor = self._tensors.get(name)
        if tensor is None or tensor.dtype != np.float32:
            raise EmbedderError(f"no float32 tensor {name!r} in the weights", hint="they are not those of a BERT model")
        return tensor.view(np.float32)


def runs_of(lengths: Sequence[int]) -> list[Run]:
    """Return the runs of consecutive equal lengths: 4, 4, 7 gives Run(0, 2, 4) and Run(8, 1, 7)."""
    runs: list[Run] = []
    start = 0
    for length, same in groupby(lengths):
        runs.append(Run(start, sum(1 for _ in same), length))
        start += runs[-1].texts * length
    return runs


def softmax(scores: Floats) -> Floats:
    """Compute the softmax over the last axis in place, and return ``scores``."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def gelu(x: Floats) -> Floats:
    """Compute the exact GELU x Φ(x) (by erf, not the usual tanh approximation) in place, and return ``x``.

    Φ(x) = (1 + tanh(x P(x²))) / 2. P is fitted to atanh(erf(x/√2)) / x on |x| ≤ 5.5 by iteratively reweighted least
    squares; the error of x Φ(x) is at most 7e-8 before rounding. Beyond that range, Φ is 0 or 1 in float32.
    """
    flat = x.reshape(-1)
    for begin in range(0, flat.size, _GELU_BLOCK):
        block = flat[begin : begin + _GELU_BLOCK]
        inner = np.clip(block, -_PHI_RANGE, _PHI_RANGE)
        square = inner * inner
        phi = square * _PHI[-1]
        for coefficient in _PHI[-2:0:-1]:
            phi += coefficient
            phi *= square
        phi += _PHI[0]
        phi *= inner
        np.tanh(phi, out=phi)
        phi += np.float32(1)
        block *= np.float32(0.5)
        block *= phi
    return x


def read_tensors(path: Path) -> dict[str, NDArray[np.generic]]:
    """Return the tensors of a safetensors file by name, mapped into memory: what is not used is not read.

    The file has the size of its header in 8 bytes, the header (JSON: type, shape and place of each tensor), and the
    numbers (github.com/huggingface/safetensors, "Format"). Raises EmbedderError for any other file.
    """
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(size))
        numbers = np.asarray(np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size))
        return {
            name: numbers[slice(*each["data_offsets"])].view(_TYPES[each["dtype"]]).reshape(each["shape"])
            for name, each in header.items()
            if name != "__metadata__" and each["dtype"] in _TYPES
        }
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, MemoryError) as error:
        raise EmbedderError(f"{path} cannot be read as safetensors: {error}", hint="it is damaged") from error
