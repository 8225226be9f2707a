"""Windows of one conversation that a model decides about in one call and that are committed together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import UnreachableModelError
from mem0g.extract.protocol import Window
from mem0g.ingest.prefetch import Prefetcher
from mem0g.ingest.report import Report
from mem0g.model import Scope, Triple
from tests.extract.windows import messages
from tests.llm.server import Server, content, refused
from tests.making import triple
from tests.pipeline.scripted import Model
from tests.pipeline.telling import (
    ANN,
    MOVES,
    Place,
    current,
    leftovers,
    likes,
    log,
    opened,
    sentence,
    states,
    summed,
    talk,
    texts,
    told,
)
from tests.store.ingested import ingest_result

SAID = [("2024-01-01", "Ann", "Ann lives in Oslo."), ("2024-02-01", "Ann", "Ann lives in Rome.")]
BAD = content("Let it be.")


def test_one_call_for_two_windows(file: Place, server: Server, model: Model) -> None:
    """The second window is shown what the first one tells, and may end it; the two have one report."""
    with opened(file, server, window=1, together=2) as memory:
        reports = list(memory.ingest(talk(*SAID), **ANN))
        assert [(each.messages, each.facts, each.retired) for each in reports] == [(2, 2, 1)]
        assert current(memory) == ["Ann lives in Rome."]
        assert leftovers(memory) == (0, 0)
    (asked,) = model.prompts("decide")
    assert [(each.text, each.touches) for each in asked.new] == [
        ("Ann lives in Oslo.", ()),
        ("Ann lives in Rome.", (1,)),
    ]
    assert asked.known == ()


def test_a_transcript_alone_is_decided_about_together(file: Place, server: Server, model: Model) -> None:
    """What a program adds is committed message by message and answer."""
    with opened(file, server, add_window_size=1, window=2, together=2) as memory:
        memory.add([{"role": "user", "content": text} for _, _, text in SAID], **ANN)
    assert [each.known[0].text for each in model.prompts("decide")] == ["Ann lives in Oslo."]


def test_a_bad_reply_is_asked_for_again_window_by_window(file: Place, server: Server, model: Model) -> None:
    """After two invalid replies about both windows each is decided about alone."""
    model.says(BAD, "decide", 1, 2)
    with opened(file, server, window=1, together=2) as memory:
        report = summed(list(memory.ingest(talk(*SAID), **ANN)))
        assert (report.facts, report.retired, report.quarantined) == (2, 1, 0)
        assert current(memory) == ["Ann lives in Rome."]
        assert leftovers(memory) == (0, 0)
    assert (model.count("extract"), model.count("decide")) == (2, 3)


def test_only_the_window_that_cannot_be_decided_is_quarantined(file: Place, server: Server, model: Model) -> None:
    """The first window is committed; the second waits, and a retry asks for its decisions only."""
    model.says(BAD, "decide", 1, 2, 3, 4)
    with opened(file, server, window=1, together=2) as memory:
        assert summed(list(memory.ingest(talk(*SAID), **ANN))) == Report(
            messages=2, triples=1, facts=1, entities=2, quarantined=1
        )
        assert (current(memory), states(memory)) == (["Ann lives in Oslo."], ["quarantined"])
        asked = model.count("extract")
        assert summed(list(memory.retry(all_scopes=True))).retired == 1
        assert current(memory) == ["Ann lives in Rome."]
        assert model.count("extract") == asked
        assert leftovers(memory) == (0, 0)


@pytest.mark.parametrize("turn", [2, 3])
def test_only_the_window_that_cannot_be_read_is_quarantined(
    file: Place, server: Server, model: Model, turn: int
) -> None:
    """Of two windows one cannot be extracted: the other one is committed, and so are those after them."""
    model.says(BAD, "extract", turn, turn + 1)
    with opened(file, server, window=1, together=2, concurrency=1) as memory:
        report = summed(list(memory.ingest(likes(5), **ANN)))
        assert (report.messages, report.facts, report.quarantined) == (5, 4, 1)
        assert current(memory) == [sentence(n) for n in range(5) if n != turn - 1]
        assert states(memory) == ["quarantined"]


@pytest.mark.parametrize("turn", [1, 2])
def test_no_message_is_lost(file: Place, server: Server, model: Model, turn: int) -> None:
    """Where the model fails in between, all messages are stored and wait; the next ingest completes them."""
    said = [*talk(*SAID), *talk(("2024-03-01", "Ann", "Ann lives in Oslo."), SAID[1], first=2)]
    model.says(refused(500, "no"), "decide", turn)
    with opened(file, server, window=1, together=2) as memory:
        with pytest.raises(UnreachableModelError, match=f"messages {2 * turn - 1} to {2 * turn - 1}: "):
            list(memory.ingest(said, **ANN))
        assert len(texts(memory)) == 4
        assert states(memory) == ["failed", *["waiting"] * (5 - 2 * turn)]
        list(memory.ingest(said, **ANN))
        assert current(memory) == ["Ann lives in Rome."]
        assert leftovers(memory) == (0, 0)


def test_stopping_early(file: Place, server: Server, model: Model) -> None:
    """Closing the iterator stops after the windows that were committed; what was read ahead is not asked again."""
    with opened(file, server, concurrency=3, window=2, together=2) as memory:
        reports = memory.ingest(likes(12), **ANN)
        next(reports)
        reports.close()  # type: ignore[attr-defined]
        assert len(told(memory)) == 4
        assert memory.pending(all_scopes=True) == ()
        list(memory.ingest(likes(12), **ANN))
        assert [each["text"] for each in told(memory)] == [sentence(n) for n in range(12)]
    assert model.count("extract") == 6


@pytest.mark.parametrize("concurrency", [2, 4])
def test_the_same_at_any_concurrency(
    file: Place, tmp_path: Path, server: Server, model: Model, concurrency: int
) -> None:
    """Which windows are decided about together does not depend on time."""
    said = talk(*MOVES, *reversed(MOVES))

    def made(place: Place, at_once: int) -> dict[str, Any]:
        asked = model.count("decide")
        with opened(place, server, window=1, together=2, concurrency=at_once) as memory:
            list(memory.ingest(said, **ANN))
            prompts = [each.user for each in model.prompts("decide")[asked:]]
            result = ingest_result(memory.store, Scope("ann"))
            return result | {"told": told(memory), "log": log(memory), "prompts": prompts}

    assert made(file, concurrency) == made(Place(str(tmp_path / "alone.db")), 1)


@pytest.mark.parametrize("concurrency", [1, 2, 4])
def test_groups(concurrency: int) -> None:
    """A group is of one conversation, and ends with a window that cannot be extracted; the rest is at hand."""

    def extract(window: Window, ahead: Sequence[Triple]) -> list[Triple]:
        text = window.messages[0].text
        if text == "bad":
            raise ValueError(text)
        given[text] = {each.object for each in ahead}
        return [triple("Ann", "says", text)]

    given: dict[str, set[str]] = {}
    first = [Window(messages=messages(text)) for text in ("1", "2", "bad", "3", "4", "5")]
    other = [Window(messages=messages(text, source="other")) for text in ("6", "7", "8")]
    prefetcher = Prefetcher([*first, *other], extract, concurrency, together=2)
    groups, rest = [], []
    for group in prefetcher:
        groups.append([each.window.messages[0].text for each in group])
        if "7" in groups[-1]:
            rest = [window.messages[0].text for window in prefetcher.remaining()]
            break
    assert groups == [["1", "2"], ["bad"], ["3", "4"], ["5"], ["6", "7"]]
    assert rest == ["8"]
    assert concurrency > 2 or given["2"] == {"1"}, "what is not committed yet is handed on"


def test_a_prompt_has_no_other_conversation(file: Place, server: Server, model: Model) -> None:
    """Windows of two conversations are decided about one by one."""
    other = [("2034-02-01", "Ann", "Ann lives in Rome.")]
    with opened(file, server, together=2) as memory:
        reports = list(memory.ingest([*talk(*SAID[:1]), *talk(*other, source="other")], **ANN))
    assert [each.messages for each in reports] == [1, 1]
    assert model.count("decide") == 1
