"""The ledger of model calls: purpose, window, tokens and outcome."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import UnreachableModelError
from mem0g.ingest.ledger import StoreLedger, costs
from mem0g.llm.protocol import Call
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.store.records import ModelCall
from mem0g.times import now
from tests.llm.server import USAGE, Server, call, content, refused
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import ANN, MOVES, Place, leftovers, likes, opened, summed, talk
from tests.pipeline.test_bad_replies import with_fact

SENT, WRITTEN = USAGE["prompt_tokens"], USAGE["completion_tokens"]


def noted(memory: Memory, user: str = "ann") -> list[dict[str, Any]]:
    """Return the calls recorded in the store, in order."""
    return [asdict(call) for call in memory.store.records(ModelCall, Scope(user))]


def test_every_call_is_noted(place: Place, server: Server) -> None:
    """Purpose, model, window, attempt, tokens, seconds and time of each call, in the scope that it was made for."""
    with opened(place, server, window=1, concurrency=1) as memory:
        list(memory.ingest(talk(*MOVES[:1], *MOVES[5:]), **ANN))
        first, second, third = noted(memory)
        assert [each["purpose"] for each in (first, second, third)] == ["extract", "extract", "decide"]
        assert (first["model"], first["attempt"], first["cached"], first["problem"]) == ("tiny", 1, False, "")
        assert (first["prompt_tokens"], first["completion_tokens"]) == (SENT, WRITTEN)
        assert first["seconds"] > 0
        assert first["window"].startswith("w_")
        assert first["window"] != second["window"] == third["window"]
        assert len({each["key"] for each in (first, second, third)}) == 3
        assert noted(memory, "other") == []
        assert (memory.stats(**ANN).calls, memory.stats(**ANN).summaries) == (3, 1)


def test_costs_are_sums(file: Place, server: Server, model: Model) -> None:
    """By purpose and model: calls, invalid ones among them, tokens and seconds, of a scope or of the whole store."""
    model.says(content("Hm."), "extract", 2)
    with opened(file, server, window=1, concurrency=1) as memory:
        list(memory.ingest(talk(*MOVES), **ANN))
        list(memory.ingest(likes(2), user_id="other"))
        decide, extract = memory.costs(**ANN)
        assert (decide.purpose, decide.model, decide.calls, decide.bad) == ("decide", "tiny", 2, 0)
        assert (extract.calls, extract.bad, extract.cached) == (7, 1, 0)
        assert (extract.prompt_tokens, extract.completion_tokens) == (7 * SENT, 7 * WRITTEN)
        assert extract.seconds == pytest.approx(sum(e["seconds"] for e in noted(memory) if e["purpose"] == "extract"))
        assert extract.price((1.0, 2.0)) == pytest.approx(7 * (SENT + 2 * WRITTEN) / 1e6)
        assert {each.purpose: each.calls for each in memory.costs(all_scopes=True)} == {"decide": 2, "extract": 9}
        assert costs(memory.store, Scope("nobody")) == ()


def test_two_models(file: Place, server: Server) -> None:
    """Each model has its sums."""
    with opened(file, server, "llm-two-stage") as memory:
        memory.add("Ann lives in Oslo.", **ANN)
    with opened(file, server, model="large") as memory:
        memory.add("Ann lives in Rome.", **ANN)
        found = [(each.purpose, each.model, each.calls) for each in memory.costs(all_scopes=True)]
    assert found == [("decide", "large", 1), ("entities", "tiny", 1), ("extract", "large", 1), ("relations", "tiny", 1)]


def test_a_repair_is_a_second_attempt(file: Place, server: Server, model: Model) -> None:
    """An invalid call and its repair are recorded under one key, the problem with the first; failed repairs too."""
    model.says(content("Hm."), "extract", 2, 4, 5)
    with opened(file, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(likes(3), **ANN))).quarantined == 1
        calls = noted(memory)
        assert [each["attempt"] for each in calls] == [1, 1, 2, 1, 2]
        assert [bool(each["problem"]) for each in calls] == [False, True, False, True, True]
        assert calls[1]["key"] == calls[2]["key"] != calls[3]["key"]
        assert memory.costs(all_scopes=True)[0].bad == 3


def test_no_figures(file: Place, server: Server, model: Model) -> None:
    """Without usage from the server, tokens are estimated from the words."""
    model.says(lambda prompt: call(good(prompt), name="remember", usage=None), "extract")
    with opened(file, server) as memory:
        memory.add("Ann likes tea.", **ANN)
        (cost,) = memory.costs(all_scopes=True)
    assert cost.prompt_tokens > 500
    assert 5 < cost.completion_tokens < 100


def test_calls_that_fail_are_no_calls(file: Place, server: Server, model: Model) -> None:
    """A call without a reply costs nothing."""
    model.says(refused(500, "no"), "extract")
    with opened(file, server) as memory:
        with pytest.raises(UnreachableModelError):
            memory.add("Ann likes tea.", **ANN)
        assert memory.costs(all_scopes=True) == ()


def test_cached_calls_cost_nothing(file: Place, tmp_path: Path, server: Server) -> None:
    """Replies from a file are recorded as cached, without tokens."""
    for place in (file, Place(str(tmp_path / "again.db"))):
        with opened(place, server, cache=tmp_path / "replies.jsonl") as memory:
            memory.add(talk(*MOVES[:2]), **ANN)
            (cost,) = memory.costs(all_scopes=True)
    assert (cost.calls, cost.cached, cost.prompt_tokens, cost.seconds) == (1, 1, 0, 0)


@pytest.mark.parametrize("extractor", ["llm", "llm-two-stage"])
def test_nothing_is_left_over(file: Place, server: Server, model: Model, extractor: str) -> None:
    """Replies of every purpose are kept until they are committed, and no longer."""

    def looked(prompt: Prompt) -> Any:
        kept.append(prompt.purpose)
        return good(prompt)

    kept: list[str] = []
    model.says(looked)
    with opened(file, server, extractor, window=4) as memory:
        list(memory.ingest([*talk(*MOVES), *likes(30, session="2")], **ANN))
    with opened(file, server, extractor) as memory:
        assert leftovers(memory) == (0, 0)
        held = memory.stats(all_scopes=True)
        assert (held.windows, held.calls, held.replies, held.summaries) == (0, len(kept), 0, 1)
        assert Counter(kept) == {each.purpose: each.calls for each in memory.costs(all_scopes=True)}
        assert "summary" in kept


def test_a_kept_reply_is_of_its_scope(place: Place, server: Server) -> None:
    """What was paid for in one scope is not looked for in others, which ask the same."""
    made = Call(
        purpose="extract",
        model="tiny",
        scope=Scope("ann"),
        window="w_1",
        key="k",
        attempt=1,
        prompt_tokens=1,
        completion_tokens=1,
        seconds=0.0,
        at=now(),
    )
    with opened(place, server) as memory:
        StoreLedger(memory.store).note(made, "{}")
        ledger = StoreLedger(memory.store)
        found = [ledger.reply("k", scope) for scope in (Scope("ann"), Scope("ben"), Scope("ann", run_id="1"), None)]
        assert found == ["{}", None, None, "{}"]
        assert ledger.reply("another", Scope("ann")) is None


def test_forgotten_with_the_scope(file: Place, server: Server) -> None:
    """The calls of a scope are deleted with it."""
    with opened(file, server) as memory:
        memory.add("Ann likes tea.", **ANN)
        memory.add("Ann likes tea.", user_id="other")
        memory.forget(**ANN)
        assert noted(memory) == []
        assert sum(each.calls for each in memory.costs(all_scopes=True)) == 1


@pytest.mark.parametrize("what", ["message", "fact"])
def test_a_problem_that_quotes_what_was_erased(place: Place, server: Server, model: Model, what: str) -> None:
    """A call keeps its figures, and that something was wrong with its reply, but no word of it."""
    model.says(with_fact(object="Zanzibar"), "extract", 2)
    with opened(place, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(likes(3), **ANN))).facts == 3
        before = memory.costs(**ANN)
        assert any("Zanzibar" in each["problem"] for each in noted(memory))
        said, fact = memory.messages(**ANN)[1], memory.facts(**ANN)[1]
        memory.erase(said.id if what == "message" else fact.id, **ANN)
        assert not any("Zanzibar" in each["problem"] for each in noted(memory))
        assert memory.costs(**ANN) == before
        assert before[0].bad == 1
