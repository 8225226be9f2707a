"""Whatever is added, changed by hand, undone, erased or forgotten, the store agrees with itself afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mem0g.memory import Memory
from mem0g.testing import HashingEmbedder

U: dict[str, Any] = {"user_id": "ann"}
TOLD = (
    "I live in Oslo.",
    "I moved to Lisbon.",
    "My sister is Bea. Bea works at Acme.",
    "I have a dog called Rex.",
    "I don't play tennis any more.",
    "I'm 33.",
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """Ann told a few things, some of them again in a run."""
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="rules") as opened:
        for run in (None, "r1"):
            for text in TOLD:
                opened.add(text, run_id=run, **U)
        assert opened.verify() == ()
        yield opened


def test_corrected_retired_and_undone(memory: Memory) -> None:
    """What was changed by hand is whole, and so is what was before, again."""
    first, second, *_ = memory.facts(**U)
    memory.correct(first.id, text="I live in Rome.", **U)
    assert memory.verify() == ()
    memory.retire(second.id, reason="said in jest", **U)
    assert memory.verify() == ()
    for _ in range(2):  # the second time, what was undone is done again
        latest, *_ = memory.decisions(**U)
        memory.undo(latest.id, **U)
        assert memory.verify() == ()


def test_joined_and_parted(memory: Memory) -> None:
    """Two nodes become one, then two again."""
    one, other = memory.entity("Bea", **U), memory.entity("Rex", **U)
    (same,) = [each for each, _ in memory.entities(**U) if each.name == "Rex" and each.scope == one.scope]
    assert other.name == same.name
    memory.merge(one.id, same.id, **U)
    assert memory.verify() == ()
    memory.unmerge(one.id, "Rex", **U)
    assert memory.verify() == ()


@pytest.mark.parametrize("number", range(len(TOLD)))
def test_facts_and_messages_erased(memory: Memory, number: int) -> None:
    """No fact that was retired for an erased one, and no window or decision, is left without what it names."""
    memory.erase(memory.facts(include_retired=True, **U)[number].id, **U)
    assert memory.verify() == ()
    memory.erase(memory.messages(**U)[0].id, **U)
    assert memory.verify() == ()


def test_entities_erased_and_a_run_forgotten(memory: Memory) -> None:
    """What stood on them goes with them."""
    memory.erase(memory.entity("Bea", **U).id, **U)
    assert memory.verify() == ()
    memory.forget(run_id="r1", **U)
    assert memory.verify() == ()
    memory.forget(**U)
    assert memory.verify() == ()
