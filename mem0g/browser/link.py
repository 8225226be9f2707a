"""Where Neo4j Browser is, and the one link that opens it connected, with the tour beside the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from mem0g.browser.protocol import Graph
from mem0g.errors import StoreError

USUAL: Final = "http://localhost:7474/browser/"
"""Where Neo4j serves Browser by default."""

_PATH: Final = "/browser/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a database is: ``uri`` for Bolt; ``browser_url`` of its Browser; ``password``, whether it asks for one.

    ``username`` and ``database`` are None when they are the server's own.
    """

    uri: str
    browser_url: str = USUAL
    password: bool = True
    username: str | None = None
    database: str | None = None

    def link(self, guide_url: str | None = None) -> str:
        """The link that opens Browser connected (or asking for the password), with this guide in the side bar."""
        scheme, _, host = self.uri.partition("://")
        user = f"{quote(self.username, safe='')}@" if self.username else ""
        wanted = {"connectURL": f"{scheme}://{user}{host}", "db": self.database}
        if not self.password:
            wanted["preselectAuthMethod"] = "NO_AUTH"
        if guide_url:
            wanted |= {"cmd": "guide", "arg": guide_url}
        given = {name: value for name, value in wanted.items() if value}
        return f"{self.browser_url}?{urlencode(given, quote_via=quote, safe='/:@')}"


def settings(graph: Graph) -> Mapping[str, str]:
    """The server's settings about Browser; none where this user may not see them, as on Aura."""
    try:
        return {row["name"]: row["value"] for row in graph.run("browse_settings")}
    except StoreError:
        return {}


def browser_at(settings: Mapping[str, str], uri: str) -> str:
    """Browser's address, from the server's settings where they tell it; ``uri`` is where the database is."""
    for scheme in ("http", "https"):
        address = settings.get(f"server.{scheme}.advertised_address")
        if address and settings.get(f"server.{scheme}.enabled") == "true":
            host, _, port = address.rpartition(":")
            return f"{scheme}://{host or urlsplit(uri).hostname}:{port}{_PATH}"
    return USUAL


def asks_for_password(settings: Mapping[str, str]) -> bool:
    """Whether one must log in; assumed where the server does not say otherwise."""
    return settings.get("dbms.security.auth_enabled") != "false"
