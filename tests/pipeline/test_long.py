"""Input too long for the model is halved, and very long messages are split."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from mem0g.errors import UnreachableModelError
from mem0g.store.records import ModelCall
from tests.llm.server import Server, content, refused
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import ANN, Place, current, leftovers, likes, opened, sentence, states, summed, talk, told

TOO_LONG = refused(400, "This model's maximum context length is 100 tokens.", code="context_length_exceeded")
CUT_OFF = content('{"entities": [', finish="length")


def at_most(messages: int) -> Callable[[Prompt], Any]:
    """Accept at most this many messages, old and new."""
    return lambda prompt: TOO_LONG if len(prompt.context) + len(prompt.messages) > messages else good(prompt)


@pytest.mark.parametrize("extractor", ["llm", "llm-two-stage"])
def test_a_prompt_too_long_is_halved(file: Place, server: Server, model: Model, extractor: str) -> None:
    """A prompt over the limit is split into parts with less context, and all facts belong to one window."""
    model.says(at_most(6), "extract")
    model.says(at_most(6), "entities")
    with opened(file, server, extractor, concurrency=1) as memory:
        (report,) = memory.ingest(likes(16), **ANN)
        assert (report.messages, report.facts) == (16, 16)
        assert [each["text"] for each in told(memory)] == [sentence(n) for n in range(16)]
        assert [each["evidence"] for each in told(memory)] == [[sentence(n)] for n in range(16)]
        assert leftovers(memory) == (0, 0)
        windows = {call.window for call in memory.store.records(ModelCall)}
        assert len(windows) == 1, "all calls are of the one window"


def test_a_reply_cut_off_is_halved(file: Place, server: Server, model: Model) -> None:
    """A truncated reply is asked for in parts; the second part is understood with the first."""
    model.says(lambda prompt: CUT_OFF if len(prompt.messages) > 3 else good(prompt), "extract")
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest(likes(6), **ANN))
        assert current(memory) == [sentence(n) for n in range(6)]
        assert leftovers(memory) == (0, 0)
    assert [len(each.messages) for each in model.prompts("extract")] == [6, 3, 3]
    assert [each.text for each in model.prompts("extract")[2].context] == [sentence(n) for n in range(3)]


def test_what_is_always_too_long_is_put_aside(file: Place, server: Server, model: Model) -> None:
    """A window that is too long even when halved is quarantined, without blocking later ones."""
    model.says(lambda prompt: TOO_LONG if sentence(2) in prompt.user else good(prompt), "extract")
    with opened(file, server, window=2, concurrency=1, context=0) as memory:
        report = summed(list(memory.ingest(likes(6), **ANN)))
        assert (report.facts, report.quarantined, report.messages) == (4, 1, 6)
        (window,) = memory.pending(all_scopes=True)
        assert (window.state, window.reply) == ("quarantined", "")
        assert "maximum context length" in window.problem
        model.is_well()
        assert summed(list(memory.retry(all_scopes=True))).facts == 2


def test_context_is_left_out_at_last(file: Place, server: Server, model: Model) -> None:
    """A short message that fits only without context is read without it."""
    model.says(lambda prompt: TOO_LONG if prompt.context else good(prompt), "extract")
    with opened(file, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(likes(3), **ANN))).facts == 3


def test_decisions_too_long(file: Place, server: Server, model: Model) -> None:
    """With too many known facts for a prompt, the window is quarantined, and the others go on."""
    model.says(TOO_LONG, "decide", 1)
    said = [("2024-01-01", "Ann", f"Ann lives in {city}.") for city in ("Oslo", "Rome", "Lisbon")]
    with opened(file, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(talk(*said), **ANN))).quarantined == 1
        assert current(memory) == ["Ann lives in Lisbon."]


def test_trouble_with_a_half(file: Place, server: Server, model: Model) -> None:
    """If the second half fails, the whole window waits; the reply for the first half is kept."""
    model.says(lambda prompt: CUT_OFF if len(prompt.messages) > 2 else good(prompt), "extract")
    model.says(refused(500, "no"), "extract", 3)
    with opened(file, server, concurrency=1) as memory:
        with pytest.raises(UnreachableModelError, match="messages 1 to 4"):
            list(memory.ingest(likes(4), **ANN))
        assert states(memory) == ["failed"]
        assert summed(list(memory.retry(all_scopes=True))).facts == 4
        assert leftovers(memory) == (0, 0)
    assert [each.texts[0] for each in model.prompts("extract")] == [sentence(n) for n in (0, 0, 2, 0, 2)]


def long_message() -> str:
    """A message of a hundred thousand characters, with a fact every two thousand."""
    filler = "The rain fell on the roofs and nobody said much about it. " * 34
    paragraphs = [f"{filler}{sentence(n)}" for n in range(60)]
    return "\n\n".join(paragraphs)[:99_980] + f" {sentence(99)}"


def test_a_hundred_thousand_characters(place: Place, server: Server, model: Model) -> None:
    """One very long message is read in pieces split between sentences; its facts cite it; later messages go on."""
    text = long_message()
    assert 99_990 < len(text) < 100_020
    said = talk(
        ("2024-01-01", "Ann", "Ann lives in Oslo."),
        ("2024-01-01", "Ann", text),
        ("2024-01-01", "Ben", "Ben likes tea."),
    )
    with opened(place, server) as memory:
        report = summed(list(memory.ingest(said, **ANN)))
        found = [each["text"] for each in told(memory)]
        mentioned = [n for n in (*range(60), 99) if sentence(n) in text]
        assert found == ["Ann lives in Oslo.", *(sentence(n) for n in mentioned), "Ben likes tea."]
        assert report.quarantined == 0
        (message,) = [each for each in memory.messages(**ANN) if len(each.text) > 1000]
        assert message.text == text
        assert {each.evidence for each in memory.facts(relation="likes", **ANN)[:-1]} == {(message.id,)}
        assert leftovers(memory) == (0, 0)
    asked = [each for each in model.prompts("extract") if "rain" in each.texts[0]]
    assert "".join(each.texts[0] for each in asked) == text
    assert len(asked) > 5
    assert max(len(each.user) for each in model.prompts("extract")) < 20_000
    assert all(each.texts[0].rstrip().endswith(".") for each in asked)


def test_a_piece_too_long_is_halved(file: Place, server: Server, model: Model) -> None:
    """Pieces of a message are halved like windows."""
    model.says(lambda prompt: TOO_LONG if len(prompt.texts[0]) > 3000 else good(prompt), "extract")
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest(talk(("2024-01-01", "Ann", long_message())), **ANN))
        assert len(current(memory)) >= 50
        assert leftovers(memory) == (0, 0)


def test_long_messages_are_short_context(file: Place, server: Server, model: Model) -> None:
    """In the context of later messages a very long message is reduced to its beginning and end."""
    said = likes(3)
    said[0] = dataclasses.replace(said[0], text="The beginning. " + "word " * 1000 + "The end.")
    with opened(file, server, concurrency=1, window=1) as memory:
        list(memory.ingest(said, **ANN))
    shown = model.prompts("extract")[-1].context[0].text
    assert len(shown) < 2100
    assert shown.startswith("The beginning. word")
    assert shown.endswith("word The end.")


def test_the_error_of_one_message(file: Place, server: Server, model: Model) -> None:
    """A message that cannot be read at all gets an error of its own."""
    model.says(TOO_LONG, "extract")
    with opened(file, server) as memory:
        assert memory.add(sentence(0), **ANN).quarantined == 1
        assert "refused 'tiny' (400)" in memory.pending(all_scopes=True)[0].problem
