"""The data sets of node matching: LOCOMO's reference triples, Re-DocRED and DialogRE."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, TypeAdapter

from benchmarks.merge.scenes import Data, End, Scene, Window, non_empty, read_json, read_lines, window_of
from mem0g import Triple
from mem0g.errors import InputError
from mem0g.transfer.triples import read_triples

LOCOMO = "locomo"

_LOCOMO_HINT = (
    "--locomo has SAMPLE.jsonl of triples with id and session, --entities SAMPLE.jsonl of clusters of their ends"
)

REDOCRED = "redocred"

_REDOCRED_HINT = "give a file of Re-DocRED: a list of documents with sents and vertexSet"

DIALOGRE = "dialogre"

_DIALOGRE_HINT = "give a file of DialogRE: a list of [turns, relations]"

_ALTERNATE = "per:alternate_names"

_PERSON_RELATIONS = frozenset(
    "alternate_names friends girl/boyfriend spouse siblings parents children other_family roommate dates alumni "
    "acquaintance neighbor client boss subordinate positive_impression negative_impression visitors_of_place "
    "residents_of_place births_in_place employees_or_members students".split()
)
"""Relations whose object is a person; a relation's name begins with the type of its subject."""


class _TripleLine(BaseModel):
    id: str
    session: int


class _Cluster(BaseModel):
    name: str
    mentions: list[tuple[str, Literal["subject", "object"]]]


_TRIPLE_LINES, _CLUSTERS = TypeAdapter(_TripleLine), TypeAdapter(_Cluster)


def read_conversations(triples: Path, entities: Path) -> Data:
    """Return a scene for each file of ``entities`` and its triples; a session is a window.

    The files do not name the speakers. Raises InputError for files that do not match.
    """
    gold = non_empty(sorted(entities.glob("*.jsonl")), entities, "*.jsonl")
    files = [(triples / each.name, each) for each in gold]
    scenes = tuple(_conversation_scene(path, clusters) for path, clusters in files)
    return Data(LOCOMO, scenes, tuple(file for pair in files for file in pair))


def _conversation_scene(path: Path, gold: Path) -> Scene:
    places = read_lines(path, _TRIPLE_LINES, _LOCOMO_HINT)
    labels = _gold_labels(gold)
    if unknown := {each for each, _ in labels} - {place.id for place in places}:
        raise InputError(f"{gold} names {min(unknown)!r}, which is not in {path}", hint=_LOCOMO_HINT)
    sessions: dict[int, list[tuple[Triple, tuple[str, str]]]] = {}
    for place, triple in zip(places, read_triples(path), strict=True):
        label = _gold_label(labels, place.id, "subject"), _gold_label(labels, place.id, "object")
        sessions.setdefault(place.session, []).append((triple, label))
    windows = (tuple(zip(*labelled, strict=True)) for labelled in sessions.values())
    return Scene(path.stem, tuple(Window(triples, both) for triples, both in windows))


def _gold_label(labels: dict[tuple[str, str], str], triple: str, end: str) -> str:
    """Return the label of an end; one that is in no cluster has a label of its own."""
    return labels.get((triple, end), f"{triple} {end}")


def _gold_labels(gold: Path) -> dict[tuple[str, str], str]:
    clusters = read_lines(gold, _CLUSTERS, _LOCOMO_HINT)
    return {mention: f"cluster {number}" for number, each in enumerate(clusters) for mention in each.mentions}


class _Mention(BaseModel):
    name: str
    type: str
    sent_id: int
    pos: tuple[int, int]


class _Document(BaseModel):
    sents: list[list[str]]
    vertexSet: list[list[_Mention]]  # noqa: N815 - as in the file


_UNJUDGED = frozenset({"TIME", "NUM"})
"""Types of dates and numbers: they are matched like all others, but not judged."""

_DOCUMENTS = TypeAdapter(list[_Document])


def read_documents(path: Path) -> Data:
    """Return a scene of one window for each document: its names in the order of the text, with type and sentence."""
    documents = non_empty(read_json(path, _DOCUMENTS, _REDOCRED_HINT), path, "document")
    return Data(
        REDOCRED,
        tuple(_document_scene(f"{path.stem} {number}", each) for number, each in enumerate(documents)),
        (path,),
    )


def _document_scene(name: str, document: _Document) -> Scene:
    ends_by_sentence: dict[int, list[tuple[tuple[int, int], End]]] = defaultdict(list)
    for label, mentions in enumerate(document.vertexSet):
        for each in mentions:
            if each.name.strip():
                ends_by_sentence[each.sent_id].append(
                    (each.pos, End(each.name, each.type, "" if each.type in _UNJUDGED else str(label)))
                )
    sentences = [
        (" ".join(document.sents[place]), [end for _, end in sorted(ends, key=lambda each: each[0])])
        for place, ends in sorted(ends_by_sentence.items())
        if place < len(document.sents)
    ]
    return Scene(name, (window_of(sentences),))


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
    dialogues = non_empty(read_json(path, _DIALOGUES, _DIALOGRE_HINT), path, "dialogue")
    scenes = tuple(_dialogue_scene(f"{path.stem} {number}", each) for number, each in enumerate(dialogues))
    return Data(f"{DIALOGRE} {path.stem}", scenes, (path,))


def _dialogue_scene(name: str, dialogue: _Dialogue) -> Scene:
    types, labels = _name_types(dialogue.relations), _person_labels(dialogue.relations)
    by_turn: dict[int, list[tuple[int, End]]] = defaultdict(list)
    for each, kind in types.items():
        if not _is_speaker(each):
            turn, place = _first_mention(each, dialogue.turns)
            by_turn[turn].append((place, End(each, kind, labels[each])))
    sentences = [
        (dialogue.turns[turn], [end for _, end in sorted(ends, key=lambda each: (each[0], -len(each[1].name)))])
        for turn, ends in sorted(by_turn.items())
    ]
    speakers = sorted(each for each in types if _is_speaker(each))
    return Scene(name, (window_of(sentences, speakers),))


def _is_speaker(name: str) -> bool:
    return name.startswith("Speaker ")


def _first_mention(name: str, turns: Sequence[str]) -> tuple[int, int]:
    """Return the turn and the offset in it where a name first occurs; one that does not occur comes last."""
    for turn, text in enumerate(turns):
        place = text.casefold().find(name.casefold())
        if place >= 0:
            return turn, place
    return len(turns) - 1, len(turns[-1])


def _name_types(relations: Sequence[_Relation]) -> dict[str, str]:
    """Return the type of each name: as given, else as its relations imply."""
    types: dict[str, str] = {}
    for each in relations:
        for relation in each.r:
            of, _, what = relation.partition(":")
            types[each.x] = each.x_type or types.get(each.x) or (of if what else "")
            types[each.y] = each.y_type or types.get(each.y) or ("per" if what in _PERSON_RELATIONS else "")
    return types


def _person_labels(relations: Sequence[_Relation]) -> dict[str, str]:
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
