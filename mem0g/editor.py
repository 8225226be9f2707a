"""Changes by hand: add, correct and retire facts, merge and split entities, undo decisions, and erase records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from mem0g.conflict.lying_ahead import as_planned
from mem0g.errors import InputError, NotFoundError, quoted
from mem0g.extract.protocol import KnownEntity, Window
from mem0g.history import merging, undo
from mem0g.history.corrections import retire
from mem0g.history.erase import erase
from mem0g.history.rewording import as_triple, noted, reworded, stated
from mem0g.ingest.background import Background
from mem0g.ingest.input_messages import check_text
from mem0g.ingest.ledger import called_keys
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.ingest.report import Report
from mem0g.ingest.self_reference import with_user_named
from mem0g.lookup import find_decision, find_entity, find_fact, ids_starting
from mem0g.metadata import checked_metadata
from mem0g.model import LITERAL, MAX_NAME_LENGTH, Decision, Fact, Message, Receipt, Scope, Triple, Utterance
from mem0g.relations.registry import Registry
from mem0g.relations.relation_type import RelationType, base_relations
from mem0g.relations.vocabulary import Vocabularies
from mem0g.resolve.kinds import ANIMAL, PERSON, UNKNOWN, kind_of
from mem0g.store.protocol import Store, Transaction
from mem0g.store_embedder import StoreEmbedder
from mem0g.text.names import fold, normal_relation, triple_sentence
from mem0g.times import Moment, as_moment, check_interval, now

if TYPE_CHECKING:
    from mem0g.llm.cache import ReplyCache

T = TypeVar("T")

LONGEST_NAME = 4
"""Words of a name by which a line may begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactInput:
    """What is given for a fact: a sentence, a triple, or parts of one; dates, metadata.

    Raises TimeError for a date that mem0g.times.as_moment does not take.
    """

    text: str | None = None
    subject: str | None = None
    relation: str | None = None
    object: str | None = None
    valid_from: Moment | datetime | date | str | None = None
    valid_to: Moment | datetime | date | str | None = None
    metadata: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for time in (self.valid_from, self.valid_to):
            if time is not None:
                as_moment(time)

    @property
    def parts(self) -> dict[str, str]:
        """The parts of a triple that are given and not empty, by name, without blanks around them."""
        named = (("subject", self.subject), ("relation", self.relation), ("object", self.object))
        return {name: value.strip() for name, value in named if value}

    def naming(self, user: str | None) -> FactInput:
        """Return the input with the user's name for "I", "my" and "the user" at an end, see ``with_user_named``."""
        subject, obj, text = with_user_named(self.subject, self.object, self.text, user)
        return replace(self, subject=subject, object=obj, text=text)

    def dated(self, triple: Triple, at: datetime) -> Triple:
        """Return ``triple``, told at ``at``, with the dates and the metadata that are given.

        A beginning takes the place of the day of a plan. Raises TimeError where the end is before the beginning.
        """
        begin, end = (None if each is None else as_moment(each) for each in (self.valid_from, self.valid_to))
        metadata = triple.metadata if self.metadata is None else checked_metadata(self.metadata)
        dated = replace(
            triple,
            valid_from=begin or triple.valid_from,
            valid_to=end or triple.valid_to,
            planned_for=None if begin else triple.planned_for,
            metadata=metadata,
        )
        check_interval(dated.valid_from, dated.valid_to)
        return as_planned(dated, at)


class MemoryEditor:
    """The half of a memory that changes single things. Every change is a decision in the log, and can be undone."""

    def __init__(
        self,
        store: Store,
        embedder: StoreEmbedder,
        vocabularies: Vocabularies,
        ingest: IngestPipeline,
        background: Background,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._vocabularies = vocabularies
        self._ingest = ingest
        self._background = background

    def add_fact(self, scope: Scope, given: FactInput) -> Report:
        """Add a triple, or what the extractor finds in a line of text."""
        at, window = now(), ""
        self._check(given.text)
        checked_metadata(given.metadata)
        given = given.naming(scope.user_id)
        if given.subject is not None and given.relation is not None and given.object is not None:
            named = (given.subject.strip(), given.relation.strip(), given.object.strip())
            triples = [_triple(*named, given.text)]
        elif given.parts or not (given.text or "").strip():
            raise InputError(
                "a fact needs a text, or subject, relation and object",
                hint='add_fact("Ann is allergic to nuts"), or name all three',
            )
        else:
            window, triples = self._extract(str(given.text), scope, at)
            triples = triples or [noted(str(given.text), _speaker(scope))]
        return self._commit(scope, [given.dated(each, at) for each in triples], at, window=window)

    def correct(self, scope: Scope, fact: str, given: FactInput) -> Report:
        """Replace a current fact by what is given; the rest stays as it was."""
        at, window, read = now(), "", list[Triple]()
        self._check(given.text)
        checked_metadata(given.metadata)
        old = find_fact(self._store, scope, fact)
        given = given.naming(old.scope.user_id)
        others = (given.text, given.valid_from, given.valid_to, given.metadata)
        if all(each is None for each in others) and not given.parts:
            raise InputError("no correction is given", hint="give a text, an end, the relation or a date")
        if given.text is not None and not given.text.strip():
            raise InputError("the corrected sentence is empty", hint="leave it out, or say what is true")
        if given.text and len(given.parts) < 3:
            about = KnownEntity(name=old.subject, type=old.subject_type)
            window, read = self._extract(given.text, old.scope, at, about)
        triple = given.dated(replace(_with_old_dates(_corrected(old, given, read), old), metadata=old.metadata), at)
        if _says(triple, old):
            raise InputError("the correction says what the fact says", hint="say what is true instead")
        return self._commit(old.scope, [triple], at, window=window, corrects=old.id)

    def _extract(self, text: str, scope: Scope, at: datetime, *about: KnownEntity) -> tuple[str, list[Triple]]:
        """Return the triples in a line of text, as if the scope's owner said it now, and the id of its window.

        It may name the owner, those it is ``about`` and, at its beginning, anybody known, in whatever case.
        """
        speaker = _speaker(scope)
        said = Utterance(source="", session="", position=0, speaker=speaker, role="user", text=text, time=at)
        known = (*self._named_first(text, scope), KnownEntity(name=speaker), *about)
        speaking = tuple(each for each in known if kind_of(each.type) in (PERSON, ANIMAL, UNKNOWN))
        window = Window(messages=(Message.of(said, scope),), speakers=(speaker,), scope=scope, known=speaking)
        return window.id, [replace(each, evidence=()) for each in self._ingest.extract(window)]

    def _named_first(self, text: str, scope: Scope) -> list[KnownEntity]:
        """Return the known entities by whose name the text begins, the longest name first."""
        begun = fold(text[:MAX_NAME_LENGTH]).split()[:LONGEST_NAME]
        wanted = {" ".join(begun[:count]).removesuffix("'s") for count in range(1, len(begun) + 1)}
        found = self._store.match_names(scope, sorted(wanted))
        names = [(name, each.type) for each in found for name in each.names if fold(name) in wanted]
        return [KnownEntity(name=name, type=kind) for name, kind in sorted(names, key=lambda each: -len(each[0]))]

    def _check(self, text: str | None) -> None:
        """Raise InputError for text that cannot be stored, or that is longer than a message may be."""
        check_text(text or "", "the text", self._ingest.settings.longest_message)

    def _commit(
        self, scope: Scope, triples: Sequence[Triple], at: datetime, *, window: str, corrects: str = ""
    ) -> Report:
        """Resolve, decide and commit triples given by hand; ``corrects`` is the id of the fact they replace."""
        self._embedder.claim()
        self._background.wait(scope)
        return self._ingest.add_by_hand(
            scope, triples, speaker=_speaker(scope), at=at, window=window, corrects=corrects
        )

    def retire(
        self, scope: Scope, fact: str, *, reason: str, valid_to: datetime | date | str | Moment | None
    ) -> Decision:
        """End a current fact."""
        self._check(reason)
        end = None if valid_to is None else as_moment(valid_to)
        found = find_fact(self._store, scope, fact)
        work = partial(retire, scope=found.scope, fact_id=found.id, reason=reason, ended=end, at=now())
        return self._write(found.scope, work)

    def merge(self, scope: Scope, entity: str, other: str) -> Decision:
        """Make two entities one; ``entity`` stays."""
        winner, loser = (find_entity(self._store, scope, each) for each in (entity, other))
        if winner.scope != loser.scope:
            raise InputError(
                f"{winner.name} is in {winner.scope}, {loser.name} in {loser.scope}", hint="merge within one scope"
            )
        work = partial(merging.merge, scope=winner.scope, winner_id=winner.id, loser_id=loser.id, at=now())
        return self._write(winner.scope, work)

    def unmerge(self, scope: Scope, entity: str, alias: str) -> Decision:
        """Make an entity two: ``alias`` becomes another one."""
        self._check(alias)
        found = find_entity(self._store, scope, entity)
        work = partial(
            merging.unmerge,
            scope=found.scope,
            entity_id=found.id,
            alias=alias,
            at=now(),
            embed=self._embedder.embedder.embed,
        )
        return self._write(found.scope, work)

    def undo(self, scope: Scope, decision: str, *, cascade: bool) -> tuple[Decision, ...]:
        """Restore what was before a decision; return the decisions that do."""
        home, decision_id = find_decision(self._store, scope, decision)
        work = partial(
            undo.undo,
            scope=home,
            decision_id=decision_id,
            cascade=cascade,
            at=now(),
            embed=self._embedder.embedder.embed,
        )
        return self._write(home, work)

    def erase(self, scope: Scope, wanted: str, cache: ReplyCache | None) -> Receipt:
        """Remove a fact, a message or an entity for good; with a message what ``cache`` has of its scope's calls."""
        ids = ids_starting(self._store, scope, wanted, "e_", "f_", "m_")
        homes = self._store.homes(scope, ids)
        if len(ids) != 1 or not homes:
            problem = (
                f"{quoted(wanted)} is the start of more than one id"
                if len(ids) > 1
                else f"no fact, message or entity {quoted(wanted)} in {scope}"
            )
            raise NotFoundError(problem, hint="give an id, as `mem0g facts`, `mem0g search` and `mem0g entities` show")
        home = homes[ids[0]]
        self._background.wait(home)
        message = next(iter(self._store.messages(home, ids)), None)
        replies = cache.forget(called_keys(self._store, home)) if message and cache else 0
        receipt = erase(self._write, home, ids[0], message, at=now(), embed=self._embedder.embedder.embed)
        self._ingest.forget(home)
        self._vocabularies.forget(home.tenant)
        return replace(receipt, replies=receipt.replies + replies)

    def _write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Return the result of ``work`` in a transaction, in which the store's embedder is checked first."""
        self._embedder.claim()
        self._background.wait(scope)

        def checked(transaction: Transaction) -> T:
            self._embedder.check(transaction)
            return work(transaction)

        return self._embedder.run(lambda: self._store.write(scope, checked))

    def define_relation(
        self, tenant: Scope, name: str, *, one_object: bool | None, synonyms: Sequence[str]
    ) -> RelationType:
        """Add or redefine a relation of the tenant."""
        registry = self._vocabularies.refresh(tenant)
        known = registry.get(name)
        others = [_joinable(each, known.name, registry) for each in synonyms]
        joined = [each for each in registry.types if each.name in others]
        if known not in registry.types and joined:
            known = replace(joined[0], name=known.name)
        relation = replace(
            known,
            one_object=known.one_object if one_object is None else one_object,
            synonyms=tuple(dict.fromkeys((*known.synonyms, *others))),
            origin="user",
        )
        relation = registry.copy().add(relation)  # with the synonyms of those that are joined to it
        self._store.save_relation_types(tenant, [relation])
        self._vocabularies.forget(tenant)
        return relation


def _speaker(scope: Scope) -> str:
    """Return who says what is added by hand: the scope's user, else its agent, else its run."""
    return next(iter(scope.keys.values()))


def _joinable(synonym: str, relation: str, registry: Registry) -> str:
    """Return the normalised name of a relation that may become a synonym of ``relation``.

    Raises InputError for a name of a relation that comes with mem0g, as the rules know that one by its name, and for a
    mere synonym of another relation.
    """
    owner, normal = registry.canonical(synonym), normal_relation(synonym)
    if owner == relation:
        return normal
    if all(each.name != owner for each in registry.types):
        return owner
    if owner in base_relations():
        hint = f"`mem0g relations --define {owner} --synonym {relation}` makes {relation} another name of it"
        meant = "" if owner == normal else f" means {owner}, which"
        raise InputError(f"{normal}{meant} comes with mem0g", hint=hint)
    if owner != normal:
        hint = f"`--synonym {owner}` joins {owner}, with its facts, to {relation}"
        raise InputError(f"{normal} is another name of {owner} already", hint=hint)
    return owner


def _triple(subject: str, relation: str, obj: str, text: str | None) -> Triple:
    return Triple(subject=subject, relation=relation, object=obj, text=text or triple_sentence(subject, relation, obj))


def _corrected(old: Fact, given: FactInput, read: Sequence[Triple]) -> Triple:
    """Return the triple that replaces ``old``; ``read`` is what the extractor found in the text that is given.

    Each part is the given one, else that of the text, else the old one. Without any part a text in which nothing is
    found replaces all of them: it is a note, unless only the words of the object are others.
    """
    was, parts = as_triple(old), given.parts
    base = stated(old, given.text, read) if given.text else was
    if base is None:
        base = was if parts else reworded(old, str(given.text))
    for end in ("subject", "object"):
        if end in parts and parts[end] != getattr(base, end):
            parts[f"{end}_type"] = LITERAL if end == "object" and base.object_is_literal else ""
    made = replace(base, **parts)  # type: ignore[arg-type]
    if (made.subject, made.relation, made.object) == (base.subject, base.relation, base.object):
        return made if base is not was else _in_words(made, given.text or old.text)
    return _in_words(made, given.text or triple_sentence(made.subject, made.relation, made.object))


def _says(triple: Triple, fact: Fact) -> bool:
    """Whether a triple says no more and nothing else than a fact."""
    told = (triple.subject, triple.relation, triple.object, triple.text)
    beside = (triple.valid_from, triple.valid_to, triple.planned_for, triple.metadata)
    known = (fact.subject, fact.relation_given, fact.object, fact.text)
    return told == known and beside == (fact.valid_from, fact.valid_to, fact.planned_for, fact.metadata)


def _with_old_dates(triple: Triple, old: Fact) -> Triple:
    """Return the triple with the dates of ``old`` where its sentence states none, as far as they agree with these."""
    begin, end = triple.valid_from or old.valid_from, triple.valid_to or old.valid_to
    if begin and end and end.end <= begin.start and (triple.valid_from or triple.valid_to):
        begin, end = triple.valid_from, triple.valid_to
    return replace(triple, valid_from=begin, valid_to=end)


def _in_words(triple: Triple, text: str) -> Triple:
    """Return the triple with this sentence; the short clause of another sentence is dropped."""
    return triple if triple.text == text else replace(triple, text=text, brief=None)
