"""The public face of mem0g: ``Memory`` documents every operation and calls the part that performs it.

Reading is in mem0g.reader, adding and forgetting in mem0g.writer, changes by hand in mem0g.editor.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from mem0g.arguments import checks_arguments
from mem0g.embed import embedder_of
from mem0g.embed.protocol import Embedder
from mem0g.history.explaining import Explanation
from mem0g.lookup import find_entity, scope_or_all
from mem0g.model import (
    Context,
    Contradiction,
    Decision,
    Entity,
    Fact,
    Hits,
    Message,
    Receipt,
    Scope,
    Succession,
    Triple,
    Utterance,
)
from mem0g.pipeline import Pipeline, chosen_extractor, open_cache, open_exchange, open_pipeline
from mem0g.reader import MAX_ROWS, MemoryReader, view_of
from mem0g.relations.relation_type import RelationType
from mem0g.relations.vocabulary import Vocabularies
from mem0g.retrieve.ranking.signals import DEFAULT_SIGNALS, Signal
from mem0g.settings import Credentials, Settings
from mem0g.store.address import store_of
from mem0g.store.protocol import Problem, Store
from mem0g.store.queries import Stats, StoreInfo
from mem0g.store.records import PendingWindow
from mem0g.store_embedder import StoreEmbedder
from mem0g.times import Moment, now

if TYPE_CHECKING:
    import networkx as nx

    from mem0g.answer.answering import Answer
    from mem0g.changing import Changing
    from mem0g.conflict.protocol import ConflictPolicy
    from mem0g.editor import MemoryEditor
    from mem0g.extract.protocol import Extractor
    from mem0g.history.diff import Diff
    from mem0g.ingest.ledger import Cost
    from mem0g.ingest.report import Report
    from mem0g.ingest.review import Held
    from mem0g.llm.protocol import LanguageModel, R, Request
    from mem0g.procedural.runs import Run
    from mem0g.resolve.resolver import Resolver
    from mem0g.transfer.copy import Copied
    from mem0g.writer import MemoryWriter


@checks_arguments
class Memory:
    """A graph memory over one store. Use it in a ``with`` block, or call ``close``.

    Every method takes a scope by ``user_id``, ``agent_id`` and ``run_id``, at least one; see mem0g.model.Scope. A few
    can cover the whole store, with ``all_scopes=True`` instead. Times are aware datetimes of any zone, dates, or ISO
    8601 text, whole or cut after the year or the month; a day, month or year that a question is about counts to its
    end in UTC. An argument of a wrong type is an InputError, where it is a number a QueryError.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        pipeline: Pipeline | Extractor,
        settings: Settings | None = None,
        *,
        signals: Sequence[Signal] = DEFAULT_SIGNALS,
    ) -> None:
        if not isinstance(pipeline, Pipeline):
            pipeline = Pipeline(pipeline)
        settings = settings or Settings()
        self.store, self.extractor, self.settings = store, pipeline.extractor, settings
        vocabularies, embedding = Vocabularies(store.vocabulary, embedder), StoreEmbedder(store, embedder)
        self._embedding, self._cache = embedding, pipeline.cache
        self._reader = MemoryReader(store, embedding, vocabularies, signals)
        self._vocabularies, self._pipeline = vocabularies, pipeline
        self._opening = Lock()
        self._changing: Changing | None = None

    @property
    def embedder(self) -> Embedder:
        """The embedder of the memory's texts and questions."""
        return self._embedding.embedder

    def _parts(self) -> Changing:
        """Return the parts that change the memory, opened at the first use: loading them takes as long as a search."""
        from mem0g.changing import open_changing

        with self._opening:
            if self._changing is None:
                given = (self._vocabularies, self._pipeline, self.settings)
                self._changing = open_changing(self.store, self._embedding, *given)
            return self._changing

    @property
    def _writer(self) -> MemoryWriter:
        return self._parts().writer

    @property
    def _editor(self) -> MemoryEditor:
        return self._parts().editor

    @property
    def writer(self) -> MemoryWriter:
        """The part that adds and forgets, for what is built on a memory, such as mem0g.working."""
        return self._writer

    @classmethod
    def open(
        cls,
        store: str | Path | Store | None = None,
        *,
        embedder: str | Embedder | None = None,
        extractor: str | Extractor | None = None,
        resolver: Resolver | None = None,
        conflict_policy: ConflictPolicy | None = None,
        signals: Sequence[Signal] = DEFAULT_SIGNALS,
        model: LanguageModel | None = None,
        settings: Settings | None = None,
        credentials: Credentials | None = None,
        existing: bool = False,
    ) -> Self:
        """Open the memory in ``store``, and create it where it does not exist unless ``existing`` is set.

        ``store``: a file's path or ``neo4j://host``, by default MEM0G_STORE or a file in the user's data folder; or a
        Store, which is closed with the memory.
        ``embedder``: None for the MiniLM that comes with mem0g, a name as mem0g.embed.open_embedder takes it, or an
        Embedder. ``extractor``: "llm" (the default where a key or a server is configured), "llm-two-stage",
        "llm-dense" (the base Mem0: sentences instead of a graph), "rules" (the default elsewhere), "none" or an
        Extractor. ``model`` replaces the language model of the settings.
        ``resolver``, ``conflict_policy`` and ``signals`` (of the ranking): see docs/extending.md. ``credentials``:
        user, password and database of a store on a server; they take precedence over those in the address, and these
        over the settings (NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE).

        Raises StoreError when the store cannot be used, NotFoundError when it should exist and does not.
        """
        settings = settings or Settings.from_environment()
        embedding = embedder_of(embedder, settings)
        if extractor is None and model:
            extractor = "llm"
        extractor = chosen_extractor(extractor, settings.llm)  # checked before a store is created
        opened = store_of(store, settings, credentials or Credentials(), existing=existing)
        pipeline = open_pipeline(extractor, opened, settings, model, resolver=resolver, conflict_policy=conflict_policy)
        return cls(opened, embedding, pipeline, settings, signals=signals)

    def close(self) -> None:
        """Wait for what is being extracted in the background, then release the store; a second call does nothing."""
        if self._changing is not None:
            self._changing.writer.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- adding -------------------------------------------------------------------------------------------------

    def add(
        self,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        wait: bool = True,
    ) -> Report:
        """Remember messages: extract triples, resolve their ends to entities, decide on conflicts, and commit.

        ``messages`` are utterances of a transcript, messages as in the OpenAI API (``role``, ``content``, optional
        ``name``, ``timestamp``, ``session``, ``metadata``), or one text of the user. A timestamp is ISO 8601 text, a
        date, a datetime with its zone, or seconds or milliseconds since 1970. Messages that are stored already change
        nothing. With a language model they are extracted in windows of two. Without ``wait`` they are only
        stored, where a search sees them at once, and extracted in the background; ``flush`` waits for that.

        ``metadata`` is any JSON object, kept with each message under its own. Facts have that of the messages that
        state them, and ``filters`` of a search find both by it.

        Returns counts of what was added and retired, and the facts themselves; see Report. Raises InputError for a
        message that cannot be read or is longer than ``Settings.longest_message``; then nothing was written. Raises
        a ModelError when the language model cannot be used; then the messages are stored, and ``retry`` continues.
        """
        return self._writer.add(Scope(user_id, agent_id, run_id), messages, wait=wait, metadata=metadata)

    def ingest(
        self,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Iterator[Report]:
        """As ``add`` in larger windows; yield the report of each window once it is committed.

        Of a file, give what it says: ``read_files([path]).utterances``; its path alone is refused with an InputError.
        Closing the iterator stops after the current window; the messages not reached are not stored.
        """
        return self._writer.ingest(Scope(user_id, agent_id, run_id), messages, metadata=metadata)

    def flush(self) -> Report:
        """Wait until everything added with ``wait=False`` is extracted, by this process or an earlier one.

        Returns the report of it. Raises the first error, as ``add`` would have; the windows that could not be
        extracted wait in the store for the next ``add``, ``flush`` or ``retry``.
        """
        return self._writer.flush()

    def retry(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
        quarantined: bool = True,
    ) -> Iterator[Report]:
        """Extract again what waits, failed or is quarantined; yield the report of each window as ``ingest`` does.

        ``all_scopes`` covers the whole store; without ``quarantined`` such windows go on waiting. Raises ScopeError
        unless either ``all_scopes`` or a scope is given.
        """
        scope = scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes)
        return self._writer.retry(scope, quarantined=quarantined)

    def add_triples(
        self,
        triples: Iterable[Triple],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        retire_ended: bool = False,
    ) -> Report:
        """Remember triples made elsewhere; their evidence names messages by id, or by the id they have in their source.

        Names are taken as they are given; only "I" and "user" are the speaker of the messages, where there is one.
        A state whose end has passed is retired from the start where its relation has one object at a time, such as a
        home; with ``retire_ended`` whatever its relation, as by ``add_fact``, unless it is an event of the past.
        Raises TripleError for evidence that names no message, or several, TimeError for a triple that ends before it
        begins; then nothing was written.
        """
        from mem0g.ingest.report import Report

        scope = Scope(user_id, agent_id, run_id)
        return sum(self._writer.ingest_triples(scope, triples, retire_ended=retire_ended), start=Report())

    def ingest_triples(
        self,
        triples: Iterable[Triple],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Iterator[Report]:
        """As ``add_triples``; yield the report of each batch once it is committed."""
        return self._writer.ingest_triples(Scope(user_id, agent_id, run_id), triples)

    def add_run(
        self,
        steps: Iterable[object],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        model: LanguageModel | None = None,
    ) -> Run:
        """Remember the run of an agent: each step with its result, and facts of the steps in the graph.

        ``steps`` are messages as in the OpenAI API with calls of tools, items or exported spans of OpenAI's Agents SDK,
        or messages and events of LangGraph. The same run, longer by some steps, adds only these. ``run_id`` names it;
        by default the trace does, or an id is made of its beginning. With a language model (``model``, or that of a
        memory that extracts with one) its notes are added: progress, context, what the steps found out.

        Raises ScopeError without a scope, TranscriptError for what cannot be read or is empty, InputError for a known
        run that took another way; then nothing was written. Raises a ModelError when the model cannot be used; then
        the steps are stored, and adding the run again continues.
        """
        from mem0g.procedural.recording import run_id_of
        from mem0g.procedural.traces import read_trace

        scope = Scope(user_id, agent_id, run_id)
        trace = read_trace(steps)
        scope = scope if run_id else Scope(user_id, agent_id, run_id_of(trace))
        return self._writer.add_run(scope, trace, model)

    # ---- searching ----------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 10,
        filters: Mapping[str, object] | None = None,
        as_of: datetime | date | str | None = None,
        known_at: datetime | date | str | None = None,
        include_retired: bool = False,
        exclude: Collection[str] = (),
    ) -> Hits:
        """Return the ``limit`` facts and messages that answer ``query`` best, best first; no language model is called.

        Where nothing in the memory seems to be about it, the nearest are returned all the same, and ``known`` is False.

        A question about the past ("where did she live before?", "in May 2023") sees retired facts too, each with its
        interval and ``current`` False; any other question sees them only with ``include_retired``. ``as_of``: as the
        world was then (facts retired later are seen again); ``known_at``: as mem0g knew it then. See Hit for the scale
        of scores.

        ``filters`` are conditions that every hit fulfils, such as {"relation": "lives_in", "said_at": {"$gte": "2024"},
        "metadata.topic": "work"}: on relation, type, role, speaker, said_at, valid_from, created_at and metadata, with
        $eq (or a bare value), $ne, $gt, $gte, $lt, $lte, $in and $nin; docs/filters.md describes them. They apply
        before ranking, and nothing that fulfils them is cut off for hardly fitting the query. ``exclude`` are ids of
        messages that are left out, such as those that a prompt has already; facts that cite them are not.

        Raises QueryError for an empty query, a limit under 1 or filters that cannot be read, TimeError for an
        unreadable time.
        """
        view = view_of(as_of, known_at, include_retired=include_retired)
        scope = Scope(user_id, agent_id, run_id)
        return self._reader.search(scope, query, view, limit=limit, filters=filters, exclude=exclude)

    def context(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tokens: int = 500,
        fill: bool = False,
        filters: Mapping[str, object] | None = None,
        as_of: datetime | date | str | None = None,
        known_at: datetime | date | str | None = None,
        include_retired: bool = False,
        exclude: Collection[str] = (),
        check: bool = False,
        model: LanguageModel | None = None,
    ) -> Context:
        """Return what answers ``query`` as text for a prompt, of at most ``tokens`` (words × 1.3), with its hits.

        An easy question gets a shorter text; ``fill`` uses the whole budget for any question. A question about the past
        sees retired facts as in ``search``; the text marks them as no longer true, with their interval. ``filters`` are
        as in ``search``; standing instructions have to fulfil them too.

        With ``check`` a language model (``model``, by default that of the settings) reads the text, which then has the
        best hits even if none seems to be about the question. ``Context.known`` is whether the text answers the
        question, and ``Context.missing`` what it lacks. The call is noted in the
        ledger (``costs``); the memory does not change.

        Raises QueryError for an empty query, a budget under 1 or filters that cannot be read, TimeError for an
        unreadable time; with ``check`` InputError when no model is configured, a ModelError when it cannot be used.
        """
        view = view_of(as_of, known_at, include_retired=include_retired)
        scope = Scope(user_id, agent_id, run_id)
        read = partial(self._reader.context, scope, query, view, tokens=tokens, fill=fill, filters=filters)
        if not check:
            return read(exclude=exclude)
        from mem0g.answer.checking import checked

        read, settings, at = partial(read, exclude=exclude, regardless=True), self.settings.llm, view.as_of or now()
        return checked(read, query, scope=scope, at=at, store=self.store, settings=settings, model=model)

    def ask(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tokens: int = 1500,
        as_of: datetime | date | str | None = None,
        model: LanguageModel | None = None,
    ) -> Answer:
        """Return the answer of ``model``, by default that of the settings, from the best hits for a question.

        ``tokens`` and ``as_of`` are as in ``context``. The call is noted in the ledger (``costs``); the memory does not
        change. Raises what ``context`` raises, and a ModelError when the model cannot be used.
        """
        from mem0g.answer.answering import answer

        scope, view = Scope(user_id, agent_id, run_id), view_of(as_of)
        hits = self._reader.context(scope, question, view, tokens=tokens, fill=True, regardless=True).hits
        settings, at = self.settings.llm, view.as_of or now()
        return answer(question, hits, scope=scope, at=at, store=self.store, settings=settings, model=model)

    def complete(
        self,
        request: Request[R],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        model: LanguageModel | None = None,
    ) -> R:
        """Return the reply of ``model``, by default that of the settings, to a request of your own.

        The reply is an instance of ``request.reply``, a pydantic model. As for the requests of mem0g itself, a bad
        reply is shown to the model once with what is wrong with it, a server that cannot be reached is tried again,
        and the call is noted in the ledger of the scope (``costs``); the memory does not change. Raises a ModelError
        when the model cannot be used, UnusableReplyError for a reply that was bad twice.
        """
        from mem0g.answer.answering import ask_once

        scope = Scope(user_id, agent_id, run_id)
        scoped = dataclasses.replace(request, scope=scope, window=request.window or request.purpose)
        return ask_once(open_exchange(self.settings.llm, model), scoped, self.store, scope)

    def subgraph(
        self,
        entity: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        hops: int = 1,
        limit: int = 200,
        as_of: datetime | date | str | None = None,
        include_retired: bool = False,
    ) -> nx.MultiDiGraph[str]:
        """Return the neighbourhood of an entity (its id or a name): at most ``limit`` facts, up to ``hops`` edges away.

        A name starts from its entities in every scope covered; the graph's root is the one that ``entity`` returns.
        Without an entity, all facts are returned; if there are more than ``limit``, the latest of each of the best
        connected entities. There is no root then. ``as_of``: as the world was then, see ``search``. Nodes are entity
        ids, edges are keyed by fact id; mem0g.views describes the attributes.
        """
        view = view_of(as_of, include_retired=include_retired)
        return self._reader.subgraph(Scope(user_id, agent_id, run_id), entity, view, hops=hops, limit=limit)

    # ---- reading ------------------------------------------------------------------------------------------------

    def facts(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        entity: str | None = None,
        relation: str | None = None,
        filters: Mapping[str, object] | None = None,
        as_of: datetime | date | str | None = None,
        known_at: datetime | date | str | None = None,
        include_retired: bool = False,
        limit: int = MAX_ROWS,
        offset: int = 0,
    ) -> tuple[Fact, ...]:
        """Return facts in the order in which they were recorded.

        ``entity``: those of an entity (its id or a name; for a name, of its entities in every scope covered).
        ``relation``: those of a relation, in any spelling. ``filters`` are as in ``search``.

        Raises NotFoundError for an unknown entity, QueryError for filters that cannot be read.
        """
        view = view_of(as_of, known_at, include_retired=include_retired)
        return self._reader.facts(
            Scope(user_id, agent_id, run_id),
            view,
            entity=entity,
            relation=relation,
            limit=limit,
            offset=offset,
            filters=filters,
        )

    def instructions(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        as_of: datetime | date | str | None = None,
        known_at: datetime | date | str | None = None,
        include_retired: bool = False,
    ) -> tuple[Fact, ...]:
        """Return the user's standing instructions to an assistant, then preferences, in the order of recording.

        Instructions are facts of the relation INSTRUCTS, preferences of PREFERS. ``context`` begins with those that fit
        its question. They are the user's words, not yours: see docs/how-it-works.md on hostile text before you put them
        into a prompt.
        """
        view = view_of(as_of, known_at, include_retired=include_retired)
        return self._reader.instructions(Scope(user_id, agent_id, run_id), view)

    def contradictions(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[Contradiction, ...]:
        """Return pairs of statements that exclude each other, with neither marked as the later truth.

        It finds messages in which the user denies what an earlier one says was done, or a later one takes as long done,
        and different values of what never changes, such as a birthday, in English; then current facts of which one
        denies what another says was done, or gives another object or number at the same time where there is one. All
        messages and current facts of the scope are read. ``context`` shows the pairs that are relevant to its question.
        """
        return self._reader.contradictions(Scope(user_id, agent_id, run_id))

    def possibly_outdated(
        self,
        fact: str | Sequence[str],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> tuple[Fact, ...]:
        """Return current facts that a fact (its id or the start of one) may have made untrue, most similar first.

        For several facts each is returned once, in the order of what may have made them untrue. They have its subject
        and its relation, or its verb and nearly its words: "is deployed on Fly.io" beside "is deployed on AWS". What is
        certain has been retired when the fact was added; for these you judge, and call ``retire``. Empty for events of
        the past and where a subject has several facts of the relation. Raises NotFoundError for an unknown fact.
        """
        facts = [fact] if isinstance(fact, str) else fact
        return self._reader.possibly_outdated(Scope(user_id, agent_id, run_id), facts)

    def entities(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = MAX_ROWS,
        offset: int = 0,
    ) -> tuple[tuple[Entity, int], ...]:
        """Return entities with the number of their current facts, most facts first."""
        return self._reader.entities(Scope(user_id, agent_id, run_id), limit=limit, offset=offset)

    def messages(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        ids: Sequence[str] | None = None,
        limit: int = MAX_ROWS,
        offset: int = 0,
    ) -> tuple[Message, ...]:
        """Return messages by source, session and position; or those with these ``ids``, in their order."""
        return self._reader.messages(Scope(user_id, agent_id, run_id), ids=ids, limit=limit, offset=offset)

    def conversation(
        self,
        message: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        turns: int = 3,
    ) -> tuple[Message, ...]:
        """Return a message (its id or the start of it) with up to ``turns`` of its session before and after it.

        Raises NotFoundError when there is none, or several.
        """
        return self._reader.conversation(Scope(user_id, agent_id, run_id), message, turns)

    def users(self, *, limit: int = MAX_ROWS, offset: int = 0) -> tuple[tuple[Scope, Stats], ...]:
        """Return the scopes that hold anything, by user, agent and run, with counts of what a read of each covers."""
        return self._reader.users(limit=limit, offset=offset)

    def entity(
        self, entity: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Entity:
        """Return the entity of an id, the start of an id, or a name. Raises NotFoundError when there is none.

        If several have that name, such as in several scopes, it is the one updated last; a main name counts before an
        alias; "me" is the user. ``facts`` and ``subgraph`` use the entities of every scope.
        """
        return find_entity(self.store, Scope(user_id, agent_id, run_id), entity)

    def fact(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Fact:
        """Return the fact of an id or the start of one. Raises NotFoundError when there is none, or several."""
        return self._reader.fact(Scope(user_id, agent_id, run_id), fact)

    def history(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[tuple[Fact, ...], tuple[Succession, ...]]:
        """Return facts in order of validity, retired ones too, and what replaced which.

        Of a fact (its id or the start of one): what it replaced, what replaced it, and other intervals of the same
        edge. Of an entity (its id or a name): all its facts. ``decisions(about=…)`` gives the log about either.
        """
        return self._reader.history(Scope(user_id, agent_id, run_id), fact)

    def decisions(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        about: str | None = None,
        since: datetime | date | str | None = None,
        until: datetime | date | str | None = None,
        limit: int = MAX_ROWS,
        offset: int = 0,
    ) -> tuple[Decision, ...]:
        """Return the log of decisions, the latest first; their ids are what ``undo`` takes.

        ``about``: those about a fact (an id or the start of one), or about an entity (its id or a name) and its facts.
        ``since`` and ``until``: from the start of the one to before the start of the other.
        """
        return self._reader.decisions(
            Scope(user_id, agent_id, run_id), about=about, since=since, until=until, limit=limit, offset=offset
        )

    def decision(
        self, decision: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Decision:
        """Return the decision of an id or the start of one. Raises NotFoundError when there is none, or several."""
        return self._reader.decision(Scope(user_id, agent_id, run_id), decision)

    def diff(
        self,
        since: datetime | date | str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        until: datetime | date | str | None = None,
    ) -> Diff:
        """Return what was added, replaced, ended, undone and forgotten from ``since`` on, and before ``until``."""
        return self._reader.diff(Scope(user_id, agent_id, run_id), since, until)

    def why(
        self, fact: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Explanation:
        """Return the messages that state a fact and the log of what was decided about it and its entities."""
        return self._reader.why(Scope(user_id, agent_id, run_id), fact)

    def relation(
        self, name: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> RelationType:
        """Return the relation type of any spelling or synonym of a name.

        Relation types belong to a tenant: the user of the scope, else its agent, else its run.
        """
        return self._reader.relation(Scope(user_id, agent_id, run_id), name)

    def relations(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[RelationType, ...]:
        """Return the relation types of the scope's tenant: the seeds, and those it learnt or a user defined for it."""
        return self._reader.relations(Scope(user_id, agent_id, run_id))

    def pending(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> tuple[PendingWindow, ...]:
        """Return the windows that are not extracted yet, and why, in the order in which they came.

        Buffers of working memories are among them, in the state "buffered". ``all_scopes`` covers the whole store.
        Raises ScopeError unless either it or a scope is given.
        """
        from mem0g.ingest.pending import pending_windows

        return pending_windows(self.store, scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes))

    def costs(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> tuple[Cost, ...]:
        """Return what the calls of language models cost, by purpose and model.

        ``all_scopes`` covers the whole store. Raises ScopeError unless either it or a scope is given.
        """
        from mem0g.ingest.ledger import costs

        return costs(self.store, scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes))

    def stats(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> Stats:
        """Return counts of what is stored in the scopes covered.

        ``all_scopes`` covers the whole store. Raises ScopeError unless either it or a scope is given.
        """
        return self.store.stats(scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes))

    def info(self) -> StoreInfo:
        """Return the kind, address and version of the store, and the embedder that filled it."""
        return self.store.info()

    def run(self, run_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> Run:
        """Return a run that ``add_run`` stored, with its ``summary``. Raises NotFoundError when there is none."""
        from mem0g.procedural.recalling import read_run

        return read_run(self.store, Scope(user_id, agent_id, run_id))

    def runs(
        self,
        task: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 3,
    ) -> tuple[Run, ...]:
        """Return the runs that are most like a task, best first; without a ``task`` the first ones, by their ids.

        How was it done before, and what failed? ``Run.lesson`` says it in a few lines, ``Run.failures`` are the steps
        that failed, each with what worked after it. Raises QueryError for a blank task or a limit under 1.
        """
        from mem0g.procedural.recalling import SEARCHED, found_runs

        scope = Scope(user_id, agent_id, run_id)
        search = partial(self._reader.search, scope, limit=SEARCHED * max(limit, 1))
        return found_runs(self.store, scope, task, search, limit)

    # ---- changing by hand ---------------------------------------------------------------------------------------

    def add_fact(
        self,
        text: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        subject: str | None = None,
        relation: str | None = None,
        object: str | None = None,  # noqa: A002 - the name of a triple's third part
        valid_from: datetime | date | str | Moment | None = None,
        valid_to: datetime | date | str | Moment | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Report:
        """Add what the user knows: a triple, or a line of text; no message is stored.

        With ``subject``, ``relation`` and ``object``, ``text`` is the sentence of the fact; by default it is made of
        the three. "I", "me" and "the user" are the scope's user there; other pronouns are refused. With ``text`` alone,
        the extractor reads it as if the scope's user (else agent, else run) said it now; it may also name the user, in
        whatever case. Where nothing is found, the fact says that the speaker noted it. The triples are resolved and
        checked for conflicts as any others: what they contradict is retired, what is known already is confirmed. The
        dates and the ``metadata`` apply to every fact that comes of it. A state with a ``valid_to`` that has passed is
        retired from the start: it is found as of a time within its interval. With a ``valid_from`` that lies ahead the
        fact is planned for it (``Fact.planned_for``), and ends nothing before.

        Raises InputError when only some of the three are given, or nothing, a pronoun for a name, or a text that cannot
        be stored or is longer than ``Settings.longest_message``; TimeError for what is no time, or an end before its
        beginning; TripleError for what makes no triple, a ModelError when a language model is needed and cannot be
        used.
        """
        from mem0g.editor import FactInput

        given = FactInput(
            text=text,
            subject=subject,
            relation=relation,
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            metadata=metadata,
        )
        return self._editor.add_fact(Scope(user_id, agent_id, run_id), given)

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
        object: str | None = None,  # noqa: A002 - the name of a triple's third part
        valid_from: datetime | date | str | Moment | None = None,
        valid_to: datetime | date | str | Moment | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Report:
        """Replace a current fact (its id or the start of one) that is wrong; the old one stays as history.

        What is not given stays as it was. With ``text`` alone, subject, relation and object are extracted from it. They
        are kept where it begins with the old sentence. Where nothing can be extracted, only the object is another
        if only its words differ; else the new fact says that the old one's subject noted the text. The new fact has the
        old one's evidence, and its dates and metadata unless others are given, or dates are stated by the text; an old
        date that is at odds with a stated one is dropped. The old fact is retired with an empty interval: no ``as_of``
        shows it.

        Raises NotFoundError for an unknown fact, InputError when it is retired, nothing is given, or a pronoun for a
        name, TimeError for an end before the beginning.
        """
        from mem0g.editor import FactInput

        given = FactInput(
            text=text,
            subject=subject,
            relation=relation,
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            metadata=metadata,
        )
        return self._editor.correct(Scope(user_id, agent_id, run_id), fact, given)

    def retire(
        self,
        fact: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        reason: str = "no longer true",
        valid_to: datetime | date | str | Moment | None = None,
    ) -> Decision:
        """End a current fact (its id or the start of one): it was true until ``valid_to``, by default until now.

        What lies ahead may end before it begins: it was never true then, and no ``as_of`` shows it.

        Raises NotFoundError for an unknown fact, InputError when it is retired already, TimeError for an end before
        its beginning, or one that lies ahead: the fact is true until then, and ``correct`` notes the end.
        """
        return self._editor.retire(Scope(user_id, agent_id, run_id), fact, reason=reason, valid_to=valid_to)

    def merge(
        self,
        entity: str,
        other: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Decision:
        """Merge two entities (ids or names): the names and facts of ``other`` move to ``entity``.

        Raises NotFoundError for an unknown entity, InputError when they are one entity already or of two scopes.
        """
        return self._editor.merge(Scope(user_id, agent_id, run_id), entity, other)

    def unmerge(
        self,
        entity: str,
        alias: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Decision:
        """Split an entity (id or name): ``alias`` becomes an entity of its own, with the facts stated under that name.

        Raises NotFoundError if there is no such entity or it has no such name, InputError if that is its only name.
        """
        return self._editor.unmerge(Scope(user_id, agent_id, run_id), entity, alias)

    def undo(
        self,
        decision: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        cascade: bool = False,
    ) -> tuple[Decision, ...]:
        """Restore what was before a decision (its id or the start of one), as a new decision; return the new ones.

        Facts that it added are retired, facts and entities that it changed are as they were. Undoing an UNDO does the
        first one again. Where later decisions changed the same facts or entities, ``cascade`` undoes these first, the
        latest first.

        Raises NotFoundError for an unknown decision; UndoError, which names the later decisions, without ``cascade``,
        and for one that was undone already, changed nothing, or changed what was erased since.
        """
        return self._editor.undo(Scope(user_id, agent_id, run_id), decision, cascade=cascade)

    def erase(
        self, erased: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Receipt:
        """Remove a fact, a message or an entity (its id or the start of one) for good; return counts of what it was.

        A fact is removed with the log entries about it, the entities that have no other fact, and the name of its
        relation where nothing else uses it and no user defined it; an entity with those merged into it and all its
        facts. The messages that state them (``Fact.evidence``) stay and can be found; they are erased by their own ids.
        A message is removed with the facts that have no other evidence (in wider scopes too), the log entries made from
        it alone, the summaries of its conversation and session, and kept replies of a model to requests of its scope,
        also those in the reply cache of the settings. Other facts lose the message as evidence. The receipt is kept in
        the scope.

        Raises NotFoundError when nothing, or several things, have such an id, InputError if the reply cache cannot be
        written; nothing is removed then.
        """
        cache = self._cache or open_cache(self.settings.llm)
        return self._editor.erase(Scope(user_id, agent_id, run_id), erased, cache)

    def define_relation(
        self,
        name: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        one_object: bool | None = None,
        synonyms: Sequence[str] = (),
    ) -> RelationType:
        """Add a relation to those of the scope's tenant, or redefine a known one; what is not given stays.

        It applies to what is added later, by any process. A relation that is given as a synonym is joined to it: its
        facts, retired ones too, are facts of ``name`` from then on.

        Raises InputError for a name without letters and digits, and for a synonym that means a relation that comes with
        mem0g (define that one, with ``name`` as a synonym) or is a mere synonym of another relation.
        """
        tenant = Scope(user_id, agent_id, run_id).tenant
        return self._editor.define_relation(tenant, name, one_object=one_object, synonyms=synonyms)

    def review(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> tuple[Held, ...]:
        """Return the retirements held back because a language model decided on too many at once, oldest first."""
        from mem0g.ingest.review import held_retirements

        return held_retirements(self.store, Scope(user_id, agent_id, run_id))

    def accept(
        self, held_id: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> int:
        """Retire the facts of an entry of ``review`` that are still current; return how many.

        Raises NotFoundError when nothing of that id is held.
        """
        from mem0g.ingest.review import accept

        return accept(self.store, Scope(user_id, agent_id, run_id), held_id, now())

    def drop(
        self, held_id: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> None:
        """Keep the facts of an entry of ``review`` as they are, and remove the entry.

        Raises NotFoundError when nothing of that id is held.
        """
        from mem0g.ingest.review import drop

        drop(self.store, Scope(user_id, agent_id, run_id), held_id)

    # ---- keeping ------------------------------------------------------------------------------------------------

    def forget(self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None) -> Receipt:
        """Remove for good everything that the scope covers, messages included; return counts of it.

        Its text is removed from the store, the files next to it and the reply cache of the settings. Facts of other
        scopes whose only evidence are its messages are removed too. See Receipt for when another process is reading the
        file.

        Raises InputError if the reply cache cannot be written; nothing is removed then.
        """
        return self._writer.forget(Scope(user_id, agent_id, run_id), self._cache or open_cache(self.settings.llm))

    def reindex(self) -> int:
        """Recompute all embeddings with this memory's embedder, whichever filled the store; return the number of texts.

        What other processes add meanwhile is embedded too.
        """
        return self._embedding.reindex()

    def backup(self, path: str | Path) -> None:
        """Write a complete copy of a store in a file to the new file ``path``, while others go on writing.

        Raises StoreError where ``path`` exists or cannot be written, and for a store on a server: use `mem0g export`
        there.
        """
        self.store.backup(Path(path).expanduser())

    def export(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> Iterator[str]:
        """Yield the lines of an export, as of one moment: all that the scope covers, as `mem0g export` writes it.

        ``all_scopes`` exports the whole store. Raises ScopeError unless either that or a scope is given.
        """
        from mem0g.transfer.jsonl import export_lines

        return export_lines(self.store, scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes))

    def import_lines(self, lines: Iterable[str], *, part: bool = False) -> Copied:
        """Add the records of an export, each to the scope that it was in; those that are there already are kept.

        Raises InputError for an export that is cut off (unless ``part`` is set), cannot be read, or has records that
        the store has in another scope, and EmbedderMismatchError for vectors of another embedder; then nothing was
        written.
        """
        from mem0g.transfer.jsonl import import_lines

        return import_lines(self.store, lines, part=part)

    def verify(self) -> tuple[Problem, ...]:
        """Check the whole store for contradictions and return them; nothing is changed.

        docs/guarantees.md lists what is checked. Everything is read once.
        """
        from mem0g.verify import verify

        return verify(self.store)

    def repair(self) -> tuple[Problem, ...]:
        """Repair what ``verify`` finds, as far as that deletes no fact; return what was repaired.

        Nothing else should write meanwhile. Run ``verify`` again to get the remaining problems, each with a hint.
        """
        from mem0g.verify import repair

        if self._changing is not None:
            self._changing.writer.wait()
        return repair(self.store, now())
