"""The elements that views draw: entities and facts with their captions, and text that is safe on one line."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from mem0g.model import LITERAL

if TYPE_CHECKING:
    from networkx import MultiDiGraph

MAX_LABEL = 60
"""Maximum number of characters in a label; a longer one makes a box wider than the screen."""

_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEntity:
    """The attributes of a node that views draw."""

    id: str
    name: str
    type: str = ""
    also_known_as: tuple[str, ...] = ()

    @property
    def is_literal(self) -> bool:
        """Whether it is a value, which is drawn small and grey."""
        return self.type == LITERAL

    def label(self, max_length: int | None = None) -> str:
        """Return its name on one line, or its id if nothing of it is printable, cut to ``max_length`` characters.

        With it comes what else it is said to be called: "Olivia (Liv)".
        """
        others = f" ({', '.join(self.also_known_as)})" if self.also_known_as else ""
        return one_line(self.name and f"{self.name}{others}", max_length) or one_line(self.id, max_length)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFact:
    """The attributes of an edge that views draw."""

    id: str
    subject_id: str
    object_id: str
    relation: str
    text: str
    current: bool
    valid_from: str
    valid_to: str
    planned_for: str = ""
    past_plan: bool = False

    @property
    def interval(self) -> str:
        """When it was true, to the day: "since 2024-03", "2019 to 2023-05, retired"; "" if unknown.

        Of a plan, when it is for: "planned for 2024-05", and "unanswered" if that is past.
        """
        span = self._span
        plan = f"planned for {self.planned_for[:10]}" if self.planned_for else ""
        notes = (plan, span, "unanswered" if self.past_plan else "", "" if self.current else "retired")
        return ", ".join(filter(None, notes))

    @property
    def _span(self) -> str:
        start, end = self.valid_from[:10], self.valid_to[:10]
        if start and end:
            return start if start == end else f"{start} to {end}"
        if start:
            return f"since {start}" if self.current else f"from {start}"
        return f"until {end}" if end else ""

    @property
    def caption(self) -> str:
        """The relation with its interval: "LIVES_IN (since 2024-03)"."""
        return one_line(f"{self.relation} ({self.interval})" if self.interval else self.relation)


def entities(graph: MultiDiGraph[str]) -> list[DrawnEntity]:
    """Return the entities of ``graph``, in its order."""
    return [
        DrawnEntity(
            id=str(key),
            name=node.get("name", ""),
            type=node.get("type", ""),
            also_known_as=tuple(node.get("also_known_as", ())),
        )
        for key, node in graph.nodes(data=True)
    ]


def facts(graph: MultiDiGraph[str]) -> list[DrawnFact]:
    """Return the facts of ``graph``, in its order."""
    drawn = {field.name for field in fields(DrawnFact)}
    return [
        DrawnFact(
            id=str(key),
            subject_id=str(subject),
            object_id=str(object_),
            **{name: value for name, value in edge.items() if name in drawn},
        )
        for subject, object_, key, edge in graph.edges(keys=True, data=True)
    ]


def one_line(text: str, max_length: int | None = None) -> str:
    """Return ``text`` on one line, safe to print: without control characters and bidirectional overrides.

    Runs of white space become one space, other control characters and lone surrogates become U+FFFD. A text of more
    than ``max_length`` characters is cut and ends in an ellipsis.
    """
    line = " ".join("".join(_printable(char) for char in text).split())
    return line if max_length is None or len(line) <= max_length else line[: max_length - 1].rstrip() + "…"


def _printable(char: str) -> str:
    if char.isspace():
        return " "
    if char in _BIDI_CONTROLS:
        return ""
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cs") else char
