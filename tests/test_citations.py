"""The messages that triples made elsewhere cite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.errors import TripleError
from mem0g.model import Scope
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from mem0g.writer import cited_by_id, cited_messages
from tests.making import ANN, BOB, change, message, triple

FIRST = message("I live in Oslo.", 0, source_id="D1:1")
SECOND = message("It rains.", 1, source_id="D1:2")
ODD = message("Odd.", 2, source_id="D1:2 \"'%🦄")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Three messages of Ann's, one of Bob's."""
    opened = SqliteStore(tmp_path / "memory.db")
    write(opened, change(messages=[FIRST, SECOND, ODD]))
    write(opened, change(BOB, messages=[message("Bob's.", 0, BOB, source_id="D7:7")]))
    yield opened
    opened.close()


def test_by_id_or_by_the_sources_id(store: SqliteStore) -> None:
    """Either way to cite finds the message; afterwards all are cited by id, in the order given."""
    made = triple("Ann", "lives_in", "Oslo", evidence=("D1:2", FIRST.id, ODD.source_id or ""))
    found = cited_messages(store, ANN, [made])
    assert found == {"D1:2": SECOND, FIRST.id: FIRST, ODD.source_id: ODD}
    assert cited_by_id(made, found).evidence == (SECOND.id, FIRST.id, ODD.id)
    assert cited_by_id(made, found).text == made.text


def test_no_evidence(store: SqliteStore) -> None:
    """A triple may cite nothing."""
    made = triple("Ann", "lives_in", "Oslo")
    assert cited_messages(store, ANN, [made]) == {}
    assert cited_by_id(made, {}) == made


@pytest.mark.parametrize("cite", ["D9:9", "", "m_0000000000000000", "D7:7", "D1:%"])
def test_unknown_evidence_is_named(store: SqliteStore, cite: str) -> None:
    """What is not there, or is another scope's, is an error that says which."""
    with pytest.raises(TripleError, match="names no message") as caught:
        cited_messages(store, ANN, [triple("Ann", "lives_in", "Oslo", evidence=(FIRST.id, cite))])
    assert repr(cite) in str(caught.value)
    assert caught.value.hint


def test_ambiguous_evidence_is_named(store: SqliteStore) -> None:
    """An id that several sources have must be cited by the id here, which tells them apart."""
    other = message("Another file's.", 0, source="other", source_id="D1:1")
    write(store, change(messages=[other]))
    with pytest.raises(TripleError, match="'D1:1' names 2 messages"):
        cited_messages(store, ANN, [triple("Ann", "lives_in", "Oslo", evidence=("D1:1",))])
    found = cited_messages(store, ANN, [triple("Ann", "lives_in", "Oslo", evidence=(other.id,))])
    assert found == {other.id: other}


def test_a_scope_cites_what_it_covers(store: SqliteStore) -> None:
    """A run's messages can be cited for the user; not the other way round."""
    run = Scope(user_id="ann", run_id="r1")
    said = message("In a run.", 0, run, source_id="D5:5")
    write(store, change(run, messages=[said]))
    made = triple("Ann", "lives_in", "Oslo", evidence=("D5:5",))
    assert cited_messages(store, ANN, [made]) == {"D5:5": said}
    with pytest.raises(TripleError):
        cited_messages(store, run, [triple("Ann", "lives_in", "Oslo", evidence=("D1:1",))])
