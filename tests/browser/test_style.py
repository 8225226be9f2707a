"""The style sheet, read as Browser reads it."""

from __future__ import annotations

import re

import pytest

from mem0g.browser.palette import FACT, IDEAS, RETIRED, STYLES_BY_KIND, STYLES_BY_LABEL, node_style
from mem0g.browser.style import style
from tests.browser.grass import Sheet, drawn, parse

LABELS = ("Entity", "Person", "City", "SportsTeam", "Concert", "Dog", "Guitar", "居住地", "Nonsense", "Fact_")
TYPES = ("LIVES_IN", "居住于", "IN_", "SUPERSEDED_BY")
OWN_TYPES = ("SUBJECT", "OBJECT", "EVIDENCE", "IN", "ABOUT", "SUPERSEDED_BY", "MERGED_INTO")


@pytest.fixture
def sheet() -> Sheet:
    """The rules of a small memory."""
    return parse(style(LABELS, TYPES))


def test_every_label_and_type_has_a_rule_of_its_own(sheet: Sheet) -> None:
    """A label without one would get an automatic rule that wins over node.Entity."""
    wanted = {f"node.{label}" for label in (*LABELS, *STYLES_BY_LABEL)}
    wanted |= {f"relationship.{name}" for name in (*TYPES, *OWN_TYPES)}
    assert sheet.keys() == wanted | {"node", "relationship"}
    nodes = [properties for selector, properties in sheet.items() if selector.startswith("node")]
    assert all({"color", "border-color", "diameter", "font-size", "caption"} <= rule.keys() for rule in nodes)


def test_general_rules_come_first_and_retired_last(sheet: Sheet) -> None:
    """A later rule wins, so that a retired fact looks retired and a person like a person."""
    order = list(sheet)
    assert order[:3] == ["node", "relationship", "node.Entity"]
    assert order[-1] == "node.Retired"
    assert drawn(sheet, "node", "Fact", "Retired")["border-color"] == RETIRED.border
    assert drawn(sheet, "node", "Fact")["color"] == FACT.color
    assert drawn(sheet, "node", "Entity", "Person")["color"] == node_style("person").color


def test_nothing_that_browser_cannot_read() -> None:
    """No comment, no colon in a caption, strings that end, and the same text for the same memory."""
    text = style(LABELS, TYPES)
    assert "/*" not in text
    assert "//" not in text
    assert not [caption for caption in re.findall("'(.*)'", text) if set(caption) & set(":;'")]
    assert text == style(reversed(LABELS), {*TYPES})


def test_kinds_are_told_apart(sheet: Sheet) -> None:
    """Free type labels are grouped; no two groups share a colour, and what is not known has its own."""
    assert node_style("City") is node_style("country") is node_style("Island")
    assert node_style("SportsTeam") is node_style("Organization")
    assert node_style("Woman") is node_style("Colleague") is node_style("Person")
    assert node_style("居住地") is node_style("") is IDEAS
    looks = {*STYLES_BY_KIND.values(), *STYLES_BY_LABEL.values()}
    assert len({look.color for look in looks}) == len(looks)
    assert drawn(sheet, "node", "Entity", "Dog")["color"] == node_style("Cat").color


def test_captions(sheet: Sheet) -> None:
    """Edges show their caption, SUPERSEDED_BY its reason, other links their type, facts their sentence."""
    assert drawn(sheet, "relationship", "LIVES_IN")["caption"] == "{caption}"
    assert drawn(sheet, "relationship", "IN_")["caption"] == "{caption}"
    assert drawn(sheet, "relationship", "SUPERSEDED_BY")["caption"] == "{reason}"
    assert drawn(sheet, "relationship", "EVIDENCE")["caption"] == "<type>"
    assert drawn(sheet, "relationship", "OTHER_PROGRAMS")["caption"] == "<type>"
    assert drawn(sheet, "node", "Fact", "Retired")["caption"] == "{text}"


@pytest.mark.parametrize("label", ["a.b", "a b", "a{b", "a}b", "a'b", "a:b", "a;b"])
def test_a_label_that_no_rule_can_name_is_left_out(label: str) -> None:
    """mem0g makes no such label, but another program may add one to a node."""
    assert style([label, "Person"], [label]) == style(["Person"], [])


def test_captions_can_be_read() -> None:
    """Text and circle differ enough in brightness: 4.5 to 1, as WCAG 2 asks for."""
    for look in {*STYLES_BY_KIND.values(), *STYLES_BY_LABEL.values()}:
        light, dark = sorted((_luminance(look.text), _luminance(look.color)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, look.legend


def _luminance(color: str) -> float:
    """Relative luminance, WCAG 2."""
    channels = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
