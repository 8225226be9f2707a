"""How often the store goes to the server: counted on the wire, in the driver's own log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from mem0g.extract import NoExtractor
from mem0g.extract.protocol import Window
from mem0g.ingest.nearby import nearby
from mem0g.memory import Memory
from mem0g.model import Scope, Triple, Utterance
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore, holding
from mem0g.writer import TRIPLES_PER_COMMIT
from tests.making import AT, EMBEDDER, triple

Counted = Callable[[], int]


@contextmanager
def counting() -> Iterator[Counted]:
    """Count the queries sent to the server within the block."""
    sent: list[str] = []

    class Counter(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if " C: RUN " in record.getMessage():
                sent.append(record.getMessage())

    log, counter = logging.getLogger("neo4j.io"), Counter()
    before, log.propagate = log.level, False
    log.setLevel(logging.DEBUG)
    log.addHandler(counter)
    try:
        yield lambda: len(sent)
    finally:
        log.removeHandler(counter)
        log.setLevel(before)
        log.propagate = True


@pytest.fixture
def memory(empty: Neo4jStore) -> Memory:
    """A memory of a message and a fact; triples come from the test."""
    made = Memory(empty, EMBEDDER, NoExtractor(), Settings())
    made.add([{"role": "user", "content": "I live in Oslo."}], user_id="ann")
    made.add_triples([triple("Ann", "lives_in", "Oslo")], user_id="ann")
    return made


def test_a_first_window_is_four(memory: Memory) -> None:
    """A window of triples asks what is known, whom the names mean, which facts they touch, and commits.

    Of a new tenant, the relation types are read before.
    """
    with counting() as sent:
        memory.add_triples([triple("Bob", "lives_in", "Rome")], user_id="bob")
    assert sent() == 1 + 4


def test_a_window_is_three(memory: Memory) -> None:
    """The next windows look things up in memory: what is known and what was written since are read, then they commit.

    Two more round trips read the scope once, when the server has answered one window of it.
    """
    more = [triple("Ann", "likes", f"tea {number}") for number in range(2 * TRIPLES_PER_COMMIT + 1)]
    with counting() as sent:
        memory.add_triples(more, user_id="ann")
    assert sent() == 2 + 2 + 3 + 3
    assert memory.stats(user_id="ann").facts == 1 + len(more)


class Said:
    """An extractor of one fact a message: who speaks likes what is said."""

    name = "said"

    def extract(self, window: Window) -> Sequence[Triple]:
        """See mem0g.extract.protocol.Extractor."""
        return [replace(triple(each.speaker, "likes", each.text), evidence=(each.id,)) for each in window.messages]


@pytest.fixture
def hearing(empty: Neo4jStore) -> Memory:
    """A memory of two windows, of a store that holds their scope by now."""
    made = Memory(empty, EMBEDDER, Said(), Settings())
    for text in ("Tea", "Rain", "Snow"):
        made.add([{"role": "user", "content": text}], user_id="ann")
    return made


def test_an_added_message_is_four(hearing: Memory) -> None:
    """One read before the extraction, of what was said before; then a window. Its place comes with what is known."""
    with counting() as sent:
        hearing.add([{"role": "user", "content": "Fog"}, {"role": "assistant", "content": "Fine"}], user_id="ann")
    assert sent() == 4
    positions = [each.position for each in hearing.store.list_messages(Scope(user_id="ann"), 10)]
    assert positions == [0, 1, 2, 3, 4]


def test_what_is_near_to_a_window_is_one(hearing: Memory) -> None:
    """Names and facts that a model is shown are looked up in memory: what has changed since is asked once."""
    said = hearing.messages(user_id="ann")
    window = Window(messages=said, speakers=("user",), scope=Scope(user_id="ann"))
    assert nearby(window, hearing.store, EMBEDDER).facts
    with counting() as sent:
        assert nearby(window, hearing.store, EMBEDDER).facts
    assert sent() == 1


def test_a_file_is_three_a_window(hearing: Memory) -> None:
    """Three reads before the first window of a file: whether it, its times, and its messages are known."""
    said = [
        Utterance(source="a.txt", session="1", position=place, speaker="Ann", role="user", text=f"Tea {place}", time=AT)
        for place in range(3)
    ]
    with counting() as sent:
        for _ in hearing.ingest(said, user_id="ann"):
            pass
    assert sent() == 3 + 3


def test_a_first_search_is_two(memory: Memory) -> None:
    """A search: the versions of the scopes, and what is held of them from then on."""
    with counting() as sent:
        assert memory.search("Where does Ann live?", user_id="ann")
    assert sent() == 2


def test_a_search_is_one(memory: Memory) -> None:
    """While nothing is written, no search reads what is held in memory, whatever it asks; a context neither."""
    memory.search("Where does Ann live?", user_id="ann")
    with counting() as sent:
        assert memory.search("Who is in Oslo?", user_id="ann")
    assert sent() == 1
    with counting() as sent:
        assert memory.context("Where does Ann live?", user_id="ann").text
    assert sent() == 1


def test_a_search_after_a_write_is_two(memory: Memory) -> None:
    """What was added since the last search is read in one round trip."""
    memory.search("Where does Ann live?", user_id="ann")
    memory.add_triples([triple("Ann", "likes", "tea")], user_id="ann")
    with counting() as sent:
        assert memory.search("What does Ann like?", user_id="ann")
    assert sent() == 2


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch, memory: Memory) -> Memory:
    """A memory with a scope that is too large to be held in memory, which is known from a first search."""
    monkeypatch.setattr(holding, "MOST_FACTS", 0)
    monkeypatch.setattr(holding, "LARGE_FACTS", 0)
    memory.search("Where does Ann live?", user_id="ann")
    memory.add_triples([triple("Ann", "likes", "tea")], user_id="ann")
    return memory


def test_a_search_of_a_large_scope_is_three(large: Memory) -> None:
    """The names in the question, what is near, the candidates; a context as well."""
    with counting() as sent:
        assert large.search("Where does Ann live?", user_id="ann")
    assert sent() == 3
    with counting() as sent:
        assert large.context("Where does Ann live?", user_id="ann").text
    assert sent() == 3


def test_a_search_from_kept_rows_is_two(large: Memory) -> None:
    """While nothing is written, rows that were read are not read again, neither for another question."""
    for _ in range(2):
        large.search("Where does Ann live?", user_id="ann")
    for question in ("Where does Ann live?", "Who is in Oslo?"):
        with counting() as sent:
            assert large.search(question, user_id="ann")
        assert sent() == 2


def test_the_log_says_nothing_of_what_is_sent(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    """The driver's debug log names the parameters of a query, and does not show them."""
    with caplog.at_level(logging.DEBUG, "neo4j.io"):
        memory.add_triples([triple("Ann", "likes", "marzipan")], user_id="ann")
        assert memory.search("Who likes marzipan?", user_id="ann")
    assert " C: RUN " in caplog.text
    assert "marzipan" not in caplog.text
