import pytest

from mem0g.resolve.names import parse
from mem0g.resolve.places import are_one_place, are_two_places, is_place


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("the U.S.", "America"),
        ("U. S.", "the United States of America"),
        ("the People's Republic of China", "PRC"),
        ("Côte d'Ivoire", "Ivory Coast"),
        ("Washington, D.C.", "DC"),
    ],
)
def test_one_place(one: str, two: str) -> None:
    """Names of one place in any spelling, with points and accents or without."""
    assert are_one_place(parse(one), parse(two))
    assert not are_two_places(parse(one), parse(two))


def test_two_places() -> None:
    """Known places of different names are two; of what is not known nothing is said."""
    assert are_two_places(parse("Mexico"), parse("New Mexico"))
    assert not are_two_places(parse("Mexico"), parse("Mexico City"))
    assert not are_one_place(parse("Mexico"), parse("Mexico City"))


def test_words_that_are_no_places() -> None:
    """Short names are places in capitals only."""
    assert is_place(parse("US"))
    assert not is_place(parse("us"))
    assert not is_place(parse("my kitchen"))
