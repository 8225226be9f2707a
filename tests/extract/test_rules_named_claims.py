"""Sentences that say of a named thing what it is, as an encyclopaedia does."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends


@pytest.mark.parametrize(
    ("text", "subject", "relation", "obj"),
    [
        ("The author of The Long Night is Ada Moe.", "The Long Night", "author", "Ada Moe"),
        ("The capital of Norway is Oslo.", "Norway", "capital", "Oslo"),
        ("The name of the current head of state in Norway is Ada Moe.", "Norway", "head_of_state", "Ada Moe"),
        ("Ada Moe's child is Tom Moe.", "Ada Moe", "child", "Tom Moe"),
        ("Ada Moe is a citizen of Norway.", "Ada Moe", "citizen_of", "Norway"),
        ("Ada Moe was born in the city of Oslo.", "Ada Moe", "born_in", "Oslo"),
        ("Fjord Press was founded by Ada Moe.", "Fjord Press", "founded_by", "Ada Moe"),
        ("The Long Night was created in the country of Norway.", "The Long Night", "created_in_country", "Norway"),
        ("Norway is located in the continent of Europe.", "Norway", "located_in_continent", "Europe"),
        ("Ada Moe is affiliated with the religion of Buddhism.", "Ada Moe", "affiliated_with_religion", "Buddhism"),
        ("skyball is associated with the sport of tennis.", "skyball", "associated_with_sport", "tennis"),
        ("Ada Moe plays the position of left back.", "Ada Moe", "plays_position", "left back"),
        ("The company that produced Nordbil 5 is Fjord Motors.", "Nordbil 5", "produced_by", "Fjord Motors"),
        ("The university where Ada Moe was educated is Oslo College.", "Ada Moe", "educated_at", "Oslo College"),
        ("The type of music that Ada Moe plays is jazz.", "Ada Moe", "plays_type_of_music", "jazz"),
        ("Ada Moe is famous for The Long Night.", "Ada Moe", "famous_for", "The Long Night"),
    ],
)
def test_named_things(text: str, subject: str, relation: str, obj: str) -> None:
    """Subject and object are the names as they stand, the relation the words between them."""
    assert ends(text) == {(subject, relation, obj)}


@pytest.mark.parametrize(
    "text",
    [
        "The point of the trip is to relax.",
        "Someone said it was founded by monks.",
        "The best part of Oslo is that you can swim.",
        "The name of my dog is a secret.",
        "She was born in the city.",
        "The cake was made by a friend of mine.",
        "If Fjord Press was founded by Ada Moe, I did not know.",
    ],
)
def test_what_names_nothing_is_left(text: str) -> None:
    """Without a name at each end there is no claim."""
    assert ends(text) == set()
