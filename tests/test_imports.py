"""What an import costs, and which way imports go."""

from __future__ import annotations

import ast
import graphlib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import mem0g

PACKAGE = Path(mem0g.__file__).parent
HEAVY = frozenset(
    "numpy openai neo4j networkx pydantic rich typer tokenizers safetensors rank_bm25 dateparser Stemmer "
    "sentence_transformers torch httpx mcp langgraph langchain langchain_core agents pydantic_ai llama_index "
    "dask distributed".split()
)
ROOMS = sorted(f"mem0g.{path.parent.name}" for path in PACKAGE.glob("*/__init__.py"))
LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(layer.split())
    for layer in (
        "errors private_files text",
        "settings times transport operators forks",
        "model arguments",
        "metadata",
        "embed llm transcripts",
        "relations",
        "store",
        "testing",
        "extract",
        "resolve",
        "conflict retrieve",
        "filters lookup",
        "history",
        "ingest",
        "store_embedder pipeline prompts lines verify views transfer",
        "answer",
        "procedural",
        "reader writer editor",
        "changing",
        "memory",
        "async_memory doctor",
        "browser chat working",
        "strategies",
        "mem0g",
        "compat mcp",
        "distributed integrations serve",
        "cli",
        "__main__",
    )
)
"""Rooms and single modules, from what everything stands on to what stands on everything; "mem0g" is the front door.

A module may import from lower layers and from its own room, never from another room of its own layer.
"""


def loaded_by(modules: Sequence[str]) -> list[list[str]]:
    """For each of ``modules``, imported one after the other in a fresh interpreter, all modules loaded by then."""
    script = (
        "import importlib, json, sys\n"
        "found = []\n"
        f"for name in {list(modules)!r}:\n"
        "    importlib.import_module(name)\n"
        "    found.append(sorted(sys.modules))\n"
        "print(json.dumps(found))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=PACKAGE.parent
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


@cache
def trees() -> dict[str, tuple[Path, ast.Module]]:
    """Every module of the package by its dotted name: its file and what is in it."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("mem0g", *path.relative_to(PACKAGE).with_suffix("").parts)
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = (path, ast.parse(path.read_text(encoding="utf-8")))
    return found


def imports(name: str) -> Iterator[tuple[int, str]]:
    """The lines of a module's imports of mem0g, wherever in it they stand, and the modules imported."""
    for node in ast.walk(trees()[name][1]):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names if each.name.split(".")[0] == "mem0g")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}, line {node.lineno}: imports are absolute here"
            if node.module and node.module.split(".")[0] == "mem0g":
                inner = (f"{node.module}.{each.name}" for each in node.names)
                yield from ((node.lineno, each if each in trees() else node.module) for each in inner)


def room(module: str) -> str:
    """The room or single module that a dotted name is in; the front door for the package itself."""
    return module.split(".")[1] if "." in module else "mem0g"


def layer(module: str) -> int:
    """The place of a module's layer, counted from the bottom."""
    return next(place for place, layer in enumerate(LAYERS) if room(module) in layer)


def test_the_package_alone_loads_nothing() -> None:
    """``import mem0g`` loads one module of mem0g, and no library."""
    (loaded,) = loaded_by(["mem0g"])
    assert [name for name in loaded if name.split(".")[0] == "mem0g"] == ["mem0g"]
    assert HEAVY.isdisjoint(loaded)


@pytest.mark.slow
def test_rooms_are_light() -> None:
    """Importing a room, the words, the errors or the settings loads no heavy library."""
    modules = ["mem0g.errors", "mem0g.model", "mem0g.times", "mem0g.settings", "mem0g.store.protocol", *ROOMS]
    for name, loaded in zip(modules, loaded_by(modules), strict=True):
        assert HEAVY.isdisjoint(loaded), f"{name} loads {sorted(HEAVY.intersection(loaded))}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "allowed"), [("mem0g.memory", {"numpy", "Stemmer"}), ("mem0g.cli.app", {"typer", "rich"})]
)
def test_entrances_load_what_every_use_needs(module: str, allowed: set[str]) -> None:
    """The facade loads numpy and the stemmer, the command line its parser; the rest comes when it is needed."""
    (loaded,) = loaded_by([module])
    assert HEAVY.intersection(loaded) <= allowed


def test_a_search_loads_no_stage_of_an_ingest() -> None:
    """Whoever only asks does not wait for what extracts, resolves and decides."""
    (loaded,) = loaded_by(["mem0g.memory"])
    stages = (
        "mem0g.extract.rules",
        "mem0g.resolve",
        "mem0g.conflict",
        "mem0g.ingest",
        "mem0g.llm",
        "mem0g.transcripts",
    )
    assert [name for name in loaded if name.startswith(stages)] == []


def test_every_module_has_a_layer() -> None:
    """A new room or module is given its place in LAYERS, and LAYERS names nothing that is not there."""
    assert {room(name) for name in trees()} == set().union(*LAYERS)


@pytest.mark.parametrize("name", trees())
def test_imports_go_down(name: str) -> None:
    """No module imports a later stage, the facade, or another room of its own layer; late imports count as well."""
    offenders = [
        f"{trees()[name][0]}:{line} imports {imported}"
        for line, imported in imports(name)
        if layer(imported) >= layer(name) and room(imported) != room(name)
    ]
    assert offenders == []


def test_imports_go_in_no_circle() -> None:
    """The modules can be put in an order in which each imports only those before it."""
    needed = {name: {imported for _, imported in imports(name)} - {name} for name in trees()}
    assert set(graphlib.TopologicalSorter(needed).static_order()) >= set(needed)
