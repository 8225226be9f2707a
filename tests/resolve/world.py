"""A scope that remembers the nodes it was given, with every candidate found by brute force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from mem0g.model import Entity, Triple
from mem0g.resolve.match_context import MatchingRule
from mem0g.resolve.nodes import Resolution
from mem0g.resolve.resolver import Resolver
from mem0g.resolve.rules import DEFAULT_RULES
from mem0g.store.queries import EntityCandidate
from mem0g.testing import HashingEmbedder
from mem0g.text.names import fold
from mem0g.times import Moment
from tests.making import ANN, AT

EMBEDDER = HashingEmbedder(512)


class World:
    """Resolves windows one after the other, as a store and the facade would."""

    def __init__(self, *speakers: str, threshold: float = 0.95, rules: Sequence[MatchingRule] = DEFAULT_RULES) -> None:
        self.speakers, self.resolver = speakers, Resolver(threshold=threshold, rules=rules)
        self.entities: dict[str, Entity] = {}
        self.facts: set[frozenset[str]] = set()
        self.dates: defaultdict[str, set[tuple[str, Moment]]] = defaultdict(set)

    def resolve(self, *triples: Triple, at: datetime = AT) -> Resolution:
        """Resolve a window and keep what came of it."""
        queries = self.resolver.queries(triples, self.speakers)
        names = [query.name for query in queries]
        vectors = dict(zip(map(fold, names), EMBEDDER.embed(names), strict=True))
        stored = dict(zip(self.entities, EMBEDDER.embed([each.name for each in self.entities.values()]), strict=True))
        candidates = {
            name: [
                EntityCandidate(known, float(vector @ stored[each]), self._around(each), frozenset(self.dates[each]))
                for each, known in self.entities.items()
            ]
            for name, vector in vectors.items()
        }
        resolution = self.resolver.resolve(
            triples,
            scope=ANN,
            candidates=candidates,
            vectors=vectors,
            speakers=self.speakers,
            at=at,
        )
        self.entities |= {each.id: each for each in (*resolution.created, *resolution.updated)}
        self.facts |= set(map(frozenset, resolution.ends))
        for triple, ends in zip(triples, resolution.ends, strict=True):
            for end in ends:
                self.dates[end] |= {(triple.relation, triple.valid_from)} if triple.valid_from else set()
        for loser, winner in resolution.merged:
            self.dates[winner] |= self.dates.pop(loser, set())
            del self.entities[loser]
            self.facts = {frozenset(winner if each == loser else each for each in fact) for fact in self.facts}
        return resolution

    def _around(self, entity_id: str) -> frozenset[str]:
        """The ids of the nodes that a fact joins with this one."""
        return frozenset(each for fact in self.facts if entity_id in fact for each in fact if each != entity_id)

    def ends(self, *triples: Triple) -> list[tuple[str, str]]:
        """The names of the nodes at the ends of each triple, all in one window."""
        resolution = self.resolve(*triples)
        return [(self.entities[subject].name, self.entities[obj].name) for subject, obj in resolution.ends]

    @property
    def names(self) -> list[tuple[str, ...]]:
        """The names of all nodes, sorted."""
        return sorted(each.names for each in self.entities.values())


def rules(resolution: Resolution) -> Sequence[str]:
    """By which rules names were joined."""
    return [each.rule for each in resolution.decisions]
