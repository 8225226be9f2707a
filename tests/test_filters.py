"""Filters of a search, from what a caller gives to the facts and messages found; and metadata, from there and back."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory, Report, Triple, Utterance
from mem0g.errors import InputError, QueryError, TimeError
from mem0g.filters import at_path, read_filters
from mem0g.metadata import MAX_METADATA_BYTES, checked_metadata
from mem0g.operators import matches
from mem0g.store.queries import Period
from tests.making import day
from tests.store.fixtures import kept_minilm

U: Any = {"user_id": "ann"}
WORK, HOME = {"topic": "work", "chat": {"id": 7}}, {"topic": "home", "tags": ["a", "b"]}


@contextmanager
def anns(folder: Path) -> Iterator[Memory]:
    """Ann said where she works in one chat, and what she likes in another; something was added by hand."""
    with Memory.open(folder / "memory.db", embedder=kept_minilm(), extractor="rules") as opened:
        opened.add("I work at Acme.", metadata=WORK, **U)
        opened.add(
            [{"role": "user", "content": "I like tea.", "timestamp": "2024-05-10T12:00:00Z"}], metadata=HOME, **U
        )
        opened.add([{"role": "assistant", "content": "Tea is fine."}], **U)
        opened.add_fact(subject="Ann", relation="lives_in", object="Oslo", metadata={"source": "form", "n": 3}, **U)
        yield opened


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """Ann's memory, for a test that changes it."""
    with anns(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Ann's memory, for tests that leave it as it is."""
    with anns(tmp_path_factory.mktemp("kept")) as opened:
        yield opened


FOUND: dict[str, tuple[dict[str, Any], set[str], int]] = {
    "a relation, in any spelling": ({"relation": "Lives in"}, {"Oslo"}, 0),
    "a relation by a synonym": ({"relation": "resides_in"}, {"Oslo"}, 0),
    "not a relation": ({"relation": {"$ne": "lives_in"}}, {"Acme", "tea"}, 0),
    "relations": ({"relation": {"$in": ["lives_in", "likes"]}}, {"Oslo", "tea"}, 0),
    "metadata": ({"metadata.topic": "work"}, {"Acme"}, 1),
    "metadata as an object": ({"metadata": {"topic": "work", "chat": {"id": 7}}}, {"Acme"}, 1),
    "a path": ({"metadata.chat.id": {"$gte": 7, "$lt": 8}}, {"Acme"}, 1),
    "not in": ({"metadata.topic": {"$nin": ["work", None]}}, {"tea"}, 1),
    "what is not there": ({"metadata.topic": {"$ne": "work"}}, {"tea", "Oslo"}, 2),
    "a list": ({"metadata.tags": ["a", "b"]}, {"tea"}, 1),
    "given by hand": ({"metadata.source": "form", "metadata.n": {"$gt": 2}}, {"Oslo"}, 0),
    "a number is not text": ({"metadata.n": {"$gt": "2"}}, set(), 0),
    "a month": ({"said_at": "2024-05"}, {"tea"}, 1),
    "since a day": ({"said_at": {"$gt": "2024-05-10"}}, {"Acme", "Oslo"}, 2),
    "before": ({"said_at": {"$lt": "2024-05-10"}}, set(), 0),
    "recorded": ({"created_at": {"$gte": "2025"}}, {"Acme", "tea", "Oslo"}, 3),
    "a role": ({"role": "assistant"}, set(), 1),
    "a speaker": ({"speaker": "ANN"}, {"Acme", "tea"}, 2),
    "all together": ({"speaker": "ann", "metadata.topic": "home", "relation": "likes"}, {"tea"}, 0),
    "an unknown relation": ({"relation": "nonsense"}, set(), 0),
    "nothing": ({}, {"Acme", "tea", "Oslo"}, 3),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_filters_find(kept: Memory, name: str) -> None:
    """A list has exactly the facts that fulfil them; a search these and the messages."""
    filters, objects, messages = FOUND[name]
    assert {fact.object for fact in kept.facts(filters=filters, **U)} == objects
    hits = kept.search("What is known of the weather?", limit=20, filters=filters, **U)
    assert {hit.fact.object for hit in hits if hit.fact} == objects
    assert sum(1 for hit in hits if hit.message) == messages


def replacing(report: Report) -> str:
    """The id of the fact that replaces a corrected one."""
    (new,) = (each.fact_id for each in report.changes if each.kind != "retired")
    return new


def test_a_context_keeps_to_filters(memory: Memory) -> None:
    """Also with its standing instructions."""
    memory.add("From now on, always answer in French.", **U)
    assert "French" in memory.context("Where does Ann work?", **U).text
    found = memory.context("Where does Ann work?", fill=True, filters={"metadata.topic": "home"}, **U).text
    assert "tea" in found
    assert not {"Acme", "French", "Oslo"} & set(found.replace(".", " ").split())


def test_facts_have_the_metadata_of_what_states_them(memory: Memory) -> None:
    """A later message's over an earlier one's, the fact's own over both; by every way of reading, and after changes."""
    memory.add("I like tea.", metadata={"topic": "food"}, **U)
    (tea,) = memory.facts(relation="likes", **U)
    assert tea.metadata == {**HOME, "topic": "food"}
    assert memory.fact(tea.id, **U) == tea
    assert tea in [hit.fact for hit in memory.search("What does Ann like?", **U)]
    assert tea in [hit.fact for hit in memory.context("What does Ann like?", **U).hits]
    assert memory.facts(filters={"metadata.topic": "home", "relation": "likes"}, **U) == (tea,)
    new = replacing(memory.correct(tea.id, object="coffee", **U))
    assert memory.fact(new, **U).metadata == tea.metadata
    memory.erase(tea.evidence[0], **U)
    assert memory.fact(new, **U).metadata == {"topic": "food"}


def test_metadata_given_with_a_fact_is_kept(memory: Memory) -> None:
    """By a confirmation, which adds keys, a correction, which replaces it where it is given, and by undoing both."""
    (oslo,) = memory.facts(relation="lives_in", **U)
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", metadata={"n": 9, "seen": True}, **U)
    assert memory.fact(oslo.id, **U).metadata == {"source": "form", "n": 3, "seen": True}
    confirmed = memory.decisions(about=oslo.id, **U)[0]
    memory.undo(confirmed.id, **U)
    assert memory.fact(oslo.id, **U) == oslo
    changed = replacing(memory.correct(oslo.id, valid_from="2020", **U))
    assert memory.fact(changed, **U).metadata == oslo.metadata
    last = replacing(memory.correct(changed, metadata={"a": 1}, **U))
    assert memory.fact(last, **U).metadata == {"a": 1}
    triple = Triple(subject="Ann", relation="knows", object="Bea", text="Ann knows Bea.", metadata={"b": 2})
    memory.add_triples([triple], **U)
    assert [fact.object for fact in memory.facts(filters={"metadata.b": 2}, **U)] == ["Bea"]


def test_own_metadata_of_a_message_is_over_the_common_one(memory: Memory) -> None:
    """Of utterances, and of messages as in the OpenAI API."""
    said = Utterance(source="s", session="", position=0, speaker="Ann", role="user", text="Hm.", metadata={"a": 1})
    memory.add([said], metadata={"a": 0, "b": 0}, **U)
    memory.add([{"role": "user", "content": "Ah.", "metadata": {"a": 2}}], metadata={"a": 0}, **U)
    found = {each.text: each.metadata for each in memory.messages(**U)}
    assert (found["Hm."], found["Ah."]) == ({"a": 1, "b": 0}, {"a": 2})


DEEP: dict[str, Any] = {}
for _ in range(40):
    DEEP = {"x": DEEP}

BAD_METADATA: dict[str, tuple[Any, str]] = {
    "a list": (["a"], "of type list"),
    "a text": ("a", "of type str"),
    "a key": ({1: "a"}, "the key '1'"),
    "NaN": ({"a": math.nan}, "the value nan"),
    "infinity": ({"a": [math.inf]}, "the value inf"),
    "a set": ({"a": {"b"}}, "a value of type set"),
    "a NUL": ({"a": "\0"}, "NUL"),
    "half a pair": ({"\ud800": 1}, "half of a surrogate pair"),
    "a huge number": ({"a": 2**64}, "64 bits"),
    "too deep": (DEEP, "nested too deep"),
    "too large": ({"a": "x" * MAX_METADATA_BYTES}, "bytes"),
}


@pytest.mark.parametrize("name", BAD_METADATA)
def test_metadata_that_cannot_be_kept_is_refused(kept: Memory, name: str) -> None:
    """With an error of one line and a hint, and nothing is written."""
    given, problem = BAD_METADATA[name]
    before = kept.stats(**U)
    triple = Triple(subject="Ann", relation="knows", object="Bea", text="Ann knows Bea.", metadata=given)
    said = Utterance(source="s", session="", position=0, speaker="Ann", role="user", text="Hm.", metadata=given)
    acts: list[Callable[[], object]] = [
        lambda: kept.add("I like jazz.", metadata=given, **U),
        lambda: kept.add([said], **U),
        lambda: kept.add_fact("Ann knows Bea.", metadata=given, **U),
        lambda: kept.add_triples([triple], **U),
    ]
    for act in acts:
        with pytest.raises(InputError, match=problem) as caught:
            act()
        assert caught.value.hint
        assert "\n" not in str(caught.value)
    assert kept.stats(**U) == before


BAD_FILTERS: dict[str, tuple[Any, str]] = {
    "a list": ([{"relation": "x"}], "of type list"),
    "an unknown field": ({"colour": "red"}, "unknown field 'colour'"),
    "an unknown operator": ({"metadata.a": {"$regex": "x"}}, "unknown operator '.regex'"),
    "an unknown operator within": ({"metadata": {"a": {"b": {"$or": 1}}}}, "unknown operator '.or'"),
    "operators among fields": ({"metadata.a": {"$eq": 1, "b": 2}}, "mixes"),
    "operators on all metadata": ({"metadata": {"$eq": {}}}, "unknown field 'metadata'"),
    "no path": ({"metadata.": 1}, "unknown field 'metadata.'"),
    "an order of texts": ({"relation": {"$gt": "a"}}, "relation has '.gt'"),
    "a relation of a wrong type": ({"relation": 5}, "relation is '5', not text"),
    "an empty relation": ({"relation": " "}, "not text"),
    "an object for a relation": ({"relation": {"a": 1}}, "relation has 'a'"),
    "$in without a list": ({"type": {"$in": "person"}}, "not a list"),
    "an unknown role": ({"role": "boss"}, "unknown role 'boss'"),
    "$ne of a date": ({"said_at": {"$ne": "2024"}}, "said_at has '.ne'"),
    "a date of a wrong type": ({"said_at": 2024}, "said_at is '2024', not a date"),
    "no date": ({"valid_from": "soon"}, "soon"),
    "too deep": ({"metadata.a": DEEP}, "nested too deep"),
    "too large": ({"metadata.a": "x" * 20_000}, "bytes"),
    "too many": ({f"metadata.{n}": 1 for n in range(51)}, "51 conditions"),
    "NaN": ({"metadata.a": {"$gt": math.nan}}, "nan"),
}


@pytest.mark.parametrize("name", BAD_FILTERS)
def test_filters_that_cannot_be_read_are_refused(kept: Memory, name: str) -> None:
    """Before anything is searched, with an error of one line and a hint."""
    given, problem = BAD_FILTERS[name]
    for act in (
        lambda: kept.search("x", filters=given, **U),
        lambda: kept.context("x", filters=given, **U),
        lambda: kept.facts(filters=given, **U),
    ):
        with pytest.raises((QueryError, TimeError), match=problem) as caught:
            act()
        assert caught.value.hint
        assert "\n" not in str(caught.value)


def test_dates_count_whole() -> None:
    """A day, month or year: $gt is after its end, $lte to its end."""
    read = {
        operator: made.dates["said_at"]
        for operator in ("$eq", "$gt", "$gte", "$lt", "$lte")
        if (made := read_filters({"said_at": {operator: "2024-05"}}))
    }
    begin, end = day("2024-05-01"), day("2024-06-01")
    assert read == {
        "$eq": Period(begin, end),
        "$gt": Period(end, None),
        "$gte": Period(begin, None),
        "$lt": Period(None, begin),
        "$lte": Period(None, end),
    }
    assert read_filters({}) is read_filters(None) is None


def test_paths() -> None:
    """A whole key wins; a key may have dots in it."""
    metadata = {"a.b": 1, "a": {"b": 2, "c": {"d": 3}}, "x.y": {"z": 4}}
    wanted = {"a.b": 1, "a.c.d": 3, "x.y.z": 4, "a.x": None, "q.r": None, "a.c.d.e": None}
    assert {path: at_path(metadata, path) for path in wanted} == wanted


def test_operators() -> None:
    """Numbers in the order of numbers, text in that of text, and nothing else in any order."""
    value = {"n": 5, "t": "2024-05-01", "s": "7", "o": {"k": [1, {"x": 2}]}, "none": None, "yes": True, "nan": math.nan}
    for wanted, expected in (
        ({"n": {"$gt": 4.5, "$lte": 5}}, True),
        ({"s": {"$lt": 10}}, False),
        ({"s": {"$gt": "10"}}, True),
        ({"yes": {"$lt": 4}}, False),
        ({"n": {"$gt": False}}, False),
        ({"n": {"$lt": 10**400}}, True),
        ({"nan": {"$lte": 4}}, False),
        ({"t": {"$gte": "2024-04-30"}}, True),
        ({"t": {"$gte": 5}}, False),
        ({"o": {"k": [1, {"x": 2}]}}, True),
        ({"o": {"k": [1]}}, False),
        ({"none": None, "missing": None}, True),
        ({"none": {"$lt": 3}}, False),
        ({"n": {"$in": [1, 5]}, "t": {"$nin": []}}, True),
    ):
        assert matches(value, wanted) == expected, wanted


def test_checked_metadata_is_a_copy() -> None:
    """What a caller changes later changes nothing; None is no metadata."""
    given: dict[str, Any] = {"a": [1, {"b": None}]}
    checked = checked_metadata(given)
    given["a"].append(2)
    assert checked == {"a": [1, {"b": None}]}
    assert checked_metadata(None) == {}
    assert json.dumps(checked_metadata({"a": 1.5, "b": True}))
