"""Facts as a graph."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from mem0g.model import Succession
from mem0g.retrieve.subgraph import quoted, to_graph
from mem0g.times import Moment
from mem0g.views import FORMATS, tree
from mem0g.views.elements import facts
from tests.making import AT, day, entity, fact, message

if TYPE_CHECKING:
    import networkx as nx

ANN = entity("Ann", type="person", aliases=("Annie",))
OSLO = entity("Oslo", type="city")
LISBON = entity('Lisbon \u2028`"<b>🦄')
SAID = message("I live in Oslo now.")
UNTIMED = message("Lisbon!", 1, time=None)
LIVED = fact(
    ANN,
    "LIVES_IN",
    OSLO,
    valid_from=Moment.parse("2020"),
    valid_to=Moment.parse("2024-03"),
    retired_at=AT,
    evidence=(SAID.id,),
)
LIVES = fact(ANN, "LIVES_IN", LISBON, said_at=None, confidence=0.5, evidence=(UNTIMED.id, "m_gone"))
KNOWS = fact(ANN, "KNOWS", ANN)
MOVED = Succession(fact_id=LIVED.id, successor_id=LIVES.id, reason="she moved", decided_by="rule", at=AT)


@pytest.fixture
def graph() -> nx.MultiDiGraph[str]:
    """Ann, who moved from Oslo to Lisbon."""
    evidence = {each.id: each for each in (SAID, UNTIMED)}
    facts = (LIVED, LIVES, KNOWS)
    return to_graph((ANN, OSLO, LISBON), facts, evidence, (MOVED,), at=AT, root=ANN.id, title="Ann")


def test_the_graph_is_of_its_root(graph: nx.MultiDiGraph[str]) -> None:
    """Root and title are as told, empty when there are none."""
    assert graph.graph == {"root": ANN.id, "title": "Ann"}
    assert to_graph((), (), {}, at=AT).graph == {"root": "", "title": ""}


def test_nodes_are_entities(graph: nx.MultiDiGraph[str]) -> None:
    """By id, with name, type and other names."""
    assert dict(graph.nodes(data=True)) == {
        ANN.id: {"name": "Ann", "type": "person", "aliases": ["Annie"], "also_known_as": []},
        OSLO.id: {"name": "Oslo", "type": "city", "aliases": [], "also_known_as": []},
        LISBON.id: {"name": LISBON.name, "type": "", "aliases": [], "also_known_as": []},
    }


def test_edges_are_facts(graph: nx.MultiDiGraph[str]) -> None:
    """From subject to object by fact id; times as text, empty where unknown; the reason of a retirement."""
    assert set(graph.edges(keys=True)) == {
        (ANN.id, OSLO.id, LIVED.id),
        (ANN.id, LISBON.id, LIVES.id),
        (ANN.id, ANN.id, KNOWS.id),
    }
    assert graph.edges[ANN.id, OSLO.id, LIVED.id] == {
        "relation": "LIVES_IN",
        "text": "Ann lives in Oslo.",
        "current": False,
        "valid_from": "2020",
        "valid_to": "2024-03",
        "brief": "",
        "observed": "",
        "planned_for": "",
        "past_plan": False,
        "said_at": "2024-06-01T12:00:00+00:00",
        "recorded_at": "2024-06-01T12:00:00+00:00",
        "retired_at": "2024-06-01T12:00:00+00:00",
        "confidence": 1.0,
        "evidence": ["Ann (2024-06-01 12:00): I live in Oslo now."],
        "reason": "she moved",
    }
    lives = graph.edges[ANN.id, LISBON.id, LIVES.id]
    unknown = {"valid_from": "", "valid_to": "", "said_at": "", "retired_at": "", "reason": "", "current": True}
    assert {name: lives[name] for name in unknown} == unknown
    assert lives["confidence"] == 0.5


def test_evidence_that_is_not_given_is_left_out(graph: nx.MultiDiGraph[str]) -> None:
    """Only messages at hand are quoted, in the order in which the fact cites them."""
    assert graph.edges[ANN.id, LISBON.id, LIVES.id]["evidence"] == ["Ann: Lisbon!"]


def test_quotes() -> None:
    """Who, when, what; without a time who and what."""
    assert quoted(SAID) == "Ann (2024-06-01 12:00): I live in Oslo now."
    assert quoted(UNTIMED) == "Ann: Lisbon!"


@pytest.mark.parametrize("name", FORMATS)
def test_every_view_takes_the_graph(graph: nx.MultiDiGraph[str], name: str) -> None:
    """Each text format draws all of it, and an empty graph too."""
    drawn = FORMATS[name](graph)
    assert "LIVES_IN" in drawn
    assert "Oslo" in drawn
    assert isinstance(FORMATS[name](to_graph((), (), {}, at=AT)), str)


def test_the_tree_takes_the_graph(graph: nx.MultiDiGraph[str]) -> None:
    """The terminal's tree begins at the root."""
    paper = io.StringIO()
    Console(file=paper, width=120).print(tree(graph))
    drawn = paper.getvalue()
    assert drawn.startswith("Ann")
    assert "LIVES_IN → Oslo" in drawn


def test_a_past_plan_is_unanswered() -> None:
    """A plan is drawn with its day, and as unanswered once that is over at the time asked about."""
    plan = fact(ANN, "PLANS_TO_VISIT", OSLO, planned_for=Moment.parse("2024-05"))
    for at, caption in ((AT, "planned for 2024-05, unanswered"), (day("2024-05-20"), "planned for 2024-05")):
        graph = to_graph((ANN, OSLO), (plan,), {}, at=at, root=ANN.id)
        (drawn,) = facts(graph)
        assert drawn.interval == caption
        assert f"PLANS_TO_VISIT ({caption})" in FORMATS["dot"](graph)
        assert graph.edges[ANN.id, OSLO.id, plan.id]["past_plan"] == ("unanswered" in caption)


def test_another_name_is_no_loop() -> None:
    """A fact that only gives an entity another name is no edge; every view shows the name with the node's."""
    olivia = entity("Olivia", type="person", aliases=("Liv", "her"))
    alias = fact(olivia, "ALSO_KNOWN_AS", olivia, "Olivia is also called Liv.")
    lives = fact(olivia, "LIVES_IN", OSLO)
    graph = to_graph([olivia, OSLO], [alias, lives], {}, at=AT, root=olivia.id)
    assert [each.id for each in facts(graph)] == [lives.id]
    assert graph.nodes[olivia.id]["also_known_as"] == ["Liv"]
    for name in ("dot", "mermaid"):
        assert "Olivia" in FORMATS[name](graph)
        assert "Liv" in FORMATS[name](graph).replace("Olivia", "")
    out = io.StringIO()
    Console(file=out, width=100).print(tree(graph))
    assert out.getvalue().startswith("Olivia (Liv)  person")
    over = fact(olivia, "ALSO_KNOWN_AS", olivia, "Olivia is also called Liv.", retired_at=AT)
    assert to_graph([olivia], [over], {}, at=AT).nodes[olivia.id]["also_known_as"] == []
