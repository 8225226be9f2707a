"""The bundle of files for one memory: style sheet, saved queries and guide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mem0g.browser.contents import Contents
from mem0g.browser.guide import fill, guide, placeholders, read_page
from mem0g.browser.link import Place
from mem0g.browser.saved import zip_queries
from mem0g.browser.server import File
from mem0g.browser.style import style

STYLE: Final = "style.grass"
QUERIES: Final = "queries.zip"
GUIDE: Final = "guide.html"

_TEXT: Final = "text/plain; charset=utf-8"
_HTML: Final = "text/html; charset=utf-8"
_ZIP: Final = "application/zip"


def bundle_files(contents: Contents, base: str | None = None) -> Mapping[str, bytes]:
    """Return the style sheet, the saved queries and the guide by file name; ``base`` is their address if served."""
    return {
        STYLE: style(contents.labels, (each.type for each in contents.types)).encode(),
        QUERIES: zip_queries(contents.values),
        GUIDE: guide(contents, base).encode(),
    }


def served_files(contents: Contents, place: Place, base: str) -> Mapping[str, File]:
    """Return the bundle and an index page that says how to use it, by path, for a server at the address ``base``."""
    types = {STYLE: _TEXT, QUERIES: _ZIP, GUIDE: _HTML}
    files = {f"/{name}": File(content, types[name]) for name, content in bundle_files(contents, base).items()}
    return files | {"/": File(_index(contents, place, base).encode(), _HTML)}


def _index(contents: Contents, place: Place, base: str) -> str:
    values = placeholders(
        contents,
        base,
        link=place.link(f"{base}/{GUIDE}"),
        browser_url=place.browser_url,
        uri=place.uri,
        credentials="with your password" if place.password else "without a password",
    )
    return fill(read_page("index.html"), values)
