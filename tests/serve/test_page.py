"""The live page as it is served: its files, its headers, and that it opens nothing by itself."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from mem0g import Memory, Scope
from mem0g.serve.app import create_app
from mem0g.views.webpage import GRAPH_SCRIPTS
from tests.serve.conftest import Served

PAGE = files("mem0g.serve") / "page"
FILES = {each.name: each.read_text(encoding="utf-8") for each in PAGE.iterdir()}
SCRIPTS = {name: text for name, text in FILES.items() if name.endswith(".js")}

on_a_file = pytest.mark.parametrize("memory", ["sqlite"], indirect=True)


@on_a_file
def test_the_page_is_served_without_a_key_and_the_memory_is_not(served: Served) -> None:
    """Its files hold nothing of a memory; whatever it shows it asks the API for."""
    assert served.client.get("/").status_code == 200
    head = served.client.head("/")
    assert (head.status_code, head.content) == (200, b"")
    assert served.client.get("/api/v1/me").status_code == 401


@on_a_file
def test_the_policy_lets_only_the_files_of_the_server_run(served: Served) -> None:
    """No script or style but its own files, no markup made from text, no frame around the page, no other address."""
    for path in ("/", "/page/main.js", "/page/graph/graph.css"):
        headers = served.client.get(path).headers
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        assert policy == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "connect-src": "'self'",
            "img-src": "data:",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
            "require-trusted-types-for": "'script'",
        }
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"


@on_a_file
def test_every_file_that_the_page_names_is_served(served: Served) -> None:
    """With its content type; and every file is named."""
    named = set(re.findall(r'(?:href|src)="/page/([^"]+)"', FILES["index.html"]))
    for text in SCRIPTS.values():
        named |= set(re.findall(r'(?:from|import) "\./([^"]+)"', text))
    named |= set(re.findall(r'href="/page/([^"]+)"', served.client.get("/docs").text))
    assert named == {*FILES.keys() - {"index.html"}, "graph/graph.css", *(f"graph/{name}" for name in GRAPH_SCRIPTS)}
    kinds = {"js": "text/javascript", "css": "text/css", "html": "text/html"}
    for name in (*named, "index.html"):
        answer = served.client.get(f"/page/{name}")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == f"{kinds[name.rpartition('.')[2]]}; charset=utf-8"


@on_a_file
def test_nothing_else_is_served(served: Served) -> None:
    """No other file of the package."""
    outside = ("../webpage.py", "..%2Fwebpage.py", "%2e%2e/app.py", "graph/../../app.py")
    for path in ("nothing.js", *outside, "graph/", "graph/graph.html"):
        answer = served.client.get(f"/page/{path}")
        assert answer.status_code in (401, 404), path
        assert "import" not in answer.text, path


def test_nothing_is_written_into_the_page() -> None:
    """No script, style or handler inline, which the policy forbids, and no address of another server."""
    page = FILES["index.html"]
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=", page) == []
    assert re.findall(r"https?:|\bwss?:|//\w+\.\w", page + "".join(SCRIPTS.values()) + FILES["page.css"]) == []


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_text_is_only_put_in_as_text(name: str) -> None:
    """Nothing parses markup or code; only api.js sends requests and knows the key."""
    found = re.findall(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc", SCRIPTS[name]
    )
    assert found == []
    assert (name == "api.js") == bool(re.search(r"\bfetch\(|Authorization|sessionStorage", SCRIPTS[name]))
    assert "localStorage" not in SCRIPTS[name]
    assert SCRIPTS[name].startswith("// ")


def test_the_scripts_are_javascript(program: Callable[[str], str]) -> None:
    """Node finds no syntax error; a module is parsed when it is made, and needs what it imports only later."""
    source = "for (const [name, text] of Object.entries(SCRIPTS)) new vm.SourceTextModule(text, {identifier: name});"
    script = f"const vm = require('node:vm'); const SCRIPTS = {json.dumps(SCRIPTS)}; {source}"
    node = [program("node"), "--no-warnings", "--experimental-vm-modules"]
    done = subprocess.run(node, input=script, capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0)


@on_a_file
def test_a_page_that_only_reads_cannot_write(tmp_path: Path, memory: Memory) -> None:
    """What `mem0g view` serves refuses every request that writes, whatever the page shows."""
    memory.add_fact("I like jazz.", user_id="ann")
    (fact,) = memory.facts(user_id="ann")
    app = create_app(memory, scope=Scope(user_id="ann"), read_only=True)
    client = TestClient(app, base_url="http://127.0.0.1")
    assert client.get("/api/v1/me").json() == {"scope": {"user_id": "ann"}, "read_only": True}
    assert client.get("/api/v1/search", params={"query": "music"}).status_code == 200
    paths = client.get("/openapi.json").json()["paths"]
    writing = [(method, path) for path, found in paths.items() for method in found if method != "get"]
    reading = {"/v3/memories/search/", "/v3/memories/"}
    for method, path in writing:
        answer = client.request(method, re.sub(r"{.*?}", fact.id, path), json={})
        assert answer.status_code in ((403, 422) if path not in reading else (200, 400, 403, 422)), (method, path)
    assert memory.facts(user_id="ann") == (fact,)
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
