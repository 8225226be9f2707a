"""The saved queries: ``cypher/browser/**/*.cypher`` with a memory's values in them, as a zip that Browser imports.

The queries are files with parameters, and mem0g itself runs them with parameters. In Browser a parameter without a
value is an error and cannot have a default, so the text shown there has the values written into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from typing import Final

from mem0g.store.neo4j.server.queries import folder

FOLDER: Final = "mem0g"
"""The folder that Browser shows the queries in, by its whole path: ``mem0g/people``."""

_SUFFIX: Final = ".cypher"
_ZIP_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip can hold, for all files, so that the same memory gives the same bytes."""
Value = str | Sequence[str]

_PARAMETER: Final = re.compile(r"\$\(\$(?P<identifier>\w+)\)|\$(?P<literal>\w+)")
_PLAIN_NAME: Final = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]*", re.ASCII)
"""A name that needs no backticks: with an underscore in it, it is not a keyword of Cypher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQuery:
    """A query of ``cypher/browser``: its text, and its path there without the suffix (``people/who-knows-whom``)."""

    path: str
    text: str

    @property
    def title(self) -> str:
        """The title that Browser shows: the first line, ``// title``."""
        return self.text.partition("\n")[0].removeprefix("//").strip()

    def with_values(self, values: Mapping[str, Value]) -> str | None:
        """Return the query with its values, ready to run in Browser; None if ``values`` lacks one of its parameters."""
        return fill_parameters(self.text, values) if parameters(self.text) <= values.keys() else None


@cache
def saved_queries() -> tuple[SavedQuery, ...]:
    """Return all saved queries, sorted by path."""
    return tuple(sorted(_under(folder().joinpath("browser"), ""), key=lambda query: query.path))


def zip_queries(values: Mapping[str, Value]) -> bytes:
    """Return a zip of the saved queries with ``values`` in them; a query with any other parameter is left out."""
    import io
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for query in saved_queries():
            text = query.with_values(values)
            if text is not None:
                archive.writestr(zipfile.ZipInfo(f"{FOLDER}/{query.path}.cypher", _ZIP_EPOCH), text)
    return content.getvalue()


def _under(place: Traversable, path: str) -> Iterator[SavedQuery]:
    for each in place.iterdir():
        if each.is_dir():
            yield from _under(each, f"{path}{each.name}/")
        elif each.name.endswith(_SUFFIX):
            yield SavedQuery(path=path + each.name.removesuffix(_SUFFIX), text=each.read_text(encoding="utf-8"))


def parameters(query: str) -> frozenset[str]:
    """Return the names of a query's parameters."""
    return frozenset(found["identifier"] or found["literal"] for found in _PARAMETER.finditer(query))


def fill_parameters(query: str, values: Mapping[str, Value]) -> str:
    """Return the query with its parameters replaced: ``$name`` by a literal, ``$($name)`` by a label or type.

    Raises KeyError for a parameter without a value.
    """

    def fill(found: re.Match[str]) -> str:
        if found["literal"]:
            return literal(values[found["literal"]])
        return identifier(str(values[found["identifier"]]))

    return _PARAMETER.sub(fill, query)


def literal(value: Value) -> str:
    """Return a string, or a list of strings, as a Cypher literal."""
    if isinstance(value, str):
        return '"' + "".join(map(_escape, value)) + '"'
    return "[" + ", ".join(map(literal, value)) + "]"


def identifier(name: str) -> str:
    """Return a label or a relationship type as a Cypher identifier, in backticks where it needs them."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    return (
        "`"
        + "".join(_unicode_escape(char) if char == "\\" or not char.isprintable() else char for char in name).replace(
            "`", "``"
        )
        + "`"
    )


def _escape(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    # Browser splits statements at semicolons with a grammar older than the server's.
    return char if char.isprintable() and char != ";" else _unicode_escape(char)


def _unicode_escape(char: str) -> str:
    r"""Return ``\uXXXX``, which Cypher decodes once, before it parses."""
    pairs = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(pairs[i : i + 2]):04x}" for i in range(0, len(pairs), 2))
