"""Settings: passed as arguments, or read from environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

from mem0g.errors import InputError
from mem0g.text.redaction import shown_address

STORE_VARIABLE = "MEM0G_STORE"
WEIGHTS_VARIABLE = "MEM0G_WEIGHTS"
THRESHOLDS_VARIABLE = "MEM0G_THRESHOLDS"
EMBEDDER_VARIABLE = "MEM0G_EMBEDDER"
MODEL_VARIABLE = "MEM0G_MODEL"
API_KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
SYNCHRONOUS_VARIABLE = "MEM0G_SYNCHRONOUS"
LOCK_TIMEOUT_VARIABLE = "MEM0G_LOCK_TIMEOUT"
CREDENTIALS_VARIABLES = {"username": "NEO4J_USERNAME", "password": "NEO4J_PASSWORD", "database": "NEO4J_DATABASE"}

_URL = re.compile(r"(?!sqlite:)[a-z][a-z0-9+.-]+:", re.IGNORECASE)  # not a file, perhaps with a drive letter

MAX_MESSAGE_LENGTH = 1_000_000
"""Maximum number of characters in a message; a longer one is a pasted file rather than a message."""

DEFAULT_MODEL = "gpt-4o-mini"
"""The engine of the Mem0 paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """User, password and database of a store on a server; None leaves it to the address or the server."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)
    database: str | None = None


Synchronous: TypeAlias = Literal["full", "normal"]
"""SQLite's setting of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSettings:
    """How a SQLite file is opened.

    ``synchronous``: "full" writes each commit to the disk before it returns; with "normal" a power failure may lose
    the last commits, though it never damages the file. ``lock_timeout``: seconds that a writer waits while another
    process holds the file's write lock, before LockedStoreError is raised.
    """

    synchronous: Synchronous = "full"
    lock_timeout: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMSettings:
    """The language model and how it is used.

    ``base_url`` and ``api_key``: of any server that speaks the OpenAI protocol. ``timeout``: seconds for each of the
    1 + ``retries`` times that a request is sent. ``concurrency``: requests at a time. With 2, a window is extracted
    while the one before it is decided about; with more, several are extracted at once, and none of them is shown the
    entities of those beside it, so a higher number is faster and leaves more things with several names. ``cache``: a
    file of replies. ``prompts``: a folder whose files replace the prompts of the same name. ``instructions``: added to
    the rules of extraction; ``entity_types``, ``relation_types``: names to take where they fit, or no others when
    ``closed_types`` is set. ``session_summaries``: a summary of each session is asked for when it closes, one more
    request for each.
    """

    model: str = DEFAULT_MODEL
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 120.0
    retries: int = 4
    concurrency: int = 2
    cache: Path | None = None
    prompts: Path | None = None
    instructions: str = ""
    entity_types: tuple[str, ...] = ()
    relation_types: tuple[str, ...] = ()
    closed_types: bool = False
    session_summaries: bool = False

    def __repr__(self) -> str:
        """Return all fields but the key, with the server's address without password and query."""
        return _shown(self, "base_url")

    @property
    def configured(self) -> bool:
        """Whether a key or a server is given."""
        return bool(self.base_url or self.api_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a memory works.

    - ``store``, ``credentials``: the address of the store and, on a server, who opens it.
    - ``synchronous``, ``lock_timeout``: see FileSettings.
    - ``llm``: see LLMSettings.
    - ``embedder``, ``weights``: the name of the embedder, and the folder of its weights. ``thresholds``: a file of its
      cosine thresholds, as `mem0g doctor --calibrate --json` writes it.
    - ``window``: maximum number of messages of one session that are extracted and committed together.
    - ``window_tokens``: maximum number of tokens in a window.
    - ``together``: windows of one conversation that a language model decides about in one call when a transcript is
      ingested; they are committed together.
    - ``add_window_size``: messages of a window when ``Memory.add`` is called with a language model; 2 is a message and
      its answer (Mem0 paper, section 2.1).
    - ``context``: messages before the window that the extractor also reads (m of the paper: 10).
    - ``candidates``: maximum number of current facts that a language model is shown beside a new one (s of the paper:
      10).
    - ``nearest``: entities nearest by the name's vector that node matching compares with a new name.
    - ``threshold``: cosine from which two names may mean one node (t of the paper); None is the embedder's default.
    - ``longest_message``: maximum number of characters in a message. ``Memory.add`` refuses a longer one, a
      transcript's reader cuts it.
    - ``llm_match_threshold``: cosine from which the language model is asked whether two names that the rules keep
      apart mean the same; None never asks.
    - ``trust_model``: whether a language model may retire any number of facts at once; if not, unusually many
      retirements are held for review.
    """

    store: str | None = None
    credentials: Credentials = Credentials()
    synchronous: Synchronous = "full"
    lock_timeout: float = 60.0
    llm: LLMSettings = LLMSettings()
    embedder: str | None = None
    weights: Path | None = None
    thresholds: Path | None = None
    window: int = 20
    window_tokens: int = 1500
    together: int = 2
    add_window_size: int = 2
    context: int = 10
    candidates: int = 5
    nearest: int = 10
    longest_message: int = MAX_MESSAGE_LENGTH
    threshold: float | None = None
    llm_match_threshold: float | None = None
    trust_model: bool = False

    def __repr__(self) -> str:
        """Return all fields but passwords and keys, with the store's address without user and password."""
        return _shown(self, "store")

    @property
    def file(self) -> FileSettings:
        """How a SQLite file is opened."""
        return FileSettings(synchronous=self.synchronous, lock_timeout=self.lock_timeout)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings of the environment variables MEM0G_STORE, MEM0G_EMBEDDER, MEM0G_WEIGHTS,
        MEM0G_THRESHOLDS, NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE, MEM0G_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL,
        MEM0G_SYNCHRONOUS ("full" or "normal") and MEM0G_LOCK_TIMEOUT (seconds).

        Raises InputError for an unusable value.
        """
        given = os.environ if environment is None else environment
        weights, thresholds = given.get(WEIGHTS_VARIABLE), given.get(THRESHOLDS_VARIABLE)
        file = _file_settings(given)
        return cls(
            store=given.get(STORE_VARIABLE) or None,
            credentials=Credentials(
                **{name: given.get(variable) or None for name, variable in CREDENTIALS_VARIABLES.items()}
            ),
            synchronous=file.synchronous,
            lock_timeout=file.lock_timeout,
            llm=LLMSettings(
                model=given.get(MODEL_VARIABLE) or DEFAULT_MODEL,
                base_url=given.get(BASE_URL_VARIABLE) or None,
                api_key=given.get(API_KEY_VARIABLE) or None,
            ),
            embedder=given.get(EMBEDDER_VARIABLE) or None,
            weights=Path(weights) if weights else None,
            thresholds=Path(thresholds) if thresholds else None,
        )


def _shown(settings: Any, address: str) -> str:
    """Return the fields that may be shown; the field ``address`` without its secrets."""
    values = {each.name: getattr(settings, each.name) for each in fields(settings) if each.repr}
    if values[address] and _URL.match(str(values[address])):
        values[address] = shown_address(str(values[address]))
    return f"{type(settings).__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})"


def _file_settings(given: Mapping[str, str]) -> FileSettings:
    default = FileSettings()
    synchronous = (given.get(SYNCHRONOUS_VARIABLE) or default.synchronous).lower()
    if synchronous not in get_args(Synchronous):
        raise InputError(f"{SYNCHRONOUS_VARIABLE} is {synchronous!r}", hint="set it to full or normal")
    text = given.get(LOCK_TIMEOUT_VARIABLE) or str(default.lock_timeout)
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise InputError(f"{LOCK_TIMEOUT_VARIABLE} is {text!r}", hint="set it to a number of seconds, such as 60")
    return FileSettings(synchronous=cast("Synchronous", synchronous), lock_timeout=seconds)
