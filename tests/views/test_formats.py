"""The text formats: what was given comes back, whatever the names, and retired facts are marked in each."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.views import FORMATS, dot, graphml, mermaid, node_link_json
from mem0g.views.elements import DrawnFact, one_line
from tests.views.conftest import HOSTILE, UNPRINTABLE, fact, graph_of


def nodes_and_edges(graph: nx.MultiDiGraph[str]) -> tuple[dict[str, object], dict[tuple[str, str, str], object]]:
    nodes: dict[str, object] = {key: dict(node) for key, node in graph.nodes(data=True)}
    edges: dict[tuple[str, str, str], object] = {
        (s, o, key): dict(edge) for s, o, key, edge in graph.edges(keys=True, data=True)
    }
    return nodes, edges


def read_graphml(text: str) -> nx.MultiDiGraph[str]:
    """Read back with networkx, lists unpacked; networkx leaves out empty texts, so they are put back."""
    graph: nx.MultiDiGraph[str] = nx.parse_graphml(text, force_multigraph=True)
    for _, node in graph.nodes(data=True):
        node.update({"name": "", "type": ""} | node, aliases=json.loads(node["aliases"]))
    for *_, edge in graph.edges(data=True):
        edge.update(fact() | {"recorded_at": ""} | edge, evidence=json.loads(edge["evidence"]))
    return graph


def read_json(text: str) -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.node_link_graph(json.loads(text), edges="edges")
    return graph


@pytest.mark.parametrize("name", ["town", "hostile"])
def test_graphml_comes_back_as_it_was_given(name: str, request: pytest.FixtureRequest) -> None:
    """Ids, names, lists, booleans, dates and both graph attributes survive GraphML, hostile or not."""
    graph = request.getfixturevalue(name)
    back = read_graphml(graphml(graph))
    assert nodes_and_edges(back) == nodes_and_edges(graph)
    assert back.graph["root"] == graph.graph["root"]
    assert back.graph["title"] == graph.graph["title"]


def test_graphml_holds_what_xml_cannot() -> None:
    """Control characters become their pictures, lone surrogates U+FFFD; in lists JSON keeps the control characters."""
    back = read_graphml(graphml(graph_of([UNPRINTABLE])))
    assert back.nodes["e0"]["name"] == "bell␇ escape␛[31m nul␀ half� �"
    assert back.nodes["e0"]["aliases"][0].startswith("bell\x07 escape\x1b[31m nul\x00")


@pytest.mark.parametrize("name", ["town", "hostile"])
def test_json_comes_back_as_it_was_given(name: str, request: pytest.FixtureRequest) -> None:
    """Node-link JSON is lossless, and readable as text in any script."""
    graph = request.getfixturevalue(name)
    text = node_link_json(graph)
    back = read_json(text)
    assert nodes_and_edges(back) == nodes_and_edges(graph)
    assert back.graph == graph.graph
    assert ("东京的乐队" if name == "town" else "居住于") in text


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_name_goes_through_every_format(name: str, other: str) -> None:
    """Whatever Unicode a name is made of, every format can be written as UTF-8, and JSON gives it back."""
    graph = graph_of([name, other], title=name)
    for draw in FORMATS.values():
        assert draw(graph).encode("utf-8")
    assert nodes_and_edges(read_json(node_link_json(graph))) == nodes_and_edges(graph)
    ElementTree.fromstring(graphml(graph))


def test_lone_surrogates_can_be_written() -> None:
    """Half of an emoji, as a cut JSON escape leaves it, breaks no format."""
    graph = graph_of([UNPRINTABLE, UNPRINTABLE], title=UNPRINTABLE)
    for draw in FORMATS.values():
        assert draw(graph).encode("utf-8")
    assert read_json(node_link_json(graph)).nodes["e0"]["name"] == UNPRINTABLE


RETIRED_MARKS = {
    "graphml": '<data key="current">False</data>',
    "json": '"current": false',
    "html": '"current": false',
    "mermaid": "-.->",
    "dot": "style=dashed, color=grey",
    "svg": '<g class="retired">',
}


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_retired_facts_are_marked(name: str, town: nx.MultiDiGraph[str]) -> None:
    """Each format marks the six retired facts of the town, and only those."""
    assert FORMATS[name](town).count(RETIRED_MARKS[name]) == 6


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_empty_and_single(name: str) -> None:
    """A graph of nothing and one of a single entity without facts are drawn, too."""
    empty: nx.MultiDiGraph[str] = nx.MultiDiGraph(root="", title="")
    assert FORMATS[name](empty)
    assert "Solitaire" in FORMATS[name](graph_of(["Solitaire"]))


def test_mermaid_is_as_drawn() -> None:
    """The flowchart, whole: labels by character codes, the retired fact dotted, the root with a thick border."""
    graph = graph_of(['An "x" <b>', "B\nC"])
    graph["e0"]["e1"]["f1"].update(valid_from="2024-03-05T10:00:00Z")
    graph["e1"]["e0"]["b1"].update(valid_from="2019", valid_to="2024-03")
    assert mermaid(graph) == (
        "flowchart LR\n"
        '  n0["An #34;x#34; #60;b#62;"]\n'
        '  n1["B C"]\n'
        '  n0 -->|"KNOWS (since 2024-03-05)"| n1\n'
        '  n1 -.->|"WAS (2019 to 2024-03, retired)"| n0\n'
        "  style n0 stroke-width:3px\n"
    )


def test_mermaid_labels_hold_no_syntax(hostile: nx.MultiDiGraph[str]) -> None:
    """Whatever a name is, each line is one node or arrow whose label has no quote, bracket or directive."""
    label = r'"[^"\[\]{}<>`$%|&\\]*"'
    shape = re.compile(rf"  n\d+\[{label}\]|  n\d+ (-->|-\.->)\|{label}\| n\d+|  style n0 stroke-width:3px")
    lines = mermaid(hostile).split("\n")
    assert lines[0] == "flowchart LR"
    assert lines[-1] == ""
    assert [line for line in lines[1:-1] if not shape.fullmatch(line)] == []
    assert len(lines) == 3 + hostile.number_of_nodes() + hostile.number_of_edges()


def test_dot_labels_hold_no_syntax(hostile: nx.MultiDiGraph[str]) -> None:
    """Whatever a name is, each statement is one line of quoted strings, with quotes and backslashes escaped."""
    text = r'"(?:[^"\\]|\\["\\])*"'
    attributes = rf"\w+=(?:{text}|\w+)(?:, \w+=(?:{text}|\w+))*"
    shape = re.compile(rf"  n\d+(?: -> n\d+)? \[{attributes}\];")
    lines = dot(hostile).split("\n")[4:-2]
    assert [line for line in lines if not shape.fullmatch(line)] == []
    assert len(lines) == hostile.number_of_nodes() + hostile.number_of_edges()


def test_graphviz_reads_the_dot(hostile: nx.MultiDiGraph[str], program: Callable[[str], str]) -> None:
    """Graphviz, where it is installed, finds each entity and nothing to complain about."""
    done = subprocess.run([program("dot"), "-Tplain"], input=dot(hostile), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.count("\nnode ") == len(HOSTILE)


def test_the_svg_is_xml_with_every_fact(hostile: nx.MultiDiGraph[str]) -> None:
    """Whatever names hold, it is well formed, without a script, with every fact, and the same each time."""
    from xml.etree import ElementTree

    drawn = FORMATS["svg"](hostile)
    assert drawn == FORMATS["svg"](hostile)
    tree = ElementTree.fromstring(drawn)
    assert {each.tag.split("}")[1] for each in tree.iter()} <= set("svg title style marker path g rect text".split())
    paths = [each for each in tree.iter("{http://www.w3.org/2000/svg}path") if each.get("marker-end")]
    assert len(paths) == hostile.number_of_edges()


def test_long_names_are_cut_in_boxes() -> None:
    """A name of a thousand characters does not make a box of a thousand characters."""
    assert "n" * 59 + "…" in mermaid(graph_of(["n" * 1000]))
    assert 'label="' + "n" * 59 + "…" in dot(graph_of(["n" * 1000]))


@pytest.mark.parametrize(
    ("start", "end", "current", "words"),
    [
        ("", "", True, ""),
        ("2024-03", "", True, "since 2024-03"),
        ("2019", "2023-05", True, "2019 to 2023-05"),
        ("2024-05-12", "2024-05-12", True, "2024-05-12"),
        ("", "2023", True, "until 2023"),
        ("2024-03-05T10:00:00Z", "", True, "since 2024-03-05"),
        ("", "", False, "retired"),
        ("2019", "", False, "from 2019, retired"),
        ("2019", "2024-03", False, "2019 to 2024-03, retired"),
    ],
)
def test_intervals_in_words(start: str, end: str, current: bool, words: str) -> None:
    """Dates keep their precision, up to the day; a retired fact says that it is."""
    drawn = DrawnFact(
        id="f", subject_id="a", object_id="b", relation="R", text="", current=current, valid_from=start, valid_to=end
    )
    assert drawn.interval == words


def test_one_line_is_safe_to_print() -> None:
    """No line ends, terminal escapes or writing-direction overrides; emoji and other scripts stay."""
    assert one_line("a\x1b[31m\r\n b\u2028c\u202edc\u202c") == "a�[31m b cdc"
    assert one_line("👩‍👩‍👧 שלום 居住于") == "👩‍👩‍👧 שלום 居住于"
    assert one_line("abcdef", 4) == "abc…"


def test_importing_the_views_is_light() -> None:
    """Neither networkx nor rich is loaded before something is drawn."""
    code = "import sys, mem0g.views; print(sorted({'networkx', 'rich', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
