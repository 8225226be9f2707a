"""Tools with their versions: Django 4.2, PostgreSQL 16."""

from __future__ import annotations

import re

from mem0g.extract.rules.grammar.nouns import TOOLS
from mem0g.extract.rules.grammar.people import Turn
from mem0g.extract.rules.grammar.referents import Referent

_NUMBERED = (
    "Route|Line|Gate|Platform|Flight|Chapter|Level|Day|Room|Highway|Bus|Tram|Terminal|Page|Season|Episode|Week|Lesson"
    "|Volume|Part|Unit|Section|Step|Version|Type|Class|Grade|Year|Phase|Track|Channel|Radio|Studio|Exit|Road|Street|Zone"
    "|Floor|Block|Hall|Wing|Ward|Tower|Desk|Seat|Row|Table|Area|Formula|Vitamin|Size|Shoe|SPF|Suite|Apartment|Flat|Building|Stage|Lab|Court|Pool|Lane|Locker|Plan|Option|Team|Group"
)
_VERSIONED = re.compile(
    rf"(?!(?:{_NUMBERED}) )(?:[A-Z][\w+#-]*|[a-z]+[A-Z]\w*|(?i:{'|'.join(sorted(TOOLS))}))(?:[. ][A-Za-z][\w+#-]*)?"
    r" v?\d+(?:\.\d+)*(?!\w|[.,]\d)(?! (?:times|[a-z]+s)\b)"
)
"""A tool with its version: Django 4.2, PostgreSQL 16."""
_AND = re.compile(r",? and |, ")


def versioned(rest: str, _turn: Turn) -> tuple[Referent, ...]:
    """Read tools, each by its name and version."""
    found: list[Referent] = []
    place = 0
    while match := _VERSIONED.match(rest, place):
        found.append(Referent(match[0], "", match[0], len(rest[: match.end()].split())))
        separator = _AND.match(rest, match.end())
        place = separator.end() if separator else len(rest)
    return tuple(found)
