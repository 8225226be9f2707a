"""Servers that lack parts of the API: what is left out or asked otherwise, and how that is found out."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from mem0g.errors import ModelError, UnknownModelError, UnusableReplyError
from mem0g.llm.openai_forms import Mode, Part, RequestForm, ServerCapabilities
from tests.llm.asking import GOOD, MemoryLedger, OpenAIExchange, Places, model, request
from tests.llm.server import Asked, Reply, call, content, of, refused, serving

REPLY = Places.model_validate(GOOD)
TEXT = content(json.dumps(GOOD))

NO_TOOLS = {
    "Ollama": of(
        {"error": {"message": "registry.ollama.ai/library/gemma3:4b does not support tools", "type": "api_error"}}, 400
    ),
    "llama.cpp without jinja": of({"error": {"code": 500, "message": "tools param requires --jinja flag"}}, 500),
    "llama.cpp, older": of(
        {"error": {"code": 500, "message": "Unsupported param: tools", "type": "server_error"}}, 500
    ),
    "vLLM": of(
        {
            "object": "error",
            "message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            "type": "BadRequestError",
            "code": 400,
        },
        400,
    ),
    "OpenRouter": of({"error": {"message": "No endpoints found that support tool use.", "code": 404}}, 404),
    "DeepSeek": refused(400, "deepseek-reasoner does not support Function Calling", code="invalid_request_error"),
    "Mistral": of(
        {
            "detail": [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", "tools"],
                    "msg": "Extra inputs are not permitted",
                    "input": [],
                }
            ]
        },
        422,
    ),
    "not implemented": of({"detail": "tools are not implemented"}, 501),
}
NO_SCHEMA = {
    "OpenAI": refused(
        400,
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        param="response_format",
    ),
    "ByteDance": refused(
        400,
        "The parameter `response_format.type` specified in the request are not valid: invalid value: `json_schema`, "
        "supported values are: `json_object` and `text`",
    ),
}
NO_JSON = {
    "LM Studio": of({"error": "'response_format.type' must be 'json_schema' or 'text'"}, 400),
    "xAI": of(
        {"code": "invalid", "error": "The response_format parameter is unsupported at the moment. Leave it unset."}, 400
    ),
}
PARTS: dict[Part, Reply] = {
    "parallel_tool_calls": refused(
        400,
        "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
        param="parallel_tool_calls",
        code="unsupported_parameter",
    ),
    "strict": refused(
        400, "Invalid value: 'true'. The value 'true' isn't supported yet.", param="tools[0].function.strict"
    ),
    "temperature": refused(
        400, "Unsupported value: 'temperature' does not support 0 with this model.", param="temperature"
    ),
    "system role": refused(400, "System role not supported"),
    "named tool_choice": of(
        {"error": "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"}, 400
    ),
}


def mode_of(asked: Asked) -> Mode:
    """The mode of a request that came in."""
    if "tools" in asked.json:
        return "function calling"
    modes: dict[str | None, Mode] = {"json_schema": "JSON schema", "json_object": "JSON mode", None: "plain text"}
    return modes[asked.json.get("response_format", {}).get("type")]


def taking(mode: Mode, *refusals: Reply) -> Callable[[Asked], Reply]:
    """A server that refuses, one after the other, and then takes ``mode``."""
    waiting = list(refusals)

    def answer(asked: Asked) -> Reply:
        if waiting:
            return waiting.pop(0)
        assert mode_of(asked) == mode
        return TEXT

    return answer


@pytest.mark.parametrize("refusal", NO_TOOLS.values(), ids=NO_TOOLS)
def test_no_tools(ledger: MemoryLedger, refusal: Reply) -> None:
    """A server without tools is asked by JSON schema at once; the refused request is no call."""
    with serving(taking("JSON schema", *[refusal] * (3 if refusal is NO_TOOLS["vLLM"] else 1))) as server:
        assert model(server, retries=4).ask(request(), ledger) == REPLY
    asked = server.requests[-1]
    given = asked.json["response_format"]["json_schema"]
    assert asked.json["response_format"]["type"] == "json_schema"
    assert (given["name"], given["description"], given["strict"]) == ("answer", "Give the places.", True)
    assert given["schema"]["required"] == ["places", "sure"]
    assert asked.json["temperature"] == 0
    assert {"tools", "tool_choice", "parallel_tool_calls"}.isdisjoint(asked.json)
    assert [(noted.attempt, noted.problem) for noted in ledger.calls] == [(1, "")]


@pytest.mark.parametrize("refusal", NO_SCHEMA.values(), ids=NO_SCHEMA)
def test_no_schema(ledger: MemoryLedger, refusal: Reply) -> None:
    """A server without JSON schemas is asked in JSON mode, with the schema in the system's text."""
    with serving(taking("JSON mode", NO_TOOLS["Ollama"], refusal)) as server:
        assert model(server).ask(request(), ledger) == REPLY
    assert len(server.requests) == 3
    asked = server.requests[-1]
    assert asked.json["response_format"] == {"type": "json_object"}
    (_, system), user = asked.texts
    assert system.startswith("Name the places.\n\nReply with one JSON object and nothing else, ")
    shown = json.loads(system.rpartition("\n")[2])
    assert shown["required"] == ["places", "sure"]
    assert user == ("user", "Where does Ann live?")


@pytest.mark.parametrize("refusal", NO_JSON.values(), ids=NO_JSON)
def test_no_json_mode(ledger: MemoryLedger, refusal: Reply) -> None:
    """A server without JSON mode is asked in plain text, with the schema in the system's text."""
    with serving(taking("plain text", NO_TOOLS["Ollama"], NO_SCHEMA["OpenAI"], refusal)) as server:
        assert model(server).ask(request(), ledger) == REPLY
    asked = server.requests[-1]
    assert set(asked.json) == {"model", "messages", "temperature"}
    assert '"required": ["places", "sure"]' in asked.texts[0][1]


def test_refusing_by_member(ledger: MemoryLedger) -> None:
    """A server that refuses each request with tools or a response format ends with plain text."""
    refusing = {"tools": "tools are not supported", "response_format": "response_format is not supported"}
    with serving([TEXT], refusing=refusing) as server:
        model(server).ask(request(), ledger)
    assert [mode_of(asked) for asked in server.requests] == [
        "function calling",
        "JSON schema",
        "JSON mode",
        "plain text",
    ]


@pytest.mark.parametrize(("part", "refusal"), PARTS.items(), ids=PARTS)
def test_part_refused(ledger: MemoryLedger, part: Part, refusal: Reply) -> None:
    """When only a part is refused, only that is left out, and functions are called as before."""
    abilities = ServerCapabilities()
    with serving([refusal, call(GOOD)]) as server:
        tiny = model(server, capabilities=abilities)
        tiny.ask(request(), ledger)
        assert tiny.provider.capability
        assert str(tiny.provider.capability.form) == f"function calling without {part}"
    before, after = (asked.json for asked in server.requests)
    if part == "system role":
        assert server.requests[1].texts == [("user", "Name the places.\n\nWhere does Ann live?")]
    elif part == "named tool_choice":
        assert after == before | {"tool_choice": "required"}
    elif part == "strict":
        assert "strict" not in after["tools"][0]["function"]
        before["tools"][0]["function"].pop("strict")
        assert after == before
    else:
        before.pop(part)
        assert after == before


def test_tool_choice_refused_twice(ledger: MemoryLedger) -> None:
    """A server that takes no tool_choice of any kind is asked without one."""
    refusal = refused(400, "Thinking mode does not support this tool_choice")
    with serving([refusal, refusal, call(GOOD)]) as server:
        model(server).ask(request(), ledger)
    assert "tool_choice" not in server.requests[-1].json
    assert "tools" in server.requests[-1].json


def test_several_parts_refused(ledger: MemoryLedger) -> None:
    """Parts are left out one after the other, as the server names them, and stay out in a simpler mode."""
    refusals = [PARTS["temperature"], PARTS["strict"], NO_TOOLS["Ollama"]]
    with serving(taking("JSON schema", *refusals)) as server:
        model(server).ask(request(), ledger)
    asked = server.requests[-1].json
    assert "temperature" not in asked
    assert "strict" not in asked["response_format"]["json_schema"]


def test_repair_in_a_simpler_mode(ledger: MemoryLedger) -> None:
    """The repair asks for JSON where JSON was asked for."""
    with serving([NO_TOOLS["Ollama"], content('{"places": []}'), TEXT]) as server:
        model(server).ask(request(), ledger)
    assert [mode_of(asked) for asked in server.requests[1:]] == ["JSON schema"] * 2
    assert server.requests[2].texts[2:] == [
        ("assistant", '{"places": []}'),
        (
            "user",
            "That reply cannot be used: sure is missing\n"
            "Reply again in full, corrected, as one JSON object and nothing else.",
        ),
    ]


def test_tools_passed_over(ledger: MemoryLedger) -> None:
    """A server that takes tools and passes over them is asked more simply after the repair has failed too, and that
    is remembered.
    """

    def answer(asked: Asked) -> Reply:
        return content("Ann lives in Oslo.") if "tools" in asked.json else TEXT

    with serving(answer) as server:
        tiny = model(server)
        assert tiny.ask(request(), ledger) == REPLY
        tiny.ask(request("again"), ledger)
    assert [mode_of(asked) for asked in server.requests] == ["function calling"] * 2 + ["JSON schema"] * 2
    assert [(noted.attempt, bool(noted.problem)) for noted in ledger.calls] == [
        (1, True),
        (2, True),
        (3, False),
        (1, False),
    ]


def test_model_astray(ledger: MemoryLedger) -> None:
    """A model that says words where its server is known to call functions is not asked more simply."""
    with serving([call(GOOD), content("Ann lives in Oslo.")]) as server:
        tiny = model(server)
        tiny.ask(request("first"), ledger)
        with pytest.raises(UnusableReplyError, match="text instead of a call of answer"):
            tiny.ask(request(), ledger)
    assert len(server.requests) == 3


def test_words_only(ledger: MemoryLedger) -> None:
    """A model that only ever says words is given up after the simplest mode, and nothing is remembered of it."""
    with serving([content("Oslo, I think.")]) as server:
        tiny = model(server)
        with pytest.raises(UnusableReplyError) as caught:
            tiny.ask(request(), ledger)
        assert tiny.provider.capability is None
    assert caught.value.reply == "Oslo, I think."
    assert len(server.requests) == 8
    assert mode_of(server.requests[-1]) == "plain text"


def test_server_that_got_worse(ledger: MemoryLedger) -> None:
    """A server that refuses what it was known to take is asked otherwise, and the new way is remembered."""
    abilities = ServerCapabilities()
    with serving([call(GOOD), NO_TOOLS["Ollama"], TEXT]) as server:
        tiny = model(server, capabilities=abilities)
        tiny.ask(request("first"), ledger)
        tiny.ask(request(), ledger)
        assert tiny.provider.capability
        assert tiny.provider.capability.form == RequestForm("JSON schema")


def test_model_named_like_a_part(ledger: MemoryLedger) -> None:
    """A model whose name has the words of a refusal, and is unknown, is an unknown model."""
    with serving([refused(404, "The model `tools-strict` does not exist.")]) as server:
        wrong = OpenAIExchange("tools-strict", base_url=server.base_url, capabilities=ServerCapabilities())
        with pytest.raises(UnknownModelError):
            wrong.ask(request(), ledger)
    assert len(server.requests) == 1


def test_model_with_a_short_name(ledger: MemoryLedger) -> None:
    """Only the whole name of a model is left out of a server's words, not letters of others."""
    with serving([PARTS["temperature"], call(GOOD)]) as server:
        OpenAIExchange("e", base_url=server.base_url, retries=0, capabilities=ServerCapabilities()).ask(
            request(), ledger
        )
    assert "temperature" not in server.requests[-1].json


def test_request_quoted_by_the_server(ledger: MemoryLedger) -> None:
    """Words of the request that a server quotes in its error are not taken for what it is about."""
    quoting = {"detail": [{"loc": ["body", "messages"], "msg": "too few", "input": {"tools": ["response_format"]}}]}
    with serving([of(quoting, 422)]) as server, pytest.raises(ModelError, match=r"body\.messages: too few"):
        model(server).ask(request(), ledger)
    assert len(server.requests) == 1
