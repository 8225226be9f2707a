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
from mem0g.store.neo4j.server.address import Address
from mem0g.text.redaction import Redactor

_OUT_OF_MEMORY = ("MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError")
_READ_ONLY = ("ForbiddenOnReadOnlyDatabase", "WriteOnReadOnlyAccessDatabase", "NotALeader", "ReadOnly")

_LOGIN = "give --username and --password, NEO4J_USERNAME and NEO4J_PASSWORD, or neo4j://user:password@host"
_OTHER_DATABASE = (
    "give another with --database, NEO4J_DATABASE or neo4j://host/NAME; the default is the user's home database"
)


def translate_error(error: Exception, address: Address) -> StoreError:
    """Return the StoreError for an error of the driver, with the password redacted."""
    found = _translated(error, address)
    shown = Redactor([address.password]).text(str(found))
    return found if shown == str(found) else type(found)(shown, hint=found.hint)


def _translated(error: Exception, address: Address) -> StoreError:
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
        return StoreAccessError(f"{address.uri} requires {who} to change the password first", hint=hint)
    if _ends_with(error, "AuthenticationRateLimit"):
        hint = f"wait a few seconds, then {_LOGIN}"
        return StoreAccessError(f"{address.uri} has locked out {who} after too many wrong passwords", hint=hint)
    if isinstance(error, raised.AuthError) and address.auth is None:
        return StoreAccessError(f"{address.uri} requires a user name and a password", hint=_LOGIN)
    if isinstance(error, raised.AuthError):
        return StoreAccessError(f"{address.uri} rejects {who} with this password", hint=_LOGIN)
    if isinstance(error, raised.Forbidden) and not _ends_with(error, *_READ_ONLY):
        return StoreAccessError(f"{address}: {first_line(error)}", hint=f"grant {who} the privilege to do this")
    return None


def _database(error: raised.Neo4jError, address: Address) -> StoreError | None:
    name = f"database {address.database!r}" if address.database else "home database for this user"
    if _ends_with(error, "DatabaseNotFound"):
        return UnknownDatabaseError(f"{address.uri} has no {name}", hint=_OTHER_DATABASE)
    if address.database == "system":
        return UnknownDatabaseError(f"the database 'system' of {address.uri} holds no data", hint=_OTHER_DATABASE)
    if _ends_with(error, "DatabaseUnavailable"):
        hint = "it may be starting: try again, or look at the server's log"
        return UnreachableStoreError(f"the {name} of {address.uri} is not available", hint=hint)
    if _ends_with(error, *_READ_ONLY):
        return ReadOnlyStoreError(
            f"{address} cannot be written", hint="the database is read-only, or the server is a follower"
        )
    return None


def _statement(error: raised.Neo4jError, address: Address) -> StoreError:
    if out_of_memory(error):
        hint = "raise db.memory.transaction.max and dbms.memory.transaction.total.max on the server"
        return ChangeTooLargeError(f"{address}: a transaction exceeded the server's memory limit", hint=hint)
    if isinstance(error, raised.ConstraintError) or ".Schema." in (error.code or ""):
        hint = "it conflicts with data of another program: drop that, or use a separate database for mem0g"
        return ForeignStoreError(f"{address}: {first_line(error)}", hint=hint)
    return StoreError(
        f"{address}: {first_line(error)}", hint="run `mem0g doctor`; `mem0g init` creates missing indexes"
    )


def _unreachable(error: Exception, address: Address) -> StoreError:
    causes = list(_causes(error))
    if any("looks like HTTP" in str(cause) for cause in causes):
        hint = "this is the HTTP port; use the Bolt port, by default 7687"
        return UnreachableStoreError(f"{address.uri} speaks HTTP, not Bolt", hint=hint)
    if any("SSL" in type(cause).__name__ for cause in causes):
        hint = "use neo4j:// or bolt:// without encryption, neo4j+ssc:// for a self-signed certificate"
        return UnreachableStoreError(f"the TLS connection to {address.uri} failed: {first_line(causes[-1])}", hint=hint)
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
