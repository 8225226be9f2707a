"""The data model: frozen dataclasses that the stages take and return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mem0g.model.graph import (
    INSTRUCTS,
    LITERAL,
    MAX_NAME_LENGTH,
    PREFERS,
    Decision,
    Entity,
    Fact,
    Operation,
    Succession,
    Triple,
    is_literal,
)
from mem0g.model.messages import (
    UNSTORABLE,
    Message,
    Passage,
    Role,
    Utterance,
    covers,
)
from mem0g.model.results import (
    Context,
    Contradiction,
    Hit,
    Hits,
    Reason,
    Receipt,
)
from mem0g.model.scope import (
    Scope,
    content_id,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """A unit vector, shape (dimensions,)."""
    Matrix = NDArray[np.float32]
    """Unit vectors in rows, shape (n, dimensions)."""

__all__ = [
    "INSTRUCTS",
    "LITERAL",
    "MAX_NAME_LENGTH",
    "PREFERS",
    "UNSTORABLE",
    "Context",
    "Contradiction",
    "Decision",
    "Entity",
    "Fact",
    "Hit",
    "Hits",
    "Message",
    "Operation",
    "Passage",
    "Reason",
    "Receipt",
    "Role",
    "Scope",
    "Succession",
    "Triple",
    "Utterance",
    "content_id",
    "covers",
    "is_literal",
]
