"""The graph as node-link JSON, which networkx, D3 and others read."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_SURROGATE = re.compile("[\ud800-\udfff]")


def node_link_json(graph: MultiDiGraph[str]) -> str:
    """Return node-link JSON: "graph", "nodes" and "edges" with all attributes; lossless.

    ``networkx.node_link_graph(json.loads(text), edges="edges")`` reads it back.
    """
    return json_text(graph, indent=1) + "\n"


def json_text(graph: MultiDiGraph[str], indent: int | None = None) -> str:
    """Return node-link JSON that can be encoded as UTF-8: lone surrogates are escaped."""
    import networkx as nx

    text = json.dumps(nx.node_link_data(graph, edges="edges"), ensure_ascii=False, indent=indent)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
