"""What to write into the configuration of an MCP client so that it starts `mem0g mcp`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def client_config(client: str, options: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the configuration of an MCP client: JSON for its file, or for Claude Code a command to run.

    ``client`` is one of CLIENTS. ``options`` follow `mem0g mcp`; ``environment`` holds variables to set. The program
    is named by its absolute path, as desktop programs start with a PATH of their own.
    """
    return CLIENTS[client]([*_program(), "mcp", *options], environment)


def _program() -> list[str]:
    script = Path(sys.executable).with_name("mem0g")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "mem0g"]


def _json(key: str, **more: str) -> Callable[[Sequence[str], Mapping[str, str]], str]:
    def written(command: Sequence[str], environment: Mapping[str, str]) -> str:
        server = {**more, "command": command[0], "args": list(command[1:]), "env": dict(environment)}
        return json.dumps({key: {"mem0g": server}}, indent=2, ensure_ascii=False)

    return written


def _claude_code(command: Sequence[str], environment: Mapping[str, str]) -> str:
    variables = [part for name, value in environment.items() for part in ("--env", f"{name}={value}")]
    return shlex.join(["claude", "mcp", "add", "mem0g", *variables, "--", *command])


CLIENTS: Mapping[str, Callable[[Sequence[str], Mapping[str, str]], str]] = {
    "claude-desktop": _json("mcpServers"),
    "claude-code": _claude_code,
    "cursor": _json("mcpServers"),
    "vscode": _json("servers", type="stdio"),
}
"""The clients whose configuration is known."""
