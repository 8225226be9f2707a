"""What a search of the Neo4j store makes of rows: passages in place of their messages, turns in order, paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from mem0g.model import Passage
from mem0g.store.candidates import FactCandidate, MessageCandidate, Turns

Place = tuple[str, str, str]
"""Scope, source and name of a session."""

Said = Sequence[Any]
"""A turn: id, position, terms, whether it has metadata."""

Part = tuple[Passage, "tuple[float, ...] | None", str]
"""A passage, its cosines and its terms."""


def with_passages(messages: Iterable[MessageCandidate], parts: Iterable[Part]) -> tuple[MessageCandidate, ...]:
    """Return the messages by id, and in place of those with passages the passages, in order."""
    of_messages: dict[str, list[Part]] = {}
    for part in sorted(parts, key=lambda each: each[0].start):
        of_messages.setdefault(part[0].message_id, []).append(part)
    found: list[MessageCandidate] = []
    for each in sorted(messages, key=lambda each: each.id):
        if each.id not in of_messages:
            found.append(each)
        for passage, cosines, terms in of_messages.get(each.id, ()):
            found.append(replace(each, similarities=cosines, terms=terms, passage=passage))
    return tuple(found)


def turns_of(sessions: Iterable[tuple[Place, Iterable[Said]]]) -> Turns:
    """Return the turns in order of place, of sessions in any order and their turns in any order."""
    ids: list[str] = []
    numbers: list[int] = []
    positions: list[int] = []
    terms: list[str] = []
    noted: list[str] = []
    for number, (_, said) in enumerate(sorted(sessions, key=itemgetter(0))):
        for known, position, stems, with_metadata in sorted(said, key=itemgetter(1)):
            ids.append(known)
            numbers.append(number)
            positions.append(position)
            terms.append(stems)
            if with_metadata:
                noted.append(known)
    return Turns(tuple(ids), tuple(numbers), tuple(positions), tuple(terms), tuple(noted))


def paths_of(
    walk: Sequence[Sequence[str]], facts: Mapping[str, FactCandidate], anchors: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the path of names from an anchor to each fact of the walk, whose facts are given hop by hop."""
    paths: dict[str, tuple[str, ...]] = {}
    reached: dict[str, tuple[str, ...]] = dict.fromkeys(anchors, ())
    for hop in walk:
        for fact in (facts[each].fact for each in hop if each in facts):
            ends = ((fact.subject_id, fact.subject), (fact.object_id, fact.object))
            (near, near_name), (far, far_name) = ends if fact.subject_id in reached else ends[::-1]
            paths[fact.id] = (*(reached[near] or (near_name,)), fact.relation, far_name)
            reached.setdefault(far, paths[fact.id])
    return paths
