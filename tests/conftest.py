"""What all tests share."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable
from functools import cache

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.servers.fixtures", "tests.store.fixtures", "tests.chromium"]
pytest.register_assert_rewrite("mem0g.testing.store_contract", "mem0g.testing.store_changes")

settings.register_profile("mem0g", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("check", settings.get_profile("mem0g"), max_examples=15)  # for `make check`
settings.load_profile("mem0g")

for _name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MEM0G_MODEL", "MEM0G_STORE", "MEM0G_EMBEDDER"):
    os.environ.pop(_name, None)  # what a developer works with is nothing for tests: they would ask a model that is paid

# Keep bytecode: with PYTHONDONTWRITEBYTECODE every process that tests start compiles all that it imports, and pytest
# rewrites every assertion anew, which takes longer than many suites.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# As in a process of its own, the program's commands are made once: CliRunner recreates them for each call, in 0.1 s.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background deaf to Ctrl-C, and so would be the programs that tests start and stop.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def minilm() -> None:
    """The real weights are installed: `make test` installs them, so that a test that needs them never skips."""
    from mem0g.embed import open_embedder

    assert open_embedder(None).embed(["hello"]).shape == (1, 384)


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
