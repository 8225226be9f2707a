"""What a server sends back, whatever its dialect: a chat completion, or an error."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, field_validator

from mem0g.llm.refusals import Refusal, parsed_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the model gave: calls (name and arguments), text, the words with which it declined, why it stopped.

    ``problem`` is what the server says is wrong with it. The tokens are None where the server gives no figures.
    """

    calls: tuple[tuple[str, str], ...] = ()
    content: str = ""
    declined: str = ""
    finish: str = ""
    problem: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def raw(self) -> str:
        """All of it as text: the arguments of a single call, else the calls one a line, else what was said."""
        if len(self.calls) == 1:
            return self.calls[0][1]
        return "\n".join(f"{name}({arguments})" for name, arguments in self.calls) or self.content or self.declined


def parse(body: bytes, model: str, attempts: int) -> Answer | Refusal | None:
    """A chat completion; or the error that some servers send as if all were well; None when it is neither."""
    try:
        found = _Completion.model_validate(parsed_json(body))
    except ValueError:  # no JSON, or JSON of another shape
        return None
    choice = found.choices[0] if found.choices else _Choice()
    error = found.error or choice.error
    if error:
        code = error.get("code") if isinstance(error, dict) else None
        return Refusal.given(code if isinstance(code, int) and 400 <= code < 600 else 400, error, model, attempts)
    if found.choices is None:
        return None
    message, usage = choice.message, found.usage or _Usage()
    return Answer(
        calls=tuple((_clean(call.function.name), _clean(call.function.arguments)) for call in message.tool_calls or ()),
        content=_clean(message.content),
        declined=_clean(message.refusal),
        finish=choice.finish_reason or "",
        prompt_tokens=usage.prompt_tokens or None,
        completion_tokens=usage.completion_tokens,
    )


def _clean(text: str | None) -> str:
    """Text that can be stored and sent back: half of a surrogate pair becomes a question mark."""
    return (text or "").encode("utf-8", "replace").decode()


class _Function(BaseModel):
    name: str = ""
    arguments: str = ""

    @field_validator("arguments", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        """Some servers give the arguments as an object."""
        return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value or ""


class _Call(BaseModel):
    function: _Function


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _joined(cls, value: Any) -> Any:
        """Some servers give the content in parts, thoughts among them."""
        if not isinstance(value, list):
            return value
        return "".join(str(part.get("text") or "") for part in value if isinstance(part, dict))


class _Choice(BaseModel):
    message: _Message = _Message()
    finish_reason: str | None = None
    error: Any = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(BaseModel):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: Any = None
