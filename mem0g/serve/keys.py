"""API keys: each opens one scope, or the whole store, for reading and writing or for reading only.

A key is 256 random bits. The file holds only its SHA-256, so that reading the file reveals no key.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mem0g.errors import InputError, NotFoundError, ScopeError
from mem0g.model import Scope
from mem0g.private_files import locked, make_file, replacing

PREFIX = "m0g_"


class ForbiddenError(ScopeError):
    """The key does not open what the request asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a request may do: in ``scope`` and what it covers, or in the whole store (None)."""

    scope: Scope | None = None
    read_only: bool = False

    def scope_of(self, given: Scope | None) -> Scope:
        """Return the scope of a request that names ``given``; the keys that it leaves out are the grant's.

        Raises ForbiddenError where the request names another owner, ScopeError where neither names one.
        """
        if self.scope is None:
            if given is None:
                raise ScopeError("no scope given", hint="name a user_id, an agent_id or a run_id")
            return given
        if given is None:
            return self.scope
        for name, value in given.keys.items():
            if self.scope.keys.get(name, value) != value:
                raise ForbiddenError(f"the key does not open {name} {value[:80]!r}", hint="use a key of that scope")
        return Scope(**(given.keys | self.scope.keys))

    def check(self, owner: Scope) -> None:
        """Raise ForbiddenError unless the grant covers ``owner``, the scope of something that is named by its id.

        The message does not say whose it is.
        """
        if self.scope is not None and not self.scope.covers(owner):
            raise ForbiddenError("the key does not open the scope that this is in", hint="use a key of that scope")


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key as it is kept: ``digest`` is its SHA-256 in hex, ``name`` what the administrator calls it."""

    name: str
    digest: str
    grant: Grant


class KeyFile:
    """The keys in a JSON file that only its owner can read.

    A server reads it when it starts. Several processes may change it: each change is made to what the file holds then.
    """

    def __init__(self, path: Path) -> None:
        """Read the keys; a missing file has none. Raises InputError for a file that is not one of keys."""
        self.path = path
        self._keys = self._read()

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys.values())

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, secret: str) -> Grant | None:
        """Return what a key opens, None for an unknown one. All are compared, in constant time."""
        digest = _digest(secret)
        found = None
        for key in self._keys.values():
            if hmac.compare_digest(key.digest, digest):
                found = key.grant
        return found

    def add(self, name: str, grant: Grant) -> str:
        """Make a key, save the file, and return the key, which is not kept. Raises InputError for a name in use."""
        secret = PREFIX + secrets.token_urlsafe(32)
        with self._changing() as keys:
            if name in keys:
                raise InputError(f"there is a key {name!r} already", hint="choose another name, or remove that one")
            keys[name] = Key(name=name, digest=_digest(secret), grant=grant)
        return secret

    def remove(self, name: str) -> None:
        """Remove a key and save the file. Raises NotFoundError for an unknown name."""
        with self._changing() as keys:
            if name not in keys:
                raise NotFoundError(f"no key {name!r} in {self.path}", hint="`mem0g serve list-keys` lists them")
            del keys[name]

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Key]]:
        """Yield the keys of the file, and replace it by what they are when the block ends without an error."""
        make_file(self.path)
        with locked(self.path):
            keys = self._read()
            yield keys
            with replacing(self.path) as file:
                file.write(json.dumps({"keys": [_plain(key) for key in keys.values()]}, indent=2).encode())
        self._keys = keys

    def _read(self) -> dict[str, Key]:
        try:
            text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
            return {key.name: key for key in map(_key, json.loads(text)["keys"])} if text else {}
        except OSError as error:
            hint = "check its permissions, and those of its folder"
            raise InputError(f"cannot read the keys in {self.path}: {error.strerror}", hint=hint) from error
        except (ValueError, KeyError, TypeError, ScopeError) as error:
            raise InputError(
                f"{self.path} is not a file of keys", hint="make one with `mem0g serve add-key`"
            ) from error


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _plain(key: Key) -> dict[str, Any]:
    scope = key.grant.scope.keys if key.grant.scope else None
    return {"name": key.name, "sha256": key.digest, "scope": scope, "read_only": key.grant.read_only}


def _key(plain: dict[str, Any]) -> Key:
    scope = Scope(**plain["scope"]) if plain["scope"] is not None else None
    if not isinstance(plain["name"], str) or len(plain["sha256"]) != 64:
        raise ValueError
    return Key(name=plain["name"], digest=plain["sha256"], grant=Grant(scope=scope, read_only=bool(plain["read_only"])))
