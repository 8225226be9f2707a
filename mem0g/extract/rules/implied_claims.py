"""What is true, or over, by what another claim says: the deed that ended a state, a former job, being single."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mem0g.extract.rules.grammar.people import possessive
from mem0g.extract.rules.grammar.verb_phrases import BASES, Pattern
from mem0g.extract.rules.predicate import Predicate
from mem0g.model import LITERAL, Triple
from mem0g.text.verbs import past

JOB, PARTNER = "job", "partner"
"""The objects of what takes back a job or a couple that is not named: "I quit my job", "we broke up"."""

_COUPLED = frozenset({"married_to", "engaged_to", "dating", "got_married", "got_engaged"})
_PARTNERS = frozenset("partner girlfriend boyfriend gf bf fiance fiancee fiancé fiancée".split())


def implied_by(triple: Triple, predicate: Predicate) -> Iterator[Triple]:
    """Yield what is over by what a claim says: being single of a couple, a job of somebody retired, a shared home."""
    over = replace(triple, retracts=True, object_type=LITERAL, valid_from=None)
    if triple.relation in _COUPLED and not triple.retracts:
        yield replace(over, relation="marital_status", object="single")
    elif (triple.relation, triple.object, triple.retracts) == ("is", "retired", False):
        yield replace(over, relation="works_at", object=JOB)
    elif (triple.relation, triple.retracts) == ("dating", True):
        yield from _unnamed_couple(over, predicate)
    elif triple.relation == "ran_away" and not predicate.subject.first:
        yield from _escaped(over, predicate)
    elif triple.relation == "moved_out" and not predicate.subject.first:
        mine = replace(over, subject=predicate.turn.speaker, object=triple.subject, subject_type="person")
        mine = replace(mine, object_type=triple.subject_type, valid_to=triple.valid_from)
        yield from (replace(mine, relation=relation) for relation in ("lives_with", "has_neighbor"))


def _escaped(over: Triple, predicate: Predicate) -> Iterator[Triple]:
    """Yield that who ran away is a pet no longer."""
    mine = replace(over, subject=predicate.turn.speaker, subject_type="person", object=over.subject)
    yield replace(mine, relation="has_pet", valid_to=over.valid_to, object_type="")


def _unnamed_couple(over: Triple, predicate: Predicate) -> Iterator[Triple]:
    """Yield that a couple is over whose other one is named as a partner: "my boyfriend dumped me"."""
    me = predicate.turn.speaker
    other = over.object if over.subject == me else over.subject if over.object == me else ""
    if other.removeprefix(possessive(me) + " ") in _PARTNERS:
        yield replace(over, subject=me, subject_type="person", object=PARTNER)


_SMALL = frozenset("am is are have has had my our the a an his her their".split())
_DEEDS = {
    **dict.fromkeys(
        ("broke_it_off_with", "broken_it_off_with", "broke_things_off_with", "broken_things_off_with"), "broke_up_with"
    ),
    **dict.fromkeys(
        (
            "broke_engagement_off_with",
            "broke_off_engagement_with",
            "called_engagement_off_with",
            "cancelled_engagement_with",
        ),
        "broke_up_with",
    ),
    **dict.fromkeys(("ended_it_with", "ended_things_with", "broken_up_with", "split_from"), "broke_up_with"),
}
"""Relations of deeds that other words name."""
_QUIT = re.compile(r"^(?:(?:packed|jacked|chucked)_in|(?:gave|given)_up(?=$|_job))")
"""What is said of a job, colloquially."""


def beside_the_end(over: Triple, pattern: Pattern, words: str) -> list[Triple]:
    """Return what is true beside a triple that takes something back: the deed (sold), or what was so (worked_at)."""
    if pattern.ended:
        return []
    if pattern.retracts:
        deed = "_".join(word for word in words.split() if word not in _SMALL).replace("called_off", "cancelled")
        deed = _QUIT.sub("quit", _DEEDS.get(deed, deed))
        return [replace(over, relation=deed, retracts=False, valid_from=over.valid_to, planned_for=None)]
    former = "" if pattern.mode == "plan" else _former(over.relation)
    return [replace(over, relation=former, retracts=False)] if former else []


def _former(relation: str) -> str:
    """Return the relation of a state that is over: worked_at for works_at, was_allergic_to for allergic_to.

    "" where no verb and no adjective is in it.
    """
    verb, _, rest = relation.partition("_")
    if base := BASES.get(verb):
        return "_".join(filter(None, (past(base), rest)))
    return f"was_{relation}" if _OF_BE.search(relation) else ""


_OF_BE = re.compile(r"(?:ing|(?:ed|ic|id|er|of)_\w+)$")
"""The end of a relation that means "is …": dating, married_to, allergic_to, afraid_of, member_of."""
