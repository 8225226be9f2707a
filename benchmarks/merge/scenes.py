"""The data of node matching: the ends of triples in order, window by window, with gold labels; and its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from mem0g import Triple
from mem0g.errors import InputError

T = TypeVar("T")
S = TypeVar("S", bound=Sequence[object])

MENTIONED_WITH = "mentioned_with"
"""The relation between names of one sentence; it carries no meaning."""


@dataclass(frozen=True, slots=True)
class End:
    """A name with its type and its gold label, shared by names of one entity; an empty label is not judged."""

    name: str
    type: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """Triples that are matched together, the labels of subject and object of each, and the speakers."""

    triples: tuple[Triple, ...]
    labels: tuple[tuple[str, str], ...]
    speakers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """The windows of one scope: a conversation, a document or a dialogue."""

    id: str
    windows: tuple[Window, ...]

    @property
    def ends(self) -> Iterator[End]:
        """Yield the ends of all triples in order, subject before object."""
        for window in self.windows:
            for triple, (subject, obj) in zip(window.triples, window.labels, strict=True):
                yield End(triple.subject, triple.subject_type, subject)
                yield End(triple.object, triple.object_type, obj)


@dataclass(frozen=True, slots=True)
class Data:
    """Scenes of one data set, its name in the report, and the files they were read from."""

    name: str
    scenes: tuple[Scene, ...]
    files: tuple[Path, ...]


def window_of(sentences: Sequence[tuple[str, Sequence[End]]], speakers: Sequence[str] = ()) -> Window:
    """Return a window of names in the order of a text, in pairs; an odd last name pairs with itself, judged once."""
    triples, labels = [], []
    for text, ends in sentences:
        for at in range(0, len(ends), 2):
            one, *others = ends[at : at + 2]
            two = others[0] if others else End(one.name, one.type)
            triples.append(_pair_triple(one, two, text))
            labels.append((one.label, two.label))
    return Window(tuple(triples), tuple(labels), tuple(speakers))


def non_empty(found: S, path: Path, what: str) -> S:
    """Return what was found in a file. Raises InputError if it is empty."""
    if not found:
        raise InputError(f"{path} has no {what}", hint="is it the right file?")
    return found


def _pair_triple(one: End, two: End, text: str) -> Triple:
    return Triple(
        subject=one.name,
        relation=MENTIONED_WITH,
        object=two.name,
        text=text,
        subject_type=one.type,
        object_type=two.type,
    )


def read_json(path: Path, shape: TypeAdapter[T], hint: str) -> T:
    """Return the document of a file. Raises InputError with ``hint`` if it is missing or malformed."""
    return _checked(path.read_bytes(), shape, str(path), hint)


def read_lines(path: Path, shape: TypeAdapter[T], hint: str) -> list[T]:
    """Return the document of each non-empty line. Raises InputError with ``hint`` for a malformed line."""
    if not path.is_file():
        raise InputError(f"no such file: {path}", hint=hint)
    lines = path.read_bytes().split(b"\n")
    return [
        _checked(line, shape, f"{path}, line {number}", hint)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _checked(text: bytes, shape: TypeAdapter[T], place: str, hint: str) -> T:
    try:
        return shape.validate_json(text.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{place}: {field + ': ' if field else ''}{first['msg']}", hint=hint) from error
