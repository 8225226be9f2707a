"""What is asked of a model, how its replies are read, and what the ledger is told."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from mem0g.errors import ReplyTooLongError, UnusableReplyError
from mem0g.text.token_count import estimate_tokens
from mem0g.times import Moment
from tests.llm.asking import GOOD, MemoryLedger, OpenAIExchange, Place, Places, model, request
from tests.llm.server import Reply, call, calls, content, declined, message, of, serving

REPLY = Places(places=[Place(name="Oslo")], sure=True)
MANY = {"places": [{"name": name} for name in "ABC"], "sure": True}

BAD = {
    "declined": (declined("I cannot help with that."), "it declined: I cannot help with that."),
    "empty": (content(""), "an empty reply"),
    "nothing": (content(None), "an empty reply"),
    "no choice": (of({"choices": []}), "an empty reply"),
    "prose": (content("Ann lives in Oslo."), "text instead of a call of answer"),
    "filtered": (content(None, finish="content_filter"), "stopped by the server's content filter"),
    "broken JSON": (call('{"places": ['), "broken JSON (EOF while parsing a list at line 1 column 12)"),
    "no JSON": (call("Oslo"), "broken JSON (expected value at line 1 column 1)"),
    "a list": (call([GOOD]), "the reply: Input should be an object (given: [{"),
    "wrong type": (call(GOOD | {"sure": "yes"}), 'sure: Input should be a valid boolean (given: "yes")'),
    "extra field": (call(GOOD | {"note": 1}), "note is no field of the schema (given: 1)"),
    "missing field": (call({"places": []}), "sure is missing"),
    "nested": (call({"places": [{"name": 7, "x": 1}], "sure": True}), "places[0].name: Input should be a valid string"),
    "parallel": (calls(("answer", GOOD), ("answer", GOOD)), "2 calls where one was asked: answer, answer"),
    "another beside": (calls(("answer", GOOD), ("search", {})), "2 calls where one was asked: answer, search"),
    "another function": (call(GOOD, name="search"), "a call of 'search' instead of 'answer'"),
    "check": (call(MANY), "3 places where at most 2 can be"),
}
"""Replies that cannot be used, and the beginning of what is said of them."""

READABLE = {
    "arguments in a fence": call(f"```json\n{json.dumps(GOOD)}\n```"),
    "arguments as an object": message(tool_calls=[{"function": {"name": "answer", "arguments": GOOD}}]),
    "finish_reason stop": call(GOOD, finish="stop"),
    "words beside the call": message(
        content="Here you are.", tool_calls=[{"function": {"name": "answer", "arguments": json.dumps(GOOD)}}]
    ),
    "content": content(json.dumps(GOOD)),
    "content in a fence": content(f"Here you are:\n```json\n{json.dumps(GOOD, indent=2)}\n```\nAnything else?"),
    "content after thoughts": content(f"<think>Oslo {{or}} not?</think>\n\n{json.dumps(GOOD)}"),
    "content in parts": message(content=[{"type": "text", "text": json.dumps(GOOD)}]),
    "a call written out": content(
        f"<tool_call>\n{json.dumps({'name': 'answer', 'arguments': GOOD})}\n</tool_call>", finish="stop"
    ),
}
"""Replies that are right, though not as the protocol has them."""


def test_request(ledger: MemoryLedger) -> None:
    """One request goes out: the rules, the question, the one function with its strict schema, temperature 0."""
    with serving([call(GOOD)]) as server:
        assert model(server).ask(request(hints="Ann moved."), ledger) == REPLY
    (asked,) = server.requests
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer a-key"
    assert asked.texts == [("system", "Name the places."), ("user", "Ann moved.\n\nWhere does Ann live?")]
    (tool,) = asked.json["tools"]
    function = tool["function"]
    assert (tool["type"], function["name"], function["description"]) == ("function", "answer", "Give the places.")
    assert function["strict"] is True
    parameters = function["parameters"]
    assert (parameters["required"], parameters["additionalProperties"]) == (["places", "sure"], False)
    assert parameters["$defs"]["Place"]["required"] == ["name", "people"]
    asked.json.pop("tools")
    asked.json.pop("messages")
    assert asked.json == {
        "model": "tiny",
        "temperature": 0,
        "tool_choice": {"type": "function", "function": {"name": "answer"}},
        "parallel_tool_calls": False,
    }


def test_ledger(ledger: MemoryLedger) -> None:
    """The call is noted with the server's figures, the window and the reply as JSON text."""
    before = datetime.now(UTC)
    with serving([call(GOOD)]) as server:
        tiny = model(server)
        tiny.ask(request(), ledger)
    (noted,) = ledger.calls
    key = request().key("tiny")
    assert (noted.purpose, noted.model, noted.window, noted.key) == ("extract", "tiny", "w1", key)
    assert (noted.attempt, noted.prompt_tokens, noted.completion_tokens) == (1, 120, 30)
    assert (noted.cached, noted.problem) == (False, "")
    assert noted.seconds > 0
    assert before <= noted.at <= datetime.now(UTC)
    assert json.loads(ledger.replies[key]) == GOOD


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": 0, "completion_tokens": None}])
def test_tokens_without_figures(ledger: MemoryLedger, usage: Any) -> None:
    """Where the server counts no tokens they are estimate_tokens, of all that was sent and of what came back."""
    with serving([call(GOOD, usage=usage)]) as server:
        model(server).ask(request(), ledger)
    (noted,) = ledger.calls
    body = server.requests[0].json
    body.pop("model")
    assert noted.prompt_tokens == estimate_tokens(json.dumps(body)) >= round(len(json.dumps(body).split()) * 1.3)
    assert noted.completion_tokens == estimate_tokens(json.dumps(GOOD))


@pytest.mark.parametrize("reply", READABLE.values(), ids=READABLE)
def test_replies_of_another_form(ledger: MemoryLedger, reply: Reply) -> None:
    """A right reply in another form is read, and costs no repair."""
    with serving([reply]) as server:
        assert model(server).ask(request(), ledger) == REPLY
    assert ledger.problems == [""]


@pytest.mark.parametrize(("reply", "problem"), BAD.values(), ids=BAD)
def test_repair(ledger: MemoryLedger, reply: Reply, problem: str) -> None:
    """A bad reply is shown to the model with what is wrong with it, and the second reply counts."""
    with serving([reply, call(GOOD)]) as server:
        assert model(server).ask(request(), ledger) == REPLY
    first, second = server.requests
    assert second.texts[:2] == first.texts
    (assistant, shown), (user, said) = second.texts[2:]
    assert (assistant, user) == ("assistant", "user")
    assert shown
    assert said.startswith(f"That reply cannot be used: {problem}")
    assert said.endswith("\nReply again in full, corrected, as one call of the function answer and nothing else.")
    assert {**first.json, "messages": None} == {**second.json, "messages": None}
    assert [noted.attempt for noted in ledger.calls] == [1, 2]
    assert ledger.calls[0].problem.startswith(problem)
    assert ledger.calls[1].problem == ""
    assert list(ledger.replies) == [request().key("tiny")]


def test_repair_shows_the_bad_reply(ledger: MemoryLedger) -> None:
    """The repair's conversation has the arguments as they came."""
    with serving([call('{"places": [],}'), call(GOOD)]) as server:
        model(server).ask(request(), ledger)
    assert server.requests[1].texts[2] == ("assistant", '{"places": [],}')


@pytest.mark.parametrize(("reply", "problem"), BAD.values(), ids=BAD)
def test_bad_twice(ledger: MemoryLedger, reply: Reply, problem: str) -> None:
    """Of a server that is known to call functions, a second bad reply is an error with the purpose, the problem and
    the raw reply; both are in the ledger and no reply is kept.
    """
    with serving([call(GOOD), reply, reply]) as server:
        tiny = model(server)
        tiny.ask(request("first"), ledger)
        with pytest.raises(UnusableReplyError) as caught:
            tiny.ask(request(), ledger)
    assert str(caught.value).startswith(f"tiny gave no usable reply to 'extract': {problem}")
    assert caught.value.hint
    assert len(server.requests) == 3
    assert [(noted.attempt, bool(noted.problem)) for noted in ledger.calls] == [(1, False), (1, True), (2, True)]
    assert list(ledger.replies) == [request("first").key("tiny")]


@pytest.mark.parametrize(
    ("reply", "raw"),
    [
        (call('{"places": [}'), '{"places": [}'),
        (calls(("answer", {"a": 1}), ("other", {})), 'answer({"a": 1})\nother({})'),
        (call(MANY), json.dumps(MANY)),
        (declined("No."), "No."),
    ],
    ids=["broken", "two", "refused by the check", "declined"],
)
def test_raw_reply(ledger: MemoryLedger, reply: Reply, raw: str) -> None:
    """The error carries the last reply as it came."""
    with serving([reply]) as server, pytest.raises(UnusableReplyError) as caught:
        model(server).ask(request(), ledger)
    assert caught.value.reply == raw


def test_date_that_cannot_be_read(ledger: MemoryLedger) -> None:
    """A value that a validator of mem0g's own refuses is a bad reply as any other."""

    def check(reply: Places) -> None:
        Moment.parse(reply.places[0].name)

    day = {"places": [{"name": "2023-05-07"}], "sure": True}
    with serving([call(GOOD), call(day)]) as server:
        model(server).ask(request(check=check), ledger)
    assert ledger.problems == ["cannot read the time 'Oslo'", ""]


def test_many_problems_are_cut_short(ledger: MemoryLedger) -> None:
    """Of many wrong fields eight are named and the rest counted, and long values are cut."""
    wrong = {"places": [{"name": i} for i in range(11)], "sure": "x" * 1000}
    with serving([call(wrong), call(GOOD)]) as server:
        model(server).ask(request(), ledger)
    problem = ledger.calls[0].problem
    assert problem.count("Input should be") == 8
    assert problem.endswith("; and 4 more")
    assert len(problem) < 1000


def test_cut_off(ledger: MemoryLedger) -> None:
    """A reply cut off at its maximum length is an error at once, noted and not repaired."""
    with serving([call('{"places": [{"na', finish="length")]) as server, pytest.raises(ReplyTooLongError) as caught:
        model(server).ask(request(), ledger)
    assert "'extract' after 30 tokens" in str(caught.value)
    assert len(server.requests) == 1
    assert ledger.problems == ["cut off at its maximum length"]
    assert not ledger.replies


def test_half_of_a_surrogate_pair(ledger: MemoryLedger) -> None:
    """Half of a surrogate pair, in the question or the reply, becomes a question mark and breaks nothing."""
    with serving([content("half \ud83d"), call(GOOD)]) as server:
        asked = request()
        halved = request(hints="half \ud83d")
        assert model(server).ask(halved, ledger) == REPLY
    assert asked.key("tiny") == halved.key("tiny")
    assert server.requests[0].texts[1] == ("user", "half ?\n\nWhere does Ann live?")
    assert server.requests[1].texts[2] == ("assistant", "half ?")


def test_threads_share_a_model(ledger: MemoryLedger) -> None:
    """Many threads may ask one model at once, and each gets the reply to its own question."""

    def echo(asked: Any) -> Reply:
        return call({"places": [{"name": asked.texts[-1][1], "people": None}], "sure": True})

    with serving(echo) as server, ThreadPoolExecutor(8) as threads:
        tiny = model(server)
        names = [f"place {i}" for i in range(40)]
        replies = list(threads.map(lambda name: tiny.ask(request(name), ledger), names))
    assert [reply.places[0].name for reply in replies] == names
    assert len(server.requests) == len(ledger.calls) == len(ledger.replies) == 40


def test_reply_in_the_ledger(ledger: MemoryLedger) -> None:
    """A reply that the ledger keeps is not asked for again, which is noted as a call without cost."""
    ledger.replies[request().key("tiny")] = json.dumps(GOOD)
    assert OpenAIExchange("tiny").ask(request(), ledger) == REPLY
    (noted,) = ledger.calls
    assert (noted.cached, noted.prompt_tokens, noted.completion_tokens, noted.seconds) == (True, 0, 0, 0.0)
    assert (noted.window, noted.problem) == ("w1", "")


@pytest.mark.parametrize("kept", ["{", json.dumps(MANY), "{}"])
def test_reply_that_fits_no_more(ledger: MemoryLedger, kept: str) -> None:
    """A kept reply that its type or its check refuse is as if it were not there."""
    ledger.replies[request().key("tiny")] = kept
    with serving([call(GOOD)]) as server:
        assert model(server).ask(request(), ledger) == REPLY
    assert [noted.cached for noted in ledger.calls] == [False]
    assert ledger.replies[request().key("tiny")] == json.dumps(GOOD)


def test_server_from_the_environment(ledger: MemoryLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Address and key come from OPENAI_BASE_URL and OPENAI_API_KEY, where they are not given."""
    with serving([call(GOOD)]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.base_url}/")
        monkeypatch.setenv("OPENAI_API_KEY", "its-key\n")
        tiny = model(server, base_url=None, api_key=None)
        tiny.ask(request(), ledger)
        assert tiny.provider.address == server.base_url
    assert server.requests[0].headers["authorization"] == "Bearer its-key"


def test_server_without_a_key(ledger: MemoryLedger) -> None:
    """A server of one's own needs no key."""
    with serving([call(GOOD)]) as server:
        assert model(server, api_key=None).ask(request(), ledger) == REPLY
    assert server.requests[0].headers["authorization"] == "Bearer none"


def test_address_without_its_secrets() -> None:
    """The address that is shown and remembered has neither password nor query."""
    tiny = OpenAIExchange("tiny", base_url="http://ann:secret@localhost:8000/v1/?key=secret")
    assert tiny.provider.address == "http://localhost:8000/v1"


@pytest.mark.slow
def test_made_without_anything() -> None:
    """A model can be made without server, key and the openai library: they are needed when it is asked."""
    made = (
        "import sys; from mem0g.llm.openai import OpenAIProvider; "
        "assert OpenAIProvider('tiny').name == 'tiny'; assert not {'openai', 'httpx', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", made], check=True)
