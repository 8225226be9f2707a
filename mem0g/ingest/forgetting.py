"""What the records beside the graph hold of a message, taken out when the message is erased."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from mem0g.history.erasing import SCRUBBED, RecordChanges
from mem0g.model import Message, content_id
from mem0g.store.protocol import Transaction
from mem0g.store.records import ConversationSummary, ModelReply, PendingWindow, RetirementReview


def records_without(message: Message | None, transaction: Transaction, gone: Collection[str]) -> RecordChanges:
    """Return what becomes of a scope's records beside the graph when a message, if given, and the facts ``gone`` go.

    Windows that wait go on without the message; the summary of its conversation and kept replies are removed. Which
    reply was made from which message is not known: all that are kept in the scope go, and are asked for again. What is
    held for review goes on without the facts, and without the reasons that were given beside them.
    """
    held = list(_reviews_without(transaction.records(RetirementReview), gone))
    kept = RecordChanges(
        reviews=tuple(review for review in held if review.retirements),
        removed=tuple(review.id for review in held if not review.retirements),
    )
    if message is None:
        return kept
    windows = [each for each in transaction.records(PendingWindow) if message.id in (*each.messages, *each.context)]
    summaries = transaction.records(ConversationSummary, [content_id("s", message.source)])
    return replace(
        kept,
        windows=tuple(_windows_without(windows, message.id)),
        removed=(
            *kept.removed,
            *(window.id for window in windows if message.id in window.messages),
            *(summary.id for summary in summaries),
        ),
        replies=tuple(reply.id for reply in transaction.records(ModelReply)),
    )


def _reviews_without(reviews: Iterable[RetirementReview], gone: Collection[str]) -> Iterator[RetirementReview]:
    """Yield the reviews that name one of these facts, without them and without reasons."""
    for review in reviews:
        if any(each.fact_id in gone or each.successor_id in gone for each in review.retirements):
            left = (
                replace(
                    each,
                    reason=SCRUBBED,
                    successor_id=None if each.successor_id in gone else each.successor_id,
                )
                for each in review.retirements
                if each.fact_id not in gone
            )
            yield replace(review, retirements=tuple(left))


def _windows_without(windows: Iterable[PendingWindow], message: str) -> Iterator[PendingWindow]:
    """Yield the windows of which something is left; one that lost a message of its own has another id."""
    for window in windows:
        left = tuple(each for each in window.messages if each != message)
        context = tuple(each for each in window.context if each != message)
        if left:
            renamed = window.id if left == window.messages else content_id("w", *left)
            yield replace(window, id=renamed, messages=left, context=context, problem="", reply="")
