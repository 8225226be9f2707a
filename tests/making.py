"""Samples of mem0g's records; see mem0g.testing.samples."""

from __future__ import annotations

from mem0g.testing.samples import (
    ANN,
    AT,
    BOB,
    EMBEDDER,
    change,
    day,
    dumped,
    entity,
    fact,
    message,
    triple,
    turns,
    vector,
)

__all__ = [
    "ANN",
    "AT",
    "BOB",
    "EMBEDDER",
    "change",
    "day",
    "dumped",
    "entity",
    "fact",
    "message",
    "triple",
    "turns",
    "vector",
]
