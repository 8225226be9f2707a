"""Fewer lines for many facts, without a model: what is said of one subject in one relation becomes one line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from mem0g.model import Fact


def condensed(facts: Sequence[Fact], most: int) -> list[str]:
    """Return at most ``most`` lines for the facts, in their order.

    Up to ``most`` facts are their sentences. Of more, those of one subject and relation become one line: the first
    sentence and the objects of the others. Of lines that are still too many the ones stated least often, then longest
    ago, are left out.
    """
    if len(facts) <= most:
        return [fact.text for fact in facts]
    grouped: defaultdict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        grouped[fact.subject_id, fact.relation].append(fact)
    groups = list(grouped.values())
    often = [sum(max(1, len(fact.evidence)) for fact in group) for group in groups]
    best = sorted(range(len(groups)), key=lambda n: (often[n], groups[n][-1].recorded_at), reverse=True)
    return [_line(groups[n]) for n in sorted(best[:most])]


def _line(group: Sequence[Fact]) -> str:
    first, *others = group
    also = dict.fromkeys(fact.object for fact in others if fact.object != first.object)
    return f"{first.text.rstrip('.')}; also {', '.join(also)}." if also else first.text
