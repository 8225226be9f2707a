"""The guide for Neo4j Browser: slides that show a newcomer one memory, with queries that fit it."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import Final

from mem0g.browser.contents import Contents
from mem0g.browser.palette import STYLES_BY_KIND, STYLES_BY_LABEL, NodeStyle
from mem0g.browser.saved import saved_queries
from mem0g.views.elements import one_line

_PLACEHOLDER: Final = re.compile(r"\{\{(>?[\w/-]+)\}\}")
"""A placeholder: ``{{name}}`` for a value, ``{{>people/who-knows-whom}}`` for a saved query to run."""

_MAX_SENTENCE: Final = 300
"""Characters of a sentence on a slide at most; the graph has all of it."""

_TITLE_ESCAPES: Final = str.maketrans("<>&=", "    ")


def guide(contents: Contents, base: str | None = None) -> str:
    """Return the guide as one HTML page of slides; ``base`` is the address of the style and the queries, if served.

    A slide with a placeholder that this memory has no value for is left out.
    """
    values = placeholders(contents, base) | _runnable_queries(contents)
    slides = (
        fill(slide, values) for slide in _slides() if all(place in values for place in _PLACEHOLDER.findall(slide))
    )
    body = "\n".join(f'<slide>\n<div style="padding: 0 1em">\n{slide}</div>\n</slide>' for slide in slides)
    # Browser shows the title as plain text, so that HTML entities would be seen.
    title = html.unescape(values["title"]).translate(_TITLE_ESCAPES)
    return fill(read_page("guide.html"), {"title": title, "slides": body})


def placeholders(contents: Contents, base: str | None, **more: str) -> dict[str, str]:
    """Return the values for the placeholders of the pages, as HTML; those that the memory does not have are missing."""
    change, relation, first = contents.change, contents.relation, contents.counts.first
    given: dict[str, object] = {
        **asdict(contents.counts),
        **({} if change is None else asdict(change)),
        **contents.values,
        "title": f"The memory of {contents.owner}",
        "span": f", from {first} to {contents.counts.last}" if first else "",
        "relation_edges": relation.edges if relation else None,
        "base": base,
        **more,
    }
    values = {name: as_html(value) for name, value in given.items() if value is not None}
    values["colours"] = "" if base is None else fill(read_page("colours.html"), values)
    values["legend"] = " ".join(map(_swatch, dict.fromkeys((*STYLES_BY_KIND.values(), *STYLES_BY_LABEL.values()))))
    return values


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return the template with its placeholders filled. Raises KeyError for one without a value."""
    return _PLACEHOLDER.sub(lambda place: values[place[1]], template)


def read_page(name: str) -> str:
    """Return the text of a file in the folder ``page``."""
    return (files("mem0g.browser") / "page" / name).read_text(encoding="utf-8")


def as_html(value: object) -> str:
    """Return a value as one line of HTML text, with nothing that Browser's sanitizer would take for markup."""
    return _escaped(one_line(str(value), _MAX_SENTENCE))


def _escaped(text: str) -> str:
    """Escape HTML, and every ``=``: Browser removes what looks like ``onclick="…"``, even from a sentence."""
    return html.escape(text).replace("=", "&#61;")


def _runnable_queries(contents: Contents) -> dict[str, str]:
    """Return the saved queries that this memory has the values for, each in a box that runs it in Browser."""
    ready = ((query.path, query.with_values(contents.values)) for query in saved_queries())
    return {
        f">{path}": f'<pre class="pre-scrollable code runnable">{_escaped(text.strip())}</pre>'
        for path, text in ready
        if text is not None
    }


def _swatch(drawn: NodeStyle) -> str:
    style = (
        f"display:inline-block; padding:1px 8px; margin:2px 0; border-radius:10px; background:{drawn.color}; "
        f"color:{drawn.text}; border:{min(drawn.border_width, 3)}px solid {drawn.border}"
    )
    return f'<span style="{style}">{drawn.legend}</span>'


@cache
def _slides() -> tuple[str, ...]:
    folder = files("mem0g.browser") / "page" / "slides"
    return tuple(each.read_text(encoding="utf-8") for each in sorted(folder.iterdir(), key=lambda each: each.name))
