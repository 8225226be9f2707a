"""Other processes of the tests: they ingest, or add without waiting, and may die of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mem0g.memory import Memory
from mem0g.settings import LLMSettings, Settings
from tests.llm.server import Server
from tests.pipeline.telling import ANN, EMBEDDER, MOVES, Place, likes, talk

if TYPE_CHECKING:
    from mem0g.model import Matrix

ROOT = Path(__file__).parents[2]
DIED = 9
"""The exit code of a process that died of a text."""


class Mortal:
    """The tests' embedder, which ends the process at once when it embeds ``fatal``, the text of a fact."""

    name, dimensions = EMBEDDER.name, EMBEDDER.dimensions

    def __init__(self, fatal: str) -> None:
        self._fatal = fatal

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder."""
        if self._fatal and self._fatal in texts:
            os._exit(DIED)
        return EMBEDDER.embed(texts)


def started(place: Place, server: Server, what: str, *, fatal: str = "", model: str = "tiny") -> subprocess.Popen[str]:
    """Start a process that runs ``what`` (the name of a function of this module), and dies of the text ``fatal``."""
    command = [sys.executable, "-c", f"from tests.pipeline.others import {what}; {what}()"]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=_environment(place, server, fatal, model),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for its end; return its exit code and its standard error."""
    _, said = process.communicate()
    return process.returncode, said


def ingest() -> None:
    """Ingest the moves, a message a window."""
    with _opened(window=1) as memory:
        list(memory.ingest(talk(*MOVES), **ANN))


def ingest_likes() -> None:
    """Ingest ten likes, two messages a window, several at a time."""
    with _opened(window=2) as memory:
        list(memory.ingest(likes(10), **ANN))


def add() -> None:
    """Add two messages without waiting, and exit at once."""
    memory = _opened()
    for _, who, words in MOVES[:2]:
        memory.add([{"role": "user", "name": who, "content": words}], wait=False, **ANN)
    os._exit(DIED)


def _opened(**given: Any) -> Memory:
    model = os.environ["TEST_MODEL"]
    settings = Settings.from_environment()
    llm = LLMSettings(base_url=settings.llm.base_url, model=model, retries=0, concurrency=2)
    return Memory.open(
        os.environ["MEM0G_STORE"],
        embedder=Mortal(os.environ["TEST_FATAL"]),
        extractor="llm",
        settings=Settings(llm=llm, credentials=settings.credentials, together=1, **given),
    )


def _environment(place: Place, server: Server, fatal: str, model: str) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "MEM0G_"))}
    given = {"MEM0G_STORE": place.address, "OPENAI_BASE_URL": server.base_url, "TEST_FATAL": fatal, "TEST_MODEL": model}
    if place.credentials:
        credentials = {name: getattr(place.credentials, name) for name in ("username", "password", "database")}
        given |= {f"NEO4J_{name.upper()}": value for name, value in credentials.items() if value}
    return kept | given
