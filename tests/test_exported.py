"""The public surface."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import tomllib
from importlib import resources
from pathlib import Path

import pytest

import mem0g
from mem0g import AsyncMemory, Memory, errors
from mem0g.testing import HashingEmbedder

OWN_WAY = {"open", "ingest", "ingest_triples", "retry"}
"""Methods of Memory that AsyncMemory defines itself (open) or leaves out (those that give one report after another)."""


def public(of: type) -> dict[str, object]:
    """Public attributes that a class or one of ours that it extends defines."""
    ours = [each for each in reversed(of.__mro__) if each.__module__.startswith("mem0g")]
    return {name: value for each in ours for name, value in vars(each).items() if not name.startswith("_")}


@pytest.mark.parametrize("name", mem0g.__all__)
def test_public_names_are_there_and_explained(name: str) -> None:
    """Every name of ``__all__`` resolves and, with its public methods, has a docstring of its own."""
    value = getattr(mem0g, name)
    if name == "__version__":
        assert isinstance(value, str)
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
    assert {name for name, value in public(AsyncMemory).items() if inspect.isroutine(value)} == methods - OWN_WAY | {
        "open"
    }
    for name in sorted(methods - OWN_WAY):
        threaded, plain = getattr(AsyncMemory, name), getattr(Memory, name)
        assert inspect.iscoroutinefunction(threaded), name
        assert inspect.signature(threaded) == inspect.signature(plain), name
        assert inspect.getdoc(threaded) == inspect.getdoc(plain), name


def test_both_are_opened_alike() -> None:
    """AsyncMemory.open takes what Memory.open takes."""
    assert inspect.signature(AsyncMemory.open) == inspect.signature(Memory.open)


def test_what_is_left_out_gives_reports_one_by_one() -> None:
    """Only methods that return an iterator are missing from AsyncMemory."""
    for name in OWN_WAY - {"open"}:
        assert str(inspect.signature(getattr(Memory, name)).return_annotation).startswith("Iterator")


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
