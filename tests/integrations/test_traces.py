"""Real runs of agents, of OpenAI's Agents SDK and of LangGraph, are remembered step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory, Run
from mem0g.testing import HashingEmbedder
from tests.integrations.extras import needs

needs("agents", "openai-agents")
needs("langchain", "langchain")
needs("langgraph", "langgraph")

from agents import Agent, RunConfig, Runner, function_tool, set_trace_processors, trace  # noqa: E402
from agents.tracing import TracingProcessor  # noqa: E402
from agents.tracing.setup import get_trace_provider  # noqa: E402
from langchain.agents import create_agent  # noqa: E402
from langchain_core.language_models import BaseChatModel  # noqa: E402
from langchain_core.messages import AIMessage, message_to_dict  # noqa: E402
from langchain_core.outputs import ChatGeneration, ChatResult  # noqa: E402
from langchain_core.tools import tool  # noqa: E402

from tests.integrations.test_openai_agents import Replies, call, text  # noqa: E402

pytestmark = pytest.mark.anyio
TASK = "Find out why the build fails, and repair it."
LOG = "collected 3 items\nE   ModuleNotFoundError: No module named 'tomlkit'"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Memory]:
    """A memory in a file, with a small embedder."""
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="rules") as opened:
        yield opened


def run(command: str) -> str:
    """Run a command: the first run of the tests fails."""
    if command.startswith("pip"):
        return "Successfully installed tomlkit-0.13"
    if command == "cat missing":
        raise FileNotFoundError("missing")
    run.count = getattr(run, "count", 0) + 1  # type: ignore[attr-defined]
    return LOG if run.count == 1 else "3 passed"  # type: ignore[attr-defined]


COMMANDS = ("pytest -q", "cat missing", "pip install tomlkit", "pytest -q")


@pytest.fixture(autouse=True)
def _from_the_start() -> None:
    run.count = 0  # type: ignore[attr-defined]


def check(found: Run) -> None:
    """The steps are those that were done, with what came of them."""
    assert found.objective == TASK
    assert [step.tool for step in found.steps] == ["shell"] * 4
    assert [json.loads(step.arguments)["command"] for step in found.steps] == list(COMMANDS)
    assert found.steps[0].result == LOG
    assert found.steps[0].error == "ModuleNotFoundError: No module named 'tomlkit'"
    assert found.steps[1].error
    assert [step.error for step in found.steps[2:]] == ["", ""]
    assert [(step.number, later and later.number) for step, later in found.failures] == [(1, 4), (2, None)]


def agent() -> Agent[None]:
    """An agent of OpenAI's SDK that runs the commands."""
    calls = [call("shell", command=command) for command in COMMANDS]
    for number, each in enumerate(calls):
        each.call_id = each.id = f"c{number}"
    model = Replies(*calls, text("It was a missing module; the tests pass now."))
    return Agent("fixer", model=model, tools=[function_tool(run, name_override="shell")])


async def test_items_of_openais_agents_sdk(small: Memory) -> None:
    """As ``result.to_input_list()`` returns them."""
    result = await Runner.run(agent(), TASK)
    found = small.add_run(result.to_input_list(), agent_id="fixer", run_id="r1")
    check(found)
    assert found.outcome == "It was a missing module; the tests pass now."


class Kept(TracingProcessor):
    """Keeps what the SDK would send to its servers."""

    def __init__(self) -> None:
        self.exported: list[Any] = []

    def on_trace_start(self, trace: Any) -> None:
        self.exported.append(trace.export())

    def on_trace_end(self, trace: Any) -> None: ...

    def on_span_start(self, span: Any) -> None: ...

    def on_span_end(self, span: Any) -> None:
        self.exported.append(json.loads(json.dumps(span.export(), default=str)))

    def shutdown(self) -> None: ...

    def force_flush(self) -> None: ...


async def test_a_trace_of_openais_agents_sdk(small: Memory) -> None:
    """As its trace processors export it: calls and results, but the words only where the model's span has them."""
    kept = Kept()
    set_trace_processors([kept])
    get_trace_provider().set_disabled(False)
    try:
        with trace("repair", trace_id="trace_" + "0" * 32):
            await Runner.run(agent(), TASK, run_config=RunConfig(tracing_disabled=False))
    finally:
        get_trace_provider().set_disabled(True)
        set_trace_processors([])
    found = small.add_run(kept.exported, agent_id="fixer")
    assert found.id == "trace_" + "0" * 32
    assert [json.loads(step.arguments)["command"] for step in found.steps] == list(COMMANDS)
    assert [bool(step.error) for step in found.steps] == [True, True, False, False]
    assert found.objective


def graph() -> Any:
    """An agent of LangGraph that runs the commands."""

    @tool
    def shell(command: str) -> str:
        """Run a command."""
        try:
            return run(command)
        except OSError as error:
            return f"{type(error).__name__}: {error}"

    replies = [
        AIMessage("", id=f"a{number}", tool_calls=[{"name": "shell", "args": {"command": command}, "id": f"c{number}"}])
        for number, command in enumerate(COMMANDS)
    ]
    said = AIMessage("It was a missing module; the tests pass now.", id="a9")

    given = iter([*replies, said])

    class Model(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "scripted"

        def bind_tools(self, *given: Any, **more: Any) -> Any:
            return self

        def _generate(self, *asked: Any, **more: Any) -> ChatResult:
            return ChatResult(generations=[ChatGeneration(message=next(given))])

    return create_agent(Model(), [shell])


ASKED: Any = {"messages": [{"role": "user", "content": TASK}]}


async def test_messages_and_updates_of_langgraph(small: Memory, tmp_path: Path) -> None:
    """The final state, its messages dumped, and the stream of updates, which has no question."""
    state = graph().invoke(ASKED)
    check(small.add_run([state], agent_id="fixer", run_id="state"))
    check(small.add_run(state["messages"], agent_id="fixer", run_id="messages"))
    check(small.add_run([message_to_dict(each) for each in state["messages"]], agent_id="fixer", run_id="dicts"))
    run.count = 0  # type: ignore[attr-defined]
    updates = list(graph().stream(ASKED, stream_mode="updates"))
    check(small.add_run([*ASKED["messages"], *updates], agent_id="fixer", run_id="updates"))
    run.count = 0  # type: ignore[attr-defined]
    states = list(graph().stream(ASKED, stream_mode="values"))
    check(small.add_run(states, agent_id="fixer", run_id="values"))
    assert small.run("values", agent_id="fixer").outcome.startswith("It was a missing module")


async def test_events_of_langgraph(small: Memory) -> None:
    """As ``astream_events`` yields them."""
    events = [event async for event in graph().astream_events(ASKED, version="v2")]
    check(small.add_run(events, agent_id="fixer", run_id="events"))
