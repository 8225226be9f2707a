"""The tour: a guide for Neo4j Browser that walks a newcomer through one memory, with queries that fit it."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import Final

from mem0g.browser.contents import Contents
from mem0g.browser.looks import OF_KIND, OWN, Look
from mem0g.browser.saved import saved_queries
from mem0g.views.elements import one_line

_PLACE: Final = re.compile(r"\{\{(>?[\w/-]+)\}\}")
"""``{{name}}`` is a word, ``{{>people/who-knows-whom}}`` a saved query to be run."""

_LONGEST: Final = 300
"""Characters of a sentence on a slide; the graph has it whole."""

_NOT_IN_A_TITLE: Final = str.maketrans("<>&=", "    ")


def guide(contents: Contents, base: str | None = None) -> str:
    """The guide as one HTML page of slides; ``base`` is where style and queries are served, if they are.

    A slide that tells of something this memory does not have is left out.
    """
    told = words(contents, base) | _runnables(contents)
    slides = (fill(slide, told) for slide in _slides() if all(place in told for place in _PLACE.findall(slide)))
    body = "\n".join(f'<slide>\n<div style="padding: 0 1em">\n{slide}</div>\n</slide>' for slide in slides)
    # Browser shows the title letter by letter, entities and all.
    title = html.unescape(told["title"]).translate(_NOT_IN_A_TITLE)
    return fill(page("guide.html"), {"title": title, "slides": body})


def words(contents: Contents, base: str | None, **more: str) -> dict[str, str]:
    """What is said of a memory, as HTML, by the name of its place on a page; what it does not have is not there."""
    change, relation, first = contents.change, contents.relation, contents.counts.first
    known: dict[str, object] = {
        **asdict(contents.counts),
        **({} if change is None else asdict(change)),
        **contents.values,
        "title": f"The memory of {contents.whose}",
        "span": f", from {first} to {contents.counts.last}" if first else "",
        "relation_edges": relation.edges if relation else None,
        "base": base,
        **more,
    }
    told = {name: text_of(value) for name, value in known.items() if value is not None}
    told["colours"] = "" if base is None else fill(page("colours.html"), told)
    told["legend"] = " ".join(map(_swatch, dict.fromkeys((*OF_KIND.values(), *OWN.values()))))
    return told


def fill(template: str, told: Mapping[str, str]) -> str:
    """``template`` with its places filled. Raises KeyError for one of which nothing is told."""
    return _PLACE.sub(lambda place: told[place[1]], template)


def page(name: str) -> str:
    """A file of this room's pages."""
    return (files("mem0g.browser") / "page" / name).read_text(encoding="utf-8")


def text_of(value: object) -> str:
    """``value`` on one line of HTML, where it can neither be markup nor look like some to Browser's own cleaning."""
    return _escaped(one_line(str(value), _LONGEST))


def _escaped(text: str) -> str:
    """Browser removes what looks like ``onclick="…"`` from a guide, even in a sentence: no ``=`` stays."""
    return html.escape(text).replace("=", "&#61;")


def _runnables(contents: Contents) -> dict[str, str]:
    """The saved queries that this memory has the values of, each in a box that Browser runs."""
    ready = ((query.path, query.with_values(contents.values)) for query in saved_queries())
    return {
        f">{path}": f'<pre class="pre-scrollable code runnable">{_escaped(text.strip())}</pre>'
        for path, text in ready
        if text is not None
    }


def _swatch(look: Look) -> str:
    style = (
        f"display:inline-block; padding:1px 8px; margin:2px 0; border-radius:10px; background:{look.color}; "
        f"color:{look.text}; border:{min(look.border_width, 3)}px solid {look.border}"
    )
    return f'<span style="{style}">{look.means}</span>'


@cache
def _slides() -> tuple[str, ...]:
    folder = files("mem0g.browser") / "page" / "slides"
    return tuple(each.read_text(encoding="utf-8") for each in sorted(folder.iterdir(), key=lambda each: each.name))
