"""The form of a request: function calling, or a simpler one for servers that lack parts of the API.

Missing parts are detected from refusals and kept in a file, so that the next process avoids them.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from mem0g.llm.openai_replies import Refusal
from mem0g.llm.protocol import Prompt, Schema
from mem0g.private_files import make_folder, replacing
from mem0g.times import now

Mode = Literal["function calling", "JSON schema", "JSON mode", "plain text"]
"""From the strictest to the one that every server supports."""

Part = Literal["parallel_tool_calls", "strict", "temperature", "system role", "named tool_choice", "tool_choice"]
"""Optional parts of a request, in the order in which they are dropped."""

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
"""Statuses with which servers refuse parts that they lack; llama.cpp uses 500."""


@dataclass(frozen=True, slots=True)
class RequestForm:
    """A mode, and the parts of the API that the server refused."""

    mode: Mode = "function calling"
    without: frozenset[Part] = frozenset()

    def __str__(self) -> str:
        """Describe the form, as ``mem0g doctor`` shows it."""
        parts = [part for part in PARTS if part in self.without]
        return f"{self.mode} without {', '.join(parts)}" if parts else self.mode

    def has(self, part: Part) -> bool:
        """Whether a request of this form uses ``part``."""
        return self.mode in _USED_BY[part] and part not in self.without

    def after(self, refusal: Refusal) -> RequestForm | None:
        """Return the form to try after ``refusal``: without the part that it is about, or in the next mode.

        None if the refusal is about something else.
        """
        if not about_the_form(refusal):
            return None
        for part in PARTS:
            if self.has(part) and _ABOUT_PART[part].search(refusal.words):
                return replace(self, without=self.without | {part})
        return self.simpler() if _ABOUT_MODE[self.mode].search(refusal.words) else None

    def simpler(self) -> RequestForm | None:
        """Return the same form in the next mode; None after the last."""
        after = MODES.index(self.mode) + 1
        return replace(self, mode=MODES[after]) if after < len(MODES) else None

    def body(self, prompt: Prompt, schema: Schema) -> dict[str, Any]:
        """Return the body of the HTTP request, without the model's name."""
        called = self.mode == "function calling"
        # a server may constrain the reply by the schema without showing it to the model
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
    """Whether a refusal may mean that the server lacks a part of the API."""
    if refusal.status not in _REFUSING or refusal.kind not in {"unknown model", "overloaded", "other"}:
        return False
    if "model_not_found" in refusal.codes:
        return False
    return any(words.search(refusal.words) for words in (*_ABOUT_PART.values(), *_ABOUT_MODE.values()))


CAPABILITY_LIFETIME = timedelta(days=30)
"""How long a capability is trusted: servers are upgraded."""


@dataclass(frozen=True, slots=True)
class Capability:
    """The form of request that a server accepts for a model, and when that was detected."""

    form: RequestForm
    found: datetime


class ServerCapabilities:
    """The capabilities of servers by address and model, in memory and in a small JSON file.

    A file that is missing or cannot be read counts as empty; if it cannot be written, the capabilities are kept in
    memory only, as without ``path``. May be shared by threads and processes; if two processes write at the same time,
    one of the two results may be lost and is detected again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Capability] | None = None

    def get(self, address: str, model: str) -> Capability | None:
        """Return the capability of ``model`` on the server at ``address``; None if it is not known, or too old."""
        with self._lock:
            found = self._all().get((address, model))
        return found if found and now() - found.found < CAPABILITY_LIFETIME else None

    def remember(self, address: str, model: str, form: RequestForm) -> None:
        """Record that requests of this form are accepted."""
        with self._lock:
            # keep what other processes have written since
            self._known = self._all() | _read(self.path) | {(address, model): Capability(form, now())}
            if self.path:
                # only a cache: if it cannot be written, the next process detects it again
                with contextlib.suppress(OSError):
                    _write(self.path, self._known)

    def _all(self) -> dict[tuple[str, str], Capability]:
        if self._known is None:
            self._known = _read(self.path)
        return self._known


def shared_capabilities() -> ServerCapabilities:
    """Return the capabilities in the user's cache folder, which all processes share."""
    from platformdirs import user_cache_path

    return _at(user_cache_path("mem0g", appauthor=False) / "language-models.json")


@cache
def _at(path: Path) -> ServerCapabilities:
    return ServerCapabilities(path)


def _read(path: Path | None) -> dict[tuple[str, str], Capability]:
    """Return the valid entries of the file."""
    try:
        servers = json.loads(path.read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    found = {}
    for address, models in servers.items() if isinstance(servers, dict) else ():
        for model, entry in models.items() if isinstance(models, dict) else ():
            capability = _capability(entry)
            if capability:
                found[address, model] = capability
    return found


def _capability(entry: Any) -> Capability | None:
    """Return the capability of an entry of the file; None if it is invalid or of another version."""
    if not isinstance(entry, dict) or entry.get("mode") not in MODES:
        return None
    without, found = entry.get("without"), entry.get("found")
    if not isinstance(without, list) or not isinstance(found, str) or not set(map(str, without)) <= set(PARTS):
        return None
    try:
        when = datetime.fromisoformat(found)
    except ValueError:
        return None
    return Capability(RequestForm(entry["mode"], frozenset(without)), when) if when.tzinfo else None


def _write(path: Path, known: dict[tuple[str, str], Capability]) -> None:
    """Replace the file in one step, so that no process reads an incomplete one."""
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
    with replacing(path) as file:
        file.write(json.dumps(servers, ensure_ascii=False, indent=1).encode())
