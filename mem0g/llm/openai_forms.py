"""How a request is put to a server: by function calling, or more simply where a server lacks parts of the API.

What servers lack is found out by asking and kept in a file, so that the next process need not be refused again.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import threading
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from mem0g.llm.openai_replies import Refusal
from mem0g.llm.protocol import Prompt, Schema
from mem0g.private_files import make_folder
from mem0g.times import now

Mode = Literal["function calling", "JSON schema", "JSON mode", "plain text"]
"""From the one that binds the reply most to the one that every server has."""

Part = Literal["parallel_tool_calls", "strict", "temperature", "system role", "named tool_choice", "tool_choice"]
"""What a request can do without, in the order in which it is given up."""

MODES: tuple[Mode, ...] = get_args(Mode)
PARTS: tuple[Part, ...] = get_args(Part)

_ABOUT_PART: dict[Part, re.Pattern[str]] = {
    "parallel_tool_calls": re.compile(r"parallel.?(?:tool|function).?call"),
    "strict": re.compile(r"\bstrict\b"),
    "temperature": re.compile(r"\btemperature\b"),
    "system role": re.compile(
        r"system role (?:is )?not supported|role' does not support 'system'|developer instruction is not enabled"
    ),
    "named tool_choice": re.compile(r"tool.?choice"),
    "tool_choice": re.compile(r"tool.?choice"),
}
_ABOUT_MODE: dict[Mode, re.Pattern[str]] = {
    "function calling": re.compile(r"\btools?\b|tool.?choice|function.?call"),
    "JSON schema": re.compile(r"response.?format|json.?schema|structured.?output|guided|grammar"),
    "JSON mode": re.compile(r"response.?format|json.?object|json.?mode|structured.?output|guided|grammar"),
    "plain text": re.compile(r"(?!)"),
}
_USED_BY: dict[Part, frozenset[Mode]] = {
    "parallel_tool_calls": frozenset({"function calling"}),
    "strict": frozenset({"function calling", "JSON schema"}),
    "temperature": frozenset(MODES),
    "system role": frozenset(MODES),
    "named tool_choice": frozenset({"function calling"}),
    "tool_choice": frozenset({"function calling"}),
}
_REFUSING = frozenset({400, 404, 415, 422, 500, 501})
"""Statuses by which servers say that they lack something; llama.cpp says it with 500."""


@dataclass(frozen=True, slots=True)
class RequestForm:
    """A mode, and the parts of the API that the server refused."""

    mode: Mode = "function calling"
    without: frozenset[Part] = frozenset()

    def __str__(self) -> str:
        """In words, as ``mem0g doctor`` says it."""
        parts = [part for part in PARTS if part in self.without]
        return f"{self.mode} without {', '.join(parts)}" if parts else self.mode

    def has(self, part: Part) -> bool:
        """Whether a request of this form uses ``part``."""
        return self.mode in _USED_BY[part] and part not in self.without

    def after(self, refusal: Refusal) -> RequestForm | None:
        """The form to try after ``refusal``: without the part it is about, or in the next mode; None when it is about
        something else.
        """
        if not about_the_form(refusal):
            return None
        for part in PARTS:
            if self.has(part) and _ABOUT_PART[part].search(refusal.words):
                return replace(self, without=self.without | {part})
        return self.simpler() if _ABOUT_MODE[self.mode].search(refusal.words) else None

    def simpler(self) -> RequestForm | None:
        """The same in the next mode; None after the last."""
        after = MODES.index(self.mode) + 1
        return replace(self, mode=MODES[after]) if after < len(MODES) else None

    def body(self, prompt: Prompt, schema: Schema) -> dict[str, Any]:
        """Return the body of the HTTP request, without the model's name."""
        called = self.mode == "function calling"
        # a grammar made of the schema binds the reply, but the model is not shown it
        system = prompt.system if called else prompt.system_with(schema)
        messages = prompt.messages(as_json=not called)
        if self.has("system role"):
            messages.insert(0, {"role": "system", "content": system})
        else:
            messages[0] = {"role": "user", "content": f"{system}\n\n{prompt.user}"}
        body: dict[str, Any] = {"messages": messages}
        if self.has("temperature"):
            body["temperature"] = 0
        if called:
            body |= self._function(prompt, schema)
        elif self.mode == "JSON schema":
            strict = {"strict": True} if self.has("strict") else {}
            named = {"name": prompt.function, "description": prompt.description, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named | strict}
        elif self.mode == "JSON mode":
            body["response_format"] = {"type": "json_object"}
        return body

    def _function(self, prompt: Prompt, schema: Schema) -> dict[str, Any]:
        strict = {"strict": True} if self.has("strict") else {}
        function = {"name": prompt.function, **strict, "parameters": schema, "description": prompt.description}
        body: dict[str, Any] = {"tools": [{"type": "function", "function": function}]}
        if self.has("named tool_choice"):
            body["tool_choice"] = {"type": "function", "function": {"name": prompt.function}}
        elif self.has("tool_choice"):
            body["tool_choice"] = "required"
        if self.has("parallel_tool_calls"):
            body["parallel_tool_calls"] = False
        return body


def about_the_form(refusal: Refusal) -> bool:
    """Whether a server may mean that it lacks a part of the API, of any form."""
    if refusal.status not in _REFUSING or refusal.kind not in {"unknown model", "overloaded", "other"}:
        return False
    if "model_not_found" in refusal.codes:
        return False
    return any(words.search(refusal.words) for words in (*_ABOUT_PART.values(), *_ABOUT_MODE.values()))


LASTS = timedelta(days=30)
"""How long an ability is believed: servers get better."""


@dataclass(frozen=True, slots=True)
class Capability:
    """The form of request that a server takes for a model, and when that was found out."""

    form: RequestForm
    found: datetime


class ServerCapabilities:
    """The abilities of servers by address and model, in memory and in a small JSON file.

    A file that is missing or cannot be read says nothing; one that cannot be written is left alone, and what was found
    out lasts as long as the process. Without ``path``, nothing is written. For several threads and processes; of two
    processes that write at once, one may have to ask again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Capability] | None = None

    def get(self, address: str, model: str) -> Capability | None:
        """What was found out about ``model`` on the server at ``address``; None when that is not known, or too old."""
        with self._lock:
            found = self._all().get((address, model))
        return found if found and now() - found.found < LASTS else None

    def remember(self, address: str, model: str, form: RequestForm) -> None:
        """Keep that requests of this form work."""
        with self._lock:
            # what another process has found out since is kept
            self._known = self._all() | _read(self.path) | {(address, model): Capability(form, now())}
            if self.path:
                # a cache: where it cannot be written, the next process asks again
                with contextlib.suppress(OSError):
                    _write(self.path, self._known)

    def _all(self) -> dict[tuple[str, str], Capability]:
        if self._known is None:
            self._known = _read(self.path)
        return self._known


def shared_capabilities() -> ServerCapabilities:
    """The abilities that this process and others share, in the user's cache folder."""
    from platformdirs import user_cache_path

    return _at(user_cache_path("mem0g", appauthor=False) / "language-models.json")


@cache
def _at(path: Path) -> ServerCapabilities:
    return ServerCapabilities(path)


def _read(path: Path | None) -> dict[tuple[str, str], Capability]:
    """What the file says, as far as it can be read."""
    try:
        servers = json.loads(path.read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    found = {}
    for address, models in servers.items() if isinstance(servers, dict) else ():
        for model, said in models.items() if isinstance(models, dict) else ():
            capability = _capability(said)
            if capability:
                found[address, model] = capability
    return found


def _capability(said: Any) -> Capability | None:
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
    return Capability(RequestForm(said["mode"], frozenset(without)), when) if when.tzinfo else None


def _write(path: Path, known: dict[tuple[str, str], Capability]) -> None:
    """Replace the file in one step, so that nobody reads half of it."""
    servers: dict[str, dict[str, Any]] = {}
    for (address, model), capability in sorted(known.items(), key=lambda each: each[0]):
        without = [part for part in PARTS if part in capability.form.without]
        entry = {
            "mode": capability.form.mode,
            "without": without,
            "found": capability.found.isoformat(timespec="seconds"),
        }
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
