"""A memory block for LlamaIndex.

Needs the extra ``llama-index``: pip install "mem0g[llama-index]".
"""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock

from mem0g.integrations.conversation import TOKENS, Turn, keep, recalled
from mem0g.memory import Memory as GraphMemory
from mem0g.model import Scope


class MemoryBlock(BaseMemoryBlock[str]):
    """A block of ``llama_index.core.memory.Memory``: ``MemoryBlock(memory=memory, scope=Scope(user_id="ann"))``.

    It gives what is remembered about the user's last message. It adds what LlamaIndex takes out of its short-term
    memory, so that it knows a message only from then on: ``await memory.aput_messages(…)`` within the token limit does
    not reach it. ``wait``: whether adding waits until facts are extracted.
    """

    name: str = "memory"
    memory: GraphMemory
    scope: Scope
    tokens: int = TOKENS
    wait: bool = False

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        said = (each.content or "" for each in messages or () if each.role == MessageRole.USER)
        query = next(iter([*said][::-1]), "")
        return await asyncio.to_thread(recalled, self.memory, self.scope, query, tokens=self.tokens)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        turns = [
            Turn(each.role.value, each.content or "", str(each.additional_kwargs.get("session_id", "")))
            for each in messages
        ]
        await asyncio.to_thread(keep, self.memory, self.scope, turns, wait=self.wait)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Return the context without its last lines, of which each counts four characters a token; None if empty."""
        kept = content[: max(0, len(content) - 4 * tokens_to_truncate)]
        return kept.rpartition("\n")[0] or None
