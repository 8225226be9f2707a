"""Views of the graph: a tree for the terminal, text formats that other programs read, a picture, and a web page.

Every view takes the ``networkx.MultiDiGraph`` of ``Memory.subgraph(...)``, which has these attributes:

Of the graph:

- ``root``: id of the entity in the centre, "" if there is none
- ``title``: title of the view

Of nodes, which are keyed by entity id:

- ``name``: as shown
- ``type``: its type as given ("sports team"), "" if none; "literal" for a value, which is no entity
- ``aliases``: list of its other names
- ``also_known_as``: those of them that a fact gives it ("Olivia is also called Liv")

Of edges from subject to object, which are keyed by fact id; facts that only give an entity another name are none:

- ``relation``: normalised: LIVES_IN
- ``text``: the fact as a sentence
- ``current``: bool: not retired
- ``valid_from``, ``valid_to``: ISO 8601 at the precision known (2023, 2023-05, 2023-05-07), "" when unknown or open
- ``brief``: the sentence as a short clause without the subject, or ""
- ``observed``: the last day on which it was said to hold, or ""
- ``planned_for``: the day or period that a plan is for, or ""
- ``past_plan``: bool: a plan whose day or period is over, and nothing says what became of it
- ``said_at``: ISO time of the first message that says it, or ""
- ``recorded_at``: ISO time
- ``retired_at``: ISO time, "" when current
- ``confidence``: float between 0 and 1
- ``evidence``: list of message texts with speaker and time, ready to show
- ``reason``: why it was retired, "" if it was not

Names and texts are untrusted: each view escapes them by the rules of its format.

A new text format is a module with one function from graph to text, and a line in ``FORMATS``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mem0g.views.dot import dot
from mem0g.views.graphml import graphml
from mem0g.views.mermaid import mermaid
from mem0g.views.node_link import node_link_json
from mem0g.views.svg import svg
from mem0g.views.tree import tree
from mem0g.views.webpage import html

if TYPE_CHECKING:
    from networkx import MultiDiGraph

__all__ = ["FORMATS", "dot", "graphml", "html", "mermaid", "node_link_json", "svg", "tree"]

FORMATS: dict[str, Callable[[MultiDiGraph[str]], str]] = {
    "graphml": graphml,
    "json": node_link_json,
    "mermaid": mermaid,
    "dot": dot,
    "svg": svg,
    "html": html,
}
"""The text formats by their names for ``--format``."""
