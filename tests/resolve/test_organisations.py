import pytest

from mem0g.resolve.names import parse
from mem0g.resolve.organisations import is_part_of_organisation, is_place_and_kind


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
