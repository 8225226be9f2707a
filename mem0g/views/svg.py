"""The graph as a picture in SVG, which browsers and text programs show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from math import hypot
from typing import TYPE_CHECKING

from mem0g.views.elements import DrawnEntity, DrawnFact, entities, facts, one_line
from mem0g.views.graphml import xml_text

if TYPE_CHECKING:
    from networkx import MultiDiGraph

ROUNDS = 150
"""Steps of the layout; each takes time in the square of the number of entities: 1,000 take some five seconds."""

APART = 200
"""Pixels between neighbours."""

HIGH, LETTER, LONGEST = 26, 7.2, 36
"""Pixels of a box' height and of a letter's width, and characters of a name at most."""

_STYLE = (
    "text{font:12px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#222}"
    "rect{fill:#fff;stroke:#557}.root{stroke-width:3}.value{fill:#777}"
    "path{fill:none;stroke:#889}.retired path{stroke-dasharray:4 3;stroke:#bbb}"
    ".relation{font-size:10px;fill:#446;paint-order:stroke;stroke:#fff;stroke-width:3px}.retired .relation{fill:#999}"
)


@dataclass(frozen=True, slots=True)
class _Box:
    """An entity's place: its centre and half its size, in pixels."""

    x: float
    y: float
    wide: float
    high: float = HIGH / 2

    def towards(self, x: float, y: float) -> tuple[float, float]:
        """Return where a line from the centre to a point leaves the box."""
        dx, dy = x - self.x, y - self.y
        share = min((self.wide / abs(dx)) if dx else 1.0, (self.high / abs(dy)) if dy else 1.0, 1.0)
        return self.x + dx * share, self.y + dy * share


def svg(graph: MultiDiGraph[str]) -> str:
    """Return a picture: boxes for entities, arrows for facts, the sentences as tooltips.

    Retired facts are dashed and grey, values grey without a box; the root has a thick border. The same graph gives the
    same picture.
    """
    boxes = _boxes(graph)
    left = min((box.x - box.wide for box in boxes.values()), default=0) - 90
    top = min((box.y for box in boxes.values()), default=0) - 50
    wide = max((box.x + box.wide for box in boxes.values()), default=200) + 90 - left
    high = max((box.y for box in boxes.values()), default=50) + 50 - top
    root = str(graph.graph.get("root", ""))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {wide:.0f} {high:.0f}" '
        f'width="{wide:.0f}" height="{high:.0f}">',
        f"<title>{_text(graph.graph.get('title', '')) or 'graph'}</title><style>{_STYLE}</style>",
        '<marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L8 4L0 8z" style="fill:#889;stroke:none"/></marker>',
        *_arrows(graph, boxes),
        *(_node(entity, boxes[entity.id], entity.id == root) for entity in entities(graph)),
    ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _boxes(graph: MultiDiGraph[str]) -> Mapping[str, _Box]:
    drawn = entities(graph)
    places = _layout(graph)
    return {
        each.id: _Box(x, y, max(len(each.label(LONGEST)) * LETTER, 20) / 2 + 8)
        for each, (x, y) in zip(drawn, places, strict=True)
    }


def _layout(graph: MultiDiGraph[str]) -> list[tuple[float, float]]:
    """Return a place for each entity, in the graph's order: neighbours attract each other, all others repel.

    After T. M. J. Fruchterman, E. M. Reingold, Graph drawing by force-directed placement (1991), from a spiral.
    """
    import numpy as np

    numbers = {str(key): place for place, key in enumerate(graph.nodes)}
    count = len(numbers)
    turns, steps = np.arange(count) * 2.399963, np.sqrt(np.arange(count) + 1.0)
    places = np.stack([np.cos(turns) * steps, np.sin(turns) * steps], axis=1)
    pairs = {(numbers[str(one)], numbers[str(other)]) for one, other in graph.edges() if one != other}
    ends = np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2)
    for step in range(ROUNDS if count > 1 else 0):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum((apart**2).sum(axis=2), 0.01)
        moved = (apart / distance[:, :, None]).sum(axis=1) - 0.8 * places
        pull = places[ends[:, 0]] - places[ends[:, 1]]
        pull *= np.sqrt((pull**2).sum(axis=1, keepdims=True))
        np.add.at(moved, ends[:, 0], -pull)
        np.add.at(moved, ends[:, 1], pull)
        length = np.maximum(np.sqrt((moved**2).sum(axis=1, keepdims=True)), 0.01)
        places += moved / length * np.minimum(length, 1.5 * (1 - step / ROUNDS) + 0.01)
    return [(float(x) * APART, float(y) * APART * 0.7) for x, y in places]


def _node(entity: DrawnEntity, box: _Box, is_root: bool) -> str:
    label = _text(entity.label(LONGEST))
    title = f"<title>{_text(entity.label())}{f' ({_text(entity.type)})' if entity.type else ''}</title>"
    if entity.is_literal:
        return f'<g>{title}<text class="value" x="{box.x:.1f}" y="{box.y:.1f}">{label}</text></g>'
    corner = f'x="{box.x - box.wide:.1f}" y="{box.y - box.high:.1f}" width="{2 * box.wide:.1f}" height="{HIGH}" rx="8"'
    kind = ' class="root"' if is_root else ""
    return f'<g>{title}<rect{kind} {corner}/><text x="{box.x:.1f}" y="{box.y:.1f}">{label}</text></g>'


def _arrows(graph: MultiDiGraph[str], boxes: Mapping[str, _Box]) -> Iterator[str]:
    """Yield the arrows; several between the same two entities are bent apart."""
    seen: Counter[frozenset[str]] = Counter()
    for fact in facts(graph):
        ends = frozenset((fact.subject_id, fact.object_id))
        yield _arrow(fact, boxes[fact.subject_id], boxes[fact.object_id], seen[ends])
        seen[ends] += 1


def _arrow(fact: DrawnFact, start: _Box, end: _Box, number: int) -> str:
    dx, dy = end.x - start.x, end.y - start.y
    length = hypot(dx, dy) or 1.0
    bend = (number + 1) // 2 * 34 * (1 if number % 2 else -1)
    turn = 1 if (dx, dy) >= (0, 0) else -1  # the same side for both directions
    x, y = start.x + dx / 2 - dy / length * bend * turn, start.y + dy / 2 + dx / length * bend * turn
    if fact.subject_id == fact.object_id:
        y -= 60 + 20 * number
        above = start.y - HIGH / 2
        line = f"M{start.x - 12:.1f} {above:.1f}Q{x:.1f} {2 * y - start.y:.1f} {start.x + 12:.1f} {above:.1f}"
    else:
        (x1, y1), (x2, y2) = start.towards(x, y), end.towards(x, y)
        via = f"{2 * x - (x1 + x2) / 2:.1f} {2 * y - (y1 + y2) / 2:.1f}"
        line = f"M{x1:.1f} {y1:.1f}Q{via} {x2:.1f} {y2:.1f}"
    kind = "" if fact.current else ' class="retired"'
    label = f'<text class="relation" x="{x:.1f}" y="{y:.1f}">{_text(one_line(fact.caption, LONGEST))}</text>'
    return f'<g{kind}><title>{_text(fact.text)}</title><path d="{line}" marker-end="url(#end)"/>{label}</g>'


def _text(given: str) -> str:
    return escape(xml_text(one_line(given)))
