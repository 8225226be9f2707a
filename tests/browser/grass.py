"""GraSS read as Neo4j Browser 5.24 reads it: character by character, without a word about what it cannot read."""

from __future__ import annotations

Sheet = dict[str, dict[str, str]]
"""The rules in order: properties by selector."""


def parse(text: str) -> Sheet:
    """The rules of a sheet."""
    rules: dict[str, str] = {}
    in_string = in_properties = False
    selector = properties = ""
    for char in text:
        if char == "'":
            in_string = not in_string
        elif char == "{" and not in_string:
            in_properties = True
        elif char == "}" and not in_string:
            in_properties = False
            rules[selector] = properties
            selector = properties = ""
        elif in_properties:
            properties += char
        elif not char.isspace():
            selector += char
    return {name: _properties(body) for name, body in rules.items()}


def drawn(sheet: Sheet, tag: str, *classes: str) -> dict[str, str]:
    """What is drawn of a node with these labels, or a relationship of this type: a later rule wins."""
    found: dict[str, str] = {}
    for selector, properties in sheet.items():
        kind, *wanted = selector.split(".")
        if kind == tag and set(wanted) <= set(classes):
            found |= properties
    return found


def _properties(body: str) -> dict[str, str]:
    found = {}
    for part in body.split(";"):
        name, *values = part.split(":")
        if name.strip() and values and values[0].strip():
            found[name.strip()] = values[0].strip()  # what comes behind a second colon is lost
    return found
