from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from mem0g.embed.bert import Bert, Run, gelu, read_tensors, runs_of, softmax
from mem0g.errors import EmbedderError


def test_gelu_is_exact() -> None:
    """GELU is the one by erf, to float32's precision, over all that can occur."""
    x = np.linspace(-12, 12, 200_001, dtype=np.float32)
    exact = np.array([v * 0.5 * math.erfc(-v / math.sqrt(2)) for v in x.astype(float)])
    error = np.abs(gelu(x.copy()) - exact)
    assert error[np.abs(x) <= 1].max() < 1.5e-7
    assert error.max() < 1.2e-6  # half a unit in the last place of 12 is 4.8e-7


def test_gelu_works_in_place() -> None:
    """The matrix given is the one returned, whatever its size against the blocks it is cut into."""
    x = np.ones((300, 257), dtype=np.float32)
    assert gelu(x) is x
    assert x == pytest.approx(0.8413447, abs=1e-6)


def test_softmax_of_large_scores() -> None:
    """Scores too large for exp are no problem."""
    assert softmax(np.array([[1000.0, 1000.0, -1000.0]], dtype=np.float32)).tolist() == [[0.5, 0.5, 0.0]]


def test_runs() -> None:
    """Neighbours of equal length make a run that knows where it begins."""
    assert runs_of([4, 4, 7, 4]) == [Run(0, 2, 4), Run(8, 1, 7), Run(15, 1, 4)]


def test_missing_tensor(tmp_path: Path) -> None:
    """A file without the tensors of a BERT model is refused, naming the first that is missing."""
    path = tmp_path / "model.safetensors"
    header = json.dumps({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(EmbedderError, match=r"embeddings\.word_embeddings\.weight"):
        Bert(read_tensors(path), heads=12)
