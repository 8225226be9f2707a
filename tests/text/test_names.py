"""How names, relation names and type labels are folded and normalised."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mem0g.text.names import MAX_IDENTIFIER, fold, normal_label, normal_relation, words

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=100)


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("  ＮＡＳＡ ", "nasa"),
        ("Ann", "ann"),
        ("ANN  \t OLIVEIRA", "ann oliveira"),
        ("Ann’s mom", "ann's mom"),
        ("Straße", "strasse"),
        ("ΟΔΟΣ", "οδοσ"),
        ("Zoe\u0308", "zoë"),
        ("São\u00a0José", "são josé"),
        ("ﬁnn", "finn"),
        ("北京", "北京"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("दिल्ली", "दिल्ली"),
        ("🦄 Sparkle", "🦄 sparkle"),
        ("مرحبا", "مرحبا"),
        (" \n ", ""),
    ],
)
def test_fold(name: str, folded: str) -> None:
    """Case, width, spaces, apostrophes and ways to compose a letter do not matter; nothing else is lost."""
    assert fold(name) == folded


@given(TEXT)
def test_folding_again_changes_nothing(name: str) -> None:
    """A folded name is its own folded name, without white space at its ends or twice within."""
    folded = fold(name)
    assert fold(folded) == folded
    assert folded == " ".join(folded.split())


@pytest.mark.parametrize(
    ("name", "relation"),
    [
        ("lives in", "LIVES_IN"),
        ("livesIn", "LIVES_IN"),
        ("LIVES_IN", "LIVES_IN"),
        ("  lives -- in!", "LIVES_IN"),
        ("is Ann's sister", "IS_ANN_S_SISTER"),
        ("居住于", "居住于"),
        ("ｌｉｖｅｓ ｉｎ", "LIVES_IN"),
        ("में रहता है", "में_रहता_है"),
        ("يعيش في", "يعيش_في"),
        ("живёт в", "ЖИВЁТ_В"),
        ("προΐσταται", "ΠΡΟΪ́ΣΤΑΤΑΙ"),
        ("2nd home", "_2ND_HOME"),
        ("won 1st prize", "WON_1ST_PRIZE"),
        ("wonPrize2In", "WON_PRIZE2_IN"),
        ("likes 🍕", "LIKES"),
        ("likes ❤️", "LIKES"),
        ("` DETACH DELETE n //", "DETACH_DELETE_N"),
        ('"quoted"', "QUOTED"),
        ("a\0b", "A_B"),
        ("", ""),
        ("_", ""),
        ("!?", ""),
        ("🍕", ""),
        ("❤️", ""),
        ("\u0301", ""),
    ],
)
def test_relation_names(name: str, relation: str) -> None:
    """Spellings of a relation become one name that is safe to draw; scripts stay; nothing is left of signs alone."""
    assert normal_relation(name) == relation


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("sports team", "SportsTeam"),
        ("city", "City"),
        ("City", "City"),
        ("3d printer", "_3dPrinter"),
        ("R&D", "RD"),
        ("城市", "城市"),
        ("शहर", "शहर"),
        ("équipe", "Équipe"),
        ("🏔️ hike", "Hike"),
        ("Person`) DETACH DELETE (n", "PersonDETACHDELETEN"),
        ("", ""),
        ("🏔️", ""),
    ],
)
def test_labels(kind: str, label: str) -> None:
    """A kind in words becomes one word; scripts stay; signs, quotes and emoji go."""
    assert normal_label(kind) == label


@pytest.mark.parametrize("normal", [normal_relation, normal_label])
@given(name=TEXT)
@example(name="ΐ")
@example(name="won 1st prize")
@example(name="❤️")
@example(name="x" * 63 + " yz")
@example(name="1" * 64)
def test_identifiers(normal: object, name: str) -> None:
    """At most 64 letters, digits, marks and underscores, no digit first, and the same when normalised again."""
    assert callable(normal)
    made = normal(name)
    assert len(made) <= MAX_IDENTIFIER
    assert not made[:1].isdigit()
    assert not made.endswith("_")
    assert "".join(words(made)) == made.replace("_", "")
    assert normal(made) == made


def test_a_long_relation_name_is_cut() -> None:
    """10 kB become 64 characters, not ending in the middle of a gap."""
    assert normal_relation("likes " * 2000) == ("LIKES_" * 11)[:64].rstrip("_")
    assert normal_relation("x" * 63 + " y") == "X" * 63


@given(TEXT)
def test_names_without_letters_and_digits_are_empty(name: str) -> None:
    """A relation name is empty exactly when nothing in it is a letter or a digit."""
    import unicodedata

    told = any(unicodedata.category(char)[0] in "LN" for char in unicodedata.normalize("NFKC", name))
    assert bool(normal_relation(name)) == bool(normal_label(name)) == told
