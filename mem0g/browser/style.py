"""The style sheet of Neo4j Browser (GraSS) for the labels and relationship types of one memory.

GraSS knows labels and types, no properties. What its reader asks of a sheet (Neo4j Browser 5.24): no comments; no ``:``
and no ``;`` in a value; a later rule wins over an earlier one that matches as well; a label that has no rule of
its own gets an automatic one at the end, which wins over all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from mem0g.browser.looks import DARK, IDEAS, OWN, Look, look_of

CAPTION: Final = "{caption}"
"""What an edge between entities shows: ``LIVES_IN``, or ``LIVES_IN until 2024-03`` once it is retired."""

_ENDS_A_SELECTOR: Final = re.compile(r"[\s.{}'\"\\:;]")
"""A label with one of these is none of mem0g's, and no rule can name it."""

_EDGE: Final = {"color": "#5F7081", "shaft-width": "2px", "font-size": "8px", "text-color-external": DARK}
_LINK: Final = {"color": "#C5CDD6", "shaft-width": "1px", "font-size": "7px", "text-color-external": "#7B8794"}
_OWN_LINKS: Final[dict[str, dict[str, str]]] = {
    "SUBJECT": {**_LINK, "color": "#9AA7B5"},
    "OBJECT": _LINK,
    "EVIDENCE": {**_LINK, "color": "#DB7FA4"},
    "IN": _LINK,
    "ABOUT": {**_LINK, "color": "#3A3F47"},
    "SUPERSEDED_BY": {
        "color": "#D32F2F",
        "shaft-width": "4px",
        "font-size": "8px",
        "text-color-external": "#B71C1C",
        "caption": "{reason}",
    },
    "MERGED_INTO": {**_EDGE, "color": "#7B57B2", "shaft-width": "4px"},
}


def style(labels: Iterable[str], types: Iterable[str]) -> str:
    """The sheet for a memory with entities of these ``labels`` and edges of these ``types``.

    General rules first, then one for each label and type, mem0g's own nodes after the entities, ``Retired`` last.
    """
    entity = sorted(label for label in set(labels) - {"Entity", *OWN} if not _ENDS_A_SELECTOR.search(label))
    edges = sorted(name for name in set(types) - set(_OWN_LINKS) if not _ENDS_A_SELECTOR.search(name))
    rules = [
        _rule("node", _node(IDEAS) | {"caption": "{name}"}),
        _rule("relationship", _EDGE | {"padding": "3px", "text-color-internal": "#FFFFFF", "caption": "<type>"}),
        _rule("node.Entity", _node(IDEAS)),
        *(_rule(f"node.{label}", _node(look_of(label))) for label in entity),
        *(_rule(f"node.{label}", _node(look)) for label, look in OWN.items() if label != "Retired"),
        *(_rule(f"relationship.{name}", _EDGE | {"caption": CAPTION}) for name in edges),
        *(_rule(f"relationship.{name}", {"caption": "<type>"} | link) for name, link in _OWN_LINKS.items()),
        _rule("node.Retired", _node(OWN["Retired"])),
    ]
    return "\n".join(rules)


def _node(look: Look) -> dict[str, str]:
    return {
        "diameter": f"{look.diameter}px",
        "color": look.color,
        "border-color": look.border,
        "border-width": f"{look.border_width}px",
        "text-color-internal": look.text,
        "font-size": f"{look.font_size}px",
        "caption": look.caption,
    }


def _rule(selector: str, properties: Mapping[str, str]) -> str:
    lines = (
        f"  {name}: '{value}';" if name == "caption" else f"  {name}: {value};" for name, value in properties.items()
    )
    return "\n".join((f"{selector} {{", *lines, "}", ""))
