"""A file broken by hand in each way is found out, and mended where it can be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from mem0g.verify import repair, verify
from tests.integrity.contents import DECIDED, GONE, LISBON, LIV, LIVED, LIVES, OSLO, PERSON, RUN, SAID, fill
from tests.making import ANN, AT, EMBEDDER, dumped, entity, message

OTHER = message("Rome!", scope=RUN).id
MENDED = {
    "full text, missing": (f"DELETE FROM fact_stems WHERE n = {{fact {LIVES.id}}}", "full text"),
    "full text, other words": ("UPDATE message_stems SET stems = 'secret'", "full text"),
    "full text, another scope": (f"UPDATE fact_stems SET keys = 3 WHERE n = {{fact {LIVES.id}}}", "full text"),
    "full text, left over": ("INSERT INTO message_stems (n, keys, stems) VALUES (99, 1, 'secret')", "full text"),
    "names missing": (f"DELETE FROM entity_name WHERE entity = {{entity {OSLO.id}}}", "names"),
    "tokens missing": (f"DELETE FROM entity_token WHERE entity = {{entity {OSLO.id}}}", "names"),
    "names of a merged one": (
        f"INSERT INTO entity_name (scope, folded, entity) SELECT scope, 'liv', n FROM entity WHERE id = '{LIV.id}'",
        "names",
    ),
    "names of nobody": ("INSERT INTO entity_name (scope, folded, entity) VALUES (1, 'x', 99)", "dangling row"),
    "vector of nothing": ("INSERT INTO fact_vector (n, vector) VALUES (99, zeroblob(256))", "dangling row"),
    "cited message gone": (f"UPDATE evidence SET message = 'm_0' WHERE message = '{SAID[1].id}'", "missing evidence"),
    "succession of nothing": (
        "INSERT INTO succession (fact_id, successor_id, reason, decided_by, at) VALUES ('f_0', NULL, '', '', '2024')",
        "dangling succession",
    ),
    "successor gone": (
        f"UPDATE succession SET successor_id = 'f_0' WHERE fact_id = '{LIVED.id}'",
        "dangling succession",
    ),
    "interval": (f"UPDATE fact SET starts = '2031' WHERE id = '{LIVES.id}'", "interval"),
    "end of a merged one": (f"UPDATE fact SET subject = '{LIV.id}' WHERE id = '{LIVES.id}'", "end"),
    "retired without a reason": (f"DELETE FROM succession WHERE fact_id = '{GONE.id}'", "retirement"),
    "window of nothing": (
        f"UPDATE pending_window SET messages = replace(messages, '{SAID[1].id}', 'm_0')",
        "window",
    ),
    "context of nothing": (
        f"UPDATE pending_window SET context = replace(context, '{SAID[0].id}', 'm_0')",
        "window",
    ),
}
"""What is broken: the statement that breaks it, and the kind of problem that it is."""

LEFT = {
    "end gone": (f"UPDATE fact SET subject = 'e_0' WHERE id = '{LIVES.id}'", "missing end"),
    "end of another scope": (
        f"UPDATE fact SET object = '{entity('Rome', RUN).id}' WHERE id = '{LIVES.id}'",
        "end",
    ),
    "scope gone": ("UPDATE message SET scope = 99", "dangling row"),
    "evidence of a scope that is not covered": (
        f"INSERT INTO evidence (fact, message, place) SELECT n, '{SAID[0].id}', 0 FROM fact WHERE scope = "
        f"(SELECT scope FROM message WHERE id = '{OTHER}')",
        "evidence",
    ),
    "two at one place": (f"UPDATE message SET position = 0 WHERE id = '{SAID[1].id}'", "place"),
    "decision about nothing": (f"UPDATE decision SET fact_id = 'f_0' WHERE id = '{DECIDED.id}'", "decision"),
    "vector missing": ("DELETE FROM message_vector", "vector"),
    "vector of another size": ("UPDATE fact_vector SET vector = zeroblob(7)", "vector size"),
}
"""What no repair can bring back."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Something of everything."""
    opened = SqliteStore(tmp_path / "memory.db")
    yield fill(opened)
    opened.close()


def broken(path: str, statement: str) -> None:
    """Run a statement past the store; {table id} is a row number."""
    with sqlite3.connect(path) as connection:
        for table in ("fact", "entity"):
            for each in (LIVES, OSLO, LISBON, PERSON):
                found = connection.execute(f"SELECT n FROM {table} WHERE id = ?", (each.id,)).fetchone()
                if found:
                    statement = statement.replace(f"{{{table} {each.id}}}", str(found[0]))
        assert connection.execute(statement).rowcount > 0
    connection.close()


def test_a_whole_store_has_no_problems(store: Store) -> None:
    """Nothing is found in what the store wrote itself, and nothing is mended."""
    assert verify(store) == ()
    before = str(dumped(store))
    assert repair(store, AT) == ()
    assert str(dumped(store)) == before


@pytest.mark.parametrize("name", MENDED)
def test_what_can_be_mended_is(store: Store, name: str) -> None:
    """It is found, mended without the loss of a fact or a message, and then all is well."""
    statement, kind = MENDED[name]
    broken(store.address, statement)
    found = verify(store)
    assert kind in {problem.kind for problem in found}
    assert all(problem.mendable and problem.text and problem.hint for problem in found)
    assert kind in {problem.kind for problem in repair(store, AT)}
    assert verify(store) == ()
    stats = store.stats()
    assert (stats.facts, stats.messages) == (4, 3)


@pytest.mark.parametrize("name", LEFT)
def test_what_cannot_be_mended_is_said(store: Store, name: str) -> None:
    """It is found, with what to do; a repair deletes no fact for it."""
    statement, kind = LEFT[name]
    broken(store.address, statement)
    found = {problem.kind: problem for problem in verify(store)}
    assert kind in found
    assert found[kind].hint
    repair(store, AT)
    assert verify(store) != ()
    with sqlite3.connect(store.address) as connection:
        assert connection.execute("SELECT count(*) FROM fact").fetchone() == (4,)
    connection.close()


def test_an_entity_merged_into_nothing_is_one_of_its_own_again(store: Store) -> None:
    """It is found by its name again; its vector, which the merge removed, is reported missing."""
    broken(store.address, f"UPDATE entity SET merged_into = 'e_0' WHERE id = '{LIV.id}'")
    assert {problem.kind for problem in verify(store)} == {"merge"}
    assert [problem.kind for problem in repair(store, AT)] == ["merge"]
    assert [each.id for each in store.match_names(ANN, ["liv"])] == [LIV.id]
    assert [problem.kind for problem in verify(store)] == ["vector"]


def test_entities_merged_in_a_circle_are_parted(store: Store) -> None:
    """Two that were merged into each other are both found again."""
    broken(store.address, f"UPDATE entity SET merged_into = '{LIV.id}' WHERE id = '{PERSON.id}'")
    assert {problem.kind for problem in verify(store)} >= {"merge"}
    repair(store, AT)
    assert {problem.kind for problem in verify(store)} == {"vector"}
    assert {each.id for each in store.match_names(ANN, ["liv", "ann"])} >= {LIV.id, PERSON.id}


def test_vectors_of_another_size_go_and_are_reported_missing(store: Store) -> None:
    """A search fails at them; without them it finds by words, and `reindex` recreates them."""
    broken(store.address, "UPDATE fact_vector SET vector = zeroblob(7)")
    assert [problem.kind for problem in verify(store)] == ["vector size"]
    assert [problem.kind for problem in repair(store, AT)] == ["vector size"]
    assert [problem.kind for problem in verify(store)] == ["vector"]
    store.replace_embedder(EMBEDDER.name, EMBEDDER.dimensions, lambda texts: list(EMBEDDER.embed(texts)))
    assert verify(store) == ()


def test_a_damaged_file_is_said(store: Store, tmp_path: Path) -> None:
    """A page of an index that was overwritten is found by SQLite's own check."""
    store.close()
    path = tmp_path / "memory.db"
    with sqlite3.connect(path) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'fact_subject'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size + size // 2)
        file.write(b"\xff" * (size // 2))
    opened = SqliteStore(path)
    found = verify(opened)
    opened.close()
    assert {problem.kind for problem in found} == {"file"}
    assert not any(problem.mendable for problem in found)
