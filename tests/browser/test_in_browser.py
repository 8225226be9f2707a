"""What is drawn in the real Neo4j Browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mem0g.browser.link import Place, browser_at, requires_password, settings
from mem0g.browser.palette import FACT, PLACES, RETIRED, STYLES_BY_LABEL, NodeStyle, node_style
from mem0g.browser.saved import FOLDER, saved_queries
from mem0g.model import Scope
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from tests.browser.conftest import Shown, shown
from tests.browser.driving import DrawnNode, Window
from tests.browser.worlds import HARMER, HOSTILE_SCOPE, hostile
from tests.servers.fixtures import StartLocal

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs" / "images"
_PICTURES = "MEM0G_PICTURES"
"""Set to 1, the pictures of docs/browser.md are taken anew: they are never twice the same."""


@pytest.fixture
def window(chromium: Browser, example: Shown) -> Iterator[Window]:
    """Browser as the link opens it, in the colours of the memory, drawing what a query returns and no more."""
    opened = Window.open(chromium, example.link)
    opened.wait_until_connected()
    for link in opened.page.locator("a[data-exec]").all():
        link.click()
    opened.frames.filter(has_text="autoComplete").first.wait_for()
    yield opened
    opened.close()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go."""
    return DOCS if os.environ.get(_PICTURES) == "1" else tmp_path


def look(node: DrawnNode) -> NodeStyle:
    """What a circle is meant to look like."""
    if "Entity" in node.labels:
        return node_style(next((label for label in node.labels if label != "Entity"), ""))
    return STYLES_BY_LABEL["Retired" if "Retired" in node.labels else node.labels[0]]


def is_start_of(caption: str, text: str, at_least: int) -> bool:
    """Whether a caption shows a text, of which Browser may have cut off the end, but not all."""
    shown = caption.removesuffix("…").strip()
    return text.startswith(shown) and (shown == text or len(shown) >= at_least)


def test_the_link_opens_connected_with_the_tour(chromium: Browser, example: Shown) -> None:
    """Nothing is to be typed: the window is connected, and the tour stands beside the stream."""
    window = Window.open(chromium, example.link)
    window.wait_until_connected()
    window.page.get_by_role("heading", name="The memory of user demo").first.wait_for()
    assert window.page.get_by_test_id("disconnectedBanner").count() == 0
    assert window.page.locator("pre.runnable").count() == 1
    window.close()


def test_a_dropped_style_draws_every_kind_in_its_look(chromium: Browser, example: Shown) -> None:
    """After style.grass is dropped, each circle has the colours, rim and size of what it stands for."""
    window = Window.open(chromium, example.place.link())
    window.wait_until_connected()
    window.drop("style.grass", example.files["/style.grass"].content)
    window.frames.filter(has_text="node.Retired").first.wait_for()
    drawing = window.draw("MATCH (n) WHERE n.user_id = 'demo' AND NOT n:Mem0gScope RETURN n LIMIT 290")
    kinds = {"Person", "Place", "Dog", *STYLES_BY_LABEL} - {"Literal"}  # no fact of the example has a value as object
    assert {label for node in drawing.nodes for label in node.labels} >= kinds
    for node in drawing.nodes:
        wanted = look(node)
        drawn = (node.color, node.rim, node.rim_width, node.diameter)
        assert drawn == (wanted.color, wanted.border, wanted.border_width, wanted.diameter), node.labels
        assert node.caption, node.labels
    window.close()


def test_retired_facts_and_reasons_stand_out(window: Window, pictures: Path) -> None:
    """What was true has a red rim on grey and keeps its sentence; the red arrow to what replaced it says why."""
    query = next(each for each in saved_queries() if each.path == "changes/what-changed-and-why")
    drawing = window.draw(query.with_values({"scopes": ["user_id=demo"]}) or "")
    retired = drawing.labelled("Retired")
    assert len(retired) == 7
    assert {(node.color, node.rim, node.rim_width) for node in retired} == {("#D5D8DC", "#D32F2F", 5)}
    assert {(node.color, node.rim) for node in drawing.labelled("Fact") if "Retired" not in node.labels} == {
        (FACT.color, FACT.border)
    }
    assert all(node.properties["text"].startswith(node.caption[:40]) for node in retired)
    arrows = drawing.of_type("SUPERSEDED_BY")
    assert len(arrows) == 4
    assert {arrow.color for arrow in arrows} == {RETIRED.border}
    assert all(is_start_of(arrow.caption, arrow.properties["reason"], 12) for arrow in arrows)
    window.picture(pictures / "browser-changes.png", whole=False)


def test_edges_show_what_holds_and_until_when(window: Window) -> None:
    """An edge shows its relation; one that is true no longer also says so."""
    drawing = window.draw("MATCH (a:Person {name: 'Olivia'})-[r:LIVES_IN]->(c:Entity) RETURN a, r, c")
    assert sorted(node.caption for node in drawing.nodes) == ["Bergen", "Lisbon", "Olivia"]
    assert {node.color for node in drawing.labelled("Place")} == {PLACES.color}
    now, before = sorted(drawing.of_type("LIVES_IN"), key=lambda edge: edge.properties["current"], reverse=True)
    assert now.caption == "LIVES_IN"
    assert is_start_of(before.caption, "LIVES_IN until 2024-04-06", len("LIVES_IN until 2"))


def test_every_saved_query_draws_a_graph(window: Window, example: Shown, pictures: Path) -> None:
    """Dropped as a zip, the queries stand in folders under their titles; each, clicked and run, draws a graph."""
    window.page.get_by_test_id("navigationFavorites").click()
    window.drop("queries.zip", example.files["/queries.zip"].content)
    for folder in sorted({query.path.rpartition("/")[0] for query in saved_queries()}):
        window.page.get_by_test_id(f"expandFolder-{FOLDER}/{folder}").click()
    for query in saved_queries():
        window.clear()
        window.page.get_by_test_id(f"scriptTitle-{query.title}").click()
        window.run_editor()
        drawing = window.drawing()
        assert drawing.nodes, query.path
        assert drawing.edges, query.path
        if query.path == "time/the-memory-as-of-a-date":
            window.picture(pictures / "browser-queries.png")


def test_the_tour_runs(window: Window, pictures: Path) -> None:
    """Every slide's queries, clicked and run, draw a graph, and the last slide comes."""
    pages = 0
    at = {0: "browser-tour.png", 2: "browser-person.png", 5: "browser-evidence.png"}
    following = window.page.get_by_test_id("guideNextSlide")
    while True:
        for query in window.page.locator("pre.runnable").all():
            window.clear()
            query.click()
            window.run_editor()
            drawing = window.drawing()
            assert drawing.nodes
            assert drawing.edges
        if pages in at:
            window.picture(pictures / at[pages], whole=pages == 0)
        if following.is_disabled():
            break
        following.click()
        pages += 1
    assert pages == 9


def test_harmful_names_are_only_names(chromium: Browser, open_place: tuple[Neo4jStore, Place]) -> None:
    """A tour of names that mean harm shows them as they are, runs nothing of them, and its queries work."""
    with shown(*open_place, str(HOSTILE_SCOPE.user_id)) as files:
        window = Window.open(chromium, files.link)
        window.wait_until_connected()
        window.page.locator("a[data-exec]").first.click()
        following = window.page.get_by_test_id("guideNextSlide")
        text = ""
        while True:
            text += window.page.locator(".filedrop").inner_text()
            for query in window.page.locator("pre.runnable").all():
                window.clear()
                query.click()
                window.run_editor()
                assert window.drawing().nodes
            if following.is_disabled():
                break
            following.click()
        assert f"What is known of {HARMER}" in text
        assert window.page.evaluate("window.harmed") is None
        window.close()


def test_a_password_is_asked_for(chromium: Browser, local_neo4j: StartLocal) -> None:
    """Where the server wants a password, the link fills in all but it, and the tour is there once it is typed."""
    with local_neo4j(password="only-for-this-test") as server:
        uri = f"bolt://localhost:{server.bolt_port}"
        store = Neo4jStore(uri, Credentials(username="neo4j", password="only-for-this-test"))
        store.load(iter([hostile(Scope(user_id="ann"))]))
        known = settings(store)
        assert requires_password(known)
        assert browser_at(known, uri) == f"{server.http}/browser/"
        with shown(store, Place(uri=uri, browser_url=browser_at(known, uri), username="neo4j"), "ann") as files:
            window = Window.open(chromium, files.link)
            window.page.get_by_test_id("password").fill("only-for-this-test")
            assert window.page.get_by_test_id("boltaddress").input_value() == f"localhost:{server.bolt_port}"
            assert window.page.get_by_test_id("username").input_value() == "neo4j"
            window.page.get_by_test_id("connect").click()
            window.page.get_by_text("You are connected").first.wait_for()
            window.page.get_by_role("heading", name="The memory of user ann").first.wait_for()
            window.close()
        store.close()
