"""Words by which a fact given as a triple calls the user."""

from __future__ import annotations

import pytest

from mem0g.errors import InputError
from mem0g.ingest.self_reference import with_user_named


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("I", "tea", "I like tea."), ("ann", "tea", "ann likes tea.")),
        (("i", "meat", "i don't eat meat"), ("ann", "meat", "ann does not eat meat")),
        (("me", "Oslo", "I've got a flat in Oslo."), ("ann", "Oslo", "ann has got a flat in Oslo.")),
        (("user", "Rome", "The user lives in Rome."), ("ann", "Rome", "ann lives in Rome.")),
        (("The user", "dark mode", "User prefers dark mode in the user interface."),
         ("ann", "dark mode", "ann prefers dark mode in the user interface.")),
        (("my dog", "Paris", "My dog lives in Paris."), ("ann's dog", "Paris", "ann's dog lives in Paris.")),
        (("I", "Oslo", "I currently live in Oslo."), ("ann", "Oslo", "ann currently lives in Oslo.")),
        (("Bo", "the user’s brother", "Bo is the user's brother."), ("Bo", "ann's brother", "Bo is ann's brother.")),
        (("Bo", "me", None), ("Bo", "ann", None)),
        (("Bo", "IT", "Bo works in IT."), ("Bo", "IT", "Bo works in IT.")),
        (("Bo", "Her", "I think that Bo saw Her."), ("Bo", "Her", "I think that Bo saw Her.")),
        (("Bo", "My Little Pony", None), ("Bo", "My Little Pony", None)),
        (("user interface", "blue", "The user interface is blue."),) * 2,
    ],
)  # fmt: skip
def test_the_user_is_named(given: tuple[str, str, str | None], named: tuple[str, str, str | None]) -> None:
    """At both ends and in the sentence, which is then in the third person; names that look alike stay."""
    assert with_user_named(*given, "ann") == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The user lives in Rome. User likes tea.", "ann lives in Rome. ann likes tea."),
        ("user doesn’t eat meat", "ann doesn’t eat meat"),
        ("The user no longer works at Acme.", "ann no longer works at Acme."),
        ("Rex is the user's dog, and likes the user.", "Rex is ann's dog, and likes ann."),
        *((each, each) for each in ("The user interface is blue.", "User stories are short.", "I like tea.")),
    ],
)
def test_the_user_is_named_in_a_sentence_alone(text: str, named: str) -> None:
    """Where "the user" owns something or a verb follows; names of things that begin with "user" stay."""
    assert with_user_named(None, None, text, "ann") == (None, None, named)
    assert with_user_named(None, None, text, None) == (None, None, text)


@pytest.mark.parametrize(("subject", "obj"), [("she", "tea"), ("It", "tea"), ("We", "tea"), ("Bo", "them")])
def test_other_pronouns_are_refused(subject: str, obj: str) -> None:
    """Nobody can tell later whom they meant."""
    with pytest.raises(InputError, match="is a pronoun") as refused:
        with_user_named(subject, obj, None, "ann")
    assert refused.value.hint == 'give the name; "I" is the user'


def test_a_scope_without_a_user() -> None:
    """ "I" is nobody there; what is owned, a value and what is not given stay."""
    with pytest.raises(InputError, match="'User' is the user, and none is given"):
        with_user_named("User", "tea", None, None)
    assert with_user_named("my boss", "tea", "My boss likes tea.", None) == ("my boss", "tea", "My boss likes tea.")
    assert with_user_named("Bo", "user", None, "ann", literal=True) == ("Bo", "user", None)
    assert with_user_named(None, None, "I like tea.", "ann") == (None, None, "I like tea.")
