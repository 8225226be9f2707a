"""The graph as a Mermaid flowchart, which GitHub and others render in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mem0g.views.elements import MAX_LABEL, DrawnFact, entities, facts, one_line

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_SPECIAL = re.compile(r"[!-&*+:-@\[-^`{-~]")
"""ASCII punctuation but ``' ( ) , - . / _``: each of the others is syntax somewhere (quotes, Markdown, directives)."""


def mermaid(graph: MultiDiGraph[str]) -> str:
    """Return a flowchart from left to right: retired facts are dotted, values plain, the root has a thick border.

    Renderers apply Mermaid's limits, by default 500 arrows and 50,000 characters.
    """
    names = {entity.id: f"n{i}" for i, entity in enumerate(entities(graph))}
    lines = ["flowchart LR"]
    lines += [f'  {names[entity.id]}["{_label(entity.label(MAX_LABEL))}"]' for entity in entities(graph)]
    lines += [f"  {names[fact.subject_id]} {_arrow(fact)} {names[fact.object_id]}" for fact in facts(graph)]
    root = names.get(str(graph.graph.get("root", "")))
    literals = [names[entity.id] for entity in entities(graph) if entity.is_literal]
    if literals:
        lines.append("  classDef literal fill:none,stroke:none,color:#777")
        lines.append(f"  class {','.join(literals)} literal")
    if root:
        lines.append(f"  style {root} stroke-width:3px")
    return "\n".join(lines) + "\n"


def _arrow(fact: DrawnFact) -> str:
    label = _label(one_line(fact.caption, MAX_LABEL))
    return f'-->|"{label}"|' if fact.current else f'-.->|"{label}"|'


def _label(text: str) -> str:
    """Return ``text`` with Mermaid's character codes (``#34;`` is a double quote)."""
    return _SPECIAL.sub(lambda match: f"#{ord(match[0])};", text)
