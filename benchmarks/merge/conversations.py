"""Reference triples of conversations, with gold for the entities of their ends."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from benchmarks.merge.reading import read_lines
from benchmarks.merge.scene import Data, Scene, Window, non_empty
from mem0g import Triple
from mem0g.errors import InputError
from mem0g.transfer.triples import read_triples

NAME = "locomo"

_HINT = "--locomo has SAMPLE.jsonl of triples with id and session, --entities SAMPLE.jsonl of clusters of their ends"


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
    scenes = tuple(_scene(path, clusters) for path, clusters in files)
    return Data(NAME, scenes, tuple(file for pair in files for file in pair))


def _scene(path: Path, gold: Path) -> Scene:
    places = read_lines(path, _TRIPLE_LINES, _HINT)
    labels = _labels(gold)
    if unknown := {each for each, _ in labels} - {place.id for place in places}:
        raise InputError(f"{gold} names {min(unknown)!r}, which is not in {path}", hint=_HINT)
    sessions: dict[int, list[tuple[Triple, tuple[str, str]]]] = {}
    for place, triple in zip(places, read_triples(path), strict=True):
        label = _label(labels, place.id, "subject"), _label(labels, place.id, "object")
        sessions.setdefault(place.session, []).append((triple, label))
    windows = (tuple(zip(*labelled, strict=True)) for labelled in sessions.values())
    return Scene(path.stem, tuple(Window(triples, both) for triples, both in windows))


def _label(labels: dict[tuple[str, str], str], triple: str, end: str) -> str:
    """Return the label of an end; one that is in no cluster has a label of its own."""
    return labels.get((triple, end), f"{triple} {end}")


def _labels(gold: Path) -> dict[tuple[str, str], str]:
    clusters = read_lines(gold, _CLUSTERS, _HINT)
    return {mention: f"cluster {number}" for number, each in enumerate(clusters) for mention in each.mentions}
