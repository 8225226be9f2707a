from pathlib import Path

from mem0g import Memory
from mem0g.names import fold
from mem0g.resolve.protocol import Candidate
from mem0g.resolve.resolver import Resolver
from mem0g.testing import HashingEmbedder
from tests.making import entity, triple

BO, ANN = entity("Bo", type="person"), entity("Ann", type="person")
PETITION, FESTIVAL = entity("petition for veterans", type="document"), entity("nearby festival", type="event")
CANDIDATES = {fold(each.name): [Candidate(each, 1)] for each in (BO, ANN)}


def test_what_is_asked_of_the_facts() -> None:
    """Only pairs of a thing that a name may mean and of whom it is told, each once; not what strings tell apart."""
    told = [
        triple("Bo", "visited", "the festival", subject_type="person", object_type="event"),
        triple("Bo", "liked", "festival", subject_type="person", object_type="event"),
        triple("Ann", "signed", "the petition", subject_type="person", object_type="document"),
    ]
    known = [Candidate(PETITION, 0.8), Candidate(FESTIVAL, 0.8)]
    candidates = {**CANDIDATES, **dict.fromkeys(("the petition", "the festival", "festival"), known)}
    assert Resolver().links(told, candidates) == ((FESTIVAL.id, BO.id),)


def test_the_owner_is_asked_for() -> None:
    """Of somebody's studio it matters whether the one that is known was told of the owner, not of who visits it."""
    studio = entity("studio", type="business")
    told = [triple("Ann", "visited", "Bo's studio", subject_type="person", object_type="business")]
    candidates = {**CANDIDATES, "bo's studio": [Candidate(studio, 0.8)]}
    assert Resolver().links(told, candidates) == ((studio.id, BO.id),)


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
