"""The seam between a conversation and its triples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mem0g.model import Message, Scope, Triple, content_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What an extractor sees at once.

    ``messages`` are new, of one session, in order; ``context`` are the messages just before them. ``speakers`` are
    the names of all who speak in the session as far as it is known: with two, "you" is the other one. ``summary`` is
    what is known of the conversation before, ``usual`` are the names of relations that the scope uses; both may lag
    behind. ``id`` is the same whenever the same messages of a scope are extracted together.
    """

    messages: tuple[Message, ...]
    context: tuple[Message, ...] = ()
    speakers: tuple[str, ...] = ()
    summary: str = ""
    usual: tuple[str, ...] = ()
    scope: Scope | None = None

    @property
    def id(self) -> str:
        """The id of the window: a hash of those of its messages, which tell their scope."""
        return content_id("w", *(message.id for message in self.messages))


class Extractor(Protocol):
    """Turns a window into triples."""

    @property
    def name(self) -> str:
        """As named by ``--extractor``."""
        ...

    def extract(self, window: Window) -> Sequence[Triple]:
        """The claims that the window's new messages make, in the order they are made.

        Each triple cites at least one id of ``window.messages``, and of its context what it is understood by; the
        context alone adds nothing.
        """
        ...
