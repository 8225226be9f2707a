"""The link that opens Browser, and where Browser is."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from mem0g.browser.link import DEFAULT_URL, Place, browser_at, requires_password, settings
from mem0g.errors import StoreAccessError

KNOWN = {
    "server.http.enabled": "true",
    "server.http.advertised_address": ":7474",
    "server.https.enabled": "true",
    "server.https.advertised_address": "db.example:7473",
    "dbms.security.auth_enabled": "true",
}


def test_the_link_without_a_password() -> None:
    """It connects by itself and opens the tour beside the stream."""
    place = Place(uri="bolt://localhost:7687", password=False)
    link = place.link("http://localhost:7475/guide.html")
    assert link.startswith("http://localhost:7474/browser/?connectURL=bolt://localhost:7687&")
    assert parse_qs(urlsplit(link).query) == {
        "connectURL": ["bolt://localhost:7687"],
        "preselectAuthMethod": ["NO_AUTH"],
        "cmd": ["guide"],
        "arg": ["http://localhost:7475/guide.html"],
    }


def test_the_link_with_a_user_and_a_database() -> None:
    """Both are filled in; a password never is."""
    place = Place(
        uri="neo4j+s://db.example", browser_url="https://b.example/", username="o'neill@home", database="my&memories"
    )
    asked = parse_qs(urlsplit(place.link()).query)
    assert asked == {"connectURL": ["neo4j+s://o%27neill%40home@db.example"], "db": ["my&memories"]}


def test_where_the_server_says_browser_is() -> None:
    """HTTP where it is on, else HTTPS; the database's host where the address names none; else the usual place."""
    assert browser_at(KNOWN, "bolt://db.example:7687") == "http://db.example:7474/browser/"
    secure = KNOWN | {"server.http.enabled": "false"}
    assert browser_at(secure, "bolt://db.example:7687") == "https://db.example:7473/browser/"
    assert browser_at({}, "bolt://db.example:7687") == DEFAULT_URL


def test_a_password_is_expected_unless_the_server_says_otherwise() -> None:
    """Without leave to see settings one must ask for it."""
    assert requires_password({})
    assert requires_password(KNOWN)
    assert not requires_password(KNOWN | {"dbms.security.auth_enabled": "false"})


def test_a_server_that_shows_no_settings() -> None:
    """A user without the right to see settings is no reason to fail."""

    class Closed:
        def run(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
            raise StoreAccessError("not allowed")

    assert settings(Closed()) == {}
