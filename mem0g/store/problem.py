"""What is wrong with a store."""

from __future__ import annotations

from dataclasses import dataclass

from mem0g.model import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An invariant that does not hold, as docs/guarantees.md lists them.

    ``kind`` names the invariant, ``text`` says what is wrong with which record, ``hint`` what to do. ``ids`` are the
    records it is about, ``scope`` where they are, None where that is not known. ``mendable``:
    whether ``repair`` can mend it without deleting a fact.
    """

    kind: str
    text: str
    hint: str = "`mem0g repair` mends it"
    ids: tuple[str, ...] = ()
    scope: Scope | None = None
    mendable: bool = True
