import pytest

from mem0g.resolve.evidence.people import (
    are_two_people,
    by_length,
    generation,
    is_nickname,
    is_part_of_person,
    parts_of,
)
from mem0g.resolve.names import parse


def is_part(one: str, two: str) -> bool:
    return is_part_of_person(*by_length(parse(one), parse(two)))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Dr. Anna Berg", ("anna", "berg")),
        ("President Berg", ("berg",)),
        ("Stephen King", ("stephen", "king")),
        ("King", ("king",)),
        ("Lars Berg Jr.", ("lars", "berg")),
        ("Émile Zola", ("emile", "zola")),
        ("瑞秋·格林", ("瑞秋", "格林")),
    ],
)
def test_parts(name: str, parts: tuple[str, ...]) -> None:
    """Titles in front, generations behind and accents are no part of a name; a name that is a title stays."""
    assert parts_of(parse(name)) == parts


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Prince Harry", "Harry"),
        ("von der Esch", "Carl Gösta Björn Joachim von der Esch"),
        ("Esch", "Carl Gösta Björn Joachim von der Esch"),
        ("Pacheco", "Gregorio Pacheco Leyes"),
        ("Jefferson Madeira", "Jefferson Madeira da Silva"),
        ("N. C. Wyeth", "Newell Convers Wyeth"),
        ("Mahathir", "Mahathir bin Mohamad"),
        ("小明", "王小明"),
        ("王先生", "王小明"),
        ("小王", "王明"),
        ("阿乔", "乔伊"),
        ("安", "安妮"),
        ("格林小姐", "瑞秋·格林"),
        ("瑞秋", "瑞秋·格林"),
    ],
)
def test_part_of_a_name(short: str, long: str) -> None:
    """Given, family and middle names, initials, titles and familiar forms go with the full name, in Chinese too."""
    assert is_part(short, long)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("de", "Zack de la Rocha"),
        ("Ferdinand", "Ferdinand I"),
        ("先生", "崔先生"),
        ("老兄", "兄弟"),
        ("李明", "李明博"),
        ("他", "他们"),
        ("Anna", "Anna and Bo"),
    ],
)
def test_no_part_of_a_name(one: str, two: str) -> None:
    """Particles, kings of one name, bare titles, words for anybody and lists of people are no part of a name."""
    assert not is_part(one, two)


@pytest.mark.parametrize(
    ("short", "long", "expected"),
    [
        ("Liz", "Elizabeth", True),
        ("Bob Berg", "Robert Berg", True),
        ("Joe", "Joey", True),
        ("Bob Berg", "Robert Moe", False),
        ("Anna", "Annabel", False),
        ("Tim", "Tim and John", False),
        ("Bob", "Roberta", False),
    ],
)
def test_nicknames(short: str, long: str, expected: bool) -> None:
    """A given name and what its bearer is called, with the same family name if both have one."""
    assert is_nickname(parse(short), parse(long)) is expected


def test_two_people() -> None:
    """Full names that share a part and go on differently, and father and son; not a nickname, nor a slip of the pen."""
    assert are_two_people(parse("Anna Berg"), parse("Anna Moe"))
    assert are_two_people(parse("George Bush Sr."), parse("George Bush Junior"))
    assert not are_two_people(parse("Bob Berg"), parse("Robert Berg"))
    assert not are_two_people(parse("Zachary Berg"), parse("Zakhary Berg"))
    assert generation(parse("Henry VIII")) == "viii"
    assert generation(parse("Junior")) == ""
