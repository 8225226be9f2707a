"""DialogRE: the names in a dialogue, and which are alternate names of one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, TypeAdapter

from benchmarks.merge.reading import read_json
from benchmarks.merge.scene import Data, End, Scene, non_empty, window_of

NAME = "dialogre"

_HINT = "give a file of DialogRE: a list of [turns, relations]"

_ALTERNATE = "per:alternate_names"

_PERSON_RELATIONS = frozenset(
    "alternate_names friends girl/boyfriend spouse siblings parents children other_family roommate dates alumni "
    "acquaintance neighbor client boss subordinate positive_impression negative_impression visitors_of_place "
    "residents_of_place births_in_place employees_or_members students".split()
)
"""Relations whose object is a person; a relation's name begins with the type of its subject."""


class _Relation(BaseModel):
    x: str
    y: str
    r: list[str]
    x_type: str = ""
    y_type: str = ""


class _Dialogue(NamedTuple):
    turns: list[str]
    relations: list[_Relation]


_DIALOGUES = TypeAdapter(list[_Dialogue])


def read_dialogues(path: Path) -> Data:
    """Return a scene of one window for each dialogue: its names in the order of their first occurrence.

    A placeholder for a speaker ("Speaker 1") is not a name, but two names of one speaker refer to one person. A name of
    two people is not judged. A name without a type in the file gets the one that its relations imply.
    """
    dialogues = non_empty(read_json(path, _DIALOGUES, _HINT), path, "dialogue")
    scenes = tuple(_scene(f"{path.stem} {number}", each) for number, each in enumerate(dialogues))
    return Data(f"{NAME} {path.stem}", scenes, (path,))


def _scene(name: str, dialogue: _Dialogue) -> Scene:
    types, labels = _types(dialogue.relations), _labels(dialogue.relations)
    by_turn: dict[int, list[tuple[int, End]]] = defaultdict(list)
    for each, kind in types.items():
        if not _is_speaker(each):
            turn, place = _first(each, dialogue.turns)
            by_turn[turn].append((place, End(each, kind, labels[each])))
    sentences = [
        (dialogue.turns[turn], [end for _, end in sorted(ends, key=lambda each: (each[0], -len(each[1].name)))])
        for turn, ends in sorted(by_turn.items())
    ]
    speakers = sorted(each for each in types if _is_speaker(each))
    return Scene(name, (window_of(sentences, speakers),))


def _is_speaker(name: str) -> bool:
    return name.startswith("Speaker ")


def _first(name: str, turns: Sequence[str]) -> tuple[int, int]:
    """Return the turn and the offset in it where a name first occurs; one that does not occur comes last."""
    for turn, text in enumerate(turns):
        place = text.casefold().find(name.casefold())
        if place >= 0:
            return turn, place
    return len(turns) - 1, len(turns[-1])


def _types(relations: Sequence[_Relation]) -> dict[str, str]:
    """Return the type of each name: as given, else as its relations imply."""
    types: dict[str, str] = {}
    for each in relations:
        for relation in each.r:
            of, _, what = relation.partition(":")
            types[each.x] = each.x_type or types.get(each.x) or (of if what else "")
            types[each.y] = each.y_type or types.get(each.y) or ("per" if what in _PERSON_RELATIONS else "")
    return types


def _labels(relations: Sequence[_Relation]) -> dict[str, str]:
    """Return a label for each name, the same for names of one person; "" for a name of two people."""
    pairs = [(each.x, each.y) for each in relations if _ALTERNATE in each.r]
    people_by_name = defaultdict(set)
    for person, name in pairs:
        people_by_name[name].add(person)
    people = {name: name for each in relations for name in (each.x, each.y)}
    for person, name in pairs:
        if len(people_by_name[name]) == 1:
            old, new = people[name], people[person]
            people = {each: new if label == old else label for each, label in people.items()}
    return {name: "" if len(people_by_name[name]) > 1 else label for name, label in people.items()}
