"""Why a candidate was found, for people to read."""

from __future__ import annotations

from mem0g.model import Reason
from mem0g.retrieve.question import Question
from mem0g.store.queries import FactCandidate, MessageCandidate

NEARBY = Reason("nearby", "a fact told near it, or of the same entity, fits the question better", 0.15)
"""The reason of a fact that others lift."""


def reasons(question: Question, found: FactCandidate | MessageCandidate, *, lifted: bool = False) -> tuple[Reason, ...]:
    """The path from an anchor, the cosine, the words shared, and whether its company ``lifted`` it; each if any."""
    told: list[Reason] = []
    if isinstance(found, FactCandidate) and found.path:
        told.append(Reason("anchor", " → ".join(found.path), 1 / (len(found.path) // 2)))
    if found.similarities:
        best = max(found.similarities)
        told.append(Reason("similarity", f"cosine {best:.2f}", best))
    said = found.terms.split()
    shared = [term for term in dict.fromkeys(question.terms) if term in said]
    if shared:
        told.append(Reason("keywords", " ".join(shared), len(shared) / len(set(question.terms))))
    return (*told, NEARBY) if lifted else tuple(told)
