import pytest

from mem0g.resolve.evidence.comparison import contradiction, evidence_for, objection, states_alias
from mem0g.resolve.names import parse


@pytest.mark.parametrize(
    ("one", "two", "kind", "rule", "better"),
    [
        ("Caroline", "Caroline Miller", "person", "part of the name", "Caroline Miller"),
        ("Lars Berg", "Lars T. Berg", "person", "part of the name", "Lars T. Berg"),
        ("L. Berg", "Lars Berg", "person", "part of the name", "Lars Berg"),
        ("Mr. Berg", "Lars Berg", "person", "part of the name", "Lars Berg"),
        ("Liz", "Elizabeth Moe", "person", "nickname", "Elizabeth Moe"),
        ("Liz", "Elizabeth", "person", "nickname", "Elizabeth"),
        ("Apple", "Apple Inc.", "organisation", "part of the name", "Apple Inc."),
        ("CS:GO", "Counter-Strike: Global Offensive", "work", "acronym", "Counter-Strike: Global Offensive"),
        ("UN", "United Nations", "organisation", "acronym", "United Nations"),
        ("PTA", "parent teacher association", "organisation", "acronym", "parent teacher association"),
        ("USA", "the United States of America", "place", "name of the place", "the United States of America"),
        ("Siam", "Thailand", "place", "name of the place", "Thailand"),
        ("Mara", "Mara River", "place", "the place with its kind", "Mara River"),
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
        assert objection(parse(first), parse(second), kind) is None


@pytest.mark.parametrize(
    ("one", "two", "kind", "rule"),
    [
        ("Lórien", "Lorien", "place", "spelling"),
        ("Tobolsk", "Tobolesk", "place", "misspelling"),
        ("World War 2", "Second World War", "event", "number in letters"),
        ("5 May 1990", "May 5th, 1990", "idea", "the same date"),
    ],
)
def test_another_spelling(one: str, two: str, kind: str, rule: str) -> None:
    """Of two spellings of one name the known one stays."""
    for new, known in ((one, two), (two, one)):
        found = evidence_for(parse(new), parse(known), kind)
        assert found is not None
        assert (found.rule, found.better.text) == (rule, known)
        assert objection(parse(new), parse(known), kind) is None


@pytest.mark.parametrize(
    ("new", "known", "kind"),
    [
        ("The Wolves", "Minnesota Wolves", "organisation"),
        ("Square", "Square Enix", "organisation"),
        ("Oxford", "University of Oxford", "organisation"),
        ("Berg", "Lars Berg", "person"),
    ],
)
def test_a_shortened_name_comes_second(new: str, known: str, kind: str) -> None:
    """Who spoke of Square Enix may go on with Square; who knows a Square, or a Berg, need not hear of the same."""
    found = evidence_for(parse(new), parse(known), kind)
    assert found is not None
    assert (found.rule, found.better.text) == ("part of the name", known)
    assert evidence_for(parse(known), parse(new), kind) is None


def test_a_shortened_name_of_the_same_kind() -> None:
    """Square Enix shortened is a company; of something else called Square nothing is known."""
    square, enix = parse("Square"), parse("Square Enix")
    assert evidence_for(square, enix, "organisation", same_kind=False) is None


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("Anna Berg", "Anna Moe", "person"),
        ("Anna", "Annabel Lee", "person"),
        ("Lars Berg", "Lars Berg Moe Dahl", "place"),
        ("Lars Berg", "Tom Lars Berg Moe", "person"),
        ("Lars Berg", "Lars Berg Jr.", "person"),
        ("Tim", "Tim and John", "person"),
        ("Melanie", "Melanie at the time of her wedding", "person"),
        ("Mary", "Aunt Mary", "person"),
        ("Paris", "Paris Hilton", ""),
        ("Harry Potter", "Harry Potter and the Philosopher's Stone", "work"),
        ("Boston", "Boston Celtics", "place"),
        ("Mexico", "Mexico City", "place"),
        ("Cook", "Cook County", "place"),
        ("University", "Boston University", "organisation"),
        ("US", "United Nations", "organisation"),
        ("Danish", "Sweden", "place"),
        ("Jon's dog Tilly", "Tilly", "person"),
        ("screenplay", "first full screenplay", "work"),
        ("us", "America", "place"),
    ],
)
def test_no_evidence(one: str, two: str, kind: str) -> None:
    """Strings that show nothing, or not enough."""
    assert evidence_for(parse(one), parse(two), kind) is None


def test_what_the_text_says() -> None:
    """A text that gives one name as the other's is sure evidence, whatever the strings look like."""
    text = "Cobh, formerly known as Queenstown, has a harbour."
    found = evidence_for(parse("Queenstown"), parse("Cobh"), "place", text)
    assert found is not None
    assert (found.rule, found.better.text, found.sure) == ("said to be the same", "Cobh", True)
    assert evidence_for(parse("Queenstown"), parse("Cobh"), "place") is None
    assert evidence_for(parse("Queenstown"), parse("Cobh"), "place", text, same_kind=False) is None


@pytest.mark.parametrize(
    ("text", "one", "two", "kind"),
    [
        ("Derek Shepherd (Patrick Dempsey) is a surgeon.", "Derek Shepherd", "Patrick Dempsey", "person"),
        ("She moved to Altamira (Venezuela).", "Altamira", "Venezuela", "place"),
    ],
)
def test_brackets_may_say_something_else(text: str, one: str, two: str, kind: str) -> None:
    """Behind a person stands who plays them, behind a place the country it is in."""
    assert evidence_for(parse(two), parse(one), kind, text) is None


@pytest.mark.parametrize(
    ("one", "two", "why"),
    [
        ("Jolene's mom", "Jolene's dad", "role"),
        ("4th tournament", "5th tournament", "number"),
        ("trip in June", "trip in July", "date"),
        ("trip in June", "trip", "date"),
        ("1998 World Cup", "2002 World Cup", "number"),
        ("May 1990", "5 May 1990", "date"),
        ("World War I", "World War II", "full name"),
        ("art show", "art shows", "head"),
        ("camping trip", "camping tent", "head"),
        ("Anna Berg", "Anna Moe", "full name"),
        ("Lars Berg Jr.", "Lars Berg Sr.", "full name"),
        ("Mr. Berg", "Mrs. Berg", "title"),
        ("王先生", "王太太", "title"),
        ("Mexico", "Scotland", "place"),
    ],
)
def test_objections(one: str, two: str, why: str) -> None:
    """Another role, number, date, head noun (a plural too), full name, title or known place speaks against it."""
    assert why in (objection(parse(one), parse(two)) or "")
    assert why in (objection(parse(two), parse(one)) or "")


def test_names_made_of_colours_and_months() -> None:
    """Green and April in a person's name set nothing apart, in a thing's name they do; numbers always do."""
    rachel, green = parse("Rachel"), parse("Rachel Green")
    assert contradiction(rachel, green, "person") is None
    assert contradiction(rachel, green, "thing") is not None
    assert contradiction(parse("Agent Berg"), parse("Agent 7 Berg"), "person") is not None
    assert objection(parse("EAF"), parse("East Asia Forum"), "organisation") is None


def test_equal_names_meet_no_objection() -> None:
    """A name does not object to itself, however it is spelled."""
    assert objection(parse("the 4th Tournament"), parse("4th tournament")) is None
    assert objection(parse("1990-05-05"), parse("5 May 1990")) is None
    assert objection(parse("book-club"), parse("Bookclub")) is None


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
    assert states_alias(text, one, two, in_brackets=True)
    assert states_alias(text, two, one, in_brackets=True)


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
    assert not states_alias(text, one, two, in_brackets=True)


def test_brackets_where_they_say_nothing() -> None:
    """A bare name in brackets counts only where it is asked for; with a word of its own it always does."""
    assert not states_alias("Derek (Patrick) came.", "Derek", "Patrick", in_brackets=False)
    assert states_alias("Derek (also called Patrick) came.", "Derek", "Patrick", in_brackets=False)
