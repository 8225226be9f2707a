"""Turn a model's decisions into verdicts: drop what is not allowed, and hold suspiciously many retirements for review.

A message can contain instructions that the model obeys (prompt injection). A model may only change facts that it is
shown, and this module limits how many of them it may retire within one window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from mem0g.conflict.candidates import says_exactly, says_something_ended
from mem0g.conflict.decision_case import DecisionCase, Judgement, Judgements
from mem0g.conflict.protocol import ResolvedTriple, Verdict, begun, log_entry, repeats, retired, retirement, support
from mem0g.model import Decision, Fact, Operation, Succession
from mem0g.relations.parsing import parse_relation
from mem0g.relations.relation_type import base_relations, relations_of_several
from mem0g.store.change import Retirement
from mem0g.text.token_count import count_words
from mem0g.times import Moment

ALWAYS_ALLOWED = 3
"""Known facts that a model may always retire in one window: of 169 windows of 20 messages in five LOCOMO conversations
18 retire a fact, and none more than 3.
"""

SHARE = 1 / 2
"""Of the facts shown for a window, the share that a model may retire: in the densest window of the example transcript,
with a race, a move, a job and a cancelled journey, it is 6 of 17.
"""

STRAY_SHARE = 0.1
"""The share that it may name for a new fact for which they were not shown. Each new fact is shown with those that it
may touch, and a model that does its task names no others; one that obeys a message names all that it is shown.
"""


MAX_WORDS = 50
"""Maximum words of a sentence that replaces two: a few more than the 40 that are asked for, as models do not count
words. Longer ones stay two facts, so that facts do not grow with each mention; the known one counts as confirmed.
"""

_REASONS: Mapping[str, str] = {
    "ADD": "nothing known says it",
    "NOOP": "known already; its evidence is added",
    "UPDATE": "says the same, and more",
    "DELETE": "not true any more",
}
"""The reasons that are logged where the model gives none."""


def apply_decisions(
    case: DecisionCase, reply: Judgements, model: str, at: datetime, *, trust: bool = False
) -> list[Verdict]:
    """Return one verdict per triple, in order: as ``reply`` says, and a triple that it does not list is added.

    Unless ``trust`` is set, the retirements of a window are held for review where the model retires too many of the
    facts shown for its triples, or names too many that were not shown for the triple. Each window of the case is judged
    by itself, in order: what is held goes on being true for the windows after it.
    """
    answers: dict[int, list[Judgement]] = {}
    for each in reply.decisions:
        answers.setdefault(case.asked[each.number], []).append(each)
    decisions = _Decisions(case, model, at, answers, dict(case.known), [])
    return [verdict for places in case.windows for verdict in decisions.of_window(places, trust=trust)]


@dataclass(frozen=True, slots=True)
class _Decisions:
    """What is decided so far: ``facts`` are the facts by number as they are now, ``added`` those added.

    ``answers`` are the model's, by the place of the triple; ``updated`` are the numbers of the triples that updated
    facts, by the id of the fact. ``apart`` are the ids of the facts beside which a window leaves their updates.
    """

    case: DecisionCase
    model: str
    at: datetime
    answers: Mapping[int, Sequence[Judgement]]
    facts: dict[int, Fact]
    added: list[Fact]
    updated: dict[str, int] = field(default_factory=dict)
    apart: set[str] = field(default_factory=set)

    def of_window(self, places: range, *, trust: bool) -> list[Verdict]:
        """Return the verdicts about the triples of one window, with their retirements held if they are suspicious."""
        before = {number: fact for number, fact in self.facts.items() if fact.current}
        self.apart.clear()
        verdicts = [self.verdict(place, self.answers.get(place, [])) for place in places]
        ended = {each.succession.fact_id for verdict in verdicts for each in verdict.retirements}
        if trust or not self._is_too_much(places, before, ended | self.apart):
            return verdicts
        still = {fact.id: fact for fact in (*before.values(), *self.added)}
        self.facts.update({number: still[fact.id] for number, fact in self.facts.items() if fact.id in ended})
        return [held(verdict) if verdict.retirements else verdict for verdict in verdicts]

    def _is_too_much(self, places: range, before: Mapping[int, Fact], ended: set[str]) -> bool:
        """Whether a window retires suspiciously many of the facts told ``before`` it, in other windows of the case too.

        Counted against those shown for its own triples that were still current.
        """
        touched = (number for place in places for number in self.case.touches(place))
        shown = len({before[number].id for number in touched if number in before})
        retired_ids = ended & {fact.id for fact in before.values()}
        strays = {before[number].id for place in places for number in self._strays(place) if number in before}
        too_many = len(retired_ids) > max(ALWAYS_ALLOWED, SHARE * shown)
        return bool(retired_ids) and (too_many or len(strays) > max(ALWAYS_ALLOWED, STRAY_SHARE * shown))

    def _strays(self, place: int) -> set[int]:
        """Return the numbers that the model would end for the triple though they were not shown for it."""
        ending = (each for each in self.answers.get(place, []) if each.operation in ("UPDATE", "DELETE"))
        return {number for each in ending for number in each.facts} - set(self.case.touches(place))

    def verdict(self, place: int, answers: Sequence[Judgement]) -> Verdict:
        """Return what becomes of a triple: one answer says whether it is a fact of its own, the others what it ends."""
        kept = next((each for each in answers if each.operation != "DELETE"), None)
        ending = [each for each in answers if each.operation == "DELETE"]
        same = self._same(place, kept) if kept else None
        why = _why_two(self.case.triples[place], same, kept) if kept and same else ""
        ends = {fact.id: (fact, each) for each in ending for fact in self._targets(place, each) if fact != same}
        if kept and same and kept.operation == "NOOP":
            verdict = self._confirmed(place, same, kept)
        elif kept and same and not why:
            verdict = self._updated(place, same, kept)
        else:
            verdict = self._new(place, answers, why, ends=bool(ends))
        if same and why and verdict.fact:
            self.apart.add(same.id)
            verdict = replace(verdict, support=support(self.case.triples[place], same, self.at))
        return self._ended(place, verdict, list(ends.values())) if ends else verdict

    def _same(self, place: int, answer: Judgement) -> Fact | None:
        """Return the fact that says the same as the triple, if the answer names one that it may touch."""
        return next(iter(self._targets(place, answer)), None)

    def _targets(self, place: int, answer: Judgement) -> list[Fact]:
        """Return the facts that the answer names, as they are now, without those that it may not touch.

        Each once: the number of an earlier triple that confirmed a known fact means that fact.
        """
        new = self.case.triples[place]
        told = (self._now(self.facts[number], answer) for number in answer.facts if number in self.facts)
        named = {fact.id: fact for fact in told}
        return [fact for fact in named.values() if fact.current and self._may_touch(new, place, fact, answer)]

    def _now(self, fact: Fact, answer: Judgement) -> Fact:
        """Return the fact that an earlier triple made of it by an update, where the answer confirms or ends it.

        A second update is not one of the first, of which its sentence says nothing.
        """
        while not fact.current and answer.operation != "UPDATE" and fact.id in self.updated:
            fact = self.facts[self.updated[fact.id]]
        return fact

    def _may_touch(self, new: ResolvedTriple, place: int, fact: Fact, answer: Judgement) -> bool:
        """Whether they share an entity or the fact was shown, and a deletion would not end before it began.

        A plan begins when it is said: it may be given up before the day that it was for. A state holds at least until
        it was last observed.
        """
        near = new.shares_an_end(fact.subject_id, fact.object_id)
        if not near and fact.id not in {each.id for each in self.case.shown[place]}:
            return False
        begun, end = fact.valid_from, new.triple.valid_to or new.triple.valid_from
        start = min(begun.start, fact.said_at or begun.start) if begun else None
        start = max((time for time in (start, fact.observed and fact.observed.start) if time), default=None)
        before = start is not None and end is not None and end.end <= start
        return answer.operation != "DELETE" or new.triple.retracts or not before

    def _new(self, place: int, answers: Sequence[Judgement], why: str, *, ends: bool) -> Verdict:
        """Return the verdict that adds the triple, unless it takes something back or says exactly what is known.

        ``why`` it does not update what the model says it does, "" if it names nothing that it may update.
        """
        new = self.case.triples[place]
        if new.triple.retracts:
            why = next((each.reason for each in answers if each.reason), "no current fact says it")
            return Verdict(decision=log_entry(new, "NOOP", "nothing to retract", why, self.at))
        known = self._said_exactly(place) if not answers else None
        if known:
            decision = log_entry(new, "NOOP", "said again", _REASONS["NOOP"], self.at, fact_id=known.id)
            return Verdict(decision=decision, support=support(new, known, self.at))
        fact = self._added(place, new)
        refused = next(iter(answers), None)
        if place not in self.case.numbers_of_triples:
            decision = log_entry(new, "ADD", "new", "nothing known is like it", self.at, fact_id=fact.id)
        elif refused and not ends:
            refusal = why or f"{refused.operation} of what has ended or is not related was refused"
            reason = f"{refusal}: {_reason(refused)}"
            decision = log_entry(new, "ADD", "refused", reason, self.at, fact_id=fact.id)
        else:
            decision = self._entry(new, "ADD", answers[0] if answers else None, fact_id=fact.id)
        return Verdict(decision=decision, fact=fact)

    def _said_exactly(self, place: int) -> Fact | None:
        """Return the current fact that says exactly what the triple says, known or of this window."""
        new = self.case.triples[place]
        known = {each.fact.id: each.fact for each in self.case.related[place]}
        known |= {fact.id: fact for fact in self.added} | {fact.id: fact for fact in self.facts.values()}
        return next((fact for fact in known.values() if fact.current and says_exactly(new, fact)), None)

    def _confirmed(self, place: int, known: Fact, answer: Judgement) -> Verdict:
        new = self.case.triples[place]
        self._stands_for(place, known)
        decision = self._entry(new, "NOOP", answer, fact_id=known.id)
        return Verdict(decision=decision, support=support(new, known, self.at))

    def _updated(self, place: int, old: Fact, answer: Judgement) -> Verdict:
        """Replace the old fact with one that says what both say, on the evidence of both."""
        given = self.case.triples[place]
        new = _with_base_relation(given, old)
        since = Moment.parse(answer.since) if answer.since else None
        triple = replace(
            new.triple,
            text=(answer.sentence or "").strip(),
            valid_from=since or begun(new.triple.valid_from, old),
            valid_to=new.triple.valid_to or old.valid_to,
            brief=None,
            observed=new.triple.observed or old.observed,
            planned_for=new.triple.planned_for or old.planned_for,
            evidence=tuple(dict.fromkeys((*old.evidence, *new.triple.evidence))),
            metadata={**old.metadata, **new.triple.metadata},
        )
        said = min((time for time in (old.said_at, new.said_at) if time), default=None)
        fact = self._added(place, replace(new, triple=triple, said_at=said))
        why = _reason(answer)
        link = Succession(fact_id=old.id, successor_id=fact.id, reason=why, decided_by=self.model, at=self.at)
        end = self._retired(old, Retirement(link, None))  # no end: it still holds, in the words of its successor
        self.updated[old.id] = self.case.numbers_of_triples[place]
        decision = self._entry(given, "UPDATE", answer, fact_id=fact.id, targets=(old.id,))
        return Verdict(decision=decision, fact=fact, retirements=(end,))

    def _ended(self, place: int, verdict: Verdict, ends: Sequence[tuple[Fact, Judgement]]) -> Verdict:
        """Return the verdict that also ends facts, each with the answer that ends it."""
        new = self.case.triples[place]
        until = new.triple.valid_to if new.triple.retracts else None
        successor = verdict.decision.fact_id
        retirements = tuple(
            self._retired(
                old,
                retirement(
                    old,
                    Moment.parse(answer.since) if answer.since else until or new.effective_from,
                    successor,
                    _reason(answer),
                    self.at,
                    decided_by=self.model,
                ),
            )
            for old, answer in ends
        )
        operation: Operation = "UPDATE" if verdict.retirements else "DELETE"
        ids = (*verdict.decision.targets, *(old.id for old, _ in ends))
        decision = self._entry(new, operation, ends[0][1], fact_id=successor, targets=ids)
        return replace(verdict, decision=decision, retirements=(*verdict.retirements, *retirements))

    def _added(self, place: int, new: ResolvedTriple) -> Fact:
        known = (each.fact for each in self.case.related[place])
        fact = new.fact(self.at, repeats=repeats(new, (*known, *self.added)))
        self.added.append(fact)
        self._stands_for(place, fact)
        return fact

    def _stands_for(self, place: int, fact: Fact) -> None:
        """Let the number of the triple at ``place`` mean ``fact`` to the triples after it."""
        if place in self.case.numbers_of_triples:
            self.facts[self.case.numbers_of_triples[place]] = fact

    def _retired(self, old: Fact, end: Retirement) -> Retirement:
        self.facts.update({number: retired(fact, end) for number, fact in self.facts.items() if fact.id == old.id})
        return end

    def _entry(
        self,
        new: ResolvedTriple,
        operation: Operation,
        answer: Judgement | None,
        *,
        fact_id: str | None = None,
        targets: tuple[str, ...] = (),
    ) -> Decision:
        return log_entry(
            new, operation, "model", _reason(answer), self.at, decided_by=self.model, fact_id=fact_id, targets=targets
        )


def _reason(answer: Judgement | None) -> str:
    """Return the reason that the model gives, else the usual one; a triple that it does not list is added."""
    return (answer and answer.reason) or _REASONS[answer.operation if answer else "ADD"]


def _why_two(new: ResolvedTriple, old: Fact, answer: Judgement) -> str:
    """Return why both stay facts, the known one confirmed, though the model updates it; "" if one takes its place."""
    if answer.operation != "UPDATE":
        return ""
    if count_words(answer.sentence or "") > MAX_WORDS:
        return f"UPDATE to more than {MAX_WORDS} words was refused, the known fact confirmed"
    if _loses_edge(new, old):
        return f"UPDATE would lose {old.subject} {old.relation} {old.object}, so both are kept"
    return ""


def _loses_edge(new: ResolvedTriple, old: Fact) -> bool:
    """Whether the graph would not have the known edge any more, which still holds: its ends are others.

    "Has a flat in Graça" tells more of somebody who lives in Lisbon, but not where they live. What has no name may get
    one: "a dog" is Rex. And of a relation with one object at a time the new one is how it is now.
    """
    if old.object_is_literal or new.has_ends_of(old):
        return False
    if new.relation == old.relation and new.relation not in relations_of_several():
        return False
    return old.subject_id not in (new.subject.id, new.object.id) or any(map(str.isupper, old.object))


def _with_base_relation(new: ResolvedTriple, old: Fact) -> ResolvedTriple:
    """Return the triple with the relation of the fact that it updates, if that is a base relation and its own is not.

    "Thinks of pottery as a way to relax" is more of "likes pottery". The base relation is left where the triple says
    that something ended, denies it, or is about another time.
    """
    base = base_relations()
    if not new.has_ends_of(old) or new.relation in base or old.relation not in base or says_something_ended(new):
        return new
    told, known = parse_relation(new.relation), parse_relation(old.relation)
    if (told.denied, told.ahead, told.tense == "past") != (known.denied, known.ahead, known.tense == "past"):
        return new
    subject, thing = (new.subject, new.object) if old.subject_id == new.subject.id else (new.object, new.subject)
    triple = replace(
        new.triple,
        subject=old.subject,
        relation=old.relation_given,
        object=old.object,
        subject_type=old.subject_type,
        object_type=old.object_type,
    )
    return replace(new, triple=triple, subject=subject, relation=old.relation, object=thing)


def held(verdict: Verdict) -> Verdict:
    """Return the verdict with its retirements held; its log entry says so."""
    reason = f"the end of {', '.join(verdict.decision.targets)} is held for review: {verdict.decision.reason}"
    operation: Operation = "ADD" if verdict.fact else "NOOP"
    decision = replace(verdict.decision, operation=operation, rule="held", reason=reason, targets=())
    return replace(verdict, decision=decision, retirements=(), held=verdict.retirements)
