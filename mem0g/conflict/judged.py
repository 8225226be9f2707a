"""What the model's decisions amount to: verdicts, with what it may not do refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.conflict.case import Case
from mem0g.conflict.claim import Claim, Verdict
from mem0g.conflict.verdicts import ending, entry, repeats, retired
from mem0g.model import Decision, Fact, Operation, Succession
from mem0g.store.change import Retirement, Support
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.conflict.replies import Judgement, Judgements


def judged(case: Case, reply: Judgements, model: str, at: datetime) -> list[Verdict]:
    """One verdict a claim, in order: those asked about as ``reply`` says, the others are new."""
    answers = {case.asked[each.number]: each for each in reply.decisions}
    judging = _Judging(case, model, at, dict(case.known), [])
    return [judging.verdict(place, answers.get(place)) for place in range(len(case.claims))]


@dataclass(frozen=True, slots=True)
class _Judging:
    """The window so far: what each number stands for now, and the facts added."""

    case: Case
    model: str
    at: datetime
    facts: dict[int, Fact]
    added: list[Fact]

    def verdict(self, place: int, answer: Judgement | None) -> Verdict:
        targets = self._targets(place, answer) if answer else []
        if answer is None or not targets:
            return self._new(place, answer)
        if answer.operation == "NOOP":
            return self._again(place, targets[0], answer)
        if answer.operation == "UPDATE":
            return self._updated(place, targets[0], answer)
        return self._ended(place, targets, answer)

    def _targets(self, place: int, answer: Judgement) -> list[Fact]:
        """The facts that it names, as they are now, without those that it may not touch.

        Each once: a claim that said the same as a known fact stands for that fact, too.
        """
        claim = self.case.claims[place]
        named = {self.facts[number].id: self.facts[number] for number in answer.facts if number in self.facts}
        return [fact for fact in named.values() if fact.current and self._may_touch(claim, place, fact, answer)]

    def _may_touch(self, claim: Claim, place: int, fact: Fact, answer: Judgement) -> bool:
        """A pair that shares no entity and is not similar is refused, and an end before the beginning.

        A plan begins with its telling: it may be given up before the day that it was for.
        """
        near = claim.shares_an_end(fact.subject_id, fact.object_id)
        if not near and fact.id not in {each.id for each in self.case.shown[place]}:
            return False
        told, end = fact.valid_from, claim.triple.valid_to or claim.triple.valid_from
        start = min(told.start, fact.said_at or told.start) if told else None
        before = start is not None and end is not None and end.end <= start
        return answer.operation != "DELETE" or claim.triple.retracts or not before

    def _new(self, place: int, answer: Judgement | None) -> Verdict:
        claim = self.case.claims[place]
        if claim.triple.retracts:
            why = answer.reason if answer else "no current fact says it"
            return Verdict(decision=entry(claim, "NOOP", "nothing to retract", why, self.at))
        fact = self._added(place, claim)
        if answer is None:
            decision = entry(claim, "ADD", "new", "nothing known is like it", self.at, fact_id=fact.id)
        elif answer.operation == "ADD":
            decision = self._entry(claim, "ADD", answer, fact_id=fact.id)
        else:
            refused = f"{answer.operation} of what has ended or is not related was refused: {answer.reason}"
            decision = entry(claim, "ADD", "refused", refused, self.at, fact_id=fact.id)
        return Verdict(decision=decision, fact=fact)

    def _again(self, place: int, known: Fact, answer: Judgement) -> Verdict:
        claim = self.case.claims[place]
        self._stands_for(place, known)
        dated = claim.triple.valid_from if known.valid_from is None else None
        evidence = tuple(each for each in claim.triple.evidence if each not in known.evidence)
        decision = self._entry(claim, "NOOP", answer, fact_id=known.id)
        return Verdict(decision=decision, support=Support(known.id, evidence, dated))

    def _updated(self, place: int, old: Fact, answer: Judgement) -> Verdict:
        """One fact that says what both say, on the evidence of both."""
        claim = self.case.claims[place]
        triple = replace(
            claim.triple,
            text=(answer.sentence or "").strip(),
            valid_from=claim.triple.valid_from or old.valid_from,
            valid_to=claim.triple.valid_to or old.valid_to,
            evidence=tuple(dict.fromkeys((*old.evidence, *claim.triple.evidence))),
        )
        said = min((time for time in (old.said_at, claim.said_at) if time), default=None)
        fact = self._added(place, replace(claim, triple=triple, said_at=said))
        link = Succession(fact_id=old.id, successor_id=fact.id, reason=answer.reason, decided_by=self.model, at=self.at)
        end = self._end(old, Retirement(link, None))  # it never ended: another sentence says it now
        decision = self._entry(claim, "UPDATE", answer, fact_id=fact.id, targets=(old.id,))
        return Verdict(decision=decision, fact=fact, retirements=(end,))

    def _ended(self, place: int, targets: Sequence[Fact], answer: Judgement) -> Verdict:
        claim = self.case.claims[place]
        told = claim.triple.valid_to if claim.triple.retracts else None
        since = Moment.parse(answer.since) if answer.since else told or claim.when_known()
        fact = None if claim.triple.retracts else self._added(place, claim)
        successor = fact.id if fact else None
        ends = tuple(
            self._end(old, ending(old, since, successor, answer.reason, self.at, decided_by=self.model))
            for old in targets
        )
        ids = tuple(old.id for old in targets)
        decision = self._entry(claim, "DELETE", answer, fact_id=successor, targets=ids)
        return Verdict(decision=decision, fact=fact, retirements=ends)

    def _added(self, place: int, claim: Claim) -> Fact:
        known = (each.fact for each in self.case.related[place])
        fact = claim.fact(self.at, repeats=repeats(claim, (*known, *self.added)))
        self.added.append(fact)
        self._stands_for(place, fact)
        return fact

    def _stands_for(self, place: int, fact: Fact) -> None:
        """The number of a claim means ``fact`` to those after it."""
        if place in self.case.numbers_of_claims:
            self.facts[self.case.numbers_of_claims[place]] = fact

    def _end(self, old: Fact, end: Retirement) -> Retirement:
        self.facts.update({number: retired(fact, end) for number, fact in self.facts.items() if fact.id == old.id})
        return end

    def _entry(
        self,
        claim: Claim,
        operation: Operation,
        answer: Judgement,
        *,
        fact_id: str | None = None,
        targets: tuple[str, ...] = (),
    ) -> Decision:
        who = self.model
        return entry(
            claim, operation, "model", answer.reason, self.at, decided_by=who, fact_id=fact_id, targets=targets
        )
