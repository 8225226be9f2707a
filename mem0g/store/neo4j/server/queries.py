"""The queries of the Neo4j store, files in ``cypher/``, by name; and vectors as their parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mem0g.model import Vector

SCOPE_KEYS = ("user_id", "agent_id", "run_id")

_PARAMETER = re.compile(r"\$([a-z_]+)")
_KEPT = "replan=skip"
_SEARCH = re.compile(r"\bSEARCH \w+ IN \(.*?\bLIMIT\b", re.DOTALL)
_ON_KEY = re.compile(r"\b\w+\.(user_id|agent_id|run_id) = \$\1\b( AND)? ")
_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)


def folder() -> Traversable:
    """The folder of the queries: in the installed package, else in the checkout."""
    package = resources.files("mem0g")
    shipped = package.joinpath("cypher")
    return shipped if shipped.is_dir() else package.joinpath("..", "cypher")


@cache
def query(name: str) -> str:
    """The text of ``cypher/NAME.cypher``, its header included. Raises FileNotFoundError when there is none."""
    return folder().joinpath(f"{name}.cypher").read_text(encoding="utf-8")


def as_sent(name: str, given: Mapping[str, Any]) -> str:
    """The text of a query as it is sent with these parameters.

    A vector index is not asked for a key of the scope that is null: each condition costs a pass over all nodes that
    meet it, whosever they are.
    """
    return with_one_parameter(name, frozenset(key for key in SCOPE_KEYS if key in given and given[key] is None))


@cache
def with_one_parameter(name: str, any_of: frozenset[str] = frozenset()) -> str:
    """The text of a query that takes its parameters from one map, ``$given``.

    Its searches in vector indexes leave out the conditions on the keys ``any_of``.

    For parameters of their own, Neo4j makes a plan for each combination of types (null is one) and of sizes (lists and
    texts of 0, 1, up to 10, up to 100, ...); for a map, it makes one. The largest queries take a second to plan. They
    name their indexes, so that a plan made for an empty store is as good for a full one, and is kept while it fills.
    """
    text = _PARAMETER.sub(r"$given.\1", _SEARCH.sub(lambda found: _without(found[0], any_of), query(name)))
    version, _, rest = text.partition("\n") if text.startswith("CYPHER 25\n") else ("CYPHER", "", text)
    return f"{version} {_KEPT}\n{rest}"


def _without(search: str, keys: frozenset[str]) -> str:
    """Leave out the conditions on some keys; the condition that is last then has an AND less."""
    kept = _ON_KEY.sub(lambda found: "" if found[1] in keys else found[0], search)
    return re.sub(r" AND (?=LIMIT\b)", " ", kept)


@cache
def parameters(name: str) -> frozenset[str]:
    """The names of the parameters that a query takes."""
    return frozenset(_PARAMETER.findall(_COMMENT.sub("", query(name))))


@cache
def statements(name: str) -> tuple[str, ...]:
    """The statements of a file that holds several, each ended by ``;`` at the end of a line."""
    text = _COMMENT.sub("", query(name))
    return tuple(part.strip() for part in re.split(r";\s*$", text, flags=re.MULTILINE) if part.strip())


AsParameter = Callable[["Vector | None"], Any]
"""Converts a vector, or None, to a parameter."""

NATIVE_VECTORS = (6, 0)
"""Vectors are a type of their own since this version of Bolt, which came with Neo4j 2025.10 and driver 6."""


def as_list(vector: Vector | None) -> Any:
    """Return a vector as a parameter for any server: a list of numbers."""
    return None if vector is None else vector.tolist()


def as_vector(vector: Vector | None) -> Any:
    """Return a vector as a parameter for a server that knows vectors.

    It is sent in single precision, as it is stored: the server takes a third of the time of a list, the driver a tenth.
    """
    from neo4j.vector import Vector as Native

    return None if vector is None else Native(vector.astype("float32", copy=False))
