import pytest

from mem0g.resolve.dates import is_same_date
from mem0g.resolve.names import parse


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("5 May 1990", "May 5, 1990"),
        ("5 May 1990", "the 5th of May 1990"),
        ("May 5 , 1990", "1990-05-05"),
        ("Sept. 3", "3rd September"),
        ("May 1990", "May, 1990"),
    ],
)
def test_one_date(one: str, two: str) -> None:
    """A day, a month or a year in any usual form."""
    assert is_same_date(parse(one), parse(two))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("5 May 1990", "6 May 1990"),
        ("May 1990", "5 May 1990"),
        ("5 May", "5 May 1990"),
        ("1990", "1991"),
        ("May", "May"),
        ("dinner on 5 May", "dinner on 5 May"),
        ("May 1990 trip", "May 1990"),
    ],
)
def test_no_date_or_another(one: str, two: str) -> None:
    """Another day, a date that says more, and names that are no dates."""
    assert not is_same_date(parse(one), parse(two))
