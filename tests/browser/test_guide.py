"""The tour, read as HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from mem0g.browser.bundle import bundle_files, served_files
from mem0g.browser.contents import Change, Contents, Counts, EdgeType, EntitySummary
from mem0g.browser.guide import guide
from mem0g.browser.link import Place
from tests.browser.worlds import HARMER, NAMES

BASE = "http://localhost:7475"
NOTHING = Contents(
    scopes=("user_id=ann",),
    owner="user ann",
    counts=Counts(messages=1, sessions=1, entities=0, facts=0, retired=0, first=None, last=None),
    labels=(),
    types=(),
    entities=(),
    changes=(),
    sentence=None,
)


def of(name: str) -> Contents:
    """A memory in which everything has this name."""
    change = Change(
        subject=name,
        relation="LIVES_IN",
        before=name,
        after=name,
        reason=name,
        decided_by=name,
        same_relation=True,
        ended="2024-03-05",
        eve="2024-03-04",
    )
    return replace(
        NOTHING,
        scopes=(name,),
        owner=name,
        counts=Counts(messages=9, sessions=2, entities=5, facts=7, retired=1, first="2024-01-01", last="2024-06-01"),
        labels=("Person", "City"),
        types=(EdgeType(type="LIVES_IN", edges=2, retired=1),),
        entities=(EntitySummary(name=name, type="person", facts=7),),
        changes=(change,),
        sentence=name,
    )


class Page(HTMLParser):
    """What a page is bundle_files of: its tags with their attributes, and the text of each slide and each query."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.slides: list[str] = []
        self.queries: list[str] = []
        self._in_query = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "slide":
            self.slides.append("")
        if dict(attrs).get("class", "").endswith("runnable"):  # type: ignore[union-attr]
            self._in_query = True
            self.queries.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_query = self._in_query and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self.slides:
            self.slides[-1] += data
        if self._in_query:
            self.queries[-1] += data


def test_the_tour_tells_of_this_memory() -> None:
    """Its people, a relation, a change with its reason, a day, and a query for each."""
    page = Page(guide(of("Olivia"), BASE))
    assert len(page.slides) == 10
    assert "9 messages in 2 sessions, from 2024-01-01 to 2024-06-01" in page.slides[0]
    assert "Olivia, at a glance" in page.slides[1]
    assert 'UNWIND ["Olivia"] AS scope\nWITH scope, "Olivia" AS name' in page.queries[1]
    assert "-[edge:LIVES_IN]->" in "".join(page.queries)
    assert "Back to 2024-03-04" in "".join(page.slides)
    assert all(query.startswith("// ") and "$" not in query for query in page.queries)


def test_links_are_to_where_it_is_served() -> None:
    """The style, the queries and the setting are one click away; without a server they are not offered."""
    page = Page(guide(of("Olivia"), BASE))
    commands = [attrs["data-exec"] for _, attrs in page.tags if "data-exec" in attrs]
    assert commands == [f"style {BASE}/style.grass", "config autoComplete: false"]
    assert ("a", {"href": f"{BASE}/queries.zip"}) in page.tags
    alone = Page(guide(of("Olivia")))
    assert not [attrs for _, attrs in alone.tags if "data-exec" in attrs or "href" in attrs]
    assert len(alone.slides) == 9


def test_what_a_memory_lacks_is_left_out() -> None:
    """Without facts the tour is short, and no place stays unfilled."""
    text = guide(NOTHING, BASE)
    page = Page(text)
    assert "{{" not in text
    assert "0 facts" in page.slides[0]
    assert len(page.slides) == 3
    assert "Because" not in text


def test_harmful_names_are_text() -> None:
    """Whatever a name holds, the page has the same tags, and the queries say the name."""
    plain = [(tag, sorted(attrs)) for tag, attrs in Page(guide(of("Olivia"), BASE)).tags]
    for name in (*NAMES, HARMER):
        text = guide(of(name), BASE)
        page = Page(text)
        assert [(tag, sorted(attrs)) for tag, attrs in page.tags] == plain, name
        assert len(page.queries) == len(Page(guide(of("Olivia"), BASE)).queries)


def test_what_browser_cleans_away_is_not_there() -> None:
    """Browser drops what looks like an event's attribute from a guide, even from its text: there is nothing to drop."""
    looks_like_one = re.compile(r"""\s+(on[^\s=]+)[^\s=]*\s*=\s*("[^"]*"|'[^']*'|[\w\-.:]+\s*)""", re.IGNORECASE)
    for name in (*NAMES, HARMER):
        assert not looks_like_one.search(guide(of(name), BASE))
        assert "<script" not in guide(of(name), BASE).lower()


def test_the_files() -> None:
    """The same three files are written and served_files; the page that is served_files says how to use them."""
    place = Place(uri="bolt://localhost:7687", password=False)
    assert set(bundle_files(NOTHING)) == {"style.grass", "queries.zip", "guide.html"}
    files = served_files(of(HARMER), place, BASE)
    assert set(files) == {"/", "/style.grass", "/queries.zip", "/guide.html"}
    index = Page(files["/"].content.decode())
    links = [attrs.get("href") for tag, attrs in index.tags if tag == "a"]
    assert links == [place.link(f"{BASE}/guide.html"), place.browser_url, "/style.grass", "/queries.zip"]
    assert "{{" not in re.sub(r"\{\{(title|>)", "", files["/"].content.decode())
