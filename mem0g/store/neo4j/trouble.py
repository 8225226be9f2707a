"""Translate errors of the Neo4j driver into StoreErrors: one line with the address, a hint, and never the password."""

from __future__ import annotations

from collections.abc import Iterator

from neo4j import exceptions as raised

from mem0g.errors import (
    ChangeTooLargeError,
    ForeignStoreError,
    ReadOnlyStoreError,
    StoreAccessError,
    StoreError,
    UnknownDatabaseError,
    UnreachableStoreError,
)
from mem0g.store.neo4j.address import Address
from mem0g.text.redaction import Redactor

_OUT_OF_MEMORY = ("MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError")
_READ_ONLY = ("ForbiddenOnReadOnlyDatabase", "WriteOnReadOnlyAccessDatabase", "NotALeader", "ReadOnly")

_LOGIN = "give --username and --password, NEO4J_USERNAME and NEO4J_PASSWORD, or neo4j://user:password@host"
_OTHER_DATABASE = "name another: --database, NEO4J_DATABASE or neo4j://host/NAME; without a name it is the user's own"


def meaning(error: Exception, address: Address) -> StoreError:
    """Return the StoreError for an error of the driver, with the password redacted."""
    found = _meaning(error, address)
    shown = Redactor([address.password]).text(str(found))
    return found if shown == str(found) else type(found)(shown, hint=found.hint)


def _meaning(error: Exception, address: Address) -> StoreError:
    if isinstance(error, raised.Neo4jError):
        return _security(error, address) or _database(error, address) or _statement(error, address)
    if isinstance(error, raised.ServiceUnavailable | raised.SessionExpired):
        return _unreachable(error, address)
    return StoreError(f"{address}: {first_line(error)}", hint="run `mem0g doctor`")


def out_of_memory(error: raised.Neo4jError) -> bool:
    """Whether a transaction exceeded the server's memory limit."""
    return _ends_with(error, *_OUT_OF_MEMORY)


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    text = str(getattr(error, "message", None) or error).strip()
    return text.splitlines()[0].rstrip(":") if text else type(error).__name__


def _security(error: raised.Neo4jError, address: Address) -> StoreError | None:
    who = f"the user {address.username or 'neo4j'!r}"
    if _ends_with(error, "CredentialsExpired"):
        hint = "set one with `ALTER CURRENT USER SET PASSWORD FROM 'old' TO 'new'` in Neo4j Browser or cypher-shell"
        return StoreAccessError(f"{address.uri} wants {who} to choose a new password first", hint=hint)
    if _ends_with(error, "AuthenticationRateLimit"):
        hint = f"wait some seconds, then {_LOGIN}"
        return StoreAccessError(f"{address.uri} keeps {who} out after too many wrong passwords", hint=hint)
    if isinstance(error, raised.AuthError) and address.auth is None:
        return StoreAccessError(f"{address.uri} lets in nobody without a password", hint=_LOGIN)
    if isinstance(error, raised.AuthError):
        return StoreAccessError(f"{address.uri} does not let in {who} with this password", hint=_LOGIN)
    if isinstance(error, raised.Forbidden) and not _ends_with(error, *_READ_ONLY):
        return StoreAccessError(f"{address}: {first_line(error)}", hint=f"{who} needs the right to do this")
    return None


def _database(error: raised.Neo4jError, address: Address) -> StoreError | None:
    name = f"database {address.database!r}" if address.database else "database of the user's own"
    if _ends_with(error, "DatabaseNotFound"):
        return UnknownDatabaseError(f"{address.uri} has no {name}", hint=_OTHER_DATABASE)
    if address.database == "system":
        return UnknownDatabaseError(f"the database 'system' of {address.uri} holds no data", hint=_OTHER_DATABASE)
    if _ends_with(error, "DatabaseUnavailable"):
        hint = "it may be starting: try again; if it stays so, the server's log says why"
        return UnreachableStoreError(f"{address.uri} has a {name}, but it is not available", hint=hint)
    if _ends_with(error, *_READ_ONLY):
        return ReadOnlyStoreError(f"{address} cannot be written", hint="it is a read-only database, or a follower")
    return None


def _statement(error: raised.Neo4jError, address: Address) -> StoreError:
    if out_of_memory(error):
        hint = "raise db.memory.transaction.max and dbms.memory.transaction.total.max on the server"
        return ChangeTooLargeError(f"{address}: a transaction needs more memory than it is given", hint=hint)
    if isinstance(error, raised.ConstraintError) or ".Schema." in (error.code or ""):
        hint = "what another program keeps there is in the way: drop it, or use a database of its own for mem0g"
        return ForeignStoreError(f"{address}: {first_line(error)}", hint=hint)
    return StoreError(f"{address}: {first_line(error)}", hint="run `mem0g doctor`; `mem0g init` makes missing indexes")


def _unreachable(error: Exception, address: Address) -> StoreError:
    causes = list(_causes(error))
    if any("looks like HTTP" in str(cause) for cause in causes):
        hint = "that port is for browsers; programs use Bolt, by default at port 7687"
        return UnreachableStoreError(f"{address.uri} answers in HTTP, not in Bolt", hint=hint)
    if any("SSL" in type(cause).__name__ for cause in causes):
        hint = "a server without encryption is neo4j://… or bolt://…; with a certificate of its own neo4j+ssc://…"
        return UnreachableStoreError(f"{address.uri} cannot be talked to in TLS: {first_line(causes[-1])}", hint=hint)
    why = next((cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), None)
    hint = "is Neo4j running there? `make neo4j` starts one; see docker-compose.neo4j.yml"
    return UnreachableStoreError(f"no Neo4j answers at {address.uri}: {why or first_line(error)}", hint=hint)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes, including all members of a group."""
    yield error
    for cause in error.exceptions if isinstance(error, BaseExceptionGroup) else [error.__cause__]:
        if cause is not None:
            yield from _causes(cause)


def _ends_with(error: raised.Neo4jError, *names: str) -> bool:
    return (error.code or "").endswith(names)
