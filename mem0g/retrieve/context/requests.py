"""The request of a user that a reply of an assistant answers: the last message of a user shortly before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mem0g.model import Hit, Message, Scope
from mem0g.store.protocol import Store

REACH = 4
"""Places before a reply at which its request may stand: calls of tools and further replies may come between."""


def requests_before(
    replies: Iterable[Message | None], scope: Scope, store: Store, *, reach: int = REACH
) -> dict[str, Message]:
    """Return the requests of those of ``replies`` that are messages of an assistant, by the ids of these."""
    ids = dict.fromkeys(each.id for each in replies if each and each.role == "assistant")
    around = store.messages_around(scope, list(ids), reach, 0) if ids else {}
    requests = {reply: _last_request(messages, reply) for reply, messages in around.items()}
    return {reply: request for reply, request in requests.items() if request}


def answering(hits: Iterable[Hit], requests: Mapping[str, Message]) -> tuple[Hit, ...]:
    """Return hits with the requests that they answer."""
    return tuple(replace(hit, answers=requests.get(hit.message.id)) if hit.message else hit for hit in hits)


def requests_of(hits: Iterable[Hit], scope: Scope, store: Store) -> list[Hit]:
    """Return the requests of the replies among ``hits`` that are not among them, each with the score of its best reply.

    A short request, or one with a page of code, may be far from a question that its reply is near to, and yet it is
    what the reply is about.
    """
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.message and (hit.message.id not in best or hit.score > best[hit.message.id].score):
            best[hit.message.id] = hit
    places = {(each.source, each.session, each.position) for hit in best.values() if (each := hit.message)}
    alone = {
        reply: hit
        for reply, hit in best.items()
        if (each := hit.message) and (each.source, each.session, each.position - 1) not in places
    }
    found: dict[str, Hit] = {}
    replies = (hit.message for hit in alone.values())
    for reply, request in requests_before(replies, scope, store, reach=1).items():
        if request.id not in best and (request.id not in found or found[request.id].score < best[reply].score):
            found[request.id] = Hit(score=best[reply].score, reasons=(), message=request)
    return list(found.values())


def _last_request(messages: Iterable[Message], reply: str) -> Message | None:
    """Return the last message of a user before the reply; ``messages`` are those up to the reply, in order."""
    last = None
    for each in messages:
        if each.id == reply:
            break
        last = each if each.role == "user" else last
    return last
