"""What ``add`` has acknowledged is stored exactly once, despite other writers and failing extractors or embedders."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mem0g.async_memory import AsyncMemory
from mem0g.embed import FollowingEmbedder
from mem0g.embed.protocol import Embedder
from mem0g.errors import EmbedderError, EmbedderMismatchError, StoreError
from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from mem0g.ingest.report import Report
from mem0g.memory import Memory
from mem0g.model import Scope, Triple
from mem0g.retrieve.search import search
from mem0g.testing import HashingEmbedder
from mem0g.times import now
from tests.pipeline.telling import ANN, EMBEDDER, Place, in_a_file

if TYPE_CHECKING:
    from mem0g.model import Matrix

ROOT = Path(__file__).parents[2]
EQUAL = {"role": "user", "content": "Yes please."}


def memory_at(place: Place, embedder: Embedder = EMBEDDER, extractor: Any = "rules") -> Memory:
    return Memory.open(place.address, embedder=embedder, extractor=extractor, credentials=place.credentials)


def positions(memory: Memory, session: str = "") -> list[int]:
    return [message.position for message in memory.messages(**ANN) if message.session == session]


def test_equal_words_from_threads(place: Place) -> None:
    """Eight threads that add the same text forty times leave forty messages at consecutive positions."""
    with memory_at(place) as memory:
        with ThreadPoolExecutor(8) as pool:
            reports = list(pool.map(lambda _: memory.add([EQUAL], **ANN), range(40)))
        assert sum(report.messages for report in reports) == 40
        assert sum(report.known for report in reports) == 0
        assert positions(memory) == list(range(40))
        assert memory.verify() == ()


ADDING = """
import sys
from mem0g import Memory
from mem0g.settings import Credentials
from tests.pipeline.telling import EMBEDDER
address, username, password, count = sys.argv[1:]
credentials = Credentials(username=username or None, password=password or None)
with Memory.open(address, embedder=EMBEDDER, extractor="rules", credentials=credentials) as memory:
    for number in range(int(count)):
        said = [{"role": "user", "content": "Yes please."}, {"role": "assistant", "content": "Sure."}]
        memory.add(said, user_id="ann")
"""


@pytest.mark.slow
def test_equal_words_from_processes(place: Place) -> None:
    """Processes that add the same text at the same time lose no message."""
    credentials = place.credentials
    given = [
        place.address,
        (credentials and credentials.username) or "",
        (credentials and credentials.password) or "",
        "8",
    ]
    memory_at(place).close()
    started = [subprocess.Popen([sys.executable, "-c", ADDING, *given], cwd=ROOT) for _ in range(3)]
    assert [process.wait(120) for process in started] == [0, 0, 0]
    with memory_at(place) as memory:
        assert positions(memory) == list(range(48))
        assert memory.verify() == ()


def test_equal_words_from_tasks(file: Place) -> None:
    """Eight tasks of one AsyncMemory that add at once leave eight messages."""

    async def use() -> int:
        async with AsyncMemory.open(file.address, embedder=EMBEDDER, extractor="rules") as memory:
            await asyncio.gather(*(memory.add([EQUAL], **ANN) for _ in range(8)))
            return (await memory.stats(**ANN)).messages

    assert asyncio.run(use()) == 8


@in_a_file
def test_an_id_makes_it_idempotent(place: Place) -> None:
    """A message whose id is in the session already is skipped, even after others; in another session it is new."""
    said = {**EQUAL, "id": "msg_1"}
    with memory_at(place) as memory:
        assert memory.add([said, said], **ANN).messages == 1
        memory.add("I live in Oslo.", **ANN)
        with ThreadPoolExecutor(4) as pool:
            assert [report.known for report in pool.map(lambda _: memory.add([said], **ANN), range(8))] == [1] * 8
        assert memory.add([{**said, "session": "2"}], **ANN).messages == 1
        assert memory.add([{**said, "id": "msg_2"}], **ANN).messages == 1
        assert positions(memory) == [0, 1, 2]


@pytest.mark.parametrize("wait", [True, False])
@in_a_file
def test_an_edited_message_is_reported(place: Place, wait: bool) -> None:
    """The text that is stored under an id stays, and the report says so; erased and added again it is the new one."""
    said = {**EQUAL, "id": "msg_1"}
    edited = {**said, "content": "I live in Rome."}
    with memory_at(place) as memory:
        (stored,) = memory.add([said], wait=wait, **ANN).message_ids
        assert not memory.add([said], wait=wait, **ANN).differing
        assert memory.add([edited], wait=wait, **ANN).differing == (stored,)
        assert memory.messages(**ANN)[0].text == said["content"]
        memory.erase(stored, **ANN)
        assert memory.add([edited], wait=wait, **ANN).messages == 1
        memory.flush()
        assert [fact.object for fact in memory.facts(include_retired=True, **ANN)] == ["Rome"]


@pytest.mark.parametrize("wait", [True, False])
@in_a_file
def test_an_id_that_comes_twice_in_one_call(place: Place, wait: bool) -> None:
    """The first text is stored, as over two calls, and the other one is reported."""
    twice = [{**EQUAL, "id": "msg_1", "content": f"I live in {city}."} for city in ("Oslo", "Rome", "Oslo")]
    after = {**EQUAL, "content": "I like tea."}
    with memory_at(place) as memory:
        report = memory.add([*twice, after], wait=wait, **ANN)
        memory.flush()
        assert (report.messages, report.known) == (2, 2)
        assert report.differing == report.message_ids[:1]
        assert {fact.object for fact in memory.facts(include_retired=True, **ANN)} == {"Oslo", "tea"}
        assert [message.text for message in memory.messages(**ANN)] == ["I live in Oslo.", "I like tea."]
        assert positions(memory) == [0, 1]
        assert sum(memory.ingest(twice, user_id="bob"), start=Report()).differing


@in_a_file
def test_a_session_of_any_name(place: Place) -> None:
    """A session's name may contain any character, and is never confused with another's."""
    names = ("a\x1f0", "a\nb", "/", "\u202e", "ß\U0001f984", "x" * 5000, "a", "a\x1f")
    with memory_at(place) as memory:
        for name in names:
            memory.add([{**EQUAL, "session": name, "id": "0"}, {**EQUAL, "session": name}], **ANN)
        assert len(memory.messages(**ANN)) == 2 * len(names)
        for name in names:
            assert positions(memory, name) == [0, 1]


class Failing(RulesExtractor):
    """The rules, failing where a message says so."""

    def extract(self, window: Window) -> tuple[Triple, ...]:
        if any("boom" in message.text for message in window.messages):
            raise ZeroDivisionError("the extractor's own mistake")
        return super().extract(window)


@in_a_file
@pytest.mark.parametrize("wait", [True, False])
def test_any_error_of_an_extractor(place: Place, wait: bool) -> None:
    """It is raised whatever its class, the messages are kept, and their window stays pending."""
    with memory_at(place, extractor=Failing()) as memory:

        def add() -> None:
            memory.add([{"role": "user", "content": "I live in Oslo. boom"}], wait=wait, **ANN)
            memory.flush()

        with pytest.raises(ZeroDivisionError, match="own mistake"):
            add()
        (pending,) = memory.pending(**ANN)
        assert pending.problem == "ZeroDivisionError: the extractor's own mistake"
        assert [hit.text for hit in memory.search("Oslo", **ANN)] == ["I live in Oslo. boom"]
    with memory_at(place) as memory:
        assert sum(report.facts for report in memory.retry(**ANN)) > 0
        assert memory.pending(**ANN) == ()


class Sulking:
    """An embedder that fails while ``fails`` is set."""

    def __init__(self) -> None:
        self.name, self.dimensions = EMBEDDER.name, EMBEDDER.dimensions
        self.fails = True

    def embed(self, texts: Sequence[str]) -> Matrix:
        if self.fails:
            raise EmbedderError("no vectors today", hint="try tomorrow")
        return EMBEDDER.embed(texts)


@in_a_file
def test_any_error_of_an_embedder(place: Place) -> None:
    """The messages are kept without vectors, and get them with their facts when the embedder works again."""
    embedder = Sulking()
    with memory_at(place, embedder) as memory:
        with pytest.raises(EmbedderError, match="no vectors today"):
            memory.add("I live in Oslo.", **ANN)
        assert [message.text for message in memory.messages(**ANN)] == ["I live in Oslo."]
        embedder.fails = False
        assert sum(report.facts for report in memory.retry(**ANN)) == 1
        assert memory.verify() == ()


@pytest.mark.slow
@pytest.mark.alters_schema
def test_a_writer_beside_a_reindex(place: Place) -> None:
    """After another process reindexes, a writer's vectors of the old size are refused.

    What was added in between has vectors, and a search by the old embedder says what is wrong.
    """
    small = HashingEmbedder(32)
    with memory_at(place) as old:
        old.add("I live in Oslo.", **ANN)
        with memory_at(place, small) as new:
            new._embedding.embedder = _Interrupted(small, lambda: old.add("I have a dog called Rex.", **ANN))
            assert new.reindex() > 0
        with pytest.raises(EmbedderMismatchError, match="filled by the embedder hashing-32"):
            old.add("I like tea.", **ANN)
        with pytest.raises(EmbedderMismatchError, match="hashing-32"):
            old.search("Where does Ann live?", **ANN)
    with memory_at(place, small) as memory:
        texts = [hit.text for hit in memory.search("dog Rex", **ANN)]
        assert "I have a dog called Rex." in texts
        assert memory.verify() == ()


class _Interrupted:
    """An embedder during whose first call another writer writes."""

    def __init__(self, embedder: Embedder, write: Any) -> None:
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self._embedder, self._write = embedder, write

    def embed(self, texts: Sequence[str]) -> Matrix:
        write, self._write = self._write, None
        if write:
            write()
        return self._embedder.embed(texts)


class Twin(HashingEmbedder):
    """Another model of the same size."""

    def __init__(self) -> None:
        super().__init__(EMBEDDER.dimensions)
        self.name = "twin"


@in_a_file
def test_another_model_of_one_size(place: Place) -> None:
    """It is refused by its name, also in the second of two processes that claim a new store at once."""
    with memory_at(place) as first, memory_at(place, Twin()) as second:
        first.add("I live in Oslo.", **ANN)
        with pytest.raises(EmbedderMismatchError, match="not twin"):
            second.add("I live in Rome.", **ANN)
        with pytest.raises(EmbedderMismatchError, match="not twin"):
            second.search("Oslo", **ANN)
        assert len(first.messages(**ANN)) == 1


def test_a_memory_opened_by_name_follows_a_reindex(file: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long-lived process whose embedder was given by name switches to the one of another process's reindex."""
    import mem0g.embed

    known = {"hashing-32": HashingEmbedder(32), "hashing-64": HashingEmbedder(64)}
    monkeypatch.setattr(mem0g.embed, "open_embedder", lambda name, **_: known[name or "hashing-64"])
    with Memory.open(file.address, embedder="hashing-64", extractor="rules") as server:
        server.add("I live in Oslo.", **ANN)
        with Memory.open(file.address, embedder="hashing-32", extractor="rules") as other:
            other.reindex()
        server.add("I have a dog called Rex.", **ANN)
        with Memory.open(file.address, embedder="hashing-64", extractor="rules") as again:
            again.reindex()
        assert server.search("dog Rex", **ANN)[0].text
        assert server.embedder.name == "hashing-64"
        assert server.verify() == ()


def test_another_thread_follows_during_a_search(file: Place) -> None:
    """Vectors of a question computed just before another thread switched embedders are refused, not compared."""

    class Overtaken(FollowingEmbedder):
        def embed(self, texts: Sequence[str]) -> Matrix:
            made = super().embed(texts)
            self.follow("twin", EMBEDDER.dimensions)
            return made

    with memory_at(file, Twin()) as memory:
        memory.add("I live in Oslo.", **ANN)
        overtaken = Overtaken(EMBEDDER, lambda _: Twin())
        with pytest.raises(EmbedderMismatchError, match=f"not {EMBEDDER.name}"):
            search("Oslo", Scope(**ANN), memory.store, overtaken, now=now())
        assert search("Oslo", Scope(**ANN), memory.store, overtaken, now=now()).hits


@pytest.mark.alters_schema
def test_a_store_that_was_dropped_meanwhile(place: Place) -> None:
    """Nothing is acknowledged that would be lost with a store that another process has dropped, or made anew."""
    with memory_at(place) as memory:
        memory.add("I like gin.", **ANN)
        with memory_at(place) as other:
            other.store.drop()
        with pytest.raises(StoreError, match="while it was open") as refused:
            memory.add("I like ale.", **ANN)
        assert "open it again" in str(refused.value.hint)
        _is_refused(memory)
        with memory_at(place) as anew:
            anew.add("I like rum.", **ANN)
        with pytest.raises(StoreError, match="while it was open"):
            memory.add("I like ale.", **ANN)
        _is_refused(memory)
    with memory_at(place) as memory:
        memory.add("I like ale.", **ANN)
        assert [message.text for message in memory.messages(**ANN)] == ["I like rum.", "I like ale."]
        assert "FRIEND_OF_OLD" not in {each.name for each in memory.relations(**ANN)}


def _is_refused(memory: Memory) -> None:
    """Nothing is written to a store that is not there, be it a scope or not."""
    for write in (
        lambda: memory.define_relation("friend of old", **ANN),
        lambda: memory.forget(**ANN),
        lambda: memory.reindex(),
    ):
        with pytest.raises(StoreError, match="while it was open"):
            write()


@pytest.mark.neo4j
@pytest.mark.alters_schema
def test_a_store_that_was_dropped_by_oneself(emptied: Place) -> None:
    """Nothing is acknowledged in a database that holds no store, and nothing is left there."""
    with memory_at(emptied) as memory:
        memory.add("I like gin.", **ANN)
        memory.store.drop()
        with pytest.raises(StoreError, match="while it was open"):
            memory.add("I like ale.", **ANN)
        _is_refused(memory)
        assert memory.store.scopes() == ()
    with memory_at(emptied) as memory:
        assert "FRIEND_OF_OLD" not in {each.name for each in memory.relations(**ANN)}


def test_what_a_forgotten_summary_said(file: Place) -> None:
    """A process that continues after another forgot the scope neither keeps nor writes back its summary."""
    with memory_at(file) as one:
        one.add("I live in Oslo.", **ANN)
        with memory_at(file) as other:
            other.forget(**ANN)
        one.add("I like tea.", **ANN)
        held = json.dumps([str(change) for change in _changes(one)])
        assert "Oslo" not in held


def _changes(memory: Memory) -> list[Any]:
    with memory.store.snapshot() as snapshot:
        return list(snapshot.changes)
