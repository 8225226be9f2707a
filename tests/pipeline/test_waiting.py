"""Adding without waiting: stored at once, extracted in the background, durable, and never silently lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest

from mem0g.errors import InputError, UnreachableModelError
from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from mem0g.ingest.report import Report
from mem0g.memory import Memory
from mem0g.model import Triple
from tests.llm.server import Reply, Server, content, refused
from tests.making import EMBEDDER
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import (
    ANN,
    Place,
    current,
    in_a_file,
    leftovers,
    likes,
    opened,
    sentence,
    states,
    talk,
    texts,
)

HELLO: list[dict[str, Any]] = [
    {"role": "user", "name": "Ann", "content": "Ann lives in Oslo."},
    {"role": "assistant", "content": "How nice!"},
]


def test_stored_at_once_extracted_later(place: Place, server: Server, model: Model) -> None:
    """The call returns before the model replies; the messages are found and pending; facts follow after a flush."""
    gate = model.holds("extract", 1)
    with opened(place, server) as memory:
        assert memory.add(HELLO, wait=False, **ANN) == Report(messages=2, waiting=1)
        assert memory.search("Where does Ann live?", **ANN)[0].text == "Ann lives in Oslo."
        assert states(memory) == ["waiting"]
        assert memory.stats(**ANN).windows == 1
        assert memory.facts(**ANN) == ()
        gate.open.set()
        report = memory.flush()
        assert (report.messages, report.facts) == (0, 1)
        assert current(memory) == ["Ann lives in Oslo."]
        assert leftovers(memory) == (0, 0)
        assert memory.flush() == Report()


def test_many_without_waiting(file: Place, server: Server, model: Model) -> None:
    """Pairs are extracted in order, each once, with the messages before it as context."""
    with opened(file, server) as memory:
        for number in range(6):
            memory.add([{"role": "user", "content": sentence(number)}], wait=False, **ANN)
        memory.flush()
        assert current(memory) == [sentence(n) for n in range(6)]
    assert model.count("extract") == 6
    last = next(each for each in model.prompts("extract") if each.texts == [sentence(5)])
    assert [each.text for each in last.context] == [sentence(n) for n in range(5)]


def test_scopes_one_after_the_other(file: Place, server: Server) -> None:
    """Each scope gets its own facts, in the order in which they were added there."""
    with opened(file, server) as memory:
        for number in range(6):
            memory.add(sentence(number), wait=False, user_id=f"user{number % 2}")
        memory.flush()
        for user in (0, 1):
            assert current(memory, user_id=f"user{user}") == [sentence(n) for n in range(user, 6, 2)]


def test_what_is_added_with_waiting_comes_after(file: Place, server: Server, model: Model) -> None:
    """A call that waits lets the background finish first: in order, and nothing is asked twice."""
    first = model.holds("extract", 1)
    with opened(file, server) as memory:
        memory.add("Ann lives in Oslo.", wait=False, **ANN)
        assert first.reached.wait(20)
        with ThreadPoolExecutor(1) as pool:
            adding = pool.submit(memory.add, "Ann lives in Rome.", **ANN)
            first.open.set()
            assert adding.result().facts == 1
        assert current(memory) == ["Ann lives in Rome."]
    assert model.count("extract") == 2


def test_close_waits(file: Place, server: Server) -> None:
    """Leaving the block completes pending work."""
    with opened(file, server) as memory:
        for number in range(3):
            memory.add(sentence(number), wait=False, **ANN)
    with opened(file, server) as memory:
        assert current(memory) == [sentence(n) for n in range(3)]


@in_a_file
def test_an_error_is_told(place: Place, server: Server, model: Model) -> None:
    """It is raised by the next flush, once, and recorded with the window; the messages stay, and a retry succeeds."""
    model.says(refused(500, "the cat is on the keyboard"), "extract")
    with opened(place, server) as memory:
        for number in range(3):
            memory.add(sentence(number), wait=False, **ANN)
        with pytest.raises(UnreachableModelError, match=r"added, messages 1 to 1: .*cat is on the keyboard"):
            memory.flush()
        failed, *rest = memory.pending(**ANN)
        assert "cat" in failed.problem
        assert (failed.state, [each.state for each in rest]) == ("failed", ["waiting", "waiting"])
        assert memory.stats(all_scopes=True).windows == 3
        assert texts(memory) == [sentence(n) for n in range(3)]
        assert memory.search(sentence(1), **ANN)[0].text == sentence(1)
        model.is_well()
        assert memory.flush().facts == 3
        assert current(memory) == [sentence(n) for n in range(3)]
        assert leftovers(memory) == (0, 0)


def test_an_error_does_not_stop_what_is_added_later(file: Place, server: Server, model: Model) -> None:
    """The next add retries what failed, before its own messages."""
    model.says(refused(500, "no"), "extract", 1)
    with opened(file, server) as memory:
        memory.add(sentence(0), wait=False, **ANN)
        with pytest.raises(UnreachableModelError):
            memory.flush()
        memory.add(sentence(1), wait=False, **ANN)
        memory.flush()
        assert current(memory) == [sentence(0), sentence(1)]


def test_an_error_of_one_scope_is_not_anothers(file: Place, server: Server, model: Model) -> None:
    """If one user's window fails, the other's is still extracted."""

    def picky(prompt: Prompt) -> Any:
        return refused(500, "no") if sentence(0) in prompt.user else good(prompt)

    model.says(picky, "extract")
    with opened(file, server) as memory:
        memory.add(sentence(0), wait=False, user_id="a")
        memory.add(sentence(1), wait=False, user_id="b")
        with pytest.raises(UnreachableModelError):
            memory.flush()
        assert current(memory, user_id="b") == [sentence(1)]
        assert [each.scope.user_id for each in memory.pending(all_scopes=True)] == ["a"]
        list(memory.ingest(likes(1, first=2), user_id="b"))
        assert current(memory, user_id="b") == [sentence(1), sentence(2)]


def test_an_unforeseen_error_comes_out_too(file: Place, server: Server, tmp_path: Path) -> None:
    """Any error in the background is raised by flush, which does not hang."""
    (tmp_path / "extract.md").write_text("# system\nRead.\n\n# user\n$mesages\n")
    with opened(file, server, prompts=tmp_path) as memory:
        memory.add(sentence(0), wait=False, **ANN)
        with pytest.raises(InputError, match="mesages"):
            memory.flush()
        assert states(memory) == ["failed"]


@pytest.mark.parametrize("reply", [None, refused(500, "no"), content("Hm.")], ids=["good", "500", "prose"])
def test_forgotten_before_it_was_extracted(file: Place, server: Server, model: Model, reply: Reply | None) -> None:
    """Windows of a scope forgotten meanwhile restore nothing, and later messages are extracted."""
    asked, forgotten = Barrier(2), Event()

    def slow(prompt: Prompt) -> Any:
        if prompt.attempt == 1:
            asked.wait()
            forgotten.wait()
        return reply or good(prompt)

    with opened(file, server, concurrency=1) as memory:
        memory.add("Hello.", user_id="other")  # so that the server is known to take calls
        model.says(slow, "extract")
        for number in range(3):
            memory.add(sentence(number), wait=False, **ANN)
        asked.wait()
        memory.forget(**ANN)
        forgotten.set()
        with suppress(UnreachableModelError):
            memory.flush()
        assert (texts(memory), memory.facts(**ANN)) == ([], ())
        assert leftovers(memory) == (0, 0)
        asked_for = model.count("extract")
        model.is_well()
        memory.add(sentence(0), wait=False, **ANN)
        memory.flush()
        assert current(memory) == [sentence(0)]
    assert model.count("extract") == asked_for + 1


def test_added_again(file: Place, server: Server, model: Model) -> None:
    """Messages that are stored already are not extracted again, with or without waiting."""
    said = talk(("2024-01-01", "Ann", "Ann lives in Oslo."))
    with opened(file, server) as memory:
        for _ in range(2):
            memory.add(said, wait=False, **ANN)
        memory.flush()
        assert memory.add(said, wait=False, **ANN) == Report(known=1)
        assert memory.add(said, **ANN) == Report(known=1)
        assert current(memory) == ["Ann lives in Oslo."]
    assert model.count() == 1


def test_a_slow_model_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    """What waits for it in one tenant's memory holds up changes of that memory alone, in any of its runs."""
    begun, answered = Event(), Event()

    class Slow(RulesExtractor):
        def extract(self, window: Window) -> tuple[Triple, ...]:
            if any(message.text == "I live in Oslo." for message in window.messages):
                begun.set()
                assert answered.wait(60)
            return super().extract(window)

    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor=Slow()) as memory:
        memory.add("I live in Oslo.", user_id="ann", run_id="1", wait=False)
        assert begun.wait(60)
        assert memory.add("I live in Lima.", user_id="bob").facts == 1
        (home,) = memory.facts(user_id="bob")
        memory.correct(home.id, "Bob lives in Quito.", user_id="bob")
        memory.erase(memory.facts(user_id="bob")[0].id, user_id="bob")
        with ThreadPoolExecutor() as pool:
            runs = (None, "2")
            changes = [pool.submit(memory.add_fact, "I like tea.", user_id="ann", run_id=run) for run in runs]
            assert not wait(changes, timeout=0.3).done
            answered.set()
            assert [each.result(60).facts for each in changes] == [1, 1]
