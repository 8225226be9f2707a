"""A server that echoes the API key: it appears neither in the output of commands nor in any byte of the store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mem0g.cli.app import app
from tests.llm.server import Asked, Reply, call, serving
from tests.pipeline.scripted import PURPOSES, Prompt, good

KEY = "sk-proj-the-secret-key"
PASSWORD = "the-secret-password"
QUERY = "the-secret-query"


def echoing(status: int) -> Reply:
    said = f"Incorrect key: {KEY}, {PASSWORD}, {QUERY}"
    return Reply(json.dumps({"error": {"message": said, "code": said}}).encode(), status, {"retry-after-ms": "1"})


@pytest.mark.parametrize("status", [200, 400, 401, 404, 429, 500])
@pytest.mark.parametrize("extractor", ["llm", "rules"])
def test_nothing_is_printed_or_stored(
    tmp_path: Path, status: int, extractor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model or an embedder whose server echoes all that it is sent leaves no trace of it."""
    with serving([echoing(status)], everywhere=True) as server:
        address = server.base_url.replace("http://", f"http://bob:{PASSWORD}@") + f"?k={QUERY}"
        environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": address, "MEM0G_STORE": str(tmp_path / "memory.db")}
        embedder = [] if extractor == "llm" else ["--embedder", "openai:tiny"]
        done = CliRunner().invoke(
            app, ["add", "I live in Oslo.", "--user", "ann", "--extractor", extractor, *embedder], env=environment
        )
        assert done.exit_code == 1
        assert "***" in done.stderr or status == 200
        shown = CliRunner().invoke(app, ["stats", "--user", "ann"], env=environment)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (KEY, PASSWORD, QUERY):
        assert secret not in done.output + done.stderr + shown.output + shown.stderr
        assert secret.encode() not in written


def test_a_model_that_repeats_the_key(tmp_path: Path) -> None:
    """A fact that the model makes of the key does not contain it."""

    def answer(asked: Asked) -> Reply:
        prompt = Prompt.of(asked)
        given = good(prompt)
        for fact in given.get("facts", []):
            fact["sentence"] += f" {asked.headers['authorization']}"
        return call(given, name=next(name for name, purpose in PURPOSES.items() if purpose == prompt.purpose))

    with serving(answer) as server:
        store = str(tmp_path / "memory.db")
        environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url, "MEM0G_STORE": store}
        words = ["add", "Ann lives in Oslo.", "--user", "ann", "--extractor", "llm"]
        done = CliRunner().invoke(app, words, env=environment)
        facts = CliRunner().invoke(app, ["facts", "--user", "ann"], env=environment)
    assert done.exit_code == 0, done.stderr
    assert "Ann lives in Oslo. Bearer ***" in facts.output
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY.encode() not in written
