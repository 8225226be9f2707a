"""Baselines: the usual rules to find the node of a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.merge.scene import End, Scene
from mem0g.embed.protocol import Embedder
from mem0g.text.names import fold

if TYPE_CHECKING:
    from mem0g.model import Vector

MEM0 = 0.7
"""The cosine in mem0's graph memory from which the nearest node is the same (its ``threshold``)."""

COSINES = (0.8, 0.9, 0.95)
"""Stricter cosines."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node as a rule makes it: named by its first name, with all names assigned to it."""

    id: str
    type: str
    vector: Vector
    names: list[str] = field(default_factory=list)


Rule = Callable[[End, "Vector", Sequence[Node]], Node | None]
"""Returns the node of a name, given its vector and the existing nodes in order of creation; None creates a new one."""


@dataclass(frozen=True, slots=True)
class Method:
    """A rule, applied to name after name."""

    name: str
    rule: Rule
    embedder: Embedder

    def nodes(self, scene: Scene) -> list[str]:
        """Return the node of each end of the scene, in order."""
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
    """Return the baselines: mem0's rule, exact names, shared words, and stricter cosines."""
    cosines = [(f"cosine {least}{' and type' if typed else ''}", least, typed) for least in COSINES for typed in (0, 1)]
    return [
        Method("mem0: nearest, cosine 0.7", nearest(MEM0), embedder),
        Method("exact names", same_name, embedder),
        Method("token subset and type", part_of_name, embedder),
        *(Method(name, nearest(least, typed=bool(typed)), embedder) for name, least, typed in cosines),
    ]


def nearest(least: float, *, typed: bool = False) -> Rule:
    """Return a rule that takes the nearest node of at least this cosine; ``typed``: of the same type only."""

    def rule(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:
        known = [node for node in made if not typed or node.type == fold(end.type)]
        if not known:
            return None
        cosines = np.stack([node.vector for node in known]) @ vector
        best = int(np.argmax(cosines))
        return known[best] if cosines[best] >= least else None

    return rule


def same_name(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:  # noqa: ARG001 - a rule
    """Return the node of that name, ignoring case and spaces."""
    return next((node for node in made if fold(end.name) in node.names), None)


def part_of_name(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:
    """Return the node of that name, else the latest of the same type whose words contain the name's, or the reverse."""
    given = set(fold(end.name).split())
    fitting = [node for node in made if node.type == fold(end.type) and any(_part(given, each) for each in node.names)]
    return same_name(end, vector, made) or (fitting[-1] if fitting else None)


def _part(given: set[str], name: str) -> bool:
    known = set(name.split())
    return given <= known or known <= given
