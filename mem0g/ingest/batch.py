"""What one window, or one part of what was made elsewhere, brings to a store, and what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from mem0g.model import Message, Scope, Triple
from mem0g.store.queries import StoreState
from mem0g.store.records import Done, PendingWindow

if TYPE_CHECKING:
    from mem0g.conflict.protocol import Answer
    from mem0g.model import Vector
    from mem0g.relations.vocabulary import Learnt


@dataclass(frozen=True, slots=True)
class Named:
    """A fact by its id and its sentence."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """What became of one fact.

    ``kind``: "added"; "updated", for a new fact that replaced ``others``; "retired", for an old one, which ``others``
    replaced if any did; "confirmed", for a known one that was said again.
    """

    kind: Literal["added", "updated", "retired", "confirmed"]
    fact_id: str
    text: str
    others: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an ingest did: counts. ``known`` messages were there already; ``confirmed`` triples said what was known.

    ``held`` retirements wait for a person to accept or drop them. ``waiting`` windows have their messages stored and no
    facts yet; ``quarantined`` ones because the model's reply could not be used. ``changes`` are the facts that were
    added, updated, retired and confirmed, in order; two reports are equal by their counts.
    """

    messages: int = 0
    known: int = 0
    triples: int = 0
    facts: int = 0
    confirmed: int = 0
    retired: int = 0
    entities: int = 0
    held: int = 0
    waiting: int = 0
    quarantined: int = 0
    changes: tuple[FactChange, ...] = field(default=(), compare=False)

    def __add__(self, other: Report) -> Report:
        return Report(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in dataclasses.fields(Report)}
        )


def no_windows(messages: Sequence[Message]) -> Sequence[PendingWindow]:
    """Nothing waits."""
    del messages
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What is committed together: new messages, the triples that they or known ones say, and what is known of both.

    ``texts`` are what is embedded and ``vectors`` their vectors: of messages by id, of sentences and folded names by
    themselves. ``unembedded`` are known messages that get their vectors now. ``vocabulary``: the relation types of the
    tenant with those that the triples taught; ``embedder``: name and dimensions of the one that made the vectors.
    ``times`` are those of the evidence, by message id. ``window`` is the id of the window, if it was one; where it
    ``waited``, it is done when the store no longer has it waiting. ``done`` gives the records that are done
    with it, ``waits`` the windows that wait of the messages which are new. ``answers`` are what the model
    decided, by what it was asked. ``by_hand``: the triples are a user's own, said at ``at`` to the memory itself;
    ``corrects`` is the id of the fact that the one triple is to replace. ``begun``: the messages of the window were
    committed with the half before.
    """

    scope: Scope
    messages: tuple[Message, ...]
    triples: tuple[Triple, ...]
    texts: Mapping[str, str]
    vectors: Mapping[str, Vector]
    vocabulary: Learnt
    embedder: tuple[str, int]
    times: Mapping[str, datetime | None]
    speakers: tuple[str, ...]
    at: datetime
    window: str = ""
    waited: bool = False
    done: Callable[[], Sequence[Done]] = tuple
    waits: Callable[[Sequence[Message]], Sequence[PendingWindow]] = no_windows
    by_hand: bool = False
    corrects: str = ""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    unembedded: tuple[Message, ...] = ()
    begun: bool = False

    @property
    def message_ids(self) -> frozenset[str]:
        """The ids of the messages whose vectors are stored."""
        return frozenset(message.id for message in (*self.messages, *self.unembedded))

    def is_outdated(self, begun: StoreState) -> bool:
        """Whether the relation types or the embedder of the store are no longer those that the batch was made with."""
        if self.triples and begun.vocabulary != self.vocabulary.base:
            return True
        held = (begun.embedder, begun.dimensions)
        return bool(self.vectors) and begun.embedder is not None and held != self.embedder

    def halves(self) -> tuple[Batch, Batch] | None:
        """Two batches that, one after the other, are this one; None for a single thing.

        A triple comes with the last message that says it, so that a fact never stands on what is not there.
        """
        if len(self.messages) > 1:
            middle = len(self.messages) // 2
            later = {message.id for message in self.messages[middle:]}
            first = tuple(triple for triple in self.triples if later.isdisjoint(triple.evidence))
            second = tuple(triple for triple in self.triples if not later.isdisjoint(triple.evidence))
        elif len(self.messages) + len(self.triples) > 1:
            middle = len(self.messages)
            split = 0 if self.messages else len(self.triples) // 2
            first, second = self.triples[:split], self.triples[split:]
        else:
            return None
        return (
            replace(self, messages=self.messages[:middle], triples=first, done=tuple),
            replace(self, messages=self.messages[middle:], triples=second, begun=middle == len(self.messages)),
        )
