"""The protocol of an extractor, and the window of messages that it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mem0g.model import Message, Scope, Triple, content_id


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEntity:
    """An entity of the scope as an extractor is shown it.

    ``note`` is a sentence that says who or what it is, ``day`` the date of an event ("2023-05-07", "2023-05").
    """

    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()
    note: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownState:
    """A state of the scope that was going on when it was last told: a search, a worry, something being worked on.

    ``relation`` is lower_snake_case, ``day`` the day on which it was told ("2023-05-07"; "" if unknown). An extractor
    that finds it over returns a triple with the same subject, relation and object that ``retracts``.
    """

    subject: str
    relation: str
    object: str
    subject_type: str = ""
    object_type: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The messages that an extractor sees at once.

    ``messages`` are new, of one session, in order; ``context`` are the messages just before them. "Yesterday" in one is
    the day before that of its ``local_time``. ``speakers`` are the names of all who speak in the session as far as it
    is known: if there are two, "you" is the other one. ``known`` are the known entities nearest to the window,
    ``states`` the passing states of its people and things, ``summary`` is that of the conversation before this session
    ("" where there is none that is up to date), ``relations`` are names of relations that the scope uses. ``names`` are
    those of known people which an extractor wanted to look up (LooksUpNames).
    """

    messages: tuple[Message, ...]
    context: tuple[Message, ...] = ()
    speakers: tuple[str, ...] = ()
    known: tuple[KnownEntity, ...] = ()
    states: tuple[KnownState, ...] = ()
    summary: str = ""
    relations: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    scope: Scope | None = None

    @property
    def id(self) -> str:
        """A hash of the ids of its messages: the same whenever these messages of a scope are extracted together."""
        return content_id("w", *(message.id for message in self.messages))


class Extractor(Protocol):
    """Extracts triples from windows of messages; see docs/extending.md."""

    @property
    def name(self) -> str:
        """Its name, as in ``--extractor``."""
        ...

    def extract(self, window: Window) -> Sequence[Triple]:
        """Return the claims of the window's new messages, in the order they are made.

        The evidence of each triple has the id of at least one of ``window.messages``, and the ids of messages of the
        context that are needed to understand it. The context alone makes no claims: it has been extracted before.

        May be called from several threads at once. An error is raised to the caller of ``Memory.add`` after the
        messages are stored; ``Memory.retry`` extracts their windows again.
        """
        ...


@runtime_checkable
class LooksUpNames(Extractor, Protocol):
    """An extractor that reads a window otherwise if it knows that somebody bears a name in it."""

    def names_wanted(self, window: Window) -> frozenset[str]:
        """Return the folded names that it would look up; those of known people are given as ``Window.names``."""
        ...
