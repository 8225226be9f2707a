"""Shared by tests of ingest and of server failures: a conversation, its ingest, and errors as users read them."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mem0g.errors import Mem0gError
from mem0g.extract.rules import RulesExtractor
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.settings import Settings
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, FactFilter
from mem0g.transcripts import read_files
from tests.making import EMBEDDER, dumped

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "olivia-and-ben.txt"
TALK = read_files([EXAMPLE]).utterances[:40]
DEMO = Scope(user_id="demo")
LIMIT = 100_000


def memory_over(store: Store) -> Memory:
    """A memory over a store: the rules, an embedder without weights, windows of eight messages."""
    return Memory(store, EMBEDDER, RulesExtractor(), Settings(window=8))


def ingest_result(store: Store, scope: Scope = DEMO) -> dict[str, Any]:
    """All data that an ingest wrote, with ids, without the times at which it ran."""
    stats = store.stats(scope)
    facts = store.list_facts(scope, FactFilter(view=EVERYTHING), LIMIT)
    return {
        "counts": (stats.messages, stats.sessions, stats.entities, stats.facts, stats.retired, stats.decisions),
        "messages": sorted(message.id for message in store.list_messages(scope, LIMIT)),
        "entities": sorted((e.id, e.name, e.type, e.aliases, n) for e, n in store.list_entities(scope, LIMIT)),
        "facts": sorted((f.id, f.edge, f.text, f.current, str(f.valid_to), f.evidence) for f in facts),
        "decisions": sorted(decision.id for change in dumped(store, scope) for decision in change.decisions),
        "successions": sorted(
            (each.fact_id, each.successor_id or "", each.reason)
            for each in store.successions(scope, [fact.id for fact in facts])
        ),
    }


def error_text(error: Mem0gError, *secrets: str) -> str:
    """Return the message and the hint, one line each, after checking that they contain no secret."""
    assert error.hint
    read = f"{error}\n{error.hint}"
    assert len(read.splitlines()) == 2, read
    assert "None" not in read
    shown = read + repr(error) + "".join(traceback.format_exception(error))
    assert not [secret for secret in secrets if secret in shown]
    return read


def said(*words: str, secrets: tuple[str, ...] = (), credentials: Mapping[str, str] | None = None) -> str:
    """Run a command that fails; return its standard error: one line and a hint, without secrets."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "MEM0G_"))}
    command = [sys.executable, "-m", "mem0g", *words]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=kept | {"NO_COLOR": "1"} | dict(credentials or {}),
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout == ""
    first, second = done.stderr.splitlines()
    assert first.startswith("mem0g: ")
    assert second.startswith("hint: ")
    assert not [secret for secret in secrets if secret in done.stderr]
    return done.stderr
