"""Where Neo4j Browser is, and the link that opens it connected to a database, with the guide next to the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from mem0g.browser.contents import Graph
from mem0g.errors import StoreError

DEFAULT_URL: Final = "http://localhost:7474/browser/"
"""The address at which Neo4j serves Browser by default."""

_PATH: Final = "/browser/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The addresses of a database: ``uri`` for Bolt, ``browser_url`` of its Browser.

    ``password``: whether it requires one. ``username`` and ``database`` are None for the server's defaults.
    """

    uri: str
    browser_url: str = DEFAULT_URL
    password: bool = True
    username: str | None = None
    database: str | None = None

    def link(self, guide_url: str | None = None) -> str:
        """Return the link that opens Browser connected, or at its sign-in form, with this guide in the side bar."""
        scheme, _, host = self.uri.partition("://")
        user = f"{quote(self.username, safe='')}@" if self.username else ""
        query = {"connectURL": f"{scheme}://{user}{host}", "db": self.database}
        if not self.password:
            query["preselectAuthMethod"] = "NO_AUTH"
        if guide_url:
            query |= {"cmd": "guide", "arg": guide_url}
        parameters = {name: value for name, value in query.items() if value}
        return f"{self.browser_url}?{urlencode(parameters, quote_via=quote, safe='/:@')}"


def settings(graph: Graph) -> Mapping[str, str]:
    """Return the server's settings about Browser; none where this user may not read them, as on Aura."""
    try:
        return {row["name"]: row["value"] for row in graph.run("browse_settings")}
    except StoreError:
        return {}


def browser_at(settings: Mapping[str, str], uri: str) -> str:
    """Return Browser's address by the server's settings, else the default; ``uri`` is the database's."""
    for scheme in ("http", "https"):
        address = settings.get(f"server.{scheme}.advertised_address")
        if address and settings.get(f"server.{scheme}.enabled") == "true":
            host, _, port = address.rpartition(":")
            return f"{scheme}://{host or urlsplit(uri).hostname}:{port}{_PATH}"
    return DEFAULT_URL


def requires_password(settings: Mapping[str, str]) -> bool:
    """Whether the server requires a password; True where its settings are not known."""
    return settings.get("dbms.security.auth_enabled") != "false"
