"""The graph as a tree for the terminal."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mem0g.views.elements import DrawnEntity, DrawnFact, entities, facts, one_line

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from rich.text import Text
    from rich.tree import Tree

MAX_NAME = 200
"""Maximum number of characters in a name: about two lines of a terminal."""


def tree(graph: MultiDiGraph[str]) -> Tree:
    """Return the graph as a tree from its root: "LIVES_IN → Lisbon (since 2024-03)", and incoming "← HAS_PET Ben".

    Each fact appears once; each entity branches where it is nearest to the root. Current facts come before retired
    ones, which are dim. Components without the root branch from the title, each at its entity with the most facts.
    """
    from rich.text import Text
    from rich.tree import Tree

    outline = _Outline.of(graph)
    tops = list(outline.tops(str(graph.graph.get("root", ""))))
    if len(tops) == 1:
        return tops[0]
    trunk = Tree(Text(one_line(graph.graph.get("title", "")) or "graph", style="bold"))
    trunk.children.extend(tops)
    if not tops:
        trunk.add(Text("nothing to draw", style="dim"))
    return trunk


@dataclass
class _Outline:
    """The facts that are not drawn yet, and the entities that have a branch already."""

    entities: dict[str, DrawnEntity]
    facts_at: dict[str, list[DrawnFact]]
    placed: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, graph: MultiDiGraph[str]) -> _Outline:
        by_id = {entity.id: entity for entity in entities(graph)}
        facts_at: dict[str, list[DrawnFact]] = {key: [] for key in by_id}
        for fact in facts(graph):
            for end in {fact.subject_id, fact.object_id}:
                facts_at[end].append(fact)
        return cls(by_id, facts_at)

    def tops(self, root: str) -> Iterator[Tree]:
        """Yield a tree from the root, then one for each component that is left."""
        by_degree = sorted(self.entities, key=lambda key: (key != root, -len(self.facts_at[key])))
        for key in by_degree:
            if key not in self.placed:
                yield self.grow(key)

    def grow(self, top: str) -> Tree:
        """Return a tree of everything reachable from ``top`` that has no branch yet, breadth first."""
        from rich.tree import Tree

        trunk = Tree(_title(self.entities[top]))
        self.placed.add(top)
        waiting = deque([(top, trunk)])
        while waiting:
            here, branch = waiting.popleft()
            for fact in self._next_facts(here):
                self.shown.add(fact.id)
                other = fact.object_id if fact.subject_id == here else fact.subject_id
                twig = branch.add(_line(fact, here, self.entities[other]))
                if other not in self.placed:
                    self.placed.add(other)
                    waiting.append((other, twig))
        return trunk

    def _next_facts(self, here: str) -> list[DrawnFact]:
        """Return the facts at ``here`` not shown yet: current first, then outgoing, then by relation and time."""
        left = [fact for fact in self.facts_at[here] if fact.id not in self.shown]
        return sorted(left, key=lambda f: (not f.current, f.subject_id != here, f.relation, f.valid_from, f.id))


def _title(entity: DrawnEntity) -> Text:
    from rich.text import Text

    kind = one_line(entity.type)
    return Text.assemble((entity.label(MAX_NAME), "bold"), (f"  {kind}" if kind else "", "dim"))


def _line(fact: DrawnFact, here: str, other: DrawnEntity) -> Text:
    from rich.text import Text

    relation = (one_line(fact.relation), "cyan")
    name = (other.label(MAX_NAME), "" if other.is_literal else "bold")
    outgoing = fact.subject_id == here
    line = Text.assemble(*((relation, " → ", name) if outgoing else ("← ", relation, " ", name)))
    if fact.interval:
        line.append(f" ({one_line(fact.interval)})", style="dim")
    return line if fact.current else Text(line.plain, style="dim")
