"""Contexts about what nobody spoke of, and about what was said both ways, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from mem0g.cli.app import app
from mem0g.llm.openai import OpenAIProvider
from mem0g.memory import Memory
from mem0g.model import Fact, Message
from tests.llm.server import call, serving
from tests.making import triple
from tests.pipeline.telling import EMBEDDER, Place, in_a_file
from tests.store.fixtures import kept_minilm

ANN: dict[str, Any] = {"user_id": "ann"}
SAID = ["I flew to Oslo in May with my sister.", "My budget app uses Flask.", "I've never flown to Oslo."]


@pytest.fixture
def memory(place: Place, minilm: None) -> Iterator[Memory]:
    """A memory of three messages of Ann's, the last of which contradicts the first."""
    with Memory.open(place.address, extractor="rules", embedder=kept_minilm(), credentials=place.credentials) as opened:
        days = (f"2026-01-0{day}T10:00:00Z" for day in (1, 2, 3))
        opened.add(
            [{"role": "user", "content": text, "timestamp": at} for text, at in zip(SAID, days, strict=True)], **ANN
        )
        yield opened


def test_contradictions_are_shown(memory: Memory) -> None:
    """Both statements, dated, for a question about them; in the list of the scope, and of no other."""
    found = memory.context("Have I ever flown to Oslo?", **ANN)
    lines = found.text.splitlines()
    start = lines.index("Contradicting:")
    assert lines[start + 1 : start + 3] == [f"  ann, 2026-01-01: {SAID[0]}", f"  ann, 2026-01-03: {SAID[2]}"]
    assert [hit.reasons[0].channel for hit in found.hits[:2]] == ["contradiction", "contradiction"]
    assert "Contradicting:" not in memory.context("What does my app use?", **ANN).text
    (pair,) = memory.contradictions(**ANN)
    assert (pair.earlier.text, pair.later.text) == (SAID[0], SAID[2])
    assert memory.contradictions(user_id="bob") == ()
    assert "Contradicting:" not in memory.context("Have I ever flown to Oslo?", tokens=20, **ANN).text


def test_contradicting_facts_are_shown(memory: Memory) -> None:
    """Both facts, for a question about them, and in the list, behind messages that say otherwise."""
    for run, name in (("one", "Flask-Login 0.6.2"), ("two", "Flask-Login")):
        relation = "uses" if run == "one" else "has never used"
        text = f"Ann {relation} {name}."
        memory.add_triples([triple("Ann", relation, name, text=text, evidence=())], **ANN, run_id=run)
    found = memory.context("Have I used Flask-Login?", **ANN)
    lines = found.text.splitlines()
    start = lines.index("Contradicting:")
    assert lines[start + 1 : start + 3] == ["  Ann: uses Flask-Login 0.6.2", "  Ann: has never used Flask-Login"]
    assert [hit.fact.relation for hit in found.hits if hit.fact][:2] == ["USES", "HAS_NEVER_USED"]
    assert len([line for line in lines if "never used" in line]) == 1
    said, stated = memory.contradictions(**ANN)
    assert isinstance(said.earlier, Message)
    assert isinstance(stated.earlier, Fact)
    assert (stated.earlier_text, stated.later_text) == (
        "Ann uses Flask-Login 0.6.2.",
        "Ann has never used Flask-Login.",
    )
    assert "Contradicting:" not in memory.context("What does Ben like?", **ANN).text


@in_a_file
def test_nothing_is_known(memory: Memory) -> None:
    """The context of a question that nothing speaks of is empty, and says so."""
    unknown = memory.context("Which vaccines did the veterinarian recommend?", **ANN)
    assert (unknown.known, unknown.text, unknown.hits) == (False, "", ())
    for question in ("Have I ever flown to Oslo?", "What does my budget app use?", "Oslo", "Hello!", "ann"):
        assert memory.context(question, **ANN).known
        assert memory.search(question, **ANN).known
    assert not memory.context("Where do I live?", user_id="bob").known


@in_a_file
def test_a_search_says_that_its_hits_are_only_the_nearest(memory: Memory, place: Place) -> None:
    """Hits of a question that nothing speaks of are returned, and said to be of something else."""
    question = "Which vaccines did the veterinarian recommend?"
    hits = memory.search(question, **ANN)
    assert (hits.known, bool(hits)) == (False, True)
    assert not memory.search(question, user_id="bob").known
    shown = CliRunner().invoke(app, ["search", question, "--user", "ann", "--store", place.address])
    assert "Nothing is known about this; these are the nearest." in shown.output


@in_a_file
def test_a_model_reads_the_best_hits_even_then(memory: Memory) -> None:
    """Neither words nor vectors find the flight in this question; a model that is asked sees it."""
    question = "Which vaccines did the veterinarian recommend?"
    known = call({"found": "my sister", "missing": "", "known": True}, "check")
    answered = call({"answer": "With her sister.", "sources": [1], "known": True}, "answer")
    with serving([known, answered]) as server:
        model = OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
        checked = memory.context(question, check=True, model=model, **ANN)
        assert (checked.known, "with my sister" in checked.text) == (True, True)
        assert memory.ask(question, model=model, **ANN).known


@in_a_file
def test_instructions_stay(memory: Memory) -> None:
    """An instruction without a condition is shown where nothing else is known."""
    memory.add([{"role": "user", "content": "From now on answer in metric units."}], **ANN)
    unknown = memory.context("Which vaccines did the veterinarian recommend?", **ANN)
    assert (unknown.known, unknown.text) == (False, "Instructions:\n  From now on answer in metric units")


def test_only_with_measured_thresholds(file: Place) -> None:
    """With an embedder of which nobody measured the cosines, something is known as soon as there is a candidate."""
    with Memory.open(file.address, embedder=EMBEDDER, extractor="none") as opened:
        assert not opened.context("Which vaccines did the veterinarian recommend?", **ANN).known
        for text in SAID:
            opened.add(text, **ANN)
        assert opened.context("Which vaccines did the veterinarian recommend?", **ANN).known
