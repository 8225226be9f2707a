"""Queries for Neo4j's full-text indexes, in Lucene's syntax; every word is quoted, so that no syntax is read in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from mem0g.model import Scope
from mem0g.store.queries import key_tokens, scope_text

CURRENT = "current"
"""The token of facts that are current."""

CLAUSES = 500
"""Words in one query: Lucene takes 1,024."""


def scope_token(scope: Scope) -> str:
    """The token of what was written to exactly this scope."""
    return "s" + hashlib.sha256(scope_text(scope).encode()).hexdigest()[:20]


def tokens_of(scope: Scope) -> str:
    """The ``keys`` of a node in a scope: its keys, and the scope itself."""
    return " ".join([*key_tokens(scope), scope_token(scope)])


def covered(scope: Scope, field: str, words: Iterable[str], *also: str) -> str:
    """What has any of ``words`` in ``field``, in the scopes that ``scope`` covers; empty without words.

    ``also`` are further tokens that ``keys`` must hold.
    """
    return _query([*key_tokens(scope), *also], field, words)


def within(scope: Scope, field: str, words: Iterable[str]) -> str:
    """What has any of ``words`` in ``field``, in exactly ``scope``; empty without words."""
    return _query([scope_token(scope)], field, words)


def parts(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words in lists that are not too long for one query."""
    for start in range(0, len(words), CLAUSES):
        yield words[start : start + CLAUSES]


def _query(keys: Iterable[str], field: str, words: Iterable[str]) -> str:
    quoted = " ".join(_quoted(word) for word in dict.fromkeys(words) if word.strip())
    required = " ".join(f"+keys:{key}^0" for key in keys)  # must be there, and says nothing about relevance
    return f"{required} +{field}:({quoted})" if quoted else ""


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
