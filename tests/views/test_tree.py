"""The tree for the terminal."""

from __future__ import annotations

import io

import networkx as nx
from rich.console import Console
from rich.tree import Tree

from mem0g.views import tree
from tests.views.conftest import fact, graph_of


def printed(drawing: Tree, *, colour: bool = False) -> str:
    console = Console(file=io.StringIO(), width=200, force_terminal=colour, color_system="standard" if colour else None)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def small() -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(root="ann", title="Ann")
    for key, name, kind in [
        ("ann", "Ann", "person"),
        ("ben", "Ben", "person"),
        ("lis", "Lisbon", ""),
        ("rex", "Rex", ""),
    ]:
        graph.add_node(key, name=name, type=kind, aliases=[])
    graph.add_edge("ann", "lis", key="f1", **fact("LIVES_IN", valid_from="2024-03"))
    graph.add_edge("ann", "lis", key="f2", **fact("VISITED", current=False, valid_from="2019", valid_to="2020"))
    graph.add_edge("ben", "ann", key="f3", **fact("FRIEND_OF"))
    graph.add_edge("ben", "rex", key="f4", **fact("HAS_PET"))
    graph.add_edge("rex", "lis", key="f5", **fact("LIVES_IN"))
    return graph


def test_the_tree_as_drawn() -> None:
    """Outgoing, then incoming, then retired; each fact once, under the entity nearest to the root."""
    assert printed(tree(small())) == (
        "Ann  person\n"
        "├── LIVES_IN → Lisbon (since 2024-03)\n"
        "│   └── ← LIVES_IN Rex\n"
        "├── ← FRIEND_OF Ben\n"
        "│   └── HAS_PET → Rex\n"
        "└── VISITED → Lisbon (2019 to 2020, retired)\n"
    )


def test_retired_lines_are_dim() -> None:
    """On a terminal the whole line of a retired fact is dim."""
    line = next(line for line in printed(tree(small()), colour=True).splitlines() if "VISITED" in line)
    assert "\x1b[2mVISITED → Lisbon (2019 to 2020, retired)\x1b[0m" in line


def test_every_fact_stands_once(town: nx.MultiDiGraph[str]) -> None:
    """The 36 facts of the town, loops and parallel ones included, make 36 lines under the root."""
    assert len(printed(tree(town)).splitlines()) == 1 + town.number_of_edges()


def test_parts_the_root_does_not_reach_branch_from_the_title() -> None:
    """Nothing is left out silently: separate parts, and lonely entities, stand under the title."""
    graph = small()
    graph.add_node("zoe", name="Zoe", type="", aliases=[])
    lines = printed(tree(graph)).splitlines()
    assert lines[:2] == ["Ann", "├── Ann  person"]
    assert lines[-1] == "└── Zoe"


def test_without_a_root_it_starts_at_the_best_connected() -> None:
    """A graph without a root is drawn from the entity with the most facts."""
    graph = small()
    graph.graph["root"] = ""
    assert printed(tree(graph)).splitlines()[0].split()[0] == "Ann"


def test_nothing_and_one() -> None:
    """An empty graph says so; a single entity is its own tree."""
    assert "nothing to draw" in printed(tree(nx.MultiDiGraph(root="", title="")))
    assert printed(tree(graph_of(["Solo"]))).split() == ["Solo", "Solo"]


def test_names_are_text_not_markup(hostile: nx.MultiDiGraph[str]) -> None:
    """Names are shown as they are: no rich markup, no terminal escapes, one line each."""
    hostile.add_node("e99", name="red\x1b[31m [/] [link=x]y[/link]", type="", aliases=[])
    hostile.add_edge("e0", "e99", key="f99", **fact())
    text = printed(tree(hostile))
    assert "[bold red]not markup[/]" in text
    assert "red�[31m [/] [link=x]y[/link]" in text
    assert "\x1b" not in text
