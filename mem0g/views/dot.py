"""The graph in Graphviz' DOT language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mem0g.views.elements import MAX_LABEL, DrawnEntity, DrawnFact, entities, facts, one_line

if TYPE_CHECKING:
    from networkx import MultiDiGraph


def dot(graph: MultiDiGraph[str]) -> str:
    """Return a digraph with sentences as tooltips.

    Retired facts are dashed and grey, values grey without a box; the root has a thick border.
    """
    root = str(graph.graph.get("root", ""))
    names = {entity.id: f"n{i}" for i, entity in enumerate(entities(graph))}
    title = one_line(graph.graph.get("title", "")) or "graph"
    lines = [
        f"digraph {_quoted(title)} {{",
        '  graph [charset="UTF-8", rankdir=LR];',
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=10];',
    ]
    lines += [f"  {names[entity.id]} [{_node(entity, entity.id == root)}];" for entity in entities(graph)]
    lines += [f"  {names[fact.subject_id]} -> {names[fact.object_id]} [{_edge(fact)}];" for fact in facts(graph)]
    return "\n".join([*lines, "}"]) + "\n"


def _node(entity: DrawnEntity, is_root: bool) -> str:
    attributes = {"label": entity.label(MAX_LABEL), "tooltip": one_line(entity.type) or entity.label()}
    if entity.is_literal:
        return _attribute_list(attributes) + ", shape=plaintext, fontcolor=grey40, fontsize=10"
    return _attribute_list(attributes) + (", penwidth=3" if is_root else "")


def _edge(fact: DrawnFact) -> str:
    attributes = {"label": one_line(fact.caption, MAX_LABEL), "edgetooltip": one_line(fact.text)}
    return _attribute_list(attributes) + ("" if fact.current else ", style=dashed, color=grey, fontcolor=grey40")


def _attribute_list(attributes: dict[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    """Return ``text`` as a quoted string, in which Graphviz also decodes HTML entities and backslash escapes."""
    return '"' + text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') + '"'
