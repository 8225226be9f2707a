"""Traces for the tests of procedural memory."""

from __future__ import annotations

import json
from typing import Any

FAILED = "Traceback (most recent call last):\n  File \"shop.py\"\nModuleNotFoundError: No module named 'tomlkit'"


def called(number: int, tool: str, result: str | None, *, words: str | None = None, **arguments: Any) -> list[Any]:
    """Return a call of a tool, and its result if there is one."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    calls = [{"id": f"c{number}", "type": "function", "function": function}]
    made: list[Any] = [{"role": "assistant", "content": words, "tool_calls": calls}]
    return made if result is None else [*made, {"role": "tool", "tool_call_id": f"c{number}", "content": result}]


def repair(task: str = "Repair the build of the web shop.") -> list[Any]:
    """Return a run in which the second step fails, and the fourth does what it should have done."""
    return [
        {"role": "system", "content": "You are a careful engineer."},
        {"role": "user", "content": task},
        *called(1, "read_file", "import tomlkit", words="I look at the code first.", path="shop.py"),
        *called(2, "shell", FAILED, words="It reads a configuration.", command="pytest -q"),
        *called(3, "edit_file", "done", words="A dependency is missing.", path="pyproject.toml", add="tomlkit"),
        *called(4, "shell", "12 passed", command="pip install . && pytest -q"),
        {"role": "assistant", "content": "The build works again: tomlkit was not declared."},
    ]
