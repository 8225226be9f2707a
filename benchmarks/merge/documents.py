"""Re-DocRED: documents annotated with the names of each entity."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from benchmarks.merge.reading import read_json
from benchmarks.merge.scene import Data, End, Scene, non_empty, window_of

NAME = "redocred"

_HINT = "give a file of Re-DocRED: a list of documents with sents and vertexSet"


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
    documents = non_empty(read_json(path, _DOCUMENTS, _HINT), path, "document")
    return Data(NAME, tuple(_scene(f"{path.stem} {number}", each) for number, each in enumerate(documents)), (path,))


def _scene(name: str, document: _Document) -> Scene:
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
