"""Known facts that a new one replaces in so many words: "uses Zed instead of Neovim", "Ann's manager is Tom now".

English sentences alone. What a sentence does not say is left to the cardinality of relations, or to a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from mem0g.conflict.passing_states import is_past_event
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.relations.relation_type import relations_of_several, seeds
from mem0g.store.queries import RelatedFact
from mem0g.text.english import MONTH, WEEKDAYS
from mem0g.text.names import fold

_REPLACING = re.compile(
    r"\b(?:instead of|in place of|rather than|(?:to )?replac(?:es?|ed|ing)|no longer"
    r"|(?:switch|chang|migrat|mov|upgrad|downgrad|convert)(?:es?|ed|ing)(?: [\w'-]+){0,3}? from)"
    r"(?: (?P<verb>\w+ing|(?<=no longer )\w+)(?: (?:to|at|in|for|with))?)?"
    r"(?: (?:the|an?|my|our|his|her|their|its|old|[\w-]+'s))* "
)
"""Words before the name of what is replaced, in folded text; ``verb`` is what was done with it."""
_AFTER = re.compile(
    r"\s*(?:$|[.,;:!)–-]|(?:to|with|by|for good|since|now|last|because|after|when|as of|in (?:"
    rf"{MONTH}|\d{{4}}))\b)"
)
"""What may follow the name: nothing that keeps it for other days and places ("instead of the car on Mondays")."""
_VERSION = re.compile(r" v?\d+(?:\.\d+)*$")

_SWITCHES: Final = frozenset(
    parse_relation(each).words[:1] for each in ("SWITCHED", "CHANGED", "MIGRATED", "MOVED", "UPGRADED", "REPLACED")
)
"""First words of relations that lead from one thing to another, whatever one did with them."""

_USES: Final = ("BANKS_WITH", "DEPLOYED_ON", "DRIVES", "HOSTED_ON", "RIDES", "RUNS_ON", "SUBSCRIBES_TO", "WEARS")
"""Further relations of what one can switch from: not of tastes, or of places in somebody's life."""

_NOW = re.compile(
    r"(?:(?:the|my|our)\b|[^,;.]{1,60}?'s\b) (?:(?P<new>new|current)\b [^,;.]{1,60}? (?:is|are)\b"
    r"|[^,;.]{1,60}? (?:(?:is|are) now\b|(?:is|are) [^,;]{1,80}? now[.!]*$"
    r"|(?:(?:has|have) )?(?:been )?(?:moved|changed|switched) to\b))"
)
"""A folded sentence about the one thing of its kind that says that it is another one now."""


def replaced_facts(new: ResolvedTriple, related: Sequence[RelatedFact]) -> list[Fact]:
    """Return the current facts of the triple's subject that its sentence says it replaces."""
    text = fold(new.triple.text)
    days = _new_days(text)
    if days and (moved := [each.fact for each in related if _is_on_other_days(each.fact, new, days)]):
        return moved
    replacing, says_now = _REPLACING.search(text) is not None, _says_now(text, new)
    if not (replacing or says_now):
        return []
    others = [
        each.fact
        for each in related
        if each.fact.current
        and each.fact.subject_id == new.subject.id
        and each.fact.object_id != new.object.id
        and each.fact.planned_for is None
        and not parse_relation(each.fact.relation).ahead
        and not is_past_event(each.fact)
    ]
    named = [fact for fact in others if _is_named(fact, new, text)] if replacing else []
    if named or not says_now:
        return named
    same = [fact for fact in others if fact.relation == new.relation]
    return same if len(same) == 1 else []


def may_replace(new: ResolvedTriple) -> Callable[[str], bool]:
    """Return whether the triple can replace a fact about its subject, given the fact's relation."""
    text = fold(new.triple.text)
    replacing, says_now = _REPLACING.search(text) is not None, _says_now(text, new)
    changed = says_now or bool(_new_days(text))
    return lambda relation: replacing or (changed and relation == new.relation)


_DAY = re.compile(rf"\b({'|'.join(WEEKDAYS)})s?\b")
_CHANGED = re.compile(r"\b(?:now|instead)\b")
_CHANGED_TO = re.compile(r"\b(?:moving|moved|changed|switched) (?:from .{3,40} )?to\b")


def _new_days(text: str) -> frozenset[str]:
    """Return the weekdays that a folded sentence names, if it says that something is on other ones now."""
    days = list(_DAY.finditer(text))
    if days and not _CHANGED.search(text):
        to = _CHANGED_TO.search(text)
        days = days if to and to.end() <= days[-1].start() else []
    return frozenset(each[1] for each in days)


def _is_on_other_days(fact: Fact, new: ResolvedTriple, days: frozenset[str]) -> bool:
    """Whether a fact is current and undated, and says that what the triple tells of is on other weekdays."""
    if (fact.subject_id, fact.relation, fact.object_id) != (new.subject.id, new.relation, new.object.id):
        return False
    if not fact.current or fact.planned_for or new.triple.planned_for or is_past_event(fact):
        return False
    known = frozenset(_DAY.findall(fold(fact.text)))
    return bool(known) and bool(days - known)


def may_switch(relation: str, known: str) -> bool:
    """Whether a fact of the first relation may say that somebody has switched from what one of the other has."""
    return parse_relation(relation).words[:1] in _SWITCHES and parse_relation(known).words[:1] in _habits()


def _says_now(text: str, new: ResolvedTriple) -> bool:
    """Whether a folded sentence says that the one thing of its kind is another one now.

    Ann's new dog may live with the old one, as of pets and friends there are several; her new dentist is the only one.
    "Ann's yoga class is on Mondays now" says another thing of the object: it stands before the verb.
    """
    match = _NOW.match(text)
    if match is None or (match["new"] and new.relation in relations_of_several()):
        return False
    verb = _VERB.search(text)
    return verb is None or fold(new.object.name) not in text[: verb.start()]


_VERB = re.compile(r"\b(?:is|are|has|have|been|moved|changed|switched)\b")


def _is_named(fact: Fact, new: ResolvedTriple, text: str) -> bool:
    """Whether the folded sentence names the object of the fact as what is replaced, in what the fact says of it."""
    known, told = parse_relation(fact.relation), parse_relation(new.relation)
    if known.denied or told.denied or told.ahead:
        return False
    same = fact.relation == new.relation and told.tense != "past"
    switched = may_switch(new.relation, fact.relation)
    name = fold(fact.object)
    for cue in _REPLACING.finditer(text):
        after = text[cue.end() :]
        stated = next((each for each in (name, _VERSION.sub("", name)) if after.startswith(each)), None)
        if stated is None or not _AFTER.match(after, len(stated)):
            continue
        if same or switched or (cue["verb"] and parse_relation(cue["verb"]).words[:1] == known.words[:1]):
            return True
    return False


@cache
def _habits() -> frozenset[tuple[str, ...]]:
    """Return the first words of relations that somebody or something can stop, and so switch from."""
    ends = (end for each in seeds() if each.name in ("QUIT", "STOPPED") for end in each.ends)
    return frozenset(parse_relation(each).words[:1] for each in (*ends, *_USES))
