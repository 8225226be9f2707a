"""Read traces of agents: messages as in the OpenAI API, items and traces of OpenAI's Agents SDK, events of LangGraph.

Each becomes a list of chat messages, which are read as items of a run: what was said, and calls with their results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from mem0g.errors import TranscriptError
from mem0g.procedural.runs import error_in
from mem0g.transcripts.formats.openai import ROLES, part_text
from mem0g.transcripts.json_loading import load
from mem0g.transcripts.timestamps import read_timestamp

Raw = Mapping[str, Any]

LANGCHAIN_ROLES = {
    "human": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "tool": "tool",
    "system": "system",
}
"""Roles of the chat API by LangChain's types of messages."""

HINT = "give messages as in the OpenAI API, items or spans of OpenAI's Agents SDK, or events of LangGraph"


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a run: words of the ``user`` or of the ``agent``, or a ``step``: a call of a tool and its result."""

    kind: Literal["user", "agent", "step"]
    text: str
    tool: str = ""
    arguments: str = ""
    error: str = ""
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The items of a run in order, and the id that the trace itself gives, "" if none."""

    items: tuple[Item, ...]
    id: str = ""


def read_trace(given: Iterable[object], source: str = "trace") -> Trace:
    """Return the run in a list of records.

    Raises TranscriptError for a record of an unknown kind, and where there are neither messages nor calls of tools.
    """
    records = [_as_mapping(each, source, number) for number, each in enumerate(given, 1)]
    messages, run, title = list[Raw](), "", ""
    if any(each.get("object") in ("trace", "trace.span") for each in records):
        messages, run, title = _of_spans(records)
    elif any(str(each.get("event", "")).startswith("on_") for each in records):
        messages = list(_of_stream_events(records))
    else:
        for number, each in enumerate(records, 1):
            read = list(_of_record(each, source, number))
            cumulative = "messages" in each and len(each) == 1  # each state of a graph has all messages so far
            messages = read if cumulative else [*messages, *read]
    items = list(_items(_without_repeats(messages), source))
    if title and not any(item.kind == "user" for item in items):  # spans need not have the words of the user
        items.insert(0, Item("user", title))
    if not items:
        raise TranscriptError("the trace is empty: it has neither messages nor calls of tools", hint=HINT)
    return Trace(tuple(items), run)


def read_text(text: str, source: str) -> list[Any]:
    """Return the records of a file: JSON Lines, a JSON list, or an object with messages or items."""
    stripped = text.strip()
    if not stripped.startswith("["):
        lines = [(number, line) for number, line in enumerate(stripped.split("\n"), 1) if line.strip()]
        if len(lines) > 1 and lines[0][1].rstrip().endswith("}"):
            return [load(line, source, number) for number, line in lines]
    document = load(text, source)
    if isinstance(document, Mapping):
        document = next((document[key] for key in ("messages", "items", "data") if key in document), [document])
    return document if isinstance(document, list) else [document]


def _as_mapping(given: object, source: str, number: int) -> Raw:
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2 and isinstance(given[0], str):
        given = given[1]  # LangGraph's (mode, event)
    for name in ("model_dump", "export"):
        if hasattr(given, name):
            given = getattr(given, name)()
    if not isinstance(given, Mapping):
        raise TranscriptError(f"{source}, record {number}: {str(given)[:40]!r} is no object", hint=HINT)
    return given


def _of_record(record: Raw, source: str, number: int) -> Iterator[Raw]:
    """Yield the messages of a message, an item of the Agents SDK, or an update or a state of LangGraph."""
    kind = record.get("type")
    if isinstance(record.get("messages"), Sequence):
        yield from (_langchain(each) for each in record["messages"])
    elif "role" in record and record["role"] in ROLES:
        yield record
    elif kind in LANGCHAIN_ROLES:
        yield _langchain(record)
    elif kind == "function_call_output" or str(kind).endswith("_call_output"):
        yield {"role": "tool", "tool_call_id": record.get("call_id"), "content": _text(record.get("output"))}
    elif kind == "reasoning":
        return
    elif str(kind).endswith("_call"):
        yield from _of_call_item(record)
    elif record and all(isinstance(each, Mapping | None) for each in record.values()):
        for update in record.values():
            found = (update or {}).get("messages", ())
            yield from (_langchain(each) for each in (found if isinstance(found, Sequence) else [found]))
    else:
        raise TranscriptError(f"{source}, record {number}: of no known kind: {str(dict(record))[:60]}", hint=HINT)


def _of_call_item(record: Raw) -> Iterator[Raw]:
    """Yield the message of a call; a tool that OpenAI runs itself has no result of its own."""
    call = str(record.get("call_id") or record.get("id") or "")
    hosted = record.get("type") != "function_call"
    name = str(record.get("name") or str(record.get("type")).removesuffix("_call"))
    given = (
        record.get("arguments") if not hosted else record.get("action") or record.get("code") or record.get("queries")
    )
    yield {"role": "assistant", "tool_calls": [_called(call, name, given)]}
    if hosted and record.get("type") not in ("computer_call", "local_shell_call", "shell_call", "custom_tool_call"):
        output = _text(record.get("results") or record.get("outputs") or record.get("output"))
        yield {"role": "tool", "tool_call_id": call, "content": output or str(record.get("status") or "")}


def _called(call: str, name: str, arguments: object) -> dict[str, Any]:
    given = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False, default=str)
    return {"id": call, "function": {"name": name, "arguments": given}}


def _langchain(message: Any) -> Raw:
    """Return a message of LangChain's, an object or dumped, as a chat message."""
    if hasattr(message, "model_dump"):
        message = message.model_dump()
    if isinstance(message, Mapping) and isinstance(message.get("kwargs"), Mapping):  # langchain_core.load.dumpd
        message = {**message["kwargs"], "type": message["kwargs"].get("type", "")}
    if isinstance(message, Mapping) and isinstance(message.get("data"), Mapping):  # message_to_dict
        message = {**message["data"], "type": message.get("type")}
    if not isinstance(message, Mapping) or message.get("role") in ROLES:
        return message if isinstance(message, Mapping) else {"role": "assistant", "content": str(message)}
    calls = [
        _called(str(each.get("id")), str(each.get("name")), each.get("args"))
        for each in message.get("tool_calls") or ()
    ]
    made = {
        "role": LANGCHAIN_ROLES.get(str(message.get("type")), "assistant"),
        "content": message.get("content"),
        "tool_call_id": message.get("tool_call_id"),
        "failed": message.get("status") == "error",
        "id": message.get("id"),
    }
    return {**made, "tool_calls": calls} if calls else made


def _of_stream_events(records: Sequence[Raw]) -> Iterator[Raw]:
    """Yield the messages of LangGraph's ``astream_events``: the first input, what the model says, calls and results."""
    asked = False
    for record in records:
        event, data = record.get("event"), record.get("data") or {}
        call = str(record.get("run_id") or "")
        if event == "on_chain_start" and not asked:
            found = _messages_in(data.get("input"))
            asked = bool(found)
            yield from (_langchain(each) for each in found)
        elif event == "on_chat_model_end":
            made = dict(_langchain(data.get("output") or {}))
            made.pop("tool_calls", None)  # the tool's own events have them
            yield made
        elif event == "on_tool_start":
            name, given = str(record.get("name")), data.get("input")
            yield {"role": "assistant", "tool_calls": [_called(call, name, given)]}
        elif event in ("on_tool_end", "on_tool_error"):
            output = data.get("output") if event == "on_tool_end" else data.get("error")
            made = (
                dict(_langchain(output)) if not isinstance(output, str | None | BaseException) else {"content": output}
            )
            failed = event == "on_tool_error" or made.get("failed")
            yield {"role": "tool", "tool_call_id": call, "content": _text(made.get("content")), "failed": failed}


def _messages_in(given: object) -> Sequence[Any]:
    found = given.get("messages") if isinstance(given, Mapping) else None
    return found if isinstance(found, Sequence) and not isinstance(found, str) else ()


def _of_spans(records: Sequence[Raw]) -> tuple[list[Raw], str, str]:
    """Return the messages, the id and the title of a trace of the Agents SDK, as its processors export it."""
    spans = [each for each in records if each.get("object") == "trace.span"]
    traces = [each for each in records if each.get("object") == "trace"]
    messages: list[Raw] = []
    for span in sorted(spans, key=lambda each: str(each.get("started_at") or "")):
        data, error = span.get("span_data") or {}, span.get("error")
        when, kind = span.get("started_at"), data.get("type")
        if kind == "generation":
            heard = [each for each in data.get("input") or () if isinstance(each, Mapping)]
            users = [each for each in heard if each.get("role") == "user"]
            messages += [{**each, "timestamp": when} for each in users if not messages]
            said = [each for each in data.get("output") or () if isinstance(each, Mapping)]
            messages += [{"role": "assistant", "content": each.get("content"), "timestamp": when} for each in said]
        elif kind == "response":
            messages += [{"role": "user", "content": text} for text in _asked(data.get("input")) if not messages]
        elif kind in ("function", "handoff"):
            name = str(data.get("name") or "handoff")
            given = data.get("input") if kind == "function" else {"to": data.get("to_agent")}
            call = str(span.get("id"))
            output = _text(error.get("message") if isinstance(error, Mapping) else data.get("output"))
            if isinstance(error, Mapping) and error.get("data"):
                output = f"{output}: {_text(error['data'].get('error', error['data']))}"
            messages.append({"role": "assistant", "tool_calls": [_called(call, name, given)], "timestamp": when})
            messages.append({"role": "tool", "tool_call_id": call, "content": output, "failed": bool(error)})
    first = traces[0] if traces else {}
    run = str(first.get("id") or (spans[0].get("trace_id") if spans else "") or "")
    return messages, run, str(first.get("workflow_name") or "")


def _asked(given: object) -> list[str]:
    """Return the words of the user in the input of a response."""
    if isinstance(given, str):
        return [given]
    items = given if isinstance(given, Sequence) else ()
    return [_text(each.get("content")) for each in items if isinstance(each, Mapping) and each.get("role") == "user"]


def _text(content: object) -> str:
    """Return a content as text: parts joined, other JSON as it is."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, BaseException):
        return f"{type(content).__name__}: {content}"
    if isinstance(content, Sequence) and all(isinstance(part, Mapping | str) for part in content):
        texts = [part_text(part) for part in content]
        if all(texts) or not content:
            return "\n".join(texts)
    return json.dumps(content, ensure_ascii=False, default=str)


def _without_repeats(messages: Sequence[Raw]) -> list[Raw]:
    """Return the messages without those that come again with the same id, as in several events of one graph."""
    seen: set[object] = set()
    kept = []
    for each in messages:
        key = each.get("id")
        if key is None or key not in seen:
            kept.append(each)
        seen.add(key)
    return kept


def _items(messages: Sequence[Raw], source: str) -> Iterator[Item]:
    """Yield what was said and done, in order; the last calls only once they have results."""
    results = {each.get("tool_call_id"): each for each in messages if each.get("role") in ("tool", "function")}
    last = max(
        (place for place, each in enumerate(messages) if each.get("role") not in ("tool", "function")), default=0
    )
    for place, message in enumerate(messages):
        role, when = message.get("role"), message.get("timestamp")
        time = None if when is None else read_timestamp(when, UTC, source, f"message {place + 1}")
        text = _text(message.get("content")).strip()
        if role in ("user", "assistant") and text:
            yield Item("user" if role == "user" else "agent", text, time=time)
        for call in message.get("tool_calls") or ():
            result = results.get(call.get("id"))
            if result is None and place == last:
                return  # it goes on: what it has not answered yet, a longer trace may
            function = call.get("function") or {}
            output = _text(result.get("content")) if result else "(no result)"
            error = error_in(output, failed=bool(result and result.get("failed")) or result is None)
            yield Item("step", output, str(function.get("name")), str(function.get("arguments") or ""), error, time)
