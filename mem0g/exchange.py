"""A memory as JSON Lines, and back, without loss.

The first line names the format and the embedder, and holds the relation types that the database adds to the seeds; each
other line is one record: its kind, its scope, its fields and, where it has one, its embedding (base64 of float32,
little-endian).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mem0g.copying import receive
from mem0g.errors import InputError
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.relations.registry import RelationType
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from mem0g.model import Vector

FORMAT = 1
"""Version of the format."""

KINDS: dict[str, type] = {
    "messages": Message,
    "entities": Entity,
    "facts": Fact,
    "successions": Succession,
    "decisions": Decision,
    "notes": Note,
}
"""The kinds of records by the field of Change that holds them, in the order in which they are written."""


_ADAPTERS: dict[type, TypeAdapter[Any]] = {}
"""What reads and writes each kind, made when first needed."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: the version of the format, the embedder that made the embeddings, relation types of no scope."""

    mem0g: int
    embedder: str | None
    dimensions: int | None
    relations: tuple[RelationType, ...] = ()


def export_lines(store: Store, scope: Scope | None = None) -> Iterator[str]:
    """The lines of what ``scope`` covers, or of the whole store."""
    info = store.info()
    yield _json(plain(Header(FORMAT, info.embedder, info.dimensions, store.relation_types())))
    for change in store.dump(scope):
        for kind in KINDS:
            for record in getattr(change, kind):
                line = {"kind": kind, "scope": change.scope.keys, "record": plain(record)}
                vector = change.vectors.get(getattr(record, "id", ""))
                if vector is not None:
                    line["vector"] = base64.b64encode(vector.astype("<f4").tobytes()).decode()
                yield _json(line)


def import_lines(store: Store, lines: Iterable[str]) -> int:
    """Add what the lines hold to ``store``; what is there already stays. Answers the number of records.

    Raises InputError naming the first line that cannot be read, and EmbedderMismatchError when the store has another
    embedder's vectors; then nothing was written.
    """
    numbered = enumerate(lines, start=1)
    header = _header(next(numbered, (1, ""))[1])
    records = [_record(number, line, header.dimensions) for number, line in numbered if line.strip()]
    receive(store, records, header.embedder, header.dimensions, header.relations)
    return len(records)


def plain(record: object) -> dict[str, Any]:
    """A dataclass of mem0g.model as what JSON can hold: times as text, tuples as lists."""
    plain_record: dict[str, Any] = _adapter(type(record)).dump_python(record, mode="json")
    return plain_record


def _adapter(kind: type) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        from pydantic import TypeAdapter

        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def _header(line: str) -> Header:
    try:
        header: Header = _adapter(Header).validate_json(line)
    except ValueError as error:
        raise InputError("line 1 is not the start of an export", hint="give a file made by `mem0g export`") from error
    if header.mem0g > FORMAT:
        raise InputError(f"the export has format {header.mem0g}, newer than {FORMAT}", hint="upgrade mem0g")
    return header


def _record(number: int, line: str, dimensions: int | None) -> Change:
    """The change that adds one record."""
    try:
        given = json.loads(line)
        kind = given["kind"]
        record = _adapter(KINDS[kind]).validate_python(given["record"])
        scope = Scope(**_adapter(dict[str, str]).validate_python(given["scope"]))
        vectors = {getattr(record, "id", ""): _vector(given["vector"], dimensions)} if "vector" in given else {}
    except (ValueError, KeyError, TypeError, InputError) as error:
        raise InputError(f"line {number} cannot be read: {_said(error)}", hint="export it again") from error
    fields: dict[str, Any] = {kind: (record,)}
    return Change(scope=scope, vectors=vectors, **fields)


def _vector(text: str, dimensions: int | None) -> Vector:
    import numpy as np

    vector = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float32)
    if len(vector) != dimensions:
        raise ValueError(f"a vector of {len(vector)} dimensions, not {dimensions} as line 1 says")
    return vector


def _said(error: Exception) -> str:
    """What was wrong, on one line."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"no {error}" if isinstance(error, KeyError) else str(error)  # a KeyError says only the key


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
