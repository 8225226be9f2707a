"""The reference of Python: every public name has one entry, of which the site makes its page."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import mem0g
from mem0g import compat, distributed, strategies, testing, views
from tests.docs.pages import DOCS, PAGES, ROOT, text_of

ENTRIES = [
    name
    for page in PAGES
    if page.startswith("docs/api/")
    for name in re.findall(r"^::: (\S+)$", text_of(page), re.MULTILINE)
]


def test_every_public_name_has_an_entry() -> None:
    """Those of mem0g, of its errors and views, of mem0g.testing and mem0g.compat; each once."""
    doubles = {
        f"mem0g.testing.{name}"
        for name, value in vars(testing).items()
        if getattr(value, "__module__", "") == testing.__name__
    }
    drawings = {f"{getattr(views, name).__module__}.{name}" for name in views.__all__ if name != "FORMATS"}
    expected = {
        *(f"mem0g.{name}" for name in mem0g.__all__),
        *(f"mem0g.compat.{name}" for name in compat.__all__),
        *(f"mem0g.distributed.{name}" for name in distributed.__all__),
        *(f"mem0g.strategies.{name}" for name in strategies.__all__),
        *doubles,
        *drawings,
        "mem0g.distributed",
        "mem0g.errors",
        "mem0g.testing.store_contract.StoreContract",
        "mem0g.views",
        "mem0g.views.FORMATS",
    }
    assert {name for name in ENTRIES if not name.startswith("mem0g.integrations")} == expected
    assert [name for name, times in Counter(ENTRIES).items() if times > 1] == []


def test_every_name_for_a_framework_has_an_entry() -> None:
    """Those of the table in docs/integrations.md, in its module."""
    rows = re.findall(
        r"^\|[^|]+\| `[\w-]+` \| \d+ MB \| `(\w+)` \| (.+) \|$", text_of("docs/integrations.md"), re.MULTILINE
    )
    assert len(rows) == len(list((ROOT / "mem0g" / "integrations").glob("[!_]*.py"))) - 2  # what they share
    expected = [
        f"mem0g.integrations.{module}.{name}" for module, given in rows for name in re.findall(r"`(\w+)`", given)
    ]
    written = [name for name in ENTRIES if name.startswith("mem0g.integrations")]
    assert [name for name in expected if name.rsplit(".", 1)[1] != "BaseStore"] == written


@pytest.mark.parametrize("name", [name for name in ENTRIES if name.startswith("mem0g.integrations")])
def test_an_entry_for_a_framework_exists(name: str) -> None:
    """Its module defines it: read, not imported, as the framework may not be installed."""
    module, _, defined = name.rpartition(".")
    source = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    assert re.search(rf"^(class|def) {defined}\b", source, re.MULTILINE)


def test_the_index_names_each_page() -> None:
    """docs/api/index.md links to the pages beside it."""
    linked = re.findall(r"\]\((\w+\.md)\)", text_of("docs/api/index.md"))
    assert sorted({*linked, "index.md"}) == sorted(path.name for path in (DOCS / "api").glob("*.md"))
