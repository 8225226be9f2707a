"""Windows of conversation for the tests of extraction."""

from __future__ import annotations

from datetime import UTC, datetime

from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from mem0g.model import Message, Role, Scope, Triple, Utterance

WEDNESDAY = datetime(2024, 5, 8, 13, 0, tzinfo=UTC)


def message(text: str, speaker: str = "Olivia", position: int = 0, role: Role = "user") -> Message:
    """``text`` as said on Wednesday, 8 May 2024."""
    utterance = Utterance(
        source="talk", session="1", position=position, speaker=speaker, role=role, text=text, time=WEDNESDAY
    )
    return Message.of(utterance, Scope(user_id="test"))


def said(*texts: str, speaker: str = "Olivia") -> tuple[Triple, ...]:
    """The triples of what Olivia says to Ben."""
    messages = tuple(message(text, speaker, position) for position, text in enumerate(texts))
    return RulesExtractor().extract(Window(messages=messages, speakers=("Olivia", "Ben")))


def ends(*texts: str) -> set[tuple[str, str, str]]:
    """Subject, relation and object of what holds, or happened, by what Olivia says."""
    return {(t.subject, t.relation, t.object) for t in said(*texts) if not t.retracts}


def over(*texts: str) -> set[tuple[str, str, str]]:
    """Subject, relation and object of what no longer holds, by what Olivia says."""
    return {(t.subject, t.relation, t.object) for t in said(*texts) if t.retracts}
