"""How often the store goes to the server: counted on the wire, in the driver's own log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from mem0g.extract import NoExtractor
from mem0g.memory import Memory
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore, holding
from mem0g.writer import TRIPLES_PER_COMMIT
from tests.making import EMBEDDER, triple

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


def test_a_window_is_four(memory: Memory) -> None:
    """A window of triples asks what is known, whom the names mean, which facts they touch, and commits."""
    more = [triple("Ann", "likes", f"tea {number}") for number in range(TRIPLES_PER_COMMIT + 1)]
    with counting() as sent:
        memory.add_triples(more, user_id="ann")
    assert sent() == 2 * 4
    assert memory.stats(user_id="ann").facts == 1 + len(more)


def test_a_first_search_is_three(memory: Memory) -> None:
    """A search: the names in the question, the versions of the scopes, and what is held of them from then on."""
    with counting() as sent:
        assert memory.search("Where does Ann live?", user_id="ann")
    assert sent() == 3


def test_a_search_is_two(memory: Memory) -> None:
    """While nothing is written, no search reads what is held in memory, whatever it asks; a context neither."""
    memory.search("Where does Ann live?", user_id="ann")
    with counting() as sent:
        assert memory.search("Who is in Oslo?", user_id="ann")
    assert sent() == 2
    with counting() as sent:
        assert memory.context("Where does Ann live?", user_id="ann").text
    assert sent() == 2


def test_a_search_after_a_write_is_three(memory: Memory) -> None:
    """What was added since the last search is read in one round trip."""
    memory.search("Where does Ann live?", user_id="ann")
    memory.add_triples([triple("Ann", "likes", "tea")], user_id="ann")
    with counting() as sent:
        assert memory.search("What does Ann like?", user_id="ann")
    assert sent() == 3


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch, memory: Memory) -> Memory:
    """A memory with a scope that is too large to be held in memory, which is known from a first search."""
    monkeypatch.setattr(holding, "MOST_FACTS", 0)
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
