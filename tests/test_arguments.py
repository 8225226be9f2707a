"""An argument of a wrong type is an error of mem0g's own that names it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mem0g.arguments import _CHECKS, CHECKED_ELSEWHERE, checks_arguments
from mem0g.async_memory import AsyncMemory
from mem0g.errors import InputError, QueryError, UnknownStoreError
from mem0g.memory import Memory
from tests.making import EMBEDDER, triple

U: dict[str, Any] = {"user_id": "ann"}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory of one fact."""
    path = tmp_path_factory.mktemp("arguments") / "memory.db"
    with Memory.open(path, embedder=EMBEDDER, extractor="rules") as opened:
        opened.add("I live in Oslo.", **U)
        yield opened


TEXTS: dict[str, tuple[Callable[[Memory, Any], object], str]] = {
    "search": (lambda memory, bad: memory.search(bad, **U), "query"),
    "context": (lambda memory, bad: memory.context(query=bad, **U), "query"),
    "ask": (lambda memory, bad: memory.ask(bad, **U), "question"),
    "correct": (lambda memory, bad: memory.correct(bad, "x", **U), "fact"),
    "retire": (lambda memory, bad: memory.retire(bad, **U), "fact"),
    "why it is retired": (lambda memory, bad: memory.retire(memory.facts(**U)[0].id, reason=bad, **U), "reason"),
    "erase": (lambda memory, bad: memory.erase(bad, **U), "erased"),
    "why": (lambda memory, bad: memory.why(bad, **U), "fact"),
    "history": (lambda memory, bad: memory.history(bad, **U), "fact"),
    "merge": (lambda memory, bad: memory.merge("ann", bad, **U), "other"),
    "relation": (lambda memory, bad: memory.relation(bad, **U), "name"),
}
NUMBERS: dict[str, tuple[Callable[[Memory, Any], object], str]] = {
    "search": (lambda memory, bad: memory.search("Oslo", limit=bad, **U), "limit"),
    "context": (lambda memory, bad: memory.context("Oslo", tokens=bad, **U), "tokens"),
    "subgraph": (lambda memory, bad: memory.subgraph("ann", hops=bad, **U), "hops"),
    "facts": (lambda memory, bad: memory.facts(offset=bad, **U), "offset"),
    "conversation": (lambda memory, bad: memory.conversation("m_1", turns=bad, **U), "turns"),
    "runs": (lambda memory, bad: memory.runs(limit=bad, **U), "limit"),
}
LISTS: dict[str, tuple[Callable[[Memory, Any], object], str]] = {
    "triples": (lambda memory, bad: memory.add_triples(bad, **U), "triples"),
    "steps": (lambda memory, bad: memory.add_run(bad, **U), "steps"),
    "ids": (lambda memory, bad: memory.messages(ids=bad, **U), "ids"),
    "exclude": (lambda memory, bad: memory.search("Oslo", exclude=bad, **U), "exclude"),
    "synonyms": (lambda memory, bad: memory.define_relation("likes", synonyms=bad, **U), "synonyms"),
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("bad", [None, 3, b"f_1", ["f_1"]])
def test_what_should_be_text(memory: Memory, name: str, bad: Any) -> None:
    """The error names the argument and has a hint, and nothing is changed."""
    call, argument = TEXTS[name]
    with pytest.raises(InputError, match=f"{argument} is .*not text") as caught:
        call(memory, bad)
    assert caught.value.hint
    assert len(memory.facts(**U)) == 1


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("bad", [None, "3", 2.5])
def test_what_should_be_a_number(memory: Memory, name: str, bad: Any) -> None:
    """A limit, a budget or a number of hops is an int."""
    call, argument = NUMBERS[name]
    with pytest.raises(QueryError, match=f"{argument} is .*not a whole number") as caught:
        call(memory, bad)
    assert caught.value.hint


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("bad", [3, triple("Ann", "likes", "tea")], ids=["number", "triple"])
def test_what_should_be_a_list(memory: Memory, name: str, bad: Any) -> None:
    """One thing is no list of it."""
    call, argument = LISTS[name]
    with pytest.raises(InputError, match=f"{argument} is .*not a list"):
        call(memory, bad)


@pytest.mark.parametrize(
    "given", [{"subject": 1, "relation": 2, "object": 3}, {"text": 1}, {"text": "x", "subject": 1}]
)
def test_parts_of_a_fact_are_text(memory: Memory, given: dict[str, Any]) -> None:
    """Adding and correcting refuse other types."""
    with pytest.raises(InputError, match="of type int, not text"):
        memory.add_fact(**given, **U)
    with pytest.raises(InputError, match="of type int, not text"):
        memory.correct(memory.facts(**U)[0].id, **given, **U)


@pytest.mark.parametrize("bad", [None, [3], 3])
def test_a_fact_or_several(memory: Memory, bad: Any) -> None:
    """What may be text or a list of texts is nothing else, nor a list of numbers."""
    with pytest.raises(InputError, match=r"fact is .*not"):
        memory.possibly_outdated(bad, **U)


def test_elements_of_a_list_are_text(memory: Memory) -> None:
    """The error names the list."""
    with pytest.raises(InputError, match="one of synonyms is '3' of type int, not text"):
        memory.define_relation("likes", synonyms=[3], **U)  # type: ignore[list-item]
    with pytest.raises(InputError, match="one of exclude is"):
        memory.search("Oslo", exclude=[3], **U)  # type: ignore[list-item]


def test_yes_or_no(memory: Memory) -> None:
    """A word is neither, although it is true in Python."""
    with pytest.raises(InputError, match="one_object is 'yes' of type str, neither true nor false"):
        memory.define_relation("likes", one_object="yes", **U)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="include_retired is None"):
        memory.facts(include_retired=None, **U)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "part", ["embedder", "extractor", "resolver", "conflict_policy", "signals", "model", "settings", "credentials"]
)
def test_the_parts_of_a_memory(tmp_path: Path, part: str) -> None:
    """A number is none of them, and no store is made."""
    with pytest.raises(InputError, match=f"{part} is '3' of type int, not") as caught:
        Memory.open(tmp_path / "memory.db", **{part: 3})  # type: ignore[arg-type]
    assert caught.value.hint
    assert not (tmp_path / "memory.db").exists()


def test_a_model_is_no_name(memory: Memory) -> None:
    """The settings take the name of a model, a method its object."""
    with pytest.raises(InputError, match="model is 'gpt' of type str, not a language model"):
        memory.ask("Where?", model="gpt", **U)  # type: ignore[arg-type]


def test_every_annotation_is_known() -> None:
    """Each argument of a public method is checked here, or by the part that reads it."""
    methods = [getattr(Memory, name) for name in vars(Memory) if not name.startswith("_")]
    methods = [inspect.unwrap(getattr(each, "__func__", each)) for each in methods if callable(each)]
    kinds = {kind for each in methods for name, kind in each.__annotations__.items() if name != "return"}
    assert kinds <= _CHECKS.keys() | CHECKED_ELSEWHERE
    assert kinds >= CHECKED_ELSEWHERE


def test_a_store_is_an_address_or_a_store() -> None:
    """A number is neither."""
    with pytest.raises(UnknownStoreError, match="of type int") as caught:
        Memory.open(3)  # type: ignore[arg-type]
    assert caught.value.hint


def test_what_is_right_passes(memory: Memory, tmp_path: Path) -> None:
    """Optional text may be None, an int may be numpy's, and a path may be a Path."""
    assert len(memory.facts(entity=None, relation=None, **U)) == 1
    assert len(memory.search("Oslo", limit=np.int64(1), **U)) == 1  # type: ignore[arg-type]
    assert memory.messages(ids=iter(()), **U) == ()  # type: ignore[arg-type]
    memory.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").exists()


def test_the_asynchronous_memory_checks_too(memory: Memory) -> None:
    """Its methods are those of Memory."""
    with pytest.raises(InputError, match="query is None"):
        asyncio.run(AsyncMemory(memory).search(None, **U))  # type: ignore[arg-type]


def test_methods_keep_their_signatures() -> None:
    """A checked method has the name, the words and the parameters of the method; others are left as they are."""

    class Shelf:
        def find(self, title: str, *, limit: int = 3) -> list[str]:
            """Return titles."""
            return [title] * limit

        def _inner(self, title: str) -> str:
            return title

    plain = (Shelf.find, Shelf._inner)
    checked = checks_arguments(Shelf)
    assert inspect.signature(checked.find) == inspect.signature(plain[0])
    assert (checked.find.__name__, checked.find.__doc__) == ("find", "Return titles.")
    assert checked._inner is plain[1]
    assert checked().find("A", limit=2) == ["A", "A"]
    with pytest.raises(InputError, match="title is '3' of type int"):
        checked().find(3)  # type: ignore[arg-type]
