"""Build Lucene queries for Neo4j's full-text indexes. Every word is quoted, so that none is parsed as syntax."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from mem0g.model import Scope
from mem0g.store.queries import key_tokens, scope_text

CURRENT = "current"
"""The token in ``keys`` that marks a fact as current."""

CLAUSES = 500
"""Maximum words per query; Lucene's limit is 1,024 clauses."""


def scope_token(scope: Scope) -> str:
    """Return the token that marks nodes of exactly this scope."""
    return "s" + hashlib.sha256(scope_text(scope).encode()).hexdigest()[:20]


@lru_cache(maxsize=1024)
def tokens_of(scope: Scope) -> str:
    """Return the ``keys`` property of a node: one token per key of its scope, and one for the scope itself."""
    return " ".join([*key_tokens(scope), scope_token(scope)])


def covered(scope: Scope, field: str, words: Iterable[str], *also: str) -> str:
    """Return a query for nodes with any of ``words`` in ``field``, in the scopes that ``scope`` covers.

    ``also`` are further tokens that ``keys`` must contain. The query is empty without words.
    """
    return _query([*key_tokens(scope), *also], field, words)


def within(scope: Scope, field: str, words: Iterable[str]) -> str:
    """Return a query for nodes with any of ``words`` in ``field``, in exactly ``scope``; empty without words."""
    return _query([scope_token(scope)], field, words)


def parts(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Split words into lists short enough for one query."""
    for start in range(0, len(words), CLAUSES):
        yield words[start : start + CLAUSES]


def _query(keys: Iterable[str], field: str, words: Iterable[str]) -> str:
    quoted = " ".join(_quoted(word) for word in dict.fromkeys(words) if word.strip())
    required = " ".join(f"+keys:{key}^0" for key in keys)  # required, but not scored
    return f"{required} +{field}:({quoted})" if quoted else ""


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
