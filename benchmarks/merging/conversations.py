"""Reference triples of conversations, with gold for what their ends mean."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from benchmarks.merging.reading import read_lines
from benchmarks.merging.scene import Data, Scene, Window, some
from mem0g import Triple
from mem0g.errors import InputError
from mem0g.transfer.triples import read_triples

NAME = "locomo"
_HINT = "--locomo has SAMPLE.jsonl of triples with id and session, --entities SAMPLE.jsonl of clusters of their ends"


class _Place(BaseModel):
    id: str
    session: int


class _Cluster(BaseModel):
    name: str
    mentions: list[tuple[str, Literal["subject", "object"]]]


_PLACES, _CLUSTERS = TypeAdapter(_Place), TypeAdapter(_Cluster)


def read_conversations(triples: Path, entities: Path) -> Data:
    """Each file of ``entities`` with the triples it is about: a scope of its own, a session is a window.

    Who speaks is not in the files. Raises InputError for files that do not fit each other.
    """
    gold = some(sorted(entities.glob("*.jsonl")), entities, "*.jsonl")
    files = [(triples / each.name, each) for each in gold]
    scenes = tuple(_scene(told, clusters) for told, clusters in files)
    return Data(NAME, scenes, tuple(file for pair in files for file in pair))


def _scene(path: Path, gold: Path) -> Scene:
    places = read_lines(path, _PLACES, _HINT)
    labels = _labels(gold)
    if unknown := {each for each, _ in labels} - {place.id for place in places}:
        raise InputError(f"{gold} names {min(unknown)!r}, which {path} has not", hint=_HINT)
    sessions: dict[int, list[tuple[Triple, tuple[str, str]]]] = {}
    for place, triple in zip(places, read_triples(path), strict=True):
        label = _label(labels, place.id, "subject"), _label(labels, place.id, "object")
        sessions.setdefault(place.session, []).append((triple, label))
    windows = (tuple(zip(*told, strict=True)) for told in sessions.values())
    return Scene(path.stem, tuple(Window(triples, both) for triples, both in windows))


def _label(labels: dict[tuple[str, str], str], triple: str, end: str) -> str:
    """What the end means; one that stands alone is in no cluster."""
    return labels.get((triple, end), f"{triple} {end}")


def _labels(gold: Path) -> dict[tuple[str, str], str]:
    clusters = read_lines(gold, _CLUSTERS, _HINT)
    return {mention: f"cluster {number}" for number, each in enumerate(clusters) for mention in each.mentions}
