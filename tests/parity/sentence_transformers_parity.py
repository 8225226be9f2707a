"""The numpy MiniLM beside the real sentence-transformers with the same weights: ``make test-sentence-transformers``.

Not collected by a plain ``pytest``: the library and torch take 5.8 GB, so they live in an environment of their own.
Runs offline.
"""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # read by huggingface_hub when it is imported

import numpy as np
import pytest

from mem0g.embed import open_embedder
from mem0g.embed.minilm import MiniLM
from mem0g.embed.sentence_transformers import SentenceTransformerEmbedder
from mem0g.embed.weights import Weights
from mem0g.errors import EmbedderError
from tests.parity.sentences import sentences

pytestmark = pytest.mark.filterwarnings("default")  # torch and transformers warn of their own matters

TEXTS = sentences(200)


@pytest.fixture(scope="module")
def weights() -> Weights:
    return Weights(hub=None)


@pytest.fixture(scope="module")
def reference(weights: Weights) -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(str(weights.obtain()))


def test_200_sentences(
    weights: Weights, reference: SentenceTransformerEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    """No component of 200 vectors, of many languages and lengths, differs by more than 1e-5."""
    differences = np.abs(MiniLM(weights).embed(TEXTS) - reference.embed(TEXTS))
    with capsys.disabled():
        print(f"largest difference in {len(TEXTS)} sentences: {differences.max():.2e}")  # noqa: T201 - to be reported
    assert len(set(TEXTS)) > 190
    assert differences.max() <= 1e-5


def test_protocol(reference: SentenceTransformerEmbedder) -> None:
    """The library's embedder keeps the protocol: unit rows of float32, no rows for no texts, broken emoji read."""
    vectors = reference.embed(["Anna lives in Rome.", "", "hi \ud83d"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, reference.dimensions) == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert reference.embed([]).shape == (0, 384)


def test_unknown_model() -> None:
    """A model that is nowhere is an error that names it."""
    with pytest.raises(EmbedderError, match="no-such-model") as caught:
        open_embedder("sentence-transformers:nobody/no-such-model").embed(["hello"])
    assert caught.value.hint is not None
