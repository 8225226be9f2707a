"""A LlamaIndex memory block over a memory."""

from __future__ import annotations

import pytest

from mem0g import Memory, Scope
from mem0g.integrations.conversation import HEADING
from tests.integrations.extras import needs

needs("llama_index.core", "llama-index")

from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock  # noqa: E402 - after the check
from llama_index.core.memory import Memory as ChatMemory  # noqa: E402
from sqlalchemy.ext.asyncio import create_async_engine  # noqa: E402

from mem0g.integrations.llama_index import MemoryBlock  # noqa: E402

pytestmark = pytest.mark.anyio
ANN = Scope(user_id="ann")


async def test_a_block_remembers_what_left_the_short_term_memory(memory: Memory) -> None:
    """It is put into the chat's system message when a question is about it; sessions are the chat's."""
    block = MemoryBlock(memory=memory, scope=ANN, wait=True)
    engine = create_async_engine("sqlite+aiosqlite:///:memory:")
    chat = ChatMemory.from_defaults(
        session_id="chat",
        async_engine=engine,
        token_limit=100,
        chat_history_token_ratio=0.5,
        token_flush_size=10,
        memory_blocks=[block],
    )
    await chat.aput_messages([ChatMessage("I live in Oslo.", role="user"), ChatMessage("Noted.", role="assistant")])
    for number in range(8):
        await chat.aput(ChatMessage(f"Tell me about the number {number} in a few words.", role="user"))
        await chat.aput(ChatMessage(f"The number {number} is fine.", role="assistant"))
    stored = memory.messages(user_id="ann")
    assert [each.text for each in stored][:2] == ["I live in Oslo.", "Noted."]
    assert {each.session for each in stored} == {"chat"}
    (system, *_) = await chat.aget(input="Where do I live?")
    assert HEADING in str(system.content)
    assert "Oslo" in str(system.content)
    await engine.dispose()


async def test_other_messages_are_left_out(memory: Memory) -> None:
    """System messages and what has no words; an empty question has no context."""
    block = MemoryBlock(memory=memory, scope=ANN, wait=True)
    picture = ImageBlock(url="https://example.org/a.png")
    await block.aput(
        [
            ChatMessage("Be brief.", role="system"),
            ChatMessage(blocks=[picture], role="user"),
            ChatMessage(blocks=[TextBlock(text="I live in Oslo."), picture], role="user"),
        ]
    )
    assert [each.text for each in memory.messages(user_id="ann")] == ["I live in Oslo."]
    assert await block.aget([]) == ""
    assert "Oslo" in await block.aget([ChatMessage("Where do I live?"), ChatMessage("…", role="assistant")])


async def test_a_context_is_cut_at_a_line(memory: Memory) -> None:
    """Its beginning, which answers best, stays."""
    block = MemoryBlock(memory=memory, scope=ANN)
    assert await block.atruncate("one\ntwo\nthree", 1) == "one\ntwo"
    assert await block.atruncate("one\ntwo", 100) is None
