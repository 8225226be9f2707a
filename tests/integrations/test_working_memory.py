"""Working memory beside the Memory of LlamaIndex: the same tokens, and the same messages leave at the same time."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory, StaticBlock, WorkingMemory
from mem0g.testing import HashingEmbedder
from tests.integrations.extras import needs
from tests.working.chats import Chat, assistant, call, result, user, words

needs("llama_index.core", "llama-index")

from llama_index.core.base.llms.types import ChatMessage  # noqa: E402 - after the check
from llama_index.core.bridge.pydantic import Field  # noqa: E402
from llama_index.core.memory import BaseMemoryBlock, StaticMemoryBlock  # noqa: E402
from llama_index.core.memory import Memory as ChatMemory  # noqa: E402
from sqlalchemy.ext.asyncio import create_async_engine  # noqa: E402

pytestmark = pytest.mark.anyio


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Memory]:
    """A memory that extracts nothing."""
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as opened:
        yield opened


class Watching(BaseMemoryBlock[str]):
    """A block that notes what leaves LlamaIndex's buffer."""

    name: str = "watching"
    flushed: list[str] = Field(default_factory=list)

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        return ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        self.flushed += [str(each.content) for each in messages]


@asynccontextmanager
async def llama(**given: Any) -> AsyncIterator[ChatMemory]:
    """Open LlamaIndex's memory, in memory, with its tokens counted as ours are."""
    engine = create_async_engine("sqlite+aiosqlite:///:memory:")
    yield ChatMemory.from_defaults(async_engine=engine, tokenizer_fn=lambda text: re.findall(r"\w+", text), **given)
    await engine.dispose()


def theirs(message: Chat) -> ChatMessage:
    """Return a message as LlamaIndex has it: calls and their ids are additional."""
    rest = {key: value for key, value in message.items() if key not in ("role", "content")}
    return ChatMessage(message["content"] or "", role=message["role"], additional_kwargs=rest)


def chats(seed: int) -> list[Chat]:
    """Return turns of random lengths, some with calls of tools."""
    pick = random.Random(seed)
    made: list[Chat] = []
    for turn in range(30):
        made.append(user(f"Question {turn} " + "word " * pick.randint(0, 12)))
        for step in range(pick.choice((0, 0, 1, 2))):
            made += [
                call(f"c{turn}_{step}", n=step),
                result(f"c{turn}_{step}", f"r{turn} {step} " + "x " * pick.randint(0, 9)),
            ]
        made.append(assistant(f"Answer {turn} " + "yes " * pick.randint(0, 9)))
    return made


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("limit", "flush"), [(200, 20), (150, 60), (300, 1)])
async def test_the_same_messages_leave_at_the_same_time(small: Memory, seed: int, limit: int, flush: int) -> None:
    """After each message both have the same buffer of as many tokens, and the same messages have left it."""
    watching = Watching()
    ours = WorkingMemory(
        small, user_id="ann", session=str(seed), token_limit=limit, flush_size=flush, blocks=[], count_tokens=words
    )
    async with llama(token_limit=limit, token_flush_size=flush, memory_blocks=[watching]) as chat:
        sent: list[Chat] = []
        for message in chats(seed):
            ours.append(message)
            await chat.aput(theirs(message))
            sent.append(message)
            held = await chat.aget()
            assert [each["content"] or "" for each in ours.messages()] == [each.content or "" for each in held]
            assert ours.tokens() == sum(chat._estimate_token_count(each) for each in held)
            assert [each["content"] or "" for each in sent[: len(sent) - len(ours.messages())]] == watching.flushed


async def test_a_restarted_session(tmp_path: Path) -> None:
    """Both go on with the buffer that they left."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path}/llama.db")
    for part in (chats(1)[:40], chats(1)[40:]):
        with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
            ours = WorkingMemory(
                memory, user_id="ann", session="s", token_limit=200, flush_size=20, blocks=[], count_tokens=words
            )
            chat = ChatMemory.from_defaults(
                session_id="s",
                async_engine=engine,
                token_limit=200,
                token_flush_size=20,
                tokenizer_fn=lambda text: re.findall(r"\w+", text),
            )
            for message in part:
                ours.append(message)
                await chat.aput(theirs(message))
            held = await chat.aget()
            assert [each["content"] or "" for each in ours.messages()] == [each.content or "" for each in held]
    await engine.dispose()


@pytest.mark.parametrize("insert", ["system", "user"])
async def test_the_same_prompt(small: Memory, insert: Any) -> None:
    """The same blocks in the same tags, at the same place."""
    said = [{"role": "system", "content": "Be kind."}, user("Hi."), assistant("Hello."), user("Well?")]
    ours = WorkingMemory(
        small, user_id="ann", session=insert, blocks=[StaticBlock("Be brief.", name="rules")], insert=insert
    )
    ours.append(said)
    block = StaticMemoryBlock(name="rules", static_content="Be brief.")
    async with llama(memory_blocks=[block], insert_method=insert) as chat:
        await chat.aput_messages([theirs(each) for each in said])
        shown = await chat.aget()
    assert [each["role"] for each in ours.get()] == [each.role.value for each in shown]
    mine = [each["content"].split() for each in ours.get()]
    assert mine == [str(each.content).split() for each in shown]


async def test_where_we_differ(small: Memory) -> None:
    """One turn that is longer than the limit: LlamaIndex goes over it, we keep to it. And its blocks of priority 1 go
    before those of priority 2, against its documentation (its issue 23090).
    """
    steps = [each for n in range(20) for each in (call(f"c{n}", n=n), result(f"c{n}", f"step {n}"))]
    ours = WorkingMemory(small, user_id="ann", session="run", token_limit=100, blocks=[], count_tokens=words)
    first, second = ("one " * 40, "first", 1), ("two " * 40, "second", 2)
    blocks = [StaticMemoryBlock(name=name, static_content=text, priority=n) for text, name, n in (first, second)]
    async with llama(token_limit=100, token_flush_size=10) as chat:
        for message in [user("Go."), *steps]:
            ours.append(message)
            await chat.aput(theirs(message))
        assert sum(chat._estimate_token_count(each) for each in await chat.aget()) > 200
        assert ours.tokens() <= 70
        assert ours.get()[0] == user("Go.")
    async with llama(token_limit=60, token_flush_size=10, memory_blocks=blocks) as chat:
        theirs_kept = str((await chat.aget())[0].content)
    mine = [StaticBlock(text, name=name, priority=n) for text, name, n in (first, second)]
    given: dict[str, Any] = {"token_limit": 60, "chat_history_ratio": 0.2, "count_tokens": words}
    ours_kept = WorkingMemory(small, user_id="ann", session="blocks", blocks=mine, **given).get()[0]["content"]
    assert ("one" in theirs_kept, "two" in theirs_kept) == (False, True)
    assert ("one" in ours_kept, "two" in ours_kept) == (True, False)
