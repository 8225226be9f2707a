from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.testing import HashingEmbedder


@given(texts=st.lists(st.text(max_size=40), max_size=5), dimensions=st.integers(1, 80))
def test_unit_vectors(texts: list[str], dimensions: int) -> None:
    """Every text has a vector of length 1, empty ones and those without words too."""
    vectors = HashingEmbedder(dimensions).embed(texts)
    assert vectors.shape == (len(texts), dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)


def test_shared_words() -> None:
    """Texts are similar as far as they share words."""
    first, near, far = HashingEmbedder().embed(["Anna lives in Rome", "Anna lived in Paris", "guitars and pianos"])
    assert first @ near > 0.5 > first @ far


@pytest.mark.slow
def test_same_in_every_process() -> None:
    """Vectors do not depend on Python's random hashing of strings."""
    code = "from mem0g.testing import HashingEmbedder; print(HashingEmbedder(8).embed(['Anna lives in Rome']).tolist())"
    seen = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
        for env in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
    }
    assert seen == {f"{HashingEmbedder(8).embed(['Anna lives in Rome']).tolist()}\n"}
