"""Summaries of conversations: made in the background, shown to later windows, without delaying any."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from mem0g.ingest.earlier_facts import MAX_EARLIER, earlier_facts
from mem0g.ingest.summaries import session_key
from mem0g.memory import Memory
from mem0g.model import LITERAL, Scope
from mem0g.resolve.mentions import ALIAS
from mem0g.settings import LLMSettings, Settings
from mem0g.store.records import ConversationSummary
from mem0g.store.sqlite import SqliteStore
from mem0g.store.sqlite.transaction import SqliteTransaction
from tests.extract.windows import messages
from tests.llm.server import Server, content, refused
from tests.making import change, entity, fact
from tests.pipeline.scripted import Model
from tests.pipeline.telling import ANN, EMBEDDER, Place, leftovers, likes, opened, sentence, told

SCOPE = Scope("ann")


def summaries(memory: Memory) -> list[dict[str, Any]]:
    """Return the summaries in the store."""
    return [asdict(summary) for summary in memory.store.records(ConversationSummary)]


def test_every_twenty_messages(file: Place, server: Server, model: Model) -> None:
    """It is asked for after twenty messages, and after forty with the first summary and the new messages."""
    for count in (10, 20, 39, 40):
        with opened(file, server, window=10) as memory:
            list(memory.ingest(likes(count), **ANN))
    first, second = model.prompts("summary")
    assert first.texts == [sentence(n) for n in range(20)]
    assert second.texts == [sentence(n) for n in range(20, 40)]
    assert f"Up to {sentence(19)}" in second.user
    assert "Up to" not in first.user
    with opened(file, server) as memory:
        (kept,) = summaries(memory)
        assert (kept["text"], kept["waiting"], kept["problem"]) == (f"Up to {sentence(39)}", (), "")
        assert leftovers(memory) == (0, 0)


def test_later_windows_are_shown_it(file: Place, server: Server, model: Model) -> None:
    """A window read after the summary is available is shown it before the messages; earlier ones were not."""
    with opened(file, server) as memory:
        list(memory.ingest(likes(20), **ANN))
    with opened(file, server) as memory:
        list(memory.ingest(likes(25), **ANN))
    first, second = model.prompts("extract")
    assert f"Up to {sentence(19)}" in second.user
    assert second.user.index("Up to") < second.user.index("[1]")
    assert "Up to" not in first.user


def test_a_transcript_is_summed_up_at_its_end(file: Place, server: Server, model: Model) -> None:
    """A whole transcript costs one summary, of its last messages, which the session after it is shown."""
    with opened(file, server) as memory:
        list(memory.ingest(likes(100), **ANN))
    with opened(file, server) as memory:
        list(memory.ingest(likes(20, session="2"), **ANN))
    first, _ = model.prompts("summary")
    assert first.texts == [sentence(n) for n in range(40, 100)]
    assert [f"Up to {sentence(99)}" in each.user for each in model.prompts("extract")] == [False] * 5 + [True]


def test_what_sessions_before_told_is_summed_up_too(file: Place, server: Server, model: Model) -> None:
    """Where there are too many messages, facts of each session before are shown, of this conversation alone."""
    with opened(file, server) as memory:
        list(memory.ingest(likes(10, source="other", first=500), **ANN))
        sessions = [likes(30, first=30 * each, session=str(each)) for each in range(5)]
        list(memory.ingest([message for each in sessions for message in each], **ANN))
    (asked,) = model.prompts("summary")
    assert asked.texts == [sentence(n) for n in range(90, 150)]
    earlier = asked.user.partition("New messages:")[0]
    told = [n for n in range(600) if f'"{sentence(n)}"' in earlier]
    assert len(told) == MAX_EARLIER
    counts = [sum(n // 30 == session for n in told) for session in range(3)]
    assert sorted(counts) == [13, 13, 14]


def test_what_matters_is_summed_up_before_moods(tmp_path: Path) -> None:
    """Of one session plans and people are told before moods; that somebody has another name is not told."""
    store = SqliteStore(tmp_path / "memory.db")
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    (said, latest) = messages("So it was.", "And so it is.", scope=SCOPE)
    mood = entity("odd", SCOPE, type=LITERAL)
    evan, mia = (entity(name, SCOPE, type="person") for name in ("Evan", "Mia"))
    told_ = [fact(evan, "FEELS", mood, f"Evan feels odd {n}.", relation_given="feels") for n in range(MAX_EARLIER)]
    known = fact(evan, "KNOWS", mia, "Evan knows Mia.", relation_given="knows")
    alias = fact(mia, ALIAS, entity("Mi", SCOPE), "Mia is also called Mi.", relation_given="also_known_as")
    facts = [dataclasses.replace(each, evidence=(said.id,)) for each in (*told_, known, alias)]
    made = change(SCOPE, messages=[said], entities=[evan, mia, mood, entity("Mi", SCOPE)], facts=facts)
    store.write(SCOPE, lambda transaction: transaction.commit(made))
    texts = [each.text for each in earlier_facts(store, SCOPE, [latest])]
    store.close()
    assert texts[-1] == "Evan knows Mia."
    assert len(texts) == MAX_EARLIER


def test_one_that_lags_is_left_out(file: Place, server: Server, model: Model) -> None:
    """A summary that lacks messages of a session before, which the window does not show either, is not shown."""
    with opened(file, server) as memory:
        list(memory.ingest(likes(20), **ANN))
    with opened(file, server, concurrency=1) as memory:
        list(memory.ingest([*likes(8, session="2"), *likes(25, session="3")], **ANN))
        shown = ["Up to" in each.user for each in model.prompts("extract")[1:]]
        assert shown == [True, True, False], "the third window no longer has the second session before it"


class WatchedStore(SqliteStore):
    """A store that looks after each commit at the messages that are stored and those that wait for a summary."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.seen: list[tuple[set[str], set[str]]] = []

    def write(self, scope: Scope, work: Callable[[SqliteTransaction], Any]) -> Any:
        """See Store."""
        done = super().write(scope, work)
        waiting = {each for summary in self.records(ConversationSummary, scope) for each in summary.waiting}
        self.seen.append(({message.id for message in self.list_messages(scope, 100)}, waiting))
        return done


@pytest.mark.parametrize(("together", "commits"), [(1, {0, 4, 8, 12}), (2, {0, 8, 12})])
def test_messages_wait_from_the_commit_that_stores_them(
    tmp_path: Path, server: Server, together: int, commits: set[int]
) -> None:
    """A process that ends between two commits leaves no message that no summary will have."""
    store, llm = WatchedStore(tmp_path / "m.db"), LLMSettings(base_url=server.base_url, model="tiny", retries=0)
    settings = Settings(llm=llm, window=4, together=together)
    with Memory.open(store, embedder=EMBEDDER, extractor="llm", settings=settings) as memory:
        list(memory.ingest(likes(12), **ANN))
    assert {len(stored) for stored, _ in store.seen} == commits
    assert all(stored == waiting for stored, waiting in store.seen)


def test_it_is_of_one_conversation(file: Place, server: Server, model: Model) -> None:
    """Another source and another scope have summaries of their own."""
    for source, scope in (("talk", "ann"), ("other", "ann"), ("talk", "bob")):
        with opened(file, server) as memory:
            list(memory.ingest(likes(20, source=source), user_id=scope))
    assert [each.texts[0] for each in model.prompts("summary")] == [sentence(0)] * 3
    assert not [each for each in model.asked if "Up to" in each.user]


def test_one_that_hangs_holds_nothing_back(file: Place, server: Server, model: Model) -> None:
    """While a summary has no reply, windows are committed without it, and no other is asked for.

    What is due is caught up at the end, twenty messages at a time.
    """
    gate = model.holds("summary", 1)
    with opened(file, server, window=10) as memory:
        for first in (0, 20, 40):
            memory.add(likes(20, first=first), **ANN)
        assert gate.reached.wait(20)
        assert len(told(memory)) == 60
        assert summaries(memory)[0]["text"] == ""
        assert model.count("summary") == 1
        gate.open.set()
    with opened(file, server) as memory:
        (kept,) = summaries(memory)
        assert (kept["text"], kept["waiting"]) == (f"Up to {sentence(59)}", ())
    assert [each.texts[0] for each in model.prompts("summary")] == [sentence(0), sentence(20), sentence(40)]


def test_one_that_fails_holds_nothing_back(file: Place, server: Server, model: Model) -> None:
    """A failed or invalid summary is recorded, and asked for again with all that waits at the next end."""
    model.says(refused(500, "no"), "summary", 1)
    model.says(content("What a nice talk!"), "summary", 2, 3)
    problems = []
    for count in (20, 30, 40):
        with opened(file, server, window=10) as memory:
            list(memory.ingest(likes(count), **ANN))
            assert len(told(memory)) == count
            assert memory.pending(all_scopes=True) == ()
        with opened(file, server) as memory:
            problems.append(summaries(memory)[0]["problem"])
    assert "answered 500" in problems[0]
    assert "text instead of a call" in problems[1]
    assert problems[2] == ""
    assert model.prompts("summary")[-1].texts == [sentence(n) for n in range(40)]


def test_a_prompt_that_cannot_be_asked_is_noted(file: Place, server: Server, tmp_path: Path) -> None:
    """An error in the summary prompt does not stop the extraction."""
    (tmp_path / "summary.md").write_text("# system\nSum up.\n\n# user\n$mesages\n")
    with opened(file, server, prompts=tmp_path) as memory:
        list(memory.ingest(likes(20), **ANN))
    with opened(file, server) as memory:
        assert "$mesages" in summaries(memory)[0]["problem"]
        assert len(told(memory)) == 20


def test_very_long_messages_are_shortened(file: Place, server: Server, model: Model) -> None:
    """A very long message is reduced to its beginning and end in a summary's prompt."""
    said = likes(20)
    said[5] = dataclasses.replace(said[5], text="The beginning. " + "word " * 1000 + "The end.")
    with opened(file, server) as memory:
        list(memory.ingest(said, **ANN))
    (asked,) = model.prompts("summary")
    assert len(asked.texts[5]) < 2100
    assert asked.texts[5].startswith("The beginning.")
    assert asked.texts[5].endswith("The end.")


def test_forgotten_with_the_scope(file: Place, server: Server, model: Model) -> None:
    """The summary is deleted with the scope, in the memory of this process too."""
    with opened(file, server) as memory:
        list(memory.ingest(likes(20), **ANN))
        memory.forget(**ANN)
        list(memory.ingest(likes(20, first=20), **ANN))
        assert "Up to" not in model.prompts("extract")[-1].user
        assert memory.store.records(ConversationSummary, Scope("ann"))
    later = [each.user for each in model.asked if sentence(30) in each.user]
    assert len(later) == 2, "one that extracts, one that sums up"
    assert sentence(3) not in "".join(later)


def of_sessions(memory: Memory, source: str = "talk") -> dict[str, str]:
    """Return the texts of the summaries of sessions "1" to "9", by session."""
    kept = {each.id: each.text for each in memory.store.records(ConversationSummary)}
    return {name: text for name in "123456789" if (text := kept.get(session_key(source, name)))}


def test_a_session_is_summed_up_when_it_closes(file: Place, server: Server, model: Model) -> None:
    """When another begins, of all its messages; not while it is open, nor one of a few messages, nor twice."""
    with opened(file, server, session_summaries=True) as memory:
        for session, count in (("1", 6), ("2", 2), ("3", 5)):
            memory.add(likes(count, session=session), **ANN)
    with opened(file, server, session_summaries=True) as memory:
        assert of_sessions(memory) == {"1": f"Up to {sentence(5)}"}
        memory.add(likes(1, session="4"), **ANN)
    with opened(file, server, session_summaries=True) as memory:
        assert of_sessions(memory) == {"1": f"Up to {sentence(5)}", "3": f"Up to {sentence(4)}"}
        assert leftovers(memory) == (0, 0)
    assert [each.texts for each in model.prompts("summary")] == [
        [sentence(n) for n in range(6)],
        [sentence(n) for n in range(5)],
    ]


def test_the_sessions_of_a_transcript_are_all_closed(file: Place, server: Server, model: Model) -> None:
    """Also the last one. A session that goes on later is summed up anew from its summary; a long one in parts."""
    with opened(file, server, session_summaries=True) as memory:
        list(memory.ingest([*likes(5, session="1"), *likes(70, session="2")], **ANN))
    with opened(file, server, session_summaries=True) as memory:
        assert of_sessions(memory) == {"1": f"Up to {sentence(4)}", "2": f"Up to {sentence(69)}"}
        list(memory.ingest(likes(7, session="1"), **ANN))
    with opened(file, server, session_summaries=True) as memory:
        assert of_sessions(memory)["1"] == f"Up to {sentence(6)}"
    *_, last = model.prompts("summary")
    assert last.texts == [sentence(5), sentence(6)]
    assert f"Up to {sentence(4)}" in last.user


def test_sessions_have_none_by_default(file: Place, server: Server, model: Model) -> None:
    """They cost a request each."""
    with opened(file, server) as memory:
        list(memory.ingest([*likes(5, session="1"), *likes(5, session="2")], **ANN))
    assert model.count("summary") == 0


def test_sessions_are_shown_and_erased(place: Place, server: Server, model: Model) -> None:
    """A question for a summary shows them; erasing a message removes that of its session, forgetting all."""
    with opened(place, server, session_summaries=True) as memory:
        list(memory.ingest([*likes(5, session="1"), *likes(6, session="2")], **ANN))
    with opened(place, server, session_summaries=True) as memory:
        text = memory.context("Summarize our conversations.", tokens=1000, **ANN).text
        assert f"Summary: Up to {sentence(4)}" in text
        assert f"Summary: Up to {sentence(5)}" in text
        said = next(each for each in memory.messages(**ANN) if each.session == "1")
        memory.erase(said.id, **ANN)
        assert of_sessions(memory) == {"2": f"Up to {sentence(5)}"}
        memory.forget(**ANN)
        assert summaries(memory) == []
