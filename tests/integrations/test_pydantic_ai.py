"""Pydantic AI over a memory, with its own test models."""

from __future__ import annotations

from typing import Any

import pytest

from mem0g import Memory, Scope
from mem0g.integrations.conversation import HEADING
from tests.integrations.extras import needs

needs("pydantic_ai", "pydantic-ai")

from pydantic_ai import Agent, BinaryContent  # noqa: E402 - after the check that it is installed
from pydantic_ai.messages import (  # noqa: E402
    ModelMessage,
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel  # noqa: E402
from pydantic_ai.models.test import TestModel  # noqa: E402

from mem0g.integrations.pydantic_ai import MemoryCapability, memory_toolset  # noqa: E402

pytestmark = pytest.mark.anyio
ANN = Scope(user_id="ann")
ANSWERS = (ToolReturnPart, RetryPromptPart)


def said(memory: Memory) -> list[tuple[str, str]]:
    """What the memory holds: role and text of its messages."""
    memory.flush()
    return [(each.role, each.text) for each in memory.messages(user_id="ann")]


def instructions(messages: list[ModelMessage]) -> str:
    """The instructions of the first request."""
    (request, *_) = messages
    assert isinstance(request, ModelRequest)
    return request.instructions or ""


async def test_an_agent_remembers(memory: Memory) -> None:
    """What is said in one run is in the instructions of the next; the conversation is a session."""
    model = TestModel(custom_output_text="Noted.", call_tools=[])
    agent = Agent(model, instructions="Be brief.", capabilities=[MemoryCapability(memory, ANN)])
    first = await agent.run("I live in Oslo.")
    assert said(memory) == [("user", "I live in Oslo."), ("assistant", "Noted.")]
    second = await agent.run("Where do I live?", message_history=first.all_messages())
    assert instructions(first.new_messages()) == "Be brief."
    assert instructions(second.new_messages()).startswith(f"Be brief.\n\n{HEADING}")
    assert "Oslo" in instructions(second.new_messages())
    assert [text for _, text in said(memory)] == ["I live in Oslo.", "Noted.", "Where do I live?", "Noted."]
    assert len({each.session for each in memory.messages(user_id="ann")}) == 1


async def test_the_scope_is_chosen_by_the_run(memory: Memory) -> None:
    """By its dependencies: for the context, the tools, and what is added."""
    memory.add("I live in Oslo.", user_id="ann")
    capability = MemoryCapability(memory, lambda ctx: Scope(user_id=ctx.deps))
    agent = Agent(TestModel(call_tools=["recall"]), deps_type=str, capabilities=[capability])
    asked = [
        await agent.run(["Where do I live?", BinaryContent(b"", media_type="image/png")], deps=user)
        for user in ("ann", "bob")
    ]
    assert "Oslo" in instructions(asked[0].new_messages())
    assert "Oslo" not in instructions(asked[1].new_messages())
    assert "user_id=ann" in asked[0].output
    assert "user_id=bob" in asked[1].output
    memory.flush()
    assert memory.messages(user_id="bob")[0].text == "Where do I live?"


async def test_tools_recall_and_remember(memory: Memory) -> None:
    """As `mem0g mcp` has them; after a refusal the model may try again."""
    move = {"subject": "Ann", "relation": "lives_in", "object": "Oslo", "valid_from": "2024-05"}
    calls: list[dict[str, Any]] = [{"facts": []}, {"text": "We moved.", "facts": [move]}]
    answers: list[str] = []

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        answers.extend(str(part.content) for part in messages[-1].parts if isinstance(part, ANSWERS))
        assert [tool.name for tool in info.function_tools] == ["recall", "remember"]
        return ModelResponse([ToolCallPart("remember", calls.pop(0))] if calls else [TextPart("Done.")])

    agent = Agent(FunctionModel(reply), toolsets=[memory_toolset(memory, ANN)])
    assert (await agent.run("We moved.")).output == "Done."
    refused, added = answers
    assert refused == "there is nothing to remember (give text, facts, or both)"
    assert "added f_" in added
    assert [fact.object for fact in memory.facts(user_id="ann")] == ["Oslo"]


async def test_without_tools(memory: Memory) -> None:
    """A capability can offer none, a toolset only recall."""
    for given, names in (
        ({"capabilities": [MemoryCapability(memory, ANN, tools=False)]}, []),
        ({"toolsets": [memory_toolset(memory, ANN, read_only=True)]}, ["recall"]),
    ):
        model = TestModel(call_tools=[])
        await Agent(model, **given).run("Hello.")  # type: ignore[arg-type]
        assert model.last_model_request_parameters is not None
        assert [tool.name for tool in model.last_model_request_parameters.function_tools] == names
