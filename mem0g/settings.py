"""What can be set, and where it is read from: arguments first, then the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

STORE_VARIABLE = "MEM0G_STORE"
WEIGHTS_VARIABLE = "MEM0G_WEIGHTS"
EMBEDDER_VARIABLE = "MEM0G_EMBEDDER"
LOGIN_VARIABLES = {"username": "NEO4J_USERNAME", "password": "NEO4J_PASSWORD", "database": "NEO4J_DATABASE"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """Who opens a store on a server, and which of its databases; what is None is left to the address or the server."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)
    database: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a memory works.

    ``window``: messages of one session that are extracted and committed together; ``context``: messages before them
    that the extractor also sees (m of the Mem0 paper, section 2.1: 10). ``candidates``: similar current facts shown to
    the conflict resolver for each triple (s of the paper: 10). ``nearest``: entities nearest by name's vector that node
    matching looks at; ``threshold``: its cosine t from which two names may mean one node.
    """

    store: str | None = None
    login: Login = Login()
    embedder: str | None = None
    weights: Path | None = None
    window: int = 20
    context: int = 10
    candidates: int = 10
    nearest: int = 10
    threshold: float | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings that environment variables give: MEM0G_STORE, MEM0G_EMBEDDER, MEM0G_WEIGHTS, NEO4J_USERNAME,
        NEO4J_PASSWORD, NEO4J_DATABASE.
        """
        given = os.environ if environment is None else environment
        weights = given.get(WEIGHTS_VARIABLE)
        return cls(
            store=given.get(STORE_VARIABLE) or None,
            login=Login(**{name: given.get(variable) or None for name, variable in LOGIN_VARIABLES.items()}),
            embedder=given.get(EMBEDDER_VARIABLE) or None,
            weights=Path(weights) if weights else None,
        )
