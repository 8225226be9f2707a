"""A server that echoes all that it is sent: no key and no password reaches an error, a log or the ledger."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable
from urllib.parse import quote

import pytest

from mem0g.embed.openai import OpenAIEmbedder
from mem0g.errors import Mem0gError
from mem0g.text.redaction import basic
from tests.llm.asking import GOOD, MemoryLedger, OpenAIExchange, request
from tests.llm.server import Asked, Reply, Server, call, content, of, serving

KEY = 'sk-proj-"Ab/9+c&d%e'
PASSWORD = "p@ss/w:rd 1"
QUERY = "query-secret"

WAYS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "JSON": json.dumps,
    "JSON in JSON": lambda text: json.dumps({"error": {"message": json.dumps(text)}}),
    "message": lambda text: json.dumps({"error": {"message": text, "code": text, "param": text}}),
    "URL": lambda text: json.dumps({"error": {"message": quote(text, safe="")}}),
    "failed generation": lambda text: json.dumps(
        {"error": {"message": text, "code": "tool_use_failed", "failed_generation": text}}
    ),
    "choices": lambda text: json.dumps({"choices": [{"error": {"code": 401, "message": text}}]}),
    "declined": lambda text: json.dumps({"choices": [{"message": {"refusal": text}}]}),
}


def echo(asked: Asked) -> str:
    """Who asks and where, with all secrets also as they are."""
    sent = KEY if asked.headers["authorization"].startswith("Bearer") else f"{PASSWORD} {QUERY}"
    return json.dumps({**asked.headers, "url": asked.path}) + f" {sent}"


def echoing(status: int, way: Callable[[str], str]) -> Callable[[Asked], Reply]:
    def answer(asked: Asked) -> Reply:
        said = echo(asked)
        headers = {"X-Echo": said, "Location": f"http://x/{said}", "retry-after-ms": "1"}
        return Reply(way(said).encode(), status, headers, reason=f"No {said}")

    return answer


def addresses(server: Server) -> list[str]:
    """With the key alone, and with a user and a query."""
    place = server.base_url.removeprefix("http://")
    return [server.base_url, f"http://bob:{quote(PASSWORD, safe='')}@{place}?k={QUERY}"]


def shown(error: BaseException) -> str:
    """All that can be seen of an error: words, hint, reply, attributes, and those of what it came of."""
    text = "".join(traceback.format_exception(error))
    each: BaseException | None = error
    while each is not None:
        text += f"{each}\n{each!r}\n{vars(each)}\n"
        each = each.__cause__ or each.__context__
    return text


def assert_clean(text: str) -> None:
    for secret in (KEY, json.dumps(KEY)[1:-1], quote(KEY, safe=""), PASSWORD, quote(PASSWORD, safe=""), QUERY):
        assert secret not in text
        assert secret.lower() not in text
    assert basic("bob", PASSWORD) not in text


ANSWERS = [(status, "plain") for status in (307, 400, 403, 404, 413, 429, 503)]
ANSWERS += [(status, way) for status in (200, 401, 500) for way in WAYS]
"""Every status, and every way with a status of each kind."""


@pytest.mark.parametrize(("status", "way"), ANSWERS)
def test_errors(ledger: MemoryLedger, caplog: pytest.LogCaptureFixture, status: int, way: str) -> None:
    """Whatever a server answers, and however it writes it, no secret is seen."""
    caplog.set_level(logging.DEBUG)
    with serving(echoing(status, WAYS[way]), everywhere=True) as server:
        for address in addresses(server):
            with pytest.raises(Mem0gError) as caught:
                OpenAIExchange("tiny", base_url=address, api_key=KEY, retries=1).ask(request(), ledger)
            assert_clean(shown(caught.value))
            with pytest.raises(Mem0gError) as caught:
                OpenAIEmbedder("tiny", address, KEY, retries=1).embed(["one"])
            assert_clean(shown(caught.value))
    assert_clean("\n".join(ledger.problems))
    assert_clean(caplog.text)
    first, *_ = server.requests
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert server.requests[-1].headers["authorization"] == f"Basic {basic('bob', PASSWORD)}"
    assert server.requests[-1].path.endswith(f"?k={QUERY}")


@pytest.mark.parametrize("reply", [call, content, lambda said: call({"places": [said], "sure": True})])
def test_bad_replies(ledger: MemoryLedger, reply: Callable[[str], Reply]) -> None:
    """A model that repeats a secret in a bad reply is told of it, and shown, without it."""
    with serving(lambda asked: reply(echo(asked))) as server, pytest.raises(Mem0gError) as caught:
        OpenAIExchange("tiny", base_url=addresses(server)[0], api_key=KEY, retries=0).ask(request(), ledger)
    assert_clean(shown(caught.value))
    assert_clean("\n".join(ledger.problems))


def test_good_replies(ledger: MemoryLedger) -> None:
    """A reply that repeats a secret is kept without it."""
    said = {"places": [{"name": f"Oslo {KEY}", "people": None}], "sure": True}
    with serving([call(said)]) as server:
        found = OpenAIExchange("tiny", base_url=server.base_url, api_key=KEY).ask(request(), ledger)
    assert found.places[0].name == "Oslo ***"
    assert_clean("".join(ledger.replies.values()))


def test_names_of_models(ledger: MemoryLedger) -> None:
    """The hint with the names of a server's models holds no secret."""
    with (
        serving([of({"error": "no"}, 404)], models=[KEY, f"tiny-{KEY}"]) as server,
        pytest.raises(Mem0gError) as caught,
    ):
        OpenAIExchange("tiny", base_url=server.base_url, api_key=KEY).ask(request(), ledger)
    assert "the server has tiny-***" in str(caught.value.hint)
    assert_clean(shown(caught.value))


@pytest.mark.parametrize("key", ["ollama", "EMPTY", "none", "Oslo", "places"])
def test_placeholders(ledger: MemoryLedger, key: str) -> None:
    """A key that is only a word leaves replies as they are."""
    with serving([call(GOOD)]) as server:
        found = OpenAIExchange("tiny", base_url=server.base_url, api_key=key).ask(request(), ledger)
    assert found.places[0].name == "Oslo"
