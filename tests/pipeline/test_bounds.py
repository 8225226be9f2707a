"""A server whose replies are endless, too large or too deep: the messages are kept, as with any other error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mem0g.errors import ModelError, UnreachableModelError
from tests.llm.server import Reply, Server, call
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import ANN, Place, current, likes, opened, states, summed, texts

TROUBLE = {
    "in drops": (replace(call({}), pace=0.02), UnreachableModelError),
    "nested": (Reply(b"[" * 200_000), ModelError),
    "redirect": (Reply(status=307, headers={"Location": "http://elsewhere.invalid/"}), ModelError),
}


@pytest.mark.parametrize("trouble", TROUBLE)
def test_messages_are_kept(file: Place, server: Server, model: Model, trouble: str) -> None:
    """All messages are stored, the window waits, and a retry goes on."""
    reply, kind = TROUBLE[trouble]
    model.says(reply)
    with opened(file, server, timeout=0.3) as memory:
        with pytest.raises(kind):
            list(memory.ingest(likes(3), **ANN))
        assert (len(texts(memory)), states(memory)) == (3, ["failed"])
    model.is_well()
    with opened(file, server) as memory:
        assert summed(list(memory.retry(**ANN))).facts == 3


def test_reply_too_large(file: Place, server: Server, model: Model) -> None:
    """A reply over the size limit is quarantined, and the next window goes on."""
    model.says(Reply(b" " * 10_000_001), "extract", 1)
    with opened(file, server, window=2, concurrency=1) as memory:
        report = summed(list(memory.ingest(likes(4), **ANN)))
        assert (report.messages, report.facts, report.quarantined) == (4, 2, 1)


@pytest.mark.parametrize("what", ["facts", "entities", "aliases"])
def test_more_facts_than_can_be(file: Place, server: Server, model: Model, what: str) -> None:
    """A reply with far more facts than the messages can state is invalid: repaired or quarantined, without delay."""

    def many(prompt: Prompt) -> Any:
        given = good(prompt)
        if what == "facts":
            given["facts"] *= 1_000
        elif what == "entities":
            given["entities"] += [{"name": f"Name{n}", "type": "x", "aliases": []} for n in range(3_000)]
        else:
            given["entities"][0]["aliases"] = [f"Alias{n}" for n in range(3_000)]
        return given

    model.says(many, "extract", 1, 2, 3)
    with opened(file, server, window=3, concurrency=1) as memory:
        report = summed(list(memory.ingest(likes(6), **ANN)))
        assert (report.messages, report.facts, report.quarantined) == (6, 3, 1)
        (waits,) = memory.pending(**ANN)
        assert "can be in so few words" in waits.problem
        assert len(current(memory)) == 3


def test_problems_are_told_in_part(file: Place, server: Server, model: Model) -> None:
    """Very long problems and replies are truncated, for the model and in the store."""

    def endless(prompt: Prompt) -> Any:
        return {"entities": [], "facts": [], "x" * 1_000_000: 1}

    model.says(endless, "extract", 1, 2)
    with opened(file, server) as memory:
        assert summed(list(memory.ingest(likes(1), **ANN))).quarantined == 1
        (waits,) = memory.pending(**ANN)
    assert len(waits.problem) < 3_000
    assert len(waits.reply) <= 100_000
    assert all(len(text) <= 100_000 for asked in server.requests for _, text in asked.texts)
