"""What a server's errors become: which at once, which after another attempt, each with what to do about it."""

from __future__ import annotations

import pytest

from mem0g.errors import (
    InputError,
    ModelAccessError,
    ModelError,
    PromptTooLongError,
    UnknownModelError,
    UnreachableModelError,
    UnusableReplyError,
)
from tests.llm.asking import GOOD, MemoryLedger, OpenAIExchange, model, request
from tests.llm.server import Reply, call, dropped, late, of, refused, serving

LONG = "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens."

TOO_LONG = {
    "OpenAI": refused(400, LONG, code="context_length_exceeded", param="messages"),
    "OpenAI, tokens a minute": refused(
        429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000."
    ),
    "vLLM": of({"object": "error", "message": LONG, "type": "BadRequestError", "param": None, "code": 400}, 400),
    "llama.cpp": of(
        {
            "error": {
                "code": 400,
                "message": "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_ctx": 4096,
            }
        },
        400,
    ),
    "llama.cpp, 500": of(
        {"error": {"code": 500, "message": "Context size has been exceeded.", "type": "server_error"}}, 500
    ),
    "llama.cpp, 200": of({"error": {"code": 400, "message": "the request exceeds the available context size."}}),
    "llama-cpp-python": refused(400, "Requested tokens (2285) exceed context window of 2048"),
    "LM Studio": of(
        {
            "error": "Trying to keep the first 10136 tokens when context the overflows. "
            "However, the model is loaded with context length of only 7866 tokens, which is not enough."
        },
        400,
    ),
    "Ollama": of({"error": "the prompt exceeds the context length of 4096"}, 400),
    "SGLang": of(
        {
            "object": "error",
            "message": "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
        },
        400,
    ),
    "TGI": of(
        {
            "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048",
            "error_type": "validation",
        },
        422,
    ),
    "xAI": of(
        {"code": "invalid", "error": "This model's maximum prompt length is 131072 but the request contains 537812."},
        400,
    ),
    "Gemini": of(
        [
            {
                "error": {
                    "code": 400,
                    "message": "The input token count (2000000) exceeds the maximum number of tokens allowed",
                }
            }
        ],
        400,
    ),
    "a proxy": Reply(b"<html><h1>413 Request Entity Too Large</h1></html>", 413),
}

UNKNOWN = {
    "OpenAI": refused(404, "The model `tiny` does not exist or you do not have access to it.", code="model_not_found"),
    "OpenAI, 403": refused(403, "Project `p` does not have access to model `tiny`", code="model_not_found"),
    "vLLM": of(
        {"object": "error", "message": "The model `tiny` does not exist.", "type": "NotFoundError", "code": 404}, 404
    ),
    "Ollama": of({"error": {"message": 'model "tiny" not found, try pulling it first', "type": "api_error"}}, 404),
    "LM Studio": of({"error": 'Invalid model identifier "tiny". Please specify a valid downloaded model'}, 400),
    "DeepSeek": refused(400, "Model Not Exist", code="invalid_request_error"),
    "OpenRouter": of({"error": {"message": "tiny is not a valid model ID", "code": 400}}, 400),
    "no such page": Reply(b"404 page not found", 404),
}

AGAIN = {
    "429": refused(429, "Rate limit reached", code="rate_limit_exceeded", retry_after_ms="5"),
    "429, Retry-After": refused(429, "Rate limit reached", retry_after="0.005"),
    "500": refused(500, "The server had an error", retry_after_ms="5"),
    "502": Reply(b"<html><body><h1>502 Bad Gateway</h1></body></html>", 502, {"retry-after-ms": "5"}),
    "503": of({"error": "Loading model"}, 503, retry_after_ms="5"),
}


@pytest.mark.parametrize("reply", AGAIN.values(), ids=AGAIN)
def test_overloaded_once(ledger: MemoryLedger, reply: Reply) -> None:
    """After 429 and 5xx the request is sent again when the server says so, and one call is noted."""
    with serving([reply, call(GOOD)]) as server:
        model(server, retries=1).ask(request(), ledger)
    assert len(server.requests) == 2
    assert server.requests[0].json == server.requests[1].json
    assert [(noted.attempt, noted.problem) for noted in ledger.calls] == [(1, "")]


@pytest.mark.parametrize(("name", "words"), [("429", "Rate limit reached"), ("502", "502 Bad Gateway")])
def test_overloaded_for_ever(ledger: MemoryLedger, name: str, words: str) -> None:
    """When that does not help, the error says what the server answered and how often it was asked."""
    with serving([AGAIN[name]]) as server, pytest.raises(UnreachableModelError) as caught:
        model(server, retries=2).ask(request(), ledger)
    assert str(caught.value) == f"{server.base_url} answered {name} for 'tiny': {words} (3 attempts)"
    assert "try again later" in str(caught.value.hint)
    assert caught.value.retry
    assert len(server.requests) == 3
    assert ledger.calls == []


def test_error_behind_status_200(ledger: MemoryLedger) -> None:
    """An error sent as if all were well is read as the error that it is."""
    reply = of({"choices": [{"error": {"code": 502, "message": "Provider failed"}, "finish_reason": "error"}]})
    with serving([reply]) as server, pytest.raises(UnreachableModelError, match=r"answered 502 .*: Provider failed"):
        model(server).ask(request(), ledger)


def test_dropped_once(ledger: MemoryLedger) -> None:
    """After a dropped connection the request is sent again."""
    with serving([dropped(), call(GOOD)]) as server:
        model(server, retries=1).ask(request(), ledger)
    assert len(server.requests) == 2


@pytest.mark.parametrize("reply", [dropped(), Reply(b'{"choices": [', size=1000)], ids=["at once", "in the middle"])
def test_dropped_for_ever(ledger: MemoryLedger, reply: Reply) -> None:
    """A connection that is dropped each time is an error that names the server and says what happened."""
    with serving([reply]) as server, pytest.raises(UnreachableModelError) as caught:
        model(server, retries=1).ask(request(), ledger)
    assert str(caught.value).startswith(f"{server.base_url} cannot be reached for 'tiny': ")
    assert str(caught.value).endswith(" (2 attempts)")
    assert caught.value.hint == "check the server's address (OPENAI_BASE_URL) and the network"


def test_timeout(ledger: MemoryLedger) -> None:
    """A server that is too slow each time is an error that says how long it was waited for."""
    with serving([late(call(GOOD), 30)]) as server, pytest.raises(UnreachableModelError) as caught:
        model(server, retries=1, timeout=0.05).ask(request(), ledger)
    assert str(caught.value) == f"{server.base_url} gave no answer for 'tiny' within 0.05 s (2 attempts)"
    assert "--llm-timeout" in str(caught.value.hint)


def test_slow_once(ledger: MemoryLedger) -> None:
    """After a timeout the request is sent again, and the seconds of both are counted."""
    with serving([late(call(GOOD), 30), call(GOOD)]) as server:
        model(server, retries=5, timeout=0.3).ask(request(), ledger)
    (noted,) = ledger.calls
    assert noted.seconds > 0.3


def test_not_reached(ledger: MemoryLedger, nowhere: str) -> None:
    """A server that is not there is named."""
    with pytest.raises(UnreachableModelError, match=f"{nowhere} cannot be reached for 'tiny': .*refused"):
        OpenAIExchange("tiny", base_url=nowhere, retries=0).ask(request(), ledger)


@pytest.mark.parametrize("status", [401, 403])
def test_access(ledger: MemoryLedger, status: int) -> None:
    """A key that is refused is an error at once, with the server's words."""
    with serving([refused(status, "Incorrect API key provided")]) as server, pytest.raises(ModelAccessError) as caught:
        model(server, retries=4).ask(request(), ledger)
    assert str(caught.value) == f"{server.base_url} refused 'tiny' ({status}): Incorrect API key provided"
    assert caught.value.hint == "check the key (OPENAI_API_KEY)"
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 402])
def test_no_credit(ledger: MemoryLedger, status: int) -> None:
    """Where there is no credit left, nothing is sent again."""
    reply = refused(status, "You exceeded your current quota.", code="insufficient_quota", retry_after_ms="5")
    with serving([reply]) as server, pytest.raises(ModelAccessError, match="exceeded your current quota") as caught:
        model(server, retries=4).ask(request(), ledger)
    assert "no credit left" in str(caught.value.hint)
    assert len(server.requests) == 1


def test_no_key(ledger: MemoryLedger) -> None:
    """Without a key and a server, the error says what to set."""
    with pytest.raises(ModelAccessError, match="no key for the model 'gpt-4o-mini'") as caught:
        OpenAIExchange("gpt-4o-mini").ask(request(), ledger)
    assert caught.value.hint == "set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own"


def test_key_that_is_none(ledger: MemoryLedger) -> None:
    """A key with a character that no header can carry is refused before any request, and not shown."""
    with serving([call(GOOD)]) as server, pytest.raises(ModelAccessError) as caught:
        model(server, api_key="sk-secret…").ask(request(), ledger)
    assert "secret" not in str(caught.value)
    assert server.requests == []


@pytest.mark.parametrize("address", ["localhost:8000/v1", "ftp://host/v1", "http://[1", "http://"])
def test_address_that_is_none(ledger: MemoryLedger, address: str) -> None:
    """An address that is none is refused before any request."""
    with pytest.raises(InputError, match="is not the address of a server") as caught:
        OpenAIExchange("tiny", base_url=address).ask(request(), ledger)
    assert caught.value.hint == "write it like http://localhost:8000/v1"


@pytest.mark.parametrize("reply", UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_model(ledger: MemoryLedger, reply: Reply) -> None:
    """An unknown model is an error at once, which names models that the server has, those most like it first."""
    names = ["whisper", "tiny-2", "embed", "big", "gpt", "tinny"]
    with serving([reply], models=names) as server, pytest.raises(UnknownModelError) as caught:
        model(server, retries=4).ask(request(), ledger)
    hint = str(caught.value.hint)
    assert hint.startswith("name a model with --model or MEM0G_MODEL; the server has ")
    assert {"tiny-2", "tinny"} == set(hint.partition("the server has ")[2].split(", ")[:2])
    assert hint.endswith(", …")
    assert len(server.requests) == 1


def test_unknown_model_of_a_server_without_a_list(ledger: MemoryLedger) -> None:
    """Where the server names no models, the hint is to check its address."""
    with serving([refused(404, "Not Found")], models=[]) as server, pytest.raises(UnknownModelError) as caught:
        model(server).ask(request(), ledger)
    assert "check the server's address (OPENAI_BASE_URL)" in str(caught.value.hint)


@pytest.mark.parametrize("reply", TOO_LONG.values(), ids=TOO_LONG)
def test_prompt_too_long(ledger: MemoryLedger, reply: Reply) -> None:
    """However a server words it, a prompt too long is an error at once."""
    with serving([reply]) as server, pytest.raises(PromptTooLongError) as caught:
        model(server, retries=4).ask(request(), ledger)
    assert server.base_url in str(caught.value)
    assert len(server.requests) == 1
    assert ledger.calls == []


def test_repair_too_long(ledger: MemoryLedger) -> None:
    """A repair that is too long is that error, and the bad reply before it is noted."""
    with serving([call("{"), TOO_LONG["OpenAI"]]) as server, pytest.raises(PromptTooLongError):
        model(server).ask(request(), ledger)
    assert [bool(problem) for problem in ledger.problems] == [True]


BOTCHED = {
    "Groq": of(
        {
            "error": {
                "message": "Failed to call a function. Please adjust your prompt. See 'failed_generation'.",
                "type": "invalid_request_error",
                "code": "tool_use_failed",
                "failed_generation": "<function=answer>{",
            }
        },
        400,
    ),
    "Ollama": of({"error": {"message": "error parsing tool call: raw='{', err=unexpected end of JSON input"}}, 500),
    "llama.cpp": of(
        {"error": {"code": 500, "message": "Failed to parse input at pos 12: {", "type": "server_error"}}, 500
    ),
}


@pytest.mark.parametrize("reply", BOTCHED.values(), ids=BOTCHED)
def test_call_that_the_server_cannot_read(ledger: MemoryLedger, reply: Reply) -> None:
    """A call that the server itself cannot read is a bad reply: repaired, not sent again as it was."""
    with serving([reply, call(GOOD)]) as server:
        model(server, retries=4).ask(request(), ledger)
    assert len(server.requests) == 2
    assert "{" in server.requests[1].texts[2][1]
    assert [bool(problem) for problem in ledger.problems] == [True, False]


def test_filtered(ledger: MemoryLedger) -> None:
    """A prompt that the server's content filter stops can be set aside as a bad reply can."""
    words = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    with serving([refused(400, words, code="content_filter")]) as server, pytest.raises(UnusableReplyError) as caught:
        model(server).ask(request(), ledger)
    assert caught.value.reply == words
    assert len(server.requests) == 1


def test_refused_for_another_reason(ledger: MemoryLedger) -> None:
    """A refusal that means none of these is an error with the server's words."""
    with serving([refused(400, "Invalid 'messages': no.")]) as server, pytest.raises(ModelError) as caught:
        model(server).ask(request(), ledger)
    assert str(caught.value) == f"{server.base_url} refused 'tiny' (400): Invalid 'messages': no."


@pytest.mark.parametrize(
    "reply",
    [Reply(b"<html>Log in</html>"), Reply(b""), of([]), of({}), of({"choices": "none"}), of({"choices": [7]})],
    ids=["html", "nothing", "list", "object", "choices", "choice"],
)
def test_no_chat_completion(ledger: MemoryLedger, reply: Reply) -> None:
    """An answer that is no chat completion is an error that names server and model, not a bad reply."""
    with (
        serving([reply]) as server,
        pytest.raises(ModelError, match="something other than a chat completion") as caught,
    ):
        model(server).ask(request(), ledger)
    assert server.base_url in str(caught.value)
    assert not isinstance(caught.value, UnusableReplyError)
    assert len(server.requests) == 1
