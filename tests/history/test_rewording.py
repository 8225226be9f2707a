"""What a corrected sentence says where the extractor finds nothing in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mem0g.history.rewording import reworded, stated
from mem0g.model import Fact, Scope
from tests.making import triple

DAY = datetime(2024, 5, 8, tzinfo=UTC)
HOME = Fact(
    id="f_1",
    scope=Scope(user_id="ann"),
    subject_id="e_1",
    subject="Ann",
    subject_type="person",
    relation="LIVES_IN",
    relation_given="lives in",
    object_id="e_2",
    object="York",
    object_type="place",
    text="Ann lives in the old part of York now.",
    valid_from=None,
    valid_to=None,
    said_at=None,
    recorded_at=DAY,
)


@pytest.mark.parametrize(
    ("text", "obj"),
    [
        ("Ann lives in the old part of Rome now.", "Rome"),
        ("ann lives in the  old part of New York now", "New York"),
        ("Ann lives in the old part of Rome, or so she says, now.", None),
        ("Ann lives in Rome.", None),
        ("now.", None),
    ],
)
def test_another_object(text: str, obj: str | None) -> None:
    """Where all words but the object's are the old ones, these are the new object; else the sentence is a note."""
    made = reworded(HOME, text)
    assert (made.relation, made.object) == (("lives in", obj) if obj else ("noted", " ".join(text.split())))
    assert (made.subject, made.text) == ("Ann", text if obj else " ".join(text.split()))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ann still lives in the old part of York now, with Tom.", True),
        ("Ann lives in the old part of New York now.", False),
        ("Ann lives in the old part of York Town now.", False),
        ("Ann never lives in the old part of York now.", False),
        ("Ann lives in the old part of York but now she moves.", False),
        ("Ann hates the old part of York now.", False),
        ("Ann says Bo lives in the old part of York now.", False),
        ("Bo says: Ann lives in the old part of York now.", False),
        ("Ann lives in the old part of York now: false.", False),
    ],
)
def test_a_detail(text: str, kept: bool) -> None:
    """A sentence that begins with the old one keeps its triple, unless it denies it or names a longer object."""
    made = stated(HOME, text, [])
    assert (made is not None) == kept
    assert made is None or (made.object, made.text) == ("York", text)


def test_of_several_claims_the_like_one() -> None:
    """The claim with the old relation is meant; of two, the one that is known; of none, nothing can be said."""
    tea, rome, york = (
        triple("Ann", "likes", "tea"),
        triple("Ann", "lives_in", "Rome"),
        triple("ann", "LIVES_IN", "york"),
    )
    assert stated(HOME, "Ann lives in Rome and likes tea.", [tea, rome]) is rome
    made = stated(HOME, "Ann lives in Rome and York.", [rome, york])
    assert made is not None
    assert (made.object, made.text) == ("york", "Ann lives in Rome and York.")
    assert stated(HOME, "Ann drinks tea and coffee.", [tea, triple("Ann", "likes", "coffee")]) is None
    assert stated(HOME, "Ann likes tea.", [tea]) is tea
    assert stated(HOME, "Ann does not like tea.", [triple("Ann", "likes", "tea", retracts=True)]) is None
