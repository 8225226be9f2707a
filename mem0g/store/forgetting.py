"""The effects of forgetting a scope on other scopes that cite its messages; the same for every store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from mem0g.model import Decision, Scope
from mem0g.text.names import fold

SUCCESSOR_FORGOTTEN = "what replaced it was forgotten"
TARGET_FORGOTTEN = "what it replaced was forgotten"
"""Replacements for reasons that may quote forgotten text: of a succession whose successor was forgotten, and of a
decision one of whose targets was."""

ERASED: Mapping[str, bool] = {"erased": True}
"""Replaces ``Decision.before`` when some of the records in it were erased or forgotten."""


def wider_scopes(forgotten: Iterable[Scope]) -> set[Scope]:
    """Return the scopes that cover one of ``forgotten`` but are not among them: their facts may cite its messages."""
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
    """Return the names of an entity without those that only forgotten triples use; the first one if none is left.

    ``forgotten`` and ``kept`` are triples of decisions (``Decision.triple``).
    """
    return names_kept(names, forgotten, kept) or tuple(names[:1])


def names_kept(
    names: Sequence[str], forgotten: Iterable[Mapping[str, str]], kept: Iterable[Mapping[str, str]]
) -> tuple[str, ...]:
    """Return the names without those that only forgotten triples use, as of `names_left`; perhaps none."""
    gone = _ends(forgotten) - _ends(kept)
    return tuple(name for name in names if fold(name) not in gone)


def unlinked(
    decisions: Iterable[Decision], messages: Collection[str], facts: Collection[str]
) -> tuple[list[Decision], list[Decision]]:
    """Return the decisions to delete with these messages and facts, and the other ones without links to them.

    A decision is deleted if it recorded one of the facts or if all its evidence is forgotten: it quotes both.
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
