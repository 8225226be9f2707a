"""The seam between a conversation and its triples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mem0g.model import Message, Triple


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What an extractor sees at once.

    ``messages`` are new, of one session, in order; ``context`` are the messages just before them. ``speakers`` are
    the names of all who speak in the session as far as it is known: with two, "you" is the other one.
    """

    messages: tuple[Message, ...]
    context: tuple[Message, ...] = ()
    speakers: tuple[str, ...] = ()


class Extractor(Protocol):
    """Turns a window into triples."""

    name: str
    """As named in decisions and by ``--extractor``."""

    def extract(self, window: Window) -> Sequence[Triple]:
        """The claims that the window's new messages make, in the order they are made.

        Each triple cites at least one id of ``window.messages``. The window's context may explain but not add.
        """
        ...
