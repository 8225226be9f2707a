"""The owner of a memory, and ids made of content."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from mem0g.errors import ScopeError


def content_id(kind: str, *parts: str | int | None) -> str:
    """Return an id made of content, the same in every store: ``kind``, an underscore and 64 bits of a hash in hex.

    The hash is SHA-256 of the parts joined by U+001F. If a part contains that character, it is SHA-512 of the parts as
    a JSON list, so that different lists of parts are never hashed as the same text.
    """
    texts = ["" if part is None else str(part) for part in parts]
    if any("\x1f" in text for text in texts):
        digest = hashlib.sha512(json.dumps(texts).encode()).hexdigest()
    else:
        digest = hashlib.sha256("\x1f".join(texts).encode()).hexdigest()
    return f"{kind}_{digest[:16]}"


@dataclass(frozen=True, slots=True)
class Scope:
    """The owner of a memory: a user, an agent, a run, or a combination of them; at least one key is required.

    A write goes to exactly this scope. A read covers every scope that has the keys given here: ``Scope(user_id="ann")``
    reads what was written for Ann by any agent in any run.

    A key that is None is not given. Raises ScopeError if no key is given, or if one is not a str, is blank, has more
    than 255 characters or contains an unprintable one.
    """

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    def __post_init__(self) -> None:
        if not self.keys:
            raise ScopeError("no scope given", hint="name a user, an agent or a run (--user, --agent, --run)")
        for key, value in self.keys.items():
            if not isinstance(value, str):
                kind = type(value).__name__
                raise ScopeError(f"{key} {str(value)[:40]!r} is of type {kind}, not text", hint="give it as a str")
            if not value.strip() or len(value) > 255 or not value.isprintable():
                raise ScopeError(f"{key} {value[:40]!r} is not usable", hint="use 1 to 255 printable characters")

    @property
    def keys(self) -> dict[str, str]:
        """The keys that are given, by name."""
        named = (("user_id", self.user_id), ("agent_id", self.agent_id), ("run_id", self.run_id))
        return {name: value for name, value in named if value is not None}

    @property
    def tenant(self) -> Scope:
        """The owner of the scope, as a scope of one key: the user, else the agent, else the run.

        Relation names that a memory learns are shared within a tenant, and never across tenants.
        """
        return Scope(**dict([next(iter(self.keys.items()))]))

    def covers(self, other: Scope) -> bool:
        """Whether a read of this scope sees what was written to ``other``."""
        return all(other.keys.get(name) == value for name, value in self.keys.items())

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.keys.items())
