"""Chromium for the tests of pages, and what pytest says when there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
LAUNCH = (
    "--no-sandbox",  # tests run as root in containers
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Neo4j Browser reports to its makers
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)

_REQUIRED = "MEM0G_REQUIRE_NEO4J"
_MISSING = pytest.StashKey[str]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say loudly that no page was tested, and why."""
    if reason := config.stash.get(_MISSING, None):
        terminalreporter.write_line(f"NO PAGE WAS TESTED IN A BROWSER: {reason}", red=True, bold=True)


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium, driven by Playwright; nothing that is not on this machine can be reached from it."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path, missing = None, "Playwright is not installed (pip install playwright)"
    else:
        missing = "there is no Chromium (Debian: apt-get install chromium)"
    if path is None:
        if os.environ.get(_REQUIRED) == "1":
            pytest.fail(f"{_REQUIRED}=1, but {missing}", pytrace=False)
        request.config.stash[_MISSING] = missing
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(LAUNCH))
        yield browser
        browser.close()
