"""Responses of OpenAI-compatible servers in their dialects: chat completions and errors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, field_validator

from mem0g.llm.exchange import unfenced
from mem0g.llm.protocol import Completion, encodable

MAX_DEPTH = 100
"""Levels of nested lists and objects that are accepted: a chat completion has eight."""

MAX_MESSAGE = 300
"""Characters of a server's error that are shown."""

_CALL_AS_TEXT = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's reply: function calls (name and arguments), text, refusal and finish reason.

    ``problem`` is what the server reports as wrong with it. The token counts are None if the server gives none.
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
        """The reply as text: the arguments of a single call, otherwise the calls, one per line, otherwise the text."""
        if len(self.calls) == 1:
            return self.calls[0][1]
        return "\n".join(f"{name}({arguments})" for name, arguments in self.calls) or self.content or self.declined


def read_reply(body: bytes, model: str) -> Reply | Refusal | None:
    """Return the reply in a chat completion, or the error that some servers send with status 200; None if neither."""
    try:
        found = _ChatCompletion.model_validate(parsed_json(body))
    except ValueError:  # not JSON, or of another shape
        return None
    choice = found.choices[0] if found.choices else _Choice()
    error = found.error or choice.error
    if error:
        code = error.get("code") if isinstance(error, dict) else None
        return Refusal.given(code if isinstance(code, int) and 400 <= code < 600 else 400, error, model)
    if found.choices is None:
        return None
    message, usage = choice.message, found.usage or _Usage()
    calls = ((each.function.name, each.function.arguments) for each in message.tool_calls or ())
    return Reply(
        calls=tuple((encodable(name), encodable(arguments)) for name, arguments in calls),
        content=encodable(message.content or ""),
        declined=encodable(message.refusal or ""),
        finish=choice.finish_reason or "",
        prompt_tokens=usage.prompt_tokens or None,
        completion_tokens=usage.completion_tokens,
    )


def completion_of(reply: Reply, function: str) -> Completion:
    """Return a reply as a completion: the arguments of the one call of ``function``, or the JSON written instead.

    Any other reply has a ``problem``, and the raw reply as its text.
    """
    text, problem = reply.raw, _problem(reply, function)
    if not problem and not reply.calls:
        written = _json_in(reply.content, function)
        if written.startswith(("{", "[")):
            text = written
        else:
            problem = f"text instead of a call of {function}" if written else "an empty reply"
    return Completion(text=text, finish_reason=reply.finish, problem=problem)


def is_astray(reply: Reply, function: str) -> bool:
    """Whether a reply is unlike what was asked for, as from a server that ignores the request's form."""
    if reply.calls or reply.finish == "length" or _problem(reply, function):
        return False
    return not _json_in(reply.content, function).startswith(("{", "["))


def _problem(reply: Reply, function: str) -> str:
    """Return why a reply cannot be used, "" if it may be read."""
    if reply.problem:
        return reply.problem
    if reply.declined:
        return f"it declined: {reply.declined}"
    if reply.finish == "content_filter":
        return "stopped by the server's content filter"
    names = [name for name, _ in reply.calls]
    if len(names) > 1:
        return f"{len(names)} calls where one was asked: {', '.join(names)}"
    if names and names[0] != function:
        return f"a call of {names[0]!r} instead of {function!r}"
    return ""


def _json_in(content: str, function: str) -> str:
    """Return the text of a reply without reasoning and code fence; of a call written as text, its arguments.

    Calls arrive as text if the server cannot parse the model's.
    """
    text = _without_thoughts(content)
    written = _CALL_AS_TEXT.findall(text)
    text = unfenced(written[0] if len(written) == 1 else text)
    try:
        call = parsed_json(text)
    except ValueError:
        return text
    if not isinstance(call, dict) or call.get("name") != function:
        return text
    arguments = call.get("arguments", call.get("parameters"))
    return json.dumps(arguments, ensure_ascii=False) if len(call) == 2 and isinstance(arguments, dict) else text


def _without_thoughts(content: str) -> str:
    """Return the text without its first ``<think>…</think>``, if there is one."""
    before, opened, rest = content.partition("<think>")
    _, closed, after = rest.partition("</think>")
    return before + after if opened and closed else content


def parsed_json(text: str | bytes) -> Any:
    """Return the JSON that a server sent. Raises ValueError if it is invalid, or nested deeper than ``MAX_DEPTH``."""
    written = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    try:
        value = json.loads(written)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    level = [value]
    for _ in range(MAX_DEPTH):
        inner = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [child for children in inner for child in children]
        if not level:
            return value
    raise ValueError("nested too deeply")


class _Function(BaseModel):
    name: str = ""
    arguments: str = ""

    @field_validator("arguments", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        """Return the arguments as text; some servers send an object."""
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
        """Return the content as text; some servers send it in parts, reasoning among them."""
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


class _ChatCompletion(BaseModel):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: Any = None


Kind = Literal["botched", "filtered", "too long", "unpaid", "access", "unknown model", "overloaded", "other"]

_BOTCHED_CODES = frozenset({"tool_use_failed", "json_validate_failed", "output_parse_failed"})
_BOTCHED = re.compile(
    r"error parsing tool call|failed to (?:call a function|parse (?:input at|tool))|tool call validation"
)
_FILTERED = re.compile(r"content_filter|content_policy_violation|content management policy")
_TOO_LONG_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_TOO_LONG = re.compile(
    r"maximum (?:context|prompt|model) length"  # OpenAI, vLLM, Mistral; xAI; vLLM
    r"|context (?:size|length|window) (?:has been )?exceeded"  # llama.cpp, LM Studio
    r"|exceeds?\b.{0,40}\bcontext (?:size|length|window)"  # llama.cpp, llama-cpp-python, Ollama
    r"|longer than the model's context"  # SGLang
    r"|exceeds the maximum (?:allowed length|number of tokens)"  # SGLang, Gemini
    r"|context length of only"  # LM Studio
    r"|tokens \+ `max_new_tokens` must be"  # text-generation-inference
    r"|(?:prompt|input) is too long"  # Anthropic, Bedrock
    r"|max_tokens must be at least 1, got -"  # older vLLM
    r"|request too large",  # a request above the tokens allowed in a minute: OpenAI (429), Groq (413)
)
_UNPAID = re.compile(r"insufficient[ _](?:quota|balance|credits?|funds)")
_UNKNOWN_MODEL = re.compile(
    r"model_not_found|model not exist|(?:invalid|unknown) model(?! output)|not a valid model"
    r"|\bmodel\b.{0,20}(?:not found|does not exist)|no models? (?:is |are )?loaded"
)
_TAGS = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An error that a server sent instead of a reply.

    ``words`` are its message, code and parameter in lower case, without the model's name, for matching;
    ``generated`` is the model's text if the server includes it; ``headers`` are those of the response.
    """

    status: int
    message: str
    words: str
    codes: frozenset[str]
    generated: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, status: int, text: str, model: str, headers: Mapping[str, str]) -> Refusal:
        """Return the refusal in the body of an error, JSON or not."""
        try:
            body = parsed_json(text)
        except ValueError:
            body = _TAGS.sub(" ", text)
        return cls.given(status, body, model, headers)

    @classmethod
    def given(cls, status: int, body: Any, model: str, headers: Mapping[str, str] | None = None) -> Refusal:
        """Read an error's JSON: of OpenAI, vLLM (no "error"), Ollama (a string) or FastAPI (a list)."""
        error = body.get("error") or body if isinstance(body, dict) else body
        fields = error if isinstance(error, dict) else {}
        message = " ".join(_message(error).split()) or f"status {status}"
        codes = {str(fields[name]).lower() for name in ("code", "type") if fields.get(name)}
        words = " ".join([message, *sorted(codes), str(fields.get("param") or "")]).lower()
        return cls(
            status=status,
            message=message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…",
            words=re.sub(rf"(?<![\w-]){re.escape(model.lower())}(?![\w-])", "", words),
            codes=frozenset(codes),
            generated=str(fields.get("failed_generation") or ""),
            headers=headers or {},
        )

    @property
    def kind(self) -> Kind:
        """The kind of error, "other" if unknown; refusals of a request's form are recognised in `openai_forms`."""
        known: tuple[tuple[Kind, bool], ...] = (
            ("botched", bool(self.codes & _BOTCHED_CODES or _BOTCHED.search(self.words))),
            ("filtered", bool(_FILTERED.search(self.words))),
            ("too long", self._too_long),
            ("unpaid", self.status == 402 or bool(_UNPAID.search(self.words))),
            ("access", self.status in {401, 403} and "model_not_found" not in self.codes),
            ("unknown model", self.status == 404 or (self.status < 429 and bool(_UNKNOWN_MODEL.search(self.words)))),
            ("overloaded", self.status in {408, 409, 425, 429} or self.status >= 500),
        )
        return next((kind for kind, matches in known if matches), "other")

    @property
    def _too_long(self) -> bool:
        if self.status not in {400, 413, 422, 429, 500}:
            return False
        return self.status == 413 or bool(self.codes & _TOO_LONG_CODES or _TOO_LONG.search(self.words))


def _message(error: Any) -> str:
    """Return the message of an error; never the request, which some servers quote in full."""
    if isinstance(error, list):  # FastAPI's: where, and what is wrong there
        return "; ".join(_message(each) for each in error)
    if not isinstance(error, dict):
        return str(error or "")
    if "loc" in error:
        return f"{'.'.join(map(str, error['loc']))}: {error.get('msg', '')}"
    found = next((error[name] for name in ("message", "detail", "error", "msg", "title") if error.get(name)), "")
    return _message(found)
