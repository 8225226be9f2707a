"""The description of the API at /docs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.serve.conftest import Served

pytestmark = pytest.mark.parametrize("memory", ["sqlite"], indirect=True)


class Links(HTMLParser):
    """The ids of a page, where its links lead, and the tags that are open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if tag == "a" else []
        self.open += [tag] if tag not in ("meta", "link") else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_nothing_comes_from_another_server(served: Served) -> None:
    """The page has no script, and names no address but this server's; it needs no key, as the description itself."""
    answer = served.client.get("/docs")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert re.findall(r"<script|<style|https?:|//\w+\.\w", answer.text) == []
    assert served.client.get("/redoc").status_code == 404


def test_every_operation_is_described(served: Served) -> None:
    """With its words and parameters; every link leads somewhere, and every tag is closed."""
    page = served.client.get("/docs").text
    for path, methods in served.client.get("/openapi.json").json()["paths"].items():
        for method, operation in methods.items():
            assert f"<h2>{method.upper()} <code>{path}</code></h2>" in page
            section = page.partition(f'<section id="{operation["operationId"]}">')[2].partition("</section>")[0]
            assert all(f"<code>{each['name']}</code>" in section for each in operation.get("parameters", []))
            assert ("<p>Body, application/json: " in section) == ("requestBody" in operation)
    assert "<td>integer, at least 1, at most 100, default 10</td>" in page
    assert "JSON: {&quot;relation&quot;: &quot;lives_in&quot;" in page
    found = Links(page)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert {each[1:] for each in found.links if each.startswith("#")} <= set(found.ids)
