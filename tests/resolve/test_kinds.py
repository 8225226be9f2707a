import pytest

from mem0g.resolve.kinds import GROUP, ORGANISATION, PERSON, PLACE, UNKNOWN, common, compatible, kind_of


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("person", PERSON),
        ("Person", PERSON),
        ("fictional character", PERSON),
        ("SportsTeam", ORGANISATION),
        ("sports teams", ORGANISATION),
        ("stuffed animal", "thing"),
        ("book genre", "idea"),
        ("cities", PLACE),
        ("LOC", PLACE),
        ("zxq", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_kinds_of_types(type_name: str, kind: str) -> None:
    """The last known word of a type tells its kind; an unknown type has none."""
    assert kind_of(type_name) == kind


def test_what_may_be_one() -> None:
    """Equal and often confused kinds go together, an unknown one with all; a person and a place do not."""
    assert compatible(PERSON, PERSON)
    assert compatible(ORGANISATION, PLACE)
    assert compatible(UNKNOWN, PERSON)
    assert not compatible(PERSON, PLACE)


def test_the_common_kind() -> None:
    """Two kinds agree on one as far as known; nothing makes an unknown a person."""
    assert common(PERSON, PERSON) == PERSON
    assert common(GROUP, ORGANISATION) == ORGANISATION
    assert common(UNKNOWN, PLACE) == PLACE
    assert common(UNKNOWN, PERSON) == common(PLACE, ORGANISATION) == UNKNOWN
