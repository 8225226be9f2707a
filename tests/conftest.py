"""What all tests share."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.servers.fixtures", "tests.store.fixtures", "tests.chromium"]
pytest.register_assert_rewrite("mem0g.testing")

settings.register_profile("mem0g", deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("check", settings.get_profile("mem0g"), max_examples=5)  # for `make check`
settings.load_profile("mem0g")

for _name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MEM0G_MODEL", "MEM0G_STORE", "MEM0G_EMBEDDER"):
    os.environ.pop(_name, None)  # what a developer works with is nothing for tests: they would ask a model that is paid

# Keep bytecode: with PYTHONDONTWRITEBYTECODE every process that tests start compiles all that it imports, and pytest
# rewrites every assertion anew, which takes longer than many suites.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# As in a process of its own, the program's commands are made once: CliRunner recreates them for each call, in 0.1 s.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]

MEMORY, ROOM = Path("/dev/shm"), 4 << 30
"""A file system in memory, where there is one, and the bytes that must be free there to hold the tests' files: half of
the time that a new store takes is spent on waiting for a disk."""

if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background deaf to Ctrl-C, and so would be the programs that tests start and stop.
    signal.signal(signal.SIGINT, signal.default_int_handler)


gc.disable()  # until all is imported and collected, of which it takes a third of the time, with nothing to free


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through all that was imported and collected with every full collection."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def minilm() -> Iterator[None]:
    """The real weights are installed: `make test` installs them, so that a test that needs them never skips.

    They stay in memory, where embedders of this process share them.
    """
    from mem0g.embed import open_embedder

    embedder = open_embedder(None)
    assert embedder.embed(["hello"]).shape == (1, 384)
    yield
    del embedder


@pytest.fixture(scope="module")
def minilm_as_kept(minilm: None) -> Iterator[None]:
    """The vectors of MiniLM are as a file keeps them, which rounds them: so a server ranks what is near a tie alike."""
    from mem0g.embed.minilm import MiniLM
    from mem0g.store.sqlite.packing import packed, unpacked

    embed = MiniLM.embed
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MiniLM, "embed", lambda self, texts: unpacked(packed(embed(self, texts)), self.dimensions))
        yield


@pytest.fixture(scope="session")
def quick_embedder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of an embedder that takes hardly any time to load and run: MiniLM's word pieces with random vectors.

    For tests of commands and processes in which it does not matter what is near to what.
    """
    import numpy as np
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer

    from mem0g.embed.weights import Weights

    folder = tmp_path_factory.mktemp("embedder")
    tokenizer = Weights(cache=folder, hub=None).obtain() / "tokenizer.json"
    shutil.copy(tokenizer, folder)
    pieces = Tokenizer.from_file(str(tokenizer)).get_vocab_size()
    rows = np.random.default_rng(1).standard_normal((pieces, 64)).astype(np.float32)
    save_file({"embeddings": rows}, folder / "model.safetensors")
    return str(folder)


@pytest.fixture
def nowhere() -> str:
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio; trio is not installed."""
    return "asyncio"


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Where a program of that name is; the test is skipped, loudly, when it is not installed."""

    def find(name: str) -> str:
        place = shutil.which(name)
        if place is None:
            with capsys.disabled():
                sys.stdout.write(f"\nSKIPPED: {name} is not installed; what it would check is NOT checked\n")
            pytest.skip(f"{name} is not installed")
        return place

    return find
