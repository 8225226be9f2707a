"""The web page: one file, nothing loaded, nothing of the graph read as markup, and a program that runs."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.resources import files

import networkx as nx
import pytest

from mem0g.views import html
from mem0g.views.webpage import SCRIPTS
from tests.views.conftest import HOSTILE, UNPRINTABLE, graph_of
from tests.views.test_formats import nodes_and_edges

PAGE = files("mem0g.views") / "page"


class Parsed(HTMLParser):
    """The elements of a page in order, and the text of each script, style and title."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag in {"script", "style", "title"}:
            self.texts.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in {"script", "style", "title"}:
            tag, text = self.texts[-1]
            self.texts[-1] = (tag, text + data)

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    def text(self, tag: str, which: int = 0) -> str:
        return [text for name, text in self.texts if name == tag][which]


def embedded(page: str) -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.node_link_graph(json.loads(Parsed(page).text("script", 0)), edges="edges")
    return graph


@pytest.mark.parametrize("name", ["town", "hostile"])
def test_the_graph_is_in_the_page(name: str, request: pytest.FixtureRequest) -> None:
    """The data block, parsed out of the page, is the graph that was given."""
    graph = request.getfixturevalue(name)
    back = embedded(html(graph))
    assert nodes_and_edges(back) == nodes_and_edges(graph)
    assert back.graph == graph.graph


def test_hostile_names_add_no_element(town: nx.MultiDiGraph[str], hostile: nx.MultiDiGraph[str]) -> None:
    """A page of hostile names has the same elements as any other, and its title is text."""
    page = Parsed(html(hostile))
    assert page.elements == Parsed(html(town)).elements
    assert page.tags.count("script") == 2
    assert page.text("title") == HOSTILE[0]


def test_the_data_block_holds_no_markup(hostile: nx.MultiDiGraph[str]) -> None:
    """No ``<``, ``>``, ``&`` and no U+2028 or U+2029 in it, so nothing can end the block or a line."""
    data = Parsed(html(hostile)).text("script", 0)
    assert not set("<>&\u2028\u2029") & set(data)
    assert min(Parsed(html(graph_of([UNPRINTABLE]))).text("script", 0)) >= " "


def test_places_in_names_are_not_filled(hostile: nx.MultiDiGraph[str]) -> None:
    """A name that looks like a place of the template stays as it is."""
    page = html(hostile)
    assert "{{script}} {{data}}" in page
    assert page.count("class Layout") == 1


def test_nothing_is_loaded(town: nx.MultiDiGraph[str]) -> None:
    """No address of anything outside: no http, no src, no import, no fetch; one link, to an empty data address."""
    page = html(town)
    assert re.findall(r"https?:|wss?:|//\w+\.\w", page) == []
    assert re.findall(r"@import|url\(|\bfetch\(|XMLHttpRequest|importScripts|sendBeacon|WebSocket", page) == []
    elements = Parsed(page).elements
    assert [attributes["href"] for _, attributes in elements if "href" in attributes] == ["data:,"]
    assert not [tag for tag, attributes in elements if "src" in attributes or tag in {"iframe", "object", "img"}]


def test_only_its_own_program_may_run(town: nx.MultiDiGraph[str]) -> None:
    """The policy forbids every load and names the hashes of exactly this style and this program."""
    page = Parsed(html(town))
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy") or ""
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag, which in (("style", 0), ("script", 1)):
        digest = base64.b64encode(hashlib.sha256(page.text(tag, which).encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_no_markup_is_made_from_text() -> None:
    """The program puts text in as text: nothing in it parses markup or code."""
    program = "".join((PAGE / name).read_text(encoding="utf-8") for name in SCRIPTS)
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc", program)
        == []
    )
    assert "</" not in program


def test_every_file_of_the_page_is_used() -> None:
    """The folder holds the template, the style and the scripts that are put together, and nothing else."""
    assert {each.name for each in PAGE.iterdir()} == {"graph.html", "graph.css", *SCRIPTS}


def test_a_thousand_entities_stay_small() -> None:
    """A page of 1,000 entities is under a megabyte: data, not markup per entity."""
    assert len(html(graph_of([f"Entity {i}" for i in range(1000)]))) < 1_000_000


# The program, run by Node without a browser: its pure parts, and the syntax of all.


@pytest.fixture
def node(program: Callable[[str], str]) -> str:
    return program("node")


def run(node: str, *parts: str, code: str) -> object:
    program = "".join((PAGE / name).read_text(encoding="utf-8") for name in parts)
    done = subprocess.run([node, "-"], input=program + code, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_are_javascript(node: str, name: str) -> None:
    """Node finds no syntax error in any part."""
    done = subprocess.run([node, "--check", str(PAGE / name)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.slow
def test_the_whole_program_is_javascript(node: str, town: nx.MultiDiGraph[str]) -> None:
    """Put together as in the page, too: no name is declared twice."""
    done = subprocess.run(
        [node, "--check", "-"], input=Parsed(html(town)).text("script", 1), capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fact", "day", "state"),
    [
        ({"valid_from": "2024-03", "current": True}, "2024-02-29", "hidden"),
        ({"valid_from": "2024-03", "current": True}, "2024-03-01", "current"),
        ({"said_at": "2024-03-05T18:30:00Z", "current": True}, "2024-03-04", "hidden"),
        ({"said_at": "2024-03-05T18:30:00Z", "current": True}, "2024-03-05", "current"),
        ({"valid_from": "2019", "said_at": "2024-03-05T18:30:00Z", "current": True}, "2020-01-01", "current"),
        ({"current": True}, "1900-01-01", "current"),
        ({"valid_from": "2019", "valid_to": "2023", "current": True}, "2024-01-01", "current"),
        ({"valid_from": "2019", "valid_to": "2024-03", "current": False}, "2024-02-29", "current"),
        ({"valid_from": "2019", "valid_to": "2024-03", "current": False}, "2024-03-01", "retired"),
        ({"valid_from": "2019", "retired_at": "2024-06-02T09:00:00Z", "current": False}, "2024-06-01", "current"),
        ({"valid_from": "2019", "retired_at": "2024-06-02T09:00:00Z", "current": False}, "2024-06-02", "retired"),
        ({"current": False}, "2024-01-01", "retired"),
    ],
)
def test_a_fact_on_a_day(node: str, fact: dict[str, object], day: str, state: str) -> None:
    """Not yet valid is hidden; retired by then is retired; before that it was current; what happened stays."""
    whole = {"valid_from": "", "valid_to": "", "said_at": "", "retired_at": ""} | fact
    code = f"console.log(JSON.stringify(stateOn({json.dumps(whole)}, Date.parse({day!r}))))"
    assert run(node, "time.js", code=code) == state


@pytest.mark.slow
def test_the_slider_goes_from_the_earliest_to_the_latest_day(node: str, town: nx.MultiDiGraph[str]) -> None:
    """Its stops are the days on which something starts or ends, in order."""
    facts = json.dumps([edge for *_, edge in town.edges(data=True)])
    days = run(node, "time.js", code=f"console.log(JSON.stringify(changeDays({facts}).map(isoDay)))")
    assert isinstance(days, list)
    assert days == sorted(set(days))
    assert days[0] == "2015-01-01"
    assert days[-1] == "2024-07-01"
    assert "2024-01-15" in days


@pytest.mark.slow
def test_the_layout_settles_with_entities_apart(node: str) -> None:
    """A star of 1,000 entities comes to rest at finite places, the same each time, no two on one spot."""
    code = """
      const settle = () => {
        const nodes = Array.from({ length: 1000 }, () => ({ radius: 8 }));
        const links = nodes.slice(1).map((target, i) => ({ source: nodes[Math.floor(i / 10)], target, length: 100 }));
        const layout = new Layout(nodes, links);
        while (!layout.settled) layout.step();
        return nodes.map(({ x, y }) => [Math.round(x), Math.round(y)]);
      };
      const [one, two] = [settle(), settle()];
      const spots = new Set(one.map(String));
      const finite = one.flat().every(Number.isFinite);
      console.log(JSON.stringify({ same: String(one) === String(two), spots: spots.size, finite }));
    """
    found = run(node, "layout.js", code=code)
    assert isinstance(found, dict)
    assert found["same"]
    assert found["finite"]
    assert found["spots"] > 990


def test_the_page_reads_the_graph(node: str, hostile: nx.MultiDiGraph[str]) -> None:
    """Entities and facts know each other, the root comes first, types get colours, parallel facts get lanes."""
    data = Parsed(html(hostile)).text("script", 0)
    code = f"""
      const {{ entities, facts, links, kinds }} = readGraph(JSON.parse({json.dumps(data)}));
      console.log(JSON.stringify({{
        root: entities[0].name, entities: entities.length, facts: facts.length, links: links.length,
        lanes: facts.slice(0, 2).map((fact) => fact.lane), kinds: kinds.length,
        blank: entities.find((node) => node.name === " ").shown,
      }}));
    """
    assert run(node, "time.js", "data.js", "picture.js", code=code) == {
        "root": HOSTILE[0],
        "entities": 15,
        "facts": 28,
        "links": 14,
        "lanes": [-0.5, -0.5],
        "kinds": 10,
        "blank": "e14",
    }


def test_values_are_small_and_grey(node: str, town: nx.MultiDiGraph[str]) -> None:
    """A value has the colour of what has no type, and is smaller than any entity."""
    town = town.copy()
    root = town.graph["root"]
    edge = next(iter(town.edges(data=True)))[2]
    town.add_node("e_blue", name="blue", type="literal", aliases=[])
    told = {**edge, "planned_for": "2024-05", "past_plan": True, "valid_from": "", "valid_to": ""}
    town.add_edge(root, "e_blue", key="f_blue", **told)
    data = json.dumps(nx.node_link_data(town, edges="edges"))
    code = f"""
      const {{ entities, facts }} = readGraph(JSON.parse({json.dumps(data)}));
      const blue = entities.find((each) => each.id === "e_blue");
      const smallest = Math.min(...entities.filter((each) => each !== blue).map((each) => each.radius));
      const plan = interval(facts.find((each) => each.object === blue));
      console.log(JSON.stringify([blue.colour, blue.radius < smallest, plan]));
    """
    found = run(node, "time.js", "picture.js", "data.js", code=code)
    assert found == ["kind-other", True, "planned for 2024-05, unanswered"]
