"""What a server means by an error: each says it in its own words, and many of them are the same few things."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["botched", "filtered", "too long", "unpaid", "access", "unknown model", "overloaded", "other"]

DEEPEST = 100
"""Levels of lists and objects in one another that are read: a chat completion has eight."""

_LONGEST = 300
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
    """An error that a server answered with instead of a reply.

    ``words`` are its message, code and parameter in lower case and without the model's name, to look for what it is
    about; ``generated`` is the model's text where the server shows it; ``attempts`` how often it was asked.
    """

    status: int
    message: str
    words: str
    codes: frozenset[str]
    generated: str = ""
    attempts: int = 1

    @classmethod
    def of(cls, status: int, text: str, model: str, attempts: int = 1) -> Refusal:
        """Read the body of an error, whatever its form."""
        try:
            body = parsed_json(text)
        except ValueError:
            body = _TAGS.sub(" ", text)
        return cls.given(status, body, model, attempts)

    @classmethod
    def given(cls, status: int, body: Any, model: str, attempts: int = 1) -> Refusal:
        """Read an error's JSON: OpenAI's, vLLM's (without "error"), Ollama's (a string), FastAPI's (a list)."""
        error = body.get("error") or body if isinstance(body, dict) else body
        fields = error if isinstance(error, dict) else {}
        message = " ".join(_message(error).split()) or f"status {status}"
        codes = {str(fields[name]).lower() for name in ("code", "type") if fields.get(name)}
        words = " ".join([message, *sorted(codes), str(fields.get("param") or "")]).lower()
        return cls(
            status=status,
            message=message if len(message) <= _LONGEST else message[: _LONGEST - 1] + "…",
            words=re.sub(rf"(?<![\w-]){re.escape(model.lower())}(?![\w-])", "", words),
            codes=frozenset(codes),
            generated=str(fields.get("failed_generation") or ""),
            attempts=attempts,
        )

    @property
    def kind(self) -> Kind:
        """What it means, as far as that can be told; what is refused of a request's form is left to `modes`."""
        known: tuple[tuple[Kind, bool], ...] = (
            ("botched", bool(self.codes & _BOTCHED_CODES or _BOTCHED.search(self.words))),
            ("filtered", bool(_FILTERED.search(self.words))),
            ("too long", self._too_long),
            ("unpaid", self.status == 402 or bool(_UNPAID.search(self.words))),
            ("access", self.status in {401, 403} and "model_not_found" not in self.codes),
            ("unknown model", self.status == 404 or (self.status < 429 and bool(_UNKNOWN_MODEL.search(self.words)))),
            ("overloaded", self.status in {408, 409, 425, 429} or self.status >= 500),
        )
        return next((kind for kind, so in known if so), "other")

    @property
    def _too_long(self) -> bool:
        if self.status not in {400, 413, 422, 429, 500}:
            return False
        return self.status == 413 or bool(self.codes & _TOO_LONG_CODES or _TOO_LONG.search(self.words))


def parsed_json(text: str | bytes) -> Any:
    """The JSON in what a server sent. Raises ValueError for what is none, or is nested deeper than ``DEEPEST``."""
    written = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    try:
        value = json.loads(written)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    level = [value]
    for _ in range(DEEPEST):
        inner = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [child for children in inner for child in children]
        if not level:
            return value
    raise ValueError("nested too deeply")


def _message(error: Any) -> str:
    """The words of an error meant for people; never the request, which some servers quote in full."""
    if isinstance(error, list):  # FastAPI's: where, and what is wrong there
        return "; ".join(_message(each) for each in error)
    if not isinstance(error, dict):
        return str(error or "")
    if "loc" in error:
        return f"{'.'.join(map(str, error['loc']))}: {error.get('msg', '')}"
    found = next((error[name] for name in ("message", "detail", "error", "msg", "title") if error.get(name)), "")
    return _message(found)
