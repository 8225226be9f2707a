"""The HTTP API, from a request to its status and body."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi.testclient import TestClient

from mem0g import LLMSettings, Memory, Scope, Settings
from mem0g.errors import UnreachableStoreError, UnusableReplyError
from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from mem0g.model import Triple
from mem0g.serve.app import MAX_BODY, create_app
from mem0g.serve.jobs import STOPPED, UNAVAILABLE, UNUSABLE, Jobs
from mem0g.serve.keys import KeyFile
from mem0g.testing import HashingEmbedder
from mem0g.times import now
from tests.llm.server import call, refused, serving
from tests.serve.conftest import Served

OSLO = {"role": "user", "content": "I moved to Oslo in May 2024."}


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_messages_become_a_job_whose_progress_can_be_followed(served: Served) -> None:
    """They are stored before the answer comes; events end when nothing waits, with the facts."""
    answer = served.ask("POST", "/api/v1/messages", json={"messages": [OSLO]})
    assert answer.status_code == 202
    assert len(served.memory.messages(user_id="ann")) == 1
    job = answer.json()["job"]
    with served.client.stream(
        "GET", f"/api/v1/jobs/{job}/events", headers={"Authorization": f"Bearer {served.keys['ann']}"}
    ) as events:
        data = [json.loads(line[6:]) for line in events.iter_lines() if line.startswith("data: ")]
    assert data[-1]["status"] == "done"
    assert [fact["text"] for fact in data[-1]["facts"]] == ["ann moved to Oslo in May 2024."]
    assert served.ask("GET", f"/api/v1/jobs/{job}").json() == data[-1]
    assert served.ask("GET", f"/api/v1/jobs/{job}", key="bob").status_code == 403
    assert served.ask("GET", "/api/v1/jobs/j_0").status_code == 404


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_context_can_be_checked(served: Served) -> None:
    """With a language model the answer says what the text does not tell; without one, what is missing is said."""
    served.memory.add(str(OSLO["content"]), user_id="ann")
    query = {"query": "Why did ann move to Oslo?", "check": "true"}
    refused = served.ask("GET", "/api/v1/context", params=query)
    assert (refused.status_code, refused.json()["detail"]) == (400, "a check of the context needs a language model")
    with serving([call({"found": "", "missing": "why", "known": False}, "check")]) as server:
        llm = LLMSettings(model="tiny", base_url=server.base_url)
        served.memory.settings = replace(served.memory.settings, llm=llm)
        found = served.ask("GET", "/api/v1/context", key="reader", params=query).json()
    assert (found["known"], found["missing"]) == (False, "why")
    assert "Oslo" in found["text"]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_job_is_open_to_keys_that_cover_its_scope(served: Served) -> None:
    """Another owner's key, and one of a narrower scope, see neither its state nor its events."""
    sent: dict[str, dict[str, str]] = {"ann": {}, "run": {}, "all": {"agent_id": "helper"}}
    jobs = {
        key: served.ask("POST", "/api/v1/messages", key=key, json={"messages": [OSLO], **scope}).json()["job"]
        for key, scope in sent.items()
    }
    served.memory.flush()
    opened = {"ann": ["ann", "run"], "run": ["run"], "bob": [], "all": ["ann", "run", "all"]}
    for key, own in opened.items():
        for owner, job in jobs.items():
            for path in (f"/api/v1/jobs/{job}", f"/api/v1/jobs/{job}/events"):
                answer = served.ask("GET", path, key=key)
                assert answer.status_code == (200 if owner in own else 403), (key, owner, path)
                assert ("Oslo" in answer.text) == (owner in own)
                assert owner in own or "user_id" not in answer.text
    assert served.ask("GET", "/api/v1/jobs/j_0/events").status_code == 404


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_what_is_named_by_its_id_is_of_the_keys_scope(served: Served) -> None:
    """A key of one run, and one of another user, find nothing of what the user said outside of it."""
    served.memory.add(str(OSLO["content"]), user_id="ann")
    (fact,), (said,) = served.memory.facts(user_id="ann"), served.memory.messages(user_id="ann")
    (decision,) = served.memory.decisions(user_id="ann", about=fact.id)
    facts = ("", "/why", "/possibly-outdated")
    paths: list[tuple[str, str, Any]] = [("GET", f"/api/v1/facts/{fact.id}{part}", None) for part in facts]
    paths += [("GET", f"/api/v1/{kind}/{each}", None) for kind in ("entities", "history") for each in ("Oslo", fact.id)]
    paths += [("GET", f"/api/v1/{path}", None) for path in (f"messages/{said.id}/conversation", "graph?entity=Oslo")]
    paths += [("PATCH", f"/api/v1/facts/{fact.id}", {"text": "x"}), ("POST", f"/api/v1/facts/{fact.id}/retire", {})]
    paths += [("POST", f"/api/v1/decisions/{decision.id}/undo", {}), ("DELETE", f"/api/v1/records/{said.id}", None)]
    for path in (f"{fact.id}/", f"{said.id}/", f"{fact.id}/history/"):
        paths.append(("GET", f"/v1/memories/{path}", None))
    paths += [("PUT", f"/v1/memories/{fact.id}/", {"text": "x"}), ("DELETE", f"/v1/memories/{fact.id}/", None)]
    paths += [("DELETE", "/v1/batch/", {"memories": [{"memory_id": fact.id}]})]
    before = served.memory.stats(all_scopes=True)
    for key in ("run", "bob"):
        for method, path, body in paths:
            given: dict[str, Any] = {} if body is None else {"json": body}
            answer = served.ask(method, path, key=key, **given)
            assert answer.status_code == 404, (method, path, answer.text)
            assert "moved" not in answer.text
    assert served.memory.stats(all_scopes=True) == before


class Picky:
    """An extractor that cannot read some messages."""

    name = "picky"

    def extract(self, window: Window) -> tuple[Triple, ...]:
        """Find nothing."""
        if any("unreadable" in message.text for message in window.messages):
            raise UnusableReplyError("no usable reply")
        return ()


def test_a_job_is_about_its_own_messages(tmp_path: Path) -> None:
    """What waits of other jobs in the scope is not its own; messages sent again wait as the first time."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor=Picky()) as memory:
        jobs, texts = Jobs(memory), {"1": "unreadable", "2": "hello"}
        added = []
        for key in ("1", "2", "1"):
            stored = memory.add([{"role": "user", "content": texts[key], "id": key}], user_id="ann", wait=False)
            added.append(jobs.add(Scope("ann"), now(), stored))
            memory.flush()
        states = [jobs.state(job) for job in added]
        assert [(each["status"], each["waiting"]) for each in states] == [("failed", 1), ("done", 0), ("failed", 1)]
        assert states[0]["reason"] == UNUSABLE


class Locking(RulesExtractor):
    """An extractor that keeps the store's file locked from then on, so that nothing can be committed or noted."""

    def __init__(self, path: Path) -> None:
        self.holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    def extract(self, window: Window) -> tuple[Triple, ...]:
        """Lock the file, and extract as the rules do."""
        self.holder.execute("BEGIN IMMEDIATE")
        return super().extract(window)


def test_a_job_whose_store_cannot_be_written_has_failed(tmp_path: Path) -> None:
    """Not even the problem can be noted with what waits, but nobody waits for a job in vain."""
    given: dict[str, Any] = {"embedder": HashingEmbedder(), "settings": Settings(lock_timeout=0.05)}
    path = tmp_path / "memory.db"
    extractor = Locking(path)
    with closing(extractor.holder), Memory.open(path, extractor=extractor, **given) as memory:
        jobs, since = Jobs(memory), now()
        job = jobs.add(Scope("ann"), since, memory.add("I live in Oslo.", user_id="ann", wait=False))
        memory.writer.wait()
        state = jobs.state(job)
        assert (state["status"], state["reason"], state["waiting"]) == ("failed", STOPPED, 1)
        extractor.holder.execute("ROLLBACK")
        extractor.holder.close()


def test_nobody_follows_a_job_when_the_server_stops(tmp_path: Path) -> None:
    """The events end though what is extracted does not, as the server waits for all that it sends."""
    answered = Event()

    class Slow(RulesExtractor):
        def extract(self, window: Window) -> tuple[Triple, ...]:
            assert answered.wait(60)
            return super().extract(window)

    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor=Slow()) as memory:
        jobs = Jobs(memory)
        job = jobs.add(Scope("ann"), now(), memory.add("I live in Oslo.", user_id="ann", wait=False))

        async def followed() -> list[str]:
            found = []
            async for state in jobs.follow(job):
                found.append(state["status"])
                jobs.stop()
            return found

        assert asyncio.run(asyncio.wait_for(followed(), 30)) == ["running"]
        answered.set()


def test_a_job_that_failed_says_so_and_the_log_says_why(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """In one line without the key and the message; the client is not shown the address of the model."""
    with serving([refused(401, "the key a-secret-key is no good")]) as server:
        settings = Settings(llm=LLMSettings(model="tiny", base_url=server.base_url, api_key="a-secret-key"))
        with Memory.open(
            tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="llm", settings=settings
        ) as memory:
            client = TestClient(create_app(memory, scope=Scope(user_id="ann")), base_url="http://localhost")
            job = client.post("/api/v1/messages", json={"messages": [OSLO]}).json()["job"]
            memory.writer.wait()
            answer = client.get(f"/api/v1/jobs/{job}")
    state = answer.json()
    assert (state["status"], state["reason"], state["waiting"]) == ("failed", UNAVAILABLE, 1)
    assert "mem0g retry" in state["hint"]
    (logged,) = [each.getMessage() for each in caplog.records if each.name == "mem0g.ingest.background"]
    assert "extraction in the memory of user_id=ann stopped" in logged
    assert "is no good" in logged
    assert "\n" not in logged
    assert not [each for each in ("a-secret-key", "Oslo") if each in logged + answer.text]
    assert server.url not in answer.text


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_message_with_an_id_is_stored_once(served: Served) -> None:
    """A client may send it again when an answer was lost; it learns the ids, and that an edited text is not stored."""
    said = {**OSLO, "id": "1"}
    sent = [said, said, {**said, "content": "I live in Rome."}]
    first, again, edited = (served.ask("POST", "/api/v1/messages", json={"messages": [each]}).json() for each in sent)
    assert [first["known"], again["known"], edited["known"]] == [0, 1, 1]
    assert first["message_ids"] == again["message_ids"] == edited["differing"]
    assert first["differing"] == again["differing"] == []
    assert served.ask("DELETE", f"/api/v1/records/{first['message_ids'][0]}").json()["messages"] == 1


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_messages_are_sent_as_a_chat_api_has_them(served: Served) -> None:
    """With calls of tools, refusals, newer and older roles; what has no text is left out."""
    call = {"id": "c_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    chat = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "How is the weather?"}], "timestamp": 1714633200},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c_1", "content": "sunny"},
        {"role": "assistant", "content": "It is sunny.", "annotations": [], "refusal": None, "audio": None},
        {"role": "assistant", "content": None, "refusal": "I cannot say."},
    ]
    assert served.ask("POST", "/api/v1/messages", json={"messages": chat}).json()["messages"] == 5
    stored = served.ask("GET", "/api/v1/messages").json()
    assert [each["role"] for each in stored] == ["system", "user", "tool", "assistant", "assistant"]
    assert stored[1]["time"] == "2024-05-02T07:00:00Z"
    assert stored[-1]["text"] == "I cannot say."


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_what_is_known_can_be_read(served: Served) -> None:
    """Search, context, facts, entities, history, evidence, log, counts and export."""
    served.memory.add(str(OSLO["content"]), user_id="ann")
    (fact,) = served.memory.facts(user_id="ann")

    def read(path: str, **query: Any) -> Any:
        answer = served.ask("GET", f"/api/v1/{path}", key="reader", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert read("search", query="Where does ann live?")[0]["fact"]["id"] == fact.id
    assert "Oslo" in read("context", query="Where does ann live?", tokens=100)["text"]
    (said,) = served.memory.messages(user_id="ann")
    hits, context = (
        read(path, query="Where does ann live?", exclude=[said.id, "m_0"]) for path in ("search", "context")
    )
    assert [hit["message"] for hit in hits] == [None]
    assert {(hit["message"] or {}).get("id") for hit in context["hits"]} == {None}
    assert [each["id"] for each in read("facts", entity="Oslo", relation="lives in")] == [fact.id]
    assert read("facts", relation="speaks") == []
    unknown = served.ask("GET", "/api/v1/facts", key="reader", params={"relation": "livs_in"})
    assert (unknown.status_code, "LIVES_IN" in unknown.json()["hint"]) == (404, True)
    assert read(f"facts/{fact.id[:10]}")["current"] is True
    assert read(f"facts/{fact.id}/why")["evidence"][0]["text"] == OSLO["content"]
    assert {each["name"] for each in read("entities")} == {"ann", "Oslo"}
    assert read("entities/Oslo")["name"] == "Oslo"
    assert [each["id"] for each in read("history/Oslo")["facts"]] == [fact.id]
    assert read("messages")[0]["text"] == OSLO["content"]
    assert read("decisions", about=fact.id)[0]["operation"] == "ADD"
    assert (read("stats")["facts"], read("costs")) == (1, [])
    exported = served.ask("GET", "/api/v1/export").text.splitlines()
    assert {json.loads(line).get("kind") for line in exported} >= {"messages", "entities", "facts", "decisions"}


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_name_with_a_slash_is_reached_by_its_path(served: Served) -> None:
    """Quoted as a client has to quote it; a user's too, whose memory mem0's client deletes."""
    added = {"subject": "Ann", "relation": "works_at", "object": "AC/DC Records"}
    assert served.ask("POST", "/api/v1/facts", json=added).status_code == 201
    assert served.ask("GET", "/api/v1/entities/AC%2FDC%20Records").json()["name"] == "AC/DC Records"
    (fact,) = served.ask("GET", "/api/v1/history/AC%2FDC%20Records").json()["facts"]
    assert fact["object"] == "AC/DC Records"
    assert "/api/v1/entities/{entity}" in served.client.get("/openapi.json").json()["paths"]
    served.memory.add("I like tea.", user_id="ann/home")
    assert served.ask("DELETE", "/v2/entities/user/ann%2Fhome/", key="all").status_code == 200
    assert [scope.user_id for scope in served.memory.store.scopes()] == ["ann"]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_slash_at_the_end_of_a_path_changes_nothing(served: Served) -> None:
    """Of a list, with its query, and of one name."""
    added = {"subject": "Ann", "relation": "works_at", "object": "AC/DC Records"}
    assert served.ask("POST", "/api/v1/facts", json=added).status_code == 201
    for path in ("entities", "entities/Ann", "entities/AC%2FDC%20Records", "history/Ann", "facts", "stats"):
        plain, slashed = (served.ask("GET", f"/api/v1/{path}{end}", key="reader") for end in ("", "/"))
        assert (slashed.status_code, slashed.json()) == (200, plain.json()), path
    (one,) = served.ask("GET", "/api/v1/entities/?limit=1").json()
    assert one["facts"] == 1
    assert served.ask("GET", "/api/v1/history/").status_code == 404
    assert served.client.get("/api/v1/entities/Ann/").status_code == 401
    assert "/api/v1/entities/" not in served.client.get("/openapi.json").json()["paths"]


def test_metadata_and_filters(served: Served) -> None:
    """Metadata of all messages, of one, and of a fact; filters are JSON, and a broken one is refused with a hint."""
    tea = {"role": "user", "content": "I like tea.", "metadata": {"topic": "food"}}
    sent = served.ask("POST", "/api/v1/messages", json={"messages": [OSLO, tea], "metadata": {"topic": "home", "n": 1}})
    assert sent.status_code == 202
    served.memory.flush()
    bea = {"subject": "Ann", "relation": "knows", "object": "Bea", "metadata": {"topic": "people"}}
    assert served.ask("POST", "/api/v1/facts", json=bea).status_code == 201

    def read(path: str, filters: object, **query: Any) -> Any:
        text = filters if isinstance(filters, str) else json.dumps(filters)
        return served.ask("GET", f"/api/v1/{path}", key="reader", params={"filters": text, **query})

    for topic, name in (("food", "tea"), ("home", "Oslo"), ("people", "Bea")):
        wanted = {"metadata.topic": topic}
        assert [fact["object"] for fact in read("facts", wanted).json()] == [name]
        hits = read("search", wanted, query="What does ann like?").json()
        assert {(hit["fact"] or hit["message"])["metadata"]["topic"] for hit in hits} == {topic}
        assert name in read("context", wanted, query="What does ann like?", fill=True).text
    for broken, problem in (
        ("{", "not JSON"),
        ("[" * 20_000, "not JSON"),
        ("[]", "not a JSON object"),
        ({"colour": 1}, "unknown field"),
        ({"metadata.n": {"$regex": "x"}}, "unknown operator"),
        ({"said_at": {"$gt": "soon"}}, "soon"),
    ):
        for path, query in (("search", {"query": "x"}), ("context", {"query": "x"}), ("facts", {})):
            answer = read(path, broken, **query)
            assert (answer.status_code, problem in answer.json()["detail"]) == (400, True), answer.text
            assert answer.json()["hint"]
    before = served.memory.stats(user_id="ann")
    for status, body in (
        (422, {"messages": [OSLO], "metadata": ["a"]}),
        (400, {"messages": [{**OSLO, "metadata": {"a": "x" * 20_000}}]}),
    ):
        assert served.ask("POST", "/api/v1/messages", json=body).status_code == status
    assert served.memory.stats(user_id="ann") == before


def test_what_is_known_can_be_changed(served: Served) -> None:
    """Add, correct, retire, undo, merge, unmerge, erase and forget."""

    def change(method: str, path: str, status: int = 200, **given: Any) -> Any:
        answer = served.ask(method, f"/api/v1/{path}", **given)
        assert answer.status_code == status, answer.text
        return answer.json()

    added = change("POST", "facts", 201, json={"subject": "Ann", "relation": "lives_in", "object": "Oslo"})
    old = added["changes"][0]["fact_id"]
    change("PATCH", f"facts/{old}", json={"object": "Bergen"})
    (new,) = served.memory.facts(user_id="ann")
    assert new.object == "Bergen"
    ended = change("POST", f"facts/{new.id}/retire", json={"reason": "moved away", "valid_to": "2024-06"})
    assert served.memory.facts(user_id="ann") == ()
    change("POST", f"decisions/{ended['id']}/undo", json={})
    assert [each.id for each in served.memory.facts(user_id="ann")] == [new.id]
    change("POST", "facts", 201, json={"subject": "Annie", "relation": "likes", "object": "jazz"})
    change("POST", "entities/merge", json={"entity": "Ann", "other": "Annie"})
    assert served.memory.entity("Annie", user_id="ann").name == "Ann"
    change("POST", "entities/unmerge", json={"entity": "Ann", "other": "Annie"})
    assert change("DELETE", f"records/{new.id}")["facts"] == 1
    port = {"subject": "Atlas", "relation": "listens_on_port"}
    changes = [change("POST", "facts", 201, json=port | {"object": each})["changes"][0] for each in ("8443", "9443")]
    named = change("GET", f"facts/{changes[1]['fact_id']}/possibly-outdated")
    assert [each["id"] for each in named] == [changes[0]["fact_id"]]
    change("DELETE", "memory")
    assert not served.memory.stats(user_id="ann").facts


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_every_path_needs_a_key(served: Served) -> None:
    """None answers without one, but the one that says that the server lives, and the description of the API."""
    paths = served.client.get("/openapi.json").json()["paths"]
    assert len(paths) > 30
    for path, operations in paths.items():
        for method in operations:
            for headers in ({}, {"Authorization": "Bearer m0g_wrong"}, {"Authorization": "Basic eDp5"}):
                status = served.client.request(
                    method, re.sub(r"{.*?}", "x", path), headers=headers, json={}
                ).status_code
                assert status == (200 if path == "/health" else 401), (method, path)
    assert served.client.post("/mcp", json={}).status_code == 401


def test_a_key_opens_its_scope_alone(served: Served) -> None:
    """Another user is refused by name, and unknown by id; a key that reads does not write."""
    served.memory.add(str(OSLO["content"]), user_id="ann")
    (fact,) = served.memory.facts(user_id="ann")
    for path in ("search?query=Oslo", "context?query=Oslo", "facts", "entities", "messages", "stats", "export"):
        mark = "&" if "?" in path else "?"
        assert served.ask("GET", f"/api/v1/{path}{mark}user_id=ann", key="bob").status_code == 403
        assert "Oslo" not in served.ask("GET", f"/api/v1/{path}", key="bob").text.replace("query", "")
    reads = [("GET", path) for path in ("", "/why", "/possibly-outdated")]
    for method, path in (*reads, ("PATCH", ""), ("POST", "/retire")):
        given = {} if method == "GET" else {"json": {"text": "x"} if method == "PATCH" else {}}
        assert served.ask(method, f"/api/v1/facts/{fact.id}{path}", key="bob", **given).status_code == 404
    assert served.ask("DELETE", f"/api/v1/records/{fact.id}", key="bob").status_code == 404
    for method, path in (
        ("POST", "messages"),
        ("POST", "facts"),
        ("DELETE", "memory"),
        ("DELETE", f"records/{fact.id}"),
    ):
        assert served.ask(method, f"/api/v1/{path}", key="reader", json={"messages": [OSLO]}).status_code in (403, 422)
    assert served.memory.facts(user_id="ann") == (fact,)


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_key_of_a_scope_reaches_runs_within_it(served: Served) -> None:
    """What the request leaves out is the key's; the whole store's key must be told whose memory it is about."""
    answer = served.ask("POST", "/api/v1/facts", json={"text": "I like jazz.", "run_id": "7"})
    assert answer.status_code == 201
    assert served.memory.facts(run_id="7")[0].scope == Scope(user_id="ann", run_id="7")
    assert served.ask("GET", "/api/v1/facts", key="all").status_code == 400
    assert len(served.ask("GET", "/api/v1/facts", key="all", params={"user_id": "ann"}).json()) == 1


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("method", "path", "body", "status", "detail"),
    [
        ("GET", "search?query=", None, 400, "the question is empty"),
        ("GET", "search", None, 422, "query: Field required"),
        ("GET", "search?query=x&as_of=soon", None, 400, "cannot read the time 'soon'"),
        ("GET", "search?query=x&limit=0", None, 422, "limit: "),
        ("GET", "facts?entity=nobody", None, 404, "no entity 'nobody'"),
        ("GET", "facts/f_0", None, 404, "no fact 'f_0'"),
        ("POST", "facts", {"text": "x", "colour": "blue"}, 422, "colour: Extra inputs are not permitted"),
        ("POST", "facts", {"subject": "a"}, 400, "a fact needs a text"),
        (
            "POST",
            "facts",
            {"text": "x", "valid_from": "2025", "valid_to": "2020"},
            400,
            "2020, is before its beginning, 2025",
        ),
        ("POST", "messages", {"messages": []}, 422, "messages: "),
        ("POST", "messages", {"messages": [{"role": "king", "content": "x"}]}, 422, "messages.0.role: "),
        ("POST", "messages", {"messages": [{"role": "user", "content": "x" * 1_000_001}]}, 400, "1,000,001 characters"),
        ("POST", "messages", {"messages": [{"role": "user", "content": "x", "timestamp": "soon"}]}, 400, "soon"),
        ("POST", "messages", {"messages": [{"role": "user", "content": "x", "timestamp": True}]}, 422, "timestamp"),
        ("POST", "messages?user_id=bob", "not JSON", 422, ""),
        ("POST", "facts", None, 422, "body: Field required"),
        ("POST", "facts", ["I like tea."], 422, "body: Input should be a valid dictionary"),
        ("POST", "decisions/d_0/undo", {}, 404, "no decision 'd_0'"),
        ("POST", "decisions/d_0/undo", None, 404, "no decision 'd_0'"),
        ("POST", "facts/f_0/retire", None, 404, "no fact 'f_0'"),
        ("DELETE", "records/x", None, 404, ""),
        ("GET", "nothing", None, 404, ""),
        ("GET", "facts?run_id=7&run_id=8", None, 422, "query parameter 'run_id' is given more than once"),
        ("GET", "facts?run=7", None, 422, "unknown query parameter 'run'"),
        ("GET", "facts", {"run_id": "7"}, 422, "a GET of this path has no body"),
        ("GET", "me?user_id=bob", None, 422, "unknown query parameter 'user_id'"),
        ("GET", "jobs/j_0?run_id=7", None, 422, "unknown query parameter 'run_id'"),
        ("POST", "facts?run_id=8", {"text": "I like tea."}, 422, "unknown query parameter 'run_id'"),
        ("POST", "messages?run_id=8", {"messages": [OSLO]}, 422, "unknown query parameter 'run_id'"),
    ],
)
def test_bad_requests_get_a_status_and_one_line(
    served: Served, method: str, path: str, body: object, status: int, detail: str
) -> None:
    """And write nothing."""
    given: dict[str, Any] = {} if body is None else {"json": body}
    answer = served.ask(method, f"/api/v1/{path}", **given)
    assert answer.status_code == status, answer.text
    if detail:
        assert detail in answer.json()["detail"]
        assert "\n" not in answer.json()["detail"]
    assert not served.memory.stats(user_id="ann").messages


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"text": "I like tea."}', "application/x-www-form-urlencoded"),  # what curl sends unless told otherwise
        (b'{"text": "I like', "application/json"),
        (b"\xff\xfe", "application/json"),
    ],
)
def test_a_body_that_is_not_json_is_said_to_be_none(served: Served, body: bytes, kind: str) -> None:
    answer = served.ask("POST", "/api/v1/facts", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 422, answer.text
    assert answer.json()["detail"] == "the body cannot be read as JSON"
    assert "application/json" in answer.json()["hint"]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_misspelt_or_misplaced_scope_deletes_nothing(served: Served) -> None:
    """A deletion that leaves part of its request unread might be of more than was meant."""
    served.memory.add(str(OSLO["content"]), user_id="ann")
    (said,) = served.memory.messages(user_id="ann")
    misspelt = [f"/api/v1/{path}?run=7" for path in ("memory", f"records/{said.id}")]
    misspelt += ["/v1/memories/?user_id=ann&run=7", f"/v1/memories/{said.id}/?run=7", "/v2/entities/user/ann/?run_id=7"]
    misplaced = ["/api/v1/memory", f"/api/v1/records/{said.id}", "/v1/memories/?user_id=ann", "/v2/entities/user/ann/"]
    for path in (*misspelt, *misplaced):
        given: dict[str, Any] = {"json": {"run_id": "7"}} if path in misplaced else {}
        answer = served.ask("DELETE", path, **given)
        assert answer.status_code == 422, (path, answer.text)
        assert answer.json()["hint"]
    assert served.memory.messages(user_id="ann") == (said,)
    assert served.ask("DELETE", "/api/v1/memory?run_id=7").json()["messages"] == 0
    assert served.ask("DELETE", "/api/v1/memory?user_id=ann").json()["messages"] == 1


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_an_oversized_body_is_refused(served: Served) -> None:
    """Before it is read."""
    body = b'{"messages": "' + b"x" * MAX_BODY + b'"}'
    for content in (body, iter([body])):  # with its length, and in chunks
        answer = served.ask("POST", "/api/v1/messages", content=content, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()) == (413, {"detail": "Content Too Large"})
        assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_lost_store_is_no_secret_and_no_traceback(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of the store, which may hold a password, stays in the log."""

    def lost(*_: object, **__: object) -> None:
        raise UnreachableStoreError("no server answers at neo4j://neo4j:secret@db.internal", hint="start it")

    monkeypatch.setattr(Memory, "stats", lost)
    answer = served.ask("GET", "/api/v1/stats")
    assert (answer.status_code, answer.json()) == (503, {"detail": "the memory cannot be used now; try again"})

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(Memory, "stats", broken)
    answer = served.ask("GET", "/api/v1/stats")
    assert (answer.status_code, "secret" in answer.text) == (500, False)


def test_without_keys_only_this_computer_is_answered(tmp_path: Path) -> None:
    """A page whose name resolves to this computer sends its own Host."""
    with Memory.open(tmp_path / "memory.db", extractor="none") as memory:
        client = TestClient(create_app(memory, scope=Scope(user_id="ann")), base_url="http://localhost")
        assert client.get("/api/v1/stats").status_code == 200
        assert client.get("/api/v1/stats?user_id=bob").status_code == 403
        refused = client.get("/api/v1/stats", headers={"Host": "evil.example"})
        assert (refused.status_code, refused.json()) == (400, {"detail": "Invalid host header"})


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_the_api_describes_itself(served: Served) -> None:
    """Each operation of the API has a description."""
    document = served.client.get("/openapi.json").json()
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert all(operation["description"] for operation in operations)


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_errors_and_keys_are_as_the_api_describes_them(served: Served) -> None:
    """Every operation but the sign of life names the key and the body of errors; an export is no JSON document."""
    document = served.client.get("/openapi.json").json()
    problem = document["components"]["schemas"]["Problem"]
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if path != "/health":
                assert operation["security"] == [{"HTTPBearer": []}], path
                for status in ("4XX", "5XX"):
                    (content,) = operation["responses"][status]["content"].values()
                    assert content["schema"] == {"$ref": "#/components/schemas/Problem"}, path
                assert "422" not in operation["responses"]
    assert document["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"
    for path in ("facts?limit=x", "facts?entity=nobody"):
        answer = served.ask("GET", f"/api/v1/{path}").json()
        assert set(problem["required"]) <= set(answer) <= set(problem["properties"])
        assert all(isinstance(each, str) for each in answer.values())
    kinds = document["paths"]["/api/v1/export"]["get"]["responses"]["200"]["content"]
    assert [served.ask("GET", "/api/v1/export").headers["content-type"]] == list(kinds)


def test_keys_are_kept_as_hashes(tmp_path: Path) -> None:
    """In a file that only its owner can read; a file that is something else is refused."""
    from mem0g.errors import InputError, NotFoundError
    from mem0g.serve.keys import Grant

    file = KeyFile(tmp_path / "keys.json")
    secret = file.add("phone", Grant(scope=Scope(user_id="ann"), read_only=True))
    text = file.path.read_text()
    assert secret not in text
    assert file.path.stat().st_mode & 0o077 == 0
    again = KeyFile(file.path)
    assert again.find(secret) == Grant(scope=Scope(user_id="ann"), read_only=True)
    assert again.find(secret + "x") is None
    with pytest.raises(InputError, match="there is a key 'phone' already"):
        again.add("phone", Grant())
    again.remove("phone")
    assert KeyFile(file.path).find(secret) is None
    with pytest.raises(NotFoundError, match="no key 'phone'"):
        again.remove("phone")
    for content in ("{}", "[", '{"keys": [{"name": 1}]}', '{"keys": 7}'):
        file.path.write_text(content)
        with pytest.raises(InputError, match="is not a file of keys"):
            KeyFile(file.path)


def test_keys_are_added_by_several_at_once(tmp_path: Path) -> None:
    """Each change is made to what the file holds then, and no other is lost."""
    from mem0g.serve.keys import Grant

    path = tmp_path / "keys.json"
    first, second = KeyFile(path), KeyFile(path)
    secrets = [first.add("phone", Grant()), second.add("laptop", Grant())]
    assert all(KeyFile(path).find(secret) for secret in secrets)
    second.remove("phone")
    assert [key.name for key in KeyFile(path)] == ["laptop"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_a_page_elsewhere_cannot_write_through_the_browser(kind: str, tmp_path: Path) -> None:
    """A browser sends these bodies to any address without asking; JSON it asks for first, and is not answered."""
    with Memory.open(tmp_path / "memory.db", extractor="none") as memory:
        app = create_app(memory, scope=Scope(user_id="ann"))
        with TestClient(app, base_url="http://localhost") as client:
            headers = {"Content-Type": kind, "Origin": "https://evil.example"}
            for path in ("/api/v1/facts", "/api/v1/messages", "/v3/memories/add/", "/mcp"):
                body = '{"text": "x", "messages": [{"role": "user", "content": "x"}]}'
                assert client.post(path, content=body, headers=headers).status_code in (400, 422)
            asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
            answer = client.options("/api/v1/facts", headers=asked)
            assert "access-control-allow-origin" not in answer.headers
        assert not memory.stats(user_id="ann").messages
