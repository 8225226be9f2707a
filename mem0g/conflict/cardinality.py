"""Which facts cannot be true beside a new triple, because its relation has one object or one subject at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact, is_literal
from mem0g.relations.registry import Registry
from mem0g.relations.relation_type import RelationType
from mem0g.resolve.names import parse
from mem0g.store.queries import RelatedFact
from mem0g.text.countries import are_countries, is_country, names_country
from mem0g.text.names import fold

_ONE_OF = re.compile(r"\bone of\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"HAS_(?!.*(?:PHONE|ID)\b)|(?:RESPONDS|LOADS|STARTS|BUILDS|FINISHES|RUNS|COSTS|WEIGHS|TAKES|LASTS)(?:_|$)"
)
"""Relations of an attribute that has one number, or one date, at a time."""
_NUMBER = re.compile(r"\d[\d,.]* ?")
_MEASURE = re.compile(r"[£$€]?\d[\d,.]*(?: ?(?:%|[a-z/]+(?: [a-z]+){0,2}))?")
IN_USE = frozenset({"IS_USING", "USES", "USE", "RUNS", "IS_RUNNING"})
"""Relations of the use of a tool, which may have a version."""
_DIET = "FOLLOWS_DIET"
_FOOD = re.compile(r"\b(?:vegan|vegetarian|omnivor\w+|carnivor\w+|pescatarian|flexitarian)\b")
"""Diets of which one excludes the others: what else one does not eat goes with each of them."""
_VERSIONED = re.compile(r"(?P<name>.*\w) v?\d+(?:\.\d+)*")
_MOVED = re.compile(r"\b(?:moved|relocated|emigrated)\b", re.IGNORECASE)
_TOWNS = frozenset({"city", "town", "village", "place", "location"})
"""Types of what somebody may move to that is not a country, and no house either."""
_FAVOURITE = re.compile(r"favou?rite", re.IGNORECASE)


def excluded_facts(new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """Return the current facts that the cardinality of the triple's relation, or of one it implies, excludes."""
    return rivals(new, [each for each in related if each.fact.current], registry)


def rivals(new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """Return the facts, current and retired, that cannot be true at the same time as the triple.

    None for a triple that had ended when it was said.
    """
    if new.is_past:
        return []
    types = relation_types(new, registry)
    return [
        each.fact
        for each in related
        if any(_excludes(new, each.fact, type_) for type_ in types) or _is_another_value(new, each.fact)
    ]


def _is_another_value(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether both give the same attribute another number of its unit or another date, a tool another version, or
    somebody another diet.
    """
    same = fact.subject_id == new.subject.id and may_be_another_value(new.relation, fact.relation)
    if not same or _ended_before(new, fact) or not set(new.triple.evidence).isdisjoint(fact.evidence):
        return False
    ours, theirs = new.object.name.strip(), fact.object.strip()
    if new.object.is_literal and fact.object_is_literal and _ATTRIBUTE.match(fact.relation):
        if fact.relation.endswith("_DATE"):
            return fold(ours) != fold(theirs)
        units = [_NUMBER.sub("", fold(each), count=1) for each in (ours, theirs) if _MEASURE.fullmatch(fold(each))]
        return len(units) == 2 and len(set(units)) == 1 and fold(ours) != fold(theirs)
    if new.relation == _DIET:
        diets = [_FOOD.search(fold(each)) for each in (ours, theirs)]
        return all(diets) and len({diet[0] for diet in diets if diet}) == 2
    if new.relation not in IN_USE:
        return False
    versions = [_VERSIONED.fullmatch(each) for each in (ours, theirs)]
    names = [fold(each["name"]) for each in versions if each]
    return len(names) == 2 and len(set(names)) == 1 and fold(ours) != fold(theirs)


def may_be_another_value(new: str, known: str) -> bool:
    """Whether relations are of one attribute with one value at a time, or of the use of something with a version."""
    return {new, known} <= IN_USE or {new, known} == {_DIET} or (new == known and _ATTRIBUTE.match(known) is not None)


def relation_types(new: ResolvedTriple, registry: Registry) -> list[RelationType]:
    """Return the type of the triple's relation, then those of the relations that it implies."""
    own = registry.get(new.relation)
    return [own, *map(registry.get, own.implies)]


def may_exclude(new: ResolvedTriple, fact: Fact, relation: RelationType) -> bool:
    """Whether the fact is of ``relation`` and shares the entity that can have only one fact of it at a time."""
    if fact.relation != relation.name:
        return False
    if relation.symmetric and relation.one_object:  # either end may be the one who can have only one
        return new.shares_an_end(fact.subject_id, fact.object_id)
    same_subject = fact.subject_id == new.subject.id
    same_object = fact.object_id == new.object.id and not fact.object_is_literal
    return (relation.one_object and same_subject) or (relation.one_subject and same_object)


def same_ends(new: ResolvedTriple, fact: Fact, relation: RelationType) -> bool:
    """Whether both are between the same two entities, for a symmetric relation in either order."""
    theirs = (fact.subject_id, fact.object_id)
    ours = (new.subject.id, new.object.id)
    return theirs == ours or (relation.symmetric and theirs[::-1] == ours)


def _excludes(new: ResolvedTriple, fact: Fact, relation: RelationType) -> bool:
    """Whether the fact cannot be true beside the triple, since ``relation`` has one at a time and this is another."""
    if not may_exclude(new, fact, relation) or same_ends(new, fact, relation) or _ended_before(new, fact):
        return False
    if _is_one_of_several(new, fact, relation) or _may_be_same_person(new, fact) or _one_state_lies_ahead(new, fact):
        return False
    if relation.symmetric and relation.one_object:
        return True
    if relation.one_object and fact.subject_id == new.subject.id:
        return _are_of_a_kind(new, fact) or _moved_away(new, fact)
    return _comparable(new.triple.subject_type, fact.subject_type)


def _are_of_a_kind(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the objects can exclude each other: what may both be countries does, and what has comparable types."""
    ours, theirs = _kind(new.object.name, new.triple.object_type), _kind(fact.object, fact.object_type)
    places = {ours, theirs} <= {"place", "country"}
    return _comparable(ours, theirs) or (places and are_countries(new.object.name, fact.object))


def _kind(name: str, type_: str) -> str:
    """Return the folded type, that of a country for a place with the name of one."""
    folded = fold(type_)
    return "country" if folded == "place" and is_country(name) else folded


def _moved_away(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the sentence tells of a move since the fact was told, from a city to a country or the other way.

    A move to a city ends no stay in the country that the sentence names: "Ann moved to Oslo in Norway".
    """
    begun, text = new.triple.valid_from, new.triple.text
    if fact.relation != "LIVES_IN" or not _MOVED.search(text):
        return False
    ours, theirs = _kind(new.object.name, new.triple.object_type), _kind(fact.object, fact.object_type)
    to_a_city = ours in _TOWNS and theirs == "country" and not names_country(text, fact.object)
    if not (ours == "country" or to_a_city) or not set(new.triple.evidence).isdisjoint(fact.evidence):
        return False
    return begun is None or fact.said_at is None or begun.end > fact.said_at


def _ended_before(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the fact's own end is before the start of the triple."""
    return fact.valid_to is not None and new.start is not None and fact.valid_to.end <= new.start


def _one_state_lies_ahead(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether one of two states lies ahead, as where somebody will live: it ends nothing before.

    A value, such as the date that something is due, is another one at once.
    """
    return not new.object.is_literal and not fact.object_is_literal and new.one_lies_ahead(fact)


def _is_one_of_several(new: ResolvedTriple, fact: Fact, relation: RelationType) -> bool:
    """Whether the sentences allow more than one: "one of her homes", or favourites of different kinds."""
    texts = (new.triple.text, fact.text)
    if any(_ONE_OF.search(text) for text in texts):
        return True
    if not relation.name.startswith("FAVORITE_"):
        return False
    same_message = not set(new.triple.evidence).isdisjoint(fact.evidence)
    ours, theirs = (_favourite_of(relation, text) for text in texts)
    return same_message or ours != theirs


def _favourite_of(relation: RelationType, text: str) -> str | None:
    """Return the words between "favourite" and the relation's noun: "fantasy" of a favourite fantasy movie."""
    noun = relation.name.removeprefix("FAVORITE_").replace("_", " ")
    favourite = _FAVOURITE.search(text)
    named = re.compile(rf"\b{re.escape(noun)}\b", re.IGNORECASE).search(text, favourite.end()) if favourite else None
    return fold(text[favourite.end() : named.start()]) if favourite and named else None


def _may_be_same_person(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether one of the two entities is named by a role, as "Ann's wife", and so may be the other one."""
    ours = {new.subject.id: new.subject.name, new.object.id: new.object.name}
    theirs = {fact.subject_id: fact.subject, fact.object_id: fact.object}
    differing = [parse(name) for id_, name in (ours | theirs).items() if (id_ in ours) != (id_ in theirs)]
    return any(name.owner and name.roles for name in differing)


def _comparable(type_: str, other: str) -> bool:
    """Whether things of these two types can exclude each other: a city does not exclude a country.

    A value excludes anything else, as what has no type does.
    """
    return any(not each or is_literal(each) for each in (type_, other)) or fold(type_) == fold(other)
