"""Which known facts a policy is shown beside a new triple: those it may end, and those that may say the same.

The constants were chosen on reference triples of five LOCOMO conversations, with 26 pairs of a fact and one that it
made untrue (``python -m benchmarks conflict``): 23 are shown to the model together. And on what a model extracted from
two of them and from a chat with an assistant, whose longer sentences resemble each other less.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from math import log, sqrt
from typing import Final

from mem0g.conflict.cardinality import may_exclude, relation_types
from mem0g.conflict.outcomes import changes_number
from mem0g.conflict.passing_states import is_going_on, is_passing, is_past_event
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.conflict.topics import (
    has_same_topic,
    is_about,
    is_going_on_alike,
    is_open_about_same_thing,
    name_words,
    names_what_ended,
    shared_topic,
)
from mem0g.embed.protocol import MINILM, Thresholds
from mem0g.model import Fact, Triple
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.resolve.mentions import ALIAS
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold
from mem0g.text.stemming import content

LIMIT = 5
"""Number of facts that are shown beside a triple."""

NEAREST = 40
"""Number of most similar facts that are considered, and in which the words of a fact are rare or frequent."""

NEIGHBOURS = 20
"""Number of most similar facts from whose mean similarity a fact has to stand out. Where fewer are known, the others
count as 0: then nearly all are shown."""

LIKELY = 0.42
"""The score from which a fact is shown: at 0.4 a twentieth more text shows hardly more of the pairs."""

LATEST = 4
"""Number of passing states, the latest about the subjects of a window, that are shown with it whatever their words:
what ends them seldom resembles them. Two of the 26 pairs are shown for that alone."""

UNFINISHED = 3
"""A state that is going on, or a plan whose day has passed, is shown whatever its words if it is among so many most
similar facts: what ends it seldom has words in common, such as an opening and "is still looking for a place"."""

ENDING = 10
"""Of so many most similar facts those about the same subject are shown to a triple that says that something ended: the
loss of a job ends what was said of the work."""

ALIKE = 2
"""Passing states of the same subject by the same verb, the most similar, that are shown whatever their words."""

SAME_TOPIC = 0.2
"""Added to the score, times the share of words of relation and object that both have: "is writing" a "book"."""

SAME_SUBJECT = 0.1
"""Added to the score where both have the same subject."""

FULFILS = 0.1
"""Added to the score where the fact is about the future and the triple about the past: a plan may have come true."""

DUE = 0.1
"""Added to that where the time of the plan had begun when the triple was said."""

DENIED = 0.2
"""Added to the score where one of the two says what the other denies: "has no pets" is about having one."""

ENDED = 0.2
"""Added to the score where the triple says that something has ended."""

_NO = re.compile(r"(?:no|not|never|without)\b", re.IGNORECASE)
"""The first word of an object that denies: "no job"."""

_DENIALS = re.compile(
    r"\b(?:no|not|never|nor|neither|none|nobody|nothing|without|hardly|cannot)\b|n['’]t\b", re.IGNORECASE
)

_END_VERBS: Final = (
    "abandon break cancel close complete conclude die divorce drop end finish fire laid leave lose move postpone quit "
    "recover replace resign retire sell separate split stop switch"
).split()
"""Verbs of daily life that say that something is over."""

_OVER = re.compile(r"\b(?:no longer|any ?more|instead)\b", re.IGNORECASE)


def candidates(
    new: ResolvedTriple,
    related: Sequence[RelatedFact],
    registry: Registry,
    limit: int = LIMIT,
    thresholds: Thresholds = MINILM,
) -> list[Fact]:
    """Return the current facts that the triple may touch, at most ``limit``.

    First those that its relation excludes, then what it may end if it says that something ended, those of the same
    topic and those that stand out among what is like it, by falling score, then states that are going on.
    """
    current = [each for each in related if each.fact.current and each.fact.relation != ALIAS]
    current.sort(key=lambda one: (-one.similarity, one.fact.id))
    average = sum(each.similarity for each in current[:NEIGHBOURS]) / NEIGHBOURS
    possible = [each for each in current if _holds_or_is_restated(new, each, thresholds.restated)]
    words = _common_words(new, [each.fact for each in possible])
    scored = [
        (_score(new, each.fact) + (each.similarity - average) / thresholds.spread + in_common, each.fact)
        for each, in_common in zip(possible, words, strict=True)
        if _may_touch(new, each, thresholds.restated)
    ]
    scored.sort(key=lambda one: (-round(one[0], 4), one[1].id))
    same_topic = [fact for _, fact in scored if has_same_topic(new, fact)]
    likely = [fact for score, fact in scored if score >= LIKELY]
    excluded = [each.fact for each in current if _is_excluded(new, each.fact, registry)]
    near = [each.fact for each in current[:UNFINISHED] if _may_touch(new, each, thresholds.restated)]
    going_on = [fact for fact in near if is_going_on(fact.text) or _has_come(new, fact)]
    about = [each.fact for each in possible if is_about(new, each.fact)]
    ended = _ended(new, possible, about, average) if says_something_ended(new) else []
    alike = [fact for fact in about if is_going_on_alike(new, fact)][:ALIKE]
    same_thing = [fact for fact in about if is_open_about_same_thing(new, fact)]
    return _distinct((*excluded, *ended, *same_topic, *likely, *going_on, *alike, *same_thing))[:limit]


def _ended(new: ResolvedTriple, possible: Sequence[RelatedFact], about: Sequence[Fact], average: float) -> list[Fact]:
    """Return what a triple that says that something ended may end: what has words for that, then what is alike."""
    degrees = [(names_what_ended(new, fact), fact) for fact in about]
    named = [fact for degree in (2, 1) for found, fact in degrees if found == degree]
    near = [
        each.fact for each in possible[:ENDING] if each.fact.subject_id == new.subject.id and each.similarity > average
    ]
    return [*named, *near]


def latest_passing(
    triples: Sequence[ResolvedTriple], related: Sequence[Sequence[RelatedFact]], shown: Collection[str]
) -> list[tuple[int, Fact]]:
    """Return the LATEST passing states that the triples of a window may end, without the facts ``shown`` by id.

    The one said last comes first, each with the place of the triple that it is most similar to.
    """
    found: dict[str, tuple[float, int, Fact]] = {}
    for place, (new, facts) in enumerate(zip(triples, related, strict=True)):
        for each in facts:
            fact = each.fact
            if fact.id in shown or not fact.current or not is_passing(fact) or not is_about(new, fact):
                continue
            if fact.id not in found or each.similarity > found[fact.id][0]:
                found[fact.id] = (each.similarity, place, fact)
    latest = sorted(found.values(), key=lambda one: (-_said(one[2]), -one[0], one[2].id))
    return [(place, fact) for _, place, fact in latest[:LATEST]]


def _said(fact: Fact) -> float:
    return fact.said_at.timestamp() if fact.said_at else 0.0


def _is_due(new: ResolvedTriple, plan: Fact) -> bool:
    """Whether the time of a plan had begun when the triple was said."""
    day, said = plan.planned_for, new.said_at
    return day is not None and said is not None and not day.begins_after(said)


def _has_come(new: ResolvedTriple, plan: Fact) -> bool:
    """Whether the day of a plan had passed when the triple was said about the same subject."""
    day, said = plan.planned_for, new.said_at
    return day is not None and said is not None and day.is_over(said) and plan.subject_id == new.subject.id


def _distinct(facts: Iterable[Fact]) -> list[Fact]:
    return list({fact.id: fact for fact in facts}.values())


def says_exactly(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the fact says what the triple says, so that no model is asked.

    It is the same alias; or it has the same ends, relation and dates, and the same words. Where the object is a value,
    which is all of the statement, the fact may have more: "Ann feels tired" tells nothing that "Ann still feels tired
    after the move" does not.
    """
    if new.subject.id != fact.subject_id or new.relation != fact.relation or new.triple.retracts:
        return False
    if new.relation == ALIAS:
        return f" {fold(new.triple.object)} " in f" {fold(fact.object)} {_unpunctuated(fact.text)} "
    same_dates = new.triple.valid_from in (None, fact.valid_from) and new.triple.valid_to in (None, fact.valid_to)
    if new.object.id != fact.object_id or not same_dates:
        return False
    return fold(new.triple.text) == fold(fact.text) or (new.object.is_literal and _says_no_more(new.triple, fact))


def _says_no_more(triple: Triple, fact: Fact) -> bool:
    """Whether all words of the triple's sentence are in the fact's, and as many of them deny."""
    if triple.planned_for not in (None, fact.planned_for) or not content(triple.text) <= content(fact.text):
        return False
    return len(_DENIALS.findall(triple.text)) == len(_DENIALS.findall(fact.text))


def _unpunctuated(text: str) -> str:
    return re.sub(r"[^\w'’-]+", " ", fold(text))


def _is_excluded(new: ResolvedTriple, fact: Fact, registry: Registry) -> bool:
    """Whether the two cannot both hold by their relation, or the triple takes back something about the same ends."""
    if any(may_exclude(new, fact, type_) for type_ in relation_types(new, registry)) or changes_number(new, fact):
        return True
    return new.triple.retracts and new.has_ends_of(fact)


def _score(new: ResolvedTriple, fact: Fact) -> float:
    """Return how likely the triple touches the fact by their structure."""
    known, told = parse_relation(fact.relation_given), parse_relation(new.triple.relation)
    ahead = known.ahead or fact.planned_for is not None
    fulfils = ahead and told.tense == "past" and not told.denied
    denial = _denies(new.triple.relation, new.triple.object) != _denies(fact.relation_given, fact.object)
    return (
        SAME_TOPIC * shared_topic(new, fact)
        + SAME_SUBJECT * (fact.subject_id == new.subject.id)
        + FULFILS * fulfils
        + DUE * (fulfils and _is_due(new, fact))
        + DENIED * denial
        + ENDED * says_something_ended(new)
    )


def _common_words(new: ResolvedTriple, facts: Sequence[Fact]) -> list[float]:
    """Return the cosine, 0 to 1, of the words of the triple's sentence and of each fact's, weighted by their rarity.

    A word is rare if few of ``facts`` have it: about a dancer, "dance" says nothing. Names of subjects are left out.
    """
    told, subject = content(new.triple.text), name_words(new.subject.name)
    known = [content(fact.text) - subject - name_words(fact.subject) for fact in facts]
    counts = Counter(word for words in known for word in words)

    def weight(words: Iterable[str]) -> float:
        return sum(max(0.0, log((len(facts) + 1) / (counts[word] + 0.5))) ** 2 for word in words)

    def cosine(fact: Fact, theirs: frozenset[str]) -> float:
        ours = told - subject - name_words(fact.subject)
        common = weight(ours & theirs)
        return common / sqrt(weight(ours) * weight(theirs)) if common else 0.0

    return [cosine(fact, theirs) for fact, theirs in zip(facts, known, strict=True)]


def _denies(relation: str, obj: str) -> bool:
    return parse_relation(relation).denied or _NO.match(obj) is not None


def _holds_or_is_restated(new: ResolvedTriple, each: RelatedFact, restated: float) -> bool:
    """Whether the fact is no event of the past; or one nearly in the same words, and at a time that agrees."""
    if not is_past_event(each.fact):
        return True
    ours, theirs = new.triple.valid_from, each.fact.valid_from
    agree = ours is None or theirs is None or (ours.start < theirs.end and theirs.start < ours.end)
    return each.similarity >= restated and agree


def _may_touch(new: ResolvedTriple, each: RelatedFact, restated: float) -> bool:
    """Whether they share an end or a word of their subjects' names ("Ann's studio" is Ann's), or are nearly alike."""
    return each.similarity >= restated or is_about(new, each.fact)


def says_something_ended(new: ResolvedTriple) -> bool:
    """Whether the triple says that something is over; it may then touch more than what it names."""
    verb = parse_relation(new.triple.relation).words[:1]
    return new.triple.retracts or not _end_verbs().isdisjoint(verb) or _OVER.search(new.triple.text) is not None


@cache
def _end_verbs() -> frozenset[str]:
    return frozenset(word for verb in _END_VERBS for word in parse_relation(verb).words)
