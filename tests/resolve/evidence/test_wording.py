import pytest

from mem0g.resolve.evidence.wording import (
    content_words,
    has_same_words,
    is_more_specific,
    is_new,
    is_plural,
    is_same_up_to_head,
)
from mem0g.resolve.names import parse


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("surf", "surfing"),
        ("adoption", "adopting"),
        ("camping trip with family", "family camping trip"),
        ("online clothes store", "online clothing store"),
        ("playing chess", "chess"),
    ],
)
def test_same_words(one: str, two: str) -> None:
    """Words that differ in their endings or their order are the same words."""
    assert has_same_words(parse(one), parse(two))
    assert has_same_words(parse(two), parse(one))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("book", "books"),
        ("story", "stories"),
        ("class", "classes"),
        ("dog house", "house dog"),
        ("camping trip", "trip"),
        ("!?", "..."),
    ],
)
def test_other_words(one: str, two: str) -> None:
    """One and many, another head noun, or a word more are other words."""
    assert not has_same_words(parse(one), parse(two))
    assert not has_same_words(parse(two), parse(one))


@pytest.mark.parametrize(
    ("one", "two", "more"),
    [
        ("guitar", "acoustic guitar", True),
        ("petition", "petition for veterans", True),
        ("love and loyalty", "unconditional love and loyalty", True),
        ("guitar", "guitar strap", False),
        ("dance", "music and dance", False),
        ("acoustic guitar", "red guitar", False),
        ("guitar", "the guitar", False),
    ],
)
def test_says_more(one: str, two: str, more: bool) -> None:
    """A name says more with the same head and more words about it; a list of things, or other words, is no more."""
    assert is_more_specific(parse(one), parse(two)) is more
    assert is_more_specific(parse(two), parse(one)) is more


def test_content() -> None:
    """Small words say nothing, unless there are no others."""
    assert content_words(parse("picture of the family")) == {"picture", "family"}
    assert content_words(parse("The The")) == {"the"}


def test_new_things() -> None:
    """An indefinite article introduces something, and so does a sentence that calls it another one."""
    assert all(is_new(parse(name)) for name in ("a team", "An old car", "some friends"))
    assert not any(is_new(parse(name)) for name in ("the team", "Anna", "team", "a"))
    assert is_new(parse("old car"), "Bo bought another old car.")
    assert not is_new(parse("car"), "Bo bought another old car.")


def test_several_things() -> None:
    """A plural is of several things."""
    assert [is_plural(parse(each)) for each in ("dogs", "class", "bus", "dog")] == [True, False, False, False]


def test_sorts_of_people() -> None:
    """What stands before the head tells some from others, what stands behind it does not."""
    friends = parse("friends from church")
    assert is_same_up_to_head(friends, [parse("friends")])
    assert not is_same_up_to_head(friends, [parse("close friends")])
