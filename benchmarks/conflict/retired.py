"""Facts retired without a model: by the engine's rules, and by simpler ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from benchmarks.conflict.references import Gold, decisions, told
from benchmarks.conflict.shown import Known
from mem0g.embed.protocol import Embedder
from mem0g.text.names import normal_relation

SIMILAR = 0.8
"""Cosine from which the similarity baseline takes a fact for an earlier state of the new one."""


@dataclass(frozen=True, slots=True)
class Retired:
    """The retirements of a method: ``pairs`` of a fact and the one that it retired.

    ``fact_of`` maps each triple to its fact. Triples that say the same become one fact, and their gold pairs one pair
    of facts, which counts for each of them. A gold pair is lost when its ends became one fact, or when its old fact was
    retired before by another one; that retirement counts for itself, as true or false.
    """

    gold: Gold
    fact_of: Mapping[str, str]
    pairs: frozenset[tuple[str, str]]

    @property
    def facts(self) -> int:
        """Number of facts, retired ones included."""
        return len(set(self.fact_of.values()))

    @property
    def right(self) -> frozenset[tuple[str, str]]:
        """The retired pairs that are in the gold."""
        return self.pairs & {self._facts(pair) for pair in self.gold.pairs}

    @property
    def found(self) -> int:
        """Number of gold pairs found."""
        return sum(self._facts(pair) in self.pairs for pair in self.gold.pairs)

    def _facts(self, pair: tuple[str, str]) -> tuple[str, str]:
        new, old = (self.fact_of.get(each, each) for each in pair)
        return new, old


def retired_by_rules(gold: Gold, embedder: Embedder) -> Retired:
    """Return what the engine retires by rule, including facts that were past from the start."""
    with told(gold, embedder) as memory:
        decided = decisions(memory, gold)
        fact_of = {id_: each.fact_id or each.id for id_, each in decided.items()}
        ended = {(fact_of[id_], old) for id_, each in decided.items() for old in each.targets}
        successions = memory.store.successions(gold.scope, sorted(set(fact_of.values())))
    replaced = {(each.successor_id, each.fact_id) for each in successions if each.successor_id}
    return Retired(gold, fact_of, frozenset(ended | replaced))


def later_of_a_relation(known: Known) -> Iterable[tuple[int, int]]:
    """Retire the previous fact of the same subject and relation, as if every relation were single-valued."""
    last: dict[tuple[str, str], int] = {}
    for place, triple in enumerate(known.gold.triples.values()):
        edge = (known.ends[place][0], normal_relation(triple.relation))
        if edge in last and known.ends[last[edge]] != known.ends[place]:
            yield place, last[edge]
        last[edge] = place


def most_similar_of_a_subject(known: Known) -> Iterable[tuple[int, int]]:
    """Retire the most similar current fact of the same subject, if it is similar enough."""
    gone: set[int] = set()
    for place, (subject, _) in enumerate(known.ends):
        standing = [old for old in range(place) if old not in gone and known.ends[old][0] == subject]
        best = max(standing, key=lambda old: float(known.cosines[place, old]), default=None)
        if best is not None and known.cosines[place, best] >= SIMILAR:
            gone.add(best)
            yield place, best


BASELINES: Mapping[str, Callable[[Known], Iterable[tuple[int, int]]]] = {
    "later-of-relation": later_of_a_relation,
    f"similar-{SIMILAR}-of-subject": most_similar_of_a_subject,
}
"""The baselines by name."""


def retired_by(rule: Callable[[Known], Iterable[tuple[int, int]]], known: Known) -> Retired:
    """Return what a baseline retires; it treats every triple as a separate fact."""
    pairs = frozenset((known.ids[new], known.ids[old]) for new, old in rule(known))
    return Retired(known.gold, {each: each for each in known.ids}, pairs)
