"""The conflict policy that asks a language model: at most one call per window (arXiv 2504.19413, section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from mem0g.conflict.apply_decisions import apply_decisions
from mem0g.conflict.candidates import LIMIT, NEAREST
from mem0g.conflict.decision_case import DecisionCase, Judgement, Judgements, JudgementsAndNames, case_of
from mem0g.conflict.protocol import Decided, PolicyAnswer, ResolvedTriple, ResolvedWindow, Verdict
from mem0g.conflict.rule_decider import RuleDecider
from mem0g.errors import InputError, UnusableReplyError
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts, quoted
from mem0g.llm.protocol import Ledger, Request
from mem0g.model import Entity, Fact, Triple
from mem0g.times import Moment

MAX_PROBLEMS = 5
"""Problems of one reply that are shown to the model when it is asked to repair it."""

MAX_TEXT = 5_000
"""Characters in a sentence or in a reason."""


@dataclass(frozen=True, slots=True)
class LLMJudge:
    """Asks a model what the triples of a window do to the known facts; see mem0g.conflict.protocol.ConflictPolicy.

    ``candidates`` is the number of known facts shown per triple (Settings.candidates). Unless ``trust`` is set, the
    retirements of a window in which the model retires suspiciously many facts are held for review
    (Settings.trust_model). A window in which nothing may be touched is decided by rules, without a call.
    """

    model: Exchange
    ledger: Ledger
    prompts: Prompts = field(default_factory=Prompts)
    candidates: int = LIMIT
    trust: bool = False

    @property
    def nearest(self) -> int:
        """How many similar facts the shown ones are chosen from."""
        return max(NEAREST, self.candidates)

    def decide(self, window: ResolvedWindow) -> Decided:
        """Return the question to ask, or the verdicts where there is nothing to ask."""
        case = case_of(window, self.candidates)
        if not case.is_open:
            return RuleDecider().decide(window)
        return LLMQuestion(self, case, window.window, window.at)

    def request(self, case: DecisionCase, window: str) -> Request[Judgements]:
        """Return the request to the model about a case."""
        lines = {"known": _known_lines(case), "new": _new_lines(case), "pairs": _pair_lines(case)}
        words = {name: "\n".join(each) for name, each in lines.items()}
        fragments = ("names",) if case.uncertain else ()
        rendered = self.prompts.render(__package__, "decide", {"names": ""} | words, fragments)
        return rendered.request(
            purpose="decide",
            function="decide",
            description="Decide about the new facts that do something to known ones.",
            reply=JudgementsAndNames if case.uncertain else Judgements,
            check=lambda reply: check(reply, case),
            window=window,
            scope=case.triples[0].scope,
        )

    def ask(self, case: DecisionCase, window: str) -> Judgements:
        """Return the model's decisions, checked. Raises ModelError's children."""
        return self.model.ask(self.request(case, window), self.ledger)


@dataclass(frozen=True, slots=True)
class LLMQuestion:
    """What a judge asks about a window; see mem0g.conflict.protocol.OpenQuestion."""

    judge: LLMJudge
    case: DecisionCase
    window: str
    at: datetime

    @property
    def key(self) -> str:
        """The id of the case."""
        return self.case.key

    def ask(self) -> PolicyAnswer:
        """Ask the model. Raises ModelError's children."""
        reply = self.judge.ask(self.case, self.window)
        sentences = (each.sentence.strip() for each in reply.decisions if each.sentence)
        return PolicyAnswer(
            reply=reply,
            sentences=tuple(dict.fromkeys(sentence for sentence in sentences if sentence)),
            same_entities=tuple(self.case.pairs[number].pair for number in dict.fromkeys(_same(reply))),
        )

    def decide(self, answer: PolicyAnswer, triples: Sequence[ResolvedTriple]) -> list[Verdict]:
        """Return one verdict per triple."""
        reply, case = cast("Judgements", answer.reply), replace(self.case, triples=tuple(triples))
        return apply_decisions(case, reply, self.judge.model.name, self.at, trust=self.judge.trust)


def check(reply: Judgements, case: DecisionCase) -> None:
    """Raise UnusableReplyError unless the decisions are about new facts, agree, and name facts that were shown.

    A new fact has at most one of NOOP and UPDATE, and any number of DELETE.
    """
    kept = Counter(each.number for each in reply.decisions if each.operation != "DELETE")
    named = dict.fromkeys(each.number for each in reply.decisions)
    problems = [f"there is no new fact {number}" for number in named if number not in case.asked]
    problems += [f"new fact {number} can have one of NOOP and UPDATE only" for number in kept if kept[number] > 1]
    problems += [f"decision {each.number}: {problem}" for each in reply.decisions for problem in _problems(each, case)]
    problems += [f"there is no pair of names {number}" for number in _same(reply) if number not in case.pairs]
    if problems:
        raise UnusableReplyError("; ".join(problems[:MAX_PROBLEMS]))


def _same(reply: Judgements) -> list[int]:
    return reply.same if isinstance(reply, JudgementsAndNames) else []


def _problems(each: Judgement, case: DecisionCase) -> Iterator[str]:
    for number in each.facts:
        if number not in case.known and not (number in case.asked and number < each.number):
            yield f"no fact {number} was shown to it"
    count, several = len(set(each.facts)), each.operation == "DELETE"
    if count == 0 or (count > 1 and not several):
        yield f"{each.operation} names {'at least ' if several else ''}one fact, not {each.facts}"
    sentence = (each.sentence or "").strip()
    if max(len(sentence), len(each.reason or "")) > MAX_TEXT:
        yield f"the sentence or the reason has more than {MAX_TEXT} characters"
    if each.operation == "UPDATE" and not sentence:
        yield "UPDATE needs the sentence"
    try:
        if each.since:
            Moment.parse(each.since)
        if sentence and each.number in case.asked:
            replace(case.triples[case.asked[each.number]].triple, text=sentence)
    except InputError as error:
        yield str(error)


def _known_lines(case: DecisionCase) -> Iterator[str]:
    for number, fact in case.known.items():
        yield f"[{number}] {quoted(_statement(fact, fact.subject))} ({_times(fact, fact.said_at)})"


def _pair_lines(case: DecisionCase) -> Iterator[str]:
    for number, match in case.pairs.items():
        yield f"[{number}] {_named(match.new)}, in {quoted(match.text)} - known: {_named(match.known)}"


def _named(entity: Entity) -> str:
    others = f", also {', '.join(map(quoted, entity.aliases))}" if entity.aliases else ""
    type_ = f" ({' '.join(entity.type.split())})" if entity.type else ""
    return f"{quoted(entity.name)}{type_}{others}"


def _new_lines(case: DecisionCase) -> Iterator[str]:
    for number, place in case.asked.items():
        new = case.triples[place]
        triple = new.triple
        retracts = "; so no longer" if triple.retracts else ""
        # In order of their numbers: by likeness, two that are equally alike would make another request each time.
        near = ",".join(map(str, sorted(case.touches(place))))
        statement = quoted(_statement(triple, new.subject.name))
        yield f"[{number}] {statement} ({_times(triple, new.said_at)}{retracts})" + (f" ~ {near}" if near else "")


def _statement(item: Triple | Fact, subject: str) -> str:
    """Return the short form of a fact with its subject, which leaves out only dates; its sentence if it has none."""
    return f"{subject} {item.brief}" if item.brief else item.text


def _times(item: Triple | Fact, said: datetime | None) -> str:
    """Return the dates of a fact; the day on which it was said only where it has no start."""
    parts = [
        f"from {item.valid_from}" if item.valid_from else "",
        f"until {item.valid_to}" if item.valid_to else "",
        f"planned for {item.planned_for}" if item.planned_for else "",
        f"{said:%Y-%m-%d}" if said and not item.valid_from else "",
    ]
    return ", ".join(each for each in parts if each) or "undated"
