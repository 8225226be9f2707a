"""The style sheet of Neo4j Browser (GraSS) for the labels and relationship types of one memory.

GraSS selects by label and type, not by property. Its parser (Neo4j Browser 5.24) allows no comments, and no ``:``
and no ``;`` in a value; of several rules that match, the last wins; a label without a rule of its own gets an automatic
one at the end, which overrides all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from mem0g.browser.palette import DARK, IDEAS, STYLES_BY_LABEL, NodeStyle, node_style

CAPTION: Final = "{caption}"
"""The caption of an edge between entities: ``LIVES_IN``, or ``LIVES_IN until 2024-03`` once it is retired."""

_SELECTOR_END: Final = re.compile(r"[\s.{}'\"\\:;]")
"""Characters that end a selector: a label with one of them is not mem0g's, and no rule can select it."""

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
    """Return the style sheet for a memory with entities of these ``labels`` and edges of these ``types``.

    General rules come first, then one for each label and type, mem0g's own nodes after the entities, ``Retired`` last.
    """
    entity = sorted(label for label in set(labels) - {"Entity", *STYLES_BY_LABEL} if not _SELECTOR_END.search(label))
    edges = sorted(name for name in set(types) - set(_OWN_LINKS) if not _SELECTOR_END.search(name))
    rules = [
        _rule("node", _node(IDEAS) | {"caption": "{name}"}),
        _rule("relationship", _EDGE | {"padding": "3px", "text-color-internal": "#FFFFFF", "caption": "<type>"}),
        _rule("node.Entity", _node(IDEAS)),
        *(_rule(f"node.{label}", _node(node_style(label))) for label in entity),
        *(_rule(f"node.{label}", _node(given)) for label, given in STYLES_BY_LABEL.items() if label != "Retired"),
        *(_rule(f"relationship.{name}", _EDGE | {"caption": CAPTION}) for name in edges),
        *(_rule(f"relationship.{name}", {"caption": "<type>"} | link) for name, link in _OWN_LINKS.items()),
        _rule("node.Retired", _node(STYLES_BY_LABEL["Retired"])),
    ]
    return "\n".join(rules)


def _node(given: NodeStyle) -> dict[str, str]:
    return {
        "diameter": f"{given.diameter}px",
        "color": given.color,
        "border-color": given.border,
        "border-width": f"{given.border_width}px",
        "text-color-internal": given.text,
        "font-size": f"{given.font_size}px",
        "caption": given.caption,
    }


def _rule(selector: str, properties: Mapping[str, str]) -> str:
    lines = (
        f"  {name}: '{value}';" if name == "caption" else f"  {name}: {value};" for name, value in properties.items()
    )
    return "\n".join((f"{selector} {{", *lines, "}", ""))
