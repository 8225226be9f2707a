from pathlib import Path

from mem0g import Memory
from mem0g.testing import HashingEmbedder
from tests.making import triple


def test_facts_of_earlier_windows(tmp_path: Path) -> None:
    """What a memory was told of Bo before is what he means later; what Ann means is another."""
    event = {"subject_type": "person", "object_type": "event"}
    with Memory.open(tmp_path / "told.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add_triples([triple("Bo", "visited", "nearby festival", **event)], user_id="u")
        memory.add_triples([triple("Bo", "liked", "the festival", **event)], user_id="u")
        memory.add_triples([triple("Ann", "visited", "the festival of lights", **event)], user_id="u")
        names = {each.name: each.aliases for each, _ in memory.entities(user_id="u")}
    assert names["nearby festival"] == ("the festival",)
    assert "the festival of lights" in names
