"""What is read of a scope before the extraction of a window: the entities that it names, and the facts near to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mem0g.embed.protocol import Embedder, thresholds_of
from mem0g.errors import EmbedderMismatchError
from mem0g.extract.protocol import Window
from mem0g.model import Entity, Scope
from mem0g.retrieve.question.query import possible_names
from mem0g.store.candidates import FactCandidate
from mem0g.store.protocol import Store
from mem0g.store.queries import SearchQuery
from mem0g.text.names import fold
from mem0g.text.stemming import tokens

MAX_FACTS, MAX_EDGES = 60, 150
"""Facts that are read: by vector and by words as many as the first, of the entities that the window names as many as
the second, latest first."""

MAX_NAME_WORDS = 5
"""Words of a name that is looked up: longer ones are descriptions that nobody repeats word for word."""

MAX_OWNED_WORDS = 2
"""Words of a name that is looked up as that of what belongs to a speaker."""

TALK = 2
"""Speakers of a talk in which what one speaks of may belong to the other."""

MAX_TERMS = 60
"""Stems of the window that are looked up."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """The entities that a window names, its speakers among them, and current facts near to it or about these.

    The facts may be of any scope that a read of the window's scope covers.
    """

    named: Sequence[Entity] = ()
    facts: Sequence[FactCandidate] = ()


def nearby(window: Window, store: Store, embedder: Embedder) -> Nearby:
    """Return what is near to the window. Two reads of the store, each bounded."""
    if window.scope is None:
        return Nearby()
    with store.reading():
        named = _named(window, store, window.scope)
        return Nearby(named, _facts(window, window.scope, named, store, embedder))


def _named(window: Window, store: Store, scope: Scope) -> list[Entity]:
    """Return the entities whose name or alias the window says, or that speak in it.

    What belongs to a speaker may be named without the owner: "my kids" are "Ann's kids" if Ann says so, "the kids" are
    perhaps those of the other one, where two speak.
    """
    speakers = set(map(fold, window.speakers))
    names = set(speakers)
    for message in (*window.context, *window.messages):
        said = {name for name in possible_names(message.text) if name.count(" ") < MAX_NAME_WORDS}
        owners = {fold(message.speaker), *(speakers if len(speakers) == TALK else ())}
        owned = (name for name in said if name.count(" ") < MAX_OWNED_WORDS)
        names |= said | {f"{owner}'s {name}" for name in owned for owner in owners}
    found = store.match_names(scope, sorted(names))
    return [entity for entity in found if entity.scope == scope and not entity.is_literal]


def _facts(
    window: Window, scope: Scope, named: Sequence[Entity], store: Store, embedder: Embedder
) -> Sequence[FactCandidate]:
    """Return current facts that are similar to the window, share words with it, or are about what it names."""
    texts = [message.spoken for message in window.messages]
    terms = dict.fromkeys(term for text in texts for term in tokens(text))
    name = embedder.name  # before embedding, as in a search
    total = np.sum(embedder.embed(texts), axis=0)
    length = float(np.linalg.norm(total))
    if not length:
        return ()
    query = SearchQuery(
        vectors=(total / length,),
        terms=tuple(sorted(terms, key=len, reverse=True)[:MAX_TERMS]),
        anchors=tuple(entity.id for entity in named),
        anchor_similarity=thresholds_of(embedder).anchor,
        hops=1,
        budget=MAX_EDGES,
        facts=MAX_FACTS,
        messages=1,
        radius=0,
        embedder=name,
    )
    try:
        return store.find(scope, query).facts
    except EmbedderMismatchError:  # reindexed meanwhile: the commit follows, and the next window has them again
        return ()
