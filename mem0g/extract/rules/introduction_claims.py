"""Claims of whom a message introduces, and of ages in brackets: "my sister Anna", "Imani (8)"."""

from __future__ import annotations

import re

from mem0g.extract.rules.grammar.introductions import Introduction
from mem0g.extract.rules.grammar.people import may_be_person, possessive
from mem0g.extract.rules.verb_claims import SURE
from mem0g.model import LITERAL, Triple

_CHILD = re.compile(r"\d|1[0-7]")
_NUMBERED = frozenset(
    """
    chapter figure fig table section page step part week day level question item line lesson unit act scene note rule
    task issue bug release group team option appendix article exercise room floor gate track episode season volume file
    test round phase stage version case point
    """.split()
)
"""What has a number in brackets that is no age."""


def is_child(name: str, age: str) -> bool:
    """Whether a number in brackets after a name is the age of a child; over 17, it may be something else."""
    return bool(_CHILD.fullmatch(age)) and name.lower() not in _NUMBERED and may_be_person(name, "is ")


def aged(name: str, age: str, evidence: str) -> Triple:
    """Return that somebody is of an age."""
    return Triple(
        subject=name,
        relation="has_age",
        object=age,
        text=f"{name} is {age}.",
        subject_type="person",
        object_type=LITERAL,
        evidence=(evidence,),
        confidence=SURE,
    )


def introduced_claim(intro: Introduction, evidence: str) -> Triple:
    """Return who somebody is to the one who introduces them."""
    if intro.kin.relation == "has_pet":
        text = f"{intro.owner} has a {intro.kin.type} named {intro.name}."
    else:
        word = intro.kin.relation.removeprefix("has_") if intro.kin.plural else intro.word
        whose = f"{possessive(intro.owner)} {word}"
        be = "was" if intro.kin.relation.startswith("had_") else "is"
        text = f"{whose} is {intro.name} now." if intro.now else f"{intro.name} {be} {whose}."
    return Triple(
        subject=intro.owner,
        relation=intro.kin.relation,
        object=intro.name,
        text=text,
        subject_type="person",
        object_type=intro.kin.type,
        evidence=(evidence,),
        confidence=SURE,
    )
