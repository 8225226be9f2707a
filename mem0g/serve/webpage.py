"""The live page at /: its files, from the package, with the headers that keep a browser from running anything else.

The page reads and changes the memory through the API, as any other client: it needs the same keys. Its files hold
nothing of a memory and are served without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi import APIRouter, HTTPException, Response

from mem0g.views.webpage import GRAPH_SCRIPTS, part

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

router = APIRouter(include_in_schema=False)

KINDS: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
"""Content types by suffix."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""No script but these files, no address but this server's, no markup made from text, no frame around the page."""


@cache
def _page_files() -> Mapping[str, str]:
    """Return the files of the page by the path they are served at: the page's own, and those that draw a graph.

    They are read with the first request.
    """
    own: Traversable = files("mem0g.serve") / "page"
    found = {each.name: each.read_text(encoding="utf-8") for each in own.iterdir() if each.name.endswith(tuple(KINDS))}
    return found | {f"graph/{name}": part(name) for name in ("graph.css", *GRAPH_SCRIPTS)}


@router.api_route("/", methods=["GET", "HEAD"])
def index() -> Response:
    """Return the page."""
    return page_file("index.html")


@router.api_route("/page/{name:path}", methods=["GET", "HEAD"])
def page_file(name: str) -> Response:
    """Return a file of the page."""
    text = _page_files().get(name)
    if text is None:
        raise HTTPException(404, "there is no such file")
    return Response(text, media_type=KINDS[name[name.rindex(".") :]], headers=dict(HEADERS))
