"""What mem0g is compared with: the usual rules to find the node of a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.merging.scene import End, Scene
from mem0g.embed.protocol import Embedder
from mem0g.text.names import fold

if TYPE_CHECKING:
    from mem0g.model import Vector

MEM0 = 0.7
"""The cosine of mem0's graph memory from which the nearest node is the one meant (its ``threshold``)."""

COSINES = (0.8, 0.9, 0.95)
"""Stricter ones."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node as a rule makes it: by the name that came first, with all names that went to it."""

    id: str
    type: str
    vector: Vector
    names: list[str] = field(default_factory=list)


Rule = Callable[[End, "Vector", Sequence[Node]], Node | None]
"""The node that a name means, with its vector and the nodes there are in order of making; None makes a new one."""


@dataclass(frozen=True, slots=True)
class Method:
    """A rule, applied to name after name."""

    name: str
    rule: Rule
    embedder: Embedder

    def nodes(self, scene: Scene) -> list[str]:
        """The node of each end of the scene."""
        made: list[Node] = []
        ends = list(scene.ends)
        distinct = list(dict.fromkeys(end.name for end in ends))
        vectors = dict(zip(distinct, self.embedder.embed(distinct), strict=True))
        return [self._node(end, vectors[end.name], made).id for end in ends]

    def _node(self, end: End, vector: Vector, made: list[Node]) -> Node:
        node = self.rule(end, vector, made)
        if node is None:
            node = Node(str(len(made)), fold(end.type), vector)
            made.append(node)
        node.names.append(fold(end.name))
        return node


def methods(embedder: Embedder) -> list[Method]:
    """mem0's rule, exact names, shared words, and stricter cosines."""
    cosines = [(f"cosine {least}{' and type' if typed else ''}", least, typed) for least in COSINES for typed in (0, 1)]
    return [
        Method("mem0: nearest, cosine 0.7", nearest(MEM0), embedder),
        Method("exact names", same_name, embedder),
        Method("token subset and type", part_of_name, embedder),
        *(Method(name, nearest(least, typed=bool(typed)), embedder) for name, least, typed in cosines),
    ]


def nearest(least: float, *, typed: bool = False) -> Rule:
    """The node whose vector is nearest, from a cosine on; ``typed``: among those of the same type."""

    def rule(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:
        known = [node for node in made if not typed or node.type == fold(end.type)]
        if not known:
            return None
        cosines = np.stack([node.vector for node in known]) @ vector
        best = int(np.argmax(cosines))
        return known[best] if cosines[best] >= least else None

    return rule


def same_name(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:  # noqa: ARG001 - a rule
    """The node of that name, case and spaces aside."""
    return next((node for node in made if fold(end.name) in node.names), None)


def part_of_name(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:
    """The node of that name, else the latest of the same type whose words are among the name's, or the other way."""
    given = set(fold(end.name).split())
    fitting = [node for node in made if node.type == fold(end.type) and any(_part(given, each) for each in node.names)]
    return same_name(end, vector, made) or (fitting[-1] if fitting else None)


def _part(given: set[str], name: str) -> bool:
    known = set(name.split())
    return given <= known or known <= given
