"""Columns of a scope in memory: what a search finds by them is always what the file holds, and the words are ranked as
SQLite's full-text index ranks them.
"""

from __future__ import annotations

import gc
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import numpy as np
import pytest

from mem0g import Memory, Utterance
from mem0g.extract import NoExtractor
from mem0g.model import Fact, Message
from mem0g.retrieve.ranking.keyword_scores import Stems
from mem0g.settings import Settings
from mem0g.store.candidates import SearchCandidates
from mem0g.store.change import Support
from mem0g.store.in_memory import postings, vectors
from mem0g.store.in_memory.column import Column, each_once, highest, products_of_each
from mem0g.store.in_memory.postings import FoundStems, Postings, RowTexts
from mem0g.store.in_memory.vectors import Rows
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import SearchQuery, Selection, View
from mem0g.store.sqlite import SqliteStore, columns, kept
from mem0g.store.sqlite.packing import packed, unpacked
from mem0g.testing import HashingEmbedder
from mem0g.text.stemming import tokens
from mem0g.times import now
from tests.making import ANN, BOB, EMBEDDER, change, message, triple, vector

LONG = " ".join(f"Then we saw the harbour number {number}, which was quite near the old tower." for number in range(60))
QUESTIONS = ("Where does Ann live?", "harbour tower")
VIEWS = (
    View(),
    View(include_retired=True),
    View(as_of=now() - timedelta(days=1)),
    View(known_at=now() + timedelta(days=1)),
)

Changing = Callable[[Memory], object]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with facts, messages and passages of two users."""
    path = tmp_path_factory.mktemp("columns") / "filled.db"
    with opened(path) as memory:
        for user in ("ann", "bob"):
            memory.add([said("I bought an old lamp in Oslo."), said(LONG, 1)], user_id=user)
            made = [triple("Ann", "bought", f"lamp {number}") for number in range(12)]
            memory.add_triples(
                [triple("Ann", "lives in", "Oslo"), triple("Annie", "likes", "tea"), *made], user_id=user
            )
    return path


@pytest.fixture
def path(filled: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copy(filled, tmp_path / "memory.db"))


def opened(path: Path) -> Memory:
    """Open a memory that calls no model."""
    return Memory(SqliteStore(path), EMBEDDER, NoExtractor(), Settings())


def said(text: str, position: int = 0) -> Utterance:
    """Return what Ann said."""
    return Utterance(source="chat", session="1", position=position, speaker="Ann", role="user", text=text, time=now())


def found(store: Store) -> list[SearchCandidates]:
    """Return what searches of all kinds find."""
    where, what = QUESTIONS
    selected = [(where, View(), each) for each in (Selection(relations=("LIVES_IN",)), Selection(speakers=("Ann",)))]
    asked = [(what, View(), None), *((where, view, None) for view in VIEWS), *selected]
    return [
        store.find(
            scope,
            SearchQuery(vectors=(vector(text),), terms=tuple(tokens(text)), view=view, selection=selection),
        )
        for scope in (ANN, BOB)
        for text, view, selection in asked
    ]


def fact_of(memory: Memory, relation: str) -> str:
    """Return the id of Ann's first fact of a relation."""
    return memory.facts(user_id="ann", relation=relation, limit=1)[0].id


def erase_message(memory: Memory) -> None:
    """Erase the long message."""
    memory.erase(next(each.id for each in memory.messages(user_id="ann") if each.text == LONG), user_id="ann")


def undo_merge(memory: Memory) -> None:
    """Merge two entities, then undo it."""
    memory.undo(memory.merge("Ann", "Annie", user_id="ann").id, user_id="ann")


def rename(memory: Memory) -> None:
    """Give an entity another name and type."""
    ann = replace(memory.store.match_names(ANN, ["Ann"])[0], name="Anna", type="poet")
    memory.store.write(ANN, lambda transaction: transaction.commit(change(entities=(ann,))))


def support(memory: Memory) -> None:
    """Give a fact more evidence."""
    more = Support(fact_of(memory, "LIVES_IN"), tuple(each.id for each in memory.messages(user_id="ann")))
    memory.store.write(ANN, lambda transaction: transaction.commit(change(support=(more,))))


CHANGES: dict[str, Changing] = {
    "add": lambda memory: memory.add([said("My harbour tower has a lamp.", 2)], user_id="ann"),
    "add a fact": lambda memory: memory.add_fact("Ann lives in Rome.", user_id="ann"),
    "retire": lambda memory: memory.retire(fact_of(memory, "LIVES_IN"), user_id="ann"),
    "correct": lambda memory: memory.correct(fact_of(memory, "LIVES_IN"), "Ann lives in Rome.", user_id="ann"),
    "merge": lambda memory: memory.merge("Ann", "Annie", user_id="ann"),
    "undo a merge": undo_merge,
    "rename": rename,
    "support": support,
    "undo": lambda memory: memory.undo(memory.decisions(user_id="ann")[0].id, user_id="ann"),
    "erase a fact": lambda memory: memory.erase(fact_of(memory, "BOUGHT"), user_id="ann"),
    "erase a message": erase_message,
    "forget": lambda memory: memory.forget(user_id="ann"),
    "reindex": lambda memory: memory.reindex(),
    "repair": lambda memory: memory.repair(),
}


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("by", ["itself", "another"])
def test_never_stale(path: Path, kind: str, by: str) -> None:
    """Whatever is changed, by this store or by another one on the same file, is seen by the next search."""
    with opened(path) as warm:
        before = found(warm.store)
        if by == "itself":
            CHANGES[kind](warm)
        else:
            with opened(path) as other:
                found(other.store)
                CHANGES[kind](other)
        after = found(warm.store)
        with closing(SqliteStore(path)) as cold:
            assert after == found(cold)
        assert (after == before) is (kind in ("undo a merge", "reindex", "repair"))


def test_rows_that_nothing_changed_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change by the same store only what it concerns is read again; with too many rows nothing is kept."""

    def facts(store: Store) -> dict[str, Fact]:
        return {each.fact.id: each.fact for candidates in found(store)[:1] for each in candidates.facts}

    with opened(path) as memory:
        before = facts(memory.store)
        supported = fact_of(memory, "LIVES_IN")
        support(memory)
        after = facts(memory.store)
        assert {key for key, fact in before.items() if fact is not after[key]} == {supported}
        monkeypatch.setattr(kept, "MOST_BYTES", 2)
        assert facts(memory.store) == after


def test_a_message_stored_after_the_fact_that_cites_it(path: Path) -> None:
    """A search that has found the fact before finds the message around it, too."""
    query = SearchQuery(vectors=(vector("heron"),), terms=("heron",), messages=0)
    with opened(path) as memory:
        later = said("I keep a heron in the garden.", 3)
        cited = Message.of(later, ANN).id
        fact = replace(
            memory.facts(user_id="ann", limit=1)[0], id="f_heron", text="Ann keeps a heron.", evidence=(cited,)
        )
        memory.store.write(ANN, lambda transaction: transaction.commit(change(facts=(fact,))))
        assert cited not in memory.store.find(ANN, query).turns.ids
        memory.add([later], user_id="ann")
        assert cited in memory.store.find(ANN, query).turns.ids


def test_a_rewritten_text_without_a_vector(path: Path) -> None:
    """A fact whose text is replaced, and its vector is not, is found by its new words."""
    with opened(path) as memory, closing(SqliteStore(path)) as warm:
        found(warm)
        [lives] = memory.facts(user_id="ann", relation="LIVES_IN")
        changed = replace(lives, text="Ann lives beside the zeppelin.")
        memory.store.write(ANN, lambda transaction: transaction.commit(change(rewritten=(changed,))))
        query = SearchQuery(vectors=(vector("x"),), terms=("zeppelin",), facts=1, messages=0, hops=0, nearest_anchors=0)
        assert changed.id in {each.fact.id for each in warm.find(ANN, query).facts}


def test_a_rolled_back_change(path: Path) -> None:
    """Rows that were read within a transaction which is rolled back are gone, and others may take their numbers."""
    with closing(SqliteStore(path)) as store:
        before = found(store)

        def failing(transaction: Transaction) -> None:
            transaction.commit(change(messages=[message("The zeppelin landed in Oslo.", 7)]))
            store._searcher.columns.vectors("message", [1], 384)
            store._searcher.columns.stems("message", [1])
            raise RuntimeError

        with pytest.raises(RuntimeError):
            store.write(ANN, failing)
        assert found(store) == before
        store.write(ANN, lambda transaction: transaction.commit(change(messages=[message("A lamp of Rome.", 8)])))
        with closing(SqliteStore(path)) as cold:
            assert found(store) == found(cold) != before


def test_other_tenants_keep_their_columns(path: Path) -> None:
    """A merge in one scope does not make the columns of another be read anew."""
    with opened(path) as memory:
        assert isinstance(memory.store, SqliteStore)
        found(memory.store)
        read = memory.store._searcher.columns
        mine, theirs = read.stems("fact", [1]), read.stems("fact", [2])
        memory.merge("Ann", "Annie", user_id="ann")
        assert read.stems("fact", [2]) is theirs
        assert read.stems("fact", [1]) is not mine


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["erase a message", "forget"])
def test_forgotten_words_leave_memory(path: Path, kind: str) -> None:
    """After an erasure no column of this store holds a word of it."""
    with opened(path) as memory:
        found(memory.store)
        assert "harbour" in _words()
        memory.forget(user_id="bob")
        found(memory.store)
        CHANGES[kind](memory)
        assert "harbour" not in _words()


def _words() -> set[str]:
    gc.collect()
    return {stem for each in gc.get_objects() if isinstance(each, Postings) for stem in each._stems.names}


def test_threads_beside_a_writer(path: Path) -> None:
    """Searches in threads beside a writer find whole states only: as many messages as were committed at some moment."""
    with closing(SqliteStore(path)) as store, closing(SqliteStore(path)) as writer:
        query = SearchQuery(vectors=(vector("zeppelin"),), terms=("zeppelin",), messages=1000)

        def write(number: int) -> int:
            new = [message(f"The zeppelin {number} {part}", 10 + 2 * number + part) for part in range(2)]
            writer.write(ANN, lambda transaction: transaction.commit(change(messages=new)))
            return number

        def search(_: int) -> int:
            return sum("zeppelin" in each.text for each in store.find(ANN, query).messages)

        with ThreadPoolExecutor(5) as pool:
            written = pool.submit(lambda: list(map(write, range(20))))
            counts = list(pool.map(search, range(60)))
            written.result()
        assert all(count % 2 == 0 for count in counts)
        assert search(0) == 40


def test_scopes_of_a_user_come_by_the_index(path: Path) -> None:
    """However many tenants a file has, the scopes of one user are found without looking at the others."""
    queries: list[str] = []
    with closing(SqliteStore(path)) as store:
        store._connection.set_trace_callback(queries.append)
        store.scopes(ANN)
        store._connection.set_trace_callback(None)
        (wanted,) = (each for each in queries if "FROM scope" in each)
        plan, *_ = store._connection.execute(f"EXPLAIN QUERY PLAN {wanted}").fetchall()
    assert "SEARCH scope USING" in plan["detail"]


def test_least_recently_used_are_dropped(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns of other scopes that would take too much memory are dropped, and found again; then words, too."""
    query = SearchQuery(vectors=(vector("tea"),), terms=("tea",))
    with closing(SqliteStore(path)) as small, closing(SqliteStore(path)) as writer:
        held = small._searcher.columns._held
        small.find(ANN, query)
        assert (mine := {key[2] for key in held})
        small.find(BOB, query)
        assert len({key[2] for key in held}) == 2
        monkeypatch.setattr(columns, "CACHED_BYTES", 1)
        writer.write(ANN, lambda transaction: transaction.commit(change(messages=[message("A lamp of Rome.", 8)])))
        small.find(ANN, query)
        assert {key[2] for key in held} == mine
        assert len(held) > 5
        before, words = found(small), small._searcher.columns._words
        monkeypatch.setattr(columns, "WORD_BYTES", 1)
        assert found(small) == before
        assert small._searcher.columns._words is not words


@pytest.fixture
def texts() -> list[str]:
    """Random texts of few words, so that many share some, and some are equal."""
    random = Random(5)
    letters = "abcdefghij"
    return [" ".join(random.choice(letters[:width]) for _ in range(random.randrange(12))) for width in [2, 5, 10] * 60]


@pytest.mark.parametrize("unsorted", [0, 40, 1 << 16])
def test_words_rank_as_in_fts5(texts: list[str], unsorted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """BM25 is that of SQLite's full-text index over the same rows, ties included, however many rows are new."""
    monkeypatch.setattr(postings, "UNSORTED", unsorted)
    made = Postings()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5 (keys, terms)")
        for start in range(0, len(texts), 30):
            part = list(enumerate(texts))[start : start + 30]
            keys = [number % 7 and 2 for number, _ in part]
            made.append([2 * number + 1 for number, _ in part], keys, [text for _, text in part])
            rows = [
                (2 * number + 1, "k1 k2" if key else "", text) for (number, text), key in zip(part, keys, strict=True)
            ]
            connection.executemany("INSERT INTO t (rowid, keys, terms) VALUES (?, ?, ?)", rows)
            for terms in (["a"], ["j", "a b", "c"], ["h", "h", "i j", "unknown"], ["a a", "b"], ["a unknown"], []):
                words = " OR ".join(f'"{each}"' for each in dict.fromkeys(terms)) or '"unknown"'
                sql = "SELECT rowid FROM t WHERE t MATCH ? AND rowid <> 1 ORDER BY bm25(t, 0, 1), rowid LIMIT 20"
                wanted = [
                    row[0] for row in connection.execute(sql, (f"(keys : k1 AND keys : k2) AND terms : ({words})",))
                ]
                assert made.best(terms, 20, without=[1, 10_000]) == wanted
    having = [2 * number + 1 for number, text in enumerate(texts) if "b" in text.split() and number % 7]
    assert made.having("b") == having
    assert made.best(["a"], 0) == []


def test_stems_are_counted_as_in_texts(texts: list[str]) -> None:
    """Counts and lengths are those of the texts, in the order asked for; a row that is not held has no stems."""
    made = Postings()
    made.append(list(range(1, len(texts) + 1)), [1] * len(texts), texts)
    numbers = np.array([5, 3, 170, 5, 1, 999, *range(20, 60)])
    asked = [texts[number - 1] if number <= len(texts) else "" for number in numbers.tolist()]
    terms = ["a", "b a", "unknown", "a a", "c unknown", "d"]
    wanted = Stems(asked)
    ids = [f"f{place}" for place in range(len(numbers))]
    found = FoundStems((made, ids, numbers), (made, numbers[:0]), (made, {}), terms)
    counts, lengths = found.counts(terms, ids, ())
    assert found.counts(terms, ids[::-1], ())[0].tolist() == counts[::-1].tolist()
    assert counts.tolist() == wanted.counts(terms).tolist()
    assert lengths.tolist() == wanted.lengths.tolist()
    read = RowTexts(made, numbers)
    assert (len(read), read[0], read[1:3], list(read)) == (len(asked), asked[0], tuple(asked[1:3]), asked)
    empty = Postings()
    nothing = FoundStems((empty, [], numbers[:0]), (empty, numbers[:0]), (empty, {}), terms)
    assert nothing.counts(terms, [], ())[0].shape == (0, len(terms))


def test_numbers_once() -> None:
    """Numbers are sorted, each once, as by np.unique."""
    for some in ([], [3], [2, 2], [5, 1, 5, 3, 1, -2]):
        numbers = np.array(some, dtype=np.int64)
        assert each_once(numbers).tolist() == np.unique(numbers).tolist()


def test_room_made_beforehand_changes_nothing() -> None:
    """What was reserved is filled in place; more than that, or less, can be added."""
    column, plain = Column(np.int32, 2), Column(np.int32, 2)
    column.reserve(10)
    held = column.nbytes
    for size in (4, 6, 5):
        for each in (column, plain):
            each.append(np.arange(2 * size).reshape(size, 2))
        assert (column.nbytes == held) is (len(column) <= 10)
    column.reserve(3)
    assert column.values.tolist() == plain.values.tolist()


def test_nearest() -> None:
    """The nearest rows are those of a full comparison, for one vector and for many at once, without those left out."""
    matrix = HashingEmbedder(16).embed([f"word {number} {number % 5}" for number in range(90)])
    rows = Rows(16)
    assert rows.nearest(matrix[:1], 3) == []
    assert rows.nearest_of_each(matrix[:2], 3) == [[], []]
    for start in range(0, 90, 7):
        numbers = range(start, min(start + 7, 90))
        rows.append([10 + number for number in numbers], matrix[numbers.start : numbers.stop])
    asked, hidden = HashingEmbedder(16).embed([f"word {number}" for number in range(40)]), {10, 40, 41, 5000}
    every = rows.nearest_of_each(asked, 4, hidden)
    for vector_, each in zip(asked, every, strict=True):
        order = [10 + int(place) for place in np.lexsort((np.arange(90), -(matrix @ vector_)))]
        assert [number for number in order if number not in hidden][:4] == each
        assert rows.nearest(vector_[None], 4, hidden) == each
    assert len(rows.nearest(asked[:1], 200, hidden)) == 87
    assert set(rows.similarities([10, 11, 7], asked[:1])) == {10, 11}


@pytest.mark.skipif(vectors.LARGE > 1 << 60, reason="numpy 1 cannot count bits")
def test_nearest_of_a_large_scope(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many rows nearly all of the nearest are found by short forms, in their order, and cosines are exact."""
    monkeypatch.setattr(vectors, "LARGE", 500)
    random = np.random.default_rng(3)
    drawn = random.standard_normal((6000, 100)) + random.standard_normal((30, 100))[np.arange(6000) % 30]
    unit = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    matrix = unpacked(packed(unit), 100)
    rows, exact = Rows(100, lambda numbers: matrix[np.array(numbers, dtype=int)]), Rows(100)
    for start in range(0, 6000, 400):
        part = range(start, min(start + 400, 6000))
        for each in (rows, exact):
            each.append(list(part), matrix[part.start : part.stop])
    assert rows.size_in_bytes < exact.size_in_bytes / 2
    hidden, asked = set(range(0, 6000, 7)), matrix[::300] + 0.05 * random.standard_normal((20, 100)).astype(np.float32)
    found, wanted = rows.nearest_of_each(asked, 50, hidden), exact.nearest_of_each(asked, 50, hidden)
    assert sum(len(set(one) & set(other)) for one, other in zip(found, wanted, strict=True)) >= 0.99 * 50 * 20
    assert found[0][:5] == wanted[0][:5]
    assert rows.similarities([3, 9, 6001], asked) == exact.similarities([3, 9, 6001], asked)


def test_nearest_by_projections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rows that are searched often nearly all of the nearest are found by projections, also of those added later."""
    monkeypatch.setattr(vectors, "PROJECTED", 3000)
    random = np.random.default_rng(4)
    drawn = (random.standard_normal((6000, 40)) * 0.9 ** np.arange(40)) @ random.standard_normal((40, 100))
    matrix = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    rows, exact = Rows(100), Rows(100)
    hidden, asked = set(range(0, 6000, 7)), matrix[::60] + 0.02 * random.standard_normal((100, 100)).astype(np.float32)
    for start in range(0, 6000, 2000):
        part = range(start, start + 2000)
        for each in (rows, exact):
            each.append(list(part), matrix[start : start + 2000])
        wanted = exact.nearest_of_each(asked, 20, hidden)
        found = [rows.nearest(each[None], 20, hidden) for each in asked]
        assert sum(len(set(one) & set(other)) for one, other in zip(found, wanted, strict=True)) >= 0.995 * 20 * 100
        assert not hidden.intersection(*found)
    assert rows.size_in_bytes > 1.2 * exact.size_in_bytes
    assert rows.nearest(asked[:1], 6000) == exact.nearest(asked[:1], 6000)
    assert len(rows.nearest(asked[:1], 6000, hidden)) == 6000 - len(hidden)


@pytest.mark.skipif(vectors.LARGE > 1 << 60, reason="numpy 1 cannot count bits")
def test_a_large_scope_is_searched_as_a_small_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With so few rows that all are compared, short forms give the same results, also after a change."""
    with opened(path) as memory, closing(SqliteStore(path)) as warm:
        exact = found(memory.store)
        monkeypatch.setattr(vectors, "LARGE", 0)
        assert found(warm) == exact
        CHANGES["add"](memory)
        erase_message(memory)
        after = found(warm)
        monkeypatch.undo()
        assert after == found(memory.store)


def test_highest() -> None:
    """Ties are in order of place, at the end too."""
    assert highest(np.array([1.0, 3.0, 2.0, 3.0, 2.0, 2.0]), 4).tolist() == [1, 3, 2, 4]
    assert highest(np.array([1.0, 2.0]), 5).tolist() == [1, 0]


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 100])
@pytest.mark.parametrize(("asked", "dimensions"), [(1, 384), (64, 384), (3, 5), (200, 1536)])
def test_products_in_parts_are_products(rows: int, asked: int, dimensions: int) -> None:
    """However many rows there are, each vector is compared with each, once."""
    made = np.random.default_rng(rows)
    matrix, vectors = (made.random((size, dimensions), dtype=np.float32) for size in (rows, asked))
    found = products_of_each(matrix, vectors)
    assert found.shape == (asked, rows)
    assert np.allclose(found, vectors @ matrix.T, rtol=1e-4)
