"""What mem0g keeps for itself beside the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mem0g.model import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A window that waits, a conversation's summary, a call of the language model: ``kind`` says which.

    ``key`` tells the notes of a kind apart within their scope. ``body`` is what JSON can hold; None is a note that was
    struck out, which stays so: what is loaded again does not bring it back.
    """

    scope: Scope
    kind: str
    key: str
    body: Mapping[str, Any] | None
