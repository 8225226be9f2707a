"""What servers can do is found out once and remembered."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from mem0g.llm.openai_forms import CAPABILITY_LIFETIME, RequestForm, ServerCapabilities, shared_capabilities
from mem0g.times import now
from tests.llm.asking import GOOD, MemoryLedger, model, request
from tests.llm.server import content, serving

REFUSING = {"temperature": "temperature is not supported", "tools": "tools are not supported"}
FORM = RequestForm("JSON mode", frozenset({"temperature", "strict"}))


def known(path: Path, address: str = "http://a/v1") -> RequestForm | None:
    """What another process reads in the file."""
    ability = ServerCapabilities(path).get(address, "tiny")
    return ability.form if ability else None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "abilities.json"


def test_remembered_by_the_next(path: Path, ledger: MemoryLedger) -> None:
    """What one model had to find out, the next one of the same server and name is told: nothing is refused again."""
    with serving([content(json.dumps(GOOD))], refusing=REFUSING) as server:
        model(server, capabilities=ServerCapabilities(path)).ask(request("first"), ledger)
        asked = len(server.requests)
        tiny = model(server, capabilities=ServerCapabilities(path))
        tiny.ask(request(), ledger)
        assert tiny.provider.capability
        assert str(tiny.provider.capability.form) == "JSON schema without temperature"
    assert asked == 3
    assert len(server.requests) == 4


def test_remembered_in_the_process(ledger: MemoryLedger) -> None:
    """Without a file, what was found out lasts as long as the abilities."""
    abilities = ServerCapabilities()
    with serving([content(json.dumps(GOOD))], refusing=REFUSING) as server:
        model(server, capabilities=abilities).ask(request("first"), ledger)
        model(server, capabilities=abilities).ask(request(), ledger)
    assert len(server.requests) == 4


def test_of_server_and_model(path: Path) -> None:
    """An ability is one server's and one model's."""
    ServerCapabilities(path).remember("http://a/v1", "tiny", FORM)
    again = ServerCapabilities(path)
    assert known(path) == FORM
    assert again.get("http://b/v1", "tiny") is None
    assert again.get("http://a/v1", "big") is None


def test_file(path: Path) -> None:
    """The file is for people to read: by server and model, the mode and what it goes without."""
    ServerCapabilities(path).remember("http://a/v1", "tiny", FORM)
    entry = json.loads(path.read_text())["http://a/v1"]["tiny"]
    assert entry.pop("found").startswith(now().date().isoformat())
    assert entry == {"mode": "JSON mode", "without": ["strict", "temperature"]}
    assert list(path.parent.iterdir()) == [path]


def test_two_processes(path: Path) -> None:
    """What another has written since this one read the file is kept."""
    one, other = ServerCapabilities(path), ServerCapabilities(path)
    assert one.get("http://a/v1", "tiny") is None
    other.remember("http://a/v1", "tiny", FORM)
    one.remember("http://b/v1", "tiny", RequestForm())
    assert known(path) == FORM
    assert known(path, "http://b/v1") == RequestForm()


def test_threads(path: Path) -> None:
    """Threads that find out at once lose nothing."""
    abilities = ServerCapabilities(path)
    with ThreadPoolExecutor(8) as threads:
        for i in range(50):
            threads.submit(abilities.remember, f"http://{i}/v1", "tiny", RequestForm())
    assert all(known(path, f"http://{i}/v1") for i in range(50))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"http://a/v1": 1}',
        '{"http://a/v1": {"tiny": 1}}',
        '{"http://a/v1": {"tiny": {"mode": "telepathy", "without": [], "found": "2026-01-01T00:00:00+00:00"}}}',
        '{"http://a/v1": {"tiny": {"mode": "JSON mode", "without": ["x"], "found": "2026-01-01T00:00:00+00:00"}}}',
        '{"http://a/v1": {"tiny": {"mode": "JSON mode", "without": [], "found": "yesterday"}}}',
        '{"http://a/v1": {"tiny": {"mode": "JSON mode", "without": [], "found": "2026-01-01"}}}',
        '{"http://a/v1": {"tiny": {"mode": ["JSON mode"], "without": [[]], "found": 7}}}',
        "\udcff",
    ],
)
def test_broken_file(path: Path, text: str) -> None:
    """A file that cannot be read, or what cannot be read in it, says nothing and is written anew."""
    path.parent.mkdir()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert known(path) is None
    ServerCapabilities(path).remember("http://a/v1", "tiny", FORM)
    assert known(path) == FORM


def test_old(path: Path) -> None:
    """What was found out too long ago is asked again."""
    path.parent.mkdir()
    for age, form in (
        (CAPABILITY_LIFETIME - timedelta(hours=1), RequestForm("JSON mode")),
        (CAPABILITY_LIFETIME + timedelta(hours=1), None),
    ):
        entry = {"mode": "JSON mode", "without": [], "found": (now() - age).isoformat()}
        path.write_text(json.dumps({"http://a/v1": {"tiny": entry}}))
        assert known(path) == form


def test_file_that_cannot_be_written(tmp_path: Path) -> None:
    """Where the file cannot be written, what was found out lasts as long as the process."""
    (tmp_path / "file").touch()
    abilities = ServerCapabilities(tmp_path / "file" / "abilities.json")
    abilities.remember("http://a/v1", "tiny", FORM)
    ability = abilities.get("http://a/v1", "tiny")
    assert ability
    assert ability.form == FORM


def test_usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ledger: MemoryLedger) -> None:
    """A model that is given no abilities uses those in the user's cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with serving([content(json.dumps(GOOD))], refusing=REFUSING) as server:
        model(server, capabilities=None).ask(request(), ledger)
        assert shared_capabilities().path == tmp_path / "mem0g" / "language-models.json"
        assert known(tmp_path / "mem0g" / "language-models.json", server.base_url)
