"""The six tools: what an assistant can ask of a memory and change in it, each answered with compact text.

The scope comes from the server's configuration, never from the arguments: so a model that is tricked into naming
another user cannot read their memory. Every result names the scope that was read, and the ids of the facts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from mem0g.errors import InputError, NotFoundError, quoted
from mem0g.extract import NoExtractor
from mem0g.ingest.report import Report
from mem0g.ingest.self_reference import with_user_named
from mem0g.lines import change_lines, named, outdated_lines, said, sentence_of, times
from mem0g.lookup import MOST_STATING, did_you_mean, messages_stating, near_entities, scope_keys
from mem0g.memory import Memory
from mem0g.model import Fact, Scope, Triple
from mem0g.text.names import triple_sentence
from mem0g.times import Moment, check_interval, now

MAX_TOKENS = 4000
"""Maximum tokens of a context; a model that asks for more would fill its own window."""

MAX_FACTS = 100
"""Maximum number of facts that one call adds or lists."""

FactId = Annotated[str, Field(description="Fact id (f_…)")]
When = Annotated[str | None, Field(description="ISO date: 2024, 2024-05, 2024-05-17")]


class NewFact(BaseModel):
    """A triple that the assistant extracted itself."""

    model_config = ConfigDict(extra="forbid")

    subject: str = Field(description="Name; I is the user")
    relation: str = Field(description="Such as lives_in")
    object: str
    text: str | None = Field(default=None, description="The fact as one self-contained sentence")
    valid_from: When = None
    valid_to: When = None
    value: bool = Field(default=False, description="The object is a value (42, blue), not a thing")
    no_longer: bool = Field(default=False, description="It is no longer true")

    def triple(self, evidence: tuple[str, ...], user: str | None) -> Triple:
        """Return the triple, with ``user`` for "I". Raises an InputError for one that cannot be stored."""
        subject, obj, text = with_user_named(self.subject, self.object, self.text, user, literal=self.value)
        triple = Triple(
            subject=subject,
            relation=self.relation,
            object=obj,
            object_type="literal" if self.value else "",
            text=text or triple_sentence(subject, self.relation, obj),
            valid_from=Moment.parse(self.valid_from) if self.valid_from else None,
            valid_to=Moment.parse(self.valid_to) if self.valid_to else None,
            retracts=self.no_longer,
            evidence=evidence,
        )
        check_interval(triple.valid_from, triple.valid_to, quoted(triple.text))
        return triple


@dataclass(frozen=True, slots=True)
class MemoryTools:
    """The tools over a memory. ``scope`` returns the scope of the request that is served.

    Methods raise a Mem0gError for what cannot be done; their docstrings are the descriptions that the model reads.
    """

    memory: Memory
    scope: Callable[[], Scope]

    def recall(
        self,
        query: Annotated[str, Field(description="Question or topic")],
        tokens: Annotated[int, Field(ge=50, le=MAX_TOKENS)] = 500,
        as_of: Annotated[str | None, Field(description="ISO date")] = None,
        check: Annotated[bool, Field(description="Say what it lacks")] = False,
    ) -> str:
        """Search memory. Call it before answering what may depend on earlier conversations. Returns dated
        facts, quotes, ids."""
        scope = self.scope()
        found = self.memory.context(query, tokens=tokens, as_of=as_of, check=check, **scope_keys(scope))
        if not found.text:
            return f"Nothing is known about this in the memory of {scope}{self._size(scope)}."
        facts = [hit.fact for hit in found.hits if hit.fact]
        ids = [_told_apart(fact) for fact in facts]
        told = [] if found.known or not check else ["", f"Not known: {found.missing}"]
        listed = ["", "Fact ids: " + "; ".join(ids)] if ids else []
        return "\n".join([f"Memory of {scope}:", found.text, *told, *listed])

    def remember(
        self,
        text: Annotated[str | None, Field(description="What the user said, in their words")] = None,
        facts: Annotated[
            list[NewFact] | None, Field(max_length=MAX_FACTS, description="The facts in it, if you extract them")
        ] = None,
    ) -> str:
        """Store what matters later: people, preferences, decisions, plans; no secrets. Give
        text, facts, or both. Retires contradicted facts, lists doubtful ones."""
        scope = self.scope()
        if not facts and not (text or "").strip():
            raise InputError("there is nothing to remember", hint="give text, facts, or both")
        if not facts:
            return f"Stored for {scope}. {_changes(self.memory.add(str(text), **scope_keys(scope)))}"
        cited = uuid4().hex
        triples = [fact.triple((cited,) if text else (), scope.user_id) for fact in facts]
        if text:
            self._keep_message(text, cited, scope)
        report = self.memory.add_triples(triples, retire_ended=True, **scope_keys(scope))
        outdated = list(outdated_lines(report, partial(self.memory.possibly_outdated, **scope_keys(scope))))
        asked = ["Possibly outdated; call forget for what is no longer true:", *outdated] if outdated else []
        return "\n".join([f"Stored for {scope}. {_changes(report)}", *asked])

    def entity(
        self,
        name: Annotated[str, Field(description="Name or id of a person, place or thing")],
        include_retired: Annotated[bool, Field(description="Also what is no longer true")] = False,
        limit: Annotated[int, Field(ge=1, le=MAX_FACTS)] = 30,
        offset: Annotated[int, Field(ge=0)] = 0,
    ) -> str:
        """List the facts about one person, place or thing, with their ids."""
        scope = self.scope()
        keys = scope_keys(scope)
        try:
            entity = self.memory.entity(name, **keys)
        except NotFoundError as error:
            meant = did_you_mean(near_entities(self.memory.store, scope, name)).strip()
            hint = meant or "recall searches by meaning"
            raise NotFoundError(str(error), hint=hint) from error
        found = self.memory.facts(entity=name, include_retired=include_retired, limit=limit + 1, offset=offset, **keys)
        more = f"\nMore with offset={offset + limit}." if len(found) > limit else ""
        together: dict[tuple[str, str], list[Fact]] = {}
        for fact in found[:limit]:
            together.setdefault(sentence_of(fact, now()), []).append(fact)
        facts = [_line(*each) for each in together.values()]
        lines = [f"{named(entity)} [{entity.id}], in the memory of {scope}:", *facts]
        return "\n".join(lines if found else [*lines, "no facts"]) + more

    def why(self, fact: FactId) -> str:
        """Show the messages that a fact comes from, and what was decided about it."""
        found = self.memory.why(fact, **scope_keys(self.scope()))
        quotes = [f"said by {said(message)} [{message.id}]" for message in found.evidence]
        log = [
            f"{each.operation} by {each.decided_by} on {each.at:%Y-%m-%d}: {each.reason}" for each in found.decisions
        ]
        return "\n".join([_line(found.fact), *quotes, *log])

    def correct(self, fact: FactId, text: Annotated[str, Field(description="One sentence; I is the user")]) -> str:
        """Replace a fact that is wrong; the old one stays as history."""
        return _changes(self.memory.correct(fact, text, **scope_keys(self.scope())))

    def forget(
        self,
        fact: Annotated[str, Field(description="Fact id (f_…); with erase also a message id (m_…)")],
        erase: Annotated[bool, Field(description="Delete for good, at the user's request")] = False,
    ) -> str:
        """End a fact that is no longer true; it stays as history. With erase it is deleted; the messages that say it
        (see why) are erased by their ids."""
        keys = scope_keys(self.scope())
        if erase:
            staying = messages_stating(self.memory.store, self.scope(), fact)
            gone = self.memory.erase(fact, **keys)
            counts = f"Deleted for good: {gone.messages} messages, {gone.facts} facts, {gone.entities} entities."
            if staying:
                left = len(staying) - MOST_STATING
                named_ids = ", ".join(staying[:MOST_STATING]) + (f", and {left} more" if left > 0 else "")
                counts += f" The messages that say it stay until they are erased, too: {named_ids}."
            return counts
        decision = self.memory.retire(fact, **keys)
        ended = self.memory.fact(fact, **keys)
        return f"No longer true: {_line(ended)}. Decision {decision.id} can be undone by the user."

    def _keep_message(self, text: str, message_id: str, scope: Scope) -> None:
        """Store the user's words without extracting facts from them."""
        memory = Memory(self.memory.store, self.memory.embedder, NoExtractor(), self.memory.settings)
        memory.add([{"role": "user", "content": text, "id": message_id}], **scope_keys(scope))

    def _size(self, scope: Scope) -> str:
        """Say how much the memory holds, so that a wrong scope does not look like a memory that knows nothing."""
        stats = self.memory.stats(**scope_keys(scope))
        if not stats.messages and not stats.facts:
            return ", which is empty: nothing was ever stored there"
        return f", which holds {stats.facts} facts and {stats.messages} messages"


def _line(fact: Fact, *others: Fact) -> str:
    """Return a fact as one line; with ``others`` of the same sentence each with what tells it from these."""
    when = times(fact, now()).strip()
    ids = "; ".join(map(_told_apart, (fact, *others))) if others else fact.id
    return f"{ids}: {fact.text}{f' ({when})' if when else ''}"


def _told_apart(fact: Fact) -> str:
    return f"{fact.id} {fact.relation.lower()} {fact.object}"


def _changes(report: Report) -> str:
    lines = list(change_lines(report))
    return "\n".join(lines) if lines else "No facts changed."
