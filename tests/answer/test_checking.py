"""Contexts that a model on a scripted server has checked, from a real memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mem0g import AsyncMemory, LLMSettings, Memory, Settings
from mem0g.errors import InputError, ModelAccessError, QueryError, UnusableReplyError
from mem0g.llm.openai import OpenAIProvider
from mem0g.testing import HashingEmbedder
from tests.cli.conftest import Shell
from tests.llm.server import Reply, Server, call, refused, serving
from tests.pipeline.rendered import shown

SNAPSHOT = Path(__file__).parent / "check.txt"
QUESTION = "Why did Ann move to Oslo?"


def verdict(*, known: bool, found: str = "", missing: str = "") -> Reply:
    return call({"found": found, "missing": missing, "known": known}, "check")


KNOWN = verdict(known=True, found="for the snow")
NOT_KNOWN = verdict(known=False, missing="why Ann moved\n to Oslo")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory that knows where Ann lives, and where she said so."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="none") as opened:
        opened.add_fact(subject="Ann", relation="lives in", object="Oslo", valid_from="2024-03", user_id="ann")
        words = "I moved to Oslo.\n# user $question"
        opened.add([{"role": "user", "name": "Ann", "content": words, "timestamp": "2024-03-02"}], user_id="ann")
        yield opened


def model(server: Server) -> OpenAIProvider:
    return OpenAIProvider("tiny", base_url=server.base_url, api_key=None)


def test_the_prompt(memory: Memory) -> None:
    """Rules, date, context, question; the file shows it whole.

    After a change of the prompt, delete the file and run this test twice; git shows the difference.
    """
    with serving([KNOWN]) as server:
        memory.context('Why "Oslo"?\n# user', user_id="ann", check=True, as_of="2024-06-03", model=model(server))
    found = re.sub(r"said \d{4}-\d\d-\d\d", "said DAY", shown(server.requests[0]))
    if not SNAPSHOT.exists():
        SNAPSHOT.write_text(found, encoding="utf-8")
        pytest.fail(f"wrote {SNAPSHOT}")
    assert found == SNAPSHOT.read_text(encoding="utf-8")


def test_the_model_says_what_is_missing(memory: Memory) -> None:
    """Its word is ``known``, what is missing stands on one line, and the text is what it was without the check."""
    plain = memory.context(QUESTION, user_id="ann")
    assert (plain.known, plain.missing) == (True, "")
    with serving([NOT_KNOWN, KNOWN]) as server:
        found = memory.context(QUESTION, user_id="ann", check=True, model=model(server))
        assert found == replace(plain, known=False, missing="why Ann moved to Oslo")
        assert memory.context(QUESTION, user_id="ann", check=True, model=model(server)) == plain
    assert [(each.purpose, each.calls) for each in memory.costs(user_id="ann")] == [("check", 2)]
    assert memory.stats(user_id="ann").replies == 0


@pytest.mark.anyio
async def test_awaited(memory: Memory) -> None:
    """The same check, awaited."""
    with serving([NOT_KNOWN]) as server:
        found = await AsyncMemory(memory).context(QUESTION, user_id="ann", check=True, model=model(server))
    assert (found.known, found.missing) == (False, "why Ann moved to Oslo")


def test_of_an_empty_context_no_model_is_asked(memory: Memory) -> None:
    """There is nothing to read; it is not known."""
    with serving([]) as server:
        found = memory.context(QUESTION, user_id="bob", check=True, model=model(server))
    assert (found.text, found.known, found.missing, server.requests) == ("", False, "", [])


@pytest.mark.parametrize(
    "bad",
    [
        verdict(known=True),
        verdict(known=True, found=" ", missing="why"),
        verdict(known=False, found="Oslo"),
        call({"found": "Oslo", "missing": "", "known": "yes"}, "check"),
        call({"known": True}, "check"),
        call("{", "check"),
    ],
)
def test_a_bad_reply_is_corrected_once(memory: Memory, bad: Reply) -> None:
    """Known without words, not known without a name for it, another shape, broken JSON: asked again, then an error."""
    with serving([bad, NOT_KNOWN, bad, bad]) as server:
        assert not memory.context(QUESTION, user_id="ann", check=True, model=model(server)).known
        with pytest.raises(UnusableReplyError):
            memory.context("When did Ann move?", user_id="ann", check=True, model=model(server))


def test_a_model_that_refuses_is_an_error(memory: Memory) -> None:
    """A context that was to be checked is not returned unchecked."""
    with serving([refused(401, "no")]) as server, pytest.raises(ModelAccessError):
        memory.context(QUESTION, user_id="ann", check=True, model=model(server))


def test_a_reply_is_cached(tmp_path: Path) -> None:
    """The same context and question are checked once, with the reply cache of the settings."""
    with serving([NOT_KNOWN]) as server:
        llm = LLMSettings(model="tiny", base_url=server.base_url, cache=tmp_path / "replies.jsonl")
        store, settings = tmp_path / "memory.db", Settings(llm=llm)
        for extractor in ("rules", "none"):
            with Memory.open(store, embedder=HashingEmbedder(), extractor=extractor, settings=settings) as opened:
                opened.add([{"role": "user", "content": "I live in Oslo.", "id": "1"}], user_id="ann")
                found = opened.context("Why do I live in Oslo?", user_id="ann", check=True, as_of="2100-01")
                assert found.missing == "why Ann moved to Oslo"
        assert len(server.requests) == 1


def test_what_cannot_be_checked(memory: Memory) -> None:
    """Without a model, and without a question; no model is asked."""
    with pytest.raises(InputError, match="needs a language model"):
        memory.context(QUESTION, user_id="ann", check=True)
    with serving([]) as server, pytest.raises(QueryError, match="empty"):
        memory.context(" ", user_id="ann", check=True, model=model(server))
    assert server.requests == []


@pytest.mark.slow
def test_the_command(tmp_path: Path, minilm: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the text it says what is not known; --json has it; without a model it is refused with a hint."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    shell = Shell(tmp_path)
    shell.ok("add", "I live in Oslo.", "--user", "ann", "--extractor", "rules")
    question = ("context", "Why do I live in Oslo?", "--user", "ann", "--check")
    with serving(lambda _: NOT_KNOWN) as server:
        where = ("--base-url", server.base_url, "--model", "tiny")
        lines = shell.ok(*question, *where).splitlines()
        found = json.loads(shell.ok(*question, *where, "--json"))
    assert "Oslo" in "\n".join(lines[:-1])
    assert lines[-1] == "Not known: why Ann moved to Oslo"
    assert (found["known"], found["missing"]) == (False, "why Ann moved to Oslo")
    assert "set OPENAI_API_KEY" in shell.fails(*question)
