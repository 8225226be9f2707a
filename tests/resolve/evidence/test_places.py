import pytest

from mem0g.resolve.evidence.places import (
    are_one_place,
    are_two_places,
    is_part_of_organisation,
    is_place,
    is_place_and_kind,
)
from mem0g.resolve.names import parse


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


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("The Wolves", "Minnesota Wolves"),
        ("Epic", "Epic Records"),
        ("Blue Note", "Blue Note Records"),
        ("Oxford", "University of Oxford"),
        ("House of Commons", "House of Commons of Canada"),
        ("Rage", "Rage Against the Machine"),
    ],
)
def test_shortened(short: str, long: str) -> None:
    """Its last words, its first word, or its name without its kind stand for an organisation that was spoken of."""
    assert is_part_of_organisation(parse(short), parse(long), shortened=True)
    assert not is_part_of_organisation(parse(short), parse(long), shortened=False)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("University", "Boston University"),
        ("Google Play", "Google Play Music Awards"),
        ("Norway", "Church of Norway"),
        ("Japan", "Japan Airlines"),
        ("Apple", "Apple"),
    ],
)
def test_not_shortened(short: str, long: str) -> None:
    """A common noun, a part that has a name of its own, and a country do not stand for an organisation."""
    assert not is_part_of_organisation(parse(short), parse(long), shortened=True)


def test_legal_forms() -> None:
    """Inc. and Ltd. add nothing to a name, whichever was said first."""
    assert is_part_of_organisation(parse("Apple"), parse("Apple Inc."), shortened=False)


@pytest.mark.parametrize(
    ("short", "long", "expected"),
    [
        ("Mara", "Mara River", True),
        ("Shetland", "Shetland Islands", True),
        ("Mississippi", "Mississippi River", False),
        ("Cook", "Cook County", False),
        ("Mara", "Mara", False),
    ],
)
def test_place_and_kind(short: str, long: str, expected: bool) -> None:
    """A river or islands may go without the word; a state is not the river of its name, a town not the county."""
    assert is_place_and_kind(parse(short), parse(long)) is expected
