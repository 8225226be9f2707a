"""Runs of agents: kept step by step, in the graph, and found again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory, Scope
from mem0g.errors import InputError, NotFoundError, QueryError, TranscriptError, UnusableReplyError
from mem0g.llm.openai import OpenAIProvider
from mem0g.procedural.runs import Run, Step, error_in
from mem0g.testing import HashingEmbedder
from tests.llm.server import Asked, Reply, call, serving
from tests.procedural.traces import FAILED, called, repair
from tests.store.fixtures import kept_minilm

CODER: dict[str, Any] = {"agent_id": "coder"}


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Memory]:
    """A memory in a file, with a small embedder."""
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="rules") as opened:
        yield opened


def triples(memory: Memory, run: str) -> set[tuple[str, str, str]]:
    """Return the facts of a run."""
    return {(fact.subject, fact.relation, fact.object) for fact in memory.facts(agent_id="coder", run_id=run)}


def test_a_run_is_in_the_graph(memory: Memory) -> None:
    """Its steps with their order, tools, errors and results; the same run again changes nothing, a longer one adds."""
    run = memory.add_run(repair()[:6], run_id="r1", **CODER)
    assert [step.tool for step in run.steps] == ["read_file", "shell"]
    run = memory.add_run(repair(), run_id="r1", **CODER)
    before = memory.stats(**CODER)
    assert memory.add_run(repair(), run_id="r1", **CODER) == run
    assert memory.stats(**CODER) == before
    assert triples(memory, "r1") >= {
        ("run r1", "HAS_TASK", "Repair the build of the web shop."),
        ("run r1", "STEP", "step 4 of run r1"),
        ("step 1 of run r1", "NEXT", "step 2 of run r1"),
        ("step 2 of run r1", "NEXT", "step 3 of run r1"),
        ("step 2 of run r1", "USED_TOOL", "shell"),
        ("step 4 of run r1", "USED_TOOL", "shell"),
        ("step 2 of run r1", "FAILED_WITH", "ModuleNotFoundError: No module named 'tomlkit'"),
        ("step 4 of run r1", "RESULTED_IN", "12 passed"),
    }
    assert len(triples(memory, "r1")) == 1 + 4 + 3 + 4 + 4
    fact = next(each for each in memory.facts(**CODER) if each.relation == "FAILED_WITH")
    assert FAILED in memory.why(fact.id, **CODER).evidence[0].text
    assert memory.verify() == ()
    assert memory.run("r1", **CODER) == run
    memory.forget(**CODER)
    with pytest.raises(NotFoundError, match="no run 'r1'"):
        memory.run("r1", **CODER)


def test_the_summary(small: Memory) -> None:
    """It has mem0's headings, the calls and the results unchanged, and what failed."""
    run = small.add_run(repair(), run_id="r1", **CODER)
    for part in (
        "**Task Objective**: Repair the build of the web shop.",
        "**Progress Status**: 4 steps, 1 failed; finished",
        '2. **Agent Action**: shell({"command": "pytest -q"})\n   **Action Result**:\n      Traceback',
        "      ModuleNotFoundError: No module named 'tomlkit'\n   **Key Findings**: A dependency is missing.",
        "   **Errors & Challenges**: ModuleNotFoundError: No module named 'tomlkit'",
        "**Current Context**: finished: The build works again: tomlkit was not declared.",
    ):
        assert part in run.summary, part
    ((failed, later),) = run.failures
    assert (failed.number, later and later.number) == (2, 4)
    assert "failed: shell" in run.lesson
    assert "then worked: shell" in run.lesson


def test_what_worked_then_tries_the_same_again() -> None:
    """Another call of the same tool is no remedy, nor one that fails too; names of parameters do not count."""

    def step(number: int, command: str, error: str = "") -> Step:
        return Step(number, "shell", f'{{"command": "{command}"}}', "", error)

    steps = (step(1, "pytest -q", "E"), step(2, "ls"), step(3, "pytest -q", "E"), step(4, "uv run pytest -q"))
    run = Run(id="r", scope=Scope("ann"), objective="", steps=steps)
    assert [(failed.number, later and later.number) for failed, later in run.failures] == [(1, 4), (3, 4)]
    assert replace(run, steps=steps[:3]).failures == ((steps[0], None), (steps[2], None))


def test_how_was_it_done_before(small: Memory) -> None:
    """The runs most like a task come first; one may also be found by what happened in it, and only in its scope."""
    small.add_run(repair(), run_id="r1", **CODER)
    small.add_run(
        [{"role": "user", "content": "Write a poem about spring."}, *called(1, "write", "ok")], run_id="r2", **CODER
    )
    small.add_run(repair("Repair the web shop."), run_id="r3", agent_id="other")
    small.add("Please repair the web shop of my aunt.", **CODER)  # no run
    assert [run.id for run in small.runs("The web shop does not build: repair it", **CODER)] == ["r1", "r2"]
    assert [run.id for run in small.runs("ModuleNotFoundError tomlkit", limit=1, **CODER)] == ["r1"]
    assert [run.id for run in small.runs("a poem", limit=1, **CODER)] == ["r2"]
    assert [run.id for run in small.runs(**CODER)] == ["r1", "r2"]
    assert small.runs("anything", agent_id="nobody") == ()
    with pytest.raises(QueryError):
        small.runs("repair", limit=0, **CODER)
    with pytest.raises(QueryError):
        small.runs(" ", **CODER)


def test_a_run_without_a_name(small: Memory) -> None:
    """Its id is made of its beginning, so that it stays the same when the run grows."""
    first = small.add_run(repair()[:4], **CODER)
    assert small.add_run(repair(), **CODER).id == first.id
    assert small.add_run(repair("Another task."), **CODER).id != first.id


def test_another_way(small: Memory) -> None:
    """A run that is known with other items is refused as a whole."""
    small.add_run(repair()[:6], run_id="r1", **CODER)
    before = small.stats(**CODER)
    other = [*repair()[:2], *called(1, "read_file", "something else", path="shop.py"), *repair()[4:]]
    with pytest.raises(InputError, match="is stored with another text"):
        small.add_run(other, run_id="r1", **CODER)
    assert small.stats(**CODER) == before


def test_calls_without_a_result(small: Memory) -> None:
    """The last ones may still get it and are left out; one that the agent went on from has none."""
    going = [*repair()[:2], *called(1, "shell", None, command="make")]
    assert small.add_run(going, run_id="r1", **CODER).steps == ()
    (step,) = small.add_run([*going, *called(1, "shell", "done")[1:]], run_id="r1", **CODER).steps
    assert (step.result, step.error) == ("done", "")
    (step, _) = small.add_run([*going, *called(2, "shell", "ok", command="make -k")], run_id="r2", **CODER).steps
    assert (step.result, step.error) == ("(no result)", "(no result)")


def test_hard_results(small: Memory) -> None:
    """Of 100 kB, empty, with characters that no store keeps, with arrows and brackets: they come back unchanged."""
    results = ["line\n" * 20_000, "", "a) → b(", '{"error": null, "rows": [1]}', "x\ud800y\0z"]
    steps = [each for number, text in enumerate(results) for each in called(number, "shell", text, n=number)]
    run = small.add_run([{"role": "user", "content": "Go."}, *steps], run_id="r1", **CODER)
    assert [step.result for step in run.steps] == [results[0].strip("\0"), *results[1:4], "x�y�z"]
    assert [step.error for step in run.steps] == [""] * 5
    assert len(run.summary) < 10_000
    assert small.verify() == ()


@pytest.mark.parametrize(
    ("result", "error"),
    [
        (FAILED, "ModuleNotFoundError: No module named 'tomlkit'"),
        ("Error: no such file", "Error: no such file"),
        ("ls: /x: Permission denied", "ls: /x: Permission denied"),
        ("Exit code: 1\n", "Exit code: 1"),
        ("process exited with code 127", "process exited with code 127"),
        ('{"error": "not found"}', '{"error": "not found"}'),
        ('{"error": null}', ""),
        ("exit code: 0", ""),
        ("0 errors, 12 passed", ""),
        ("The chapter on Error handling is short.", ""),
        ("", ""),
    ],
)
def test_what_counts_as_an_error(result: str, error: str) -> None:
    """Exceptions, lines that say error first, exit codes other than 0; not every mention of an error."""
    assert error_in(result) == error


@pytest.mark.parametrize("given", [["words"], [7], [{"role": "judge"}], [{"a": 1}]])
def test_what_is_no_trace(small: Memory, given: Any) -> None:
    """It is refused, and nothing is stored."""
    with pytest.raises(TranscriptError, match="record 1"):
        small.add_run(given, run_id="r1", **CODER)
    assert small.stats(all_scopes=True).messages == 0


@pytest.mark.parametrize("given", [[], [{"messages": []}], [{"role": "user", "content": ""}]])
@pytest.mark.parametrize("run", [None, "r1"])
def test_an_empty_trace_says_so(small: Memory, given: Any, run: str | None) -> None:
    """With a name and without one; no run is looked for."""
    with pytest.raises(TranscriptError, match="the trace is empty"):
        small.add_run(given, run_id=run, **CODER)
    assert small.stats(all_scopes=True).messages == 0


def noting(findings: Callable[[str], list[dict[str, Any]]]) -> Callable[[Asked], Reply]:
    """Return a script of a model that notes these findings."""

    def answer(asked: Asked) -> Reply:
        notes = {"progress": "The build is repaired.", "context": "Nothing is left to do."}
        return call({**notes, "findings": findings(asked.texts[-1][1])}, name="note")

    return answer


def test_with_a_model(small: Memory) -> None:
    """It is asked once about new steps; its findings are facts that cite them, and the rest is in the summary."""
    found = "tomlkit was missing in pyproject.toml."
    with serving(noting(lambda said: [{"step": 3, "text": found}] if "3. " in said else [])) as server:
        model = OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
        small.add_run(repair()[:6], run_id="r1", model=model, **CODER)
        run = small.add_run(repair(), run_id="r1", model=model, **CODER)
        assert small.add_run(repair(), run_id="r1", model=model, **CODER) == run
        asked = [each.texts[-1][1] for each in server.requests]
    assert ["1. " in each for each in asked] == [True, False]
    assert '"12 passed"' in asked[1]
    assert "The build is repaired." in asked[1]
    assert run.steps[2].findings == (found,)
    assert (run.progress, run.context) == ("The build is repaired.", "Nothing is left to do.")
    assert "**Progress Status**: The build is repaired." in run.summary
    assert ("step 3 of run r1", "HAS_FINDING", found) in triples(small, "r1")
    assert small.search("What was missing?", **CODER)
    assert [each.purpose for each in small.costs(**CODER)] == ["procedural"]
    assert small.stats(**CODER).replies == 0


def test_a_model_that_fails(small: Memory) -> None:
    """The steps are stored; adding the run again continues with the notes."""
    with serving(noting(lambda said: [{"step": 9, "text": "What step?"}])) as server:
        model = OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
        with pytest.raises(UnusableReplyError, match="there is no step 9"):
            small.add_run(repair(), run_id="r1", model=model, **CODER)
    assert len(small.run("r1", **CODER).steps) == 4
    with serving(noting(lambda said: [])) as server:
        model = OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
        assert small.add_run(repair(), run_id="r1", model=model, **CODER).progress == "The build is repaired."


def test_like_errors_and_steps_stay_apart(tmp_path: Path, minilm: None) -> None:
    """Names that differ by a word or a number are not joined, whatever their vectors say."""
    errors = [f"ModuleNotFoundError: No module named '{name}'" for name in ("tomlkit", "tomli")]
    errors += ["KeyError: 'user'", "KeyError: 'users'", *(f"FileNotFoundError: /tmp/{name}.txt" for name in "ab")]
    steps = [each for number, error in enumerate(errors) for each in called(number, f"shell_{number % 2}", error)]
    with Memory.open(tmp_path / "m.db", embedder=kept_minilm(), extractor="rules") as memory:
        memory.add_run([{"role": "user", "content": "Go."}, *steps], run_id="r1", **CODER)
        failed = memory.facts(relation="FAILED_WITH", **CODER)
        assert [fact.object for fact in failed] == errors
        assert len(memory.entities(**CODER)) == 1 + len(errors) + len(errors) + 2
