"""The OpenAI Agents SDK over a memory, with a model that says what it is told to say."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from mem0g import Memory, Scope
from tests.integrations.extras import needs

needs("agents", "openai-agents")

from agents import Agent, FunctionTool, Model, ModelResponse, Runner, SQLiteSession, Usage  # noqa: E402
from agents.items import TResponseStreamEvent  # noqa: E402
from agents.tool_context import ToolContext  # noqa: E402
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText  # noqa: E402

from mem0g.integrations.openai_agents import MemorySession, memory_instructions, memory_tools  # noqa: E402

pytestmark = pytest.mark.anyio
ANN = Scope(user_id="ann")


def text(words: str) -> ResponseOutputMessage:
    """A reply."""
    content = ResponseOutputText(text=words, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", content=[content], status="completed")


def call(name: str, **arguments: Any) -> ResponseFunctionToolCall:
    """A call of a tool."""
    return ResponseFunctionToolCall(
        id="t", call_id="t", type="function_call", name=name, arguments=json.dumps(arguments)
    )


class Replies(Model):
    """A model with given replies, which notes what it is asked."""

    def __init__(self, *replies: Any) -> None:
        self.replies, self.instructions = iter(replies), list[str]()

    async def get_response(self, system_instructions: str | None, *given: Any, **more: Any) -> ModelResponse:
        self.instructions.append(system_instructions or "")
        return ModelResponse(output=[next(self.replies)], usage=Usage(), response_id=None)

    async def stream_response(self, *given: Any, **more: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise NotImplementedError
        yield


def said(memory: Memory) -> list[tuple[str, str, str]]:
    """What the memory holds: session, role and text of its messages."""
    memory.flush()
    return [(each.session, each.role, each.text) for each in memory.messages(user_id="ann")]


@pytest.fixture
def inner() -> Iterator[SQLiteSession]:
    """A session of the SDK's own."""
    session = SQLiteSession("chat")
    yield session
    session.close()


async def test_a_session_keeps_items_and_remembers_words(memory: Memory, inner: SQLiteSession) -> None:
    """The items are unchanged; what the user and the assistant said is in the memory, tools' results are not."""
    session = MemorySession(inner, memory, ANN)
    agent = Agent("a", model=Replies(call("recall", query="home"), text("Noted.")), tools=[*memory_tools(memory, ANN)])
    await Runner.run(agent, "I live in Oslo.", session=session)
    items = await session.get_items()
    assert items == await inner.get_items()
    assert [each.get("type", each.get("role")) for each in items] == [
        "user",
        "function_call",
        "function_call_output",
        "message",
    ]
    assert said(memory) == [("chat", "user", "I live in Oslo."), ("chat", "assistant", "Noted.")]
    assert await session.get_items(1) == items[-1:]
    assert await session.pop_item() == items[-1]
    await session.clear_session()
    assert not await session.get_items()
    assert len(said(memory)) == 2


async def test_items_of_other_kinds_are_left_alone(memory: Memory, inner: SQLiteSession) -> None:
    """Parts without words, system messages and items without a content."""
    session = MemorySession(inner, memory, ANN)
    items: list[Any] = [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "Look:"}, {"type": "input_image", "image_url": "x"}],
        },
        {"role": "user", "content": [{"type": "input_image", "image_url": "x"}]},
        {"type": "reasoning", "summary": []},
        {"role": "user", "content": " "},
    ]
    await session.add_items(items)
    await session.add_items([])
    assert await session.get_items() == items
    assert said(memory) == [("chat", "user", "Look:")]


async def test_instructions_hold_what_is_remembered(memory: Memory, inner: SQLiteSession) -> None:
    """About the user's last message of the run, for the user of the run's context."""
    memory.add("I live in Oslo.", user_id="ann")
    replies = Replies(text("In Oslo."), text("Hello."))
    instructions = memory_instructions("Be brief.", memory, lambda run: Scope(user_id=run.context))
    agent = Agent("a", model=replies, instructions=instructions)
    session = MemorySession(inner, memory, ANN)
    await Runner.run(agent, "Where do I live?", session=session, context="ann")
    await Runner.run(agent, "Where do I live?", context="bob")
    assert replies.instructions[0].startswith("Be brief.\n\nWhat is remembered")
    assert "Oslo" in replies.instructions[0]
    assert replies.instructions[1] == "Be brief."


async def called(tool: FunctionTool, arguments: str) -> str:
    """What a tool answers."""
    context: ToolContext[None] = ToolContext(None, tool_name=tool.name, tool_call_id="1", tool_arguments=arguments)
    return str(await tool.on_invoke_tool(context, arguments))


async def test_tools_recall_and_remember(memory: Memory) -> None:
    """As `mem0g mcp` has them; what cannot be done is said in one line."""
    recall, remember = memory_tools(memory, ANN)
    move = {"subject": "Ann", "relation": "lives_in", "object": "Oslo", "valid_from": "2024-05"}
    assert "added f_" in await called(remember, json.dumps({"text": "We moved.", "facts": [move]}))
    assert "Oslo" in await called(recall, '{"query": "Where does Ann live?"}')
    assert await called(recall, '{"query": " "}') == "the question is empty (ask something, in words)"
    assert "nothing to remember" in await called(remember, "{}")
    assert [tool.name for tool in memory_tools(memory, ANN, read_only=True)] == ["recall"]
