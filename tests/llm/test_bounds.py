"""Bounds on what a server may do: the time and the size of an answer, its nesting, and where a request goes."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from mem0g.embed.openai import OpenAIEmbedder
from mem0g.errors import EmbedderError, InputError, ModelError, UnreachableModelError, UnusableReplyError
from mem0g.llm.openai import MAX_RESPONSE_BYTES
from tests.llm.asking import GOOD, MemoryLedger, OpenAIExchange, model, request
from tests.llm.server import Asked, Reply, call, content, of, serving

VECTORS = {"data": [{"index": 0, "embedding": [1.0, 2.0]}]}


def bomb(size: int) -> bytes:
    """``size`` megabytes of spaces in gzip, a thousandth of that long."""
    packing = zlib.compressobj(wbits=31)
    return b"".join([*(packing.compress(b" " * 1_000_000) for _ in range(size)), packing.flush()])


@pytest.mark.parametrize("slow_headers", [False, True], ids=["body", "headers"])
def test_answer_in_drops(ledger: MemoryLedger, slow_headers: bool) -> None:
    """A server that sends one byte after the other, none of them late, has no more time than a silent one."""
    slow = replace(call(GOOD), pace=0.02, slow_headers=slow_headers)
    with serving([slow]) as server, pytest.raises(UnreachableModelError) as caught:
        model(server, timeout=0.3, retries=1).ask(request(), ledger)
    assert str(caught.value) == f"{server.base_url} gave no answer for 'tiny' within 0.3 s (2 attempts)"
    assert len(server.requests) == 2


def test_slow_once_then_well(ledger: MemoryLedger) -> None:
    """A deadline is of one request: the next has its own."""
    with serving([replace(call(GOOD), pace=0.02), call(GOOD)]) as server:
        assert model(server, timeout=0.5, retries=1).ask(request(), ledger).sure


@pytest.mark.parametrize("packed", [True, False], ids=["gzip", "plain"])
def test_answer_too_large(ledger: MemoryLedger, packed: bool) -> None:
    """An answer over the bound is a bad reply, whatever its size on the wire, and is not held in memory."""
    body, headers = (bomb(60), {"Content-Encoding": "gzip"}) if packed else (b" " * (MAX_RESPONSE_BYTES + 1), {})
    with serving([Reply(body, headers=headers)]) as server:
        asked = model(server, retries=2)
        tracemalloc.start()
        with pytest.raises(UnusableReplyError, match="sent more than 10,000,000 bytes as the reply of 'tiny'"):
            asked.ask(request(), ledger)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert len(server.requests) == 1
    assert peak < 5 * MAX_RESPONSE_BYTES


def test_error_too_large(ledger: MemoryLedger) -> None:
    """An error over the bound is known by its status alone."""
    reply = Reply(bomb(20), 400, {"Content-Encoding": "gzip"})
    with serving([reply]) as server, pytest.raises(ModelError, match=r"refused 'tiny' \(400\): status 400"):
        model(server).ask(request(), ledger)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_compressed_answer(ledger: MemoryLedger, encoding: str) -> None:
    """An answer that is compressed is read."""
    good = call(GOOD)
    body = gzip.compress(good.body) if encoding == "gzip" else zlib.compress(good.body)
    packed = replace(good, body=body, headers={**good.headers, "Content-Encoding": encoding})
    with serving([packed]) as server:
        assert model(server).ask(request(), ledger).sure


def test_broken_compression(ledger: MemoryLedger) -> None:
    """What only says that it is compressed is an error that says so."""
    broken = Reply(b"no gzip", headers={"Content-Encoding": "gzip"})
    with serving([broken]) as server, pytest.raises(ModelError, match="cannot be decompressed"):
        model(server).ask(request(), ledger)


NESTED = "[" * 200_000


@pytest.mark.parametrize("deep", [NESTED, NESTED + "]" * 200_000, '{"a":' * 500 + "1" + "}" * 500])
@pytest.mark.parametrize("status", [200, 400, 500])
def test_nested_answer(ledger: MemoryLedger, deep: str, status: int) -> None:
    """An answer of lists in lists is an error like that of any other answer that is no chat completion."""
    with serving([Reply(deep.encode(), status)]) as server, pytest.raises(ModelError):
        model(server).ask(request(), ledger)


def test_nested_error(ledger: MemoryLedger) -> None:
    """An error whose message is nested is an error."""
    deep = '{"error":' + '{"message":' * 5_000 + '"no"' + "}" * 5_001
    with serving([Reply(deep.encode(), 400)]) as server, pytest.raises(ModelError, match="400"):
        model(server).ask(request(), ledger)


@pytest.mark.parametrize("reply", [call(NESTED), content(NESTED), content("<tool_call>" + NESTED)], ids=str)
def test_nested_reply(ledger: MemoryLedger, reply: Reply) -> None:
    """A reply of lists in lists is a bad reply, repaired like any other."""
    with serving([reply, call(GOOD)]) as server:
        assert model(server).ask(request(), ledger).sure
    assert [bool(problem) for problem in ledger.problems] == [True, False]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_to_another_host(ledger: MemoryLedger, status: int) -> None:
    """A redirect is not followed: the prompt goes to no server but the one named."""
    with serving([call(GOOD)]) as other:
        there = Reply(status=status, headers={"Location": f"http://bob:pw@{other.base_url[7:]}/chat/completions?k=v"})
        with serving([there]) as server, pytest.raises(ModelError) as caught:
            model(server, retries=2).ask(request(), ledger)
    assert str(caught.value) == (
        f"{server.base_url} redirects requests for 'tiny' to {other.base_url}/chat/completions, which is not followed"
    )
    assert "OPENAI_BASE_URL" in str(caught.value.hint)
    assert (len(server.requests), len(other.requests)) == (1, 0)


@pytest.mark.parametrize("port", ["99999", "abc", "-1", "0", "80x"])
def test_bad_port(ledger: MemoryLedger, port: str) -> None:
    """A port that is none is an error of the input."""
    with pytest.raises(InputError, match=r"'http://localhost:.*' is not the address of a server"):
        OpenAIExchange("tiny", base_url=f"http://localhost:{port}/v1").ask(request(), ledger)
    with pytest.raises(InputError, match="is not the address of a server"):
        OpenAIEmbedder("tiny", f"http://localhost:{port}/v1").embed(["one"])


def test_query_of_the_address(ledger: MemoryLedger) -> None:
    """A query in the server's address is sent with each request, behind its path."""
    with serving([call(GOOD)]) as server:
        OpenAIExchange("tiny", base_url=f"{server.base_url}?api-version=2", api_key="x").ask(request(), ledger)
    assert server.requests[0].path == "/v1/chat/completions?api-version=2"


def test_proxy(ledger: MemoryLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests go through the proxy that the environment names, with its user and password."""
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serving([call(GOOD)]) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("http://", "http://bob:secret@"))
        assert OpenAIExchange("tiny", base_url="http://mem0g.invalid/v1").ask(request(), ledger).sure
    (asked,) = proxy.requests
    assert asked.path == "http://mem0g.invalid/v1/chat/completions"
    assert asked.headers["proxy-authorization"] == "Basic Ym9iOnNlY3JldA=="


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: replace(of(VECTORS), pace=0.02), "gave no answer for 'openai:tiny' within 0.3 s"),
        (
            lambda: Reply(bomb(101), headers={"Content-Encoding": "gzip"}),
            "sent more than 100,000,000 bytes for 'openai:tiny'",
        ),
        (lambda: Reply(NESTED.encode()), "sent something other than embeddings"),
        (
            lambda: Reply(status=307, headers={"Location": "http://elsewhere.invalid/v1"}),
            "to http://elsewhere.invalid/v1",
        ),
    ],
    ids=["drops", "gzip", "nested", "redirect"],
)
def test_embedder(make: Callable[[], Reply], problem: str) -> None:
    """An embedder on a server has the same bounds."""
    reply = make()

    def answer(asked: Asked) -> Reply:
        assert json.dumps(asked.json)
        return reply

    with serving(answer, everywhere=True) as server, pytest.raises(EmbedderError, match=problem):
        OpenAIEmbedder("tiny", server.base_url, "a-key", timeout=0.3 if reply.pace else 60, retries=0).embed(["one"])
