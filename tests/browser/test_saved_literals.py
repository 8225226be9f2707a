"""Values in Cypher text, read back by a real Neo4j."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import neo4j
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.browser.saved import fill_parameters, identifier, literal, parameters
from tests.browser.worlds import HARMER, NAMES
from tests.servers.server import Server

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))

Ask = Callable[[str], neo4j.Record]


@pytest.fixture(scope="module")
def ask(neo4j_server: Server) -> Iterator[Ask]:
    """Runs a query that has one row, as text alone."""
    auth = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        yield lambda text: driver.execute_query(text, database_=neo4j_server.database).records[0]


@pytest.mark.parametrize(
    "text", [*NAMES, HARMER, "", "'", "\t\x85\x1f\ufeff\U000e0001", "\\u005cu0022", "// no comment"]
)
def test_harmful_texts_come_back(ask: Ask, text: str) -> None:
    """A text, a list of it and a name made of it are what they were."""
    assert ask(f"RETURN {literal(text)} AS it")["it"] == text
    assert ask(f"RETURN {literal([text, text])} AS it")["it"] == [text, text]
    if text:
        assert ask(f"RETURN 1 AS {identifier(text)}").keys() == [text]


@given(texts=st.lists(TEXT, min_size=1))
def test_any_text_comes_back(ask: Ask, texts: list[str]) -> None:
    """So do all texts."""
    assert ask(f"RETURN {literal(texts)} AS it")["it"] == texts


@given(text=TEXT)
def test_a_literal_is_one_line_without_semicolons(text: str) -> None:
    """Browser takes statements apart at semicolons and drops lines that look like comments."""
    written = literal(text)
    assert ";" not in written
    assert len(written.splitlines()) == 1


@pytest.mark.parametrize("word", ["NULL", "NOT", "IN", "居住于", "_1ST", "LIVES_IN", "lives in"])
def test_types_are_quoted_where_they_must_be(ask: Ask, word: str) -> None:
    """Any word can be a type; one that is plain is written plainly."""
    assert ask(f"RETURN EXISTS {{ ()-[:{identifier(word)}]->() }} AS it")["it"] in (True, False)
    assert (identifier(word) == word) == (word == "LIVES_IN")


def test_filling() -> None:
    """Literals and identifiers are fill_parameters in; what is fill_parameters in is not looked at again."""
    query = "WITH $scopes AS s, $name AS n MATCH ()-[r:$($kind)]->() WHERE r.x = $name RETURN r"
    assert parameters(query) == {"scopes", "name", "kind"}
    values = {"scopes": ["$name"], "name": "$kind", "kind": "LIVES_IN", "more": ""}
    assert fill_parameters(query, values) == (
        'WITH ["$name"] AS s, "$kind" AS n MATCH ()-[r:LIVES_IN]->() WHERE r.x = "$kind" RETURN r'
    )
    with pytest.raises(KeyError):
        fill_parameters(query, {"name": "x"})
