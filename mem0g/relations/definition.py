"""A relation type as JSON, as stores keep it, and back."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from mem0g.relations.registry import RelationType


def to_json(relation: RelationType) -> str:
    """The relation type as one line of JSON."""
    return json.dumps(dataclasses.asdict(relation), ensure_ascii=False)


def from_json(text: str) -> RelationType:
    """The relation type of a line that ``to_json`` made."""
    given: dict[str, Any] = json.loads(text)
    frozen: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return RelationType(**frozen)
