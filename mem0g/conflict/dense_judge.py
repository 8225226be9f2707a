"""The conflict policy of dense memories: the update phase of the base Mem0 (arXiv 2504.19413, section 2.1).

Each new memory is compared with the s = 10 most similar known ones, and a model chooses among ADD, UPDATE, DELETE and
NOOP by a function call. All new memories of a window are decided about in one call. What the paper's store overwrites
and deletes is retired here, with the reason, so that it can be looked up and undone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict

from mem0g.conflict.apply_decisions import ALWAYS_ALLOWED, SHARE, held
from mem0g.conflict.protocol import (
    RULE,
    Decided,
    PolicyAnswer,
    ResolvedTriple,
    ResolvedWindow,
    Verdict,
    log_entry,
    repeats,
    retirement,
    support,
)
from mem0g.errors import UnusableReplyError
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts, quoted
from mem0g.llm.protocol import Ledger, Request
from mem0g.model import UNSTORABLE, Decision, Fact, Operation, Succession, content_id
from mem0g.store.change import Retirement

SIMILAR = 10
"""Known memories that a new one is compared with: s of the paper."""

MAX_PROBLEMS, MAX_TEXT = 5, 5_000
"""Problems of one reply that are shown to the model, and characters in a text or a reason."""

_REASONS: Mapping[str, str] = {
    "ADD": "nothing known says it",
    "UPDATE": "says the same, and more",
    "DELETE": "not true any more",
    "NOOP": "known already; its evidence is added",
}
"""The reasons that are logged where the model gives none."""


class MemoryDecision(BaseModel):
    """What becomes of one new memory; ``memory`` is the number of the known one that it is about."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    number: int
    operation: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    memory: int | None
    text: str | None
    reason: str | None


class MemoryDecisions(BaseModel):
    """The reply: the decisions about all new memories."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    decisions: list[MemoryDecision]


@dataclass(frozen=True, slots=True)
class DenseJudge:
    """Asks a model what new memories do to the most similar known ones; see mem0g.conflict.protocol.ConflictPolicy.

    Where nothing is known that a new memory could touch, it is added without a call. Unless ``trust`` is set, the
    changes of a window in which the model would change suspiciously many memories are held for review.
    """

    model: Exchange
    ledger: Ledger
    prompts: Prompts = field(default_factory=Prompts)
    similar: int = SIMILAR
    trust: bool = False

    @property
    def nearest(self) -> int:
        """How many similar facts to look up: some of them may be no memories."""
        return 2 * self.similar

    def decide(self, window: ResolvedWindow) -> Decided:
        """Return the question to ask, or the verdicts where there is nothing to compare with."""
        question = MemoryQuestion(self, window)
        return question if question.known else question.decide(PolicyAnswer(reply=None), window.triples)


@dataclass(frozen=True)
class MemoryQuestion:
    """The new memories of a window and the known ones that they are compared with; see OpenQuestion.

    Known memories are numbered from 1, the new ones after them.
    """

    judge: DenseJudge
    window: ResolvedWindow

    @cached_property
    def shown(self) -> tuple[tuple[Fact, ...], ...]:
        """The known memories that each new one is compared with, most similar first."""

        def alike(new: ResolvedTriple, place: int) -> tuple[Fact, ...]:
            found = [each for each in self.window.related[place] if each.fact.current]
            memories = [each for each in found if each.fact.relation == new.relation and each.fact.object_is_literal]
            memories.sort(key=lambda each: (-each.similarity, each.fact.id))
            return tuple(each.fact for each in memories[: self.judge.similar])

        return tuple(alike(new, place) for place, new in enumerate(self.window.triples))

    @cached_property
    def known(self) -> Mapping[int, Fact]:
        """The known memories that are shown, by number."""
        return dict(enumerate({fact.id: fact for each in self.shown for fact in each}.values(), start=1))

    @cached_property
    def new(self) -> Mapping[int, int]:
        """The places of the new memories, by number."""
        return dict(enumerate(range(len(self.window.triples)), start=len(self.known) + 1))

    @property
    def key(self) -> str:
        """See OpenQuestion: another one when other memories are known."""
        return content_id("case", *self.known_ids, *(each.triple.text for each in self.window.triples))

    @property
    def known_ids(self) -> tuple[str, ...]:
        """The ids of the known memories, with their evidence."""
        return tuple(f"{fact.id} {fact.evidence}" for fact in self.known.values())

    def request(self) -> Request[MemoryDecisions]:
        """Return the request to the model."""
        words = {"known": "\n".join(self._known_lines()), "new": "\n".join(self._new_lines())}
        rendered = self.judge.prompts.render(__package__, "update", words)
        return rendered.request(
            purpose="update",
            function="update_memory",
            description="Say what becomes of each new memory.",
            reply=MemoryDecisions,
            check=lambda reply: check(reply, self.known, self.new),
            window=self.window.window,
            scope=self.window.triples[0].scope,
        )

    def ask(self) -> PolicyAnswer:
        """Ask the model. Raises ModelError's children."""
        reply = self.judge.model.ask(self.request(), self.judge.ledger)
        texts = (each.text.strip() for each in reply.decisions if each.text and each.operation == "UPDATE")
        return PolicyAnswer(reply=reply, sentences=tuple(dict.fromkeys(texts)))

    def decide(self, answer: PolicyAnswer, triples: Sequence[ResolvedTriple]) -> list[Verdict]:
        """Return one verdict for each new memory, in order."""
        reply = cast("MemoryDecisions | None", answer.reply)
        decisions: dict[int, list[MemoryDecision]] = {}
        for each in reply.decisions if reply else ():
            decisions.setdefault(self.new[each.number], []).append(each)
        updates = _Updates(self, self.judge.model.name, self.window.at, [])
        verdicts = [updates.verdict(new, place, decisions.get(place, [])) for place, new in enumerate(triples)]
        return verdicts if self.judge.trust else self._held_back(verdicts)

    def _held_back(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Return the verdicts, with what a window retires held for review where that is suspiciously much.

        Counted for each window by itself, against the memories shown for it that those before it left current.
        """
        made: list[Verdict] = []
        for places in self.window.windows:
            gone = {each.succession.fact_id for verdict in made for each in verdict.retirements}
            shown = {fact.id for place in places for fact in self.shown[place]} - gone
            ours = verdicts[places.start : places.stop]
            too_many = sum(len(each.retirements) for each in ours) > max(ALWAYS_ALLOWED, SHARE * len(shown))
            made += [held(each) if too_many and each.retirements else each for each in ours]
        return made

    def _known_lines(self) -> Iterator[str]:
        for number, fact in self.known.items():
            said = f" (said {fact.said_at:%Y-%m-%d})" if fact.said_at else ""
            yield f"[{number}] {quoted(fact.text)}{said}"

    def _new_lines(self) -> Iterator[str]:
        numbers = {fact.id: number for number, fact in self.known.items()}
        for number, place in self.new.items():
            new = self.window.triples[place]
            said = f" (said {new.said_at:%Y-%m-%d})" if new.said_at else ""
            near = ",".join(str(numbers[fact.id]) for fact in self.shown[place])
            yield f"[{number}] {quoted(new.triple.text)}{said}" + (f" ~ {near}" if near else "")


def check(reply: MemoryDecisions, known: Mapping[int, Fact], new: Mapping[int, int]) -> None:
    """Raise UnusableReplyError unless every new memory has its decision, and they agree about known ones."""
    kept = Counter(each.number for each in reply.decisions if each.operation != "DELETE")
    decided = {each.number for each in reply.decisions}
    changed = Counter(each.memory for each in reply.decisions if each.operation in ("UPDATE", "DELETE"))
    confirmed = {each.memory for each in reply.decisions if each.operation == "NOOP"}
    problems = [f"there is no new memory {number}" for number in decided if number not in new]
    problems += [f"new memory {number} has no decision" for number in new if number not in decided]
    problems += [
        f"new memory {number} has {count} of ADD, UPDATE and NOOP" for number, count in kept.items() if count > 1
    ]
    problems += [f"memory {number} is changed {count} times" for number, count in changed.items() if count > 1]
    problems += [f"memory {number} is changed, and named by a NOOP" for number in changed if number in confirmed]
    problems += [f"decision {each.number}: {problem}" for each in reply.decisions for problem in _problems(each, known)]
    if problems:
        raise UnusableReplyError("; ".join(problems[:MAX_PROBLEMS]))


def _problems(each: MemoryDecision, known: Mapping[int, Fact]) -> Iterator[str]:
    text = (each.text or "").strip()
    if each.operation != "ADD" and each.memory not in known:
        yield f"{each.operation} names a known memory, not {each.memory}"
    if each.operation == "UPDATE" and not text:
        yield "UPDATE needs the text"
    if max(len(text), len(each.reason or "")) > MAX_TEXT:
        yield f"the text or the reason has more than {MAX_TEXT} characters"
    if UNSTORABLE.search(text + (each.reason or "")):
        yield "the text or the reason holds a NUL or half of a surrogate pair"


@dataclass(frozen=True, slots=True)
class _Updates:
    """Turns checked decisions into verdicts; ``added`` are the facts added so far."""

    question: MemoryQuestion
    model: str
    at: datetime
    added: list[Fact]

    def verdict(self, new: ResolvedTriple, place: int, decisions: Sequence[MemoryDecision]) -> Verdict:
        """Return what becomes of a new memory; one that could not touch anything is added."""
        kept = next((each for each in decisions if each.operation != "DELETE"), None)
        ends = tuple(self._deleted(new, each) for each in decisions if each.operation == "DELETE")
        targets = tuple(each.succession.fact_id for each in ends)
        if kept is None and ends:
            entry = self._entry(new, "DELETE", decisions[0], targets=targets)
            return Verdict(decision=entry, retirements=ends)
        known = self.question.known[kept.memory] if kept and kept.memory and kept.operation != "ADD" else None
        if kept and known and kept.operation == "NOOP":
            operation: Operation = "UPDATE" if ends else "NOOP"
            entry = self._entry(new, operation, kept, fact_id=known.id, targets=targets)
            return Verdict(decision=entry, support=support(new, known, self.at), retirements=ends)
        if kept and known:
            return self._updated(new, place, known, kept, ends)
        fact = self._fact(new, place)
        entry = self._entry(new, "UPDATE" if ends else "ADD", kept, fact_id=fact.id, targets=targets)
        return Verdict(decision=entry, fact=fact, retirements=_succeeded(ends, fact.id))

    def _updated(
        self, new: ResolvedTriple, place: int, old: Fact, decision: MemoryDecision, ends: Sequence[Retirement]
    ) -> Verdict:
        """Replace a known memory by the text that says both, on the evidence of both."""
        triple = replace(
            new.triple,
            text=(decision.text or "").strip(),
            evidence=tuple(dict.fromkeys((*old.evidence, *new.triple.evidence))),
            metadata={**old.metadata, **new.triple.metadata},
        )
        fact = self._fact(replace(new, triple=triple), place)
        link = Succession(
            fact_id=old.id, successor_id=fact.id, reason=_reason(decision), decided_by=self.model, at=self.at
        )
        retirements = (Retirement(link, None), *_succeeded(ends, fact.id))
        targets = tuple(each.succession.fact_id for each in retirements)
        entry = self._entry(new, "UPDATE", decision, fact_id=fact.id, targets=targets)
        return Verdict(decision=entry, fact=fact, retirements=retirements)

    def _deleted(self, new: ResolvedTriple, decision: MemoryDecision) -> Retirement:
        assert decision.memory is not None
        old = self.question.known[decision.memory]
        return retirement(old, new.effective_from, None, _reason(decision), self.at, decided_by=self.model)

    def _fact(self, new: ResolvedTriple, place: int) -> Fact:
        known = (each.fact for each in self.question.window.related[place])
        fact = new.fact(self.at, repeats=repeats(new, (*known, *self.added)))
        self.added.append(fact)
        return fact

    def _entry(
        self,
        new: ResolvedTriple,
        operation: Operation,
        decision: MemoryDecision | None,
        *,
        fact_id: str | None = None,
        targets: tuple[str, ...] = (),
    ) -> Decision:
        return log_entry(
            new,
            operation,
            "model" if decision else "new",
            _reason(decision),
            self.at,
            decided_by=self.model if decision else RULE,
            fact_id=fact_id,
            targets=targets,
        )


def _reason(decision: MemoryDecision | None) -> str:
    """Return the reason that the model gives, else the usual one."""
    return (decision and decision.reason) or _REASONS[decision.operation if decision else "ADD"]


def _succeeded(ends: Sequence[Retirement], successor: str) -> tuple[Retirement, ...]:
    """Return the ends with the fact that is kept in place of what ended."""
    return tuple(replace(each, succession=replace(each.succession, successor_id=successor)) for each in ends)
