"""Conversations whose reference triples invalidate earlier ones: are those candidates, and are they retired?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.conflict.candidates import CANDIDATE_BASELINES, Candidates, KnownTriples, engine_candidates
from benchmarks.conflict.references import Gold, decisions, ingested, read_gold
from benchmarks.embedders import CachedEmbedder
from benchmarks.report import Row, note
from benchmarks.timing import percentile
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.text.names import normal_relation

if TYPE_CHECKING:
    from mem0g.embed.protocol import Embedder

ALL = "locomo"
"""Name of all conversations together in the rows."""

SAME_STATE_COSINE = 0.8
"""Cosine from which the similarity baseline takes a fact for an earlier state of the new one."""


def measured(data: Path, triples: Path, embedder: Embedder) -> list[Row]:
    """Return the rows of all conversations together, by method, and the engine's by conversation.

    ``candidates``: the known facts shown to a resolver. ``shown`` is the share of gold pairs whose old fact is shown
    beside the new one, ``mean`` and ``p95`` are the numbers of facts shown beside a triple, ``calls`` the windows that
    would need a model and ``prompt_tokens`` the size of their prompts (words × 1.3), both per hundred messages.

    ``retirements``: the facts retired without a model. ``precision`` and ``recall`` against the gold, and
    ``false_per_1000`` facts; see benchmarks.conflict.retirements for pairs whose facts were merged or retired before.

    Raises InputError and TripleError for files that are missing or malformed, and InputError when there is no gold.
    """
    golds = read_gold(data, triples)
    if not any(gold.pairs for gold in golds):
        raise InputError(f"no triple of {triples} invalidates another", hint="name the folder of reference triples")
    once = CachedEmbedder(embedder)
    choices: dict[str, list[Candidates]] = {}
    retired: dict[str, list[Retirements]] = {}
    for gold in golds:
        known = KnownTriples(gold, once)
        choices.setdefault("mem0g", []).append(engine_candidates(gold, once))
        retired.setdefault("mem0g-rules", []).append(engine_retirements(gold, once))
        for name, choice in CANDIDATE_BASELINES.items():
            choices.setdefault(name, []).append(known.shown(choice))
        for name, rule in RETIREMENT_BASELINES.items():
            retired.setdefault(name, []).append(baseline_retirements(rule, known))
        note(f"{gold.conversation.id}: {len(gold.triples)} triples, {len(gold.pairs)} make an earlier one untrue")
    return [*_of_candidates(choices), *_of_retirements(retired)]


def tables(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows as printed, by part."""
    parts = dict.fromkeys(row["part"] for row in rows)
    return {
        part: [{name: row[name] for name in row if name != "part"} for row in rows if row["part"] == part]
        for part in parts
    }


def _of_candidates(choices: Mapping[str, Sequence[Candidates]]) -> Iterable[Row]:
    for name, each in choices.items():
        yield _candidates(name, ALL, each)
    for one in choices["mem0g"]:
        yield _candidates("mem0g", one.gold.conversation.id, [one])


def _of_retirements(retired: Mapping[str, Sequence[Retirements]]) -> Iterable[Row]:
    for name, each in retired.items():
        yield _retirements(name, ALL, each)
    for one in retired["mem0g-rules"]:
        yield _retirements("mem0g-rules", one.gold.conversation.id, [one])


def _candidates(method: str, data: str, choices: Sequence[Candidates]) -> Row:
    pairs = sum(len(each.gold.pairs) for each in choices)
    counts = [count for each in choices for count in each.counts]
    messages = sum(len(each.gold.conversation.turns) for each in choices)
    calls = [len(each.requests) for each in choices if each.requests is not None]
    together = [each.together for each in choices if each.together is not None]
    tokens = [each.tokens for each in choices if each.tokens is not None]
    return {
        "part": "candidates",
        "method": method,
        "data": data,
        "shown": _percent(sum(each.found for each in choices), pairs),
        "in_request": _percent(sum(together), pairs) if together else None,
        "mean": round(sum(counts) / len(counts), 2) if counts else None,
        "p95": percentile(counts, 95) if counts else None,
        "calls": _percent(sum(calls), messages) if calls else None,
        "prompt_tokens": _percent(sum(tokens), messages) if tokens else None,
        "n": pairs,
    }


def _retirements(method: str, data: str, retired: Sequence[Retirements]) -> Row:
    made, right = (sum(map(len, each)) for each in ([e.pairs for e in retired], [e.right for e in retired]))
    pairs, facts = sum(len(each.gold.pairs) for each in retired), sum(each.facts for each in retired)
    return {
        "part": "retirements",
        "method": method,
        "data": data,
        "precision": _percent(right, made),
        "recall": _percent(sum(each.found for each in retired), pairs),
        "retired": made,
        "false_per_1000": round(1000 * (made - right) / facts, 2) if facts else None,
        "n": pairs,
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


@dataclass(frozen=True, slots=True)
class Retirements:
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


def engine_retirements(gold: Gold, embedder: Embedder) -> Retirements:
    """Return what the engine retires by rule, including facts that were past from the start."""
    with ingested(gold, embedder) as memory:
        decided = decisions(memory, gold)
        fact_of = {id_: each.fact_id or each.id for id_, each in decided.items()}
        ended = {(fact_of[id_], old) for id_, each in decided.items() for old in each.targets}
        successions = memory.store.successions(gold.scope, sorted(set(fact_of.values())))
    replaced = {(each.successor_id, each.fact_id) for each in successions if each.successor_id}
    return Retirements(gold, fact_of, frozenset(ended | replaced))


def later_of_a_relation(known: KnownTriples) -> Iterable[tuple[int, int]]:
    """Retire the previous fact of the same subject and relation, as if every relation were single-valued."""
    last: dict[tuple[str, str], int] = {}
    for place, triple in enumerate(known.gold.triples.values()):
        edge = (known.end_names[place][0], normal_relation(triple.relation))
        if edge in last and known.end_names[last[edge]] != known.end_names[place]:
            yield place, last[edge]
        last[edge] = place


def most_similar_of_a_subject(known: KnownTriples) -> Iterable[tuple[int, int]]:
    """Retire the most similar current fact of the same subject, if it is similar enough."""
    gone: set[int] = set()
    for place, (subject, _) in enumerate(known.end_names):
        standing = [old for old in range(place) if old not in gone and known.end_names[old][0] == subject]
        best = max(standing, key=lambda old: float(known.cosines[place, old]), default=None)
        if best is not None and known.cosines[place, best] >= SAME_STATE_COSINE:
            gone.add(best)
            yield place, best


RETIREMENT_BASELINES: Mapping[str, Callable[[KnownTriples], Iterable[tuple[int, int]]]] = {
    "later-of-relation": later_of_a_relation,
    f"similar-{SAME_STATE_COSINE}-of-subject": most_similar_of_a_subject,
}
"""The baselines by name."""


def baseline_retirements(rule: Callable[[KnownTriples], Iterable[tuple[int, int]]], known: KnownTriples) -> Retirements:
    """Return what a baseline retires; it treats every triple as a separate fact."""
    pairs = frozenset((known.ids[new], known.ids[old]) for new, old in rule(known))
    return Retirements(known.gold, {each: each for each in known.ids}, pairs)
