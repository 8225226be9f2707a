"""Whether all that a memory needs is there: each thing with a tick, or what to do."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from mem0g.embed import open_embedder
from mem0g.errors import Mem0gError
from mem0g.settings import Settings
from mem0g.store.address import local_path, open_store


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: ``detail`` is what was found, or what to do."""

    name: str
    ok: bool
    detail: str


def examine(store: str | None, embedder: str | None) -> list[Check]:
    """All checks, in order: versions, store, embedder, whether they belong together, the model's key."""
    settings = Settings.from_environment()
    address, spec = store or settings.store, embedder or settings.embedder
    looks: list[tuple[str, Callable[[], str]]] = [
        ("versions", _versions),
        ("store", lambda: _store(address)),
        ("embedder", lambda: _embedder(spec, settings)),
        ("store and embedder", lambda: _match(address, spec, settings)),
        ("language model", _model),
    ]
    return [_check(name, look) for name, look in looks]


def _check(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except Mem0gError as error:
        return Check(name, False, f"{error}" + (f" ({error.hint})" if error.hint else ""))


def _versions() -> str:
    return f"mem0g {version('mem0g')}, Python {platform.python_version()}, numpy {version('numpy')}"


def _store(address: str | None) -> str:
    path = local_path(address)
    if path is not None and not path.exists():
        return f"{path} is not there yet; the first ingest makes it"
    opened = open_store(address)
    try:
        info, stats = opened.info(), opened.stats()
    finally:
        opened.close()
    details = ", ".join(f"{name} {value}" for name, value in info.details.items())
    held = f"{stats.messages} messages, {stats.facts} facts in {len(stats.scopes)} scopes"
    return f"{info.kind} {info.address}, layout {info.version}, {held} ({details})"


def _embedder(spec: str | None, settings: Settings) -> str:
    embedder = open_embedder(spec, weights=settings.weights)
    vectors = embedder.embed(["Is all well?"])
    return f"{embedder.name} works, {vectors.shape[1]} dimensions"


def _match(address: str | None, spec: str | None, settings: Settings) -> str:
    path = local_path(address)
    if path is not None and not path.exists():
        return "nothing to compare yet"
    embedder = open_embedder(spec, weights=settings.weights)
    opened = open_store(address)
    try:
        filled_by = opened.info().embedder
        if filled_by is not None:
            opened.claim_embedder(embedder.name, embedder.dimensions)
    finally:
        opened.close()
    return f"the store was filled by {filled_by}" if filled_by else "the store holds no vectors yet"


def _model() -> str:
    if os.environ.get("OPENAI_API_KEY"):
        return "OPENAI_API_KEY is set; this version does not use it for extraction yet"
    return "no key, none needed: facts are extracted by rules"
