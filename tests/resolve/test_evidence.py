import pytest

from mem0g.resolve.evidence import evidence_for, objection
from mem0g.resolve.names import parse


@pytest.mark.parametrize(
    ("one", "two", "kind", "rule", "better"),
    [
        ("Caroline", "Caroline Miller", "person", "part of the name", "Caroline Miller"),
        ("Lars Berg", "Lars T. Berg", "person", "part of the name", "Lars T. Berg"),
        ("L. Berg", "Lars Berg", "person", "part of the name", "Lars Berg"),
        ("Mr. Berg", "Lars Berg", "person", "part of the name", "Lars Berg"),
        ("The Wolves", "Minnesota Wolves", "organisation", "part of the name", "Minnesota Wolves"),
        ("Apple", "Apple Inc.", "organisation", "part of the name", "Apple Inc."),
        ("CS:GO", "Counter-Strike: Global Offensive", "work", "acronym", "Counter-Strike: Global Offensive"),
        ("UN", "United Nations", "organisation", "acronym", "United Nations"),
        ("USA", "the United States of America", "place", "acronym", "the United States of America"),
        ("Swedish", "Sweden", "place", "demonym", "Sweden"),
        ("dog Tilly", "Tilly", "animal", "the thing with its kind", "Tilly"),
        ("Brave by Sara Bareilles", "Brave", "work", "title and more", "Brave"),
        ("Game of Thrones series", "Game of Thrones", "work", "title and more", "Game of Thrones"),
    ],
)
def test_evidence(one: str, two: str, kind: str, rule: str, better: str) -> None:
    """Strings that show one thing, by which rule, and which name is kept; the order of the two does not matter."""
    for first, second in ((one, two), (two, one)):
        found = evidence_for(parse(first), parse(second), kind)
        assert found is not None
        assert (found.rule, found.better.text) == (rule, better)
        assert objection(parse(first), parse(second)) is None


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("Anna Berg", "Anna Moe", "person"),
        ("Anna", "Annabel Lee", "person"),
        ("Lars Berg", "Lars Berg Moe", "person"),
        ("Melanie", "Melanie at the time of her wedding", "person"),
        ("Mary", "Aunt Mary", "person"),
        ("Paris", "Paris Hilton", ""),
        ("Harry Potter", "Harry Potter and the Philosopher's Stone", "work"),
        ("Boston", "Boston Celtics", "place"),
        ("University", "Boston University", "organisation"),
        ("US", "United Nations", "organisation"),
        ("Danish", "Sweden", "place"),
        ("Jon's dog Tilly", "Tilly", "person"),
        ("screenplay", "first full screenplay", "work"),
    ],
)
def test_no_evidence(one: str, two: str, kind: str) -> None:
    """Strings that show nothing, or not enough."""
    assert evidence_for(parse(one), parse(two), kind) is None


@pytest.mark.parametrize(
    ("one", "two", "why"),
    [
        ("Jolene's mom", "Jolene's dad", "role"),
        ("4th tournament", "5th tournament", "number"),
        ("trip in June", "trip in July", "date"),
        ("trip in June", "trip", "date"),
        ("art show", "art shows", "head"),
        ("camping trip", "camping tent", "head"),
        ("Anna Berg", "Anna Moe", "full name"),
        ("Mr. Berg", "Mrs. Berg", "title"),
    ],
)
def test_objections(one: str, two: str, why: str) -> None:
    """Another role, number, date, head noun (a plural too), family name or title speaks against one thing."""
    assert why in (objection(parse(one), parse(two)) or "")
    assert why in (objection(parse(two), parse(one)) or "")


def test_equal_names_meet_no_objection() -> None:
    """A name does not object to itself, however it is spelled."""
    assert objection(parse("the 4th Tournament"), parse("4th tournament")) is None
