"""A window of Neo4j Browser, driven as a person would, and what is drawn in it."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

SIZE = {"width": 1500, "height": 900}

PATIENCE = 300_000
"""Milliseconds to wait for what Browser draws: other tests may keep the machine busy."""

_DROP = """([name, content]) => {
  const bytes = Uint8Array.from(atob(content), char => char.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name));
  const place = document.querySelector('.filedrop');
  for (const kind of ['dragenter', 'dragover', 'drop'])
    place.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
}"""

# d3 keeps what it draws on the elements; colours, sizes and captions are read from the SVG itself.
_NODES = """nodes => JSON.stringify(nodes.map(node => {
  const circle = node.querySelector('circle.b-outline');
  return {
    labels: node.__data__.labels,
    properties: node.__data__.propertyMap,
    caption: [...node.querySelectorAll('text.caption')].map(text => text.textContent.trim()).join(' ').trim(),
    color: circle.getAttribute('fill'), rim: circle.getAttribute('stroke'),
    rim_width: parseFloat(circle.getAttribute('stroke-width')), diameter: 2 * parseFloat(circle.getAttribute('r')),
  };
}))"""
_EDGES = """edges => JSON.stringify(edges.map(edge => ({
  type: edge.__data__.type,
  properties: edge.__data__.propertyMap,
  caption: edge.querySelector('text')?.textContent ?? '',
  color: edge.querySelector('path.b-outline').getAttribute('fill'),
})))"""
_PLACES = "nodes => nodes.map(node => node.getAttribute('transform')).join()"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A circle."""

    labels: list[str]
    properties: Mapping[str, str]
    caption: str
    color: str
    rim: str
    rim_width: float
    diameter: float


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An arrow."""

    type: str
    properties: Mapping[str, str]
    caption: str
    color: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """What one frame draws."""

    nodes: list[DrawnNode]
    edges: list[DrawnEdge]

    def labelled(self, label: str) -> list[DrawnNode]:
        """The circles that have a label."""
        return [node for node in self.nodes if label in node.labels]

    def of_type(self, name: str) -> list[DrawnEdge]:
        """The arrows of a type."""
        return [edge for edge in self.edges if edge.type == name]


class Window:
    """One window, with settings and favourites of its own."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @classmethod
    def open(cls, browser: Browser, link: str) -> Self:
        """Follow a link in a new window."""
        page = browser.new_context(viewport=SIZE, accept_downloads=False).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.goto(link)
        page.get_by_test_id("activeEditor").wait_for()
        return cls(page)

    def close(self) -> None:
        """Close it; its settings are gone."""
        self.page.context.close()

    @property
    def frames(self) -> Locator:
        """The frames of the stream, the newest first."""
        return self.page.get_by_test_id("frame")

    def wait_until_connected(self) -> None:
        """Return when the window is connected to the database."""
        self.page.get_by_text("working connection").first.wait_for()

    def command(self, text: str) -> None:
        """Write something into the editor and run it."""
        self.page.get_by_test_id("activeEditor").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)
        self.run_editor()

    def run_editor(self) -> None:
        """Press the blue arrow."""
        self.page.get_by_test_id("editor-Run").click()

    def clear(self) -> None:
        """Empty the stream."""
        self.command(":clear")
        self.frames.first.wait_for(state="detached")

    def draw(self, query: str) -> Drawing:
        """Run a query in an empty stream; answers its graph when it has come to rest."""
        self.clear()
        self.command(query)
        return self.drawing()

    def drawing(self) -> Drawing:
        """What the newest frame draws when it has come to rest; fails with what it says when it draws nothing."""
        frame = self.frames.first
        frame.locator("g.node, [data-testid=frame-loaded-contents]").first.wait_for()
        nodes = frame.locator("g.node")
        if nodes.count() == 0:
            nodes.first.or_(frame.get_by_text("ERROR", exact=True)).or_(
                frame.get_by_text("no changes, no records")
            ).first.wait_for()
        assert nodes.count(), frame.inner_text()
        self._rest()
        return Drawing(
            nodes=[DrawnNode(**node) for node in json.loads(nodes.evaluate_all(_NODES))],
            edges=[DrawnEdge(**edge) for edge in json.loads(frame.locator("g.relationship").evaluate_all(_EDGES))],
        )

    def drop(self, name: str, content: bytes) -> None:
        """Drop a file on the window."""
        self.page.evaluate(_DROP, [name, base64.b64encode(content).decode()])

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Take a picture: of the whole window, or of the newest frame's graph over all of it."""
        for notice in self.page.get_by_text("To help make Neo4j Browser better").all():
            notice.locator("xpath=following-sibling::span").click()
        self.page.mouse.move(0, 0)  # off the menus that open below it
        frame = self.frames.first
        if not whole:
            frame.get_by_title("Fullscreen").click()
        frame.get_by_title("Collapse the node properties display").click()
        frame.get_by_label("zoom-to-fit").click()
        self._rest()
        self.page.screenshot(path=path)
        if not whole:
            frame.get_by_title("Close fullscreen").click()

    def _rest(self) -> None:
        """Return when the newest frame's circles have stopped moving."""
        nodes = self.frames.first.locator("g.node")
        resting = ""
        while (places := nodes.evaluate_all(_PLACES)) != resting:
            resting = places
            self.page.wait_for_timeout(400)
