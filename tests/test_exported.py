"""The public surface."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import re
import sys
import tomllib
from collections.abc import Iterable
from contextlib import aclosing
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

import mem0g
from mem0g import AsyncMemory, Memory, Triple, errors
from mem0g.settings import Settings
from mem0g.testing import HashingEmbedder

REPORTS = {"ingest", "ingest_triples", "retry", "export"}
"""Methods of Memory that give one report, or line, after another: of AsyncMemory, asynchronously."""


def public(of: type) -> dict[str, object]:
    """Public attributes that a class or one of ours that it extends defines."""
    ours = [each for each in reversed(of.__mro__) if each.__module__.startswith("mem0g")]
    return {name: value for each in ours for name, value in vars(each).items() if not name.startswith("_")}


@pytest.mark.parametrize("name", mem0g.__all__)
def test_public_names_are_there_and_explained(name: str) -> None:
    """Every name of ``__all__`` resolves and, with its public methods, has a docstring of its own."""
    value = getattr(mem0g, name)
    if not inspect.isclass(value):
        assert isinstance(value, str | tuple) or inspect.getdoc(value)  # __version__, DEFAULT_RULES, read_files
        return
    assert inspect.getdoc(value)
    assert value.__doc__ != getattr(value.__mro__[1], "__doc__", None)
    for attribute, member in public(value).items():
        if inspect.isroutine(member) or isinstance(member, property):
            assert inspect.getdoc(getattr(value, attribute)), f"{name}.{attribute} has no docstring"


def test_the_package_lists_its_public_names() -> None:
    """``dir`` gives exactly ``__all__``, which is sorted; another name is an AttributeError that names it."""
    assert dir(mem0g) == sorted(mem0g.__all__)
    assert len(set(mem0g.__all__)) == len(mem0g.__all__)
    with pytest.raises(AttributeError, match="Nonsense"):
        mem0g.Nonsense  # noqa: B018 - asking for it is the test


def test_public_names_live_where_they_say() -> None:
    """A class is the same object by either way of importing it."""
    for name in mem0g.__all__:
        value = getattr(mem0g, name)
        if inspect.isclass(value):
            assert getattr(importlib.import_module(value.__module__), name) is value


def test_types_are_exported() -> None:
    """The marker by which type checkers read our annotations is in the package."""
    assert resources.files("mem0g").joinpath("py.typed").is_file()


def test_the_version_is_said_once() -> None:
    """The package and its metadata agree."""
    project = tomllib.loads(Path(__file__).parent.parent.joinpath("pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == mem0g.__version__


def test_the_error_tree_is_drawn_as_it_is() -> None:
    """The tree at the top of mem0g.errors has every error, indented under its parent, and nothing else."""
    drawn = []
    for line in inspect.getdoc(errors).splitlines() if inspect.getdoc(errors) else []:  # type: ignore[union-attr]
        words = line.replace("│", " ").replace("├──", "   ").replace("└──", "   ")
        if words.strip().split(" ")[0].endswith("Error") and not line[:1].isalpha():
            drawn.append((len(words) - len(words.lstrip()), words.split()[0]))

    def tree(error: type[BaseException], depth: int) -> list[tuple[int, str]]:
        ours = (child for child in error.__subclasses__() if child.__module__ == errors.__name__)
        inner = (each for child in ours for each in tree(child, depth + 4))
        return [(depth, error.__name__), *inner]

    assert drawn == tree(errors.Mem0gError, 4)


def test_async_memory_has_the_methods_of_memory() -> None:
    """Each public method is there, awaitable, with the same parameters and the same docstring; nothing else is."""
    methods = {name for name, value in public(Memory).items() if inspect.isroutine(value)}
    assert {name for name, value in public(AsyncMemory).items() if inspect.isroutine(value)} == methods
    for name in sorted(methods - {"open"}):
        threaded, plain = getattr(AsyncMemory, name), getattr(Memory, name)
        assert (inspect.isasyncgenfunction if name in REPORTS else inspect.iscoroutinefunction)(threaded), name
        assert inspect.signature(threaded) == inspect.signature(plain), name
        assert inspect.getdoc(threaded) == inspect.getdoc(plain), name


def test_both_are_opened_alike() -> None:
    """AsyncMemory.open takes what Memory.open takes."""
    ours, theirs = inspect.signature(AsyncMemory.open), inspect.signature(Memory.open)
    assert ours.parameters == theirs.parameters
    assert (ours.return_annotation, theirs.return_annotation) == ("MemoryOpening[Self]", "Self")


def types_in(annotations: Iterable[object], module: str) -> set[str]:
    """Names of types of ours in annotations as written in ``module``: imported there from mem0g, or defined there."""
    words = {word for each in annotations for word in re.findall(r"\w+", str(each))}
    return {word for word in words & known_in(module) if not word.isupper()}


@cache
def known_in(module: str) -> frozenset[str]:
    """Names that a module imports from mem0g, and of the classes that it defines."""
    tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
    known = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "mem0g":
            known |= {each.name for each in node.names}
    return frozenset(known)


@pytest.mark.parametrize("facade", [Memory, AsyncMemory])
def test_types_of_public_signatures_are_exported(facade: type) -> None:
    """A caller can import from mem0g every type that a method takes or returns, and those of the fields of a result."""
    given, returned = set[str](), set[str]()
    for name, value in vars(facade).items():
        if inspect.isroutine(value) and (name == "__init__" or not name.startswith("_")):
            method = inspect.unwrap(getattr(facade, name))
            notes = dict(method.__annotations__)
            given |= types_in(notes.values(), method.__module__)
            returned |= types_in([notes.get("return")], method.__module__)
    assert given <= set(mem0g.__all__)
    results = [getattr(mem0g, name) for name in sorted(returned)]
    fields = [types_in(vars(each).get("__annotations__", {}).values(), each.__module__) for each in results]
    assert set().union(*fields) <= set(mem0g.__all__)


def test_methods_that_give_reports_one_by_one() -> None:
    """All methods of Memory that return an iterator are iterated, no others."""
    methods = {name for name, value in public(Memory).items() if inspect.isroutine(value)}
    answers = {each: str(inspect.signature(getattr(Memory, each)).return_annotation) for each in methods}
    assert {each for each, answer in answers.items() if "Iterator" in answer} == REPORTS


def test_async_memory_remembers(tmp_path: Path) -> None:
    """What one awaits is what Memory answers, errors too; several calls at once are fine."""

    async def use() -> None:
        async with await AsyncMemory.open(
            tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="none"
        ) as memory:
            await memory.add("I live in Oslo.", user_id="ann")
            answers = await asyncio.gather(*(memory.search("Oslo", user_id="ann") for _ in range(4)))
            assert [[hit.text for hit in hits] for hits in answers] == [["I live in Oslo."]] * 4
            with pytest.raises(errors.QueryError):
                await memory.search("Oslo", user_id="ann", limit=0)

    asyncio.run(use())


def test_async_memory_is_opened_and_closed_by_its_block(tmp_path: Path) -> None:
    """``async with AsyncMemory.open(...)`` works as written; at its end the store is closed, after an error too."""

    opened: list[AsyncMemory] = []

    async def use() -> None:
        async with AsyncMemory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
            opened.append(memory)
            await memory.add("I live in Oslo.", user_id="ann")
            raise KeyError

    with pytest.raises(KeyError):
        asyncio.run(use())
    with pytest.raises(errors.StoreError):
        opened[0].memory.stats(user_id="ann")


def test_async_memory_reports_one_by_one(tmp_path: Path) -> None:
    """Reports come as windows are committed; errors are raised; who leaves the loop stops the rest."""
    said = [{"role": "user", "content": f"Number {n}."} for n in range(6)]

    async def use() -> None:
        settings = Settings(window=2)
        async with AsyncMemory.open(
            tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none", settings=settings
        ) as memory:
            reports = [report.messages async for report in memory.ingest(said, user_id="ann")]
            assert reports == [2, 2, 2]
            triples = [
                Triple(subject="Ann", relation="likes", object=f"tea {n}", text=f"Ann likes tea {n}.") for n in (1, 2)
            ]
            assert [report.facts async for report in memory.ingest_triples(triples, user_id="ann")] == [2]
            assert [report async for report in memory.retry(user_id="ann")] == []
            async with aclosing(memory.ingest(said, user_id="bob")) as going:
                async for report in going:
                    assert report.messages == 2
                    break
            assert (await memory.stats(user_id="bob")).messages == 2
            with pytest.raises(errors.ScopeError):
                await anext(memory.ingest(said))

    asyncio.run(use())
