"""The generated part of docs/comparison.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.peers.page import BEGIN, END, KEPT, PAGE, replaced, section

EACH = {
    "model_calls_per_add": 1.0,
    "sequential_calls_per_add": 1.0,
    "prompt_tokens_per_add": 2441,
    "add_p50_seconds": 0.1,
    "search_p50_ms": 10.0,
    "found_in_ten": 90.0,
    "triples_added": 250,
    "stored_right": 250,
    "cypher_queries_per_add": 20.0,
    "embedding_ms": 5.0,
    "pairs": 50,
    "searches": 100,
}


def row(method: str, **changed: float) -> dict[str, Any]:
    """A row of a store of 1,000 facts, at 0 s a reply if nothing else is given."""
    return {"method": method, "facts": 1000, "seconds_a_reply": 0.0, **EACH, **changed}


def document(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An OUT.json of these rows."""
    names = dict.fromkeys(each["method"] for each in rows)
    return {
        "date": "2026-11-23",
        "commit": "0123456789ab",
        "machine": "2 × x86_64, Linux",
        "versions": {"python": "3.11.7", "neo4j": "2026.08.1 community", "mem0": "1.0.11", "graphiti": "0.31.1"},
        "installed": {name: {"megabytes": 100.0, "packages": 40, "import_seconds": 0.5} for name in names},
        "missing": {},
        "failed": {},
        "rows": list(rows),
        **more,
    }


def test_the_run_is_described() -> None:
    """Date, commit, versions and machine are on the page."""
    made = section(document(row("mem0g-neo4j"), row("mem0")))
    assert "on 23 November 2026 in one run: mem0g at 0123456789ab, mem0 1.0.11 and graphiti 0.31.1" in made
    assert "on 2 × x86_64, Linux, Python 3.11.7, Neo4j 2026.08.1 community" in made


def test_each_figure_of_another_has_its_ratio() -> None:
    """It is divided by that of mem0g on Neo4j; a floor is compared with nothing."""
    made = section(document(row("mem0g-neo4j"), row("mem0", add_p50_seconds=0.42, embedding_ms=6.0)))
    assert "| an add, median | 0.10 s | 0.42 s (4.2) |" in made
    assert "| floor: embedding a sentence | 5.0 ms | 6.0 ms |" in made
    assert "| triples stored as given, of 250 | 250 | 250 (1.0) |" in made


def test_mem0g_is_ahead() -> None:
    """Where nothing is better elsewhere, the page says so; equal is not behind."""
    assert "mem0g is behind in none of these figures." in section(document(row("mem0g-neo4j"), row("mem0")))


@pytest.mark.parametrize(
    ("figure", "value", "said"),
    [
        ("search_p50_ms", 9.0, "- mem0g, Neo4j behind mem0: a search, median, 1,000 facts before"),
        ("found_in_ten", 91.0, "- mem0g, Neo4j behind mem0: the asked fact among the first ten, 1,000 facts before"),
    ],
)
def test_mem0g_is_behind(figure: str, value: float, said: str) -> None:
    """What is behind is listed, and not where the other is worse."""
    made = section(document(row("mem0g-neo4j"), row("mem0", **{figure: value}), row("graphiti", stored_right=1)))
    assert made.count("- mem0g") == 1
    assert said in made


def test_slow_replies_have_lines_of_their_own() -> None:
    """The same figure at 0 s and at 1 s; calls in sequence are counted where replies are slow."""
    rows = [row("mem0g-neo4j"), row("mem0g-neo4j", seconds_a_reply=1.0, add_p50_seconds=1.1, pairs=10)]
    made = section(document(*rows))
    assert "| an add, median | 0.10 s |" in made
    assert "| an add with slow replies, median | 1.10 s |" in made
    assert "slow replies take 1 s (10 pairs)" in made
    assert made.count("one after the other") == 1


def test_the_part_of_neo4j_in_the_cpu_time_is_not_compared() -> None:
    """Only the whole is: work can be done on either side."""
    ours = row("mem0g-neo4j", cpu_ms_per_add=300.0, server_cpu_ms_per_add=200.0)
    made = section(document(ours, row("mem0", cpu_ms_per_add=600.0, server_cpu_ms_per_add=100.0)))
    assert "| CPU for an add | 300 ms | 600 ms (2.0) |\n| of it in Neo4j | 200 ms | 100 ms |" in made
    assert "mem0g is behind in none of these figures." in made


def test_queries_of_another_database_are_no_figure() -> None:
    """SQLite runs no Cypher: it is neither ahead nor behind in that."""
    made = section(document(row("mem0g-neo4j"), row("mem0g-sqlite", cypher_queries_per_add=0.0)))
    assert "| Cypher queries for an add |  | 20 |" in made


def test_what_is_not_measured_is_said() -> None:
    """A system that could not be installed, or failed, is not left out in silence."""
    made = section(document(row("mem0g-neo4j"), missing={"graphiti": "pip failed"}, failed={"mem0, 10 facts": "no"}))
    assert "- not measured: graphiti: pip failed" in made
    assert "- not measured: mem0, 10 facts: no" in made


def test_the_rest_of_the_page_stays() -> None:
    """Only what stands between the two comments is replaced, however often."""
    made = section(document(row("mem0g-neo4j")))
    page = replaced(f"before\n{BEGIN}\nold\n{END}\nafter\n", made)
    assert page == f"before\n{made}\nafter\n" == replaced(page, made)


def test_the_page_is_what_the_figures_make() -> None:
    """docs/comparison.md holds the section made from the figures that are kept; `python -m benchmarks.peers.page`."""
    page = PAGE.read_text(encoding="utf-8")
    assert replaced(page, section(json.loads(KEPT.read_text(encoding="utf-8")))) == page
