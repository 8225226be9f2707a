"""What a new triple and a known fact are both about, by the words of their relations and names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mem0g.conflict.passing_states import is_passing
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.resolve.names import parse
from mem0g.text.names import fold
from mem0g.text.stemming import token_set, tokens

_WORK: Final = token_set("job work employment employed position career profession employer")
"""Stems that all mean what somebody does for a living: the loss of a job ends what somebody works as."""


def is_about(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether they share an end or a word of their subjects' names: "Ann's studio" is Ann's."""
    if new.shares_an_end(fact.subject_id, fact.object_id):
        return True
    return not name_words(new.subject.name).isdisjoint(name_words(fact.subject))


def shared_topic(new: ResolvedTriple, fact: Fact) -> float:
    """Return the share of the words of relation and object that both have, of those of the shorter one; 0 to 1."""
    ours, theirs = _topics(new, fact)
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


def has_same_topic(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether relation and object of one are, in words, part of those of the other, two words at least.

    "Feels confident" and "felt low on confidence", "performed at the festival" and "plans to perform at the festival":
    whatever else their sentences tell.
    """
    ours, theirs = _topics(new, fact)
    return len(ours & theirs) >= max(2, min(len(ours), len(theirs)))


def is_open_about_same_thing(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the fact is a state that passes, or a plan, with a thing that the triple is about.

    "The opening of Ann's studio is on 20 June" is about Ann's studio, and so is her search for a studio location.
    """
    if not (is_passing(fact) or fact.planned_for or parse_relation(fact.relation_given).ahead):
        return False
    said = _thing(fact.object)
    things = (_thing(end.name) for end in (new.subject, new.object) if not end.is_literal)
    return any(len(thing) > 1 and thing <= said for thing in things)


def is_going_on_alike(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether both say with the same verb what their subject is doing or how it is: "is reading" this, then that."""
    ours, theirs = parse_relation(new.triple.relation), parse_relation(fact.relation_given)
    same = new.subject.id == fact.subject_id and ours.words == theirs.words and ours.tense == theirs.tense == "now"
    return same and is_passing(fact)


def names_what_ended(new: ResolvedTriple, fact: Fact) -> int:
    """Return how well the fact names what the triple says has ended, such as a job; 0 if it does not.

    2: its relation or an end has a word for it ("works as a cook"); 1: only its sentence has the very word.
    """
    ended = _thing(new.object.name) | token_set(" ".join(parse_relation(new.triple.relation).words[1:]))
    ended -= _people(new, fact)
    named = _topic(fact.relation_given, fact.object) | _thing(fact.subject)
    if _with_work(ended).isdisjoint(_with_work(named)):
        return 0 if ended.isdisjoint(token_set(fact.text)) else 1
    return 2


@lru_cache(maxsize=65536)
def name_words(name: str) -> frozenset[str]:
    """Return the stems of a name, those of its owner among them."""
    return frozenset(tokens(re.sub(r"'s\b", " ", fold(name))))


def _topics(new: ResolvedTriple, fact: Fact) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of relation and object of both, without those of their subjects' names."""
    people = _people(new, fact)
    ours, theirs = _topic(new.triple.relation, new.triple.object), _topic(fact.relation_given, fact.object)
    return ours - people, theirs - people


def _people(new: ResolvedTriple, fact: Fact) -> frozenset[str]:
    return name_words(new.subject.name) | name_words(fact.subject)


def _topic(relation: str, obj: str) -> frozenset[str]:
    return token_set(" ".join(parse_relation(relation).words)) | name_words(obj)


def _with_work(stems: frozenset[str]) -> frozenset[str]:
    return stems | _WORK if stems & _WORK else stems


@lru_cache(maxsize=65536)
def _thing(name: str) -> frozenset[str]:
    """Return the stems of a name without its owner."""
    return token_set(" ".join(parse(name).words))
