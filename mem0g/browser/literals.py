"""Values written into Cypher text, for the one reader that takes no parameters: a person in Neo4j Browser.

The queries are files with parameters, and mem0g itself runs them with parameters. In Browser a parameter without a
value is an error and cannot have a default, so what is shown there has the values in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

Value = str | Sequence[str]

_PARAMETER: Final = re.compile(r"\$\(\$(?P<identifier>\w+)\)|\$(?P<literal>\w+)")
_PLAIN_NAME: Final = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]*", re.ASCII)
"""A name that needs no backticks: with an underscore in it, it is no word of Cypher's own."""


def parameters(query: str) -> frozenset[str]:
    """The names of the parameters that a query asks for."""
    return frozenset(found["identifier"] or found["literal"] for found in _PARAMETER.finditer(query))


def filled(query: str, values: Mapping[str, Value]) -> str:
    """``query`` with its parameters replaced: ``$name`` by a literal, ``$($name)`` by the name of a label or type.

    Raises KeyError for a parameter without a value.
    """

    def fill(found: re.Match[str]) -> str:
        if found["literal"]:
            return literal(values[found["literal"]])
        return identifier(str(values[found["identifier"]]))

    return _PARAMETER.sub(fill, query)


def literal(value: Value) -> str:
    """A string, or a list of strings, as Cypher writes it."""
    if isinstance(value, str):
        return '"' + "".join(map(_in_quotes, value)) + '"'
    return "[" + ", ".join(map(literal, value)) + "]"


def identifier(name: str) -> str:
    """The name of a label or of a relationship type as Cypher writes it, in backticks where it needs them."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    return (
        "`"
        + "".join(_coded(char) if char == "\\" or not char.isprintable() else char for char in name).replace("`", "``")
        + "`"
    )


def _in_quotes(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    # Browser takes statements apart at semicolons with a grammar older than the server's.
    return char if char.isprintable() and char != ";" else _coded(char)


def _coded(char: str) -> str:
    r"""``\uXXXX``: Cypher reads it as the character before it reads anything else, and once only."""
    pairs = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(pairs[i : i + 2]):04x}" for i in range(0, len(pairs), 2))
