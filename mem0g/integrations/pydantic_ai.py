"""A memory for Pydantic AI: a capability of an agent, and tools as a toolset.

Needs the extra ``pydantic-ai``: pip install "mem0g[pydantic-ai]".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from pydantic_ai import FunctionToolset, ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, UserContent, UserPromptPart
from pydantic_ai.run import AgentRunResult

from mem0g.errors import Mem0gError
from mem0g.integrations.conversation import TOKENS, Turn, keep, recalled, refusal, scope_of
from mem0g.mcp.tools import MemoryTools
from mem0g.memory import Memory
from mem0g.model import Scope


@dataclass
class MemoryCapability(AbstractCapability[Any]):
    """Gives an agent a memory: ``Agent(model, capabilities=[MemoryCapability(memory, Scope(user_id="ann"))])``.

    What is remembered about the user's prompt stands in the instructions of each run; ``tools`` adds recall and
    remember; after a run, what the user and the model said in it is added, in sessions by the conversation's id.
    ``scope`` is that of all runs, or is chosen by the run's context (``lambda ctx: Scope(user_id=ctx.deps.user)``).
    ``wait``: whether a run waits until facts are extracted.
    """

    memory: Memory
    scope: Scope | Callable[[RunContext[Any]], Scope]
    tokens: int = TOKENS
    tools: bool = True
    wait: bool = False

    def get_instructions(self) -> Any:
        """Return the function that gives each run its context."""

        async def remembered(ctx: RunContext[Any]) -> str:
            query, scope = _text(ctx.prompt or ""), scope_of(self.scope, ctx)
            return await asyncio.to_thread(recalled, self.memory, scope, query, tokens=self.tokens)

        return remembered

    def get_toolset(self) -> Any:
        """Return the tools, over the scope of the run; None without ``tools``."""
        return (lambda ctx: memory_toolset(self.memory, scope_of(self.scope, ctx))) if self.tools else None

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Add what was said in the run."""
        turns = list(_turns(result.new_messages(), ctx.conversation_id or "", ctx.run_id or ""))
        await asyncio.to_thread(keep, self.memory, scope_of(self.scope, ctx), turns, wait=self.wait)
        return result


def memory_toolset(memory: Memory, scope: Scope, *, read_only: bool = False) -> FunctionToolset[Any]:
    """Return the tools ``recall`` and ``remember`` over a scope; with ``read_only`` only the first.

    What cannot be done is answered with a line that the model can act on.
    """
    tools = MemoryTools(memory, lambda: scope)
    methods: list[Callable[..., str]] = [tools.recall] if read_only else [tools.recall, tools.remember]
    return FunctionToolset([_answering(each) for each in methods], id="mem0g")


def _answering(method: Callable[..., str]) -> Callable[..., str]:
    """Return the tool with its errors as requests to the model to try again."""

    @wraps(method)
    def tool(*args: Any, **kwargs: Any) -> str:
        try:
            return method(*args, **kwargs)
        except Mem0gError as error:
            raise ModelRetry(refusal(error)) from error

    return tool


def _turns(messages: Sequence[ModelMessage], session: str, run: str) -> Iterator[Turn]:
    for number, message in enumerate(messages):
        said = "assistant" if isinstance(message, ModelResponse) else "user"
        texts = [
            part.content if isinstance(part, TextPart) else _text(part.content)
            for part in message.parts
            if isinstance(part, TextPart | UserPromptPart)
        ]
        yield Turn(said, "\n".join(texts), session, f"{run}:{number}")


def _text(content: str | Sequence[UserContent]) -> str:
    return content if isinstance(content, str) else "\n".join(each for each in content if isinstance(each, str))
