"""Checks of what a memory needs (versions, store, embedder, model), and the calibration of an embedder."""

from __future__ import annotations

import platform
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ConfigDict

from mem0g.embed import open_embedder
from mem0g.embed.calibration import Texts, calibrate
from mem0g.embed.protocol import Embedder, Thresholds
from mem0g.errors import EmbedderMismatchError, Mem0gError, StoreError, UnusableReplyError
from mem0g.model import Scope
from mem0g.settings import Credentials, LLMSettings, Settings
from mem0g.store.address import is_there, local_path, open_store
from mem0g.store.protocol import Store
from mem0g.store.queries import StoreInfo

if TYPE_CHECKING:
    from mem0g.llm.exchange import Exchange
    from mem0g.llm.protocol import Call

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a check: ``detail`` is what was found, or the error and its hint."""

    name: str
    ok: bool
    detail: str


def examine(
    store: str | None,
    embedder: str | None,
    credentials: Credentials = Credentials(),  # noqa: B008 - frozen
    llm: LLMSettings | None = None,
) -> list[Check]:
    """Return the checks, in order: versions, store, embedder, whether they match, language model.

    Nothing is created or changed. Every server is asked once, so a wrong password is tried only once.
    """
    settings = Settings.from_environment()
    versions, _ = _check("versions", _versions)
    opened, info = _check("store", lambda: _store(store or settings.store, credentials, settings.credentials))
    loaded, chosen = _check("embedder", lambda: _embedder(embedder or settings.embedder, settings))
    match, _ = _check("store and embedder", lambda: _match(info, chosen))
    model, _ = _check("language model", lambda: _model(llm or settings.llm))
    return [versions, opened, loaded, match, model]


def described(info: StoreInfo) -> str:
    """Return kind, address, layout and details of a store on one line."""
    details = ", ".join(f"{name} {value}" for name, value in info.details.items())
    return f"{info.kind} {info.address}, layout {info.version} ({details})"


def _check(name: str, look: Callable[[], tuple[str, T]]) -> tuple[Check, T | None]:
    """Return the check, and the object that later checks use; None if it failed."""
    try:
        detail, found = look()
    except Mem0gError as error:
        return Check(name, False, error.with_hint), None
    return Check(name, True, detail), found


def _versions() -> tuple[str, None]:
    return f"mem0g {version('mem0g')}, Python {platform.python_version()}, numpy {version('numpy')}", None


def _store(address: str | None, credentials: Credentials, otherwise: Credentials) -> tuple[str, StoreInfo | None]:
    path = local_path(address)
    if path is not None and not is_there(path):
        return f"{path} is not there yet; the first ingest makes it", None
    with closing(open_store(address, credentials, otherwise=otherwise, prepare=False)) as opened:
        info, stats = opened.info(), opened.stats()
    if info.problems:
        raise StoreError(f"{described(info)}: {', '.join(info.problems)}", hint="`mem0g init` makes what is missing")
    if info.version == 0:
        return f"{described(info)}, nothing of mem0g yet; the first ingest or `mem0g init` makes what it needs", None
    return f"{described(info)}: {stats.messages} messages, {stats.facts} facts in {len(stats.scopes)} scopes", info


def _embedder(spec: str | None, settings: Settings) -> tuple[str, Embedder]:
    embedder = open_embedder(spec, weights=settings.weights, thresholds=settings.thresholds)
    vectors = embedder.embed(["Is all well?"])
    return f"{embedder.name} works, {vectors.shape[1]} dimensions", embedder


def _match(info: StoreInfo | None, embedder: Embedder | None) -> tuple[str, None]:
    if info is None or embedder is None:
        return "nothing to compare", None
    if info.embedder is None:
        return "the store holds no vectors yet", None
    if (info.embedder, info.dimensions) != (embedder.name, embedder.dimensions):
        raise EmbedderMismatchError(
            f"the store was filled by {info.embedder} ({info.dimensions} dimensions), not by {embedder.name}",
            hint=f"use {info.embedder}, or run `mem0g reindex` to re-embed it",
        )
    return f"the store was filled by {info.embedder}", None


def calibrated(
    store: str | None,
    embedder: str | None,
    credentials: Credentials = Credentials(),  # noqa: B008 - frozen
) -> Calibration:
    """Return the thresholds of an embedder, estimated on the texts of the store, or on built-in ones if there is none.

    Raises EmbedderError if the embedder or MiniLM cannot embed, StoreError if the store cannot be read.
    """
    settings = Settings.from_environment()
    place, texts = store or settings.store, Texts()
    path = local_path(place)
    if path is None or is_there(path):
        with closing(open_store(place, credentials, otherwise=settings.credentials, prepare=False)) as opened:
            if opened.info().version:
                texts = _texts(opened)
    minilm = open_embedder(weights=settings.weights)
    given = open_embedder(embedder or settings.embedder, weights=settings.weights)
    return Calibration(texts, calibrate(given, texts, reference=given if given.name == minilm.name else minilm))


@dataclass(frozen=True, slots=True)
class Calibration:
    """Estimated thresholds, and the texts of the store that they are estimated on."""

    texts: Texts
    thresholds: Thresholds


def _texts(store: Store) -> Texts:
    """Return the distinct names, relations and sentences of the store."""
    names: dict[str, None] = {}
    relations: dict[str, None] = {}
    sentences: dict[str, None] = {}
    with store.snapshot() as snapshot:
        for change in snapshot.changes:
            for entity in change.entities:
                names.update(dict.fromkeys(entity.names))
            for fact in change.facts:
                relations[fact.relation.replace("_", " ").lower()] = None
                sentences[fact.text] = None
    return Texts(names=tuple(names), relations=tuple(relations), sentences=tuple(sentences))


class Capital(BaseModel):
    """The reply to the probe."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    city: str


def _model(settings: LLMSettings) -> tuple[str, None]:
    """Ask the model a simple question, if one is configured."""
    if not settings.configured:
        return "no key, none needed: facts are extracted by rules", None
    from mem0g.llm.exchange import Exchange
    from mem0g.llm.openai import OpenAIProvider

    model = OpenAIProvider(
        settings.model, base_url=settings.base_url, api_key=settings.api_key, timeout=settings.timeout
    )
    call = probe(Exchange(model, retries=1))
    form = model.capability.form if model.capability else "function calling"
    took = f"{call.prompt_tokens} + {call.completion_tokens} tokens, {call.seconds:.1f} s"
    return f"{model.name} at {model.address} answers by {form} ({took})", None


def probe(exchange: Exchange) -> Call:
    """Ask for the capital of France, and return the call. Raises ModelError."""
    from mem0g.llm.protocol import Request

    ledger = _LastCall()
    exchange.ask(
        Request(
            purpose="probe",
            system="Call the function with what is asked for.",
            user="Which city is the capital of France?",
            function="name_capital",
            description="Name the capital.",
            reply=Capital,
            check=_check_capital,
        ),
        ledger,
    )
    assert ledger.call is not None
    return ledger.call


def _check_capital(reply: Capital) -> None:
    if "paris" not in reply.city.casefold():
        raise UnusableReplyError(f"the capital of France is not {reply.city!r}")


class _LastCall:
    """See Ledger; keeps the last call and no replies."""

    call: Call | None = None

    def note(self, call: Call, reply: str | None) -> None:
        """See Ledger."""
        del reply
        self.call = call

    def reply(self, key: str, scope: Scope | None) -> str | None:
        """See Ledger."""
        del key, scope
        return None
