"""Run strategies over conversations: add message by message, then ask every question within every budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.locomo import Conversation, Question
from benchmarks.memories import AGENT
from benchmarks.recall.scoring import Returned, Score, score
from benchmarks.report import note
from mem0g import Context, Memory, Scope, Utterance
from mem0g.embed.protocol import Embedder
from mem0g.lookup import scope_keys
from mem0g.settings import LLMSettings, Settings
from mem0g.strategies import Strategy, open_strategy
from mem0g.transfer.triples import read_triples

WITHOUT_FACTS = ("full-history", "sliding-window", "summary", "vector-retrieval")
"""The strategies that show messages only; their memory extracts nothing."""

UNLIMITED = 10**9
"""The budget of what takes none."""

DENSE = "dense-memories"
"""The strategy whose memories only a model can make."""

FULL = "full-history"
"""The strategy that is asked once, without a budget: it does not leave anything out."""


class FactSource(StrEnum):
    """Where facts come from: mem0g's rules, prepared triples, or a model."""

    rules = "rules"
    triples = "triples"
    llm = "llm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How conversations get into the memories of the strategies.

    ``store``: "sqlite" for files of this run, or a store's address. ``triples``: the folder of prepared triples. Only
    with ``uses_model`` may a strategy ask the model of ``llm``.
    """

    store: str
    facts: FactSource
    llm: LLMSettings
    triples: Path | None = None
    uses_model: bool = False

    def file(self, conversation: Conversation) -> Path | None:
        """Return the file of triples of a conversation, if facts come from there."""
        if self.facts is not FactSource.triples or self.triples is None:
            return None
        return self.triples / f"{conversation.id}.jsonl"

    def shared(self, name: str) -> str:
        """Return the name of the memory that a strategy reads: those to which the same is added have one together."""
        if name == DENSE or (name == "summary" and self.uses_model):
            return name
        return "messages" if name in WITHOUT_FACTS else "facts"

    def extractor(self, shared: str) -> str:
        """Return the extractor of a memory of ``shared``."""
        if shared == DENSE:
            return "llm-dense"
        if shared != "facts" or self.facts is FactSource.triples:
            return "none"
        return self.facts.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, what a strategy showed for it within ``budget`` tokens, if any, and its score.

    ``milliseconds`` are of this process's processors: other programs on the machine do not count, nor does a server.
    """

    strategy: str
    budget: int | None
    conversation: str
    question: Question
    context: str
    score: Score
    milliseconds: float


@dataclass(slots=True)
class Added:
    """What it cost to add messages: the processor time of each in ms, and the calls of a model."""

    milliseconds: list[float] = field(default_factory=list)
    calls: int = 0

    @property
    def calls_per_message(self) -> float:
        """Calls of a model, on average."""
        return self.calls / len(self.milliseconds) if self.milliseconds else 0.0


@dataclass(slots=True)
class Run:
    """What was asked, and what adding cost by strategy."""

    asked: list[Asked] = field(default_factory=list)
    added: dict[str, Added] = field(default_factory=lambda: defaultdict(Added))


def run(
    names: Sequence[str],
    conversations: Sequence[Conversation],
    budgets: Sequence[int],
    setup: Setup,
    embedder: Embedder,
) -> Run:
    """Add each conversation to each strategy and ask its questions; conversations share nothing."""
    done = Run()
    for conversation in conversations:
        with _memories({setup.shared(name) for name in names}, setup, embedder) as memories:
            for shared, memory in memories.items():
                among = [name for name in names if setup.shared(name) == shared]
                strategies = [_opened(name, memory, conversation, shared) for name in among]
                added = _add(strategies[0], memory, conversation, setup, shared)
                for name in among:
                    done.added[name].milliseconds += added.milliseconds
                    done.added[name].calls += added.calls
                turns = _turns(memory, _scope(conversation, shared))
                for strategy in strategies:
                    done.asked += _ask(strategy, conversation, budgets, turns)
        note(f"{conversation.id}: {len(conversation.turns)} turns, {len(conversation.questions)} questions asked")
    return done


@contextmanager
def _memories(kinds: set[str], setup: Setup, embedder: Embedder) -> Iterator[Mapping[str, Memory]]:
    """Open a memory of each kind; what this run writes to another store is deleted before and after."""
    silent = replace(setup.llm, base_url=None, api_key=None)
    llm = setup.llm if setup.uses_model or setup.facts is FactSource.llm else silent
    settings = replace(Settings.from_environment(), llm=llm)
    with TemporaryDirectory() as folder, ExitStack() as opened:
        memories = {}
        for kind in sorted(kinds):
            address = Path(folder) / f"{kind}.db" if setup.store == "sqlite" else setup.store
            extractor = setup.extractor(kind)
            memory = Memory.open(address, embedder=embedder, extractor=extractor, settings=settings)
            opened.enter_context(memory).forget(agent_id=AGENT)
            opened.callback(memory.forget, agent_id=AGENT)
            memories[kind] = memory
        yield memories


def _opened(name: str, memory: Memory, conversation: Conversation, shared: str) -> Strategy:
    return open_strategy(name, memory, **scope_keys(_scope(conversation, shared)))


def _scope(conversation: Conversation, shared: str) -> Scope:
    return Scope(user_id=conversation.id, agent_id=AGENT, run_id=shared)


def _add(strategy: Strategy, memory: Memory, conversation: Conversation, setup: Setup, shared: str) -> Added:
    """Add the turns two by two, a message and its answer, then prepared triples."""
    scope, taken = _scope(conversation, shared), Added()
    for pair in _pairs(conversation.turns):
        start = process_time()
        strategy.add(pair)
        taken.milliseconds += len(pair) * [1000 * (process_time() - start) / len(pair)]
    file = setup.file(conversation)
    if shared == "facts" and file:
        memory.add_triples(read_triples(file), **scope_keys(scope))
    taken.calls = sum(cost.calls for cost in memory.costs(**scope_keys(scope)))
    return taken


def _pairs(turns: Sequence[Utterance]) -> Iterator[Sequence[Utterance]]:
    """Yield the turns of each session, two at a time."""
    for _, session in groupby(turns, key=lambda turn: turn.session):
        said = list(session)
        yield from (said[place : place + 2] for place in range(0, len(said), 2))


def _turns(memory: Memory, scope: Scope) -> Mapping[str, str]:
    """Return the turn that each message is."""
    return {each.id: each.source_id for each in memory.messages(**scope_keys(scope)) if each.source_id}


def _ask(
    strategy: Strategy, conversation: Conversation, budgets: Sequence[int], turns: Mapping[str, str]
) -> Iterator[Asked]:
    for budget in (None,) if strategy.name == FULL else budgets:
        strategy.context(conversation.questions[0].text, budget or UNLIMITED)  # what is read once is read by now
        for question in conversation.questions:
            start = process_time()
            shown = strategy.context(question.text, budget or UNLIMITED)
            milliseconds = 1000 * (process_time() - start)
            yield Asked(
                strategy=strategy.name,
                budget=budget,
                conversation=conversation.id,
                question=question,
                context=shown.text,
                score=score(question, _returned(shown, turns)),
                milliseconds=milliseconds,
            )


def _returned(shown: Context, turns: Mapping[str, str]) -> Returned:
    cited = (message for hit in shown.hits for message in hit.evidence)
    return Returned(shown.text, frozenset(turns[each] for each in cited if each in turns))
