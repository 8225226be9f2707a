"""Google's ADK over a memory, with a model that says what it is told to say."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from mem0g import Memory, Scope
from mem0g.errors import InputError, NotFoundError
from tests.integrations.extras import needs

needs("google.adk", "google-adk")

from google.adk.agents import LlmAgent  # noqa: E402 - after the check that it is installed
from google.adk.events import Event  # noqa: E402
from google.adk.memory.memory_entry import MemoryEntry  # noqa: E402
from google.adk.models import BaseLlm, LlmRequest, LlmResponse  # noqa: E402
from google.adk.runners import Runner  # noqa: E402
from google.adk.sessions import InMemorySessionService, Session  # noqa: E402
from google.adk.tools import preload_memory  # noqa: E402
from google.genai.types import Content, FunctionResponse, Part  # noqa: E402

from mem0g.integrations.google_adk import MemoryService  # noqa: E402

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")]


class Model(BaseLlm):
    """A model that answers "Noted." and keeps what it is asked."""

    model: str = "fake"
    asked: list[str] = []  # noqa: RUF012 - pydantic copies it

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[Any, None]:
        self.asked.append(str(llm_request.contents))
        yield LlmResponse(content=content("Noted.", role="model"))


def content(text: str, role: str = "user") -> Content:
    """A message."""
    return Content(parts=[Part(text=text)], role=role)


def said(memory: Memory) -> list[tuple[str, str, str]]:
    """What the memory holds: session, role and text of its messages."""
    memory.flush()
    return [(each.session, each.role, each.text) for each in memory.messages(user_id="ann", agent_id="app")]


async def test_an_agent_remembers(memory: Memory) -> None:
    """What is said in one session is preloaded in another; a session that is added again adds what is new."""
    model, sessions, service = Model(), InMemorySessionService(), MemoryService(memory)
    agent = LlmAgent(name="assistant", model=model, tools=[preload_memory])
    runner = Runner(app_name="app", agent=agent, session_service=sessions, memory_service=service)

    async def ask(text: str, session_id: str) -> Session:
        key = {"app_name": "app", "user_id": "ann", "session_id": session_id}
        if not await sessions.get_session(**key):
            await sessions.create_session(**key)
        async for _ in runner.run_async(user_id="ann", session_id=session_id, new_message=content(text)):
            pass
        found = await sessions.get_session(**key)
        assert found
        return found

    await service.add_session_to_memory(await ask("I live in Oslo.", "one"))
    assert said(memory) == [("one", "user", "I live in Oslo."), ("one", "assistant", "Noted.")]
    await service.add_session_to_memory(await ask("I like tea.", "one"))
    assert [text for _, _, text in said(memory)] == ["I live in Oslo.", "Noted.", "I like tea.", "Noted."]
    await ask("Where do I live?", "two")
    assert "Oslo" in model.asked[-1]
    assert "PAST_CONVERSATIONS" not in model.asked[0]
    await runner.close()


async def test_searching_and_deleting(memory: Memory) -> None:
    """Each entry has the id by which it is deleted, and a date; another user finds nothing."""
    service = MemoryService(memory, wait=True)
    await service.add_memory(
        app_name="app", user_id="ann", memories=[MemoryEntry(content=content("I moved to Oslo in May 2024."))]
    )
    search = {"app_name": "app", "query": "Where does Ann live?"}
    found = (await service.search_memory(user_id="ann", **search)).memories
    assert "Oslo" in found[0].content.parts[0].text
    assert {"2024-05"} < {each.timestamp for each in found}
    assert not (await service.search_memory(user_id="bob", **search)).memories
    assert not (await service.search_memory(app_name="app", user_id="ann", query=" ")).memories
    for entry in sorted(found, key=lambda each: str(each.id)):  # facts before messages
        await service.delete_memory(app_name="app", user_id="ann", memory_id=entry.id)
    assert not memory.stats(user_id="ann").messages
    with pytest.raises(NotFoundError):
        await service.delete_memory(app_name="app", user_id="ann", memory_id=found[0].id)
    with pytest.raises(InputError, match="no id"):
        await service.delete_memory(app_name="app", user_id="ann")


async def test_only_words_are_added(memory: Memory) -> None:
    """No thoughts, no results of tools, no halves of a streamed message; times are those of the events."""
    service = MemoryService(memory, lambda app, user: Scope(user_id=user, agent_id=app), wait=True)
    events = [
        Event(author="user", content=content("I live in Oslo."), timestamp=86400.0),
        Event(author="a", content=content("No", role="model"), partial=True),
        Event(author="a", content=Content(parts=[Part(text="Hm.", thought=True), Part(text="Nice.")], role="model")),
        Event(author="a", content=Content(parts=[Part(function_response=FunctionResponse(name="x", response={}))])),
        Event(author="a"),
    ]
    await service.add_events_to_memory(app_name="app", user_id="ann", events=[*events, *events], session_id="s")
    assert said(memory) == [("s", "user", "I live in Oslo."), ("s", "assistant", "Nice.")]
    assert f"{memory.messages(user_id='ann')[0].time:%Y-%m-%d}" == "1970-01-02"
