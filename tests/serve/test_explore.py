"""The operations for looking through a memory: the graph, types, days, conversations, changes, scopes."""

from __future__ import annotations

from typing import Any

import pytest

from mem0g import Memory
from mem0g.model import Scope
from mem0g.store.change import Change
from mem0g.times import Moment
from tests.making import ANN, day, entity, fact, message
from tests.serve.conftest import Served

ANNA, OSLO, BERGEN, ROWING = (
    entity("Ann", type="Person"),
    entity("Oslo", type="city"),
    entity("Bergen"),
    entity("rowing"),
)
TURNS = [message(text, place) for place, text in enumerate(("Hi!", "I moved to Oslo.", "Nice.", "I row.", "Bye."))]


def fill(memory: Memory) -> None:
    """Ann lived in Bergen until June 2024, lives in Oslo and rows; said in one conversation of five turns."""
    old = fact(
        ANNA,
        "LIVES_IN",
        BERGEN,
        said_at=day("2023-01-05"),
        valid_to=Moment.parse("2024-06-02"),
        retired_at=day("2024-06-05"),
    )
    new = fact(ANNA, "LIVES_IN", OSLO, said_at=day("2024-06-01"), evidence=(TURNS[1].id,))
    rows = fact(ANNA, "LIKES", ROWING, said_at=None, evidence=(TURNS[3].id,))
    entities, facts = (ANNA, OSLO, BERGEN, ROWING), (old, new, rows)
    memory.store.load(iter([Change(scope=ANN, messages=tuple(TURNS), entities=entities, facts=facts)]))


def read(served: Served, path: str, status: int = 200, **query: Any) -> Any:
    answer = served.ask("GET", f"/api/v1/{path}", key="reader", **({"params": query} if query else {}))
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_memory_is_looked_through(served: Served) -> None:
    """Neighbourhoods as graphs, of a day too; types and names; days; a message among those around it."""
    fill(served.memory)
    near = read(served, "graph", entity=OSLO.id)
    assert [node["name"] for node in near["nodes"]] == ["Ann", "Oslo"]
    assert [edge["text"] for edge in near["edges"]] == ["Ann lives in Oslo."]
    assert near["graph"]["root"] == OSLO.id
    before = read(served, "graph", as_of="2024-01-31")
    assert sorted(edge["text"] for edge in before["edges"]) == ["Ann likes rowing.", "Ann lives in Bergen."]
    assert len(read(served, "graph", include_retired=True)["edges"]) == 3
    assert len(read(served, "graph", limit=1)["edges"]) == 1

    known = read(served, "directory")
    assert known["types"] == [
        {"type": "", "entities": 2},
        {"type": "city", "entities": 1},
        {"type": "Person", "entities": 1},
    ]
    assert (known["total"], known["entities"][0]["name"], known["entities"][0]["facts"]) == (4, "Ann", 2)
    assert [each["name"] for each in read(served, "directory", kind="PERSON")["entities"]] == ["Ann"]
    assert [each["name"] for each in read(served, "directory", kind=" ")["entities"]] == ["rowing", "Bergen"]
    assert [each["name"] for each in read(served, "directory", named="oSL")["entities"]] == ["Oslo"]
    assert [each["name"] for each in read(served, "directory", limit=1, offset=3)["entities"]] == ["Bergen"]

    assert read(served, "days") == [
        {"day": "2023-01-05", "begun": 1, "ended": 0},
        {"day": "2024-06-01", "begun": 1, "ended": 0},
        {"day": "2024-06-02", "begun": 0, "ended": 1},
    ]
    around = read(served, f"messages/{TURNS[1].id}/conversation", turns=1)
    assert [each["text"] for each in around] == ["Hi!", "I moved to Oslo.", "Nice."]
    assert read(served, "scopes") == [{"user_id": "ann", "agent_id": None, "run_id": None}]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_changes_are_listed_the_latest_first(served: Served) -> None:
    """With the facts and entities that they name, without what was known already, page by page."""
    memory = served.memory
    for place in ("Oslo", "Oslo", "Bergen"):
        memory.add_fact(subject="Ann", relation="lives_in", object=place, user_id="ann")
    memory.add_fact(subject="Annie", relation="likes", object="jazz", user_id="ann")
    memory.merge("Ann", "Annie", user_id="ann")
    first = read(served, "changes", limit=2)
    assert [each["operation"] for each in first["decisions"]] == ["MERGE", "ADD"]
    assert {first["entities"][each]["name"] for each in first["decisions"][0]["targets"]} == {"Ann", "Annie"}
    assert first["facts"][first["decisions"][1]["fact_id"]]["object"] == "jazz"
    assert "before" not in first["decisions"][0]
    rest = read(served, "changes", limit=10, offset=first["next"])
    assert [each["operation"] for each in rest["decisions"]] == ["UPDATE", "ADD"]
    (old,) = rest["decisions"][0]["targets"]
    assert rest["facts"][old]["object"] == "Oslo"
    assert rest["next"] is None


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
def test_another_scope_is_not_looked_at(served: Served) -> None:
    """Ids of other scopes are unknown; the scopes are those that the key opens."""
    fill(served.memory)
    served.memory.add_fact("I like jazz.", user_id="bob", run_id="7")
    for path in (f"graph?entity={OSLO.id}", f"messages/{TURNS[1].id}/conversation"):
        assert served.ask("GET", f"/api/v1/{path}", key="bob").status_code == 404
    for path in ("graph", "directory", "days", "changes"):
        assert "Oslo" not in served.ask("GET", f"/api/v1/{path}", key="bob").text
        assert served.ask("GET", f"/api/v1/{path}?user_id=ann", key="bob").status_code == 403
        assert served.ask("GET", f"/api/v1/{path}", key="all").status_code == 400
    assert [Scope(**each) for each in served.ask("GET", "/api/v1/scopes", key="bob").json()] == [
        Scope("bob", None, "7")
    ]
    assert len(served.ask("GET", "/api/v1/scopes", key="all").json()) == 2
    assert len(served.ask("GET", "/api/v1/scopes?limit=1&offset=1", key="all").json()) == 1


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("path", "status", "detail"),
    [
        ("graph?entity=nobody", 404, "no entity 'nobody'"),
        ("graph?hops=9", 422, "hops: "),
        ("graph?limit=0", 422, "limit: "),
        ("graph?as_of=soon", 400, "cannot read the time 'soon'"),
        ("directory?limit=1001", 422, "limit: "),
        ("messages/m_0/conversation", 404, "no message 'm_0'"),
        ("messages/m_0/conversation?turns=-1", 422, "turns: "),
        ("changes?offset=-1", 422, "offset: "),
        ("scopes?limit=x", 422, "limit: "),
    ],
)
def test_bad_requests_get_a_status_and_one_line(served: Served, path: str, status: int, detail: str) -> None:
    """As everywhere in the API."""
    assert detail in read(served, path, status)["detail"]
