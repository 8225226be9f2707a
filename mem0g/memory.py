"""The facade: one object that knows the chain of stages."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mem0g.conflict.protocol import ConflictPolicy
from mem0g.conflict.rule_decider import RuleDecider
from mem0g.editing import Editing
from mem0g.embed import open_embedder
from mem0g.embed.following import FollowingEmbedder
from mem0g.embed.protocol import Embedder
from mem0g.evidence import cited_by_id, cited_messages
from mem0g.extract.protocol import Extractor
from mem0g.ingest import review
from mem0g.ingest.background import Background
from mem0g.ingest.batch import Report
from mem0g.ingest.ingesting import Ingesting
from mem0g.ingest.ledger import called_keys
from mem0g.ingest.pending import pending_windows
from mem0g.ingest.remember import Remembering
from mem0g.ingest.turns import check_lengths, given_messages
from mem0g.lookup import scope_or_all
from mem0g.model import Message, Receipt, Scope, Triple, Utterance
from mem0g.names import normal_relation
from mem0g.pipeline import Pipeline, chosen_extractor, open_cache, open_pipeline
from mem0g.relations.registry import RelationType
from mem0g.resolve.resolver import Resolver
from mem0g.settings import Credentials, Settings
from mem0g.store.address import open_existing, open_store
from mem0g.store.problem import Problem
from mem0g.store.protocol import Store
from mem0g.times import now
from mem0g.verify import repair, verify

if TYPE_CHECKING:
    from mem0g.llm.request import LanguageModel
    from mem0g.model import Vector

TRIPLES_AT_ONCE = 50
"""Triples made elsewhere that are committed together."""


class Memory(Editing):
    """A graph memory over one store. Use it in a ``with`` block, or call ``close``.

    Every method takes a scope by ``user_id``, ``agent_id`` and ``run_id``, at least one; see mem0g.model.Scope. The few
    that can be asked about the whole store take ``all_scopes=True`` instead. Times are aware datetimes of any zone,
    dates, or ISO 8601 text, whole or cut after the year or the month; a day, a month or a year that is asked about
    counts to its end in UTC.
    """

    def __init__(
        self, store: Store, embedder: Embedder, pipeline: Pipeline | Extractor, settings: Settings | None = None
    ) -> None:
        super().__init__(store, embedder)
        if not isinstance(pipeline, Pipeline):
            pipeline = Pipeline(pipeline)
        self.extractor = pipeline.extractor
        self.settings = settings = settings or Settings()
        resolver = pipeline.resolver or Resolver(
            threshold=settings.threshold, llm_match_threshold=settings.llm_match_threshold
        )
        policy = pipeline.conflict_policy or RuleDecider(settings.candidates)
        remembering = Remembering(store, embedder, resolver, self._vocabularies, settings, policy)
        self._ingesting = Ingesting(
            store, pipeline.extractor, remembering, settings, pipeline.ledger, pipeline.summaries
        )
        self._background = Background(self._ingesting)
        self._cache = pipeline.cache

    @classmethod
    def open(
        cls,
        store: str | Path | None = None,
        *,
        embedder: str | Embedder | None = None,
        extractor: str | Extractor | None = None,
        resolver: Resolver | None = None,
        conflict_policy: ConflictPolicy | None = None,
        model: LanguageModel | None = None,
        settings: Settings | None = None,
        credentials: Credentials | None = None,
        existing: bool = False,
    ) -> Self:
        """Open the memory in ``store``: a file's path or ``neo4j://host``, by default MEM0G_STORE or a file in the
        user's data folder; it is made when it is not there, unless ``existing`` is set.

        ``embedder``: None for the MiniLM that comes with mem0g, or as mem0g.embed.open_embedder takes it.
        ``extractor``: "llm" (the default where a key or a server is configured), "llm-two-stage", "rules" (the default
        elsewhere), "none" or an Extractor; ``model`` is asked instead of the one of the settings.
        ``resolver`` and ``conflict_policy``: see docs/extending.md. ``credentials``: user, password and database of a
        store on a server; what it gives counts more than what the address says, which counts more than the
        settings (NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE). Raises StoreError when the store cannot be
        used, NotFoundError when it should exist and does not.
        """
        settings = settings or Settings.from_environment()
        embedding = open_embedder(embedder or settings.embedder, weights=settings.weights)
        if embedder is None or isinstance(embedder, str):
            embedding = FollowingEmbedder(embedding, partial(open_embedder, weights=settings.weights))
        if extractor is None and model:
            extractor = "llm"
        extractor = chosen_extractor(extractor, settings.llm)  # before a store is made
        opening = open_existing if existing else open_store
        opened = opening(
            store or settings.store, credentials or Credentials(), otherwise=settings.credentials, file=settings.file
        )
        pipeline = open_pipeline(extractor, opened, settings, model)
        pipeline = dataclasses.replace(
            pipeline, resolver=resolver, conflict_policy=conflict_policy or pipeline.conflict_policy
        )
        return cls(opened, embedding, pipeline, settings)

    def close(self) -> None:
        """Wait for what was added without waiting, then release the store; a second call does nothing."""
        self._background.close()
        self._ingesting.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(
        self,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        wait: bool = True,
    ) -> Report:
        """Remember messages: extract triples, resolve their ends, judge them, commit; pair by pair with a model.

        ``messages`` are utterances of a transcript, messages as in the OpenAI API (``role``, ``content``, optional
        ``name``, ``timestamp``, ``session``), or one text of the user. Utterances that are there already change
        nothing. Without ``wait`` they are only stored, which a search sees at once, and extracted in the background:
        ``flush`` waits for that.

        Raises InputError for a message that cannot be read, or whose text is longer than
        ``Settings.longest_message``; then nothing was written. Raises ModelError's children when
        a model extracts and cannot be used; then the messages are stored, and ``retry`` goes on.
        """
        scope = Scope(user_id, agent_id, run_id)
        read = self._read(messages, scope)
        if wait:
            self._background.wait()
            return sum(self._ingesting.ingest(scope, read, size=self._ingesting.pair), start=Report())
        report = self._ingesting.store_only(scope, read, size=self._ingesting.pair)
        self._background.work_off(scope)
        return report

    def ingest(
        self,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Iterator[Report]:
        """As ``add`` in larger windows, giving each one's report when it is committed; who stops iterating stops it."""
        scope = Scope(user_id, agent_id, run_id)
        read = self._read(messages, scope)
        self._background.wait()
        return self._ingesting.ingest(scope, read, size=self.settings.window)

    def _read(self, messages: str | Iterable[Utterance | Mapping[str, object]], scope: Scope) -> list[Message]:
        given = given_messages(messages, scope, self.store, now())
        check_lengths(given, self.settings.longest_message)
        self._claim()
        return given

    def flush(self) -> Report:
        """Wait until all that was added without waiting is extracted, and what waited in the store from before.

        Answers what came of it. Raises the first error, as ``add`` would have; what it kept from being done waits on,
        and is tried again by the next ``add``, ``flush`` or ``retry``.
        """
        self._claim()
        report = self._background.flush()
        self._background.work_off(None)
        return report + self._background.flush()

    def retry(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        all_scopes: bool = False,
    ) -> Iterator[Report]:
        """Extract again what waits, failed or is quarantined in the scopes covered, giving reports as ``ingest`` does.

        ``all_scopes`` takes up the whole store. Raises ScopeError unless either it or a scope is given.
        """
        scope = scope_or_all(user_id, agent_id, run_id, all_scopes=all_scopes)
        self._claim()
        self._background.wait()
        return self._ingesting.work_off(pending_windows(self.store, scope))

    def add_triples(
        self,
        triples: Iterable[Triple],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Report:
        """Remember triples made elsewhere; their evidence are ids of messages here, or ids these have in their source.

        Raises TripleError for evidence that names no message, or several; then nothing was written.
        """
        return sum(self.ingest_triples(triples, user_id=user_id, agent_id=agent_id, run_id=run_id), start=Report())

    def ingest_triples(
        self,
        triples: Iterable[Triple],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Iterator[Report]:
        """As ``add_triples``, giving the report of each batch when it is committed."""
        scope = Scope(user_id, agent_id, run_id)
        given = list(triples)
        messages = cited_messages(self.store, scope, given)
        return self._ingest_triples(scope, [cited_by_id(triple, messages) for triple in given], messages)

    def _ingest_triples(
        self, scope: Scope, triples: Sequence[Triple], messages: Mapping[str, Message]
    ) -> Iterator[Report]:
        self._claim()
        times = {message.id: message.time for message in messages.values()}
        names = {message.id: message.speaker for message in messages.values()}
        for start in range(0, len(triples), TRIPLES_AT_ONCE):
            batch = triples[start : start + TRIPLES_AT_ONCE]
            speakers = tuple(dict.fromkeys(names[each] for triple in batch for each in triple.evidence))
            yield self._ingesting.remember(scope, batch, times=times, speakers=speakers)

    def accept(
        self, held_id: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> int:
        """Retire the facts of an entry of ``review`` that are still current; answers how many.

        Raises NotFoundError when nothing of that id is held.
        """
        return review.accept(self.store, Scope(user_id, agent_id, run_id), held_id, now())

    def drop(
        self, held_id: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> None:
        """Keep the facts of an entry of ``review`` as they are, and the entry no longer.

        Raises NotFoundError when nothing of that id is held.
        """
        review.drop(self.store, Scope(user_id, agent_id, run_id), held_id)

    def reindex(self) -> int:
        """Embed everything anew with this memory's embedder, whichever filled the store; return how many texts.

        What other processes add meanwhile is embedded too.
        """
        known: dict[str, Vector] = {}

        def embed(texts: Sequence[str]) -> Sequence[Vector]:
            new = list(dict.fromkeys(text for text in texts if text not in known))
            known.update(zip(new, self.embedder.embed(new), strict=True))
            return [known[text] for text in texts]

        texts: list[list[str]] = []
        with self.store.snapshot() as snapshot:
            for change in snapshot.changes:
                texts.append([message.spoken for message in change.messages])
                texts.append([entity.name for entity in change.entities if entity.merged_into is None])
                texts.append([fact.text for fact in change.facts])
        for each in texts:  # ahead, and after the snapshot: the store is locked only for what came since
            embed(each)
        count = self.store.replace_embedder(self.embedder.name, self.embedder.dimensions, embed)
        self._claimed = True
        return count

    def forget(self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None) -> Receipt:
        """Remove for good all that the scope covers, messages included, and count it.

        No word of it stays in the store, in the files beside it or in the reply cache of the settings; facts of other
        scopes that stood on its messages alone go too. See Receipt for when another process is reading the file.

        Raises InputError where the reply cache cannot be written; then the scope is as it was.
        """
        scope = Scope(user_id, agent_id, run_id)
        replies = self._forget_replies(scope)
        receipt = self.store.forget(scope)
        self._ingesting.forget(scope)
        self._vocabularies.forget(scope.tenant)
        return dataclasses.replace(receipt, replies=replies)

    def _forget_replies(self, scope: Scope) -> int:
        """Remove the replies to the scope's calls from the reply cache; answers how many."""
        cache = self._cache or open_cache(self.settings.llm)
        return cache.forget(called_keys(self.store, scope)) if cache else 0

    def backup(self, path: str | Path) -> None:
        """Write a complete copy of a store in a file to the new file ``path``, while others go on writing.

        Raises StoreError where ``path`` exists or cannot be written, and for a store on a server, where `mem0g export`
        serves.
        """
        self.store.backup(Path(path).expanduser())

    def verify(self) -> tuple[Problem, ...]:
        """Check that the whole store agrees with itself, and change nothing; an empty tuple says that it does.

        docs/guarantees.md lists what is checked. Everything is read once.
        """
        return verify(self.store)

    def repair(self) -> tuple[Problem, ...]:
        """Mend what ``verify`` finds as far as it can be mended without deleting a fact; answers what was mended.

        Nothing else should write meanwhile. What is left, ``verify`` says afterwards, with what to do about it.
        """
        self._background.wait()
        return repair(self.store, now())

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

        It holds for what is added later, by any process. Raises InputError for a name without letters and digits.
        """
        tenant = Scope(user_id, agent_id, run_id).tenant
        known = self._vocabularies.refresh(tenant).get(name)
        others = tuple(dict.fromkeys((*known.synonyms, *(normal_relation(each) for each in synonyms))))
        single = known.one_object if one_object is None else one_object
        relation = dataclasses.replace(known, one_object=single, synonyms=others, origin="user")
        self.store.save_relation_types(tenant, [relation])
        self._vocabularies.forget(tenant)
        return relation
