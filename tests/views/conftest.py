"""Graphs to draw: people and places as a memory would return them, and names that mean harm."""

from __future__ import annotations

import networkx as nx
import pytest

PEOPLE = {
    "e_ann": ("Ann Oliveira", "person", ["Ann", "Annie"]),
    "e_ben": ("Ben Carter", "person", ["Ben"]),
    "e_cho": ("Cho Min-ji", "person", []),
    "e_dev": ("Devika", "person", ["Dev"]),
    "e_mum": ("Ann's mother", "person", []),
    "e_lis": ("Lisbon", "city", ["Lisboa"]),
    "e_por": ("Porto", "city", []),
    "e_oslo": ("Oslo", "city", []),
    "e_prt": ("Portugal", "country", []),
    "e_nor": ("Norway", "country", []),
    "e_rex": ("Rex", "dog", []),
    "e_mia": ("Mia", "cat", ["Mimi"]),
    "e_acme": ("Acme Robotics", "company", ["Acme"]),
    "e_hosp": ("Hospital de São José", "hospital", []),
    "e_uni": ("University of Oslo", "university", ["UiO"]),
    "e_clay": ("pottery", "hobby", []),
    "e_climb": ("climbing", "hobby", []),
    "e_choir": ("the Thursday choir", "group", []),
    "e_race": ("the half marathon in May", "event", []),
    "e_trip": ("road trip to the north of Norway", "event", []),
    "e_novel": ("a novel about lighthouses", "book", []),
    "e_nuts": ("peanuts", "food", []),
    "e_soup": ("caldo verde", "food", []),
    "e_bike": ("the red bicycle", "thing", []),
    "e_band": ("东京的乐队", "group", ["Tokyo band"]),
}
# subject, relation, object, valid_from, valid_to, said_at, current
CLAIMS = [
    ("e_ann", "LIVES_IN", "e_por", "2019", "2024-03", "2023-01-10", False),
    ("e_ann", "LIVES_IN", "e_lis", "2024-03", "", "2024-03-05", True),
    ("e_ann", "WORKS_AT", "e_acme", "2021-09", "2024-01-15", "2023-01-10", False),
    ("e_ann", "WORKS_AT", "e_hosp", "2024-02-01", "", "2024-03-05", True),
    ("e_ann", "HAS_PET", "e_rex", "", "", "2023-01-12", True),
    ("e_ben", "HAS_PET", "e_rex", "", "", "2023-02-02", True),
    ("e_ann", "PARTNER_OF", "e_ben", "2022", "", "2023-02-02", True),
    ("e_ben", "LIVES_IN", "e_lis", "2024-03", "", "2024-03-05", True),
    ("e_ben", "LIVES_IN", "e_oslo", "2015", "2022", "2023-02-02", False),
    ("e_ben", "STUDIED_AT", "e_uni", "2015", "2019", "2023-02-02", True),
    ("e_uni", "LOCATED_IN", "e_oslo", "", "", "2023-02-02", True),
    ("e_oslo", "LOCATED_IN", "e_nor", "", "", "", True),
    ("e_lis", "LOCATED_IN", "e_prt", "", "", "", True),
    ("e_por", "LOCATED_IN", "e_prt", "", "", "", True),
    ("e_ann", "LIKES", "e_clay", "", "", "2023-04-01", True),
    ("e_ann", "LIKES", "e_climb", "", "2023-11-20", "2023-04-01", False),
    ("e_cho", "LIKES", "e_climb", "", "", "2023-05-01", True),
    ("e_ann", "FRIEND_OF", "e_cho", "", "", "2023-05-01", True),
    ("e_ann", "CLIMBS_WITH", "e_cho", "2023-05", "2023-11-20", "2023-05-02", False),
    ("e_ann", "FRIEND_OF", "e_dev", "", "", "2023-06-01", True),
    ("e_dev", "SINGS_IN", "e_choir", "2023-06", "", "2023-06-01", True),
    ("e_ann", "SINGS_IN", "e_choir", "2024-04", "", "2024-04-11", True),
    ("e_ann", "PLANS_TO_RUN", "e_race", "2024-05-12", "", "2024-02-11", False),
    ("e_ann", "RAN", "e_race", "2024-05-12", "2024-05-12", "2024-05-13", True),
    ("e_ann", "PLANS", "e_trip", "2024-07", "", "2024-05-20", True),
    ("e_ben", "PLANS", "e_trip", "2024-07", "", "2024-05-20", True),
    ("e_trip", "LEADS_TO", "e_nor", "2024-07", "", "2024-05-20", True),
    ("e_dev", "WRITES", "e_novel", "2023-08", "", "2023-08-01", True),
    ("e_ann", "ALLERGIC_TO", "e_nuts", "", "", "2023-03-03", True),
    ("e_mum", "PARENT_OF", "e_ann", "", "", "2023-03-03", True),
    ("e_mum", "COOKS", "e_soup", "", "", "2023-03-03", True),
    ("e_ann", "LIKES", "e_soup", "", "", "2023-03-03", True),
    ("e_cho", "HAS_PET", "e_mia", "2023-07", "", "2023-07-07", True),
    ("e_ben", "OWNS", "e_bike", "", "", "2023-09-09", True),
    ("e_cho", "LISTENS_TO", "e_band", "", "", "2023-09-10", True),
    ("e_ann", "KNOWS", "e_ann", "", "", "2023-09-10", True),
]
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><!-- --> <![CDATA[ ]]> &lt; &amp;",
    "\"double\" 'single' `backtick` \\ \\N \\",
    "name: [x](y) {z} |a| #35; ;end %%{init: {}}%% $$x$$ -->",
    "שלום עולם",
    "\u202eevil\u202c",
    "👩‍👩‍👧 family 🎉",
    "line\none\r\ttwo\u2028three\u2029four\x85five",
    "{{script}} {{data}} {0} %s ${x}",
    "居住于",
    "style: x#y; classDef a#b;",
    "[bold red]not markup[/]",
    "n" * 1000,
    "end",
    " ",
]
UNPRINTABLE = "bell\x07 escape\x1b[31m nul\x00 half\ud83d \ufffe"


def fact(relation: str = "KNOWS", text: str = "", *, current: bool = True, **more: object) -> dict[str, object]:
    """The attributes of an edge, complete; ``more`` overrides."""
    given: dict[str, object] = {
        "relation": relation,
        "text": text,
        "current": current,
        "valid_from": "",
        "valid_to": "",
        "said_at": "",
        "recorded_at": "2024-06-01T09:00:00Z",
        "retired_at": "" if current else "2024-06-02T09:00:00Z",
        "confidence": 1.0,
        "evidence": [],
        "reason": "" if current else "a later message says otherwise",
    }
    return given | more


def graph_of(names: list[str], root: str = "e0", title: str = "a graph") -> nx.MultiDiGraph[str]:
    """A star: the first name is the root, a fact leads to each other one, and one back from it."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(root=root, title=title)
    for i, name in enumerate(names):
        graph.add_node(f"e{i}", name=name, type=name, aliases=[name, "plain"])
        if i:
            graph.add_edge("e0", f"e{i}", key=f"f{i}", **fact(text=name, evidence=[f"{name}: {name}"]))
            graph.add_edge(f"e{i}", "e0", key=f"b{i}", **fact("WAS", name, current=False, reason=name))
    return graph


@pytest.fixture
def town() -> nx.MultiDiGraph[str]:
    """Ann, her people, places and plans: 25 entities, 36 facts of which 6 are retired."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(root="e_ann", title="Ann Oliveira")
    for key, (name, kind, aliases) in PEOPLE.items():
        graph.add_node(key, name=name, type=kind, aliases=aliases)
    for i, (subject, relation, object_, start, end, said, current) in enumerate(CLAIMS):
        words = f"{PEOPLE[subject][0]} {relation.lower().replace('_', ' ')} {PEOPLE[object_][0]}."
        times = {"valid_from": start, "valid_to": end, "said_at": said and f"{said}T18:30:00Z"}
        evidence = [f"Ann, {said} 18:30: you know what? {words}"] if said else []
        graph.add_edge(
            subject, object_, key=f"f{i}", **fact(relation, words, current=current, evidence=evidence, **times)
        )
    return graph


@pytest.fixture
def hostile() -> nx.MultiDiGraph[str]:
    """A graph whose every name, type, alias, sentence and reason is hostile."""
    return graph_of(HOSTILE, title=HOSTILE[0])
