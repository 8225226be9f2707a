"""A conflict policy of the caller's: what it is given, what it returns, and questions that are asked in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mem0g import (
    ConflictPolicy,
    Memory,
    OpenQuestion,
    Pipeline,
    PolicyAnswer,
    ResolvedTriple,
    ResolvedWindow,
    RuleDecider,
    Verdict,
)
from mem0g.errors import ModelError
from mem0g.extract import NoExtractor
from mem0g.relations.registry import Registry
from mem0g.settings import Credentials
from mem0g.store.address import open_store
from mem0g.store.queries import RelatedFact
from mem0g.testing import HashingEmbedder
from tests.conflict.test_rule_decider import new, settled, window
from tests.making import vector

U: dict[str, Any] = {"user_id": "kim"}


@dataclass(frozen=True)
class Ask:
    """A question that notes that it was asked, and then decides by rules."""

    policy: Asking
    window: ResolvedWindow

    @property
    def key(self) -> str:
        """The texts of the triples and of the current facts beside them."""
        facts = sorted({each.fact.text for related in self.window.related for each in related if each.fact.current})
        return "/".join([*(new.triple.text for new in self.window.triples), *facts])

    def ask(self) -> PolicyAnswer:
        """Note the question; fail or write to the store where the policy says so."""
        self.policy.asked.append(self.key)
        self.policy.meanwhile()
        return PolicyAnswer(reply=len(self.policy.asked))

    def decide(self, answer: PolicyAnswer, triples: Sequence[ResolvedTriple]) -> Sequence[Verdict]:
        """Decide by rules; note the answer."""
        self.policy.replies.append(answer.reply)
        assert tuple(triples) == self.window.triples
        return RuleDecider().decide(self.window)


@dataclass
class Asking:
    """A policy that asks about everything."""

    nearest: int = 4
    asked: list[str] = field(default_factory=list)
    replies: list[object] = field(default_factory=list)
    meanwhile_calls: list[object] = field(default_factory=list)

    def decide(self, window: ResolvedWindow) -> Sequence[Verdict] | OpenQuestion:
        """Return a question."""
        return Ask(self, window)

    def meanwhile(self) -> None:
        """Do what is due between two transactions."""
        if self.meanwhile_calls:
            self.meanwhile_calls.pop()()  # type: ignore[operator]


@pytest.fixture
def policy() -> Asking:
    """A policy that asks about everything."""
    return Asking()


@pytest.fixture
def memory(tmp_path: Path, policy: ConflictPolicy) -> Iterator[Memory]:
    """A memory that decides by it."""
    store = open_store(tmp_path / "memory.db", Credentials())
    with Memory(store, HashingEmbedder(), Pipeline(NoExtractor(), conflict_policy=policy)) as opened:
        yield opened


def add(memory: Memory, city: str) -> None:
    """Say where Kim lives."""
    memory.add_fact(subject="Kim", relation="lives in", object=city, **U)


def test_a_question_is_asked_once_and_its_answer_used(memory: Memory, policy: Asking) -> None:
    """The question that decides gets the answer to the one of its key."""
    add(memory, "Oslo")
    add(memory, "Bergen")
    assert policy.asked == ["Kim lives in Oslo.", "Kim lives in Bergen./Kim lives in Oslo."]
    assert policy.replies == [1, 2]
    assert [fact.object for fact in memory.facts(**U)] == ["Bergen"]


def test_a_question_is_asked_with_no_transaction_open(memory: Memory, policy: Asking) -> None:
    """Others can write meanwhile; where that makes another question, it is asked too."""
    policy.meanwhile_calls.append(lambda: add(memory, "Bergen"))
    add(memory, "Oslo")
    assert policy.asked == ["Kim lives in Oslo.", "Kim lives in Bergen.", "Kim lives in Oslo./Kim lives in Bergen."]
    assert policy.replies == [2, 3]


def test_an_error_of_the_question_is_raised(memory: Memory, policy: Asking) -> None:
    """What ``ask`` raises reaches the caller, and nothing is written."""

    def fail() -> None:
        raise ModelError("no answer")

    policy.meanwhile_calls.append(fail)
    with pytest.raises(ModelError, match="no answer"):
        add(memory, "Oslo")
    assert memory.facts(**U) == ()


@dataclass
class Watching:
    """A policy that decides by rules and notes which facts it is shown beside the last triple."""

    nearest: int = 10
    shown: list[str] = field(default_factory=list)

    def decide(self, window: ResolvedWindow) -> Sequence[Verdict]:
        """Decide by rules."""
        self.shown = sorted(each.fact.text for each in window.related[-1])
        return RuleDecider().decide(window)


@dataclass
class Selecting(Watching):
    """The same, which only looks at pets."""

    def concerns(self, new: ResolvedTriple, registry: Registry) -> Callable[[str], bool]:
        """See SelectivePolicy."""
        assert (new.subject.name, registry.get("has pet").name) == ("Kim", "HAS_PET")
        return lambda relation: relation == "HAS_PET"


@pytest.mark.parametrize("policy", [Watching(), Selecting()])
def test_a_policy_need_not_see_what_does_not_concern_it(memory: Memory, policy: Watching) -> None:
    """One that says what concerns it is shown nothing else of the subject but what is between the same two."""
    for made in (("has pet", "Tom"), ("likes", "tea"), ("likes", "Bo"), ("knows", "Bo")):
        memory.add_fact(subject="Kim", relation=made[0], object=made[1], **U)
    shown = ["Kim has pet Tom.", "Kim likes Bo."]
    assert policy.shown == (shown if isinstance(policy, Selecting) else [*shown, "Kim likes tea."])


def test_without_retirements() -> None:
    """Facts that are spared stay current, and the log entry names them no more."""
    oslo = settled(new("Ann", "lives_in", "Oslo", valid_from="2020"))
    lisbon = new("Ann", "lives_in", "Lisbon", valid_from="2024-03", evidence=("m_2",))
    related = [[RelatedFact(oslo, float(vector(oslo.text) @ lisbon.vector))]]
    (verdict,) = RuleDecider().decide(window([lisbon], related))
    assert verdict.decision.targets == (oslo.id,)
    assert verdict.without_retirements({"f_other"}) is verdict
    spared = verdict.without_retirements({oslo.id})
    assert (spared.decision.operation, spared.decision.targets, spared.retirements) == ("ADD", (), ())
    assert spared.fact == verdict.fact
