"""Weights are mapped into memory from safetensors files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from mem0g.embed.minilm import read_tensors
from mem0g.errors import EmbedderError


def test_tensors_are_those_of_the_library(tmp_path: Path) -> None:
    """Names, shapes, types and numbers are what safetensors wrote, and nothing can change the file."""
    made: dict[str, NDArray[Any]] = {
        "a.weight": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([1, 2], dtype=np.int64),
    }
    save_file(made, tmp_path / "model.safetensors", metadata={"format": "pt"})
    read = read_tensors(tmp_path / "model.safetensors")
    assert read.keys() == made.keys()
    for name, tensor in made.items():
        assert read[name].dtype == tensor.dtype
        assert np.array_equal(read[name], tensor)
        assert not read[name].flags.writeable


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x" * 100,
        (2).to_bytes(8, "little") + b"[]",
        (10**15).to_bytes(8, "little") + b"{}",
        (lambda header: len(header).to_bytes(8, "little") + header)(
            json.dumps({"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}).encode()
        )
        + b"\0" * 8,
    ],
    ids=["empty", "no header", "a list", "a header beyond the end", "too few numbers"],
)
def test_a_damaged_file_is_an_error_with_its_name(tmp_path: Path, content: bytes) -> None:
    """Whatever is wrong with the file, the error says which file it is."""
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(EmbedderError, match=r"model\.safetensors cannot be read"):
        read_tensors(path)
