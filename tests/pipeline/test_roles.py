"""People who are something else to the same person are other people, whatever their names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mem0g import Memory
from tests.pipeline.telling import Place


@pytest.fixture
def memory(place: Place) -> Iterator[Memory]:
    """A memory with facts by rules."""
    with Memory.open(place.address, credentials=place.credentials, extractor="rules") as opened:
        yield opened


def homes(memory: Memory, *told: tuple[str, str]) -> set[str]:
    """Where somebody lives by now, after these messages, each added alone."""
    for speaker, text in told:
        memory.add([{"role": "user", "name": speaker, "content": text}], user_id="mia")
    return {fact.text for fact in memory.facts(relation="LIVES_IN", user_id="mia")}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My brother Sam lives in Bonn.", "My friend Samantha Jones lives in Rome."),
        ("My grandfather Bill lives in Bonn.", "My teacher William Smith lives in Rome."),
        ("My sister Anna lives in Bonn.", "My boss Anna lives in Rome."),
        ("My friend Sam lives in Bonn.", "My brother Sam lives in Rome."),
    ],
)
def test_roles_that_exclude_each_other(memory: Memory, first: str, second: str) -> None:
    """A sister is no boss: neither a nickname nor an equal given name makes one person of them."""
    found = homes(memory, ("Mia", first), ("Mia", second))
    assert found == {first.replace("My", "Mia's"), second.replace("My", "Mia's")}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My friend Liz lives in Bonn.", "My friend Elizabeth Moe lives in Rome."),
        ("My colleague Liz lives in Bonn.", "My boss Elizabeth Moe lives in Rome."),
        ("My brother Sam lives in Bonn.", "Sam lives in Rome."),
        ("My brother Sam Berg lives in Bonn.", "My boss Sam Berg lives in Rome."),
    ],
)
def test_roles_that_do_not(memory: Memory, first: str, second: str) -> None:
    """A colleague may become the boss, a name may come without a role, and a full name tells more than roles."""
    assert len(homes(memory, ("Mia", first), ("Mia", second))) == 1


def test_a_nickname_of_somebody_elses(memory: Memory) -> None:
    """Mia's sister Lena is not Paul's boss Helen, though Lena is short for Helen."""
    homes(memory, ("Mia", "My sister Lena lives in Bonn."), ("Paul", "My boss is Helen Park."))
    assert {fact.object for fact in memory.facts(relation="MANAGED_BY", user_id="mia")} == {"Helen Park"}
    assert {fact.object for fact in memory.facts(relation="HAS_SISTER", user_id="mia")} == {"Lena"}


def test_each_of_two_people_of_one_name_is_met_again(memory: Memory) -> None:
    """With two Annas, "my sister Anna" is the sister."""
    told = ("My sister Anna lives in Bonn.", "My boss Anna lives in Rome.", "My sister Anna lives in Ghent.")
    assert homes(memory, *(("Mia", text) for text in told)) == {
        "Mia's boss Anna lives in Rome.",
        "Mia's sister Anna lives in Ghent.",
    }


def test_a_corrected_role_is_of_the_same_person(memory: Memory) -> None:
    """A friend who is a brother after all stays one person, who is met again as the brother."""
    homes(memory, ("Mia", "My friend Sam lives in Bonn."))
    (friend,) = memory.facts(relation="HAS_FRIEND", user_id="mia")
    memory.correct(friend.id, relation="has_brother", user_id="mia")
    assert homes(memory, ("Mia", "My brother Sam lives in Rome.")) == {"Mia's brother Sam lives in Rome."}


def test_who_was_merged_stays_so(memory: Memory) -> None:
    """A brother who is the boss, too, is met again as either, once a user has merged the two."""
    homes(memory, ("Mia", "My brother Sam lives in Bonn."), ("Mia", "My boss Sam likes tea."))
    brother, boss = (memory.facts(relation=each, user_id="mia")[0].object_id for each in ("HAS_BROTHER", "MANAGED_BY"))
    memory.merge(brother, boss, user_id="mia")
    assert homes(memory, ("Mia", "My brother Sam lives in Rome.")) == {"Mia's brother Sam lives in Rome."}
    assert homes(memory, ("Mia", "My boss Sam lives in Ghent.")) == {"Mia's boss Sam lives in Ghent."}
