"""The known entities nearest to a window, which an extractor is shown so that one thing keeps one name.

They are read from the graph when the extraction of the window begins: what was committed by then, and the names in
windows that were read ahead and are not committed yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mem0g.extract.protocol import Extractor, KnownEntity, LooksUpNames, Window
from mem0g.ingest.nearby import Nearby
from mem0g.ingest.worth import OPINION, rank
from mem0g.model import Entity, Fact, Scope, Triple, is_literal
from mem0g.resolve.kinds import ANIMAL, EVENT, GROUP, IDEA, ORGANISATION, PERSON, PLACE, WORK, compatible, kind_of
from mem0g.resolve.mentions import ALIAS
from mem0g.store.candidates import FactCandidate
from mem0g.store.protocol import Store
from mem0g.text.english import STOP_WORDS
from mem0g.text.names import fold, normal_relation
from mem0g.text.stemming import token_set

MAX_KNOWN, MAX_NOTES = 40, 20
"""Known entities that an extractor is shown, and how many of them, the nearest, with a note."""

NOTE_WORDS, SHORTEST_NOTE = 10, 5
"""Words of a note, enough for who or what; one that is cut ends before a comma, if so many words are left."""

LONGEST_NAME = 12
"""Words of a name that is shown: a longer one is a sentence."""

NAMED, TYPED, NEAR, FAMILIAR, LASTING, CONTINUED, RECENT = 2.0, 0.6, 1.0, 1.0, 0.3, 0.5, 0.5
"""Weights of the signs that a window is about an entity: the window names it or words of its name; it names its type
("that book"), shared by all of the type; the cosine of a fact about it with the window; a person, pet or group of a
speaker's; a place, organisation, event or work, which people come back to; a message just before the window told of it,
as "they" may go on to do; a fact about it is among the latest."""

_LASTING: Final = frozenset({PLACE, ORGANISATION, EVENT, WORK})


@dataclass(slots=True)
class _Candidate:
    """An entity, and the facts about it that were read, each with its greatest cosine with the window."""

    id: str
    name: str
    type: str
    facts: dict[Fact, float] = field(default_factory=dict)

    @property
    def similarity(self) -> float:
        return max(self.facts.values(), default=0.0)


def known_entities(window: Window, near: Nearby, ahead: Sequence[Triple], store: Store) -> tuple[KnownEntity, ...]:
    """Return up to MAX_KNOWN entities of exactly the window's scope: the speakers, then the nearest.

    ``near`` is what was read for the window, ``ahead`` are triples of windows that are not committed yet. One read of
    the store.
    """
    if window.scope is None:
        return ()
    candidates = _candidates(near.facts, window.scope)
    for entity in near.named:
        candidates.setdefault(entity.id, _Candidate(entity.id, entity.name, entity.type))
    best = _best(candidates.values(), {entity.id for entity in near.named}, window)
    stored = store.entities(window.scope, [each.id for each in best])
    entities = {entity.id: entity for entity in stored if entity.merged_into is None}
    speakers = set(map(fold, window.speakers))
    shown = [_shown(entities[each.id], each, speakers) for each in best if each.id in entities]
    known = _with_ahead(shown, ahead, window)[:MAX_KNOWN]
    return (*known[:MAX_NOTES], *(replace(each, note="") for each in known[MAX_NOTES:]))


def with_named(window: Window, extractor: Extractor, store: Store) -> Window:
    """Return the window with those of the names that the extractor wants to look up which known people bear."""
    scope, names = window.scope, extractor.names_wanted(window) if isinstance(extractor, LooksUpNames) else ()
    if not names or scope is None:
        return window
    found = store.match_names(scope, sorted(names))
    people = [each for each in found if each.scope == scope and kind_of(each.type) == PERSON]
    return replace(window, names=tuple(name for each in people for name in each.names if fold(name) in names))


def with_known_types(triples: Sequence[Triple], known: Sequence[KnownEntity]) -> list[Triple]:
    """Return the triples, their ends that have the name of a known entity with its type where theirs contradicts it.

    Otherwise a shop that is a company in one window and a thing in the next would become two nodes. The types person
    and animal are kept, as a country may have the name of a person.
    """
    types = {fold(each.name): each.type for each in known}

    def type_of(name: str, given: str) -> str:
        there = types.get(fold(name), given)
        kinds = kind_of(there), kind_of(given)
        keeps = is_literal(given) or compatible(*kinds) or PERSON in kinds or ANIMAL in kinds
        return given if keeps else there

    return [
        replace(
            each,
            subject_type=type_of(each.subject, each.subject_type),
            object_type=type_of(each.object, each.object_type),
        )
        for each in triples
    ]


def _candidates(found: Iterable[FactCandidate], scope: Scope) -> dict[str, _Candidate]:
    candidates: dict[str, _Candidate] = {}
    for each in found:
        fact = each.fact
        if fact.scope != scope:
            continue
        ends = ((fact.subject_id, fact.subject, fact.subject_type), (fact.object_id, fact.object, fact.object_type))
        for id_, name, kind in ends:
            if not is_literal(kind):
                candidate = candidates.setdefault(id_, _Candidate(id_, name, kind))
                candidate.facts[fact] = max(each.similarities, default=0.0)
    return candidates


def _best(candidates: Iterable[_Candidate], named: set[str], window: Window) -> list[_Candidate]:
    """Return the MAX_KNOWN candidates that score highest, best first; no phrases, and ideas only where named."""
    speakers = set(map(fold, window.speakers))
    said, before = _said(window), {message.id for message in window.context}
    usable = [
        each
        for each in candidates
        if each.id in named
        or (len(each.name.split()) <= LONGEST_NAME and (kind_of(each.type) != IDEA or token_set(each.name) & said))
    ]
    newest_first = sorted(usable, key=lambda one: (_last(one), one.name), reverse=True)
    latest = {each.id: place for place, each in enumerate(newest_first)}
    types = Counter(fold(each.type) for each in usable)

    def score(each: _Candidate) -> float:
        if fold(each.name) in speakers:
            return float("inf")
        stems = _without_speakers(each.name, window)
        words = 1.0 if each.id in named else len(stems & said) / (len(stems) or 1) / 2
        continued = any(not before.isdisjoint(fact.evidence) for fact in each.facts)
        typed = bool(token_set(each.type) & said) / types[fold(each.type)]
        kind = kind_of(each.type)
        familiar = kind in (PERSON, ANIMAL, GROUP) and any(_of(fact, speakers) for fact in each.facts)
        recent = 1 - latest[each.id] / len(usable)
        about = NAMED * words + TYPED * typed + NEAR * each.similarity + CONTINUED * continued
        return about + FAMILIAR * familiar + LASTING * (kind in _LASTING) + RECENT * recent

    return sorted(usable, key=lambda each: (-score(each), each.name, each.id))[:MAX_KNOWN]


def _said(window: Window) -> frozenset[str]:
    """Return the stems that the window says, and the messages before it."""
    return frozenset(stem for message in (*window.context, *window.messages) for stem in token_set(message.text))


def _without_speakers(name: str, window: Window) -> frozenset[str]:
    """Return the stems of a name without those of the speakers, unless it has no others: theirs is "my team"."""
    stems = token_set(name)
    return stems - token_set(" ".join(window.speakers)) or stems


def _last(candidate: _Candidate) -> str:
    """Return when the latest fact about it was recorded."""
    return max((fact.recorded_at.isoformat() for fact in candidate.facts), default="")


def _of(fact: Fact, speakers: set[str]) -> bool:
    """Whether an end of the fact is a speaker."""
    return fold(fact.subject) in speakers or fold(fact.object) in speakers


def _shown(entity: Entity, candidate: _Candidate, speakers: set[str]) -> KnownEntity:
    """Return the entity with the nearest fact about it, preferably with a speaker, as its note; a speaker needs none.

    An event has its date as well: there may be another of that name.
    """
    near = candidate.facts
    order = sorted(near, key=lambda fact: (rank(fact) == OPINION, not _of(fact, speakers), -near[fact], fact.id))
    note = "" if fold(entity.name) in speakers or not order else _clause(_told(order[0], entity.id))
    day = next((day for fact in order if fact.object_id == entity.id and (day := _day(entity.type, fact))), "")
    return KnownEntity(name=entity.name, type=entity.type, aliases=entity.aliases, note=note, day=day)


def _day(kind: str, told: Fact | Triple) -> str:
    """Return the date of an event that is the object of what is told, "" where there is none."""
    return str((kind_of(kind) == EVENT and (told.valid_from or told.planned_for)) or "")


def _told(fact: Fact, about: str) -> str:
    """Return the short form of a fact, without its subject where it is what the fact is told of."""
    if not fact.brief:
        return fact.text
    return fact.brief if fact.subject_id == about else f"{fact.subject} {fact.brief}"


def _clause(text: str) -> str:
    """Return the first words of a text, up to a comma where there is one."""
    words = text.split()
    if len(words) <= NOTE_WORDS:
        return " ".join(words)
    ends = (count for count in range(NOTE_WORDS, SHORTEST_NOTE - 1, -1) if words[count - 1].endswith((",", ";", ":")))
    count = next(ends, NOTE_WORDS)
    while count > SHORTEST_NOTE and fold(words[count - 1]) in STOP_WORDS:
        count -= 1
    return f"{' '.join(words[:count]).rstrip(',;:')} …"


def _with_ahead(shown: Sequence[KnownEntity], ahead: Sequence[Triple], window: Window) -> tuple[KnownEntity, ...]:
    """Return the entities with those that only windows read ahead name, which take at most half of the places.

    Those that the window goes on about come first, and before what is least near to it. Other names are no entities of
    their own.
    """
    known = {fold(name) for each in shown for name in (each.name, *each.aliases)}
    new: Mapping[str, KnownEntity] = {
        fold(name): KnownEntity(name=name, type=kind, note=_clause(note), day=day)
        for triple in reversed(ahead)
        if normal_relation(triple.relation) != ALIAS
        for name, kind, note, day in (
            (triple.object, triple.object_type, triple.text, _day(triple.object_type, triple)),
            (triple.subject, triple.subject_type, triple.brief or triple.text, ""),
        )
        if fold(name) not in known and not is_literal(kind) and len(name.split()) <= LONGEST_NAME
    }
    said = _said(window)
    going_on = [each for each in new.values() if _without_speakers(each.name, window) <= said]
    others = [each for each in new.values() if each not in going_on]
    going_on = going_on[: MAX_KNOWN // 2]
    others = others[: MAX_KNOWN // 2 - len(going_on)]
    left = shown[: MAX_KNOWN - len(going_on) - len(others)]
    noted = MAX_NOTES - len(going_on)
    return (*left[:noted], *going_on, *left[noted:], *others)
