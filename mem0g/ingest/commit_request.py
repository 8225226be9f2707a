"""What is committed together: a request, and the same with what is computed before the transaction begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import accumulate
from typing import TYPE_CHECKING

from mem0g.conflict.protocol import PolicyAnswer
from mem0g.model import Message, Scope, Triple
from mem0g.store.protocol import Transaction
from mem0g.store.queries import StoreState
from mem0g.store.records import ConversationSummary, Done, PendingWindow

if TYPE_CHECKING:
    from mem0g.model import Vector
    from mem0g.relations.vocabulary import Learnt


def no_windows(messages: Sequence[Message], transaction: Transaction) -> Sequence[PendingWindow]:
    """Return nothing: no window waits."""
    del messages, transaction
    return ()


def no_summaries(messages: Sequence[Message], transaction: Transaction) -> Sequence[ConversationSummary]:
    """Return nothing: no message waits for a summary."""
    del messages, transaction
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRequest:
    """New messages and triples that are committed in one transaction. What the scope has already stays unchanged.

    ``triples`` cite these messages, or messages stored before; ``times`` are the times of the evidence, by message id,
    ``told`` the ids of the messages of the window, without those before it that only show what they mean, and
    ``speakers`` all who speak.

    ``window`` is the id of the window that was extracted, "" for triples made elsewhere: of two processes that
    extracted the same messages, the first to commit counts. Where several windows are committed together it is the id
    of the first, and ``windows`` has the id of each new message's window, by the message's id. ``pending`` is the id of
    the record of a window that waits, whose messages are stored; it is committed only while it waits. ``by_hand``: the
    triples are the user's own, said at ``at``; ``corrects`` is the id of the fact that the one triple replaces.
    With ``retire_ended``, and by hand, states whose end has passed are retired whatever their relation.

    Without ``embed`` the messages are stored without vectors; ``unembedded`` are stored messages that get theirs now.
    ``done`` returns the records that are done once this is committed, ``waits`` the pending windows to write: those of
    new messages, which it is given in their final places, and of what it reads in the transaction. ``summaries`` is
    given the same and returns the summaries for which messages wait.
    """

    scope: Scope
    at: datetime
    messages: tuple[Message, ...] = ()
    triples: tuple[Triple, ...] = ()
    times: Mapping[str, datetime | None] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    speakers: tuple[str, ...] = ()
    window: str = ""
    windows: Mapping[str, str] = field(default_factory=dict)
    pending: str = ""
    by_hand: bool = False
    retire_ended: bool = False
    corrects: str = ""
    embed: bool = True
    unembedded: tuple[Message, ...] = ()
    done: Callable[[], Sequence[Done]] = tuple
    waits: Callable[[Sequence[Message], Transaction], Sequence[PendingWindow]] = no_windows
    summaries: Callable[[Sequence[Message], Transaction], Sequence[ConversationSummary]] = no_summaries

    def parts(self) -> dict[str, range]:
        """Return the places of the triples of each window that has any, by its id, in order.

        A triple is of the last window that it cites, or of that of the triple before it, if that is a later one.
        """
        ids = list(dict.fromkeys(self.windows.values())) or [self.window]
        order = {id_: number for number, id_ in enumerate(ids)}
        cited = (
            max((order[self.windows[each]] for each in triple.evidence if each in self.windows), default=0)
            for triple in self.triples
        )
        found = list(accumulate(cited, max))
        return {ids[each]: range(found.index(each), found.index(each) + found.count(each)) for each in sorted({*found})}

    def said_at(self, triple: Triple) -> datetime | None:
        """Return when the triple was first told: by the first message it cites, in the last window of which it cites
        one. A question weeks before, without which an answer says nothing, told nothing.
        """
        order = {id_: number for number, id_ in enumerate(dict.fromkeys(self.windows.values()))}
        cited = [
            (order.get(self.windows.get(each, ""), 0) if each in self.told else -1, time)
            for each in triple.evidence
            if (time := self.times.get(each))
        ]
        last = max((window for window, _ in cited), default=-1)
        return min((time for window, time in cited if window == last), default=None)


def joined(requests: Sequence[CommitRequest]) -> CommitRequest:
    """Return the request to commit new windows of one scope together, as one with the id and the time of the first."""
    return replace(
        requests[0],
        messages=tuple(message for each in requests for message in each.messages),
        triples=tuple(triple for each in requests for triple in each.triples),
        times={id_: time for each in requests for id_, time in each.times.items()},
        told=frozenset().union(*(each.told for each in requests)),
        speakers=tuple(dict.fromkeys(speaker for each in requests for speaker in each.speakers)),
        windows={message.id: each.window for each in requests for message in each.messages},
        done=lambda: [done for each in requests for done in each.done()],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedWindow:
    """A request with all that is computed before its transaction.

    ``texts`` are what is embedded and ``vectors`` their vectors: of messages and passages by id, of sentences and
    folded names by themselves. ``embedder``: name and dimensions of the one that made them. ``vocabulary``: the
    relation types of the tenant with those that the triples added. ``answers`` are what was asked between two
    transactions, by the key of the question. ``continued``: the messages of the window were committed by the half
    before this one.
    """

    request: CommitRequest
    texts: Mapping[str, str]
    vectors: Mapping[str, Vector]
    embedder: tuple[str, int]
    vocabulary: Learnt
    answers: Mapping[str, PolicyAnswer] = field(default_factory=dict)
    continued: bool = False

    @property
    def embedded_ids(self) -> frozenset[str]:
        """The ids of the messages and passages whose vectors are stored."""
        messages = (*self.request.messages, *self.request.unembedded)
        return frozenset(key for message in messages for key in message.embedded_texts())

    def with_parts(self, messages: Sequence[Message], triples: Sequence[Triple]) -> PreparedWindow:
        """Return the same with these messages and triples only."""
        return replace(self, request=replace(self.request, messages=tuple(messages), triples=tuple(triples)))

    def is_outdated(self, state: StoreState) -> bool:
        """Whether the store's relation types or embedder are no longer those that this was prepared with."""
        if self.request.triples and state.vocabulary != self.vocabulary.base:
            return True
        held = (state.embedder, state.dimensions)
        return bool(self.vectors) and state.embedder is not None and held != self.embedder

    def halves(self) -> tuple[PreparedWindow, PreparedWindow] | None:
        """Return two parts that, committed one after the other, are this one; None for a single item.

        A triple goes with the last message that it cites, so that no fact cites a message that is not stored yet.
        Records are marked as done with the second half.
        """
        messages, triples = self.request.messages, self.request.triples
        middle = len(messages)
        if len(messages) > 1:
            middle = len(messages) // 2
            later = {message.id for message in messages[middle:]}
            first = [triple for triple in triples if later.isdisjoint(triple.evidence)]
            second = [triple for triple in triples if not later.isdisjoint(triple.evidence)]
        elif len(messages) + len(triples) > 1:
            split = 0 if messages else len(triples) // 2
            first, second = list(triples[:split]), list(triples[split:])
        else:
            return None
        before = self.with_parts(messages[:middle], first)
        after = self.with_parts(messages[middle:], second)
        return (
            replace(before, request=replace(before.request, done=tuple)),
            replace(after, continued=middle == len(messages)),
        )
