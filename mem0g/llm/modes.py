"""How a request is put to a server: by function calling, or more simply where a server lacks parts of the API."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from mem0g.llm.refusals import Refusal
from mem0g.llm.request import R, Request, lean

Mode = Literal["function calling", "JSON schema", "JSON mode", "plain text"]
"""From the one that binds the reply most to the one that every server has."""

Part = Literal["parallel_tool_calls", "strict", "temperature", "system role", "named tool_choice", "tool_choice"]
"""What a request can do without, in the order in which it is given up."""

ChatMessage: TypeAlias = dict[str, str]

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
class Form:
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

    def after(self, refusal: Refusal) -> Form | None:
        """The form to try after ``refusal``: without the part it is about, or in the next mode; None when it is about
        something else.
        """
        if not about_the_form(refusal):
            return None
        for part in PARTS:
            if self.has(part) and _ABOUT_PART[part].search(refusal.words):
                return replace(self, without=self.without | {part})
        return self.simpler() if _ABOUT_MODE[self.mode].search(refusal.words) else None

    def simpler(self) -> Form | None:
        """The same in the next mode; None after the last."""
        after = MODES.index(self.mode) + 1
        return replace(self, mode=MODES[after]) if after < len(MODES) else None

    def body(self, request: Request[R], follow_up: Sequence[ChatMessage] = ()) -> dict[str, Any]:
        """The body of the HTTP request, without the model's name; ``follow_up`` is what has been said since."""
        body: dict[str, Any] = {"messages": [*self._prompt(request), *follow_up]}
        if self.has("temperature"):
            body["temperature"] = 0
        if self.mode == "function calling":
            body |= self._function(request)
        elif self.mode == "JSON schema":
            strict = {"strict": True} if self.has("strict") else {}
            named = {"name": request.function, "description": request.description, "schema": schema(request)}
            body["response_format"] = {"type": "json_schema", "json_schema": named | strict}
        elif self.mode == "JSON mode":
            body["response_format"] = {"type": "json_object"}
        return body

    def follow_up(self, request: Request[R], reply: str, problem: str) -> list[ChatMessage]:
        """The bad ``reply`` and the words that ask for a better one.

        The reply is shown as text in every mode: a call would have to be answered by a tool's message, which not all
        servers read.
        """
        wanted = f"as one call of the function {request.function}" if self.mode == MODES[0] else "as one JSON object"
        ask = f"That reply cannot be used: {problem}\nReply again in full, corrected, {wanted} and nothing else."
        return [_message("assistant", reply or "(nothing)"), _message("user", ask)]

    def _prompt(self, request: Request[R]) -> list[ChatMessage]:
        system = request.system
        if (
            self.mode != "function calling"
        ):  # a grammar made of the schema binds the reply, but the model is not shown it
            shown = json.dumps(schema(request), ensure_ascii=False)
            system += (
                f"\n\nReply with one JSON object and nothing else, the arguments of {request.function}: "
                f"{request.description}\nIt has to fit this JSON schema:\n{shown}"
            )
        if not self.has("system role"):
            return [_message("user", f"{system}\n\n{request.prompt}")]
        return [_message("system", system), _message("user", request.prompt)]

    def _function(self, request: Request[R]) -> dict[str, Any]:
        tool = _tool(request)
        if not self.has("strict"):
            del tool["function"]["strict"]
        body: dict[str, Any] = {"tools": [tool]}
        if self.has("named tool_choice"):
            body["tool_choice"] = {"type": "function", "function": {"name": request.function}}
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


def schema(request: Request[R]) -> dict[str, Any]:
    """The JSON schema of the reply in OpenAI's strict form: every field required, no other allowed."""
    parameters: dict[str, Any] = _tool(request)["function"]["parameters"]
    return parameters


def _tool(request: Request[R]) -> dict[str, Any]:
    from openai import pydantic_function_tool

    tool = pydantic_function_tool(request.reply, name=request.function, description=request.description)
    function = dict(tool["function"])
    return {"type": "function", "function": function | {"parameters": lean(function["parameters"])}}


def _message(role: str, text: str) -> ChatMessage:
    """A message of the chat; half of a surrogate pair, which no JSON can carry, becomes a question mark."""
    return {"role": role, "content": text.encode("utf-8", "replace").decode()}
