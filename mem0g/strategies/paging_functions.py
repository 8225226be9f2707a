"""The functions that a model may call on a paged memory, in the form in which the OpenAI API takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TEXT, _NUMBER = {"type": "string"}, {"type": "integer"}


def _function(name: str, description: str, required: str = "", **parameters: Mapping[str, str]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": parameters,
        "required": required.split() if required else list(parameters),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


_LABEL = {**_TEXT, "description": 'the block of core notes, such as "human" or "persona"'}
_QUERY = {**_TEXT, "description": "what to look for"}
_PAGE = {**_NUMBER, "description": "page of the results, from 0"}

FUNCTIONS: tuple[dict[str, Any], ...] = (
    _function("core_memory_append", "Add a core note, which is always in view.", label=_LABEL, content=_TEXT),
    _function(
        "core_memory_replace",
        "Replace a core note by another; an empty one removes it.",
        label=_LABEL,
        old_content={**_TEXT, "description": "the note as it stands, word for word"},
        new_content=_TEXT,
    ),
    _function("core_memory_view", "Show all core notes."),
    _function("archival_memory_insert", "Archive a note, which a search finds.", content=_TEXT),
    _function("archival_memory_search", "Search facts and archived notes.", required="query", query=_QUERY, page=_PAGE),
    _function(
        "conversation_search", "Search what was said in the conversation.", required="query", query=_QUERY, page=_PAGE
    ),
)
"""Those of MemGPT, with core_memory_view beside them."""
