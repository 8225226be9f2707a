import pytest

from mem0g.resolve.blocking import name_queries, other_names, other_tokens
from mem0g.resolve.names import parse
from tests.making import triple


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("United Nations", "organisation", {"un"}),
        ("House of Commons", "organisation", {"hoc", "hc"}),
        ("Siam", "place", {"siam", "the siam", "thailand", "the thailand", "kingdom of thailand"}),
        ("Anna Berg", "person", set()),
        ("camping trip", "event", set()),
    ],
)
def test_other_names(name: str, kind: str, expected: set[str]) -> None:
    """A thing's acronym and a place's other names; people have no acronyms, common nouns have none."""
    found = other_names(parse(name), kind)
    assert found >= expected
    assert found or not expected


@pytest.mark.parametrize(
    ("name", "kind", "token"),
    [("Liz", "person", "elizabeth"), ("Robert Berg", "person", "bob"), ("Dr. Bob Berg", "", "robert")],
)
def test_other_tokens(name: str, kind: str, token: str) -> None:
    """What else a person may be called, from the short form and from the full one."""
    assert token in other_tokens(parse(name), kind)


@pytest.mark.parametrize(
    ("name", "kind"), [("Robert", "place"), ("Liz's dog", "animal"), ("rob", "person"), ("Zbigniew", "person")]
)
def test_no_other_tokens(name: str, kind: str) -> None:
    """Places, what is somebody's, common nouns and names without a usual short form."""
    assert other_tokens(parse(name), kind) == frozenset()


def test_queries_name_what_to_look_up() -> None:
    """Each distinct name is asked for once, with all folded names to look up and the tokens of the thing itself."""
    jon = triple("Jon", "opened", "dance studio", subject_type="person", object_type="business")
    gina = triple("Gina", "visited", "Dance  studio", subject_type="person", object_type="business")
    friends = triple("Gina", "met", "her friends", subject_type="person", object_type="person")
    found = {query.name: query for query in name_queries([jon, gina, friends])}
    assert list(found) == ["Jon", "dance studio", "Gina", "Gina's friends"]
    assert {"dance studio", "the dance studio", "jon's dance studio", "gina's dance studio"} <= set(
        found["dance studio"].names
    )
    assert found["Gina's friends"].tokens == {"friends"}
    assert all(list(query.names) == sorted(query.names) for query in found.values())


def test_queries_of_a_part_are_among_those_of_all() -> None:
    """What a part of the triples asks for does not depend on the others."""
    one, two = triple("Jon", "met", "her friends"), triple("Gina", "likes", "her friends")
    assert {query.name for query in name_queries([two])} <= {query.name for query in name_queries([one, two])}


def test_links_are_asked_for_where_a_rule_may_use_them() -> None:
    """Events, organisations and what has an owner; and names that share a word with one of these."""
    ran = triple("Ann Berg", "ran", "spring race", subject_type="person", object_type="event")
    bought = triple("Ann Berg", "bought", "race bike", subject_type="person", object_type="bike")
    met = triple("Ann Berg", "met", "Bo's sister", subject_type="person", object_type="person")
    found = {query.name: query.around for query in name_queries([ran, bought, met])}
    assert found == {"Ann Berg": False, "spring race": True, "race bike": True, "Bo's sister": True}


def test_two_names_of_one_thing_are_asked_for_alike() -> None:
    """What links one of two names that are said to be of one thing may link the other."""
    known = triple("the shop", "also known as", "Blue", subject_type="company", object_type="thing")
    assert {query.name: query.around for query in name_queries([known])} == {"the shop": True, "Blue": True}
