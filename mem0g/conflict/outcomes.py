"""What a new triple says has become of a known fact: a plan came true or was given up, a number has changed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mem0g.conflict.protocol import ResolvedTriple
from mem0g.model import Fact, Triple
from mem0g.relations.parsing import ParsedRelation, parse_relation
from mem0g.relations.registry import Registry
from mem0g.resolve.names import parse
from mem0g.text.english import DOSE_UNITS, MONTH, NUMBERS
from mem0g.text.names import fold
from mem0g.text.stemming import token_set
from mem0g.times import Moment

_CALLED_OFF: Final = frozenset({"cancel", "abandon"})
"""Stems of verbs that give up whatever was planned with their object."""

_PLANNING: Final = frozenset(
    {"plan", "organiz", "organis", "arrang", "prepar", "book", "reserv", "schedul", "sign", "regist", "enrol"}
)
"""Stems of verbs whose object is what is planned."""

_PUT_OFF = re.compile(
    r"\b(?:(?:moved|pushed|shifted|extended|changed|bumped|slipped)(?: back| forward| up| out)?(?: again)?"
    r"(?: from .{1,40}?)? (?:to|until|till|for|on|in)|rescheduled|postponed|put off|put back|brought forward|delayed"
    r"|deferred|instead|(?:is|are) now)\b",
    re.IGNORECASE,
)
_HAS_ONE_DAY = re.compile(r"\bdeadline$", re.IGNORECASE)
"""What has one day at a time, whether or not it is said that it was moved."""

_TRIPS: Final = token_set("trip holiday vacation visit flight")
_TRIP_TO = re.compile(r"\b(?:trip|holiday|vacation|visit|flight) (?:to|in) ")
_OCCASIONS: Final = _TRIPS | token_set("concert gig show festival match game play film tickets booking event")
"""Words for what takes place, which a plan for it may not have: "the Blur concert" of tickets for Blur."""
_POSSESSES = re.compile(r"(?:HAS|HAVE|OWNS?)(?:_|$)")
"""Relations whose object is counted. Two wins stay two wins."""

_FURTHER = re.compile(r"\b(?:another|more|extra|additional|further|other|new)\b", re.IGNORECASE)
"""What makes a number one of further things, not of all."""

_DATE: Final = re.compile(rf"(?:\d{{1,2}} )?(?:{MONTH}) \d{{4}}|\d{{4}}(?:-\d\d){{0,2}}", re.IGNORECASE)
"""An object that is a date."""

DOSED: Final = frozenset({"TAKES"})
"""Relations to a medicine, whose name may have its dose."""
_DOSE: Final = re.compile(rf" \d[\d.,]* ?(?:{DOSE_UNITS})?$", re.IGNORECASE)

_NUMBER_WORDS: Final = NUMBERS[2:]
_NUMBERS: Final = {word: number for number, word in enumerate(_NUMBER_WORDS, start=2)} | {
    str(n): n for n in range(2, 1000)
}
_NUMBER: Final = rf"({'|'.join(_NUMBER_WORDS)}|\d{{1,3}})"


_MARRIED: Final = frozenset({"MARRIED_TO"})
UNMARRIED_COUPLES: Final = frozenset({"DATING", "ENGAGED_TO", "HAS_PARTNER"})
COUPLES: Final = _MARRIED | UNMARRIED_COUPLES
_PARTED: Final = {
    ("MARITAL_STATUS", "single"): COUPLES,
    ("MARITAL_STATUS", "divorced"): _MARRIED,
    ("MARITAL_STATUS", "widowed"): _MARRIED,
}
"""Relations to a partner whom somebody of this status has no longer."""

DEATHS: Final = frozenset({"DIED_ON", "DIED_IN", "DIED", "PASSED_AWAY"})
_COUPLED_FOR_LIFE: Final = frozenset({"MARRIED_TO", "ENGAGED_TO", "DATING", "HAS_PARTNER", "LIVES_WITH"})
ENDED_BY_DEATH: Final = _COUPLED_FOR_LIFE | frozenset(
    """
    LIVES_IN LIVES_AT STAYS_IN WORKS_AT WORKS_PART_TIME_AT WORKS_AS WORKS_IN STUDIES_AT STUDIES HAS_AGE HAS_PET OWNS
    DRIVES MEMBER_OF VOLUNTEERS_AT PLAYS
    """.split()
)
"""States of somebody that end with death; kinship stays."""


def may_be_outcome(new: ResolvedTriple, relation: str, registry: Registry) -> bool:
    """Whether the triple can say what became of a fact of this relation about its subject and another object."""
    if relation == new.relation and (parse_relation(relation).ahead or _has_number(relation)):
        return True
    if _DATE.fullmatch(new.object.name) and registry.fulfils(new.relation, relation):
        return True
    if relation in _parted(new) or relation in relations_ended_by_death(new):
        return True
    return _moves_plan(new) or is_done(new.relation, relation) or calls_off(new.relation, relation)


def parts_couple(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the triple says that somebody is single, divorced or widowed, and the fact that they have a partner."""
    return fact.relation in _parted(new) and new.subject.id in (fact.subject_id, fact.object_id)


def relations_ended_by_death(new: ResolvedTriple) -> frozenset[str]:
    """Return the relations of facts that end if the triple says that somebody died, whichever end they are."""
    return ENDED_BY_DEATH if _is_death(new) else frozenset()


def ended_by_death(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the triple says that somebody died, and the fact is a state of theirs, or of who was with them."""
    if not _is_death(new):
        return False
    if fact.subject_id == new.subject.id:
        return fact.relation in ENDED_BY_DEATH
    return fact.object_id == new.subject.id and (fact.relation in _COUPLED_FOR_LIFE or fact.relation == "HAS_PET")


def _is_death(new: ResolvedTriple) -> bool:
    dead = new.relation == "IS" and fold(new.object.name) == "dead"
    return not new.triple.retracts and (dead or new.relation in DEATHS)


def _parted(new: ResolvedTriple) -> frozenset[str]:
    if new.relation == "GOT_DIVORCED":
        return _MARRIED
    return _PARTED.get((new.relation, fold(new.object.name)), frozenset())


def came_true(new: ResolvedTriple, plan: Fact, registry: Registry) -> bool:
    """Whether the triple says that what was planned is done, with the same entities or an object of nearly that name.

    A plan for a later day is a different one, and so is what was done before the plan was made. A state of which there
    is one at a time, such as a home, may begin earlier than planned.
    """
    if new.subject.id != plan.subject_id:
        return False
    begun = has_begun(new, plan, registry)
    names = (new.object.name, plan.object)
    if new.object.id == plan.object_id or all(map(_DATE.fullmatch, names)):  # "in June" and "on 14 June"
        done = begun or registry.fulfils(new.relation, plan.relation)
    else:
        done = is_done(new.relation, plan.relation) and _is_same_thing(*names)
    return done and (begun or not _is_for_later(plan, new)) and not _is_from_before(plan, new)


def has_begun(new: ResolvedTriple, plan: Fact, registry: Registry) -> bool:
    """Whether the plan is of a home, a job or a dose, one at a time, and the triple says that it is so now."""
    planned = plan.planned_for is not None and new.triple.planned_for is None
    same = (plan.relation, plan.object_id) == (new.relation, new.object.id)
    one = registry.get(new.relation).one_object and not new.object.is_literal
    return planned and same and (one or new.relation in DOSED)


def given_up(new: ResolvedTriple, plan: Fact) -> bool:
    """Whether the triple takes back a plan or a wish of its subject: "cancelled", "does not want", "will not visit"."""
    planned, now = parse_relation(plan.relation), parse_relation(new.relation)
    if new.subject.id != plan.subject_id or planned.denied:
        return False
    if calls_off(new.relation, plan.relation):
        is_about_it = not _is_over(plan, new) and _is_part_of(plan.object, new.object.name)
    elif now.denied and planned.ahead and new.object.id == plan.object_id:
        is_about_it = now.words == ("want",) or (now.ahead and now.words == planned.words)
    else:
        return False
    return is_about_it and not _is_from_before(plan, new)


def put_off(new: ResolvedTriple, plan: Fact) -> bool:
    """Whether the triple gives the plan another day, and says that it has been moved."""
    same = (plan.subject_id, plan.relation) == (new.subject.id, new.relation) and (
        plan.object_id == new.object.id or fold(plan.object) == fold(new.object.name)
    )
    if not same or not parse_relation(plan.relation).ahead or _day_of(new.triple) in (None, _day_of(plan)):
        return False
    return _PUT_OFF.search(new.triple.text) is not None or _HAS_ONE_DAY.search(plan.object) is not None


def meant_plan(new: ResolvedTriple, facts: Iterable[Fact]) -> Fact | None:
    """Return the plan that is meant where something is moved or called off: a meeting with Bob, of "the meeting".

    None if several may be meant.
    """
    if not _moves_plan(new):
        return None
    owner = parse(new.object.name).owner
    meant = [
        fact
        for fact in facts
        if fact.current
        and fact.subject_id == new.subject.id
        and (parse_relation(fact.relation).ahead or fact.planned_for)
        and not _is_over(fact, new)
        and _may_be_meant(new.object.name, fact)
        and (not owner or parse(fact.object).owner in ("", owner))
    ]
    if len(meant) != 1:
        return None
    off = new.triple.retracts or _is_cancelled(new)
    return meant[0] if off or _day_of(new.triple) != _day_of(meant[0]) else None


def reverses(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether one says of the same two entities what the other denies: "no longer works at" and "works at"."""
    if (fact.subject_id, fact.object_id) != (new.subject.id, new.object.id):
        return False
    now, known = parse_relation(new.relation), parse_relation(fact.relation)
    same = bool(now.words) and (now.words, now.tense, now.mood) == (known.words, known.tense, known.mood)
    return same and now.denied != known.denied


def changes_number(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether both say how many of a thing the same subject has, or has finished so far, and the numbers differ.

    Or both say in which dose the subject takes a medicine, unless one of the doses is for later.
    """
    same = (fact.subject_id, fact.relation) == (new.subject.id, new.relation)
    if same and new.relation in DOSED:
        return _changes_dose(new.triple.object, fact.object) and not new.one_lies_ahead(fact)
    if not same or not _has_number(new.relation):
        return False
    if new.relation == "FINISHED":
        return _is_further(new, fact)
    number, counted = _counted(new.triple.object)
    known, other = _counted(fact.object)
    if number is None or (counted != other and fact.object_id != new.object.id):
        return False
    return (_number_in(fact.text, counted) or known or number) != number


def _has_number(relation: str) -> bool:
    """Whether the objects of a relation are counted."""
    return relation == "FINISHED" or _POSSESSES.match(relation) is not None


def _moves_plan(new: ResolvedTriple) -> bool:
    """Whether the triple moves or calls off what is planned, whatever it is called."""
    moved = new.triple.retracts or _PUT_OFF.search(new.triple.text) is not None
    return _is_cancelled(new) or (moved and parse_relation(new.relation).ahead)


def _is_cancelled(new: ResolvedTriple) -> bool:
    """Whether the triple says that what is planned was called off, as a deed or by its verb: "cancelled_trip_to"."""
    done = parse_relation(new.relation)
    return not (new.triple.retracts or done.denied) and done.tense == "past" and _says_called_off(done)


def _is_further(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether more of the same is finished now: 15 chapters, once 12. What was done on a day stands beside the rest."""
    (number, counted), (known, other) = _counted(new.triple.object), _counted(fact.object)
    dated = new.triple.valid_from or fact.valid_from or _FURTHER.search(new.triple.text)
    return not dated and counted == other and number is not None and known is not None and number > known


def _says_called_off(relation: ParsedRelation) -> bool:
    """Whether somebody called something off, or faced that others did."""
    return not _CALLED_OFF.isdisjoint(relation.words[:1]) or relation.words[:2] == ("face", "cancel")


def calls_off(relation: str, plan: str) -> bool:
    """Whether the first relation gives up whatever was planned with its object, and the other one plans."""
    planned, now = parse_relation(plan), parse_relation(relation)
    if now.denied or planned.denied or not _says_called_off(now):
        return False
    return planned.ahead or not _PLANNING.isdisjoint(planned.words[:1])


def is_done(relation: str, plan: str) -> bool:
    """Whether the first relation says that somebody did what the verb of the other one plans."""
    planned, done = parse_relation(plan), parse_relation(relation)
    if not planned.ahead or planned.denied or done.denied or done.tense != "past":
        return False
    return bool(done.words) and done.words[:1] == planned.words[:1]


def _is_same_thing(done: str, planned: str) -> bool:
    """Whether two names have one head and the first adds nothing: "festival" for "nearby festival"."""
    return token_set(parse(done).head) == token_set(parse(planned).head) and _is_part_of(done, planned)


def _may_be_meant(name: str, plan: Fact) -> bool:
    """Whether a name, its owner aside, may be short for what is planned: it has its head, and only words told of it.

    "The trip" and Japan mean a trip to Japan, too, and "the Japan trip" means Japan.
    """
    words = token_set(" ".join(parse(name).words))
    if words and words - _OCCASIONS == token_set(" ".join(parse(plan.object).words)):
        return True
    if not words or not words <= token_set(f"{plan.object} {plan.text}"):
        return False
    same_head = token_set(parse(name).head) == token_set(parse(plan.object).head)
    is_trip = plan.relation == "PLANS_TO_VISIT" and not _TRIPS.isdisjoint(words)
    if same_head or is_trip or (_TRIP_TO.search(plan.object) is not None and _is_part_of(name, plan.object)):
        return True
    is_there = re.search(rf"\b(?:to|in) {re.escape(fold(name))}\b", fold(plan.text)) is not None
    return is_there and not _TRIPS.isdisjoint(token_set(plan.object))


def _is_part_of(one: str, other: str) -> bool:
    """Whether the words of a name, its owner aside, are among those of another."""
    words = token_set(" ".join(parse(one).words))
    return bool(words) and words <= token_set(" ".join(parse(other).words))


def _day_of(plan: Triple | Fact) -> Moment | None:
    """Return the day or the period that a plan is for."""
    return plan.planned_for or plan.valid_from


def _is_for_later(plan: Fact, new: ResolvedTriple) -> bool:
    done, planned = new.triple.valid_from or new.triple.observed, _day_of(plan)
    if planned is None or done is not None:
        return planned is not None and done is not None and planned.start >= done.end
    return new.said_at is not None and planned.begins_after(new.said_at)


def _is_over(plan: Fact, new: ResolvedTriple) -> bool:
    """Whether the day of the plan has passed when the triple is said."""
    last = plan.valid_to or _day_of(plan)
    return last is not None and new.said_at is not None and last.is_over(new.said_at)


def _is_from_before(plan: Fact, new: ResolvedTriple) -> bool:
    done, planned = new.triple.valid_from, _day_of(plan)
    since = min((time for time in (plan.said_at, planned and planned.start) if time), default=None)
    return done is not None and since is not None and done.end <= since


def _changes_dose(now: str, known: str) -> bool:
    """Whether two names are of one medicine in different doses."""
    (medicine, dose), (other, before) = _dosed(now), _dosed(known)
    return medicine == other and None not in (dose, before) and dose != before


def _dosed(name: str) -> tuple[str, str | None]:
    """Return a medicine without its dose, and its dose without spaces, None if the name has none."""
    match = _DOSE.search(name)
    return (fold(name[: match.start()]), fold(match[0]).replace(" ", "")) if match else (fold(name), None)


def _counted(name: str) -> tuple[int | None, str]:
    """Return the number at the start of a name, None where there is none, and what is counted without its owner."""
    first, *rest = parse(name).words
    return (_NUMBERS[first], " ".join(rest)) if first in _NUMBERS and rest else (None, " ".join([first, *rest]))


def _number_in(text: str, counted: str) -> int | None:
    """Return the number that a sentence gives for a thing; the entity's name keeps the number it was first given."""
    found = re.search(rf"\b{_NUMBER}(?: [\w-]+){{0,2}} {re.escape(counted)}\b", fold(text))
    return _NUMBERS.get(found[1]) if found else None
