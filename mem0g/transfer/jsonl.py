"""Export a memory as JSON Lines and import it, without loss.

The first line names the format and the embedder; each other line is one record: its kind, its scope, its fields and,
where it has one, its embedding (base64 of float32, little-endian). Relation types belong to the tenant of their scope.
The last line says how many records there are.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mem0g.errors import InputError
from mem0g.history.images import Image
from mem0g.metadata import checked_metadata
from mem0g.model import LITERAL, UNSTORABLE, Decision, Entity, Fact, Message, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import share_of
from mem0g.store.change import Change
from mem0g.store.protocol import Store
from mem0g.store.records import FIELDS, Done
from mem0g.store.upgrading import record_of_note
from mem0g.times import utc
from mem0g.transfer.copy import Copied, differing_from, known_ids, receive, record_ids

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from mem0g.model import Vector

FORMAT = 7
"""Version of the format.

In version 1 the first line held the relation types, for all tenants together. Before version 3 the records beside the
graph were of one kind, "notes". Before version 4 facts had no ``brief``, ``observed`` and ``planned_for``, and a type
"literal" meant nothing. Before version 5 a long message had one vector and no passages; it keeps that until a reindex.
Before version 6 messages and facts had no ``metadata``. Before version 7 there was no last line.
"""

FIRST_WITH_END = 7
"""The first version of the format with a last line."""

KINDS: dict[str, type] = {
    "relations": RelationType,
    "messages": Message,
    "entities": Entity,
    "facts": Fact,
    "successions": Succession,
    "decisions": Decision,
    **{field: record for record, field in FIELDS.items()},
    "done": Done,
}
"""The kinds of records by the field of Change that holds them, in the order in which they are written."""


END = "end"
"""The kind of the last line."""

MAX_DEPTH = 100
"""Maximum nesting of lists and objects in a record."""

MAX_DIMENSIONS = 65_536
"""Maximum number of components of a vector; embedding models have up to a few thousand."""

_ADAPTERS: dict[type, TypeAdapter[Any]] = {}
"""Pydantic adapters by record type, created on first use."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: the version of the format, and the embedder that made the embeddings."""

    mem0g: int
    embedder: str | None
    dimensions: int | None
    relations: tuple[RelationType, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The last line: the number of records before it."""

    records: int


@dataclass(frozen=True, slots=True)
class Export:
    """What was read of an export: its first line, and the change that adds each record, by the number of its line."""

    header: Header
    changes: Mapping[int, Change]


def export_lines(store: Store, scope: Scope | None = None) -> Iterator[str]:
    """Yield the lines of what ``scope`` covers, or of the whole store, as of one moment (see ``Store.snapshot``)."""
    with store.snapshot(scope) as snapshot:
        yield _json(plain(Header(FORMAT, snapshot.embedder, snapshot.dimensions)))
        count = 0
        for change in snapshot.changes:
            for line in _lines(change):
                yield line
                count += 1
        yield _json({"kind": END, **plain(End(count))})


def _lines(change: Change) -> Iterator[str]:
    for kind in KINDS:
        for record in getattr(change, kind):
            line = {"kind": kind, "scope": change.scope.keys, "record": plain(record)}
            vector = change.vectors.get(getattr(record, "id", ""))
            if vector is not None:
                line["vector"] = _encoded(vector)
            if isinstance(record, Message):
                passages = {each.id: change.vectors[each.id] for each in record.passages() if each.id in change.vectors}
                line |= {"passages": {key: _encoded(each) for key, each in passages.items()}} if passages else {}
            yield _json(line)


def _encoded(vector: Vector) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def import_lines(store: Store, lines: Iterable[str], *, part: bool = False) -> Copied:
    """Add the records of the lines to ``store``; existing records are kept. Return how many were added, and known.

    Raises InputError as ``read_export`` and ``import_export``, and EmbedderMismatchError when the store has another
    embedder's vectors; then nothing was written.
    """
    return import_export(store, read_export(lines, part=part))


def read_export(lines: Iterable[str], *, part: bool = False) -> Export:
    """Return what the lines of an export hold; ``part``: whether records may be missing.

    Raises InputError naming the first line that cannot be read, or for an export that is not whole.
    """
    numbered = enumerate(lines, start=1)
    header = _header(next(numbered, (1, ""))[1])
    read = {number: _record(number, line, header) for number, line in numbered if line.strip()}
    changes = {number: each for number, each in read.items() if isinstance(each, Change)}
    if header.mem0g >= FIRST_WITH_END and not part:
        _check_whole(len(changes), list(read.values())[-1:])
    return Export(header, changes)


def _check_whole(count: int, last: Sequence[Change | End]) -> None:
    """Raise InputError unless the last line is the end of an export of ``count`` records."""
    hint = "export it again; or `mem0g import --part` takes what is there"
    if not last or not isinstance(last[0], End):
        raise InputError("the export is cut off: the last line, with the number of its records, is missing", hint=hint)
    if last[0].records != count:
        raise InputError(f"the export has {count} records, and not {last[0].records} as its last line says", hint=hint)


def import_export(store: Store, export: Export) -> Copied:
    """Add the records of an export to ``store``; existing records are kept. Return how many were added, and known.

    Raises InputError as ``check_names``, or for a record that the store has in another scope, and EmbedderMismatchError
    when the store has another embedder's vectors; then nothing was written.
    """
    check_names(store, export)
    header, records = export.header, list(export.changes.values())
    known = set(known_ids(store, records))
    copied = Copied(differing=differing_from(store, records, known))
    for change in records:
        copied = copied.plus(change, known)
        known.update(*record_ids(change).values())  # a part may hold a record twice
    if header.relations:
        records = _shared(header.relations, records)
    receive(store, records, header.embedder, header.dimensions)
    return copied


def plain(record: object) -> dict[str, Any]:
    """Return a dataclass of mem0g.model as JSON values: times as text, tuples as lists."""
    plain_record: dict[str, Any] = _adapter(type(record)).dump_python(record, mode="json")
    return plain_record


def _adapter(kind: type) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        from pydantic import TypeAdapter

        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def _header(line: str) -> Header:
    try:
        _check_values(json.loads(line))
        header: Header = _adapter(Header).validate_json(line)
        _check_embedder(header)
    except (ValueError, RecursionError) as error:
        raise InputError("line 1 is not the start of an export", hint="give a file made by `mem0g export`") from error
    if header.mem0g > FORMAT:
        raise InputError(f"the export has format {header.mem0g}, newer than {FORMAT}", hint="upgrade mem0g")
    return header


def _record(number: int, line: str, header: Header) -> Change | End:
    """Return the change that adds one record; of the last line, what it says."""
    try:
        given = json.loads(line)
        _check_values(given)
        if given["kind"] == END:
            return End(_adapter(int).validate_python(given["records"]))
        scope = Scope(**_adapter(dict[str, str]).validate_python(given["scope"]))
        kind, plain_record = (
            _of_note(given["record"], scope) if given["kind"] == "notes" else (given["kind"], given["record"])
        )
        record = _checked(_adapter(KINDS[kind]).validate_python(plain_record), scope)
        record = _with_literals(record, header.mem0g)
        vectors = {getattr(record, "id", ""): _vector(given["vector"], header.dimensions)} if "vector" in given else {}
        if isinstance(record, Message):
            passages = _adapter(dict[str, str]).validate_python(given.get("passages", {}))
            known = {each.id for each in record.passages()}
            vectors |= {key: _vector(text, header.dimensions) for key, text in passages.items() if key in known}
    except (ValueError, KeyError, TypeError, RecursionError, InputError) as error:
        raise InputError(f"line {number} cannot be read: {_said(error)}", hint="export it again") from error
    records: dict[str, Any] = {kind: (record,)}
    return Change(scope=scope, vectors=vectors, **records)


def _with_literals(record: Any, version: int) -> Any:
    """Return the record; of a format before 4, an entity of the type "literal" without its type.

    Raises ValueError for a literal that is a subject, has aliases or was merged.
    """
    if isinstance(record, Entity) and record.is_literal:
        if version < 4:
            return replace(record, type="")
        if record.aliases or record.merged_into:
            raise ValueError(f"type: {record.name!r} is a literal, and has aliases or was merged")
    if isinstance(record, Fact) and record.subject_type == LITERAL and version >= 4:
        raise ValueError("subject: a literal has no facts of its own")
    return record


def _of_note(note: Mapping[str, Any], scope: Scope) -> tuple[str, dict[str, Any]]:
    """Return the kind and the record of a line of a format before 3."""
    if _adapter(Scope).validate_python(note["scope"]) != scope:
        raise ValueError(f"scope: the record is of {note['scope']}, the line of {scope}")
    found = record_of_note(scope, note["kind"], note["key"], note["body"])
    if found is None:
        raise ValueError(f"kind: unknown kind of note {note['kind']!r}")
    return found


def _shared(relations: Sequence[RelationType], records: Sequence[Change]) -> list[Change]:
    """Return the records of version 1, in which tenants shared one list of relation types, with each tenant's own."""
    used: dict[Scope, list[tuple[str, str]]] = {}
    for change in records:
        used.setdefault(change.scope.tenant, []).extend((fact.relation, fact.relation_given) for fact in change.facts)
    shares = {tenant: share_of(relations, names) for tenant, names in used.items()}
    types = [Change(scope=tenant, relations=share.types) for tenant, share in shares.items() if share.types]
    return [*types, *(_renamed(change, shares[change.scope.tenant].renamed) for change in records)]


def _renamed(change: Change, names: Mapping[str, str]) -> Change:
    facts = tuple(replace(fact, relation=names.get(fact.relation, fact.relation)) for fact in change.facts)
    return replace(change, facts=facts)


def _vector(text: str, dimensions: int | None) -> Vector:
    import numpy as np

    vector = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float32)
    if len(vector) != dimensions:
        raise ValueError(f"a vector of {len(vector)} dimensions, not {dimensions} as line 1 says")
    if not np.isfinite(vector).all():
        raise ValueError("a vector with a component that is not a finite number")
    return vector


def _check_values(value: Any, depth: int = 0) -> None:
    """Raise ValueError for JSON that no store can hold: NUL, half of a surrogate pair, huge numbers, NaN."""
    if depth > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    if isinstance(value, str) and UNSTORABLE.search(value):
        raise ValueError(f"NUL or half of a surrogate pair in {value[:40]!r}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("a number of more than 64 bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    within = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in within:
        _check_values(each, depth + 1)


def _check_embedder(header: Header) -> None:
    if (header.embedder is None) != (header.dimensions is None) or not 0 < (header.dimensions or 1) <= MAX_DIMENSIONS:
        raise ValueError(f"{header.embedder!r} with {header.dimensions} dimensions is not an embedder")


def _checked(record: Any, scope: Scope) -> Any:
    """Return the record with its times in UTC. Raises ValueError for a value that no stored record can have."""
    if getattr(record, "scope", scope) != scope:
        raise ValueError(f"scope: the record is of {record.scope}, the line of {scope}")
    if getattr(record, "id", "x") == "":
        raise ValueError("id: it is empty")
    if not 0 <= getattr(record, "confidence", 1.0) <= 1:
        raise ValueError(f"confidence: {record.confidence} is not between 0 and 1")
    if getattr(record, "position", 0) < 0:
        raise ValueError(f"position: {record.position} is negative")
    checked_metadata(getattr(record, "metadata", {}))
    if isinstance(record, Decision):
        _adapter(Image).validate_json(_json(record.before), strict=True)
    given = {each.name: getattr(record, each.name) for each in fields(record)}
    return replace(record, **{name: utc(value) for name, value in given.items() if isinstance(value, datetime)})


def check_names(store: Store | None, export: Export) -> None:
    """Raise InputError for a record naming a message, entity or fact that its scope has in neither file nor store.

    Without a store, for one that is not created yet, everything has to be in the file.
    """
    places: dict[str, tuple[str, Scope]] = {}
    for change in export.changes.values():
        for kind in ("messages", "entities", "facts"):
            places |= {record.id: (kind, change.scope) for record in getattr(change, kind)}
    for number, change in export.changes.items():
        for kind, name in _named(change):
            place = places.get(name)
            here = place is not None and place[0] == kind and change.scope.covers(place[1])
            if not here and (store is None or not _is_stored(store, change.scope, kind, name)):
                problem = f"no {KINDS[kind].__name__.lower()} {name[:80]!r} of its scope is in the file or the store"
                raise InputError(f"line {number} cannot be read: {problem}", hint="export it again")


def _named(change: Change) -> Iterator[tuple[str, str]]:
    """Yield the kinds and ids that the records of a change name."""
    for fact in change.facts:
        yield from (("entities", fact.subject_id), ("entities", fact.object_id))
        yield from (("messages", each) for each in fact.evidence)
    yield from (("entities", entity.merged_into) for entity in change.entities if entity.merged_into is not None)
    for succession in change.successions:
        names = (succession.fact_id, succession.successor_id)
        yield from (("facts", each) for each in names if each is not None)


def _is_stored(store: Store, scope: Scope, kind: str, name: str) -> bool:
    read = {"messages": store.messages, "entities": store.entities, "facts": store.facts}[kind]
    return bool(read(scope, [name]))


def _said(error: Exception) -> str:
    """Return the error as text on one line."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"no {error}" if isinstance(error, KeyError) else str(error)  # a KeyError says only the key


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
