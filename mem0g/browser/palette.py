"""The palette of Neo4j Browser: how each kind of node is drawn, in the style sheet and in the guide's legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mem0g.resolve.kinds import ANIMAL, EVENT, GROUP, IDEA, ORGANISATION, PERSON, PLACE, THING, WORK, kind_of

DARK: Final = "#1F2933"
LIGHT: Final = "#FFFFFF"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStyle:
    """How a node is drawn: its ``legend`` in words, its caption in GraSS, colours, and sizes in pixels."""

    legend: str
    caption: str
    color: str
    border: str
    text: str
    diameter: int
    font_size: int
    border_width: int = 2


PEOPLE: Final = NodeStyle(
    legend="people", caption="{name}", color="#2F6DB5", border="#1F4E86", text=LIGHT, diameter=72, font_size=11
)
ANIMALS: Final = NodeStyle(
    legend="animals", caption="{name}", color="#8CC4F0", border="#4D93CC", text=DARK, diameter=60, font_size=10
)
PLACES: Final = NodeStyle(
    legend="places", caption="{name}", color="#2F7F4B", border="#1F5A34", text=LIGHT, diameter=64, font_size=10
)
ORGANISATIONS: Final = NodeStyle(
    legend="organisations", caption="{name}", color="#7B57B2", border="#593C87", text=LIGHT, diameter=66, font_size=10
)
EVENTS: Final = NodeStyle(
    legend="events", caption="{name}", color="#F08C2E", border="#C06A14", text=DARK, diameter=64, font_size=10
)
THINGS: Final = NodeStyle(
    legend="things", caption="{name}", color="#C49A6C", border="#96703F", text=DARK, diameter=60, font_size=9
)
IDEAS: Final = NodeStyle(
    legend="topics and the rest",
    caption="{name}",
    color="#BFE3DC",
    border="#6FAFA2",
    text=DARK,
    diameter=62,
    font_size=9,
)

FACT: Final = NodeStyle(
    legend="facts", caption="{text}", color="#FFF3C4", border="#E0B93A", text=DARK, diameter=88, font_size=9
)
RETIRED: Final = NodeStyle(
    legend="facts that are no longer true",
    caption="{text}",
    color="#D5D8DC",
    border="#D32F2F",
    text="#36404A",
    diameter=88,
    font_size=9,
    border_width=5,
)
LITERAL: Final = NodeStyle(
    legend="values", caption="{name}", color="#ECEFF1", border="#CFD6DC", text="#52606D", diameter=44, font_size=8
)
MESSAGE: Final = NodeStyle(
    legend="messages",
    caption="{speaker} – {text}",
    color="#FBE4EC",
    border="#DB7FA4",
    text=DARK,
    diameter=88,
    font_size=8,
)
SESSION: Final = NodeStyle(
    legend="sessions",
    caption="{name} {source}",
    color="#A8567B",
    border="#7C3B59",
    text=LIGHT,
    diameter=58,
    font_size=8,
)
DECISION: Final = NodeStyle(
    legend="decisions",
    caption="{operation} by {decided_by}",
    color="#3A3F47",
    border="#15181C",
    text=LIGHT,
    diameter=58,
    font_size=9,
)

STYLES_BY_KIND: Final = {
    PERSON: PEOPLE,
    ANIMAL: ANIMALS,
    PLACE: PLACES,
    ORGANISATION: ORGANISATIONS,
    GROUP: ORGANISATIONS,
    EVENT: EVENTS,
    WORK: THINGS,
    THING: THINGS,
    IDEA: IDEAS,
}
STYLES_BY_LABEL: Final = {
    "Literal": LITERAL,
    "Fact": FACT,
    "Message": MESSAGE,
    "Session": SESSION,
    "Decision": DECISION,
    "Retired": RETIRED,
}
"""Styles by the labels of mem0g's own nodes; ``Retired``, a second label of a ``Fact``, overrides that of ``Fact``."""


def node_style(type_name: str) -> NodeStyle:
    """Return the style of an entity by its type, as given or as a label: a SportsTeam is drawn as an organisation."""
    return STYLES_BY_KIND.get(kind_of(type_name), IDEAS)
