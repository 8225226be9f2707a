"""Static embeddings in model2vec's format: a tiny one is made here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from mem0g.embed import open_embedder
from mem0g.embed.static import MAX_PIECES, SUBFOLDER, StaticEmbedder, find_static
from mem0g.errors import EmbedderError
from mem0g.memory import Memory

WORDS = ("[UNK]", "ich", "wohne", "in", "oslo", "tee")
ROWS = np.array([[9, 9], [1, 0], [0, 1], [1, 1], [3, 4], [0, -2]], dtype=np.float32)


def written(folder: Path, **tensors: NDArray[np.generic]) -> Path:
    """Write a model of six words into the folder, with these tensors; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(tensors, folder / "model.safetensors")
    return folder


def unit(*row: float) -> list[float]:
    length = sum(each * each for each in row) ** 0.5
    return [each / length for each in row]


def rows(found: NDArray[np.float32]) -> list[list[float]]:
    """The vectors, rounded as single precision needs it."""
    return [[round(float(each), 6) for each in row] for row in found]


def units(*wanted: list[float]) -> list[list[float]]:
    return [[round(each, 6) for each in row] for row in wanted]


def test_the_mean_of_the_words(tmp_path: Path) -> None:
    """The vector of a text is the mean of those of its words, of length 1; unknown words do not count."""
    embedder = open_embedder(str(written(tmp_path / "tiny", embeddings=ROWS)))
    assert isinstance(embedder, StaticEmbedder)
    assert (embedder.name, embedder.dimensions) == (str(tmp_path / "tiny"), 2)
    found = embedder.embed(["oslo", "ich wohne", "ich wohne Irgendwo", "Nirgendwo", ""])
    assert rows(found) == units(unit(3, 4), unit(1, 1), unit(1, 1), [1, 0], [1, 0])
    assert (str(found.dtype), found.shape, embedder.embed([]).shape) == ("float32", (5, 2), (0, 2))


def test_weights_and_mapping(tmp_path: Path) -> None:
    """Each word has a weight, and words may share a row; the matrix may be of halves or bytes."""
    mapping, weights = np.array([0, 1, 1, 1, 2, 2]), np.array([0, 1, 3, 1, 2, 1], dtype=np.float64)
    for kind in (np.float16, np.int8):
        table = np.array([[0, 0], [1, 0], [0, 1]], dtype=kind)
        folder = written(tmp_path / kind.__name__, embeddings=table, mapping=mapping, weights=weights)
        found = StaticEmbedder(folder).embed(["ich oslo", "wohne tee"])
        assert rows(found) == units(unit(1, 2), unit(3, 1))


def test_the_layout_of_sentence_transformers(tmp_path: Path) -> None:
    """The matrix may be called embedding.weight, in a subfolder."""
    written(tmp_path / SUBFOLDER, **{"embedding.weight": ROWS})
    assert open_embedder(str(tmp_path)).embed(["tee"]).tolist() == [[0, -1]]


def test_a_long_text_and_half_a_character(tmp_path: Path) -> None:
    """What is beyond the last piece that is read does not count, and a lone surrogate is no error."""
    embedder = StaticEmbedder(written(tmp_path, embeddings=ROWS))
    long = " ".join(["ich"] * MAX_PIECES + ["tee"] * 1000)
    assert rows(embedder.embed([long, "ich \ud800"])) == [[1, 0], [1, 0]]


@pytest.mark.parametrize(
    ("tensors", "problem"),
    [
        ({"embeddings": ROWS[:3]}, "its embeddings are for 3 word pieces, its tokenizer has 6"),
        ({"embeddings": ROWS.reshape(-1)}, "its embeddings have the shape (12,)"),
        ({"embeddings": ROWS, "weights": np.ones(2)}, "its weights are for 2 word pieces"),
        ({"embeddings": ROWS, "mapping": np.array([0, 1, 2, 3, 4, 6])}, "its mapping names row 6 of 6"),
    ],
)
def test_parts_that_do_not_fit(tmp_path: Path, tensors: dict[str, NDArray[np.generic]], problem: str) -> None:
    """A model whose parts do not belong together is an error that says which."""
    embedder = StaticEmbedder(written(tmp_path, **tensors))
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["tee"])
    assert problem in str(caught.value)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """A folder without a static embedding, and a broken tokenizer, are errors that name the file."""
    assert find_static(tmp_path) is None
    with pytest.raises(EmbedderError, match="holds no static embedding"):
        StaticEmbedder(tmp_path).embed(["tee"])
    (written(tmp_path, embeddings=ROWS) / "tokenizer.json").write_text("{")
    with pytest.raises(EmbedderError, match=r"tokenizer\.json cannot be read"):
        StaticEmbedder(tmp_path).embed(["tee"])
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    assert find_static(tmp_path) is None


def test_a_memory_with_it(tmp_path: Path) -> None:
    """A memory finds with it what shares no word's spelling, and is opened again by the folder's name."""
    folder = written(tmp_path / "tiny", embeddings=ROWS)
    for _ in range(2):
        with Memory.open(tmp_path / "memory.db", embedder=str(folder), extractor="none") as memory:
            memory.add([{"role": "user", "content": "ich wohne in oslo", "id": "1"}], user_id="ann")
            assert memory.search("oslo", user_id="ann")[0].text == "ich wohne in oslo"


@pytest.mark.slow
def test_without_torch(tmp_path: Path) -> None:
    """It needs numpy, safetensors and tokenizers, no more."""
    folder = written(tmp_path, embeddings=ROWS)
    code = f"import sys; from mem0g.embed import open_embedder; open_embedder({str(folder)!r}).embed(['tee'])"
    code += "; print([name for name in ('torch', 'model2vec', 'sentence_transformers') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
