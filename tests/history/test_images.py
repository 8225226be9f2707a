"""What each decision touched is kept with it, as it was before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mem0g.extract import NoExtractor
from mem0g.history.images import entity_as, entity_image, fact_as, fact_image, successions_of
from mem0g.memory import Memory
from mem0g.model import Decision, Fact, Succession
from mem0g.store.sqlite import SqliteStore
from mem0g.times import Moment
from mem0g.transfer.copy import copy
from mem0g.transfer.jsonl import export_lines, import_lines
from tests.making import ANN, AT, EMBEDDER, day, entity, fact, triple

U: dict[str, Any] = {"user_id": "ann"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory that is told triples."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor=NoExtractor()) as opened:
        yield opened


def log(memory: Memory) -> list[Decision]:
    """The decisions in the order in which they were taken."""
    return list(reversed(memory.store.log(ANN, 100)))


def facts(memory: Memory) -> tuple[Fact, ...]:
    """All facts."""
    return memory.facts(include_retired=True, **U)


def test_a_new_fact_is_named(memory: Memory) -> None:
    """A decision that adds a fact keeps its id, and nothing else."""
    memory.add_triples([triple("Ann", "likes", "tea")], **U)
    (made,) = facts(memory)
    assert [dict(each.before) for each in log(memory)] == [{"created_facts": [made.id]}]


def test_a_retired_fact_is_kept_as_it_was(memory: Memory) -> None:
    """A move keeps the old home as it was when it was current."""
    memory.add_triples([triple("Ann", "lives_in", "Oslo", valid_from="2020")], **U)
    (oslo,) = facts(memory)
    memory.add_triples([triple("Ann", "lives_in", "Rome", valid_from="2023")], **U)
    last = log(memory)[-1]
    assert last.before["facts"] == [fact_image(oslo)]
    assert last.before["created_facts"] == [last.fact_id]
    assert fact_as(memory.fact(oslo.id, **U), last.before["facts"][0]) == oslo


def test_more_evidence_and_a_date_are_seen(memory: Memory) -> None:
    """Said again with a date, a fact is kept with the evidence and without the date that it had."""
    said = [{"role": "user", "content": text, "id": str(n)} for n, text in enumerate(("I moved.", "In 2020."))]
    memory.add(said, **U)
    memory.add_triples([triple("Ann", "lives_in", "Oslo", evidence=("0",))], **U)
    (before,) = facts(memory)
    memory.add_triples([triple("Ann", "lives_in", "Oslo", evidence=("1",), valid_from="2020")], **U)
    last = log(memory)[-1]
    assert (last.operation, last.rule) == ("UPDATE", "said again")
    assert last.before == {"facts": [fact_image(before)]}


def test_what_one_window_does_twice_is_kept_step_by_step(memory: Memory) -> None:
    """Of a fact that is added and retired in one window, the second decision keeps the first one's outcome."""
    homes = [triple("Ann", "lives_in", city, valid_from=year) for city, year in (("Oslo", "2020"), ("Rome", "2023"))]
    memory.add_triples(homes, **U)
    first, second = log(memory)
    assert first.before == {"created_facts": [first.fact_id]}
    (kept,) = second.before["facts"]
    assert (kept["id"], kept["retired_at"], kept["valid_to"]) == (first.fact_id, None, None)


def test_a_name_joined_to_a_node(memory: Memory) -> None:
    """A MERGE keeps the names that the node had; of a node of the same window, its name alone."""
    memory.add_triples([triple("Olivia", "likes", "tea", subject_type="person")], **U)
    before = memory.entity("Olivia", **U)
    memory.add_triples([triple("Olivia", "also_known_as", "Liv", subject_type="person")], **U)
    merge = next(each for each in log(memory) if each.operation == "MERGE")
    assert memory.entity("Liv", **U).names == ("Olivia", "Liv")
    assert merge.before == {"entities": [entity_image(before)]}
    memory.add_triples([triple("Robert", "also_known_as", "Bob", subject_type="person")], **U)
    second = [each for each in log(memory) if each.operation == "MERGE"][-1]
    assert [(each["name"], each["aliases"]) for each in second.before["entities"]] == [("Robert", [])]


def test_two_nodes_joined(memory: Memory) -> None:
    """A MERGE of two nodes keeps both, and the ends that the facts of the one had."""
    memory.add_triples([triple(name, "likes", "tea", subject_type="person") for name in ("Zora", "Quinn")], **U)
    zora, quinn = memory.entity("Zora", **U), memory.entity("Quinn", **U)
    moved = next(each for each in facts(memory) if each.subject_id == quinn.id)
    memory.add_triples([triple("Zora", "also_known_as", "Quinn", subject_type="person")], **U)
    assert memory.entity("Quinn", **U).id == zora.id
    merge = next(each for each in log(memory) if each.operation == "MERGE")
    assert sorted(merge.before["entities"], key=str) == sorted([entity_image(zora), entity_image(quinn)], key=str)
    assert merge.before["moved"] == [[moved.id, quinn.id, moved.object_id]]


def test_images_go_there_and_back() -> None:
    """A fact with its successions and an entity are read from their images as they were."""
    ann, oslo = entity("Ann", aliases=("A.",)), entity("Oslo")
    home = fact(
        ann, "LIVES_IN", oslo, valid_from=Moment.parse("2020-05"), valid_to=Moment.parse("2021-01-02T03:04:05Z")
    )
    retired = fact(ann, "LIVES_IN", oslo, retired_at=day("2024-07-01T10:00:00.123456Z"), evidence=("m_1", "m_2"))
    end = Succession(fact_id=home.id, successor_id=None, reason="so", decided_by="rule", at=AT)
    for each in (home, retired):
        assert fact_as(home, fact_image(each)) == each
    assert successions_of(fact_image(home, [end])) == [end]
    assert successions_of(fact_image(home)) == []
    assert entity_as(oslo, {**entity_image(ann), "id": oslo.id}, AT).names == ann.names


def test_exports_and_copies_take_them_along(memory: Memory, tmp_path: Path) -> None:
    """A decision that was exported or copied can be undone as before; an old export is read without."""
    memory.add_triples([triple("Ann", "lives_in", city) for city in ("Oslo", "Rome")], **U)
    lines = list(export_lines(memory.store))
    exported, copied = SqliteStore(tmp_path / "exported.db"), SqliteStore(tmp_path / "copied.db")
    import_lines(exported, lines)
    copy(memory.store, copied)
    for store in (exported, copied):
        assert store.log(ANN, 10) == memory.store.log(ANN, 10)
        assert store.log(ANN, 10)[0].before["facts"]
        store.close()


def test_exports_of_before_are_read(memory: Memory, tmp_path: Path) -> None:
    """A decision without an image is read as one that is known to have changed nothing."""
    memory.add_triples([triple("Ann", "likes", "tea")], **U)
    (made,) = facts(memory)
    image = f',"before":{{"created_facts":["{made.id}"]}}'
    lines = [line.replace(image, "") for line in export_lines(memory.store)]
    assert not any("before" in line for line in lines)
    store = SqliteStore(tmp_path / "old.db")
    import_lines(store, lines)
    assert [dict(each.before) for each in store.log(ANN, 10)] == [{}]
    store.close()


def test_a_later_observation_is_seen(memory: Memory) -> None:
    """A state that was observed again is kept with the day before, which undoing restores."""
    memory.add_triples([triple("Ann", "lives_in", "Oslo", observed="2024-03-05")], **U)
    (before,) = facts(memory)
    memory.add_triples([triple("Ann", "lives_in", "Oslo", observed="2024-04-01", planned_for="2025")], **U)
    (after,) = facts(memory)
    assert (str(after.observed), str(after.planned_for)) == ("2024-04-01", "2025")
    last = log(memory)[-1]
    assert last.before["facts"] == [fact_image(before)]
    memory.undo(last.id, **U)
    assert facts(memory) == (before,)


def test_types_come_back_with_an_undone_merge(memory: Memory) -> None:
    """Someone of no known type who was merged with a dog by mistake is no dog any more."""
    memory.add_triples(
        [
            triple("Annie", "likes", "tea", subject_type=""),
            triple("Pepper", "likes", "walks", subject_type="dog"),
        ],
        **U,
    )
    merged = memory.merge("Annie", "Pepper", **U)
    memory.undo(merged.id, **U)
    assert {name: memory.entity(name, **U).type for name in ("Annie", "Pepper")} == {"Annie": "", "Pepper": "dog"}
