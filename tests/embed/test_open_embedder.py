from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from mem0g.embed import open_embedder, understands
from mem0g.embed.minilm import MiniLM
from mem0g.embed.openai import OpenAIEmbedder
from mem0g.embed.sentence_transformers import SentenceTransformerEmbedder
from mem0g.embed.weights import MODEL
from mem0g.errors import EmbedderError, WeightsMissingError
from mem0g.testing import HashingEmbedder
from tests.embed.server import Reply, serving


@pytest.mark.parametrize("spec", [None, "minilm", "MiniLM", "all-MiniLM-L6-v2"])
def test_default(spec: str | None) -> None:
    """MiniLM is the default and goes by its name too."""
    embedder = open_embedder(spec)
    assert isinstance(embedder, MiniLM)
    assert (embedder.name, embedder.dimensions) == ("all-MiniLM-L6-v2", 384)


def test_an_embedder_stays() -> None:
    """An embedder is given back as it is."""
    embedder = HashingEmbedder()
    assert open_embedder(embedder) is embedder


def test_folder(folder: Path) -> None:
    """A folder with weights is MiniLM from there."""
    assert isinstance(open_embedder(str(folder)), MiniLM)


def test_weights_folder(tmp_path: Path) -> None:
    """The folder given for the weights is the one looked at."""
    with pytest.raises(WeightsMissingError, match="nothing-here"):
        open_embedder(weights=tmp_path / "nothing-here").embed(["hello"])


def test_openai() -> None:
    """openai:MODEL is that model at the server and with the key given."""
    row = {"index": 0, "embedding": [1.0, 0.0]}
    with serving(lambda request: Reply.of({"data": [row]})) as server:
        embedder = open_embedder("openai:some-model", base_url=server.url, api_key="a-key")
        assert isinstance(embedder, OpenAIEmbedder)
        assert embedder.embed(["hello"]).tolist() == [[1, 0]]
    assert server.requests[0].json["model"] == "some-model"
    assert server.requests[0].headers["authorization"] == "Bearer a-key"


def test_sentence_transformers() -> None:
    """sentence-transformers:MODEL is that model; its name may hold slashes and colons."""
    embedder = open_embedder("sentence-transformers:org/model:v2")
    assert isinstance(embedder, SentenceTransformerEmbedder)
    assert embedder.model == "org/model:v2"
    assert embedder.name == "sentence-transformers:org/model:v2"


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="sentence-transformers is installed"
)
def test_sentence_transformers_not_installed() -> None:
    """Without the library, the first use says what to install."""
    embedder = open_embedder("sentence-transformers:some-model")
    with pytest.raises(EmbedderError, match="needs the library sentence-transformers") as caught:
        embedder.embed(["hello"])
    assert caught.value.hint == 'pip install "mem0g[sentence-transformers]"'


@pytest.mark.parametrize("spec", ["", "word2vec", "openai:", "sentence-transformers:", "/no/such/folder", "a\0b"])
def test_unknown(spec: str) -> None:
    """Anything else is an error that names it and lists what there is."""
    with pytest.raises(EmbedderError) as caught:
        open_embedder(spec)
    assert repr(spec) in str(caught.value)
    assert "sentence-transformers:MODEL" in str(caught.value.hint)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["minilm", "openai:some-model", "sentence-transformers:some-model"])
def test_opening_is_light(spec: str) -> None:
    """Opening an embedder loads none of its libraries; only MiniLM loads numpy, as every memory does."""
    heavy = ["openai", "tokenizers", "safetensors", "torch", "sentence_transformers", "rich", "urllib.request"]
    heavy += [] if spec == "minilm" else ["numpy"]
    code = f"import sys; from mem0g.embed import open_embedder; open_embedder({spec!r})"
    code += f"; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("Where does Ann live?", True),
        ("Где живёт Анна?", True),
        ("", True),
        ("Does Ann like 茶?", True),
        ("林晓的同学是谁？", False),
        ("Speaker 1的朋友是谁？", False),
        ("東京はどこ？", False),
        ("서울은 어디", False),
    ],
)
def test_what_minilm_understands(text: str, understood: bool) -> None:
    """MiniLM does not support Chinese, Japanese and Korean; other embedders count as supporting every language."""
    assert understands(MODEL, text) is understood
    assert understands("openai:text-embedding-3-small", text)
