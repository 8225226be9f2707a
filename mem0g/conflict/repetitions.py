"""Which known fact says the same as a new triple, so that the triple confirms it and makes no fact of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mem0g.conflict.cardinality import same_ends
from mem0g.conflict.order_of_time import held_at
from mem0g.conflict.outcomes import changes_number, has_begun
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact
from mem0g.text.english import WEEKDAYS
from mem0g.text.stemming import token_set

_RECURRING: Final = token_set(
    " ".join(WEEKDAYS) + " weekday weekend morning noon afternoon evening night spring summer autumn winter"
)
"""Times that come again, which a sentence without a date may name: "on Mondays", "every summer"."""

_KINDS: Final = {
    stem: kind
    for kind, words in {
        "dog": "dog puppy pup",
        "cat": "cat kitten kitty",
        **{each: each for each in ("hamster", "rabbit", "horse", "parrot", "bird", "turtle", "tortoise", "fish")},
    }.items()
    for stem in token_set(words)
}
"""Stems of words for pets, each with the kind that it means. A pet of the same name and another kind is another pet."""


def known_before(
    new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry, same_sentence: float
) -> RelatedFact | None:
    """Return the fact that says the same: a current one, else one that was true when the triple was said."""
    current = [each for each in related if each.fact.current]
    same = _saying_the_same(new, current, registry, same_sentence)
    if same is not None or new.said_at is None or new.triple.valid_to is not None:
        return same
    then = [each for each in related if not each.fact.current and held_at(each.fact, new.said_at)]
    return _saying_the_same(new, then, registry, same_sentence)


def same_edge(new: ResolvedTriple, fact: Fact, registry: Registry) -> bool:
    """Whether both are of one relation between the same ends."""
    return fact.relation == new.relation and same_ends(new, fact, registry.get(new.relation))


def _saying_the_same(
    new: ResolvedTriple, known: Sequence[RelatedFact], registry: Registry, same_sentence: float
) -> RelatedFact | None:
    """Return the fact that says the same: one edge, times that agree, and a state or nearly one sentence.

    A relation with one object at a time is a state, and so is what was observed both times.
    """
    one_object = registry.get(new.relation).one_object
    for each in sorted(known, key=lambda each: (-each.similarity, each.fact.id)):
        fact = each.fact
        if not same_edge(new, fact, registry) or not _times_agree(new, fact) or changes_number(new, fact):
            continue
        if has_begun(new, fact, registry):  # the plan came true
            continue
        is_state = one_object or (new.triple.observed is not None and fact.observed is not None)
        if is_state or (each.similarity >= same_sentence and not _tells_another(new, fact)):
            return each
    return None


def _tells_another(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the triple tells of another time that recurs, or of another pet; their sentences are much alike."""
    ours, theirs = token_set(new.triple.text), token_set(fact.text)
    if new.relation == "HAS_PET":
        one, other = ({_KINDS[stem] for stem in words & _KINDS.keys()} for words in (ours, theirs))
        return bool(one and other) and one.isdisjoint(other)
    dates = (new.triple.valid_from, new.triple.planned_for, fact.valid_from, fact.planned_for)
    return not any(dates) and bool((ours - theirs) & _RECURRING)


def _times_agree(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether neither their dates nor the days that they are planned for exclude each other."""
    pairs = ((new.triple.valid_from, fact.valid_from), (new.triple.planned_for, fact.planned_for))
    return all(
        ours is None or theirs is None or (ours.start < theirs.end and theirs.start < ours.end)
        for ours, theirs in pairs
    )
