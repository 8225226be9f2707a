"""The time line for a question about the whole of a conversation."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.model import Hit, Message, Scope, Utterance
from mem0g.retrieve.context.gist import Gists
from mem0g.retrieve.context.timeline import NAMED, naming, paired, raised, timeline
from mem0g.retrieve.question.kinds import Kind, Overview
from mem0g.store.change import Change
from mem0g.store.records import ConversationSummary
from mem0g.testing import HashingEmbedder
from mem0g.text.stemming import tokens

DAY = datetime(2024, 3, 1, tzinfo=UTC)
WORK = ("roof", "cellar", "garden", "kitchen", "staircase", "chimney", "balcony", "garage", "attic", "fence", "porch")


def told(session: int, position: int, text: str, role: str = "user", score: float = 0.0) -> Hit:
    """A message of a session, with its score."""
    said = Utterance(
        source="chat",
        session=f"s{session}",
        position=position,
        speaker="alex" if role == "user" else "assistant",
        role="user" if role == "user" else "assistant",
        text=text,
        time=DAY + timedelta(days=session),
    )
    return Hit(score=score, reasons=(), message=Message.of(said, Scope(user_id="alex")))


def house() -> list[Hit]:
    """Sessions of one request and its reply each, in no order."""
    hits = []
    for number, part in enumerate(WORK):
        hits.append(told(number, 1, f"### Repair the {part}\nYes.\n### Paint the {part}\nNo.", "assistant"))
        hits.append(told(number, 0, f"I want to rebuild the {part}, can you help me with that?", score=number / 10))
    return hits[::-1]


def shown(hits: list[Hit], kind: Kind = "order", tokens_: int = 300) -> str:
    gists = Gists((), (" ".join(tokens(hit.text)) for hit in hits))
    context = timeline(hits, gists, Overview(kind, "house"), tokens_)
    assert context.tokens <= tokens_
    assert len(context.text.split()) * 1.3 <= tokens_
    return context.text


def test_lines_stand_under_their_days_in_order() -> None:
    """The question's order is that of time, whatever fits best."""
    lines = shown(house()).splitlines()
    assert lines[:3] == ["Time line:", "2024-03-01:", "  rebuild the roof"]
    assert [line.split()[-1] for line in lines if line.startswith("  rebuild")] == list(WORK)


def test_a_summary_shows_the_replies() -> None:
    """A message and its reply are one line, and both are evidence."""
    hits = house()
    gists = Gists((), (" ".join(tokens(hit.text)) for hit in hits))
    context = timeline(hits, gists, Overview("summary", "house"), 400)
    assert "  rebuild the roof → Repair the roof; Paint the roof" in context.text.splitlines()
    assert {hit.message.role for hit in context.hits if hit.message} == {"user", "assistant"}
    order = timeline(hits, gists, Overview("order", "house"), 400)
    assert {hit.message.role for hit in order.hits if hit.message} == {"user"}


def test_a_small_budget_has_the_best() -> None:
    """What fits the topic best stays, in the order of time."""
    lines = shown(house(), tokens_=16).splitlines()
    assert lines == ["Time line:", "2024-03-10:", "  rebuild the fence", "2024-03-11:", "  rebuild the porch"]


@pytest.mark.parametrize("budget", [1, 2, 3, 5])
def test_no_budget_is_exceeded(budget: int) -> None:
    """Where no line fits there is no time line."""
    assert shown(house(), tokens_=budget) == ""


def test_where_all_fits_the_best_are_longer() -> None:
    """Words are left, so what was said is told at greater length."""
    long = "I sold the old barn to my neighbour Ida for nine hundred crowns after the storm had taken half of its roof."
    assert "after the storm had taken half of its roof" in shown([told(0, 0, long)], tokens_=200)
    assert "storm" not in shown([told(0, 0, long)], tokens_=20)


def test_replies_belong_to_what_they_follow() -> None:
    """Directly after a user's message in the same session; others stand alone."""
    hits = [
        told(0, 0, "One", score=1.0),
        told(0, 1, "Reply", "assistant", 0.0),
        told(0, 3, "Late", "assistant", 0.5),
        told(1, 1, "Other", "assistant", 0.5),
    ]
    entries = paired(hits)
    assert [[hit.text for hit in each.messages] for each in entries] == [["One", "Reply"], ["Late"], ["Other"]]
    assert [each.score for each in entries] == [0.5, 0.5, 0.5]
    assert raised(entries)[0].score == 0.65
    assert raised(entries)[2].score == 0.5


def test_names_in_the_topic_count() -> None:
    """An entry in which the user names whom or what is asked about fits better; a reply that does so says no more."""
    entries = paired(
        [
            told(0, 0, "Douglas likes Dune."),
            told(0, 1, "So do I."),
            told(0, 2, "Douglas!", "assistant"),
            told(1, 0, "Douglas?"),
        ]
    )
    assert [each.score for each in naming(entries, tokens("Douglas Dune"))] == [NAMED, 0, NAMED / 2]
    assert naming(entries, ()) == entries
    crowd = [told(0, place, f"Bob and Ann painted the {word}.") for place, word in enumerate(WORK)]
    asked = [*crowd, told(0, 20, "The mill is what Zoe saw.")]
    for topic, shown in (("what Zoe saw", True), ("what she saw", False)):
        page = timeline(asked, Gists((), (each.text for each in asked)), Overview("order", topic), 24)
        assert ("Zoe" in page.text) is shown


def test_people_are_named_where_there_are_several() -> None:
    """In a chat of two friends each line says who."""
    hits = [told(0, 0, "I bought a bike."), told(0, 1, "I sold my car.")]
    assert hits[1].message is not None
    hits[1] = replace(hits[1], message=replace(hits[1].message, speaker="ben"))
    assert shown(hits).splitlines()[2:] == ["  alex: bought a bike", "  ben: sold my car"]


def test_sessions_without_times_keep_their_order() -> None:
    """Session 10 comes after session 2, under its name."""
    hits = [replace(hit, message=replace(hit.message, time=None)) for hit in house() if hit.message]
    lines = [line for line in shown(hits).splitlines() if not line.startswith("  ")]
    assert lines == ["Time line:", *(f"s{number}:" for number in range(len(WORK)))]


def test_nothing_said_is_no_time_line() -> None:
    """No message, only fillers, only replies."""
    assert shown([]) == ""
    assert shown([told(0, 0, "Ok!")]) == ""
    assert shown([told(0, 0, "Of course, the roof comes first.", "assistant")]) == ""


def test_what_stands_above_is_not_repeated() -> None:
    """A message that is left out, as its words stand above, is left out with its reply."""
    hits = [
        told(0, 0, "I want to rebuild the roof."),
        told(0, 1, "### Repair it\n### Paint it", "assistant"),
        told(0, 2, "Always answer in French."),
        told(0, 3, "### Bien\n### Oui", "assistant"),
    ]
    gists = Gists((), (" ".join(tokens(hit.text)) for hit in hits))
    assert hits[2].message is not None
    context = timeline(hits, gists, Overview("summary", "house"), 400, [hits[2].message.id])
    assert [hit.text for hit in context.hits] == [hit.text for hit in hits[:2]]
    assert "Bien" not in context.text


def test_without_a_topic_every_session_has_its_best() -> None:
    """ "What have we talked about?": what says most in a session comes before the second of another."""
    hits = [
        told(0, 0, "I planted forty tulips, nine roses and three apple trees behind the old barn."),
        told(0, 2, "I sold the boat to my neighbour Ida for nine hundred crowns."),
        told(1, 0, "I want a hat."),
        told(2, 0, "I want a coat."),
    ]
    gists = Gists((), (" ".join(tokens(hit.text)) for hit in hits))
    text = timeline(hits, gists, Overview("order", ""), 32).text
    assert "tulips" in text
    assert "hat" in text
    assert "coat" in text
    assert "boat" not in text


def test_instructions_above_a_time_line_are_not_lines_of_it(tmp_path: Path) -> None:
    """A message that is nothing but a standing instruction is shown once."""
    said = [hit.message for hit in house() if hit.message]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(256), extractor="rules") as memory:
        memory.add(said, user_id="alex")
        memory.add("Always give prices when I ask about my house.", user_id="alex")
        text = memory.context("Summarize how my house developed.", user_id="alex", tokens=600).text
        assert text.startswith("Instructions:\n  Always give prices")
        assert text.count("give prices") == 1


def test_a_summary_that_a_model_wrote_comes_first(tmp_path: Path) -> None:
    """As many of its sentences as a quarter of the budget holds; an order and a view of the past have none."""
    written = "Alex rebuilds a house. The roof came first. " + "It went on for a very long time. " * 40
    scope = Scope(user_id="alex")
    record = ConversationSummary(id="s_1", scope=scope, source="chat", text=written)
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add([hit.message for hit in house() if hit.message], user_id="alex")
        memory.store.write(scope, lambda transaction: transaction.commit(Change(scope=scope, summaries=(record,))))
        context = memory.context("Summarize how my house developed.", user_id="alex", tokens=200)
        assert context.text.startswith("Summary: Alex rebuilds a house. The roof came first. It went on")
        assert "Time line (→ the reply):" in context.text
        assert context.tokens <= 200
        assert "Summary:" not in memory.context("In which order did I mention the roof?", user_id="alex").text
        assert "Summary:" not in memory.context("Summarize it.", user_id="alex", known_at="2024-01-01").text
        assert memory.context("Summarize it.", user_id="alex", tokens=3).tokens <= 3


def test_a_context_is_a_time_line(tmp_path: Path) -> None:
    """The facade recognises the question; others get the usual context."""
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add([hit.message for hit in house() if hit.message], user_id="alex")
        order = memory.context("In which order did I bring up the parts of my house?", user_id="alex")
        assert order.text.startswith("Time line:\n2024-03-01:\n  rebuild the roof\n2024-03-02:")
        assert order.tokens <= 500
        assert all(hit.reasons for hit in order.hits if "hous" in hit.text)
        count = memory.context("How many parts did I mention across our conversations?", user_id="alex", tokens=300)
        assert count.text.index("Time line:") > 0
        assert count.tokens <= 300
        assert memory.context("Summarize our chats.", user_id="nobody").text == ""


def test_with_an_assistant_the_best_hits_have_a_time_line_behind_them(tmp_path: Path) -> None:
    """From 400 tokens on, of what the quotations do not show; never between people without an assistant."""
    said = [hit.message for hit in house() if hit.message]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add(said, user_id="alex")
        context = memory.context("Which parts did I rebuild?", user_id="alex", fill=True, tokens=400)
        quoted, _, line = context.text.partition("Time line:")
        assert quoted
        assert line
        assert context.tokens <= 400
        assert len({hit.key for hit in context.hits}) == len(context.hits)
        assert "Time line" not in memory.context("Which parts did I rebuild?", user_id="alex", tokens=300).text
        memory.add([replace(each, role="user") for each in said], user_id="ida")
        assert "Time line" not in memory.context("Which parts did I rebuild?", user_id="ida", fill=True).text


def test_a_long_history_is_spread_over_its_sessions() -> None:
    """Of more sessions than the budget has lines the first, the last and those between are there alike."""
    hits = [told(number, place, f"Thing {number} of day {place}.") for number in range(500) for place in (0, 2)]
    gists = Gists((), (" ".join(tokens(hit.text)) for hit in hits))
    context = timeline(hits, gists, Overview("order", ""), 300)
    assert context.tokens <= 300
    found = [hit.message.time for hit in context.hits if hit.message and hit.message.time]
    tenths = {(time - DAY).days // 50 for time in found}
    assert tenths == set(range(10))


def test_a_conversation_about_the_topic_comes_before_one_that_mentions_it() -> None:
    """Equal scores, but the others of one conversation fit the topic as well."""
    about = [told(number, 0, f"The boat got sail {number}.", score=1.0) for number in range(4)]
    mention = [told(number, 0, f"Lunch number {number}.", score=-2.0) for number in range(5, 9)]
    mention.append(told(9, 0, "The boat has sail nine.", score=1.0))
    other = [replace(hit, message=replace(hit.message, source="lunch")) for hit in mention if hit.message]
    scores = {each.first.text: each.score for each in raised(paired([*about, *other]))}
    assert scores["The boat got sail 0."] > scores["The boat has sail nine."]


def test_without_a_topic_all_sessions_are_read(tmp_path: Path) -> None:
    """Those that are nothing like the question, too; nothing of another user's."""
    said = [told(number, 0, f"My {part} is done.") for number, part in enumerate(WORK)]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add([hit.message for hit in said if hit.message], user_id="alex")
        memory.add("My secret is out.", user_id="ida")
        context = memory.context("What have we talked about?", user_id="alex")
        assert all(part in context.text for part in WORK)
        assert "secret" not in context.text
        assert memory.context("What have we talked about?", user_id="nobody").text == ""


def test_of_many_summaries_those_of_the_topic_are_shown(tmp_path: Path) -> None:
    """Where not all have room for a sentence; without a topic some that are spread over all."""
    scope = Scope(user_id="alex")
    written = [
        ConversationSummary(
            id=f"s_{number}", scope=scope, source=f"c{number}", text=f"Alex mends boat {number} with Ida."
        )
        for number in range(100)
    ]
    written[70] = replace(written[70], text="Alex plants tulips in a garden.")
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add("I have tulips in my garden.", user_id="alex")
        memory.store.write(scope, lambda transaction: transaction.commit(Change(scope=scope, summaries=tuple(written))))
        garden = memory.context("Summarize how my tulips developed.", user_id="alex", tokens=500).text
        assert garden.count("Summary:") == 1
        assert "Summary: Alex plants tulips in a garden." in garden
        everything = memory.context("Summarize our chats.", user_id="alex", tokens=500).text
        assert "Summary: Alex mends boat 0 with Ida.\nSummary: Alex mends boat 50 with Ida." in everything


def test_a_question_asked_before_is_no_line(tmp_path: Path) -> None:
    """What a chat asked of the memory earlier is no part of the answer."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="rules") as memory:
        memory.add("I moved to Oslo in May 2024.", user_id="ann")
        memory.add("Where do I live?", user_id="ann")
        text = memory.context("Where do I live?", user_id="ann").text
    assert "Oslo" in text
    assert "Time line" not in text
