"""The child process of a system: it reads orders from standard input and writes a line of JSON for each.

Only the standard library is imported here, as each system runs in an environment of its own. An order is an object with
``do``: ``open`` (with the settings), ``load``, ``add``, ``search``, ``stored``, ``close``, or ``cpu`` for the CPU
seconds of this process. The reply has ``seconds``, the number of Cypher ``queries``, and ``value``; or ``error``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Protocol

USER = "peers"
"""The user that all facts belong to."""


@dataclass(frozen=True)
class Setup:
    """What a system is opened with. ``model_url`` and ``embeddings_url`` speak the OpenAI protocol and want no key.

    ``neo4j`` is a Bolt address, "" for a system that needs none; ``folder`` is new, for files.
    """

    model_url: str
    embeddings_url: str
    dimensions: int
    neo4j: str
    neo4j_user: str
    neo4j_password: str
    folder: str
    timeout: float

    @property
    def files(self) -> Path:
        """The folder."""
        return Path(self.folder)


class System(Protocol):
    """A memory with the facts of one user."""

    def load(self, facts: Sequence[Mapping[str, str]]) -> None:
        """Write facts in bulk, without the model."""

    def add(self, messages: Sequence[Mapping[str, str]], time: str) -> None:
        """Remember a pair of messages; return when a search can find its facts."""

    def search(self, question: str, limit: int) -> Sequence[str | Sequence[str]]:
        """Return at most ``limit`` texts, best first; where a graph has results of its own, also their triples."""

    def stored(self) -> Sequence[Sequence[str]]:
        """Return the triples of the graph: subject, relation and object."""

    def close(self) -> None:
        """Release what is open."""


def serve(opened: Callable[[Setup], System]) -> None:
    """Do what standard input orders until it ends; what libraries print goes to standard error."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    queries = _Queries()
    system: System | None = None
    for line in sys.stdin:
        order = json.loads(line)
        before, start = queries.count, perf_counter()
        try:
            value: Any = None
            if system is None:
                system = opened(Setup(**order["settings"]))
                queries.watch()
            elif order["do"] == "cpu":
                value = process_time()
            else:
                value = _do(system, order)
            reply = {"seconds": perf_counter() - start, "queries": queries.count - before, "value": value}
        except Exception as error:  # noqa: BLE001 - whatever a system raises is reported to the parent
            reply = {"error": f"{type(error).__name__}: {error}"[:500]}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _do(system: System, order: Mapping[str, Any]) -> Any:
    given = {name: value for name, value in order.items() if name != "do"}
    return getattr(system, order["do"])(**given)


class _Queries:
    """Counts the Cypher queries of this process, at the public methods of Neo4j's driver that run one."""

    def __init__(self) -> None:
        self.count = 0

    def watch(self) -> None:
        """Begin to count, if the driver is loaded."""
        driver = sys.modules.get("neo4j")
        names = ("Session", "Transaction", "ManagedTransaction")
        for name in names if driver else ():
            for kind in (getattr(driver, name), getattr(driver, f"Async{name}")):
                kind.run = self._counted(kind.run)

    def _counted(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.count += 1
            return run(*args, **kwargs)

        return counted
