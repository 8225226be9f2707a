import pytest

from mem0g.resolve.apposition import said_to_be_one


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        ("The Latin School (LASM) opened.", "Latin School", "LASM"),
        ("The Latin School ( LASM ) , formerly Latin Academy , opened.", "LASM", "Latin Academy"),
        ("Cobh, formerly known as Queenstown, lies in the south.", "Cobh", "Queenstown"),
        ("He left Kristiania (now Oslo) in May.", "Kristiania", "Oslo"),
        ("Klamath Falls was originally named Linkville.", "Klamath Falls", "Linkville"),
        ("Carey School, also referred to as CSchool or simply Carey, is old.", "Carey School", "Carey"),
        ('"Direction of Endeavour", known as "The Manifesto", was signed.', "Direction of Endeavour", "The Manifesto"),
        ("Zevs (born Christophe Schwarz on 17 November) paints.", "Zevs", "Christophe Schwarz"),
        ("Debub Gondar (Amharic: ደቡብ ጎንደር) (or South Gondar) is a zone.", "Debub Gondar", "South Gondar"),
        ("Ali Moradi (Kurdish Elî, عەلی ; born 1957) sings.", "Ali Moradi", "عەلی"),
        ("Olivia, who is called Liv, came.", "Olivia", "Liv"),
        ("Her dog, named Rex, barks.", "dog", "Rex"),
    ],
)
def test_one_name_for_another(text: str, one: str, two: str) -> None:
    """Names in brackets, translations, former names and what somebody is called are given as one's, in either order."""
    assert said_to_be_one(text, one, two, in_brackets=True)
    assert said_to_be_one(text, two, one, in_brackets=True)


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        ("Anna called Bob.", "Anna", "Bob"),
        ("Anna then called Bob.", "Anna", "Bob"),
        ("Anna, who later called Bob, slept.", "Anna", "Bob"),
        ("Anna nicknamed Bob yesterday.", "Anna", "Bob"),
        ("Anna was called by Bob.", "Anna", "Bob"),
        ("Anna was called Bob's friend.", "Anna", "Bob"),
        ("Anna is known to Bob.", "Anna", "Bob"),
        ("Her dog and cat are named Tom and Bo.", "cat", "Tom and Bo"),
        ("Either Anna or Bob comes.", "Anna", "Bob"),
        ("Hampton Roads (Virginia Beach, Norfolk) has a port.", "Hampton Roads", "Virginia Beach"),
        ("The school, known as Carey Business School, is old.", "school", "Carey"),
        ("Savanna, known as Bob, sings.", "anna", "Bob"),
        ("Anna sings.", "Anna", "Bob"),
    ],
)
def test_two_names(text: str, one: str, two: str) -> None:
    """What people do to each other, choices, lists and parts of names say nothing."""
    assert not said_to_be_one(text, one, two, in_brackets=True)


def test_brackets_where_they_say_nothing() -> None:
    """A bare name in brackets counts only where it is asked for; with a word of its own it always does."""
    assert not said_to_be_one("Derek (Patrick) came.", "Derek", "Patrick", in_brackets=False)
    assert said_to_be_one("Derek (also called Patrick) came.", "Derek", "Patrick", in_brackets=False)
