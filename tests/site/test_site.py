"""The documentation site, as `make site` builds it: whole, and without a request to any other host."""

from __future__ import annotations

import os
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import DOCS, ROOT
from tests.docs.test_reference import ENTRIES
from tests.integrations.extras import REQUIRED

SITE = ROOT / "site"
PAGES = sorted(path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md"))

if not os.environ.get(REQUIRED):
    pytest.skip("the site is checked by `make test-site`, which builds it", allow_module_level=True)


class Page(HTMLParser):
    """What a page loads, what it links to, and the places in it that a link can name."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.classes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        self.classes |= set(given.get("class", "").split())
        if tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(given.get("href", ""))
        self.loaded += [given[name] for name in ("src", "srcset", "poster", "data") if name in given]


@cache
def parsed(page: str) -> Page:
    """Return what is in a page of the site."""
    read = Page()
    read.feed((SITE / page).read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_nothing_from_elsewhere(page: str) -> None:
    """Scripts, styles, fonts and pictures are files of the site; no diagram asks for a script of its own."""
    here = (SITE / page).parent
    for address in parsed(page).loaded:
        parts = urlsplit(address)
        assert parts.scheme in ("", "data"), address
        assert not parts.netloc, address
        assert parts.scheme or (here / unquote(parts.path)).exists(), address
    assert "mermaid" not in parsed(page).classes


def test_styles_load_nothing_from_elsewhere() -> None:
    """No style sheet imports one, or a font, of another host."""
    styles = list(SITE.rglob("*.css"))
    assert styles
    for style in styles:
        text = style.read_text(encoding="utf-8")
        assert re.findall(r"""(?:url\(|@import)\s*["']?(?:https?:)?//[^)"']+""", text) == [], style.name


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_a_place(page: str) -> None:
    """A link within the site names a page that is there and, behind #, a place in it."""
    for link in parsed(page).links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = page if not parts.path else os.path.normpath(f"{Path(page).parent.as_posix()}/{unquote(parts.path)}")
        target = target if target.endswith(".html") or (SITE / target).is_file() else f"{target}/index.html"
        assert (SITE / target).is_file(), link
        if parts.fragment and target.endswith(".html"):
            assert unquote(parts.fragment) in parsed(target).places, link


def test_every_entry_of_the_reference_is_there() -> None:
    """Each name has its place on a page, under the name that it is imported by."""
    places = set().union(*(parsed(page).places for page in PAGES if page.startswith("api/")))
    assert [name for name in ENTRIES if name not in places] == []


def test_the_site_can_be_searched() -> None:
    """The index has the words of the guides and of the reference."""
    index = (SITE / "search.json").read_text(encoding="utf-8")
    assert "standing instructions" in index
    assert "mem0g.Memory.search" in index or "Memory.search" in index
