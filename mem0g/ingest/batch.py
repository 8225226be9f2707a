"""What one window, or one part of what was made elsewhere, brings to a store, and what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.model import Message, Scope, Triple
from mem0g.relations.registry import RelationType
from mem0g.store.note import Note

if TYPE_CHECKING:
    from mem0g.conflict.replies import Judgements
    from mem0g.model import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an ingest did: counts. ``known`` messages were there already; ``confirmed`` triples said what was known.

    ``waiting`` windows have their messages stored and no facts yet; ``quarantined`` ones because the model's reply
    could not be used.
    """

    messages: int = 0
    known: int = 0
    triples: int = 0
    facts: int = 0
    confirmed: int = 0
    retired: int = 0
    entities: int = 0
    waiting: int = 0
    quarantined: int = 0

    def __add__(self, other: Report) -> Report:
        return Report(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in dataclasses.fields(Report)}
        )


def no_notes(messages: Sequence[Message]) -> Sequence[Note]:
    """Nothing waits."""
    del messages
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What is committed together: new messages, the triples that they or known ones say, and what is known of both.

    ``vectors``: of messages by id, of sentences and folded names by themselves. ``relations``: types that the triples
    taught. ``times`` are those of the evidence, by message id. ``window`` is the id of the window, if it was one;
    where it ``waited``, it is done when the store no longer has it waiting. ``notes`` gives what is committed along,
    ``waits`` the notes that say that the messages which are new wait to be extracted. ``answers`` are what the model
    decided, by what it was asked.
    """

    scope: Scope
    messages: tuple[Message, ...]
    triples: tuple[Triple, ...]
    vectors: Mapping[str, Vector]
    relations: tuple[RelationType, ...]
    times: Mapping[str, datetime | None]
    speakers: tuple[str, ...]
    at: datetime
    window: str = ""
    waited: bool = False
    notes: Callable[[], Sequence[Note]] = tuple
    waits: Callable[[Sequence[Message]], Sequence[Note]] = no_notes
    answers: Mapping[str, Judgements] = field(default_factory=dict)

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
            replace(self, messages=self.messages[:middle], triples=first, notes=tuple),
            replace(self, messages=self.messages[middle:], triples=second, relations=()),
        )
