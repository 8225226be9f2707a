"""Which facts a question names by an entity and a word of their relation: "Where does Ann live?"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from mem0g.model import Fact
from mem0g.text.stemming import token_set


def named_edges(terms: Collection[str], anchors: Collection[str], facts: Sequence[Fact]) -> list[bool]:
    """Return for each fact whether the question names it; ``terms`` are its stems, ``anchors`` the ids it names.

    It names a fact with an anchor at one end and a word of the relation among the terms. The other end of such a fact
    stands for what the question calls by that word ("my sister"), so it names the facts of that entity, too, by a
    further word of their relation ("live").
    """
    asked = {relation: token_set(relation).intersection(terms) for relation in {fact.relation for fact in facts}}
    if not any(asked.values()):
        return [False] * len(facts)
    denoting: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if shared := asked[fact.relation]:
            for end, other in ((fact.subject_id, fact.object_id), (fact.object_id, fact.subject_id)):
                if end in anchors and other not in anchors:
                    denoting[other] |= shared
    return [
        bool(shared := asked[fact.relation])
        and any(end in anchors or (end in denoting and not shared <= denoting[end]) for end in _ends(fact))
        for fact in facts
    ]


def _ends(fact: Fact) -> tuple[str, str]:
    return fact.subject_id, fact.object_id
