"""What forgetting a scope means for other scopes that stand on its messages; the same for every store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from mem0g.model import Decision, Scope
from mem0g.text.names import fold

SUCCESSOR_FORGOTTEN = "what replaced it was forgotten"
TARGET_FORGOTTEN = "what it replaced was forgotten"
"""The reasons that stay where the old ones may quote what was forgotten: of a succession whose second fact is gone, and
of a decision whose target is."""

ERASED: Mapping[str, bool] = {"erased": True}
"""What stands for the image (``Decision.before``) of a decision of whose records some were erased or forgotten."""


def wider_scopes(forgotten: Iterable[Scope]) -> set[Scope]:
    """The scopes that cover one of ``forgotten`` and are not among them: their facts may cite its messages."""
    given = set(forgotten)
    wider = {
        Scope(**dict(keys))
        for scope in given
        for size in range(1, len(scope.keys))
        for keys in combinations(scope.keys.items(), size)
    }
    return wider - given


def names_left(
    names: Sequence[str], forgotten: Iterable[Mapping[str, str]], kept: Iterable[Mapping[str, str]]
) -> tuple[str, ...]:
    """The names of an entity without those that only forgotten triples gave it; the first one if none is left.

    ``forgotten`` and ``kept`` are the triples of decisions, as Decision has them.
    """
    gone = _ends(forgotten) - _ends(kept)
    left = tuple(name for name in names if fold(name) not in gone)
    return left or tuple(names[:1])


def unlinked(
    decisions: Iterable[Decision], messages: Collection[str], facts: Collection[str]
) -> tuple[list[Decision], list[Decision]]:
    """The decisions to be forgotten with these messages and facts, and the others as they are without them.

    A decision goes when it made one of the facts, or when all its evidence is forgotten: it holds the words of both.
    """
    gone, kept = [], []
    for decision in decisions:
        left = tuple(each for each in decision.evidence if each not in messages)
        targets = tuple(each for each in decision.targets if each not in facts)
        if decision.fact_id in facts or (decision.evidence and not left):
            gone.append(decision)
        elif (left, targets) != (decision.evidence, decision.targets):
            reason = decision.reason if targets == decision.targets else TARGET_FORGOTTEN
            kept.append(replace(decision, evidence=left, targets=targets, reason=reason))
    return gone, kept


def _ends(triples: Iterable[Mapping[str, str]]) -> set[str]:
    return {fold(triple[end]) for triple in triples for end in ("subject", "object") if end in triple}
