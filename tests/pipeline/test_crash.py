"""Processes that die or run concurrently: replies are not paid for twice, and messages are extracted once."""

from __future__ import annotations

import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from mem0g.errors import UnreachableModelError
from mem0g.memory import Memory
from mem0g.model import Scope
from tests.llm.server import Reply, Server, content, refused
from tests.pipeline.others import DIED, ended, started
from tests.pipeline.scripted import Model, Prompt, decided, good
from tests.pipeline.telling import (
    ANN,
    MOVES,
    Place,
    current,
    everything,
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
from tests.store.ingested import ingest_result

pytestmark = pytest.mark.slow


def all_at_last(place: Place, server: Server) -> list[dict[str, Any]]:
    """Ingest the conversation, again or for the first time; return the facts."""
    with opened(place, server, window=1) as memory:
        list(memory.ingest(talk(*MOVES), **ANN))
        assert leftovers(memory) == (0, 0)
        return told(memory)


@pytest.fixture
def expected(tmp_path: Path, server: Server, model: Model) -> list[dict[str, Any]]:
    """Return the facts of an undisturbed ingest."""
    made = all_at_last(Place(str(tmp_path / "expected.db")), server)
    model.asked.clear()
    return made


PLAN = MOVES[2][2]


@pytest.mark.parametrize("fatal", [PLAN, "one at a time now"], ids=["extracted", "decided"])
def test_death_between_reply_and_commit(
    place: Place, server: Server, model: Model, expected: list[dict[str, Any]], fatal: str
) -> None:
    """Replies received before the process died are not asked for again, and the result equals an undisturbed run."""
    if fatal != PLAN:

        def update(prompt: Prompt) -> Any:
            (new,) = prompt.new
            return {"decisions": [decided(new.number, "UPDATE", new.touches[0], sentence=fatal)]}

        model.says(update, "decide", 1)
    assert ended(started(place, server, "ingest", fatal=fatal))[0] == DIED
    before = model.count()
    with opened(place, server, window=1) as memory:
        committed = len(texts(memory))
        assert committed == (2 if fatal == PLAN else 4)  # the plan comes true in the fifth message
        assert leftovers(memory)[1] > 0
        list(memory.ingest(talk(*MOVES), **ANN))
        assert leftovers(memory) == (0, 0)
        if fatal == PLAN:
            assert told(memory) == expected
        else:
            assert fatal in current(memory)
    asked: Counter[object] = Counter(each.messages[0].number for each in model.prompts("extract"))
    for on_the_way in range(committed + 2, len(MOVES) + 1):  # a reply to one read ahead may not have come any more
        del asked[on_the_way]
    asked.update(each.user for each in model.prompts("decide"))
    assert set(asked.values()) == {1}, "each question was put once"
    assert before < model.count()


def test_killed_with_windows_that_wait(place: Place, server: Server, model: Model) -> None:
    """Windows of a process that exits right after adding are extracted by the next one's flush."""
    gate = model.holds("extract", 1)
    assert ended(started(place, server, "add"))[0] == DIED
    gate.open.set()
    model.is_well()
    with opened(place, server) as memory:
        assert current(memory) == []
        assert states(memory) == ["waiting", "waiting"]
        assert memory.search("Where does Ann live?", **ANN)[0].text == MOVES[0][2]
        assert memory.flush().facts == 2
        assert current(memory) == [MOVES[0][2], MOVES[1][2]]
        assert leftovers(memory) == (0, 0)


def test_ctrl_c(file: Place, server: Server, model: Model) -> None:
    """Interrupted while two windows are read ahead, it stops; the next ingest asks for what was not answered yet."""
    gate = model.holds("extract", 3)
    running = started(file, server, "ingest_likes")
    assert gate.reached.wait(30)
    running.send_signal(signal.SIGINT)
    gate.open.set()
    code, said = ended(running)
    assert code != 0
    assert "KeyboardInterrupt" in said
    with opened(file, server, window=2) as memory:
        list(memory.ingest(likes(10), **ANN))
        assert current(memory) == [sentence(n) for n in range(10)]
        assert leftovers(memory) == (0, 0)
    assert model.count("extract") == 5


def in_other_words(prompt: Prompt) -> Any:
    """Return a reply in different words from the other model's."""
    given = good(prompt)
    if prompt.purpose == "extract":
        for fact in given["facts"]:
            fact["sentence"] += f" ({prompt.model})"
            fact["object"] = f"{fact['object']} of {prompt.model}"
        for entity in given["entities"]:
            if entity["name"].startswith("thing"):
                entity["name"] += f" of {prompt.model}"
    return given


def test_two_processes(place: Place, server: Server, model: Model) -> None:
    """Two processes ingest one conversation into one scope, with different replies: facts are stored once."""
    together = Barrier(2)

    def meeting(prompt: Prompt) -> Any:
        if sentence(0) in prompt.texts:
            together.wait()
        return in_other_words(prompt)

    model.says(meeting, "extract")
    with ExitStack() as stack:
        running = [
            stack.enter_context(started(place, server, "ingest_likes", model=name)) for name in ("tiny", "large")
        ]
        assert [ended(each) for each in running] == [(0, ""), (0, "")]
    with opened(place, server) as memory:
        assert_once(memory)
    assert {prompt.model for prompt in model.prompts("extract")} == {"tiny", "large"}


def assert_once(memory: Memory) -> None:
    """Assert that each message has one fact, of one model per window, and nothing is pending or left over."""
    facts = everything(memory)
    assert [len(fact.evidence) for fact in facts] == [1] * 10
    assert len({fact.evidence for fact in facts}) == 10
    assert sorted(texts(memory)) == sorted(sentence(n) for n in range(10))
    by_words = {fact.text.split(" (")[0]: fact.text.split(" (")[1] for fact in facts}
    assert all(by_words[sentence(n)] == by_words[sentence(n + 1)] for n in range(0, 10, 2))
    assert leftovers(memory) == (0, 0)


@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize("reply", [refused(500, "no"), content("Hm.")], ids=["500", "prose"])
def test_one_fails_what_the_other_has_done(file: Place, server: Server, model: Model, reply: Reply, wait: bool) -> None:
    """A process whose model fails, or replies badly, for windows that another has committed leaves them as they are."""
    asked, done = Barrier(2), Barrier(2)

    def failing(prompt: Prompt) -> Any:
        if prompt.model == "tiny":
            return in_other_words(prompt)
        if prompt.attempt == 1 and prompt.texts[0] == sentence(0):
            asked.wait()
            done.wait()
        return reply

    with (
        opened(file, server, window=2, concurrency=1) as one,
        opened(file, server, model="large", window=2, concurrency=1) as two,
        ThreadPoolExecutor(1) as pool,
    ):
        two.add("Hello.", user_id="other")  # so that the server is known to take calls
        model.says(failing, "extract")
        if wait:
            reports = pool.submit(lambda: summed(list(two.ingest(likes(10), **ANN))))
        else:
            two.add(likes(10), wait=False, **ANN)
            reports = pool.submit(two.flush)
        asked.wait()
        assert summed(list(one.ingest(likes(10), **ANN))).facts == 10
        done.wait()
        if reply.status == 500:
            assert isinstance(reports.exception(), UnreachableModelError)
        else:
            assert (reports.result().quarantined, reports.result().waiting) == (0, 0)
        assert one.pending(all_scopes=True) == ()
        assert list(two.retry(all_scopes=True)) == []
        assert_once(one)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_reply_cache(file: Place, tmp_path: Path, server: Server, model: Model, concurrency: int) -> None:
    """With a file of replies, the same run on a new store asks nothing, however many windows are read at a time."""
    said = [*talk(*MOVES), *likes(30, session="2")]
    made = []
    for place, at_once in ((file, 2), (Place(str(tmp_path / "again.db")), concurrency)):
        with opened(place, server, window=2, concurrency=at_once, cache=tmp_path / "replies.jsonl") as memory:
            list(memory.ingest(said, **ANN))
            made.append((ingest_result(memory.store, Scope("ann")), told(memory)))
            paid = [cost.calls - cost.cached for cost in memory.costs(all_scopes=True) if cost.purpose != "summary"]
            asked = model.count("extract", "decide")
        with opened(place, server) as memory:  # closing has waited for the summary
            assert leftovers(memory) == (0, 0)
    assert made[0] == made[1]
    assert paid == [0, 0]
    assert asked == model.count("extract", "decide") == model.count() - model.count("summary")


def test_death_with_a_reply_cache(file: Place, tmp_path: Path, server: Server, model: Model) -> None:
    """The replies of one store's run are used by another's, even if the first did not finish."""
    model.says(refused(500, "no"), "extract", 3)
    cache = tmp_path / "replies.jsonl"
    with opened(file, server, window=2, concurrency=1, cache=cache) as memory, pytest.raises(UnreachableModelError):
        list(memory.ingest(likes(6), **ANN))
    with opened(Place(str(tmp_path / "new.db")), server, window=2, concurrency=1, cache=cache) as memory:
        assert summed(list(memory.ingest(likes(6), **ANN))).facts == 6
    assert [each.texts[0] for each in model.prompts("extract")] == [sentence(n) for n in (0, 2, 4, 4)]
