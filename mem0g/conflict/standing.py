"""When a new standing instruction or preference replaces a known one, and which instructions a message takes back.

Most instructions are independent of each other. A later one replaces an earlier one of the same person when it says the
opposite of the same thing ("always" and "never use bullet points"), when both choose within one family of alternatives
for the same occasion (metric and imperial, short and long, two languages), when it says that it changes something
("actually", "instead", "now prefers") and no other one is as similar, and when it prefers another thing to what was
preferred ("pytest over unittest", later "unittest over pytest").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import Thresholds
from mem0g.model import INSTRUCTS, PREFERS, Fact
from mem0g.store.queries import RelatedFact
from mem0g.text.stemming import content

TAKEN_BACK = 0.6
"""Share of the content words of what is taken back that an instruction has to have."""

OPPOSITE = 0.6
"""Share of the content words of the shorter of two instructions that the other has to have to be its opposite."""

_FAMILIES: Final = tuple(
    frozenset(family.split())
    for family in (
        "metric imperial",
        "celsius fahrenheit kelvin",
        "short brief concise terse long detailed thorough lengthy verbose",
        "formal informal casual",
        "tabs spaces",
        "british american",
        "kilometres kilometers miles",
        "kilograms kilos pounds",
        "euros dollars pounds yen francs",
        "english german french spanish italian portuguese dutch polish turkish russian ukrainian chinese japanese"
        " korean arabic hindi swedish danish norwegian finnish greek czech hungarian romanian hebrew",
    )
)
"""Alternatives of which an answer has one at a time."""

_NEGATIVE = re.compile(r"\b(?:never|no|not|don't|stop|quit|avoid|without|no longer)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:actually|instead|rather(?! than)|on second thought|change of plans?|again|no longer|now prefers)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(r" (?:over|rather than|instead of|more than|to) ", re.IGNORECASE)
"""What stands between what is preferred and what is not; "to" may also be part of either."""
_PREFERENCE = re.compile(r"\bprefers? (?P<what>.+?)\.?$")
_GENERIC: Final = content(
    "always never from now please add adding answer ask asking give giving include including instruct keep make mention"
    " provide put reply respond say show tell use using write when whenever any more longer stop need want prefer"
)


def replaced_instructions(
    new: ResolvedTriple, related: Sequence[RelatedFact], thresholds: Thresholds
) -> dict[str, tuple[str, str]]:
    """Return the rule and the reason for each current instruction or preference that the triple replaces, by id."""
    known = _standing(new, related)
    reasons = {
        each.fact.id: ("another instruction", reason) for each in known if (reason := _why_replaced(new, each.fact))
    }
    if not reasons and known and _CHANGES.search(new.triple.text):
        nearest = max(known, key=lambda each: (each.similarity, each.fact.id))
        if nearest.similarity >= thresholds.restated and _topic(new.triple.object) & _topic(nearest.fact.object):
            reasons[nearest.fact.id] = ("another instruction", "the new one says that it changes it")
    return reasons


def _why_replaced(new: ResolvedTriple, fact: Fact) -> str:
    """Return why a new instruction or preference replaces a known one, "" if it does not."""
    if _is_opposite(new, fact):
        return "it says the opposite"
    if new.relation == PREFERS and _is_preferred_now(new, fact):
        return "another thing is preferred to it now"
    return "only one of the two can be followed" if _are_alternatives(new, fact) else ""


def taken_back(new: ResolvedTriple, related: Sequence[RelatedFact]) -> list[Fact]:
    """Return the current instructions or preferences that a triple takes back.

    They have most of its words, and none has more of them. A permission ("you can use emojis again") takes back what
    was forbidden, and a preference is taken back only if it was for the same thing.
    """
    said = _topic(new.triple.object)
    if new.relation not in (INSTRUCTS, PREFERS) or not said:
        return []
    shares = {
        each.fact.id: len(said & content(each.fact.text)) / len(said)
        for each in related
        if each.fact.current
        and (each.fact.relation, each.fact.subject_id) == (new.relation, new.subject.id)
        and _may_be_meant(new, each.fact)
    }
    best = max(shares.values(), default=0.0)
    return [each.fact for each in related if best >= TAKEN_BACK and shares.get(each.fact.id) == best]


def _may_be_meant(new: ResolvedTriple, fact: Fact) -> bool:
    if new.relation == PREFERS:
        return not _compared(new.triple.text)[0].isdisjoint(_compared(fact.text)[0])
    return _is_negative(fact.object) or not _is_negative(new.triple.object)


def _is_preferred_now(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the triple prefers another thing to what the fact prefers: "A over B" after "B", or after "B over A"."""
    better, worse = _compared(new.triple.text)
    preferred, other = _compared(fact.text)
    if not better or not worse or worse != preferred:
        return False
    return better == other or (not other and " to " not in new.triple.object)


def _compared(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words for what a sentence prefers, and for what it prefers that to."""
    found = _PREFERENCE.search(text)
    better, *worse = _COMPARED.split(found["what"], maxsplit=1) if found else [""]
    return content(better), content(" ".join(worse))


def _standing(new: ResolvedTriple, related: Sequence[RelatedFact]) -> list[RelatedFact]:
    """Return the current facts of the relation that were said before the triple."""
    if new.relation != PREFERS and not (new.relation == INSTRUCTS and new.triple.object_is_literal):
        return []
    return [
        each
        for each in related
        if each.fact.current
        and (each.fact.subject_id, each.fact.relation) == (new.subject.id, new.relation)
        and each.fact.object_id != new.object.id
        and not (new.said_at and each.fact.said_at and new.said_at < each.fact.said_at)
    ]


def _topic(words: str) -> frozenset[str]:
    return content(words) - _GENERIC


def _is_opposite(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether one forbids what the other asks for."""
    if new.relation != INSTRUCTS or _is_negative(new.triple.object) == _is_negative(fact.object):
        return False
    ours, theirs = _topic(new.triple.object), _topic(fact.object)
    return bool(ours and theirs) and len(ours & theirs) >= OPPOSITE * min(len(ours), len(theirs))


def _is_negative(words: str) -> bool:
    return _NEGATIVE.search(words) is not None


def _are_alternatives(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether each names another member of one family, and otherwise they share a word or have no other."""
    ours, theirs = _words(new.triple.object), _words(fact.object)
    for family in _FAMILIES:
        one, other = ours & family, theirs & family
        if one and other and one.isdisjoint(other):
            left = [_topic(" ".join(words - family)) for words in (ours, theirs)]
            return not all(left) or not left[0].isdisjoint(left[1])
    return False


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text.lower()))
