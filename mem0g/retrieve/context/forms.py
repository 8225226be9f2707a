"""How the facts of a context are written: each as its sentence or in its short form, and several of them on one line.

Facts that share a sentence, such as those of "speaks Dutch, French and Thai, all of them well", are shown once: with
all of their objects, as the sentence has them, or as the whole sentence. When some of them are no longer true, each is
relation and object: "speaks Dutch; Thai", "no longer speaks French".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from mem0g.model import Fact
from mem0g.retrieve.context.dating import Dated
from mem0g.retrieve.context.rendering import clause, is_listed, is_part_of_list, item, one_line, one_more, sentence
from mem0g.text.names import fold
from mem0g.text.remembering import remembered

ListKey = tuple[str, str, bool, str, str]
"""What facts on one line have in common: subject, relation, whether each has a date of its own, how it is true now or
was once, and the form of the object: "loves Ghent", but "loves getting up at five"."""

_TURNING = frozenset(
    "not no never without longer used want wants wanted plan plans planned hope hopes may might would could if stopped "
    "quit wish wishes dreams considering thinks thought cancelled almost".split()
)
"""Words that make another statement of the words around them."""

_WORD = re.compile(r"[^\s();,\"]+")


@dataclass(frozen=True, slots=True)
class Forms:
    """How facts are written. ``when``, ``listing`` and ``now`` as for ``clause``.

    ``whole`` and ``apart`` are the ids of facts that are always shown as their sentence, or as relation and object,
    ``together`` facts with the objects of all that share their sentence, by their ids.
    """

    when: bool = False
    listing: bool = False
    now: datetime | None = None
    whole: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    together: Mapping[str, Fact] = field(default_factory=dict)

    @classmethod
    def of(cls, facts: Iterable[Fact], *, when: bool, listing: bool, now: datetime | None) -> Forms:
        """Return the forms of these facts, of which some may share a sentence."""
        groups: dict[tuple[str, str, str], list[Fact]] = {}
        for fact in facts:
            if not fact.brief and not fact.names_its_subject:
                groups.setdefault((fact.subject_id, fact.relation, fact.text), []).append(fact)
        whole: set[str] = set()
        apart: set[str] = set()
        together: dict[str, Fact] = {}
        for group in (each for each in groups.values() if len({fact.object_id for fact in each}) > 1):
            ids = {fact.id for fact in group}
            if len({_standing(fact) for fact in group}) > 1:
                apart |= ids
            elif is_listed(first := replace(group[0], object=_objects(group))):
                together |= dict.fromkeys(ids, first)
            else:
                whole |= ids
        return cls(when, listing, now, frozenset(whole), frozenset(apart), together)

    def sentence(self, fact: Fact) -> Dated:
        """Return the whole sentence, dated; of one of several things that are no longer true, only this one."""
        if self._stands_alone(fact):
            return item(fact, when=self.when, now=self.now)
        return sentence(fact, when=self.when, now=self.now)

    def short(self, fact: Fact) -> tuple[Dated, bool]:
        """Return the short form, dated, and whether it is relation and object, so that it can share a line."""
        if fact.id in self.whole:
            return self.sentence(fact), False
        if self._stands_alone(fact):
            return item(fact, when=self.when, now=self.now), True
        fact = self.together.get(fact.id, fact)
        short = clause(fact, when=self.when, listing=self.listing, now=self.now)
        return short, is_listed(fact, listing=self.listing)

    def more(self, fact: Fact) -> Dated:
        """Return what the fact adds to a line of the same relation."""
        return one_more(self.together.get(fact.id, fact), when=self.when, now=self.now)

    def _stands_alone(self, fact: Fact) -> bool:
        """Whether its sentence says of other things what is true of this one alone, or the other way round."""
        shared = fact.id in self.whole or fact.id in self.together
        return fact.id in self.apart or (not shared and not fact.current and is_part_of_list(fact))


@dataclass(frozen=True, slots=True)
class Line:
    """A line under a subject: one fact, or several whose objects it lists; each object once, with all its marks."""

    lead: str
    items: tuple[Dated, ...]

    @classmethod
    def of(cls, fact: Dated, thing: Dated | None = None) -> Line:
        """Return a line of one fact; ``thing``: what it would add to a line that lists objects, if it may begin one."""
        if thing is None or not fact.words.endswith(thing.words):
            return cls("", (fact,))
        return cls(fact.words.removesuffix(thing.words), (Dated(thing.words, fact.mark),))

    def adding(self, thing: Dated) -> Line:
        """Return the line with another object; of one that it has, the mark alone."""
        items = [*self.items]
        for place, each in enumerate(items):
            if fold(each.words) == fold(thing.words):
                items[place] = Dated(each.words, _joined(each.mark, thing.mark))
            elif not thing.mark and _includes(each.words, thing.words):
                pass
            elif not each.mark and _includes(thing.words, each.words):
                items[place] = thing
            else:
                continue
            return Line(self.lead, tuple(items))
        return Line(self.lead, (*items, thing))

    def __str__(self) -> str:
        return self.lead + "; ".join(map(str, self.items))

    def contains(self, other: Line) -> bool:
        """Whether it says all that the other one says: "teaches maths and physics", "teaches maths"."""
        return len(other.items) == 1 and _includes(str(self), str(other))


def list_key(fact: Fact) -> ListKey:
    """Return what facts of one line have in common."""
    first = fact.object.split(" ", 1)[0]
    form = "doing" if first.endswith("ing") and first.islower() else "to do" if first == "to" else ""
    return fact.subject, fact.relation, fact.valid_from is not None, _standing(fact), form


def _objects(facts: Sequence[Fact]) -> str:
    """Return the part of the sentence of some facts from the first of their objects to the last."""
    (text,) = {one_line(fact.text) for fact in facts}
    spans = [
        (start, start + len(thing))
        for thing in map(one_line, (fact.object for fact in facts))
        if (start := text.lower().find(thing.lower())) >= 0
    ]
    return text[min(spans)[0] : max(end for _, end in spans)] if spans else ""


def _standing(fact: Fact) -> str:
    return "true" if fact.current else f"until {fact.valid_to}" if fact.valid_to else "no longer"


def _joined(mark: str, other: str) -> str:
    """Return two marks as one: "said 2023-08-09, 2023-10-21"."""
    if not (mark and other):
        return mark or other
    lead = next((each for each in ("said ", "as of ", "planned for ") if mark.startswith(each)), "")
    other = other.removeprefix(lead)
    return mark if other in mark else f"{mark}, {other}"


def _includes(text: str, other: str) -> bool:
    """Whether a text has all words of the other one in order, and none more that make them mean something else."""
    mine, theirs = _words(text), _words(other)
    if not set(theirs).issubset(mine):
        return False
    more = set(mine).difference(theirs)
    left = iter(mine)
    return not any(word in _TURNING or word.endswith("n't") for word in more) and all(word in left for word in theirs)


@remembered
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))
