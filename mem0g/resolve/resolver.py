"""Node matching: the ends of triples to nodes, by exact names first, then by evidence, then by likeness.

A wrong join costs more than a missed one. So likeness of vectors alone never joins two names: it finds them, and their
strings must not object.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Final

from mem0g.model import Entity, Scope, Triple
from mem0g.resolve import mentions
from mem0g.resolve.kinds import compatible
from mem0g.resolve.mentions import Mention, NameQuery
from mem0g.resolve.names import parse
from mem0g.resolve.neighbourhood import Match, Neighbourhood
from mem0g.resolve.nodes import Nodes, kind, names_of
from mem0g.resolve.protocol import Resolution
from mem0g.resolve.rules import is_alias, match, unclear
from mem0g.store.queries import EntityCandidate

if TYPE_CHECKING:
    from mem0g.model import Vector

STRICT = 0.95
"""Cosine of two names (all-MiniLM-L6-v2) from which they may be one where their strings do not object.

On five conversations 96% of the pairs of different names joined are right at 0.95, 89% at 0.9, 73% at 0.8; the nodes as
a whole (B³ F1) are as good within 0.1 anywhere from 0.9, with any of the five left out too: so the strict end is taken.
"""

MOST_DOUBTS = 2
"""Known nodes that a model is asked about for one new name."""

_RULE: Final = "also known as"


class Resolver:
    """Finds the node of each end of a window's triples."""

    def __init__(self, *, threshold: float = STRICT, grey: float | None = None) -> None:
        """``threshold``: cosine from which names may be one; above 1 likeness never joins.

        From the cosine ``grey`` up, names that nothing sets apart and no rule joins are in doubt; None is no doubt.
        """
        self.threshold, self.grey = threshold, grey

    def queries(self, triples: Sequence[Triple], speakers: Collection[str] = ()) -> tuple[NameQuery, ...]:
        """The distinct names whose candidates and vectors ``resolve`` needs, in order of appearance.

        Those of a part of the triples are among those of all, as long as the same ``speakers`` are given.
        """
        return mentions.queries(triples, speakers)

    def resolve(
        self,
        triples: Sequence[Triple],
        *,
        scope: Scope,
        candidates: Mapping[str, Sequence[EntityCandidate]],
        vectors: Mapping[str, Vector],
        speakers: Collection[str],
        at: datetime,
        same: Collection[tuple[str, str]] = (),
    ) -> Resolution:
        """The nodes of ``triples``, resolved in order: what one makes is a candidate for the next.

        ``candidates`` and ``vectors`` (unit vectors) are by the folded name of each query; a name without a vector is
        matched by its string alone. ``speakers`` are the names of who speaks; ``at`` becomes the time of what is made.
        ``same`` are the pairs of an earlier resolution's doubts that turned out to be one.
        """
        nodes = Nodes(scope, candidates, vectors, at)
        window = _Window(nodes, speakers, self, frozenset(same))
        return nodes.resolution([window.ends(triple) for triple in triples])


class _Window:
    """The mentions of one window, resolved one after the other."""

    def __init__(
        self, nodes: Nodes, speakers: Collection[str], settings: Resolver, same: frozenset[tuple[str, str]]
    ) -> None:
        self._nodes, self._speakers, self._settings, self._same = nodes, frozenset(speakers), settings, same

    def ends(self, triple: Triple) -> tuple[str, str]:
        subject, obj = mentions.mentions(triple, self._speakers)
        if mentions.names_an_alias(triple) and is_alias(subject, obj, self._speakers):
            node = self._with_alias(subject, obj)
            self._nodes.tell(node, subject)
            return node, node
        return self._node(subject), self._node(obj)

    def _node(self, mention: Mention) -> str:
        node = self._found(mention)
        self._nodes.tell(node, mention)
        return node

    def _found(self, mention: Mention) -> str:
        around = self._around(mention)
        found = match(around, self._settings.threshold)
        if found:
            return self._join(mention, found)
        unclear = self._unclear(around)
        node = self._nodes.create(mention)
        for known, score in unclear:
            self._in_doubt(mention, node, known, score)
        return node

    def _around(self, mention: Mention) -> Neighbourhood:
        return Neighbourhood(self._nodes, mention, self._speakers)

    def _match(self, mention: Mention) -> Match | None:
        return match(self._around(mention), self._settings.threshold)

    def _unclear(self, around: Neighbourhood) -> list[tuple[Entity, float]]:
        grey = self._settings.grey
        return [] if grey is None else list(islice(unclear(around, grey), MOST_DOUBTS))

    def _in_doubt(self, mention: Mention, node: str, known: Entity, score: float) -> None:
        self._nodes.doubt(mention, node, known, score)
        if (node, known.id) in self._same and self._nodes.final(node) != self._nodes.final(known.id):
            self._nodes.log("model", f"{mention.name} is {known.name}", mention, (known.id,), score)
            self._nodes.merge(node, known.id)

    def _join(self, mention: Mention, found: Match) -> str:
        if found.differs:
            self._nodes.log(found.rule, found.reason, mention, (found.entity_id,), found.score)
        self._nodes.learn(found.entity_id, mention, better_name=found.better_name, alias=found.alias)
        return found.entity_id

    def _with_alias(self, subject: Mention, alias: Mention) -> str:
        """The node that both names of an alias mean: two nodes of these names become one, the subject's.

        A node that has the alias beside another name (Liv Tyler, Liv) is somebody else.
        """
        known, other = self._match(subject), self._node_named(alias)
        if known is None and other is not None:
            known = Match(entity_id=other, rule=_RULE, reason=_told(alias), better_name=True)
        node = self._join(subject, known) if known else self._nodes.create(subject)
        if other is not None and compatible(kind(self._nodes[node]), kind(self._nodes[other])):
            return self._merge(alias, other, node)
        if alias.parsed.key in {name.key for name in names_of(self._nodes[node])}:
            return node
        return self._join(alias, Match(entity_id=node, rule=_RULE, reason=_told(alias)))

    def _merge(self, alias: Mention, other: str, node: str) -> str:
        if other != node:
            self._nodes.log(_RULE, _told(alias), alias, (node, other))
            self._nodes.merge(other, node)
        return node

    def _node_named(self, alias: Mention) -> str | None:
        found = self._match(alias)
        if found is None or found.differs or parse(self._nodes[found.entity_id].name).key != alias.parsed.key:
            return None
        return found.entity_id


def _told(alias: Mention) -> str:
    return f"said to be the same: {alias.triple.text}"
