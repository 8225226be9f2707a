"""Paging: what a question brings in, what leaves, and the functions that a model may call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mem0g import Memory
from mem0g.strategies import PagedMemory


def texts(strategy: PagedMemory, query: str, tokens: int = 60) -> str:
    """Return what stands under the pages' heading."""
    shown = strategy.context(query, tokens).text
    return next((part for part in shown.split("\n\n") if part.startswith("Pages:")), "")


def test_pages_come_and_go(told: Memory) -> None:
    """What a question brought in stays for the next, and leaves when there is no room for it."""
    strategy = PagedMemory(told, user_id="ann")
    assert "bakery" in texts(strategy, "Who runs a bakery in Bergen?")
    both = texts(strategy, "a red kayak")
    assert "kayak" in both.splitlines()[1]
    assert "bakery" in both
    for query in ("Oslo in spring", "I like sailing", "on the fjord every Sunday"):
        left = texts(strategy, query)
    assert "bakery" not in left


def test_a_page_in_view_is_not_shown_twice(told: Memory) -> None:
    """The last messages are in the main context already."""
    shown = PagedMemory(told, user_id="ann").context("Take a life vest.", 100).text
    assert shown.count("Take a life vest.") == 1


def test_core_notes_are_durable_and_first(told: Memory) -> None:
    """What a model keeps is a fact, in view whatever is asked, also after a restart; it can be replaced and removed."""
    strategy = PagedMemory(told, user_id="ann")
    assert strategy.call("core_memory_view", {}) == "there are no core notes"
    assert strategy.call("core_memory_append", {"label": "human", "content": "Her name is Ann."}) == "kept"
    assert strategy.call("core_memory_append", '{"label": "persona", "content": "I am a calm helper."}') == "kept"
    again = PagedMemory(told, user_id="ann")
    assert again.context("Bergen", 100).text.startswith("Core notes:\nhuman: Her name is Ann.\npersona: I am a calm")
    replaced = {"label": "human", "old_content": "Her name is Ann.", "new_content": "Her name is Anna."}
    assert again.call("core_memory_replace", replaced) == "replaced"
    assert again.call("core_memory_view", {}).splitlines() == [
        "persona: I am a calm helper.",
        "human: Her name is Anna.",
    ]
    removed = {"label": "human", "old_content": "Her name is Anna.", "new_content": " "}
    assert again.call("core_memory_replace", removed) == "removed"
    assert "Anna" not in again.context("Her name", 100).text
    assert again.call("core_memory_replace", removed).startswith("error: no core note of 'human'")


def test_the_archive_and_the_conversation_are_searched(told: Memory) -> None:
    """Results come in pages and are paged in; notes and facts are one archive, messages the other."""
    strategy = PagedMemory(told, user_id="ann")
    assert strategy.call("archival_memory_insert", {"content": "The vault opens with 4711."}) == "archived"
    assert "4711" in strategy.call("archival_memory_search", {"query": "vault opens"})
    assert "4711" in texts(strategy, "sailing", 200)
    strategy.add([{"role": "user", "content": f"Oslo has a tram of line {number}."} for number in range(11, 19)])
    first = strategy.call("conversation_search", {"query": "a tram in Oslo"})
    assert "ask for page 1" in first
    second = strategy.call("conversation_search", {"query": "a tram in Oslo", "page": 1})
    assert set(first.splitlines()[:-1]).isdisjoint(second.splitlines())
    assert strategy.call("conversation_search", {"query": "Oslo", "page": 99}) == "nothing found"


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("format_disk", {}, "no function 'format_disk'"),
        ("core_memory_append", {"label": "human"}, "give label, content"),
        ("core_memory_append", {"label": "human", "content": 7}, "content is '7'"),
        ("core_memory_append", {"label": "human", "content": " "}, "the note is blank"),
        ("core_memory_view", {"all": "yes"}, "give none"),
        ("conversation_search", {"query": "x", "page": -1}, "pages count from 0"),
        ("conversation_search", {"query": "x", "page": True}, "of type integer"),
        ("conversation_search", {"query": " "}, "error: "),
        ("conversation_search", "{", "the arguments are no JSON"),
        ("conversation_search", "[]", "give query, page"),
    ],
)
def test_a_mistake_is_answered_in_words(told: Memory, name: str, arguments: Any, problem: str) -> None:
    """The model can read what was wrong, and the loop goes on."""
    answer = PagedMemory(told, user_id="ann").call(name, arguments)
    assert answer.startswith("error: ")
    assert problem in answer


def test_every_function_is_described() -> None:
    """Each is a tool of the OpenAI API, with a description and the types of what it takes."""
    json.dumps(PagedMemory.functions)
    for each in PagedMemory.functions:
        assert each["type"] == "function"
        assert each["function"]["description"]
        parameters = each["function"]["parameters"]
        assert set(parameters["required"]) <= set(parameters["properties"])
