"""A memory behind the web application, and clients with keys of several kinds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from mem0g import Memory, Scope
from mem0g.serve.app import create_app
from mem0g.serve.keys import Grant, KeyFile

GRANTS = {
    "ann": Grant(scope=Scope(user_id="ann")),
    "reader": Grant(scope=Scope(user_id="ann"), read_only=True),
    "run": Grant(scope=Scope(user_id="ann", run_id="7")),
    "bob": Grant(scope=Scope(user_id="bob")),
    "all": Grant(),
}


@dataclass(frozen=True)
class Served:
    """The application, its memory, and the keys that open it, by name."""

    app: FastAPI
    memory: Memory
    keys: dict[str, str]
    client: TestClient

    def ask(self, method: str, path: str, *, key: str = "ann", **given: Any) -> Response:
        """Send a request with a key."""
        headers = {"Authorization": f"Bearer {self.keys[key]}"} | given.pop("headers", {})
        return self.client.request(method, path, headers=headers, **given)


@pytest.fixture
def key_file(tmp_path: Path) -> tuple[KeyFile, dict[str, str]]:
    """A file of keys, and the keys by name."""
    file = KeyFile(tmp_path / "keys.json")
    return file, {name: file.add(name, grant) for name, grant in GRANTS.items()}


@pytest.fixture
def served(memory: Memory, key_file: tuple[KeyFile, dict[str, str]]) -> Served:
    """The application with keys. It is not started, which takes time that only MCP needs."""
    file, keys = key_file
    app = create_app(memory, file)
    return Served(app, memory, keys, TestClient(app, raise_server_exceptions=False))
