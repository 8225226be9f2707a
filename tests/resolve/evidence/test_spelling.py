import pytest

from mem0g.resolve.evidence.spelling import (
    is_acronym,
    is_misspelled,
    is_same_but_for_number,
    is_same_date,
    is_same_spelling,
    plain,
)
from mem0g.resolve.names import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lórien", "lorien"),
        ("Qurʾān", "quran"),
        ("Łódź", "lodz"),
        ("が", "が"),
        ("ビール", "ビール"),
        ("佐々木", "佐々木"),
    ],
)
def test_plain(text: str, expected: str) -> None:
    """Accents and raised letters go; marks that make another letter in their script stay."""
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("Ho-Chunk", "HoChunk", True),
        ("St. Louis", "Saint Louis", True),
        ("Saraaah", "Sarah", True),
        ("Atari, Inc.", "Atari Incorporated", True),
        ("Henry I", "Henry II", False),
        ("Henry II", "Henry III", False),
        ("Paso", "El Paso", False),
        ("Anna's Book", "Bo's Book", False),
        ("!", "?", False),
    ],
)
def test_same_spelling(one: str, two: str, expected: bool) -> None:
    """Equal but for accents, punctuation, spaces, drawn-out letters and usual abbreviations."""
    assert is_same_spelling(parse(one), parse(two)) is expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("Zachary Berg", "Zakhary Berg", True),
        ("Tobolsk", "Tobolesk", True),
        ("Marina", "Martina", False),
        ("Maria Lopez", "Mario Lopez", False),
        ("Christina", "Christine", False),
        ("Zachary Berg", "Zakhary Moe", False),
        ("Version 1234567", "Version 1234067", False),
        ("Vitamin B Complex", "Vitamin C Complex", False),
        ("上海第一人民医院", "上海第二人民医院", False),
    ],
)
def test_misspelled(one: str, two: str, expected: bool) -> None:
    """One letter within one long word; not its first or last, and not a letter, number or character by itself."""
    assert is_misspelled(parse(one), parse(two)) is expected
    assert is_misspelled(parse(two), parse(one)) is expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("World War II", "Second World War", True),
        ("1998 World Cup", "World Cup 1998", True),
        ("World War I", "Second World War", False),
        ("Second World War", "Second Punic War", False),
        ("World War", "War World", False),
        ("II", "2", False),
    ],
)
def test_same_but_for_number(one: str, two: str, expected: bool) -> None:
    """The same words in order and the same number, in letters or figures, wherever it stands."""
    assert is_same_but_for_number(parse(one), parse(two)) is expected


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("CS:GO", "Counter-Strike: Global Offensive"),
        ("NAAFI", "Navy, Army and Air Force Institutes"),
        ("ASEAN", "Association of Southeast Asian Nations"),
        ("AACSB", "Association to Advance Collegiate Schools of Business"),
        ("USA", "the United States of America"),
        ("UNESCO", "United Nations Educational, Scientific and Cultural Organization"),
        ("OMB", "U.S. Office of Management and Budget"),
        ("RCP", "Revolutionary Communist Party, USA"),
        ("ENASA", "Empresa Nacional de Autocamiones S.A."),
        ("WWII", "World War II"),
        ("WW2", "World War II"),
        ("POWs", "prisoners of war"),
        ("EM: HE", "Extreme Makeover: Home Edition"),
        ("N.B.A.", "National Basketball Association"),
    ],
)
def test_acronyms(short: str, long: str) -> None:
    """Beginnings of the words in order, small words, numbers and what stands around the name as wanted."""
    assert is_acronym(parse(short), parse(long))
    assert not is_acronym(parse(long), parse(short))


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Ben", "Big Electric Network"),
        ("US", "United Nations"),
        ("NBA", "Basketball Association"),
        ("NB", "National Basketball Association"),
        ("HELP WANTED", "Hello Everyone Let People Win"),
        ("A", "Apple"),
        ("IBM", "IBM"),
    ],
)
def test_no_acronyms(short: str, long: str) -> None:
    """Words in small letters, letters too few or too many, a single letter, and the name itself are none."""
    assert not is_acronym(parse(short), parse(long))


def test_long_descriptions() -> None:
    """A description of hundreds of words is looked through in no time, and is no name to shorten."""
    assert not is_acronym(parse("AAAAAAAAAA"), parse("a " * 499 + "a"))
    assert not is_acronym(parse("ABABABABAB"), parse("of a b " * 120 + "c"))


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
