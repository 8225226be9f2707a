"""A small run of the scale benchmark, on a file and on a server, and its generated data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.embedders import WordEmbedder
from benchmarks.scale.crowd import WorldExtractor, changes, crowd
from benchmarks.timing import Task, in_turn
from mem0g import Memory
from mem0g.errors import InputError
from mem0g.extract import NoExtractor
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.sqlite import SqliteStore
from tests.servers.server import Server

SMALL = ["--facts", "400", "--scopes", "8", "--tenant", "20", "--searches", "2"]


def run(*arguments: str) -> int:
    """Return the exit code of the benchmark."""
    with pytest.raises(SystemExit) as ended:
        main(["scale", *SMALL, *arguments])
    return int(ended.value.code or 0)


def test_a_crowd_of_all_sizes() -> None:
    """Facts are spread as requested: the tenant's, a hundredth, a tenth, and the rest evenly."""
    made = crowd(1000, 20, 50, 3, seed=0)
    assert [member.facts for member in made.asked] == [50, 10, 100]
    sizes = [other.facts for other in made.others]
    assert (len(sizes), sum(sizes), max(sizes) - min(sizes)) == (17, 840, 1)
    for facts, scopes, tenant in ((100, 99, 50), (1000, 2000, 50), (400, 4, 5000)):
        with pytest.raises(InputError, match=f"{facts} facts are too few for {scopes} scopes"):
            crowd(facts, scopes, tenant, 1, seed=0)


def test_bulk_is_what_windows_make(tmp_path: Path) -> None:
    """A bulk load gives a member the same facts as an ingest of the same messages."""
    member = crowd(1000, 4, 60, 1, seed=3).tenant
    texts = []
    for name in ("bulk", "windows"):
        store = SqliteStore(tmp_path / f"{name}.db")
        extractor = WorldExtractor(member) if name == "windows" else NoExtractor()
        with Memory(store, WordEmbedder(), extractor, Settings()) as memory:
            if name == "bulk":
                store.claim_embedder(WordEmbedder().name, WordEmbedder().dimensions)
                store.load(changes(member, WordEmbedder()))
            else:
                memory.add(member.world.utterances, **member.keys)
            facts = memory.facts(**member.keys)
            said = memory.messages(**member.keys)
        texts.append((sorted((fact.text, fact.relation, fact.evidence) for fact in facts), said))
    assert texts[0] == texts[1]
    assert len(texts[0][0]) == 60


def test_words_make_clusters() -> None:
    """Vectors have length 1, are the same every time, and nearer the more words are shared."""
    first, near, far = WordEmbedder().embed(["Ann visited Oslo", "Ann visited Rome", "a broken lamp"])
    assert np.allclose(np.linalg.norm([first, near, far], axis=1), 1)
    assert np.array_equal(first, WordEmbedder().embed(["Ann visited Oslo"])[0])
    assert first @ near > 0.3 > first @ far


def test_tasks_take_turns() -> None:
    """Every task runs once a round, after a first run that does not count."""
    done: list[tuple[str, int]] = []

    def noting(name: str) -> Task:
        return lambda number: done.append((name, number))

    times = in_turn({name: noting(name) for name in "ab"}, 2)
    assert done == [("a", 0), ("b", 0), ("a", 0), ("b", 0), ("a", 1), ("b", 1)]
    assert [len(taken) for taken in times.values()] == [2, 2]


@pytest.mark.slow
def test_on_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It fills a file, finds all of the nearest, measures scopes beside their floors and deletes the file."""
    out, store = tmp_path / "out.json", tmp_path / "memory.db"
    assert run("--store", str(store), "--out", str(out), "--largest", "60") == 0, capsys.readouterr().err
    assert not store.exists()
    written = json.loads(out.read_text())
    rows = written["rows"]
    assert [row["share"] for row in rows if "share" in row] == [100, 100, 100]
    assert {row["scope"] for row in rows if row["method"] == "search"} == {"tenant", "middle", "large", "largest"}
    assert sum(row["facts"] for row in rows if "facts/s" in row and row["method"] != "bare inserts") == 460
    methods = [row["method"] for row in rows]
    assert not any("bare:" in each for each in methods)
    assert {"floor: product, large", "floor: product, largest", "bare inserts", "bytes on disk / fact"} <= set(methods)
    assert sum("threads beside a writer" in each for each in methods) == 3
    compared = {row["scope"]: row["ratio"] for row in rows if row["method"] == "search / product, by CPU"}
    assert set(compared) == {"tenant", "large", "largest"}
    assert all(ratio > 0 for ratio in compared.values())
    assert all(row["size"] > 0 for row in rows if "size" in row)


@pytest.mark.slow
def test_a_store_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Existing data in a store is kept unless --drop is given."""
    out, store = tmp_path / "out.json", tmp_path / "memory.db"
    with Memory.open(store, embedder=WordEmbedder(), extractor="none") as memory:
        memory.add("I live in Oslo.", user_id="ann")
    assert run("--store", str(store), "--out", str(out)) == 1
    assert "holds 1 scopes, such as user_id=ann" in capsys.readouterr().err
    with Memory.open(store, embedder=WordEmbedder(), extractor="none") as memory:
        assert memory.stats(all_scopes=True).messages == 1
    assert run("--store", str(store), "--out", str(out), "--drop") == 0


@pytest.mark.slow
def test_on_a_server(bare: Neo4jStore, neo4j_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a server the bare queries run as well, and its version is recorded."""
    out = tmp_path / "out.json"
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password or "")
    monkeypatch.setenv("NEO4J_DATABASE", neo4j_server.database)
    assert run("--store", neo4j_server.uri, "--out", str(out), "--drop") == 0
    written = json.loads(out.read_text())
    assert written["versions"]["neo4j"] == neo4j_server.version
    shares = {row["scope"]: row["share"] for row in written["rows"] if "share" in row}
    assert shares == {"tenant": 100, "large": 100}
    methods = {row["method"] for row in written["rows"]}
    assert {"bare: round trip", "bare: two hops, tenant", "bare: two hops, large", "bare: commit of 5 facts"} <= methods
    assert all(row["ratio"] > 0 for row in written["rows"] if "ratio" in row)
