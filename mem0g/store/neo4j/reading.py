"""What is read of scopes that are held in memory: all of them, or what was written between two versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mem0g.store.neo4j.rows import Row
from mem0g.store.neo4j.server.connection import Run

if TYPE_CHECKING:
    from mem0g.store.neo4j.held import HeldScopes

AT_ONCE, AT_ONCE_BESIDE = 20_000, 5_000
"""Numbers of nodes read at once, by a search and beside it: about a third of them are facts."""

Part = tuple[str, int, int]
"""A scope and numbers of its nodes: those after the first, up to the second."""


class Version(NamedTuple):
    """The state of a scope: ``n`` is the last number assigned in it, ``written_at`` differs after each write."""

    scope: str
    n: int
    written_at: str


def all_of(versions: Sequence[Version]) -> list[Part]:
    """Return all nodes of some versions."""
    return [(each.scope, 0, each.n) for each in versions]


def since(
    held: HeldScopes, seen: Sequence[Version], versions: Sequence[Version], changes: Sequence[Sequence[str]]
) -> list[Part] | None:
    """Return what was added to each scope, and what was replaced, between two versions of all scopes.

    ``changes`` are the last ones of each. None if all has to be read anew.
    """
    if [each.scope for each in seen] != [each.scope for each in versions]:
        return None
    parts = list[Part]()
    for before, after, last in zip(seen, versions, changes, strict=True):
        if before == after:
            continue
        replaced = _changed(before, after, last)
        if replaced is None:
            return None
        parts += [(scope, n - 1, n) for scope, n in sorted(held.numbers(replaced))]
        parts.append((after.scope, before.n, after.n))
    return parts


def _changed(before: Version, after: Version, changes: Sequence[str]) -> list[str] | None:
    """Return the ids of what was replaced between two versions; None if the changes since are not known.

    Each change has the version that it was made to, the one that it made, and ids (see ``commit.cypher``). They must
    lead from one version to the other without a gap: a writer that recorded nothing leaves one.
    """
    version, ids = before.written_at, list[str]()
    split = [each.split(" ") for each in changes]
    for start, end, *replaced in split[_after(version, split) :]:
        if start != version:
            return None
        version = end
        ids += replaced
    return ids if version == after.written_at else None


def _after(version: str, changes: Sequence[Sequence[str]]) -> int:
    """Return the place of the first change that was made to a version."""
    return next(
        (place for place, each in enumerate(changes) if each[0] == version and each[1] != version), len(changes)
    )


def read(run: Run, name: str, parts: Sequence[Part]) -> Row:
    """Return the rows of ``held.cypher`` with these numbers, read in several queries if there are many."""
    rows = nothing()
    for some in batches(parts, AT_ONCE):
        read_into(rows, run, name, some)
    return rows


def nothing() -> Row:
    """Return no rows, to add to."""
    return {"facts": [], "messages": [], "passages": [], "entities": [], "literals": []}


def read_into(held: Row, run: Run, name: str, parts: Sequence[Part]) -> None:
    """Add the rows of ``held.cypher`` with these numbers to those that were read before."""
    (row,) = run(name, parts=[{"scope": scope, "after": after, "upto": upto} for scope, after, upto in parts])
    for kind, rows in held.items():
        rows += row[kind]


def batches(parts: Sequence[Part], most: int) -> Iterator[list[Part]]:
    """Yield parts in lists of at most so many numbers each."""
    batch, size = list[Part](), 0
    for scope, after, upto in parts:
        for start in range(after, upto, most):
            part = (scope, start, min(start + most, upto))
            if batch and size + part[2] - start > most:
                yield batch
                batch, size = [], 0
            batch.append(part)
            size += part[2] - start
    if batch:
        yield batch
