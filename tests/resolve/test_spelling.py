import pytest

from mem0g.resolve.names import parse
from mem0g.resolve.spelling import is_misspelled, is_same_but_for_number, is_same_spelling, plain


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
