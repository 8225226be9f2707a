"""What servers can do, found out by asking and remembered, so that the next process need not be refused again."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from mem0g.llm.modes import MODES, PARTS, Form
from mem0g.private_files import make_folder
from mem0g.times import now

LASTS = timedelta(days=30)
"""How long an ability is believed: servers get better."""


@dataclass(frozen=True, slots=True)
class Ability:
    """The form of request that a server takes for a model, and when that was found out."""

    form: Form
    found: datetime


class Abilities:
    """The abilities of servers by address and model, in memory and in a small JSON file.

    A file that is missing or cannot be read says nothing; one that cannot be written is left alone, and what was found
    out lasts as long as the process. Without ``path``, nothing is written. For several threads and processes; of two
    processes that write at once, one may have to ask again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Ability] | None = None

    def ability(self, address: str, model: str) -> Ability | None:
        """What was found out about ``model`` on the server at ``address``; None when that is not known, or too old."""
        with self._lock:
            found = self._all().get((address, model))
        return found if found and now() - found.found < LASTS else None

    def remember(self, address: str, model: str, form: Form) -> None:
        """Keep that requests of this form work."""
        with self._lock:
            # what another process has found out since is kept
            self._known = self._all() | _read(self.path) | {(address, model): Ability(form, now())}
            if self.path:
                # a cache: where it cannot be written, the next process asks again
                with contextlib.suppress(OSError):
                    _write(self.path, self._known)

    def _all(self) -> dict[tuple[str, str], Ability]:
        if self._known is None:
            self._known = _read(self.path)
        return self._known


def usual() -> Abilities:
    """The abilities that this process and others share, in the user's cache folder."""
    from platformdirs import user_cache_path

    return _at(user_cache_path("mem0g", appauthor=False) / "language-models.json")


@cache
def _at(path: Path) -> Abilities:
    return Abilities(path)


def _read(path: Path | None) -> dict[tuple[str, str], Ability]:
    """What the file says, as far as it can be read."""
    try:
        servers = json.loads(path.read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    found = {}
    for address, models in servers.items() if isinstance(servers, dict) else ():
        for model, said in models.items() if isinstance(models, dict) else ():
            ability = _ability(said)
            if ability:
                found[address, model] = ability
    return found


def _ability(said: Any) -> Ability | None:
    """One entry of the file; None when it is another version's, or no entry at all."""
    if not isinstance(said, dict) or said.get("mode") not in MODES:
        return None
    without, found = said.get("without"), said.get("found")
    if not isinstance(without, list) or not isinstance(found, str) or not set(map(str, without)) <= set(PARTS):
        return None
    try:
        when = datetime.fromisoformat(found)
    except ValueError:
        return None
    return Ability(Form(said["mode"], frozenset(without)), when) if when.tzinfo else None


def _write(path: Path, known: dict[tuple[str, str], Ability]) -> None:
    """Replace the file in one step, so that nobody reads half of it."""
    servers: dict[str, dict[str, Any]] = {}
    for (address, model), ability in sorted(known.items(), key=lambda each: each[0]):
        without = [part for part in PARTS if part in ability.form.without]
        entry = {"mode": ability.form.mode, "without": without, "found": ability.found.isoformat(timespec="seconds")}
        servers.setdefault(address, {})[model] = entry
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(servers, file, ensure_ascii=False, indent=1)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
