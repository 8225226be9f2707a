"""The graph as GraphML, for yEd, Gephi, Cytoscape and networkx."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 cannot hold, not even as a reference (its production 2, Char)."""


def graphml(graph: MultiDiGraph[str]) -> str:
    """Return GraphML with scalar attributes: lists are JSON arrays in a string, the fact's id is the edge's id.

    ``networkx.parse_graphml(text, force_multigraph=True)`` reads it back. A control character that XML cannot hold
    becomes its picture (U+0007 is ␇), a lone surrogate U+FFFD.
    """
    import networkx as nx

    out = io.BytesIO()
    nx.write_graphml_xml(_flattened(graph), out, named_key_ids=True)
    # A reader turns a bare carriage return into a line feed (XML 1.0, 2.11), and the writer leaves it bare.
    return out.getvalue().decode("utf-8").replace("\r", "&#13;")


def _flattened(graph: MultiDiGraph[str]) -> MultiDiGraph[str]:
    import networkx as nx

    flat: MultiDiGraph[str] = nx.MultiDiGraph(**_scalars(graph.graph))
    for key, node in graph.nodes(data=True):
        flat.add_node(xml_text(str(key)), **_scalars(node))
    for subject, object_, key, edge in graph.edges(keys=True, data=True):
        ends = (xml_text(str(subject)), xml_text(str(object_)))
        flat.add_edge(*ends, key=xml_text(str(key)), **_scalars(edge))
    return flat


def _scalars(attributes: Mapping[str, object]) -> dict[str, str | float | bool]:
    return {name: _scalar(value) for name, value in attributes.items()}


def _scalar(value: object) -> str | float | bool:
    if isinstance(value, bool | int | float):
        return value
    return xml_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def xml_text(text: str) -> str:
    """Return the text with pictures of the control characters that XML cannot hold, U+FFFD for the others."""
    return _NOT_IN_XML.sub(lambda match: _picture(ord(match[0])), text)


def _picture(code: int) -> str:
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"
