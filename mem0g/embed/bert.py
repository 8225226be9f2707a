"""The forward pass of a BERT encoder in numpy (Devlin et al., arXiv 1810.04805), read-only and for inference.

Texts are packed: the word pieces of a batch stand one after the other in one matrix, without padding, so nothing is
computed for nothing and a text cannot see its neighbours. Only attention looks at texts one by one, or rather at runs
of texts of the same length, which is why batches come sorted by length.

Batches are computed side by side, each by one thread. A BLAS library with threads of its own cuts every product of
matrices into parts that wait for each other, busily, hundreds of times in one text. That makes a text 1.7 times faster
on two idle cores, and up to 15 times slower on two that have other work; four threads with a query each were 25 times
slower (OpenBLAS 0.3.31).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mem0g.errors import EmbedderError

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


Floats = NDArray[np.float32]

_NORM_EPSILON = np.float32(1e-12)  # layer_norm_eps of config.json
_GELU_BLOCK = 1 << 15  # floats; the blocks of one step stay in a core's cache

_PHI = np.array(
    [0.79788452, 3.6333796e-2, -3.2861033e-5, -5.5309116e-5, 3.9778624e-6, -1.3397352e-7, 1.8174977e-9], np.float32
)
_PHI_RANGE = np.float32(5.5)


class Run(NamedTuple):
    """Texts of equal length that stand together in a batch: they begin at row ``start``."""

    start: int
    texts: int
    length: int


@dataclass(frozen=True, slots=True)
class Linear:
    """x W^T + b; ``weight`` has the shape (out, in)."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Rows of ``x`` mapped; shape (rows, out)."""
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
    """One transformer block: self-attention and a feed-forward net, each added to its input and normalised."""

    query: Linear
    key: Linear
    value: Linear
    attended: Linear
    attended_norm: Norm
    up: Linear
    down: Linear
    norm: Norm
    heads: int

    def __call__(self, x: Floats, runs: Sequence[Run]) -> Floats:
        """The hidden states after this layer, for those before it; shape (pieces, hidden)."""
        seen = self.attended(self._attend(x, runs))
        seen += x
        x = self.attended_norm(seen)
        y = self.down(gelu(self.up(x)))
        y += x
        return self.norm(y)

    def _attend(self, x: Floats, runs: Sequence[Run]) -> Floats:
        query, key, value = self.query(x), self.key(x), self.value(x)
        width = x.shape[1] // self.heads
        query *= np.float32(width**-0.5)
        seen = np.empty_like(x)
        for run in runs:
            q, k, v, out = (self._by_head(part, run, width) for part in (query, key, value, seen))
            out[...] = softmax(q @ k.swapaxes(2, 3)) @ v
        return seen

    def _by_head(self, x: Floats, run: Run, width: int) -> Floats:
        """A view of the run's rows with the shape (texts, heads, length, width)."""
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
        """The mean of each text's last hidden states; shape (texts, hidden).

        ``texts`` are the ids of their word pieces, never none; equal lengths together make it fast.
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
                attended=self._linear_named(f"{at}.attention.output.dense"),
                attended_norm=self._norm_named(f"{at}.attention.output.LayerNorm"),
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
    """Neighbours of equal length, as runs: lengths 4, 4, 7 are Run(0, 2, 4) and Run(8, 1, 7)."""
    runs: list[Run] = []
    start = 0
    for length, same in groupby(lengths):
        runs.append(Run(start, sum(1 for _ in same), length))
        start += runs[-1].texts * length
    return runs


def softmax(scores: Floats) -> Floats:
    """Softmax over the last axis, in place."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def gelu(x: Floats) -> Floats:
    """x Φ(x), Φ the normal distribution's: the exact GELU (by erf, not the usual tanh approximation), in place.

    Φ(x) = (1 + tanh(x P(x²))) / 2. P is fitted to atanh(erf(x/√2)) / x on |x| ≤ 5.5 by iteratively reweighted least
    squares, so that |x Φ(x)| is off by at most 7e-8 before rounding; beyond, Φ is 0 or 1 to float32's precision.
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
    """The tensors of a safetensors file by name."""
    from safetensors.numpy import load_file

    tensors: dict[str, NDArray[np.generic]] = load_file(path)
    return tensors


Batch = TypeVar("Batch")

_turn = Lock()
"""BLAS has one number of threads for the whole process, so callers of `each` take turns, a round at a time."""


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def each(compute: Callable[[Batch], None], batches: Sequence[Batch]) -> None:
    """Call ``compute`` with each batch, as many at a time as there are cores; the first error is raised.

    Meanwhile numpy's BLAS has one thread, unless the process has limited its threads itself.
    """
    if len(batches) == 1:
        with _turn, _blas().limit(limits=1, user_api="blas"):
            compute(batches[0])
        return
    from concurrent.futures import ThreadPoolExecutor

    width = cores()
    with ThreadPoolExecutor(width) as pool:
        for begin in range(0, len(batches), width):
            with _turn, _blas().limit(limits=1, user_api="blas"):
                list(pool.map(compute, batches[begin : begin + width]))


@cache
def _blas() -> ThreadpoolController:
    """Finding the libraries takes 2 ms, so it is done once; numpy must be loaded by then."""
    import numpy  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
