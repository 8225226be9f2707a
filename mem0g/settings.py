"""What can be set, and where it is read from: arguments first, then the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

STORE_VARIABLE = "MEM0G_STORE"
WEIGHTS_VARIABLE = "MEM0G_WEIGHTS"
EMBEDDER_VARIABLE = "MEM0G_EMBEDDER"
MODEL_VARIABLE = "MEM0G_MODEL"
API_KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
LOGIN_VARIABLES = {"username": "NEO4J_USERNAME", "password": "NEO4J_PASSWORD", "database": "NEO4J_DATABASE"}

DEFAULT_MODEL = "gpt-4o-mini"
"""The engine of the Mem0 paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """Who opens a store on a server, and which of its databases; what is None is left to the address or the server."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)
    database: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMSettings:
    """The language model, and what is asked of it.

    ``base_url`` and ``api_key``: of any server that speaks the OpenAI protocol. ``timeout``: seconds for each of the
    1 + ``retries`` times that a request is sent. ``concurrency``: windows that are extracted at a time. ``cache``: a
    file of replies. ``prompts``: a folder whose files replace the prompts of the same name. ``instructions``: added to
    the rules of extraction; ``entity_types``, ``relation_types``: names to take where they fit, or no others when
    ``closed_types`` is set.
    """

    model: str = DEFAULT_MODEL
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 120.0
    retries: int = 4
    concurrency: int = 4
    cache: Path | None = None
    prompts: Path | None = None
    instructions: str = ""
    entity_types: tuple[str, ...] = ()
    relation_types: tuple[str, ...] = ()
    closed_types: bool = False

    @property
    def configured(self) -> bool:
        """Whether a key or a server is given, so that a model can be asked."""
        return bool(self.base_url or self.api_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a memory works.

    ``window``: messages of one session that are extracted and committed together, of at most ``window_tokens``;
    ``pair``: messages of a window when a program adds them (a message and its answer, as in the Mem0 paper, section
    2.1); ``context``: messages before them that the extractor also sees (m of the paper: 10). ``candidates``: most
    current facts that the conflict resolver is shown for each triple by likeness (s of the paper: 10); few are shown so
    many. ``nearest``: entities nearest by name's vector that node matching looks at; ``threshold``: its cosine t from
    which two names may mean one node;
    ``grey``: the cosine from which a model that decides is asked about those that rules leave apart, None is never.
    """

    store: str | None = None
    login: Login = Login()
    llm: LLMSettings = LLMSettings()
    embedder: str | None = None
    weights: Path | None = None
    window: int = 20
    window_tokens: int = 1500
    pair: int = 2
    context: int = 10
    candidates: int = 16
    nearest: int = 10
    threshold: float | None = None
    grey: float | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings that environment variables give: MEM0G_STORE, MEM0G_EMBEDDER, MEM0G_WEIGHTS, NEO4J_USERNAME,
        NEO4J_PASSWORD, NEO4J_DATABASE, MEM0G_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL.
        """
        given = os.environ if environment is None else environment
        weights = given.get(WEIGHTS_VARIABLE)
        return cls(
            store=given.get(STORE_VARIABLE) or None,
            login=Login(**{name: given.get(variable) or None for name, variable in LOGIN_VARIABLES.items()}),
            llm=LLMSettings(
                model=given.get(MODEL_VARIABLE) or DEFAULT_MODEL,
                base_url=given.get(BASE_URL_VARIABLE) or None,
                api_key=given.get(API_KEY_VARIABLE) or None,
            ),
            embedder=given.get(EMBEDDER_VARIABLE) or None,
            weights=Path(weights) if weights else None,
        )
