"""What of a model's answer is a reply to the request, and what is wrong with it when it is none."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Generic

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mem0g.errors import InputError, UnusableReplyError
from mem0g.llm.answers import Answer
from mem0g.llm.refusals import parsed_json
from mem0g.llm.request import R, Request

LONGEST_PROBLEM, LONGEST_SHOWN = 2_000, 100_000
"""Characters of what is wrong with a reply, and of a bad reply itself, that are kept and told to the model."""

_MOST_ERRORS = 8
_LONGEST_VALUE = 60
_FENCED = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)
_CALL_AS_TEXT = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[R]):
    """A reply as it was read: None and the ``problem`` when it is bad.

    ``text`` is the reply as JSON text, or, when it is bad, its raw text. ``astray``: nothing in it looks like what was
    asked for, as from a server that passes over the form of the request.
    """

    reply: R | None
    text: str
    problem: str = ""
    astray: bool = False


def read(answer: Answer, request: Request[R]) -> Reading[R]:
    """The reply in an answer: the arguments of the one call of the one function, or JSON said instead of a call."""
    found = _read(answer, request)
    if found.reply is not None:
        return found
    return replace(found, text=found.text[:LONGEST_SHOWN], problem=found.problem[:LONGEST_PROBLEM])


def _read(answer: Answer, request: Request[R]) -> Reading[R]:
    bad = _not_a_reply(answer, request.function)
    if bad:
        return Reading(reply=None, text=answer.raw, problem=bad)
    if answer.calls:
        return read_text(_unwrapped(answer.raw), request)
    text = _said_as_text(answer.content, request.function)
    if not text.startswith(("{", "[")):
        problem = f"words instead of a call of {request.function}" if text else "an empty reply"
        return Reading(reply=None, text=answer.raw, problem=problem, astray=True)
    return read_text(text, request)


def read_text(text: str, request: Request[R]) -> Reading[R]:
    """The reply that JSON text is, once its type and the request's check accept it; a date or a triple that mem0g
    itself cannot read is a bad reply too.
    """
    try:
        reply = request.reply.model_validate_json(text)
        request.check(reply)
    except ValidationError as error:
        return Reading(reply=None, text=text, problem=explained(error))
    except (UnusableReplyError, InputError) as error:
        return Reading(reply=None, text=text, problem=str(error))
    return Reading(reply=reply, text=text)


def explained(error: ValidationError) -> str:
    """What is wrong with a reply, for people and models to read: where, what was expected, what was given."""
    errors = error.errors(include_url=False, include_context=False)
    lines = [_explained(each) for each in errors[:_MOST_ERRORS]]
    more = [f"and {len(errors) - _MOST_ERRORS} more"] if len(errors) > _MOST_ERRORS else []
    return "; ".join(lines + more)


def _explained(error: ErrorDetails) -> str:
    if error["type"] == "json_invalid":
        return f"broken JSON ({error['msg'].removeprefix('Invalid JSON: ')})"
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"]).lstrip(".")
    if error["type"] == "missing":
        return f"{where} is missing"
    given = json.dumps(error["input"], ensure_ascii=False, default=str)
    given = given if len(given) <= _LONGEST_VALUE else given[: _LONGEST_VALUE - 1] + "…"
    if error["type"] == "extra_forbidden":
        return f"{where} is no field of the schema (given: {given})"
    return f"{where or 'the reply'}: {error['msg']} (given: {given})"


def _not_a_reply(answer: Answer, function: str) -> str:
    """Why there is no use in reading an answer; "" when there is."""
    if answer.finish == "length":
        return "cut off at its greatest length"
    if answer.problem:
        return answer.problem
    if answer.declined:
        return f"it declined: {answer.declined}"
    if answer.finish == "content_filter":
        return "stopped by the server's content filter"
    names = [name for name, _ in answer.calls]
    if len(names) > 1:
        return f"{len(names)} calls where one was asked: {', '.join(names)}"
    if names and names[0] != function:
        return f"a call of {names[0]!r} instead of {function!r}"
    return ""


def _unwrapped(text: str) -> str:
    """The inside of the one code fence in ``text``, if there is one; the whole otherwise."""
    fenced = _FENCED.findall(text)
    return (fenced[0] if len(fenced) == 1 else text).strip()


def _without_thoughts(content: str) -> str:
    """The text without the first ``<think>…</think>`` in it, if there is one."""
    before, opened, rest = content.partition("<think>")
    _, closed, after = rest.partition("</think>")
    return before + after if opened and closed else content


def _said_as_text(content: str, function: str) -> str:
    """What was said where a call was asked: without thoughts and fence, and a call that was written out as its
    arguments (as models do whose calls the server does not know to read).
    """
    text = _without_thoughts(content)
    written = _CALL_AS_TEXT.findall(text)
    text = _unwrapped(written[0] if len(written) == 1 else text)
    try:
        call = parsed_json(text)
    except ValueError:
        return text
    if not isinstance(call, dict) or call.get("name") != function:
        return text
    arguments = call.get("arguments", call.get("parameters"))
    return json.dumps(arguments, ensure_ascii=False) if len(call) == 2 and isinstance(arguments, dict) else text
