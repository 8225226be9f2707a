"""Turn a model's decisions into verdicts: drop what is not allowed, and hold suspiciously many retirements for review.

A message can contain instructions that the model obeys (prompt injection). A model may only change facts that it is
shown, and this module limits how many of them it may retire within one window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mem0g.conflict.decision_case import DecisionCase, Judgement, Judgements
from mem0g.conflict.protocol import ResolvedTriple, Verdict, log_entry, repeats, retired, retirement, support
from mem0g.model import Decision, Fact, Operation, Succession
from mem0g.store.change import Retirement
from mem0g.times import Moment

ALWAYS_ALLOWED = 3
"""Known facts that a model may always retire in one window: of 169 windows of 20 messages in five LOCOMO conversations
18 retire a fact, and none more than 3.
"""

SHARE = 1 / 3
"""Of the facts shown for a window, the share that a model may retire: in the densest window of the example transcript,
where a move, a job and a cancelled journey came to 7 of 27, it is a quarter.
"""

STRAY_SHARE = 0.1
"""The share that it may name for a new fact for which they were not shown. Each new fact is shown with those that it
may touch, and a model that keeps to its task names no other; one that obeys a message names all it sees.
"""


def apply_decisions(case: DecisionCase, reply: Judgements, model: str, at: datetime) -> list[Verdict]:
    """Return one verdict per triple, in order: as ``reply`` says where it was asked about, else the triple is added."""
    answers = {case.asked[each.number]: each for each in reply.decisions}
    window = _Window(case, model, at, dict(case.known), [])
    return [window.verdict(place, answers.get(place)) for place in range(len(case.triples))]


@dataclass(frozen=True, slots=True)
class _Window:
    """The window so far: ``facts`` is what each number stands for now, ``added`` the facts added."""

    case: DecisionCase
    model: str
    at: datetime
    facts: dict[int, Fact]
    added: list[Fact]

    def verdict(self, place: int, answer: Judgement | None) -> Verdict:
        targets = self._targets(place, answer) if answer else []
        if answer is None or not targets:
            return self._new(place, answer)
        if answer.operation == "NOOP":
            return self._confirmed(place, targets[0], answer)
        if answer.operation == "UPDATE":
            return self._updated(place, targets[0], answer)
        return self._ended(place, targets, answer)

    def _targets(self, place: int, answer: Judgement) -> list[Fact]:
        """Return the facts that the answer names, as they are now, without those that it may not touch.

        Each once: the number of an earlier triple that confirmed a known fact stands for that fact.
        """
        new = self.case.triples[place]
        named = {self.facts[number].id: self.facts[number] for number in answer.facts if number in self.facts}
        return [fact for fact in named.values() if fact.current and self._may_touch(new, place, fact, answer)]

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

    def _new(self, place: int, answer: Judgement | None) -> Verdict:
        new = self.case.triples[place]
        if new.triple.retracts:
            why = answer.reason if answer else "no current fact says it"
            return Verdict(decision=log_entry(new, "NOOP", "nothing to retract", why, self.at))
        fact = self._added(place, new)
        if answer is None:
            decision = log_entry(new, "ADD", "new", "nothing known is like it", self.at, fact_id=fact.id)
        elif answer.operation == "ADD":
            decision = self._entry(new, "ADD", answer, fact_id=fact.id)
        else:
            refused = f"{answer.operation} of what has ended or is not related was refused: {answer.reason}"
            decision = log_entry(new, "ADD", "refused", refused, self.at, fact_id=fact.id)
        return Verdict(decision=decision, fact=fact)

    def _confirmed(self, place: int, known: Fact, answer: Judgement) -> Verdict:
        new = self.case.triples[place]
        self._stands_for(place, known)
        decision = self._entry(new, "NOOP", answer, fact_id=known.id)
        return Verdict(decision=decision, support=support(new, known))

    def _updated(self, place: int, old: Fact, answer: Judgement) -> Verdict:
        """Replace the old fact with one that says what both say, on the evidence of both."""
        new = self.case.triples[place]
        triple = replace(
            new.triple,
            text=(answer.sentence or "").strip(),
            valid_from=new.triple.valid_from or old.valid_from,
            valid_to=new.triple.valid_to or old.valid_to,
            brief=None,
            observed=new.triple.observed or old.observed,
            planned_for=new.triple.planned_for or old.planned_for,
            evidence=tuple(dict.fromkeys((*old.evidence, *new.triple.evidence))),
        )
        said = min((time for time in (old.said_at, new.said_at) if time), default=None)
        fact = self._added(place, replace(new, triple=triple, said_at=said))
        link = Succession(fact_id=old.id, successor_id=fact.id, reason=answer.reason, decided_by=self.model, at=self.at)
        end = self._retired(old, Retirement(link, None))  # no end: it still holds, in the words of its successor
        decision = self._entry(new, "UPDATE", answer, fact_id=fact.id, targets=(old.id,))
        return Verdict(decision=decision, fact=fact, retirements=(end,))

    def _ended(self, place: int, targets: Sequence[Fact], answer: Judgement) -> Verdict:
        new = self.case.triples[place]
        until = new.triple.valid_to if new.triple.retracts else None
        since = Moment.parse(answer.since) if answer.since else until or new.effective_from
        fact = None if new.triple.retracts else self._added(place, new)
        successor = fact.id if fact else None
        ends = tuple(
            self._retired(old, retirement(old, since, successor, answer.reason, self.at, decided_by=self.model))
            for old in targets
        )
        ids = tuple(old.id for old in targets)
        decision = self._entry(new, "DELETE", answer, fact_id=successor, targets=ids)
        return Verdict(decision=decision, fact=fact, retirements=ends)

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
        answer: Judgement,
        *,
        fact_id: str | None = None,
        targets: tuple[str, ...] = (),
    ) -> Decision:
        return log_entry(
            new, operation, "model", answer.reason, self.at, decided_by=self.model, fact_id=fact_id, targets=targets
        )


def held_back(verdicts: Sequence[Verdict], case: DecisionCase, reply: Judgements) -> list[Verdict]:
    """Return the verdicts with their retirements held for review, when the model retires too many of the facts shown
    or names too many that were not shown for the triple; else as they are.
    """
    known = {fact.id for fact in case.known.values()}
    retired_ids = {each.succession.fact_id for verdict in verdicts for each in verdict.retirements} & known
    too_many = len(retired_ids) > max(ALWAYS_ALLOWED, SHARE * len(known))
    strays = len(_strays(case, reply)) > max(ALWAYS_ALLOWED, STRAY_SHARE * len(known))
    if not retired_ids or not (too_many or strays):
        return list(verdicts)
    return [_held(verdict) if verdict.retirements else verdict for verdict in verdicts]


def _strays(case: DecisionCase, reply: Judgements) -> set[int]:
    """Return the numbers of known facts that the model would end for a triple that they were not shown for."""
    ending = [each for each in reply.decisions if each.operation in ("UPDATE", "DELETE")]
    unshown = (set(each.facts) - set(case.touches(case.asked[each.number])) for each in ending)
    return {number for numbers in unshown for number in numbers if number in case.known}


def _held(verdict: Verdict) -> Verdict:
    """Return the verdict with its retirements held; its log entry says so."""
    reason = f"the end of {', '.join(verdict.decision.targets)} is held for review: {verdict.decision.reason}"
    operation: Operation = "ADD" if verdict.fact else "NOOP"
    decision = replace(verdict.decision, operation=operation, rule="held", reason=reason, targets=())
    return replace(verdict, decision=decision, retirements=(), held=verdict.retirements)
