"""Windows and replies for the tests of the model's extractor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mem0g.extract.llm.replies import NamedEntity, StatedFact
from mem0g.extract.protocol import Window
from mem0g.model import Message
from tests.making import ANN, message


def messages(*texts: str, first: int = 0, **given: Any) -> tuple[Message, ...]:
    """Messages of Ann's, one after the other."""
    return tuple(message(text, place, **given) for place, text in enumerate(texts, start=first))


def window(new: Sequence[str], context: Sequence[str] = (), **given: Any) -> Window:
    """A window of new messages after those of the context."""
    return Window(
        messages=messages(*new, first=len(context)), context=messages(*context), scope=ANN, speakers=("Ann",), **given
    )


def named(name: str, kind: str = "person", *aliases: str) -> NamedEntity:
    """An entity."""
    return NamedEntity(name=name, type=kind, aliases=list(aliases))


def stated(**given: Any) -> StatedFact:
    """That Ann lives in Oslo, as message 1 says; or something else."""
    usual: dict[str, Any] = {
        "subject": "Ann",
        "relation": "lives_in",
        "object": "Oslo",
        "sentence": "Ann lives in Oslo.",
        "valid_from": None,
        "valid_to": None,
        "messages": [1],
        "retracts": False,
    }
    return StatedFact.model_validate(usual | given)
