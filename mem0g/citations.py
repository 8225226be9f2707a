"""Find the messages that triples made elsewhere cite, by message id or by the id they had in their source."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from mem0g.errors import TripleError
from mem0g.model import Message, Scope, Triple
from mem0g.store.protocol import Store


def cited_messages(store: Store, scope: Scope, triples: Sequence[Triple]) -> dict[str, Message]:
    """Return the messages that ``triples`` cite, by the id they are cited with.

    Raises TripleError for evidence that names no message of the scope, or several.
    """
    cited = sorted({each for triple in triples for each in triple.evidence})
    found = {message.id: message for message in store.messages(scope, cited)}
    by_source = store.message_ids(scope, [each for each in cited if each not in found])
    for cite, ids in by_source.items():
        if len(ids) > 1:
            raise TripleError(f"evidence {cite!r} names {len(ids)} messages", hint="cite them by their ids here")
    named = {message.id: message for message in store.messages(scope, [ids[0] for ids in by_source.values()])}
    found |= {cite: named[ids[0]] for cite, ids in by_source.items()}
    for cite in cited:
        if cite not in found:
            raise TripleError(f"evidence {cite!r} names no message of {scope}", hint="ingest its transcript first")
    return found


def cited_by_id(triple: Triple, messages: Mapping[str, Message]) -> Triple:
    """Return the triple with the ids of its messages as evidence."""
    return dataclasses.replace(triple, evidence=tuple(messages[each].id for each in triple.evidence))
