"""mem0g as a method: given the statements as triples, or as text to be read by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchmarks.conflict.outcomes import BUDGET, FIRST, Shown
from benchmarks.conflict.statements import FactFile, Statement
from benchmarks.memories import AGENT
from benchmarks.timing import QueryTimes
from mem0g import Hit, Memory, Utterance


@dataclass(frozen=True, slots=True)
class Told:
    """A memory that ingested a file under a user of its own; the statements by text and by message id."""

    name: str
    memory: Memory
    user: str
    by_text: Mapping[str, Statement]
    by_message: Mapping[str, Statement]
    times: QueryTimes

    def first(self, question: str) -> Shown:
        """See Method."""
        hits: list[Hit] = self.times.time(self.memory.search, question, limit=FIRST, user_id=self.user, agent_id=AGENT)
        return self._shown("\n".join(hit.text for hit in hits), hits)

    def within(self, question: str) -> Shown:
        """See Method."""
        context = self.times.time(self.memory.context, question, tokens=BUDGET, user_id=self.user, agent_id=AGENT)
        return self._shown(context.text, context.hits)

    def _shown(self, text: str, hits: Iterable[Hit]) -> Shown:
        return Shown(text, [self._statements(hit) for hit in hits])

    def _statements(self, hit: Hit) -> list[Statement]:
        """Return the statements that a hit cites; for a triple, which cites nothing, the one with its text."""
        if hit.evidence:
            return [self.by_message[each] for each in hit.evidence if each in self.by_message]
        return [self.by_text[hit.text]] if hit.text in self.by_text else []


def tell_triples(memory: Memory, file: FactFile, times: QueryTimes, name: str) -> Told:
    """Add the statements of a file to a memory as triples."""
    user = f"{name} {file.name}"
    memory.add_triples([each.triple for each in file.statements], user_id=user, agent_id=AGENT)
    return Told(name, memory, user, {each.text: each for each in file.statements}, {}, times)


def tell_text(memory: Memory, file: FactFile, times: QueryTimes, name: str) -> Told:
    """Add the statements of a file to a memory as text, one message each."""
    user = f"{name} {file.name}"
    memory.add([_utterance(file, each) for each in file.statements], user_id=user, agent_id=AGENT)
    messages = memory.messages(user_id=user, agent_id=AGENT)
    return Told(name, memory, user, {}, {each.id: file.statements[each.position] for each in messages}, times)


def tell_cardinality(memory: Memory, file: FactFile, user: str) -> None:
    """Declare the file's own rule to a memory: a subject has one object at a time of each relation."""
    for relation in file.relations:
        memory.define_relation(relation, one_object=True, user_id=user)


def _utterance(file: FactFile, statement: Statement) -> Utterance:
    return Utterance(
        source=file.name, session="", position=statement.place, speaker="", role="user", text=statement.text
    )
