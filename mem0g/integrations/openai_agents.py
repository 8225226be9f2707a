"""A memory for the OpenAI Agents SDK: a session, tools, and instructions.

Needs the extra ``openai-agents``: pip install "mem0g[openai-agents]".
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from agents import Agent, FunctionTool, RunContextWrapper, SessionABC, TResponseInputItem, function_tool
from agents.memory import Session, SessionSettings

from mem0g.integrations.conversation import TOKENS, Turn, keep, recalled, refusal, scope_of
from mem0g.mcp.tools import MemoryTools
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.transcripts.formats.openai import part_text


class MemorySession(SessionABC):
    """A session that also adds what the user and the assistant say to a memory.

    ``inner`` keeps the items, and returns them unchanged. Tool calls and their results are not added. ``pop_item`` and
    ``clear_session`` take items from ``inner`` only: the memory keeps what was said; see Memory.erase and
    Memory.forget. ``wait``: whether adding waits until facts are extracted.
    """

    def __init__(self, inner: Session, memory: Memory, scope: Scope, *, wait: bool = False) -> None:
        self.inner, self.memory, self.scope, self.wait = inner, memory, scope, wait
        self.session_id = inner.session_id
        self.session_settings: SessionSettings | None = inner.session_settings

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the items of the inner session."""
        items: list[TResponseInputItem] = await self.inner.get_items(limit)
        return items

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items to the inner session, and their words to the memory."""
        await self.inner.add_items(items)
        turns = [_turn(item, self.session_id) for item in items]
        await asyncio.to_thread(keep, self.memory, self.scope, turns, wait=self.wait)

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove and return the last item of the inner session."""
        return await self.inner.pop_item()

    async def clear_session(self) -> None:
        """Remove the items of the inner session."""
        await self.inner.clear_session()


def memory_tools(memory: Memory, scope: Scope, *, read_only: bool = False) -> list[FunctionTool]:
    """Return the tools ``recall`` and ``remember`` over a scope; with ``read_only`` only the first.

    What cannot be done is answered with a line that the model can act on.
    """
    tools = MemoryTools(memory, lambda: scope)
    methods: list[Callable[..., str]] = [tools.recall] if read_only else [tools.recall, tools.remember]
    # Not strict: strict schemas require every argument, and these have defaults.
    return [function_tool(each, strict_mode=False, failure_error_function=_refusal) for each in methods]


def memory_instructions(
    text: str, memory: Memory, scope: Scope | Callable[[RunContextWrapper[Any]], Scope], *, tokens: int = TOKENS
) -> Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]:
    """Return instructions for an Agent: ``text``, and what is remembered about the user's last message of the run.

    ``scope`` is that of all runs, or is chosen by the run's context.
    """

    async def instructions(context: RunContextWrapper[Any], agent: Agent[Any]) -> str:  # noqa: ARG001 - the SDK's
        query = _asked(context.turn_input)
        found = await asyncio.to_thread(recalled, memory, scope_of(scope, context), query, tokens=tokens)
        return f"{text}\n\n{found}" if found else text

    return instructions


def _refusal(context: RunContextWrapper[Any], error: Exception) -> str:  # noqa: ARG001 - the SDK's
    return refusal(error)


def _asked(items: Iterable[TResponseInputItem]) -> str:
    said = (turn.text for item in items if (turn := _turn(item)).role == "user")
    return next(iter([*said][::-1]), "")


def _turn(item: Any, session: str = "") -> Turn:
    """Return what an item says; a turn without text for one that is no message."""
    if not isinstance(item, Mapping) or item.get("type", "message") != "message":
        return Turn("", "")
    content = item.get("content")
    parts = content if isinstance(content, list) else [content]
    text = "\n".join(words for part in parts if (words := part_text(part)))
    return Turn(str(item.get("role", "")), text, session)
