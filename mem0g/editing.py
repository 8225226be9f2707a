"""Changing a memory by hand: the part of the facade that adds, corrects, retires, joins, undoes and erases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from mem0g.asking import Asking
from mem0g.errors import EmbedderMismatchError, InputError, NotFoundError
from mem0g.extract.protocol import Extractor, Window
from mem0g.history import joining, undoing
from mem0g.history.erasing import erase
from mem0g.history.retiring import retire
from mem0g.ingest.background import Background
from mem0g.ingest.batch import Report
from mem0g.ingest.forgetting import records_without
from mem0g.ingest.ingesting import Ingesting
from mem0g.ingest.turns import check_text
from mem0g.lookup import find_decision, find_entity, ids_starting
from mem0g.model import LONGEST_NAME, Decision, Fact, Message, Receipt, Scope, Triple, Utterance
from mem0g.store.protocol import Transaction
from mem0g.times import Moment, now

T = TypeVar("T")

NOTED = "noted"
"""The relation of a line of text in which nothing else was found, between the speaker and the text."""

LITERAL = "literal"
"""The type of an entity that is a piece of text."""


class Editing(Asking):
    """The half of the facade that changes single things. Every change is a decision in the log, and can be undone."""

    extractor: Extractor
    _ingesting: Ingesting
    _background: Background

    def add_fact(
        self,
        text: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        subject: str | None = None,
        relation: str | None = None,
        object: str | None = None,  # noqa: A002 - the word for the third part of a triple
        valid_from: Moment | str | None = None,
        valid_to: Moment | str | None = None,
    ) -> Report:
        """Add what the user knows: a triple, or a line of text; no message is stored.

        With ``subject``, ``relation`` and ``object``, ``text`` is the sentence of the fact; by default it is made of
        the three. With ``text`` alone it is read as if the scope's user (else agent, else run) said it now; where
        nothing is found in it, the fact says that the speaker noted it. It is resolved and judged as any triple: what
        it contradicts is retired, what is known already is confirmed. The dates hold for every fact that comes of it.

        Raises InputError when only some of the three are given, or nothing, or a text that is longer than
        ``Settings.longest_message`` or cannot be stored; TripleError for what makes no triple,
        ModelError's children when a model has to read or to judge and cannot.
        """
        scope, at = Scope(user_id, agent_id, run_id), now()
        self._check(text)
        if subject is not None and relation is not None and object is not None:
            window, triples = "", [_triple(subject, relation, object, text)]
        elif any((subject, relation, object)) or not (text or "").strip():
            raise InputError(
                "a fact needs a text, or subject, relation and object",
                hint='add_fact("Ann is allergic to nuts"), or name all three',
            )
        else:
            window, triples = self._read_line(str(text), scope, at)
            triples = triples or [_noted(str(text), _speaker(scope))]
        return self._tell(scope, [_dated(each, valid_from, valid_to) for each in triples], at, window=window)

    def correct(
        self,
        fact: str,
        text: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        subject: str | None = None,
        relation: str | None = None,
        object: str | None = None,  # noqa: A002
        valid_from: Moment | str | None = None,
        valid_to: Moment | str | None = None,
    ) -> Report:
        """Replace a current fact (its id or the start of one) that is wrong; the old one stays as history.

        What is not given stays as it was: with ``text`` alone, subject, relation and object are read from it where it
        holds exactly one triple, and kept where it does not. The new fact stands on the old one's evidence and begins
        when the old one did, unless a date is given; the old one is retired without an end, so that no question about
        any day sees it.

        Raises NotFoundError for an unknown fact, InputError when it is retired or nothing is given.
        """
        self._check(text)
        old = self.fact(fact, user_id=user_id, agent_id=agent_id, run_id=run_id)
        at = now()
        given = {"subject": subject, "relation": relation, "object": object}
        if text is None and valid_from is None and valid_to is None and not any(given.values()):
            raise InputError("nothing to correct is given", hint="give a text, an end, the relation or a date")
        window, read = self._read_line(text, old.scope, at) if text and not all(given.values()) else ("", [])
        triple = _corrected(old, text, given, read)
        corrected = _dated(triple, valid_from or old.valid_from, valid_to or old.valid_to)
        return self._tell(old.scope, [corrected], at, window=window, corrects=old.id)

    def retire(
        self,
        fact: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        reason: str = "no longer true",
        valid_to: Moment | str | None = None,
    ) -> Decision:
        """End a current fact (its id or the start of one): it was true until ``valid_to``, by default until now.

        Raises NotFoundError for an unknown fact, InputError when it is retired already.
        """
        self._check(reason)
        found = self.fact(fact, user_id=user_id, agent_id=agent_id, run_id=run_id)
        ended = Moment.parse(valid_to) if isinstance(valid_to, str) else valid_to
        work = partial(retire, scope=found.scope, fact_id=found.id, reason=reason, ended=ended, at=now())
        return self._write(found.scope, work)

    def merge(
        self,
        entity: str,
        other: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Decision:
        """Make two entities (ids or names) one: the names and facts of ``other`` become ``entity``'s.

        Raises NotFoundError for an unknown entity, InputError when they are one already or of two scopes.
        """
        scope = Scope(user_id, agent_id, run_id)
        winner, loser = (find_entity(self.store, scope, each) for each in (entity, other))
        if winner.scope != loser.scope:
            raise InputError(
                f"{winner.name} is in {winner.scope}, {loser.name} in {loser.scope}", hint="merge within one scope"
            )
        work = partial(joining.merge, scope=winner.scope, winner_id=winner.id, loser_id=loser.id, at=now())
        return self._write(winner.scope, work)

    def unmerge(
        self,
        entity: str,
        alias: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Decision:
        """Make an entity (id or name) two: ``alias`` is another one, with what was said under that name.

        Raises NotFoundError when there is no such entity or it has no such name, InputError when it has no other.
        """
        self._check(alias)
        found = find_entity(self.store, Scope(user_id, agent_id, run_id), entity)
        work = partial(
            joining.unmerge,
            scope=found.scope,
            entity_id=found.id,
            alias=alias,
            at=now(),
            embed=self.embedder.embed,
        )
        return self._write(found.scope, work)

    def undo(
        self,
        decision: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        cascade: bool = False,
    ) -> tuple[Decision, ...]:
        """Put back what was before a decision (its id or the start of one), as a new decision; answers the new ones.

        Facts that it added are retired, facts and entities that it changed are as they were. Undoing an UNDO does the
        first one again. Where later decisions touch the same facts or entities, ``cascade`` undoes these first, the
        latest first.

        Raises NotFoundError for an unknown decision; UndoError, which names the later decisions, without ``cascade``,
        and for one that was undone already, changed nothing, or changed what was erased since.
        """
        scope, decision_id = find_decision(self.store, Scope(user_id, agent_id, run_id), decision)
        work = partial(
            undoing.undo, scope=scope, decision_id=decision_id, cascade=cascade, at=now(), embed=self.embedder.embed
        )
        return self._write(scope, work)

    def erase(
        self, erased: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Receipt:
        """Remove a fact, a message or an entity (its id or the start of one) for good; answers what that was.

        With a fact go the log entries about it, and the entities of which nothing else is told. With an entity, and
        those merged into it, all its facts. With a message the facts that stand on it alone, in wider scopes too, the
        log entries made from it alone, the summary of its conversation and kept replies of a model; other facts lose it
        as evidence. The receipt is kept in the scope.

        Raises NotFoundError when nothing, or several things, have such an id.
        """
        scope = Scope(user_id, agent_id, run_id)
        erased_id = self._erasable(scope, erased)
        home = self.store.homes(scope, [erased_id])[erased_id]
        self._background.wait()
        said = self.store.messages(home, [erased_id])
        cleaned = partial(records_without, said[0] if said else None)
        receipt = erase(self._write, home, erased_id, at=now(), records_of=cleaned, embed=self.embedder.embed)
        self._ingesting.forget(home)
        return receipt

    def _erasable(self, scope: Scope, wanted: str) -> str:
        """The id of a fact, a message or an entity, given its start."""
        ids = ids_starting(self.store, scope, wanted, "e_", "f_", "m_")
        if len(ids) != 1:
            problem = f"{wanted!r} starts several ids" if ids else f"no fact, message or entity {wanted!r} in {scope}"
            raise NotFoundError(problem, hint="give an id, as `mem0g facts`, `mem0g search` and `mem0g entities` show")
        return ids[0]

    def _read_line(self, text: str, scope: Scope, at: datetime) -> tuple[str, list[Triple]]:
        """What the extractor finds in a line of text said now by the scope's owner; and the id of its window."""
        speaker = _speaker(scope)
        said = Utterance(source="", session="", position=0, speaker=speaker, role="user", text=text, time=at)
        window = Window(messages=(Message.of(said, scope),), speakers=(speaker,), scope=scope)
        return window.id, [replace(each, evidence=()) for each in self.extractor.extract(window)]

    def _check(self, text: str | None) -> None:
        """Raise InputError for text that no store keeps, or that is longer than a message may be."""
        check_text(text or "", "the text", self._ingesting.settings.longest_message)

    def _tell(
        self, scope: Scope, triples: Sequence[Triple], at: datetime, *, window: str, corrects: str = ""
    ) -> Report:
        self._claim()
        self._background.wait()
        return self._ingesting.by_hand(scope, triples, speaker=_speaker(scope), at=at, window=window, corrects=corrects)

    def _write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in a transaction, where the vectors that it makes are of the store's embedder."""
        self._claim()
        self._background.wait()

        def checked(transaction: Transaction) -> T:
            begun, ours = transaction.begin(), (self.embedder.name, self.embedder.dimensions)
            held = (begun.embedder, begun.dimensions)
            if begun.embedder is not None and held != ours:
                raise EmbedderMismatchError.between(self.store.address, held, ours)
            return work(transaction)

        return self._following(lambda: self.store.write(scope, checked))


def _speaker(scope: Scope) -> str:
    """Who says what is added by hand: the scope's user, else its agent, else its run."""
    return next(iter(scope.keys.values()))


def _triple(subject: str, relation: str, obj: str, text: str | None) -> Triple:
    sentence = text or f"{subject} {relation.replace('_', ' ')} {obj}."
    return Triple(subject=subject, relation=relation, object=obj, text=sentence)


def _noted(text: str, speaker: str) -> Triple:
    """The triple of a line in which nothing was found."""
    line = " ".join(text.split())
    return Triple(subject=speaker, relation=NOTED, object=line[:LONGEST_NAME], object_type=LITERAL, text=line)


def _dated(triple: Triple, valid_from: Moment | str | None, valid_to: Moment | str | None) -> Triple:
    """The triple with the dates that are given."""
    begun, ended = (Moment.parse(each) if isinstance(each, str) else each for each in (valid_from, valid_to))
    return replace(triple, valid_from=begun or triple.valid_from, valid_to=ended or triple.valid_to)


def _corrected(old: Fact, text: str | None, given: Mapping[str, str | None], read: Sequence[Triple]) -> Triple:
    """The triple that replaces ``old``: of what is given, else of the one triple read from the text, else as it was."""
    was = Triple(
        subject=old.subject,
        relation=old.relation_given,
        object=old.object,
        text=old.text,
        subject_type=old.subject_type,
        object_type=old.object_type,
    )
    base = read[0] if len(read) == 1 and not read[0].retracts else was
    named = {part: words for part, words in given.items() if words}
    for end in ("subject", "object"):
        if end in named and named[end] != getattr(base, end):
            named[f"{end}_type"] = ""
    made = replace(base, **named)  # type: ignore[arg-type]
    if (made.subject, made.relation, made.object) == (base.subject, base.relation, base.object):
        return made if base is not was else replace(made, text=text or old.text)
    return replace(made, text=text or _triple(made.subject, made.relation, made.object, None).text)
