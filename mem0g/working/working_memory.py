"""Working memory: the last messages of a session within a limit of tokens, and blocks of what came before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal

from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.memory import Memory
from mem0g.model import UNSTORABLE, Message, Scope
from mem0g.text.token_count import estimate_tokens
from mem0g.times import now
from mem0g.working.blocks import Block, BlockQuery, GraphBlock, StaticBlock
from mem0g.working.chat_messages import ChatMessage, chat_message, is_worded, read_chat_messages
from mem0g.working.fitting import CountTokens, fitted, message_tokens, shortened, total_tokens
from mem0g.working.overflow import Entry, leaving

TOKEN_LIMIT = 30_000
"""The default limit, that of LlamaIndex."""

QUERY_LENGTH = 2000
"""Characters of a query for the blocks: of a longer input its beginning and its end."""

_TAG = re.compile(r"[A-Za-z][\w-]*")


@dataclass(frozen=True, slots=True)
class Section:
    """The content of a block in a prompt."""

    block: Block
    text: str


class WorkingMemory:
    """The buffer of a session: the last messages, first in, first out, within a limit of tokens.

    ``append`` each message of a chat, ``get`` what a model is shown next. When the buffer has more than
    ``token_limit`` × ``chat_history_ratio`` tokens, the oldest messages leave it, at least ``flush_size`` tokens of
    them and always whole turns where there are several: they stay in ``memory``, where their facts are extracted, and
    come back through the blocks. The buffer is kept in the store: another object for the same scope and session, in
    any process, goes on with it.

    ``session`` names the conversation. ``blocks``: by default one GraphBlock. ``insert``: whether their text goes into
    the system message or before the last words of the user. ``flush_size``: by default a tenth of the limit.
    ``count_tokens`` counts the tokens of a text; by default they are estimated from its words. A limit holds by that
    count of what messages say; what a chat API adds for each message is not part of it.

    Raises InputError for limits that cannot hold, blocks of one name, or blocks of priority 0 that do not fit.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session: str = "",
        token_limit: int = TOKEN_LIMIT,
        chat_history_ratio: float = 0.7,
        flush_size: int | None = None,
        blocks: Sequence[Block] | None = None,
        insert: Literal["system", "user"] = "system",
        count_tokens: Callable[[str], int] = estimate_tokens,
    ) -> None:
        self.memory, self.session = memory, session
        self.scope = Scope(user_id, agent_id, run_id)
        self.blocks = tuple(blocks) if blocks is not None else (GraphBlock(),)
        self.token_limit, self.chat_history_ratio = token_limit, chat_history_ratio
        self.flush_size = max(1, token_limit // 10) if flush_size is None else flush_size
        self.insert = insert
        self._count: CountTokens = count_tokens
        self._check()
        self._buffer = memory.writer.buffer(self.scope, session, is_worded)
        self._lock = Lock()

    def append(
        self, messages: str | Mapping[str, Any] | Iterable[str | Mapping[str, Any]], *, wait: bool = False
    ) -> Report:
        """Store a message, or several, at the end of the session; once this returns, they are kept.

        They are as in the OpenAI API, or objects of its library: ``role``, ``content``, ``tool_calls``,
        ``tool_call_id``, ``name``; of mem0g's own, ``timestamp`` (by default now; text without a zone is UTC, and a
        datetime needs one), ``metadata``, and ``id``, with which appending a message again changes nothing. Text is the
        user's. The facts of messages that leave the buffer are extracted in the background, or before this returns with
        ``wait``.

        Raises InputError for what is no message of a chat; then nothing is stored. With ``wait`` a ModelError when the
        language model cannot be used; then everything is stored, and what left the buffer waits.
        """
        longest = self.memory.settings.longest_message
        read = read_chat_messages(messages, self.scope, self.session, now(), longest)
        if not read:
            return Report()
        ids = Report(message_ids=tuple(each.id for each in read))
        return ids + self._append(read, self._leaving, wait=wait)

    def flush(self, *, wait: bool = True) -> Report:
        """End the session: let every message leave the buffer, and extract their facts."""
        return self._append((), lambda messages: messages, wait=wait)

    def messages(self) -> list[ChatMessage]:
        """Return the messages in the buffer as they were appended, oldest first."""
        return [chat_message(each) for each in self._read()]

    def tokens(self) -> int:
        """Return the number of tokens of the messages in the buffer."""
        return total_tokens(self.messages(), self._count)

    def get(self, input: str | None = None) -> list[ChatMessage]:  # noqa: A002 - LlamaIndex's name
        """Return messages for a chat model: what the blocks remember, and the buffer; at most ``token_limit`` tokens.

        ``input`` is what the blocks are asked, by default the last words of the user in the buffer. It is not added to
        the messages: append it first. A call of a tool stands with its result or not at all. Of a turn that is over the
        limit by itself the oldest steps are left out, and texts are cut in the middle; the store keeps them whole.
        """
        held = self._read()
        messages = [chat_message(each) for each in held]
        room = int(self.token_limit * self.chat_history_ratio) if self.blocks else self.token_limit
        sections: list[Section] | None = None
        while True:
            history = fitted(messages, room, self._count)
            if sections is None:
                sections = self._sections(self._query(input, held, history), total_tokens(history, self._count))
            made = _inserted(history, _rendered(sections), self.insert)
            excess = total_tokens(made, self._count) - self.token_limit
            if excess <= 0:
                return made
            # Tokens of joined texts can be more than those of their parts, by one or two.
            droppable = [each for each in sections if each.block.priority > 0]
            if droppable:
                sections.remove(max(droppable, key=lambda each: each.block.priority))
            elif room > 0:
                room = max(0, room - excess)
            else:
                return []

    def _append(
        self, messages: Sequence[Message], leave: Callable[[Sequence[Message]], Sequence[Message]], *, wait: bool
    ) -> Report:
        with self._lock:
            return self.memory.writer.append(self._buffer, self.scope, messages, leave, wait=wait)

    def _read(self) -> tuple[Message, ...]:
        with self._lock:
            return self._buffer.read().messages

    def _leaving(self, messages: Sequence[Message]) -> list[Message]:
        """Return the messages that leave a buffer of these."""
        chat = [chat_message(each) for each in messages]
        entries = [Entry.of(each, message_tokens(each, self._count)) for each in chat]
        limit = self.token_limit * self.chat_history_ratio
        return [messages[place] for place in leaving(entries, limit, self.flush_size)]

    def _query(self, given: str | None, held: Sequence[Message], history: Sequence[ChatMessage]) -> BlockQuery:
        """Return what the blocks are asked."""
        last = next((each.text for each in reversed(held) if each.role == "user" and is_worded(each)), "")
        text = last if given is None else given
        if len(text) > QUERY_LENGTH:
            text = f"{text[: QUERY_LENGTH // 2]} {text[-QUERY_LENGTH // 2 :]}"
        shown = frozenset(each.id for each in held) if history else frozenset[str]()
        return BlockQuery(self.memory, self.scope, self.session, text, shown, self._count)

    def _sections(self, query: BlockQuery, used: int) -> list[Section]:
        """Return the contents of the blocks that fit beside ``used`` tokens of history, in the order of the blocks."""
        chosen: list[Section] = []
        for block in sorted(self.blocks, key=lambda each: each.priority):
            empty = self._count(_rendered([*chosen, Section(block, "")]))
            room = self.token_limit - used - empty
            budget = room if block.tokens is None else min(room, block.tokens)
            text = block.content(query, budget).strip() if budget > 0 else ""
            if text and query.count(text) > budget:
                text = shortened(text, budget, query.count)
            if text:
                chosen.append(Section(block, text))
        return sorted(chosen, key=lambda each: self.blocks.index(each.block))

    def _check(self) -> None:
        """Raise InputError for what cannot work."""
        if not isinstance(self.session, str) or UNSTORABLE.search(self.session):
            raise InputError(f"session is {self.session!r}", hint="text without NUL; leave it out where there is one")
        for name, value in (("token_limit", self.token_limit), ("flush_size", self.flush_size)):
            if value < 1:
                raise InputError(f"{name} is {value}", hint="at least 1")
        if not 0 < self.chat_history_ratio <= 1:
            raise InputError(f"chat_history_ratio is {self.chat_history_ratio}", hint="more than 0, at most 1")
        if self.insert not in ("system", "user"):
            raise InputError(f"insert is {self.insert!r}", hint='"system" or "user"')
        self._check_blocks()

    def _check_blocks(self) -> None:
        """Raise InputError for blocks that cannot be told apart, or do not fit."""
        names = [block.name for block in self.blocks]
        for block in self.blocks:
            if not _TAG.fullmatch(block.name):
                raise InputError(f"the block's name {block.name!r} is not a valid tag", hint="letters, digits, _ and -")
            if names.count(block.name) > 1:
                raise InputError(f"two blocks have the name {block.name!r}", hint="give each a name of its own")
            if block.priority < 0:
                raise InputError(f"the priority of the block {block.name!r} is {block.priority}", hint="0 or more")
        always = [
            Section(each, each.text) for each in self.blocks if isinstance(each, StaticBlock) and not each.priority
        ]
        needed = self._count(_rendered(always)) if always else 0
        room = self.token_limit - int(self.token_limit * self.chat_history_ratio)
        if needed > room:
            hint = "raise token_limit, lower chat_history_ratio, or give a block another priority than 0"
            raise InputError(f"the static blocks need {needed:,} tokens, and the blocks have {room:,}", hint=hint)


def _rendered(sections: Sequence[Section]) -> str:
    """Return the contents of blocks within tags, which no content can close; "" for none."""
    if not sections:
        return ""
    tags = "|".join(("memory", *(re.escape(each.block.name) for each in sections)))
    closing = re.compile(rf"<(?=/?(?:{tags})>)", re.IGNORECASE)
    inner = [f"<{each.block.name}>\n{closing.sub('&lt;', each.text)}\n</{each.block.name}>" for each in sections]
    return "\n".join(["<memory>", *inner, "</memory>"])


def _inserted(messages: Sequence[ChatMessage], text: str, where: str) -> list[ChatMessage]:
    """Return the messages with a text in the first system message, or before the last words of the user."""
    made = list(messages)
    if not text:
        return made
    places = [place for place, each in enumerate(made) if each["role"] == where]
    if not places:
        added: ChatMessage = {"role": where, "content": text}
        return [added, *made] if where == "system" else [*made, added]
    place = places[0] if where == "system" else places[-1]
    content = made[place].get("content")
    joined = [{"type": "text", "text": text}, *content] if isinstance(content, list) else f"{text}\n\n{content or ''}"
    made[place] = {**made[place], "content": joined}
    return made
