"""Full history, sliding window, vector retrieval, relevance filter: what each shows and leaves out."""

from __future__ import annotations

import pytest

from mem0g import Memory
from mem0g.errors import InputError, QueryError
from mem0g.model import INSTRUCTS
from mem0g.strategies import FullHistory, Importance, RelevanceFilter, SlidingWindow, VectorRetrieval
from mem0g.testing.samples import triple
from tests.strategies.conftest import TALK


def test_full_history_shows_all_or_fails(told: Memory) -> None:
    """Every message, oldest first, with its time; where the budget is too small an error says how much is needed."""
    strategy = FullHistory(told, user_id="ann")
    lines = strategy.context("What now?", 1000).text.splitlines()
    assert lines[0] == "2024-03-01 09:00 | Ann: My sister Ida runs a bakery in Bergen."
    assert [line.split(": ", 1)[1] for line in lines] == [each.text for each in TALK]
    with pytest.raises(QueryError, match="tokens, more than 50"):
        strategy.context("What now?", 50)


def test_messages_without_a_time_come_in_the_order_of_adding(memory: Memory) -> None:
    """What a program adds is said now; sessions do not change the order."""
    strategy = FullHistory(memory, user_id="ann")
    for number, session in enumerate(("b", "a", "b")):
        strategy.add({"role": "user", "content": f"number {number}", "session": session})
    shown = FullHistory(memory, user_id="ann").context("What now?", 100).text
    assert [line[-1] for line in shown.splitlines()] == ["0", "1", "2"]


def test_a_window_slides(told: Memory) -> None:
    """The last messages that fit, at most so many turns; of one that is too long its beginning."""
    strategy = SlidingWindow(told, user_id="ann", turns=2)
    assert [hit.text for hit in strategy.context("What now?").hits] == [each.text for each in TALK[-2:]]
    strategy.add({"role": "user", "content": "word " * 100})
    shown = strategy.context("What now?", 20).text
    assert shown.endswith("word word")
    with pytest.raises(InputError):
        SlidingWindow(told, user_id="ann", turns=0)


def test_retrieval_finds_what_is_alike(told: Memory) -> None:
    """The most similar messages in the order in which they were said, not the last ones."""
    strategy = VectorRetrieval(told, user_id="ann")
    hits = strategy.context("Who runs a bakery in Bergen?", 30).hits
    assert hits[0].text == "My sister Ida runs a bakery in Bergen."
    assert hits[0].score > 0.4
    whole = strategy.context("Who runs a bakery in Bergen?", 1000).hits
    assert [hit.text for hit in whole] == [each.text for each in TALK]


def test_of_a_long_message_a_passage_is_found(memory: Memory) -> None:
    """The part that is asked for, under its heading and with who wrote it."""
    parts = (f"## Chapter {name}\n\n" + f"{name} is a word of this part. " * 60 for name in ("alpha", "beta", "gamma"))
    strategy = VectorRetrieval(memory, user_id="ann")
    strategy.add({"role": "assistant", "name": "Bot", "content": "\n\n".join(parts)})
    (hit,) = strategy.context("What is beta?", 130).hits
    assert hit.passage is not None
    assert "beta is a word" in hit.text
    assert "| Bot: Chapter beta beta is" in strategy.context("What is beta?", 130).text


def test_important_facts_stay(memory: Memory) -> None:
    """Instructions before events, what is told again and what is new before what is old; the rest is dropped."""
    memory.add(TALK, user_id="ann")
    ids = {message.text: message.id for message in memory.messages(user_id="ann")}
    old, new = ids[TALK[0].text], ids[TALK[-1].text]
    made = [
        triple("Ann", "visited", "Rome", evidence=(old,)),
        triple("Ann", "visited", "Paris", evidence=(old, ids[TALK[2].text], new)),
        triple("Ann", "visited", "Riga", evidence=(new,)),
        triple("Ann", INSTRUCTS, "answer briefly", object_type="literal", evidence=(old,)),
    ]
    memory.forget(user_id="ann")
    memory.add(TALK, user_id="ann")
    memory.add_triples(made, user_id="ann")
    texts = [hit.text for hit in RelevanceFilter(memory, user_id="ann").context("What now?", 1000).hits]
    order = [
        next(place for place, text in enumerate(texts) if word in text) for word in ("briefly", "Paris", "Riga", "Rome")
    ]
    assert order == sorted(order)
    assert RelevanceFilter(memory, user_id="ann", keep=1).context("What now?", 1000).hits[0].text == texts[0]
    flipped = Importance(relation=1, recency=0, mentions=0, relations={"visited": 1.0, "instructs": 0.0})
    turned = RelevanceFilter(memory, user_id="ann", importance=flipped).context("What now?", 1000).hits
    assert "briefly" in turned[-1].text
    assert len(RelevanceFilter(memory, user_id="ann").context("What now?", 12).hits) < len(texts)


@pytest.mark.parametrize("given", [{"recency": -1.0}, {"half_life": 0.0}, {"relations": {"visited": 2.0}}])
def test_importance_out_of_range(given: dict[str, float]) -> None:
    """Negative weights, no half-life and importances over 1 are refused."""
    with pytest.raises(InputError):
        Importance(**given)  # type: ignore[arg-type]


def test_nothing_to_keep(memory: Memory) -> None:
    """A filter that keeps nothing is a mistake."""
    with pytest.raises(InputError):
        RelevanceFilter(memory, user_id="ann", keep=0)
