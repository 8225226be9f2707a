"""Claims with a number: "my API responds in 250 ms", "we have merged 165 commits", "the port of my app is 5000".

The objects are values. A later one of the same attribute replaces an earlier one, see mem0g.conflict.cardinality.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mem0g.extract.rules.grammar.kin import KIN
from mem0g.extract.rules.grammar.people import possessive
from mem0g.extract.rules.verb_claims import SURE
from mem0g.model import LITERAL, Triple

_ABOUT = r"(?:(?:about|around|over|under|almost|nearly|roughly|only|just|exactly) )?"
_UNIT = (
    r"%|percent\b|ms\b|[KMGT]B\b|kg\b|km\b|cm\b|(?:milli)?seconds?\b"
    r"|(?:minute|hour|day|week|month|year|line|user|request|row|page|word|point|dollar|euro|pound)s?\b"
)
_VALUE = (
    rf"{_ABOUT}(?P<value>[£$€]?\d[\d,]*(?:\.\d+)*(?: ?(?:{_UNIT}))?"
    r"(?: (?:per|a) (?:second|minute|hour|day|week|month|year))?)"
)
_END = (
    r"(?= (?:now|so far|already|at the moment|after|since|because|and|but|with|when|which|instead|on average)\b"
    r"|,|;|$)"
)
_KIN = "mom|mum|dad|mother|father|wife|husband|son|daughter|sister|brother|friend|partner|boss|dog|cat"
_THING = rf"(?!(?:{_KIN})\b)[A-Za-z][\w-]*(?: (?!(?:and|or|of|is|that|which)\b)[\w-]+){{0,3}}?"
_LIVING = frozenset(word for word, kin in KIN.items() if kin.type != "group")
_NOW = r"(?:(?:now|currently|already|still|only) )?"
_FEW = (
    r"(?:minute|hour|day|week|month|year|question|idea|thing|option|reason|point|way|time|second|kid|child|children"
    r"|son|daughter|sister|brother|sibling|friend)s?\b"
)
"""Counted things that are not worth remembering, or that other rules read."""

_PROJECT = (
    r"(?:repository|repo|project|codebase|code base|app|application|website|site|API|api|server|service|database|DB"
    r"|backend|frontend|dashboard|endpoint|pipeline|test suite|dataset|data set|homepage|model)"
)
"""What is the speaker's own also where it is called "the repository"."""
_SUBJECT = (
    rf"(?:(?:[Mm]y|[Oo]ur) (?P<owned>{_THING})|(?:[Tt]he )?(?P<project>(?:(?<=he )(?:[\w-]+ ){{1,2}}?)?{_PROJECT}))"
)
_OWNED = re.compile(
    rf"^{_SUBJECT} {_NOW}"
    rf"(?P<verb>responds|loads|starts|builds|finishes|runs|costs|weighs|takes|lasts)"
    rf" (?:(?P<how>in|at|on|for) )?{_VALUE}{_END}"
)
_OF = re.compile(
    rf"^(?:[Tt]he|[Mm]y|[Oo]ur) (?P<what>[a-z]+(?: [a-z]+){{0,2}}) (?:of|for) (?:my|our) (?P<of>{_THING})"
    rf" is {_NOW}{_VALUE}{_END}"
)
_COUNTED = (
    r"(?P<value>\d[\d,]*) (?!(?:hundred|thousand|million|billion|dozen)\b)"
    rf"(?P<what>(?!{_FEW})(?:[a-z-]+ ){{0,2}}?(?!{_FEW})[a-z-]+s)"
    r"(?= (?:in|on|for|across|so far|now|already|into|to|from|with|at)\b|,|;|$)"
)
_COUNT = re.compile(
    rf"(?:^|, (?:and )?|\band )(?:I|[Ww]e) {_NOW}have {_NOW}"
    r"(?:(?P<done>completed|solved|merged|written|finished|reviewed|closed|fixed|sold"
    rf"|translated|published|recorded|deployed|tested|visited|been to) )?{_ABOUT}{_COUNTED}"
)
_COUNT_OF = re.compile(rf"^{_SUBJECT} {_NOW}(?:has|contains) {_NOW}{_ABOUT}{_COUNTED}")


def measured_claims(sentence: str, speaker: str, evidence: str) -> Iterator[Triple]:
    """Yield the claims of ``sentence`` that give the speaker's things and counts a number."""
    if match := _OWNED.match(sentence):
        thing = f"{possessive(speaker)} {match['owned'] or match['project']}"
        relation = " ".join(filter(None, (match["verb"], match["how"])))
        yield _claim(thing, relation, match["value"], f"{thing} {relation} {match['value']}.", evidence)
    match = _COUNT_OF.match(sentence)
    if match and (match["project"] or match["owned"].split()[-1].lower() not in _LIVING):
        thing = f"{possessive(speaker)} {match['owned'] or match['project']}"
        text = f"{thing} has {match['value']} {match['what']}."
        yield _claim(thing, f"has number of {match['what']}", match["value"], text, evidence)
    for match in _OF.finditer(sentence):
        thing = f"{possessive(speaker)} {match['of']}"
        text = f"The {match['what']} of {thing} is {match['value']}."
        yield _claim(thing, f"has {match['what']}", match["value"], text, evidence)
    for match in _COUNT.finditer(sentence):
        done = f"{match['done']} ".replace("been to", "visited") if match["done"] else ""
        text = f"{speaker} has {done}{match['value']} {match['what']}."
        relation = f"has {done}number of {match['what']}"
        yield _claim(speaker, relation, match["value"], text, evidence, kind="person")


def _claim(subject: str, relation: str, value: str, text: str, evidence: str, kind: str = "thing") -> Triple:
    return Triple(
        subject=subject,
        relation=relation.replace(" ", "_"),
        object=value,
        text=text,
        subject_type=kind,
        object_type=LITERAL,
        evidence=(evidence,),
        confidence=SURE,
    )
