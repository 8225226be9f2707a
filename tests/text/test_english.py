"""English word lists and script ranges are defined once, in mem0g.text."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import mem0g
from mem0g.text import verbs
from mem0g.text.english import KIN, KIN_BY_SEX, KIN_SPELLINGS, MONTH, MONTHS, OWN_KIN, month_number

PACKAGE = Path(mem0g.__file__).parent
TABLES = {
    "months": r"\bjan(?:uary)?\b.{1,20}\bfeb(?:ruary)?\b",
    "weekdays": r"\bmon(?:day)?\b.{1,10}\btue(?:s|sday)?\b",
    "numbers": r"\b(?:two\b.{1,8}\bthree\b.{1,8}\bfour|four\b.{1,8}\bfive\b.{1,8}\bsix)\b",
    "ordinals": r"\bfirst\b.{1,8}\bsecond\b.{1,8}\bthird\b.{1,8}\bfourth\b",
    "CJK ranges": r"(?i:\\u4e00|\\u3040|\\uac00)|[一぀가]-",
    "mothers": r"\bmom(?:\", \"| )(?:mum|mommy|mother)\b",
    "irregular verbs": r"\bwent\b[\", ]+\bgone\b",
    "name particles": r"\b(?:van|la)\b[\", ]+\bvon\b",
}


@cache
def modules() -> dict[str, str]:
    """Return the text of each module of the package by its path in it."""
    return {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_defined_once(table: str) -> None:
    """No module outside the text room has a table of its own."""
    pattern = re.compile(TABLES[table], re.IGNORECASE | re.DOTALL)
    found = {name for name, text in modules().items() if pattern.search(text)}
    assert {name for name in found if not name.startswith("text/")} == set()
    assert len(found) == 1


@pytest.mark.parametrize("name", ["sep", "Sept", "SEPTEMBER"])
def test_a_month_by_name_or_abbreviation(name: str) -> None:
    """A month is recognised whole and abbreviated, in any case."""
    assert re.fullmatch(MONTH, name, re.IGNORECASE)
    assert month_number(name) == 9


def test_months_are_numbered() -> None:
    """The pattern takes each month and its first three letters, and nothing between them."""
    for number, month in enumerate(MONTHS, start=1):
        assert month_number(month) == month_number(month[:3]) == number
        assert re.fullmatch(MONTH, month)
        assert re.fullmatch(MONTH, month[:3])
    assert not re.fullmatch(MONTH, "januar")


def test_no_month() -> None:
    """A word that is no month raises ValueError."""
    with pytest.raises(ValueError, match="xyz"):
        month_number("xyz")


def test_lists_of_kin_are_parts_of_one() -> None:
    """The narrower lists hold nothing that the whole one lacks; the spellings of one relative know each other."""
    assert OWN_KIN <= KIN
    assert KIN_BY_SEX <= KIN
    assert all(KIN_SPELLINGS[other] == group for group in KIN_SPELLINGS.values() for other in group)


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("go", ("goes", "going", "went", "gone")),
        ("plan", ("plans", "planning", "planned", "planned")),
        ("study", ("studies", "studying", "studied", "studied")),
        ("bake", ("bakes", "baking", "baked", "baked")),
        ("prefer", ("prefers", "preferring", "preferred", "preferred")),
        ("quit", ("quits", "quitting", "quit", "quit")),
        ("be", ("is", "being", "was", "been")),
        ("die", ("dies", "dying", "died", "died")),
        ("canoe", ("canoes", "canoeing", "canoed", "canoed")),
        ("panic", ("panics", "panicking", "panicked", "panicked")),
    ],
)
def test_verb_forms(base: str, forms: tuple[str, ...]) -> None:
    """Third person, -ing form, past and participle of irregular and regular verbs."""
    assert (verbs.third(base), verbs.gerund(base), verbs.past(base), verbs.participle(base)) == forms


@pytest.mark.parametrize(
    ("doubled", "bases"),
    [
        (True, "refer occur commit admit submit blog drop dig log map trek whip regret format debug"),
        (False, "offer visit open edit listen answer play show fix add aim cook order limit mentor develop"),
    ],
)
def test_doubled_letters(doubled: bool, bases: str) -> None:
    """The last letter is doubled after one short, stressed vowel, and nowhere else."""
    for base in bases.split():
        root = base + base[-1] * doubled
        assert (verbs.past(base) in (f"{root}ed", "dug"), verbs.gerund(base)) == (True, f"{root}ing")
