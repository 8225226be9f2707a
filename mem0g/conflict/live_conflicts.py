"""Current facts that exclude each other, neither marked as the later truth.

A conflict policy retires the earlier of two such facts when the second one comes. Both stay current where nothing tells
which is later, or where no policy saw them together: facts of several runs of one user, imported ones, those of a
model that was not sure. Three kinds are found: a denial ("has never used Flask-Login") of what another fact says was
done; two objects of a relation that has one at a time; and two numbers of the same attribute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations

import numpy as np

from mem0g.conflict.cardinality import excluded_facts
from mem0g.conflict.outcomes import changes_number
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Contradiction, Fact, Message
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold
from mem0g.text.stemming import content
from mem0g.text.verbs import ALIKE

MOST_OF_A_DAY = 50
"""Facts of one subject, relation and day that are compared with each other; more of them are a list."""

COVERED = 0.66
"""Share of the words of what is denied that what was done has."""

_ALIKE = tuple(frozenset(parse_relation(verb).words for verb in family) for family in ALIKE)
_NEVER = ("NEVER_", "HAS_NEVER_", "HAVE_NEVER_", "HAD_NEVER_", "DID_NEVER_")


def contradicting_facts(
    facts: Sequence[Fact], registry: Registry, read: Callable[[list[str]], Iterable[Message]]
) -> Iterator[Contradiction]:
    """Yield the pairs among current ``facts`` that exclude each other, in the order of ``facts``.

    ``read`` returns messages by their ids: those that the facts of pairs cite tell which was said first.
    """
    known = _with_one_id_for_each_name([fact for fact in facts if fact.current])
    denials, pairs = list(_denials(known)), list(_exclusive(known, registry))
    cited = {each for pair in (*denials, *pairs) for fact in pair for each in fact.evidence}
    messages = {each.id: each for each in (read(sorted(cited)) if cited else ())}
    pairs += [(done, denial) for done, denial in denials if not _was_said_after(done, denial, messages)]
    places = {fact.id: place for place, fact in enumerate(facts)}
    for one, other in sorted(pairs, key=lambda pair: sorted(places[fact.id] for fact in pair)[::-1]):
        order = (other, one) if _was_said_after(one, other, messages) else (one, other)
        earlier, later = (facts[places[fact.id]] for fact in order)
        yield Contradiction(earlier, earlier.text, later, later.text)


def _with_one_id_for_each_name(facts: Sequence[Fact]) -> list[Fact]:
    """Return facts whose ends have the same ids wherever they have the same names, in all scopes.

    A name that two entities of one scope have tells nothing: those keep their ids. Within one scope the ids say it all.
    """
    if len({fact.scope for fact in facts}) < 2:
        return list(facts)
    ids: dict[str, dict[Hashable, set[str]]] = defaultdict(lambda: defaultdict(set))
    for fact in facts:
        ids[fold(fact.subject)][fact.scope].add(fact.subject_id)
        ids[fold(fact.object)][fact.scope].add(fact.object_id)

    def id_of(name: str, given: str) -> str:
        folded = fold(name)
        return folded if all(len(each) == 1 for each in ids[folded].values()) else given

    return [
        replace(fact, subject_id=id_of(fact.subject, fact.subject_id), object_id=id_of(fact.object, fact.object_id))
        for fact in facts
    ]


def _denials(facts: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Yield what was done, and the fact that denies it."""
    denied = [fact for fact in facts if fact.relation.startswith(_NEVER)]
    done: dict[tuple[str, tuple[str, ...]], list[Fact]] = defaultdict(list)
    for fact in facts if denied else ():
        did = parse_relation(fact.relation)
        if not did.denied and not did.ahead:
            done[fact.subject_id, did.words[:1]].append(fact)
    for denial in denied:
        verb = parse_relation(denial.relation).words[:1]
        alike = {verb}.union(*(family for family in _ALIKE if verb in family))
        for fact in (each for one in sorted(alike) for each in done[denial.subject_id, one]):
            since = fact.valid_from and denial.said_at and fact.valid_from.start > denial.said_at
            if not since and _is_about(denial, fact) and _may_exclude(denial, fact):
                yield fact, denial


def _is_about(denial: Fact, done: Fact) -> bool:
    """Whether both have the same object, or one with most of the words of what is denied."""
    words = content(denial.object)
    common = len(words & content(done.object))
    return denial.object_id == done.object_id or (common > 1 and common >= COVERED * len(words))


def _exclusive(facts: Sequence[Fact], registry: Registry) -> Iterator[tuple[Fact, Fact]]:
    """Yield pairs that give one thing two objects or two numbers at the same time."""
    groups: dict[Hashable, list[Fact]] = defaultdict(list)
    for fact in facts:
        groups["subject", fact.subject_id, fact.relation].append(fact)
        if registry.get(fact.relation).one_subject:
            groups["object", fact.object_id, fact.relation].append(fact)
    found: dict[tuple[str, str], tuple[Fact, Fact]] = {}
    for each in groups.values():
        for group in _of_one_day(each) if len(each) > 1 else ():
            for one, other in combinations(group, 2) if len(group) <= MOST_OF_A_DAY else ():
                if _may_exclude(one, other) and _excludes(one, other, registry) and _excludes(other, one, registry):
                    found.setdefault((one.id, other.id), (one, other))
    yield from found.values()


def _of_one_day(facts: Sequence[Fact]) -> list[list[Fact]]:
    """Return the facts that were said on each day, each time with those of which the day is not known."""
    undated = [fact for fact in facts if fact.said_at is None]
    dated: dict[date, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.said_at:
            dated[fact.said_at.date()].append(fact)
    return [[*undated, *told] for _, told in sorted(dated.items())] or [undated]


def _may_exclude(one: Fact, other: Fact) -> bool:
    """Whether they are of different messages, and neither ended before the other began."""
    apart = set(one.evidence).isdisjoint(other.evidence)
    return apart and not _ended_before(one, other) and not _ended_before(other, one)


def _ended_before(one: Fact, other: Fact) -> bool:
    if other.valid_from is None:
        return False
    end = one.valid_to or one.valid_from
    return end is not None and end.end <= other.valid_from.start


def _excludes(one: Fact, other: Fact, registry: Registry) -> bool:
    """Whether a conflict policy by rules would retire ``other`` if ``one`` came after it."""
    new = ResolvedTriple.of(one, np.zeros(0, np.float32))
    return bool(excluded_facts(new, [RelatedFact(other, 0.0)], registry)) or changes_number(new, other)


def _was_said_after(later: Fact, earlier: Fact, messages: Mapping[str, Message]) -> bool:
    """Whether one fact is known to have been said after another: by their times, else by their places in a session."""
    if later.said_at and earlier.said_at and later.said_at != earlier.said_at:
        return later.said_at > earlier.said_at
    places = [[messages[each] for each in fact.evidence if each in messages] for fact in (later, earlier)]
    if not all(places):
        return False
    one, other = (min(each, key=lambda message: message.position) for each in places)
    return (one.source, one.session) == (other.source, other.session) and one.position > other.position
