"""What two people have in common: how much a fact of one says the same as a fact of the other.

A question such as "What do Ann and Bob have in common?" has hardly a word of its answer, which is a pair of facts:
"lost his job at the bank", "lost her job at the shop". The facts of both are compared by their stems, rare ones
counting more.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import Fact
from mem0g.retrieve.ranking.keyword_scores import z
from mem0g.retrieve.ranking.speaker_names import is_named
from mem0g.text.stemming import token_set

if TYPE_CHECKING:
    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.proximity import Scores

_ASKS = re.compile(
    r"\b(?:in common|alike|common ground|similarities|gemeinsam(?:keiten)?|en común|en commun|gemeen)\b", re.IGNORECASE
)
"""Questions for what two people share, whatever it is. Where a question says what ("which city have both visited?"),
its own words find more, and this signal would push some of that out of a short context."""

ANOTHER_RELATION = 0.5
"""What is left of the likeness of two facts with different relations."""


def common_ground(candidates: CandidateSet) -> Scores:
    """Return for each fact of one of the people asked about how like it is to a fact of another of them.

    Shape (facts + messages,): z-scores over such facts, 0 where they are below the mean, for facts that name the other
    person, for messages, and for all candidates of a question that does not ask for it. Likeness is the cosine of the
    stems of two facts without the people's names, weighted by their rarity among these facts.
    """
    scores = np.zeros(len(candidates))
    people = _people(candidates) if _ASKS.search(candidates.question.text) else frozenset()
    if len(people) < 2:
        return scores
    numbers = [number for number, fact in enumerate(candidates.facts) if _is_of_one(fact, people)]
    facts = [candidates.facts[number] for number in numbers]
    if len({fact.subject for fact in facts}) < 2:
        return scores
    names = frozenset().union(*map(token_set, people))
    stems = (frozenset(candidates.found.facts[number].terms.split()) for number in numbers)
    vectors = _vectors([each - names for each in stems])
    subjects, relations = np.array([(fact.subject, fact.relation) for fact in facts]).T
    likeness = vectors @ vectors.T
    likeness[relations[:, None] != relations] *= ANOTHER_RELATION
    likeness[subjects[:, None] == subjects] = 0
    scores[numbers] = np.maximum(z(likeness.max(axis=1)), 0)
    return scores


def _is_of_one(fact: Fact, people: Collection[str]) -> bool:
    """Whether a fact is about one of ``people`` and names no other of them."""
    return fact.subject in people and not any(is_named(each, fact.text) for each in people if each != fact.subject)


def _people(candidates: CandidateSet) -> frozenset[str]:
    """Return the names of the people asked about, as speakers or as persons that the question names."""
    persons = (each.name for each in candidates.question.anchors if each.type.casefold() == "person")
    return candidates.asked.union(persons)


def _vectors(said: Sequence[frozenset[str]]) -> Scores:
    """Return texts, each as its stems, as vectors of length 1 of the rarity of these, shape (texts, stems)."""
    counts = Counter(chain.from_iterable(said))
    columns = {term: number for number, term in enumerate(counts)}
    vectors = np.zeros((len(said), len(columns)))
    for row, terms in enumerate(said):
        for term in terms:
            vectors[row, columns[term]] = math.log(1 + len(said) / counts[term])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return vectors
