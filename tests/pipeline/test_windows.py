"""Division of messages into windows, and windows extracted ahead of the commit."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from threading import Barrier, Lock, Semaphore
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.ingest.windows import COMMON_RELATIONS, MAX_RELATIONS, WindowLimits, usual_relations, windows_of
from mem0g.model import Scope
from tests.extract.windows import messages
from tests.llm.server import Reply, Server, call, late
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import ANN, MOVES, Place, likes, log, opened, sentence, talk, told
from tests.store.ingested import ingest_result


def windows(model: Model) -> list[list[str]]:
    """Return the new messages of each window, in the order of the conversation."""
    return sorted((each.texts for each in model.prompts("extract")), key=lambda words: words[0])


def sizes(model: Model) -> list[int]:
    """Return their numbers of messages, in the order of the requests."""
    return [len(each.messages) for each in model.prompts("extract")]


def test_twenty_messages_by_default(file: Place, server: Server, model: Model) -> None:
    """An ingest takes twenty messages of one session at a time, with the ten before them."""
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest(likes(45), **ANN))
    assert sizes(model) == [20, 20, 5]
    second = model.prompts("extract")[1]
    assert [each.text for each in second.context] == [sentence(n) for n in range(10, 20)]
    assert [each.number for each in (*second.context, *second.messages)] == list(range(1, 31))


def test_pairs_when_a_program_adds(file: Place, server: Server, model: Model) -> None:
    """``add`` takes a message and its answer at a time."""
    with opened(file, server, concurrency=1) as memory:
        memory.add([{"role": role, "content": "Ann likes tea."} for role in ("user", "assistant") * 2], **ANN)
    assert sizes(model) == [2, 2]
    assert len(model.prompts("extract")[1].context) == 2


def test_a_tail_rides_along(file: Place, server: Server, model: Model) -> None:
    """Fewer than five messages at the end of a session are read with the window before, however often it goes on."""
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest([*likes(44), *likes(3, session="2")], **ANN))
        list(memory.ingest([*likes(44), *likes(24, session="2")], **ANN))
    assert sizes(model) == [20, 24, 3, 21]


def parts(*texts: str, size: int = 8, tokens: int = 1000) -> list[int]:
    """Return the sizes of the windows of a session of these messages."""
    made = windows_of(lambda *_: (), Scope("ann"), messages(*texts), set(), WindowLimits(size, tokens, 10))
    return [len(each.messages) for each in made]


def test_a_question_stays_with_its_answer() -> None:
    """A window ends before a question, wherever its mark stands, unless more than a quarter of it asks."""
    plain = ["I see."] * 20
    asks = [*plain[:6], "And you?", 'Is it "Max"? :)', *plain[:8]]
    assert parts(*plain) == [8, 8, 4]
    assert parts(*asks) == [6, 8, 2]
    assert parts(*plain[:5], *["What?"] * 3, *plain[:8]) == [8, 8]
    assert parts(*["她叫什么?"] * 1, *plain[:6], "她叫什么?", *plain[:6]) == [7, 7]
    assert parts("Why?", "So.", "Why?", "So.", size=1) == [1, 1, 1, 1]
    assert parts("So.", "Why?", "So.", "Why?", size=2) == [2, 2]


def test_a_tail_that_is_long() -> None:
    """A long message at the end is a window by itself, and nothing rides along with one that is too long."""
    assert parts(*["I see."] * 8, "word " * 1000) == [8, 1]
    assert parts("word " * 1000, "I see.") == [1, 1]
    assert parts(*["I see."] * 9) == [9]


@given(
    asks=st.lists(st.booleans(), max_size=60),
    size=st.integers(1, 25),
    tokens=st.integers(1, 60),
)
def test_every_message_is_in_one_window(asks: list[bool], size: int, tokens: int) -> None:
    """Windows are of consecutive messages, none is lost or read twice, and none is much longer than allowed."""
    said = messages(*("And you?" if each else "I see." for each in asks))
    limits = WindowLimits(size, tokens, 3)
    made = list(windows_of(lambda *_: (), Scope("ann"), said, set(), limits))
    assert [each for window in made for each in window.messages] == list(said)
    assert all(len(window.messages) <= max(size + limits.slack - 1, size) for window in made)


def test_size_tokens_and_context_are_settings(file: Place, server: Server, model: Model) -> None:
    """A window ends before it has too many messages or tokens; one long message is a window by itself."""
    long = talk(("2024-01-01", "Ann", "word " * 100), first=3)
    with opened(file, server, concurrency=1, window=3, window_tokens=20, context=1) as memory:
        list(memory.ingest([*likes(3), *long, *likes(3, first=4)], **ANN))
    assert sizes(model) == [3, 1, 3]
    assert [len(each.context) for each in model.prompts("extract")] == [0, 1, 1]


def test_a_text_without_spaces_is_not_short(file: Place, server: Server, model: Model) -> None:
    """Text without spaces is measured by its characters."""
    said = talk(*(("2024-01-01", "Ann", "x" * 8000) for _ in range(4)))
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest(said, **ANN))
    assert sizes(model) == [1, 1, 1, 1]


def test_a_window_is_of_one_session(file: Place, server: Server, model: Model) -> None:
    """Sessions are never mixed; the previous one is context for the next, another source is not."""
    first, second = likes(3, session="1"), likes(12, session="2")
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest([*first, *second, *likes(2, session="3"), *likes(1, first=15, source="other")], **ANN))
    assert sizes(model) == [3, 12, 2, 1]
    before = [[each.text for each in asked.context] for asked in model.prompts("extract")]
    assert before == [[], [sentence(n) for n in range(3)], [sentence(n) for n in range(2, 12)], []]


def test_a_session_goes_on(file: Place, server: Server, model: Model) -> None:
    """A session that is continued later has its context again."""
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest([*likes(3, session="1"), *likes(3, session="2")], **ANN))
        list(memory.ingest(likes(2, session="1", first=3), **ANN))
    assert [each.text for each in model.prompts("extract")[-1].context] == [sentence(n) for n in range(3)]


def test_a_gap_ends_a_window(file: Place, server: Server, model: Model) -> None:
    """New messages around a known one are two windows, and the known one is context of the second."""
    said = likes(5)
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest(said[2:3], **ANN))
        list(memory.ingest(said, **ANN))
    assert windows(model) == [[sentence(0), sentence(1)], [sentence(2)], [sentence(3), sentence(4)]]
    after = next(each for each in model.prompts("extract") if each.texts[0] == sentence(3))
    assert [each.text for each in after.context] == [sentence(0), sentence(1), sentence(2)]


def test_commits_stay_in_order(file: Place, server: Server, model: Model) -> None:
    """The first window's reply arrives after the next three: nothing is committed before it, then all in order."""
    others = Semaphore(0)

    def first_last(prompt: Prompt) -> Any:
        if sentence(0) not in prompt.texts:
            others.release()
            return good(prompt)
        for _ in range(3):
            others.acquire()
        return good(prompt)

    model.says(first_last, "extract")
    with opened(file, server, concurrency=4, window=2) as memory:
        assert [report.messages for report in memory.ingest(likes(8), **ANN)] == [2, 2, 2, 2]
        assert [each["text"] for each in told(memory)] == [sentence(n) for n in range(8)]


def test_as_many_at_a_time_as_allowed(file: Place, server: Server, model: Model) -> None:
    """With a concurrency of three, two windows are extracted at once, and never three."""
    lock, both, here, most = Lock(), Barrier(2), [0], [0]

    def together(prompt: Prompt) -> Any:
        with lock:
            here[0] += 1
            most[0] = max(most[0], here[0])
        both.wait()
        with lock:
            here[0] -= 1
        return good(prompt)

    model.says(together, "extract")
    with opened(file, server, concurrency=3, window=1) as memory:
        assert len(list(memory.ingest(likes(8), **ANN))) == 8
    assert most == [2]


@pytest.mark.parametrize("concurrency", [2, 4, 16])
def test_as_one_after_the_other(file: Place, tmp_path: Path, server: Server, model: Model, concurrency: int) -> None:
    """The result does not depend on the concurrency, nor on the order of replies."""
    said = talk(*MOVES, *reversed(MOVES))

    def made(place: Place, at_once: int) -> dict[str, Any]:
        with opened(place, server, window=1, concurrency=at_once) as memory:
            list(memory.ingest(said, **ANN))
            return ingest_result(memory.store, Scope("ann")) | {"told": told(memory), "log": log(memory)}

    one_by_one = made(Place(str(tmp_path / "alone.db")), 1)
    model.says(in_another_order, "extract")
    assert made(file, concurrency) == one_by_one


def in_another_order(prompt: Prompt) -> Reply:
    """A good reply, delayed depending on the text."""
    name = "remember"
    return late(call(good(prompt), name=name), zlib.crc32(prompt.user.encode()) % 5 / 50)


def test_stopping_early(file: Place, server: Server, model: Model) -> None:
    """Closing the iterator stops after the current window; the rest is not stored, and the next ingest goes on."""
    with opened(file, server, concurrency=3, window=2) as memory:
        reports = memory.ingest(likes(12), **ANN)
        next(reports)
        reports.close()  # type: ignore[attr-defined]
        assert len(told(memory)) == 2
        assert memory.pending(all_scopes=True) == ()
        asked = model.count()
        list(memory.ingest(likes(12), **ANN))
        assert [each["text"] for each in told(memory)] == [sentence(n) for n in range(12)]
        assert model.count() == 6, "what was read ahead is not asked again"
        assert asked <= 3


NAMES = re.compile(r": ((?:[a-z_]+, )+[a-z_]+)$", re.MULTILINE)
"""The names of relations in a prompt."""


def test_usual_relations_are_shown(file: Place, server: Server, model: Model) -> None:
    """Common relations are always shown, then those that the scope has used twice; what was used once is not."""
    with opened(file, server, concurrency=1, window=2) as memory:
        list(memory.ingest(talk(("2024-01-01", "Zoe", "Zoe knows Max.")), user_id="zoe"))
        list(memory.ingest(talk(*MOVES), **ANN))
        list(memory.ingest(talk(*MOVES), user_id="bob"))
    shown = [NAMES.search(each.user) for each in model.prompts("extract")]
    assert {found[1] for found in shown if found} == {", ".join(COMMON_RELATIONS)}
    assert len([found for found in shown if found]) == len(shown) == 7
    counts = {"REHEARSES_ON": 1, "DRAWS": 2, "SINGS_IN": 3, "LIVES_IN": 2}
    assert usual_relations(counts) == (*COMMON_RELATIONS, "sings_in", "draws")
    many = {f"VERB_{number}": number for number in range(100)}
    assert (len(usual_relations(many)), usual_relations(many)[len(COMMON_RELATIONS)]) == (MAX_RELATIONS, "verb_99")
