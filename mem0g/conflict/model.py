"""The conflict resolver that asks a language model: one call for the window (arXiv 2504.19413, section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from mem0g.conflict.case import Case
from mem0g.conflict.replies import Judgement, Judgements, JudgementsAndNames
from mem0g.errors import InputError, UnusableReplyError
from mem0g.llm.prompts import Prompts, quoted
from mem0g.llm.request import LanguageModel, Ledger, Request
from mem0g.model import Entity
from mem0g.times import Moment

SHOWN = 5
"""Problems of one reply that are told to the model."""

LONGEST = 5_000
"""Characters in a sentence or in a reason."""


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Puts the claims of a window, and the facts they might touch, to a model."""

    model: LanguageModel
    ledger: Ledger
    prompts: Prompts = field(default_factory=Prompts)

    def request(self, case: Case, window: str) -> Request[Judgements]:
        """What is asked about a case."""
        words = {"known": _known_lines(case), "new": _new_lines(case), "pairs": _pair_lines(case)}
        told = {name: "\n".join(lines) for name, lines in words.items()}
        about_names = ("names",) if case.doubts else ()
        rendered = self.prompts.render(__package__, "decide", {"names": ""} | told, about_names)
        return Request(
            purpose="decide",
            system=rendered.system,
            hints=rendered.hints,
            user=rendered.user,
            function="decide",
            description="Decide about each new fact, once.",
            reply=JudgementsAndNames if case.doubts else Judgements,
            check=lambda reply: check(reply, case),
            window=window,
            scope=case.claims[0].scope,
        )

    def ask(self, case: Case, window: str) -> Judgements:
        """The model's decisions, checked. Raises ModelError's children."""
        return self.model.ask(self.request(case, window), self.ledger)

    def same_nodes(self, reply: Judgements, case: Case) -> list[tuple[str, str]]:
        """The pairs of nodes that are one by the reply: a new one and a known one."""
        return [case.pairs[number].pair for number in dict.fromkeys(_same(reply))]


def check(reply: Judgements, case: Case) -> None:
    """Raise UnusableReplyError unless every new fact has one decision, about what was shown to it."""
    told = Counter(each.number for each in reply.decisions)
    problems = [f"there is no new fact {number}" for number in told if number not in case.asked]
    problems += [f"no decision about new fact {number}" for number in case.asked if number not in told]
    problems += [f"several decisions about new fact {number}" for number in case.asked if told[number] > 1]
    problems += [f"decision {each.number}: {problem}" for each in reply.decisions for problem in _problems(each, case)]
    problems += [f"there is no pair of names {number}" for number in _same(reply) if number not in case.pairs]
    if problems:
        raise UnusableReplyError("; ".join(problems[:SHOWN]))


def _same(reply: Judgements) -> list[int]:
    return reply.same if isinstance(reply, JudgementsAndNames) else []


def _problems(each: Judgement, case: Case) -> Iterator[str]:
    for number in each.facts:
        if number not in case.known and not (number in case.asked and number < each.number):
            yield f"no fact {number} was shown to it"
    wanted = {"ADD": "no fact", "UPDATE": "one fact", "NOOP": "one fact", "DELETE": "at least one fact"}[each.operation]
    count = len(set(each.facts))
    if (count == 0) != (wanted == "no fact") or (wanted == "one fact" and count > 1):
        yield f"{each.operation} names {wanted}, not {each.facts}"
    sentence = (each.sentence or "").strip()
    if max(len(sentence), len(each.reason)) > LONGEST:
        yield f"the sentence or the reason has more than {LONGEST} characters"
    if each.operation == "UPDATE" and not sentence:
        yield "UPDATE needs the sentence"
    try:
        if each.since:
            Moment.parse(each.since)
        if sentence and each.number in case.asked:
            replace(case.claims[case.asked[each.number]].triple, text=sentence)
    except InputError as error:
        yield str(error)


def _known_lines(case: Case) -> Iterator[str]:
    for number, fact in case.known.items():
        yield f"[{number}] {quoted(fact.text)} ({_times(fact.valid_from, fact.valid_to, fact.said_at)})"


def _pair_lines(case: Case) -> Iterator[str]:
    for number, doubt in case.pairs.items():
        yield f"[{number}] {_named(doubt.new)}, in {quoted(doubt.text)} - known: {_named(doubt.known)}"


def _named(entity: Entity) -> str:
    others = f", also {', '.join(map(quoted, entity.aliases))}" if entity.aliases else ""
    kind = f" ({' '.join(entity.type.split())})" if entity.type else ""
    return f"{quoted(entity.name)}{kind}{others}"


def _new_lines(case: Case) -> Iterator[str]:
    for number, place in case.asked.items():
        claim = case.claims[place]
        triple = claim.triple
        times = _times(triple.valid_from, triple.valid_to, claim.said_at)
        retracts = "; says that it is so no longer" if triple.retracts else ""
        touches = ", ".join(map(str, case.touches(place))) or "nothing"
        yield f"[{number}] {quoted(triple.text)} ({times}{retracts}) - may touch: {touches}"


def _times(start: Moment | None, end: Moment | None, said: datetime | None) -> str:
    told = [f"from {start}" if start else "", f"until {end}" if end else "", f"said on {said:%Y-%m-%d}" if said else ""]
    return ", ".join(each for each in told if each) or "undated"
