"""Records that are inserted many at once into a SQLite file: each once, under the numbers that follow the last one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from tests.making import ANN, EMBEDDER, change, entity, fact, message

PERSON, TEA, OSLO = entity("Ann"), entity("tea"), entity("Oslo")
SAID, AGAIN = message("I like tea.", 0), message("Tea, always.", 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a file."""
    return tmp_path / "mem0g.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """An empty store in it."""
    opened = SqliteStore(path)
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield opened
    opened.close()


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    """What the file has, read past the store."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_what_is_given_twice_is_stored_once(store: SqliteStore, path: Path) -> None:
    """In one change or in two: the first one stays, with its evidence, stems and vector."""
    likes = fact(PERSON, "LIKES", TEA, "Ann likes tea.", evidence=(SAID.id, AGAIN.id, SAID.id))
    other, lives = replace(likes, text="Ann loves tea."), fact(PERSON, "LIVES_IN", OSLO)
    write(store, change(messages=[SAID, SAID], entities=[PERSON, TEA], facts=[likes, other]))
    write(store, change(messages=[SAID, AGAIN], entities=[OSLO], facts=[other, lives, lives]))
    assert rows(path, "SELECT n, id, text FROM fact ORDER BY n") == [
        (1, likes.id, likes.text),
        (2, lives.id, lives.text),
    ]
    assert rows(path, "SELECT n, id FROM message ORDER BY n") == [(1, SAID.id), (2, AGAIN.id)]
    assert rows(path, "SELECT message, place FROM evidence ORDER BY place") == [(SAID.id, 0), (AGAIN.id, 1)]
    for table in ("fact_stems", "fact_vector", "message_stems", "message_vector"):
        assert rows(path, f"SELECT n FROM {table} ORDER BY n") == [(1,), (2,)]
    assert store.facts(ANN, [likes.id])[0].text == "Ann likes tea."


def test_numbers_follow_those_of_other_scopes(store: SqliteStore, path: Path) -> None:
    """A table numbers the rows of all scopes together."""
    for number in range(3):
        scope = replace(ANN, user_id=f"user {number}")
        ends = [entity("Ann", scope), entity("tea", scope)]
        facts = [fact(ends[0], "LIKES", ends[1], f"Ann likes tea, said {time} times.") for time in (1, 2)]
        write(store, change(scope=scope, entities=ends, facts=facts))
    assert rows(path, "SELECT n, scope FROM fact ORDER BY n") == [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)]
