import pytest

from mem0g.resolve.blocking import name_queries
from mem0g.resolve.mentions import mentions
from tests.making import triple


@pytest.mark.parametrize(
    ("given", "object_type", "name"),
    [
        ("her friends", "person", "Caroline's friends"),
        ("My dog", "animal", "Caroline's dog"),
        ("his old car", "thing", "Caroline's old car"),
        ("mom", "person", "Caroline's mom"),
        ("the kids", "person", "Caroline's kids"),
        ("friends and family", "group", "Caroline's friends and family"),
        ("family", "", "Caroline's family"),
        ("family", "concept", "family"),
        ("mom", "role", "mom"),
        ("Friends", "tv show", "Friends"),
        ("My Little Pony", "tv show", "My Little Pony"),
        ("a sister", "person", "a sister"),
        ("studio", "place", "studio"),
        ("Melanie", "person", "Melanie"),
    ],
)
def test_owner_first(given: str, object_type: str, name: str) -> None:
    """In a fact about Caroline, "her", bare kin and close ones are hers; proper names and other kinds are not."""
    about_caroline = triple("Caroline", "likes", given, subject_type="person", object_type=object_type)
    assert mentions(about_caroline)[1].name == name


def test_owner_of_a_subject() -> None:
    """A subject with a possessive belongs to the person that is the object."""
    assert mentions(triple("her mom", "visited", "Caroline", object_type="person"))[0].name == "Caroline's mom"


@pytest.mark.parametrize(
    ("subject", "subject_type"), [("I", "person"), ("the studio", "place"), ("her sister", "person")]
)
def test_no_owner_to_put_first(subject: str, subject_type: str) -> None:
    """Where the other end is no person with a name, a possessive stays as it is."""
    assert mentions(triple(subject, "likes", "her friends", subject_type=subject_type))[1].name == "her friends"


def test_owners_own_chain() -> None:
    """What belongs to Caroline's mom is said to be hers."""
    about_mom = triple("Caroline's mom", "loves", "her dog", subject_type="person")
    assert mentions(about_mom)[1].name == "Caroline's mom's dog"


@pytest.mark.parametrize(
    ("speakers", "names"),
    [
        (["Anna Moe", "assistant"], ["Anna Moe", "Anna Moe's friends"]),
        (["Anna Moe", "Bo"], ["I", "my friends"]),
        (["assistant"], ["I", "my friends"]),
        ([], ["I", "my friends"]),
    ],
)
def test_who_i_am(speakers: list[str], names: list[str]) -> None:
    """ "I" is who speaks, and what is mine is theirs, where one person speaks; that name is looked up."""
    fact = triple("I", "like", "my friends", subject_type="person", object_type="person")
    assert [each.name for each in mentions(fact, speakers)] == names
    assert [query.name for query in name_queries([fact], speakers)] == names


def test_the_self_is_nobody() -> None:
    """What is no person is not who speaks."""
    assert mentions(triple("Bo", "studies", "self", object_type="concept"), ["Bo"])[1].name == "self"


def test_a_relative_who_speaks_is_that_speaker() -> None:
    """In an export where somebody speaks as Dad, "Dad" beside another name is no relative of that name."""
    finished = triple("Dad", "finished", "The Overstory", subject_type="person")
    assert mentions(finished, ("Dad", "Ann"))[0].name == "Dad"


@pytest.mark.parametrize(("relation", "dated"), [("ran", True), ("signed_up_for", False), ("plans_to_run", False)])
def test_the_day_of_an_event_is_not_that_of_signing_up(relation: str, dated: bool) -> None:
    """The race is in April: that somebody signed up for it in February, or planned it then, makes it no other race."""
    (_, race) = mentions(triple("Ben", relation, "the half marathon", valid_from="2024-02-02"))
    assert (race.date is not None) == dated
