"""What the matching rules do to a graph: which nodes they join, and which they keep apart."""

from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.errors import InputError
from mem0g.model import Triple
from mem0g.resolve.match_context import Match, MatchContext
from mem0g.resolve.resolver import Resolver
from mem0g.resolve.rules import DEFAULT_RULES, match_same_name
from mem0g.testing import HashingEmbedder
from tests.making import triple
from tests.resolve.world import World, rules


def mentioned(name: str, kind: str, text: str = "") -> Triple:
    return triple(
        "Bo", "mentioned", name, text=text or f"Bo mentioned {name}.", subject_type="person", object_type=kind
    )


def joined(world: World, one: Triple, two: Triple) -> bool:
    (_, first), (_, second) = world.resolve(one, two).ends
    return first == second


@pytest.mark.parametrize(
    ("known", "name", "kind", "rule"),
    [
        ("Rachel Green", "Rach", "person", "nickname"),
        ("April Berg", "Berg", "person", "part of the name"),
        ("Rage Against the Machine", "Rage", "band", "part of the name"),
        ("World Health Organization", "WHO", "organization", "acronym"),
        ("the U.S.", "America", "country", "name of the place"),
        ("1990-05-05", "5 May 1990", "date", "the same date"),
        ("Second World War", "World War II", "event", "number in letters"),
    ],
)
def test_joined_by_their_strings(known: str, name: str, kind: str, rule: str) -> None:
    """Two names that show one thing become one node, by which rule; the store finds the one for the other."""
    world = World()
    world.resolve(mentioned(known, kind))
    assert rules(world.resolve(mentioned(name, kind))) == [rule]


def test_joined_by_the_text() -> None:
    """What a sentence says of two names joins them, even where their strings object to each other."""
    text = "He left Western Avenue (also known as U.S. Route 20)."
    assert joined(World(), mentioned("Western Avenue", "street"), mentioned("U.S. Route 20", "street", text))
    assert not joined(World(), mentioned("Western Avenue", "street"), mentioned("U.S. Route 20", "street"))
    assert not joined(World(), mentioned("Western Avenue", "street"), mentioned("U.S. Route 20", "book", text))


def test_the_surest_wins() -> None:
    """Where one node has the name in another spelling and others merely share a part, the spelling decides."""
    world = World()
    world.resolve(mentioned("Cafe Blau", "company"), mentioned("Munich Café Blau", "company"))
    assert rules(world.resolve(mentioned("Café Blau", "company"))) == ["spelling"]
    assert ("Munich Café Blau",) in world.names


def test_two_who_speak_are_two() -> None:
    """Sam and Samantha who talk to each other are two people; where only Bo talks they are one."""
    samantha, sam = mentioned("Samantha", "person"), mentioned("Sam", "person")
    assert not joined(World("Sam", "Samantha"), samantha, sam)
    assert joined(World("Bo"), samantha, sam)


def test_queries_ask_for_what_else_it_may_be_called() -> None:
    """A name is looked up under the nicknames, acronyms and other names it may be stored under."""
    (_, rach), (_, who) = (
        Resolver().queries([mentioned(name, kind)])
        for name, kind in (("Rach", "person"), ("The World Health Organization", "group"))
    )
    assert "rachel" in rach.tokens
    assert "who" in who.names


def test_facts_of_earlier_windows(tmp_path: Path) -> None:
    """The festival in a later fact about Bo is the one that an earlier fact links to him; Ann means another."""
    event = {"subject_type": "person", "object_type": "event"}
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(256), extractor="none") as memory:
        memory.add_triples([triple("Bo", "visited", "nearby festival", **event)], user_id="u")
        memory.add_triples([triple("Bo", "liked", "the festival", **event)], user_id="u")
        memory.add_triples([triple("Ann", "visited", "the festival of lights", **event)], user_id="u")
        names = {each.name: each.aliases for each, _ in memory.entities(user_id="u")}
    assert names["nearby festival"] == ("the festival",)
    assert "the festival of lights" in names


def match_everything(context: MatchContext) -> Match | None:
    """Match any mention with the first candidate."""
    for entity, cosine in context.candidates:
        return Match(entity_id=entity.id, rule="everything", reason="a test", score=cosine)
    return None


def match_nobody(context: MatchContext) -> Match | None:
    """Match any mention with an entity that does not exist."""
    return Match(entity_id="e_nobody", rule="nobody", reason=context.mention.name)


def test_an_own_rule_goes_first() -> None:
    """The first of the resolver's rules that returns a match decides; its name and reason are logged."""
    triples = [mentioned("Oslo", "city"), mentioned("Lima", "city")]
    assert rules(World().resolve(*triples)) == []
    own = World(rules=(match_everything, *DEFAULT_RULES)).resolve(mentioned("Oslo", ""), mentioned("Lima", ""))
    assert set(rules(own)) == {"everything"}
    assert {each.reason for each in own.decisions} == {"a test"}
    assert World(rules=(*DEFAULT_RULES, match_everything)).resolve(*triples[:1], *triples[:1]).decisions == ()


def test_rules_can_be_left_out() -> None:
    """Without rules each mention is a new entity; with one rule, only that rule joins."""
    same = [mentioned("Oslo", "city"), mentioned("Oslo", "city")]
    assert len(World(rules=()).resolve(*same).created) == 4
    assert len(World(rules=[match_same_name]).resolve(*same).created) == 2


def test_a_rule_that_returns_no_candidate() -> None:
    """An entity that the resolver does not know is an error that names it and the rule."""
    with pytest.raises(InputError, match="'nobody' returned the unknown entity 'e_nobody'"):
        World(rules=[match_nobody]).resolve(mentioned("Oslo", "city"))
