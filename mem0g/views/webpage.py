"""The graph as one interactive web page that works offline."""

from __future__ import annotations

import base64
import hashlib
import html as markup
import re
from importlib.resources import files
from typing import TYPE_CHECKING

from mem0g.views.elements import one_line
from mem0g.views.node_link import json_text

if TYPE_CHECKING:
    from networkx import MultiDiGraph

GRAPH_SCRIPTS = ("time.js", "data.js", "layout.js", "picture.js", "panel.js", "graph.js", "controls.js")
"""What draws a graph and lets the reader move in it, on this page and on that of mem0g.serve."""

SCRIPTS = (*GRAPH_SCRIPTS, "start.js")
"""The parts of the page's script, in the order of their concatenation; each uses those before it."""

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_JSON_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
"""JSON escapes for what HTML or an older JavaScript would interpret: ``</script>``, ``<!--``, line separators."""


def html(graph: MultiDiGraph[str]) -> str:
    """Return one HTML page with its style, script and data: pan, zoom, drag, click, search, go through time.

    It loads nothing, and its content security policy allows nothing else: only this script and this style, by their
    hashes.
    """
    style = part("graph.css")
    script = "\n".join(part(name) for name in SCRIPTS)
    filled = {
        "policy": _policy(style, script),
        "title": markup.escape(one_line(graph.graph.get("title", "")) or "graph"),
        "style": style,
        "data": json_text(graph).translate(_JSON_ESCAPES),
        "script": script,
    }
    return _PLACEHOLDER.sub(lambda place: filled[place[1]], part("graph.html"))


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def part(name: str) -> str:
    """Return a file of the page."""
    return (files("mem0g.views") / "page" / name).read_text(encoding="utf-8")
