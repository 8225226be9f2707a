"""Corrections: "it is Mads, not Mats" takes back what was said and puts the right thing in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mem0g.extract.rules.claims import SURE
from mem0g.extract.rules.people import KIN, KIN_WORDS, NAME, Party
from mem0g.extract.rules.sentences import strip_openers
from mem0g.extract.rules.voice import possessive
from mem0g.model import Triple
from mem0g.names import fold

_WORDS = r"(?:the |a |an )?((?!(?:it|that|he|she|they|I|we|you) )[\w'-]+(?: [\w'-]+){0,3}?)"
_CORRECTED = re.compile(
    rf"(?:^|^(?:it|that|he|she|they|name|there) (?:is|was|are)(?: actually| really| called)? |\b(?:I )?meant )"
    rf"(?:in |on |at |to |from )?{_WORDS},? (?:and )?not (?:in |on |at |to |from )?{_WORDS}$",
    re.IGNORECASE,
)
_KIN_NAME = re.compile(rf"\bmy (?:new |old )?({KIN_WORDS})'s name\b.*?\b({NAME}),? (?:and )?not ({NAME})")


def may_correct(sentence: str) -> bool:
    """Whether ``sentence`` has the form of a correction."""
    return bool(_KIN_NAME.search(sentence) or _CORRECTED.search(strip_openers(sentence)))


def by_object(claims: Iterable[Triple]) -> dict[str, list[Triple]]:
    """The claims that retract nothing, in order, by the folded name of their object."""
    found: dict[str, list[Triple]] = {}
    for claim in claims:
        if not claim.retracts:
            found.setdefault(fold(claim.object), []).append(claim)
    return found


def corrections(sentence: str, before: Mapping[str, Sequence[Triple]], party: Party, evidence: str) -> Iterator[Triple]:
    """The claim put right and the mistaken one taken back, when ``sentence`` corrects one of ``before``.

    ``before`` are the speaker's claims so far, as ``by_object`` returns them; those with the mistaken object are meant.
    """
    if match := _KIN_NAME.search(sentence):
        yield from _name_corrected(match, party, evidence)
        return
    match = _CORRECTED.search(strip_openers(sentence))
    if match is None:
        return
    right, wrong = match[1], match[2]
    for mistaken in before.get(fold(wrong), ()):
        text = re.sub(rf"\b{re.escape(mistaken.object)}\b", right, mistaken.text)
        yield from _pair(replace(mistaken, object=right, text=text, evidence=(evidence,)), mistaken)


def _pair(right: Triple, mistaken: Triple) -> Iterator[Triple]:
    text = f"It was a mistake that {mistaken.text}"
    yield replace(mistaken, retracts=True, evidence=right.evidence, text=text, valid_from=None, valid_to=None)
    yield right


def _name_corrected(match: re.Match[str], party: Party, evidence: str) -> Iterator[Triple]:
    word, right, wrong = match[1], match[2], match[3]
    claim = Triple(
        subject=party.speaker,
        relation=KIN[word].relation,
        object=wrong,
        text=f"{wrong} is {possessive(party.speaker)} {word}.",
        subject_type="person",
        object_type=KIN[word].type,
        evidence=(evidence,),
        confidence=SURE,
    )
    yield from _pair(replace(claim, object=right, text=f"{right} is {possessive(party.speaker)} {word}."), claim)
