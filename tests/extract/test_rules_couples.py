"""Couples, of the speaker and of others, with their dates; and what follows the speaker's own name."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, over, said


@pytest.mark.parametrize(
    ("text", "claim", "since"),
    [
        ("Rosa and Liam got married last June.", ("Rosa", "married_to", "Liam"), "2023-06"),
        ("Rosa and Liam are engaged.", ("Rosa", "engaged_to", "Liam"), "None"),
        ("Rosa and Liam have been together since 2019.", ("Rosa", "dating", "Liam"), "2019"),
        ("Rosa and I got engaged in March.", ("Olivia", "engaged_to", "Rosa"), "2024-03"),
        ("McKenna and I got engaged in March.", ("Olivia", "engaged_to", "McKenna"), "2024-03"),
        ("Last summer, Rosa and Liam got married.", ("Rosa", "married_to", "Liam"), "None"),
    ],
)
def test_couples(text: str, claim: tuple[str, str, str], since: str) -> None:
    """Two people by their names, or the speaker and another one, are a couple, since the date if one is told."""
    found = [each for each in said(text) if (each.subject, each.relation, each.object) == claim]
    assert [str(each.valid_from) for each in found] == [since]


@pytest.mark.parametrize(
    ("text", "ended", "deed"),
    [
        ("Rosa and Liam got divorced in 2022.", ("Rosa", "married_to", "Liam"), ("Rosa", "divorced_from", "Liam")),
        ("Rosa and Liam broke up.", ("Rosa", "dating", "Liam"), ("Rosa", "broke_up_with", "Liam")),
        ("Rosa and I have split up.", ("Olivia", "dating", "Rosa"), ("Olivia", "broke_up_with", "Rosa")),
    ],
)
def test_couples_part(text: str, ended: tuple[str, str, str], deed: tuple[str, str, str]) -> None:
    """What they were is over."""
    assert (over(text), ends(text)) == ({ended}, {deed})


@pytest.mark.parametrize(
    "text",
    [
        "Did Rosa and Liam get married?",
        "If Rosa and Liam got married, I would cry.",
        "Rosa and Liam might be engaged.",
        "Rosa and Liam are not married.",
        "I heard that Rosa and Liam got married.",
        "In the film, Rosa and Liam got married.",
        "Rosa and Liam are getting on well.",
        "Rosa and Liam were late.",
        "Rosa and Liam are engaged in a lawsuit.",
        "Rosa and Liam work together.",
        "Rosa and Liam got together for lunch.",
        "Rosa and Liam got married in the novel I read.",
        "Rosa and Liam split up the bill.",
        "Work and Family are together here.",
    ],
)
def test_no_couple(text: str) -> None:
    """Questions, suppositions, denials, hearsay, fiction and other things done together make no couple."""
    couple = {"married_to", "engaged_to", "dating", "broke_up_with", "divorced_from"}
    assert [each for each in said(text) if each.relation in couple] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm Olivia and allergic to latex.", {("Olivia", "allergic_to", "latex")}),
        ("I am Liv, a florist from Bruges.", {("Olivia", "works_as", "florist")}),
        ("I'm Liv and live in Ghent.", {("Olivia", "lives_in", "Ghent")}),
        ("I'm Olivia Park, and afraid of spiders.", {("Olivia", "afraid_of", "spiders")}),
        ("I'm Welsh and allergic to latex.", {("Olivia", "is", "Welsh"), ("Olivia", "allergic_to", "latex")}),
        ("I'm Olivia and happy to help.", set()),
        ("Am I Olivia and allergic to latex?", set()),
        ("If I were Olivia and allergic to latex, I'd know.", set()),
        ("She's Olivia and allergic to latex.", set()),
        ("I'm not Olivia and allergic to latex.", set()),
    ],
)
def test_after_the_name(text: str, expected: set[tuple[str, str, str]]) -> None:
    """What follows the name is said of the speaker."""
    assert {each for each in ends(text) if each[1] != "also_known_as"} == expected


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("I got divorced from Tom last month.", "got_divorced_from"),
        ("I am divorced from Tom.", "divorced_from"),
        ("We got divorced.", "marital_status"),
    ],
)
def test_a_divorce_is_told_in_several_ways(text: str, deed: str) -> None:
    """With a name it takes back the marriage; without one it is the speaker's status."""
    assert deed in {each.relation for each in said(text) if not each.retracts}
    assert over(text) == ({("Olivia", "married_to", "Tom")} if "Tom" in text else set())
