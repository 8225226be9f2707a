"""A server that cannot be used: the error names the window, the messages are kept, and a retry completes it."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Barrier

import pytest

from mem0g.errors import ModelAccessError, ModelError, UnknownModelError, UnreachableModelError
from mem0g.ingest.report import Report
from mem0g.model import Scope
from tests.llm.server import Reply, Server, dropped, refused, serving
from tests.making import triple
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import (
    ANN,
    MOVES,
    Place,
    current,
    leftovers,
    likes,
    opened,
    sentence,
    states,
    summed,
    talk,
    texts,
    told,
)
from tests.store.ingested import error_text, ingest_result

TROUBLE: Mapping[str, tuple[Reply, type[ModelError], int]] = {
    "429": (refused(429, "Slow down", retry_after_ms="1"), UnreachableModelError, 2),
    "500": (refused(500, "Oh no", retry_after_ms="1"), UnreachableModelError, 2),
    "502": (refused(502, "Bad gateway", retry_after_ms="1"), UnreachableModelError, 2),
    "dropped": (dropped(), UnreachableModelError, 2),
    "401": (refused(401, "Incorrect API key provided"), ModelAccessError, 1),
    "unknown model": (refused(404, "no such", code="model_not_found"), UnknownModelError, 1),
    "400": (refused(400, "temperature_scale is not for you"), ModelError, 1),
}
"""What the server does, the error that it is, and how often it is asked when one more try is allowed."""


@pytest.mark.parametrize(
    ("place", "reply"),
    [("sqlite", "429"), ("sqlite", "500"), ("sqlite", "401"), pytest.param("neo4j", "500", marks=pytest.mark.neo4j)],
    indirect=["place"],
)
def test_it_goes_on_there(place: Place, server: Server, model: Model, reply: str) -> None:
    """All messages are kept and found, committed windows stay, and a retry completes the rest as without the error."""
    trouble, kind, _ = TROUBLE[reply]
    model.says(trouble, "extract", 2, 3)
    with opened(place, server, window=2, concurrency=1, retries=1) as memory:
        with pytest.raises(kind, match="talk, session 1, messages 3 to 4: ") as caught:
            list(memory.ingest(talk(*MOVES), **ANN))
        assert "mem0g retry" in error_text(caught.value)
        assert texts(memory) == [words for _, _, words in MOVES]
        assert "Ann visited Japan since 2024-04." in [
            each.text for each in memory.search("Who visited Japan?", **ANN)[:3]
        ]
        assert current(memory) == ["Ann lives in Oslo.", "Ben likes tea."]
        assert states(memory) == ["failed", "waiting"]
        assert "messages 3 to 4" not in memory.pending(all_scopes=True)[0].problem
        model.is_well()
        assert summed(list(memory.retry(**ANN))).facts == 3
        made = ingest_result(memory.store, Scope("ann"))
        assert leftovers(memory) == (0, 0)
        assert list(memory.retry(all_scopes=True)) == []
        assert list(memory.ingest(talk(*MOVES), **ANN)) == [Report(known=6)]
        assert ingest_result(memory.store, Scope("ann")) == made
    assert made["counts"] == (6, 1, 6, 5, 2, {"ADD": 3, "DELETE": 2, "NOOP": 1})


@pytest.mark.parametrize("reply", TROUBLE)
def test_how_often_it_is_asked(file: Place, server: Server, model: Model, reply: str) -> None:
    """Transient errors are retried as often as allowed, others not at all; the error says what to do."""
    trouble, kind, times = TROUBLE[reply]
    model.says(trouble)
    with opened(file, server, concurrency=1, retries=1) as memory:
        with pytest.raises(kind, match="talk, session 1, messages 1 to 3: ") as caught:
            list(memory.ingest(likes(3), **ANN))
        assert type(caught.value) is kind
        error_text(caught.value)
        assert model.count() == times
        assert states(memory) == ["failed"]
        assert len(texts(memory)) == 3


@pytest.mark.parametrize("reply", ["429", "500", "502", "dropped"])
def test_trouble_that_passes(file: Place, server: Server, model: Model, reply: str) -> None:
    """If the next attempt succeeds, there is no trace of the error."""
    model.says(TROUBLE[reply][0], "extract", 1)
    with opened(file, server, retries=1) as memory:
        assert summed(list(memory.ingest(likes(3), **ANN))).facts == 3
        assert leftovers(memory) == (0, 0)


def test_no_answer_in_time(file: Place, server: Server, model: Model) -> None:
    """After a timeout the error says how long it was."""
    model.holds("extract", 1)
    with (
        opened(file, server, concurrency=1, timeout=0.2) as memory,
        pytest.raises(UnreachableModelError, match=r"messages 1 to 2: .* within 0.2 s"),
    ):
        list(memory.ingest(likes(2), **ANN))
    with opened(file, server) as memory:
        assert summed(list(memory.retry(all_scopes=True))).facts == 2


def test_nobody_listens(file: Place, model: Model) -> None:
    """A server that is not running is an error of the same kind, and the messages are kept."""
    with serving(model) as server:
        pass
    with opened(file, server) as memory:
        with pytest.raises(UnreachableModelError, match="cannot be reached"):
            list(memory.ingest(likes(2), **ANN))
        assert len(texts(memory)) == 2


def test_a_second_ingest_goes_on(file: Place, server: Server, model: Model) -> None:
    """The same command again completes what is pending, in order, then ingests what is new."""
    model.says(refused(500, "no"), "extract", 2)
    with opened(file, server, window=2, concurrency=1) as memory:
        with pytest.raises(UnreachableModelError):
            list(memory.ingest(likes(6), **ANN))
        report = summed(list(memory.ingest(likes(8), **ANN)))
        assert (report.facts, report.messages, report.known) == (6, 2, 6)
        assert current(memory) == [sentence(n) for n in range(8)]
    assert [each.texts[0] for each in model.prompts("extract")] == [sentence(n) for n in (0, 2, 2, 4, 6)]


def test_new_messages_are_kept_while_it_lasts(file: Place, server: Server, model: Model) -> None:
    """If a pending window fails again, later messages are stored and wait behind it."""
    model.says(refused(500, "no"), "extract")
    with opened(file, server, window=2, concurrency=1) as memory:
        for count in (2, 4):
            with pytest.raises(UnreachableModelError, match="messages 1 to 2"):
                list(memory.ingest(likes(count), **ANN))
        with pytest.raises(UnreachableModelError, match="messages 1 to 2"):
            memory.add(sentence(7), **ANN)
        assert len(texts(memory)) == 5
        assert states(memory) == ["failed", "waiting", "waiting"]
        assert model.count() == 3
        model.is_well()
        assert summed(list(memory.retry(all_scopes=True))).facts == 5
        assert current(memory) == [sentence(n) for n in (0, 1, 2, 3, 7)]


def test_what_was_read_ahead_is_not_paid_twice(file: Place, server: Server, model: Model) -> None:
    """Windows whose replies arrived when another failed wait for it; their replies are kept."""
    all_there = Barrier(4)

    def together(prompt: Prompt) -> object:
        all_there.wait()
        return refused(500, "no") if sentence(0) in prompt.texts else good(prompt)

    model.says(together, "extract", 1, 2, 3, 4)
    with opened(file, server, window=1, concurrency=5) as memory:
        with pytest.raises(UnreachableModelError, match="messages 1 to 1"):
            list(memory.ingest(likes(4), **ANN))
        assert states(memory) == ["failed", "waiting", "waiting", "waiting"]
        assert summed(list(memory.retry(all_scopes=True))).facts == 4
        assert [each["text"] for each in told(memory)] == [sentence(n) for n in range(4)]
        assert leftovers(memory) == (0, 0)
    assert model.count("extract") == 5


def test_trouble_with_the_decisions(file: Place, server: Server, model: Model) -> None:
    """A window whose decisions fail stays pending; its extraction is not asked for again."""
    model.says(refused(500, "no"), "decide", 1)
    with opened(file, server, window=1, concurrency=1) as memory:
        with pytest.raises(UnreachableModelError, match="messages 5 to 5"):
            list(memory.ingest(talk(*MOVES), **ANN))
        assert states(memory) == ["failed", "waiting"]
        assert len(told(memory)) == 3
        list(memory.retry(all_scopes=True))
        assert current(memory)[-1] == "Ann lives in Lisbon since 2024-05."
        assert leftovers(memory) == (0, 0)
    assert model.count("extract") == len(MOVES)


def test_retry_of_one_scope(file: Place, server: Server, model: Model) -> None:
    """A retry processes the given scopes, or all."""
    model.says(refused(500, "no"), "extract")
    with opened(file, server) as memory:
        for user in ("a", "b", "c"):
            with pytest.raises(UnreachableModelError):
                memory.add("Ann likes tea.", user_id=user)
        model.is_well()
        assert len(list(memory.retry(user_id="b"))) == 1
        assert [each.scope.user_id for each in memory.pending(all_scopes=True)] == ["a", "c"]
        assert len(list(memory.retry(all_scopes=True))) == 2
        assert memory.pending(all_scopes=True) == ()


def test_triples_made_elsewhere(file: Place, server: Server, model: Model) -> None:
    """If the decisions about them fail, nothing of the batch is stored; adding them again completes it."""
    with opened(file, server) as memory:
        memory.add_triples([triple("Ann", "lives_in", "Oslo", "Ann lives in Oslo.")], **ANN)
        moved = [triple("Ann", "lives_in", "Rome", "Ann lives in Rome.")]
        model.says(refused(500, "no"), "decide", 1)
        with pytest.raises(UnreachableModelError):
            memory.add_triples(moved, **ANN)
        assert current(memory) == ["Ann lives in Oslo."]
        assert memory.add_triples(moved, **ANN).retired == 1
        assert current(memory) == ["Ann lives in Rome."]
        assert leftovers(memory) == (0, 0)
