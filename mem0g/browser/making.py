"""All that is made for one memory, as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mem0g.browser.contents import Contents
from mem0g.browser.guide import fill, guide, page, words
from mem0g.browser.link import Place
from mem0g.browser.saved import packed
from mem0g.browser.server import File
from mem0g.browser.style import style

STYLE: Final = "style.grass"
QUERIES: Final = "queries.zip"
GUIDE: Final = "guide.html"

_TEXT: Final = "text/plain; charset=utf-8"
_HTML: Final = "text/html; charset=utf-8"
_ZIP: Final = "application/zip"


def made(contents: Contents, base: str | None = None) -> Mapping[str, bytes]:
    """The style, the saved queries and the tour, by the name of the file; ``base`` is where they are served."""
    return {
        STYLE: style(contents.labels, (each.type for each in contents.types)).encode(),
        QUERIES: packed(contents.values),
        GUIDE: guide(contents, base).encode(),
    }


def served(contents: Contents, place: Place, base: str) -> Mapping[str, File]:
    """The same and a page that says how to use them, by path, as a server at ``base`` answers them."""
    types = {STYLE: _TEXT, QUERIES: _ZIP, GUIDE: _HTML}
    files = {f"/{name}": File(content, types[name]) for name, content in made(contents, base).items()}
    return files | {"/": File(_index(contents, place, base).encode(), _HTML)}


def _index(contents: Contents, place: Place, base: str) -> str:
    told = words(
        contents,
        base,
        link=place.link(f"{base}/{GUIDE}"),
        browser_url=place.browser_url,
        uri=place.uri,
        credentials="with your password" if place.password else "without a password",
    )
    return fill(page("index.html"), told)
