"""A scope as stores write it down: one text, and tokens by which a full-text index finds it."""

from __future__ import annotations

import hashlib

from mem0g.model import Scope

_QUOTED = str.maketrans({"%": "%25", "&": "%26", "=": "%3D"})


def scope_text(scope: Scope) -> str:
    """The scope in one text, different for different scopes: ``user_id=ann&run_id=r1``.

    ``%``, ``&`` and ``=`` are quoted as in a URL, all else stays as it is: the longest keys make 3,100 bytes, and an
    index of Neo4j takes 8,000.
    """
    return "&".join(f"{name}={value.translate(_QUOTED)}" for name, value in scope.keys.items())


def key_token(name: str, value: str) -> str:
    """The full-text token of one scope key: letters and digits only, whatever the key holds."""
    return name[0] + hashlib.sha256(value.encode()).hexdigest()[:20]


def key_tokens(scope: Scope) -> list[str]:
    """The tokens of the keys that are given."""
    return [key_token(name, value) for name, value in scope.keys.items()]
