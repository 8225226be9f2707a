"""The real client of mem0's, with its host changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient

from mem0g import LLMSettings, Memory, Scope, Settings
from mem0g.errors import EmbedderError
from mem0g.serve.app import create_app
from mem0g.testing import HashingEmbedder
from tests.llm.server import refused, serving
from tests.serve.conftest import Served

if TYPE_CHECKING:
    from mem0g.model import Matrix

SISTER = "My sister Carla lives in Rome."


@pytest.fixture
def host(served: Served) -> Iterator[str]:
    """The address of a real server."""
    server = uvicorn.Server(uvicorn.Config(served.app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def client(host: str, served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Yield a function that connects mem0's client with a key."""
    monkeypatch.setenv("MEM0_TELEMETRY", "False")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    from mem0 import MemoryClient

    with ExitStack() as stack:

        def connected(key: str) -> Any:
            http = stack.enter_context(httpx.Client(timeout=60))
            return MemoryClient(api_key=served.keys[key], host=host, client=http)

        yield connected


@pytest.mark.slow
def test_a_program_of_mem0s_goes_on(served: Served, client: Callable[[str], Any]) -> None:
    """Add, search, list, get, update, history, delete, and the users."""
    ann = client("ann")
    added = ann.add([{"role": "user", "content": SISTER}], user_id="ann")["results"]
    assert {each["event"] for each in added} == {"ADD"}
    rome = next(each for each in added if "Rome" in each["memory"])
    found = ann.search("Where does my sister live?", filters={"AND": [{"user_id": "ann"}]}, top_k=3)["results"]
    assert (rome["id"], "ann") in [(each["id"], each["user_id"]) for each in found]
    assert ann.get_all(filters={"user_id": "ann"}, page=1, page_size=1)["next"]
    assert ann.get_all(filters={"user_id": "ann"})["count"] == len(added)
    assert ann.get(rome["id"])["memory"] == rome["memory"]
    new = ann.update(rome["id"], text="Carla lives in Milan.")
    assert "Milan" in new["memory"]
    listed = ann.get_all(filters={"user_id": "ann"})
    assert listed["count"] == len(listed["results"]) == len(added)
    assert [each["event"] for each in ann.history(new["id"])] == ["UPDATE"]
    assert [each["name"] for each in ann.users()["results"]] == ["ann"]
    ann.delete(new["id"])
    assert "Milan" not in str(ann.get_all(filters={"user_id": "ann"}))
    ann.delete_all(user_id="ann")
    assert not served.memory.stats(user_id="ann").messages


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_metadata_comes_back_and_filters(served: Served, client: Callable[[str], Any]) -> None:
    """Of what was added with it, in searches and in lists with their count."""
    ann = client("ann")
    ann.add([{"role": "user", "content": SISTER}], user_id="ann", metadata={"category": "family"})
    ann.add([{"role": "user", "content": "I like tea."}], user_id="ann", metadata={"category": "food"})
    wanted = {"AND": [{"user_id": "ann"}, {"category": {"in": ["food"]}}]}
    results = ann.search("Where is Carla?", filters=wanted)["results"]
    assert {each["metadata"]["category"] for each in results} == {"food"}
    listed = ann.get_all(filters=wanted)
    assert listed["count"] == len(listed["results"]) == 1
    assert ann.get(listed["results"][0]["id"])["metadata"] == {"category": "food"}


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_messages_are_stored_as_they_are_without_infer(served: Served, client: Callable[[str], Any]) -> None:
    """They are found, and can be read and deleted by their id."""
    ann = client("ann")
    (stored,) = ann.add(SISTER, user_id="ann", infer=False)["results"]
    assert served.memory.facts(user_id="ann") == ()
    assert ann.get(stored["id"])["memory"] == SISTER
    ann.delete(stored["id"])
    assert not served.memory.messages(user_id="ann")


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_batches_change_all_or_nothing(served: Served, client: Callable[[str], Any]) -> None:
    """An unknown id, or what cannot be changed to, is found before the first memory is changed."""
    ann = client("ann")
    ids = [each["id"] for each in ann.add([{"role": "user", "content": SISTER}], user_id="ann")["results"]]
    with pytest.raises(Exception, match="no memory 'f_x'"):
        ann.batch_delete([{"memory_id": each} for each in (*ids, "f_x")])
    assert len(served.memory.facts(user_id="ann")) == len(ids)
    for bad in ({"text": 5}, {"text": " "}, {"text": "a\0"}, {"metadata": "x"}, {"text": "x", "categories": ["y"]}):
        batch = [{"memory_id": ids[0], "text": "Carla lives in Milan."}, {"memory_id": ids[1], **bad}]
        assert served.ask("PUT", "/v1/batch/", json={"memories": batch}).status_code in (400, 422)
    assert not any("Milan" in fact.text for fact in served.memory.facts(user_id="ann"))
    ann.batch_update([{"memory_id": ids[0], "text": "Carla lives in Milan."}])
    assert any("Milan" in fact.text for fact in served.memory.facts(user_id="ann"))


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_an_update_can_be_sent_again(served: Served, client: Callable[[str], Any]) -> None:
    """As its answer may have been lost: the second one changes nothing, and is answered like the first."""
    ann = client("ann")
    said = [{"role": "user", "content": "My sister Carla owns a boat.", "metadata": {"a": 1}}]
    boat = ann.add(said, user_id="ann")["results"][-1]
    for change in (
        {"text": "Carla owns a car."},
        {"metadata": {"n": 4}},
        {"text": "Carla owns a car.", "metadata": {}},
    ):
        first, again = (ann.update(boat["id"], **change) for _ in range(2))
        assert first == again
    assert [each["event"] for each in ann.history(boat["id"])] == ["ADD", "UPDATE", "UPDATE", "UPDATE"]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_an_id_stands_for_what_the_memory_was_updated_to(served: Served, client: Callable[[str], Any]) -> None:
    """To read, to update again, in the history, and to delete, also in batches."""
    ann = client("ann")
    said = [{"role": "user", "content": "I like tea."}], [{"role": "user", "content": "I own a boat."}]
    tea, boat = (ann.add(each, user_id="ann")["results"][0]["id"] for each in said)
    for drink, thing in (("milk", "car"), ("juice", "bike")):
        ann.update(tea, text=f"Ann likes {drink}.")
        ann.batch_update([{"memory_id": boat, "text": f"Ann owns a {thing}."}])
        assert drink in ann.get(tea)["memory"]
        assert thing in ann.get(boat)["memory"]
    assert [each["event"] for each in ann.history(tea)] == ["ADD", "UPDATE", "UPDATE"]
    ann.delete(tea)
    (bike,) = ann.get_all(filters={"user_id": "ann"})["results"]
    assert "bike" in bike["memory"]
    ann.batch_delete([{"memory_id": each} for each in (boat, bike["id"])])
    assert served.memory.facts(user_id="ann", include_retired=True) == ()


@pytest.mark.parametrize("status", [401, 500])
def test_added_messages_are_kept_while_the_model_cannot_be_used(
    status: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer is a success that says so, as a client that tries again would store them twice; the log says why."""
    with serving([refused(status, "not today")]) as server:
        settings = Settings(llm=LLMSettings(model="tiny", base_url=server.base_url, api_key="a-key", retries=0))
        with Memory.open(
            tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="llm", settings=settings
        ) as memory:
            client = TestClient(create_app(memory, scope=Scope(user_id="ann")), base_url="http://localhost")
            answer = client.post("/v3/memories/add/", json={"messages": [{"role": "user", "content": SISTER}]})
            assert answer.status_code == 202
            assert (answer.json()["results"], answer.json()["status"]) == ([], "PENDING")
            assert "need not be sent again" in answer.json()["message"]
            assert server.url not in answer.text
            (logged,) = [each.getMessage() for each in caplog.records if each.name == "mem0g.serve"]
            assert "not today" in logged
            assert [each.text for each in memory.messages(user_id="ann")] == [SISTER]
            assert len(memory.pending(user_id="ann")) == 1


class Asking:
    """An embedder of a server, which is asked for its size once; the server may be out of reach."""

    name = "asking"

    def __init__(self) -> None:
        self.reached = True
        self._made = HashingEmbedder()

    @cached_property
    def dimensions(self) -> int:
        return int(self.embed(["size"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Matrix:
        if not self.reached:
            raise EmbedderError("http://10.0.0.7:1 cannot be reached", hint="look at http://10.0.0.7:1")
        return self._made.embed(texts)


@pytest.mark.parametrize("infer", [True, False])
def test_added_messages_are_kept_while_the_embedder_cannot_be_used(tmp_path: Path, infer: bool) -> None:
    """The answer is a success, as for the language model; what needs vectors is an error without the address."""
    embedder = Asking()
    with Memory.open(tmp_path / "memory.db", embedder=embedder, extractor="rules") as memory:
        memory.add("I like tea.", user_id="ann")
        client = TestClient(create_app(memory, scope=Scope(user_id="ann")), base_url="http://localhost")
        embedder.reached = False
        given = {"messages": [{"role": "user", "content": SISTER}], "infer": infer}
        kept = client.post("/v3/memories/add/", json=given)
        assert (kept.status_code, kept.json()["status"]) == (202, "PENDING")
        assert [each.text for each in memory.messages(user_id="ann")] == ["I like tea.", SISTER]
        found = client.get("/api/v1/search", params={"query": "Where does Carla live?"})
        assert (found.status_code, found.json()) == (502, {"detail": "the embedder cannot be used now"})
        embedder.reached = True
        list(memory.retry(user_id="ann"))
        assert memory.facts(entity="Carla", user_id="ann")


def test_messages_that_are_not_stored_are_no_success(tmp_path: Path) -> None:
    """Where the embedder fails before anything is stored, the client has to send the messages again."""
    embedder = Asking()
    with Memory.open(tmp_path / "memory.db", embedder=embedder, extractor="rules") as memory:
        client = TestClient(create_app(memory, scope=Scope(user_id="ann")), base_url="http://localhost")
        embedder.reached = False
        answer = client.post("/v3/memories/add/", json={"messages": [{"role": "user", "content": SISTER}]})
        assert (answer.status_code, answer.json()) == (502, {"detail": "the embedder cannot be used now"})
        assert memory.messages(user_id="ann") == ()


IMPOSSIBLE: list[tuple[Callable[[Any], object], str]] = [
    (lambda ann: ann.delete_all(filters={"user_id": "ann"}), "delete_all needs user_id"),
    (lambda ann: ann.delete_all(), "delete_all needs user_id"),
    (lambda ann: ann.search("x", filters={"user_id": "bob"}), "does not open"),
    (lambda ann: ann.search("x", filters={"OR": [{"user_id": "ann"}]}), "the filter 'OR' is not supported"),
    (lambda ann: ann.add("x", user_id="ann", metadata={"a": "y" * 20_000}), "bytes"),
    (lambda ann: ann.search("x", filters={"user_id": "ann", "a": {"contains": 1}}), "the operator 'contains'"),
    (lambda ann: ann.update("f_x", text="x"), "no memory 'f_x'"),
    (lambda ann: ann.delete_users(user_id="bob"), "does not open"),
]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_what_cannot_be_done_is_an_error_and_changes_nothing(served: Served, client: Callable[[str], Any]) -> None:
    """Above all never a deletion of more than was named."""
    served.memory.add(SISTER, user_id="ann")
    served.memory.add("I like jazz.", user_id="bob")
    before = served.memory.stats(all_scopes=True)
    ann = client("ann")
    for call, problem in IMPOSSIBLE:
        with pytest.raises(Exception, match=problem):
            call(ann)
        after = served.memory.stats(all_scopes=True)
        assert (after.messages, after.facts) == (before.messages, before.facts), problem


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_a_wrong_key_is_refused(served: Served, client: Callable[[str], Any]) -> None:
    """When the client connects."""
    served.keys["wrong"] = "m0g_wrong"
    with pytest.raises(ValueError, match="a valid key is needed"):
        client("wrong")
