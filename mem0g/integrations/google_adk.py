"""A memory service for Google's Agent Development Kit (ADK).

Needs the extra ``google-adk``: pip install "mem0g[google-adk]".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from google.adk.events import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai.types import Content, Part

from mem0g.errors import InputError
from mem0g.integrations.conversation import Turn, keep
from mem0g.lookup import scope_keys
from mem0g.memory import Memory
from mem0g.model import Hit, Scope


def app_and_user(app_name: str, user_id: str) -> Scope:
    """Return the scope of a user of an app: the app is the agent."""
    return Scope(user_id=user_id, agent_id=app_name)


class MemoryService(BaseMemoryService):
    """A memory service of a Runner: ``Runner(…, memory_service=MemoryService(memory))``.

    Sessions come whole, and again as they grow: an event is known by its id, so that only new ones are added. Of an
    event its words are, not calls of tools and their results. ``scope`` chooses the scope by app and user. ``limit`` is
    the number of facts and messages that a search returns. ``wait``: whether adding waits until facts are extracted.
    """

    def __init__(
        self,
        memory: Memory,
        scope: Callable[[str, str], Scope] = app_and_user,
        *,
        limit: int = 10,
        wait: bool = False,
    ) -> None:
        self.memory, self.scope, self.limit, self.wait = memory, scope, limit, wait

    async def add_session_to_memory(self, session: Session) -> None:
        """Add the words of a session that are not stored yet."""
        turns = (_turn(event, session.id) for event in session.events)
        await self._keep(session.app_name, session.user_id, turns)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - the ADK's signature
    ) -> None:
        """Add the words of events that are not stored yet; ``custom_metadata`` is ignored."""
        await self._keep(app_name, user_id, (_turn(event, session_id or "") for event in events))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - the ADK's signature
    ) -> None:
        """Add texts as the user's words; ``custom_metadata`` is ignored."""
        await self._keep(app_name, user_id, (Turn("user", _text(each.content), id=each.id or "") for each in memories))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Return the facts and messages that answer a query best, best first; none for a blank query."""
        if not query.strip():
            return SearchMemoryResponse()
        keys = scope_keys(self.scope(app_name, user_id))
        hits = await asyncio.to_thread(self.memory.search, query, limit=self.limit, **keys)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Erase the fact or the message of an id that a search returned. Raises NotFoundError when there is none."""
        if not memory_id:
            raise InputError("no id of a memory is given", hint="Memory.forget removes everything of a user")
        await asyncio.to_thread(self.memory.erase, memory_id, **scope_keys(self.scope(app_name, user_id)))

    async def _keep(self, app_name: str, user_id: str, turns: Iterable[Turn]) -> None:
        await asyncio.to_thread(keep, self.memory, self.scope(app_name, user_id), list(turns), wait=self.wait)


def _turn(event: Event, session: str) -> Turn:
    """Return what an event says; a turn without text for a part of a message that is still being streamed."""
    role = "user" if event.author == "user" else "assistant"
    text = "" if event.partial else _text(event.content)
    return Turn(role, text, session, event.id, datetime.fromtimestamp(event.timestamp, UTC))


def _text(content: Content | None) -> str:
    parts = (content.parts if content else None) or ()
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _entry(hit: Hit) -> MemoryEntry:
    said = hit.message.time if hit.message else hit.fact.valid_from or hit.fact.recorded_at if hit.fact else None
    return MemoryEntry(
        id=hit.passage.message_id if hit.passage else hit.key,
        content=Content(parts=[Part(text=hit.text)], role="user"),
        author=hit.message.speaker if hit.message else None,
        timestamp=said.isoformat() if isinstance(said, datetime) else str(said) if said else None,
    )
