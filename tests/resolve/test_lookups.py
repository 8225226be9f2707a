import pytest

from mem0g.resolve.lookups import other_names, other_tokens
from mem0g.resolve.names import parse


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("United Nations", "organisation", {"un"}),
        ("House of Commons", "organisation", {"hoc", "hc"}),
        ("Siam", "place", {"siam", "the siam", "thailand", "the thailand", "kingdom of thailand"}),
        ("Anna Berg", "person", set()),
        ("camping trip", "event", set()),
    ],
)
def test_other_names(name: str, kind: str, expected: set[str]) -> None:
    """A thing's acronym and a place's other names; people have no acronyms, common nouns have none."""
    found = other_names(parse(name), kind)
    assert found >= expected
    assert found or not expected


@pytest.mark.parametrize(
    ("name", "kind", "token"),
    [("Liz", "person", "elizabeth"), ("Robert Berg", "person", "bob"), ("Dr. Bob Berg", "", "robert")],
)
def test_other_tokens(name: str, kind: str, token: str) -> None:
    """What else a person may be called, from the short form and from the full one."""
    assert token in other_tokens(parse(name), kind)


@pytest.mark.parametrize(
    ("name", "kind"), [("Robert", "place"), ("Liz's dog", "animal"), ("rob", "person"), ("Zbigniew", "person")]
)
def test_no_other_tokens(name: str, kind: str) -> None:
    """Places, what is somebody's, common nouns and names without a usual short form."""
    assert other_tokens(parse(name), kind) == frozenset()
