"""The decisions about a window's claims, in order: what one claim adds, the next one finds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.conflict.claim import Claim, Verdict
from mem0g.conflict.rules import judge
from mem0g.conflict.verdicts import retired
from mem0g.embed.thresholds import MINILM, Thresholds
from mem0g.model import Fact
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact

if TYPE_CHECKING:
    from mem0g.model import Vector


def decide(
    claims: Sequence[Claim],
    related: Sequence[Sequence[RelatedFact]],
    registry: Registry,
    at: datetime,
    thresholds: Thresholds = MINILM,
) -> list[Verdict]:
    """One verdict a claim; ``related`` are the stored facts that each might touch, ``at`` the time of deciding."""
    verdicts: list[Verdict] = []
    changed: dict[str, Fact] = {}
    added: list[tuple[str, Vector]] = []
    for claim, known in zip(claims, related, strict=True):
        here = [RelatedFact(changed[fact_id], float(vector @ claim.vector)) for fact_id, vector in added]
        found = [RelatedFact(changed.get(each.fact.id, each.fact), each.similarity) for each in known]
        verdict = judge(claim, [*found, *here], registry, at, thresholds.same_sentence)
        verdicts.append(verdict)
        if verdict.fact:
            changed[verdict.fact.id] = verdict.fact
            added.append((verdict.fact.id, claim.vector))
        facts = {each.fact.id: each.fact for each in found} | changed
        for retirement in verdict.retirements:
            fact_id = retirement.succession.fact_id
            changed[fact_id] = retired(facts[fact_id], retirement)
    return verdicts
