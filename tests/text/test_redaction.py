"""Secrets kept out of what is shown."""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.settings import Credentials, LLMSettings, Settings
from mem0g.text.redaction import Redactor, basic, shown_address

FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "upper case": str.upper,
    "URL": lambda text: quote(text, safe=""),
    "URL, some": quote,
    "form": quote_plus,
    "URL twice": lambda text: quote(quote(text, safe=""), safe=""),
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON, as it is": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON twice": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
    "JSON, slashes": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "JSON, all": lambda text: "".join(f"\\u{ord(character):04x}" for character in text),
    "HTML": html.escape,
    "HTML, numbers": lambda text: "".join(f"&#{ord(character)};" for character in text),
}

SECRETS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=("Cs", "Cc")), min_size=8)


@given(SECRETS, st.sampled_from(sorted(FORMS)))
def test_secrets_are_removed_however_they_are_written(secret: str, form: str) -> None:
    """A secret is found in every form in which servers write text; from good replies a long one is removed too."""
    written = FORMS[form](secret) if form != "upper case" or secret.isascii() else secret
    redactor = Redactor([secret])
    assert redactor.text(f"\x01{written}\x01") == "\x01***\x01"
    assert redactor.reply(f"\x01{written}\x01") == "\x01***\x01"


@given(st.text(), st.lists(SECRETS, max_size=3))
def test_without_secrets_nothing_is_changed(text: str, secrets: list[str]) -> None:
    """Text in which no secret stands stays as it is."""
    assert Redactor([None, ""]).text(text) == text
    assert Redactor([f"{secret}\x01" for secret in secrets]).text(text.replace("\x01", "")) == text.replace("\x01", "")


def test_short_secrets() -> None:
    """A short secret is removed as a word of its own, and never from a reply, where it may be a word that was said."""
    redactor = Redactor(["pw", "tiger"])
    assert redactor.text("bob:pw@host, pwd, tigers") == "bob:***@host, pwd, ***s"
    assert redactor.reply("Ann saw a tiger; pw") == "Ann saw a tiger; pw"


def test_basic_authentication() -> None:
    """User and password are known by what a header makes of them."""
    assert basic("bob", "päss") == b64encode("bob:päss".encode()).decode()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("neo4j://bob:pw", "neo4j://bob:***"),
        ("neo4j://bob:p/w", "neo4j://bob:***"),
        ("neo4j://bob:p?w", "neo4j://bob:***"),
        ("neo4j:bob:pw", "neo4j:bob:***"),
        ("http://localhost:99999/v1", "http://localhost:***"),
        ("http://bob:pw@host:80/v1?k=KEY#x", "http://host:80/v1"),
        ("http://bob:p@w@host/v1", "http://host/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1"),
        ("http://[::1]/v1", "http://[::1]/v1"),
        ("bob:pw@host:1/v1", "host:1/v1"),
        ("localhost:8000/v1", "localhost:8000/v1"),
        ("http://host?next=ftp://x", "http://host"),
    ],
)
def test_shown_addresses(url: str, shown: str) -> None:
    """An address is shown without user, password, query, and what stands where the port should and is none."""
    assert shown_address(url) == shown


def test_settings_show_no_secret() -> None:
    """Settings in the words of a debugger hold no password and no key, and files as they are."""
    llm = LLMSettings(base_url="http://bob:hidden-1@host:8000/v1?key=hidden-2", api_key="hidden-3")
    settings = Settings(store="neo4j://ann:hidden-4@db:7687/x", credentials=Credentials(password="hidden-5"), llm=llm)
    assert "hidden" not in repr(settings)
    assert "store='neo4j://db:7687/x'" in repr(settings)
    assert "base_url='http://host:8000/v1'" in repr(settings)
    for file in ("C:\\data\\memory@home.db", "a#b?c@d.db", "sqlite:///memory@home.db"):
        assert f"store={file!r}" in repr(Settings(store=file))
