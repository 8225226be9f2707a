"""A small run of the search benchmark, and its generated world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.memories import AGENT, memory_in
from benchmarks.search.command import USER, fill, process_times
from benchmarks.synthetic import world
from mem0g.testing import HashingEmbedder


def test_the_same_seed_makes_the_same_world() -> None:
    """A world depends on its seed and nothing else."""
    assert world(50, 5, seed=1) == world(50, 5, seed=1)
    assert world(50, 5, seed=1) != world(50, 5, seed=2)


def test_a_world_of_distinct_facts() -> None:
    """It has as many facts as requested, all distinct, each stated by one of its messages, and its questions."""
    made = world(501, 7, seed=0)
    assert len({triple.text for triple in made.triples}) == 501
    said = {utterance.source_id: utterance.text for utterance in made.utterances}
    assert all(triple.text in said[triple.evidence[0]] for triple in made.triples)
    assert len({(utterance.session, utterance.position) for utterance in made.utterances}) == 251
    assert len(set(made.questions)) == 7


def test_all_facts_are_held() -> None:
    """The engine keeps every fact of the world: none is merged with another, or retired by it."""
    made = world(200, 1, seed=0)
    with memory_in("sqlite", HashingEmbedder(), "none") as memory:
        fill(memory, made)
        held = memory.stats(user_id=USER, agent_id=AGENT)
    assert (held.facts, held.retired) == (200, 0)


def test_processes_are_timed_after_the_first() -> None:
    """As many runs as requested are timed; the first run, which reads from disk, is not counted."""
    assert len(process_times(["true"], 3)) == 3


@pytest.mark.slow
def test_from_the_command_line(tmp_path: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The command measures warm and cold searches and writes the common shape."""
    out, said = tmp_path / "out.json", tmp_path / "said.txt"
    said.write_text("Ann: I live in Oslo.\nBen: I live in Rome.\n")
    small = ["--facts", "20", "--queries", "3", "--processes", "1", "--transcript", str(said)]
    with pytest.raises(SystemExit) as ended:
        main(["search", *small, "--out", str(out)])
    assert ended.value.code == 0, capsys.readouterr().err
    written = json.loads(out.read_text())
    assert [row["method"] for row in written["rows"]] == [
        "ranking and packing, warm",
        "search, warm",
        "search, warm: the embedder",
        "context, warm",
        "context, warm: the embedder",
        "mem0g search, process",
        "mem0g search, said.txt, process",
        'python -c "import numpy", process',
    ]
    assert all(0 <= row["p50"] <= row["p95"] for row in written["rows"])  # vectors are remembered here
    assert written["data_sha256"].keys() == {f"{tmp_path.name}/said.txt"}
