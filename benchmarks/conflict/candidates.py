"""Known facts shown to a resolver beside each new one: the engine's candidates, and simpler choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.conflict.references import Gold, decisions, ingested
from benchmarks.models import Calls
from mem0g.conflict.decision_case import DecisionCase, Judgements
from mem0g.conflict.llm_judge import LLMJudge
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import Embedder
from mem0g.llm.exchange import Exchange
from mem0g.llm.protocol import Completion, Prompt, Schema
from mem0g.text.names import fold
from mem0g.text.token_count import estimate_tokens

if TYPE_CHECKING:
    from mem0g.model import Matrix

SAME_NODE = 0.7
"""Cosine of two names from which mem0 takes them for the same node."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of a method: ``facts`` maps the id of a new triple to the ids shown, unless there are none.

    ``requests`` holds for each request to a model the ids of all facts in it, known and new, and ``tokens`` is the sum
    of their prompts; None where there are no requests.
    """

    gold: Gold
    facts: Mapping[str, Sequence[str]]
    requests: Sequence[frozenset[str]] | None = None
    tokens: int | None = None

    @property
    def found(self) -> int:
        """Number of gold pairs whose old fact is shown beside the new one."""
        return sum(old in self.facts.get(new, ()) for new, old in self.gold.pairs)

    @property
    def together(self) -> int | None:
        """Number of gold pairs with both facts in one request: a model may end any fact in it with a shared entity."""
        if self.requests is None:
            return None
        return sum(any({new, old} <= each for each in self.requests) for new, old in self.gold.pairs)

    @property
    def counts(self) -> list[int]:
        """How many facts are shown beside each triple."""
        return [len(self.facts.get(each, ())) for each in self.gold.triples]


def engine_candidates(gold: Gold, embedder: Embedder) -> Candidates:
    """Return what the engine would ask a model about.

    The model here decides ADD for everything: the memory is then as full as it can be, and no pair is lost because an
    earlier decision merged or retired its fact.
    """
    judge = _RecordingJudge(Exchange(_NeverAsked()), Calls())
    with ingested(gold, embedder, judge) as memory:
        of_fact = {each.fact_id: id_ for id_, each in decisions(memory, gold).items() if each.fact_id}
    names = gold.ids_by_decision
    facts: dict[str, list[str]] = {}
    requests: list[frozenset[str]] = []
    for case in judge.cases:
        ids = [names[ResolvedTriple.decision_id(gold.scope, new.triple)] for new in case.triples]
        for place, new in enumerate(ids):
            known = [of_fact[fact.id] for fact in case.shown[place]]
            facts[new] = known + [ids[earlier] for earlier in case.earlier[place]]
        in_it = {of_fact[fact.id] for fact in case.known.values()} | {ids[place] for place in case.asked.values()}
        requests.append(frozenset(in_it))
    return Candidates(gold, facts, requests, sum(map(judge.tokens, judge.cases)))


@dataclass(frozen=True)
class KnownTriples:
    """The triples of a conversation in order; a baseline chooses among those before each."""

    gold: Gold
    embedder: Embedder

    @cached_property
    def ids(self) -> list[str]:
        """Ids of the triples."""
        return list(self.gold.triples)

    @cached_property
    def cosines(self) -> Matrix:
        """Cosines of the sentences, shape (triples, triples)."""
        vectors = self.embedder.embed([each.text for each in self.gold.triples.values()])
        return vectors @ vectors.T

    @cached_property
    def end_names(self) -> list[tuple[str, str]]:
        """Folded names of subject and object of each triple."""
        return [(fold(each.subject), fold(each.object)) for each in self.gold.triples.values()]

    @cached_property
    def same_nodes(self) -> Mapping[str, frozenset[str]]:
        """For each name, the names that mem0 takes for the same node."""
        names = sorted({name for pair in self.end_names for name in pair})
        vectors = self.embedder.embed(names)
        near = vectors @ vectors.T >= SAME_NODE
        return {name: frozenset(np.array(names)[row].tolist()) for name, row in zip(names, near, strict=True)}

    def shown(self, choice: Callable[[KnownTriples, int], Iterable[int]]) -> Candidates:
        """Return what a baseline shows: ``choice`` returns the positions shown beside the triple at a position."""
        chosen = {new: [self.ids[old] for old in choice(self, place)] for place, new in enumerate(self.ids)}
        return Candidates(self.gold, chosen)


def most_similar(most: int) -> Callable[[KnownTriples, int], Iterable[int]]:
    """Choose the ``most`` facts with the most similar sentences."""
    return lambda known, place: np.argsort(-known.cosines[place, :place], kind="stable")[:most].tolist()


def same_subject(known: KnownTriples, place: int) -> Iterable[int]:
    """Choose all facts with the same subject."""
    return [old for old in range(place) if known.end_names[old][0] == known.end_names[place][0]]


def one_hop(known: KnownTriples, place: int) -> Iterable[int]:
    """Choose as mem0's graph memory: all facts at a node whose name is similar to that of either end."""
    near = frozenset().union(*(known.same_nodes[end] for end in known.end_names[place]))
    return [old for old in range(place) if not near.isdisjoint(known.end_names[old])]


CANDIDATE_BASELINES: Mapping[str, Callable[[KnownTriples, int], Iterable[int]]] = {
    **{f"similar-{most}": most_similar(most) for most in (5, 10, 20)},
    "same-subject": same_subject,
    "mem0-one-hop": one_hop,
}
"""The baselines by name."""


@dataclass(frozen=True, slots=True)
class _RecordingJudge(LLMJudge):
    """Lists no decision, so that everything is added, and records the requests."""

    cases: list[DecisionCase] = field(default_factory=list)

    def ask(self, case: DecisionCase, window: str) -> Judgements:
        """See LLMJudge."""
        del window
        self.cases.append(case)
        return Judgements(decisions=[])

    def tokens(self, case: DecisionCase) -> int:
        """Return the tokens of the prompt for a case."""
        request = self.request(case, "")
        return estimate_tokens(f"{request.system}\n{request.prompt.user}")


class _NeverAsked:
    """A language model that is never asked."""

    name = "none"

    def complete(self, prompt: Prompt, schema: Schema) -> Completion:
        """See LanguageModel."""
        del schema
        raise AssertionError(f"asked to call {prompt.function}")
