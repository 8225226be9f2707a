"""The saved queries: ``cypher/browser/**/*.cypher`` with a memory's values in them, as a zip that Browser imports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from typing import Final

from mem0g.browser.literals import Value, filled, parameters
from mem0g.store.neo4j.queries import folder

FOLDER: Final = "mem0g"
"""Browser shows the folders of the zip by their whole path: ``mem0g/people``."""

_ENDING: Final = ".cypher"
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold: the same memory gives the same file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQuery:
    """A query of ``cypher/browser``: its path below it without the ending (``people/who-knows-whom``), and its text."""

    path: str
    text: str

    @property
    def title(self) -> str:
        """What Browser calls it: the first line, ``// title``."""
        return self.text.partition("\n")[0].removeprefix("//").strip()

    def with_values(self, values: Mapping[str, Value]) -> str | None:
        """The query ready to be run in Browser; None when ``values`` lack one that it asks for."""
        return filled(self.text, values) if parameters(self.text) <= values.keys() else None


@cache
def saved_queries() -> tuple[SavedQuery, ...]:
    """All saved queries, by folder and name."""
    return tuple(sorted(_under(folder().joinpath("browser"), ""), key=lambda query: query.path))


def packed(values: Mapping[str, Value]) -> bytes:
    """A zip of the saved queries with ``values`` in them; a query that asks for another value is left out."""
    import io
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for query in saved_queries():
            text = query.with_values(values)
            if text is not None:
                archive.writestr(zipfile.ZipInfo(f"{FOLDER}/{query.path}.cypher", _LONG_AGO), text)
    return content.getvalue()


def _under(place: Traversable, path: str) -> Iterator[SavedQuery]:
    for each in place.iterdir():
        if each.is_dir():
            yield from _under(each, f"{path}{each.name}/")
        elif each.name.endswith(_ENDING):
            yield SavedQuery(path=path + each.name.removesuffix(_ENDING), text=each.read_text(encoding="utf-8"))
