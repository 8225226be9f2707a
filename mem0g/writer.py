"""The writing half of a memory: add messages and triples, at once or in the background, and forget scopes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mem0g.errors import InputError, Mem0gError, StoreError, TripleError, quoted
from mem0g.ingest.background import Background
from mem0g.ingest.input_messages import check_text
from mem0g.ingest.known_sources import MatchedMessages
from mem0g.ingest.ledger import called_keys
from mem0g.ingest.pending import pending_windows
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.ingest.report import Report
from mem0g.ingest.session_buffer import Leaving, SessionBuffer
from mem0g.metadata import checked_metadata
from mem0g.model import Message, Receipt, Scope, Triple, Utterance
from mem0g.procedural.recalling import read_run
from mem0g.procedural.recording import record
from mem0g.procedural.runs import Run
from mem0g.procedural.traces import Trace
from mem0g.relations.vocabulary import Vocabularies
from mem0g.store.protocol import Store
from mem0g.store_embedder import StoreEmbedder
from mem0g.times import check_interval, now

if TYPE_CHECKING:
    from mem0g.llm.cache import ReplyCache
    from mem0g.llm.protocol import LanguageModel

TRIPLES_PER_COMMIT = 50
"""Number of triples made elsewhere that are committed together."""


class MemoryWriter:
    """The half of a memory that adds conversations and triples, and forgets them."""

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

    def close(self) -> None:
        """Wait for what is being extracted and summarised in the background."""
        self._background.close()
        self._ingest.close()

    def add(
        self,
        scope: Scope,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        *,
        wait: bool,
        metadata: Mapping[str, Any] | None,
    ) -> Report:
        """Extract and commit messages in small windows; without ``wait`` store them and extract in the background."""
        read = self._read(messages, scope, metadata)
        given = read.report + Report(message_ids=tuple(message.id for message in read.messages))
        if wait:
            self._background.wait(scope)
            reports = self._ingest.ingest(scope, read, window_size=self._ingest.add_window_size)
            return sum(_all_stored(reports), start=given)
        report = self._ingest.store_only(scope, read, window_size=self._ingest.add_window_size)
        self._background.retry(scope)
        return given + report

    def ingest(
        self,
        scope: Scope,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        *,
        metadata: Mapping[str, Any] | None,
    ) -> Iterator[Report]:
        """Extract and commit messages in large windows; yield the report of each."""
        if isinstance(messages, str) and os.path.isfile(messages):  # noqa: PTH113 - any text will do
            hint = "give what it says: read_files([path]).utterances"
            name = quoted(os.path.basename(messages))  # noqa: PTH119 - as above
            raise InputError(f"{name} is a file; a text is stored as one message", hint=hint)
        read = self._read(messages, scope, metadata)
        self._background.wait(scope)
        reports = self._ingest.ingest(scope, read, window_size=self._ingest.settings.window)
        return _after(read, _all_stored(reports))

    def _read(
        self,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        scope: Scope,
        metadata: Mapping[str, Any] | None,
    ) -> MatchedMessages:
        read = self._ingest.read(messages, scope, metadata)
        self._embedder.claim()
        return read

    def flush(self) -> Report:
        """Wait for the background, then extract there all that waits in the store."""
        self._embedder.claim()
        report = self._background.flush()
        self._background.retry(None)
        return report + self._background.flush()

    def retry(self, scope: Scope | None, *, quarantined: bool) -> Iterator[Report]:
        """Extract again what waits or failed, and if asked what is quarantined; yield the report of each window."""
        self._embedder.claim()
        self._background.wait(scope)
        waiting = pending_windows(self._store, scope)
        passed = {"buffered"} if quarantined else {"buffered", "quarantined"}
        return self._ingest.retry([each for each in waiting if each.state not in passed])

    def ingest_triples(
        self, scope: Scope, triples: Iterable[Triple], *, retire_ended: bool = False
    ) -> Iterator[Report]:
        """Commit triples made elsewhere, batch by batch; yield the report of each batch.

        Their evidence is checked before this returns. With ``retire_ended`` states whose end has passed are retired
        whatever their relation.
        """
        given = list(triples)
        for each in given:
            if not isinstance(each, Triple):
                raise TripleError(f"{each!r:.60} is no Triple", hint="make one: Triple(subject=…, relation=…, …)")
            checked_metadata(each.metadata, f"the metadata of {each.text[:40]!r}")
            check_interval(each.valid_from, each.valid_to, quoted(each.text))
            check_text(each.text, "the text of a triple", self._ingest.settings.longest_message)
        messages = cited_messages(self._store, scope, given)
        return self._commit_triples(scope, [cited_by_id(each, messages) for each in given], messages, retire_ended)

    def _commit_triples(
        self, scope: Scope, triples: Sequence[Triple], messages: Mapping[str, Message], retire_ended: bool
    ) -> Iterator[Report]:
        self._embedder.claim()
        times = {message.id: message.local_time for message in messages.values()}
        names = {message.id: message.speaker for message in messages.values()}
        for start in range(0, len(triples), TRIPLES_PER_COMMIT):
            batch = triples[start : start + TRIPLES_PER_COMMIT]
            speakers = tuple(dict.fromkeys(names[each] for triple in batch for each in triple.evidence))
            yield self._ingest.add_triples(scope, batch, times=times, speakers=speakers, retire_ended=retire_ended)

    def forget(self, scope: Scope, cache: ReplyCache | None) -> Receipt:
        """Remove for good all that the scope covers, and the replies to its calls from ``cache``."""
        replies = cache.forget(called_keys(self._store, scope)) if cache else 0
        receipt = self._store.forget(scope)
        self._ingest.forget(scope)
        self._vocabularies.forget(scope.tenant)
        return replace(receipt, replies=replies)

    def buffer(self, scope: Scope, session: str, worded: Callable[[Message], bool]) -> SessionBuffer:
        """Return the buffer of a session for a working memory."""
        return SessionBuffer(self._ingest, scope, session, worded)

    def append(
        self, buffer: SessionBuffer, scope: Scope, messages: Sequence[Message], leaving: Leaving, *, wait: bool
    ) -> Report:
        """Append messages to a buffer; extract what leaves it, without ``wait`` in the background."""
        self._embedder.claim()
        if wait:
            self._background.wait(scope)
        first = buffer.is_new  # then windows of a process that ended may wait
        report = buffer.append(messages, now(), leaving)
        if not (first or report.waiting):
            return report
        if not wait:
            self._background.retry(scope)
            return report
        report = replace(report, waiting=0)
        return sum(self._ingest.retry(self._ingest.waiting(scope)), start=report)

    def add_run(
        self,
        scope: Scope,
        trace: Trace,
        model: LanguageModel | None,
    ) -> Run:
        """Store what is new of a run; where a language model is used, let it note what the new steps found out."""
        self._embedder.claim()
        record(self._ingest, scope, trace, now())
        run = read_run(self._store, scope)
        if model is None and self._ingest.ledger is None:
            return run
        from mem0g.llm.prompts import Prompts
        from mem0g.pipeline import open_exchange
        from mem0g.procedural.noting import note

        settings = self._ingest.settings.llm
        return note(self._ingest, run, open_exchange(settings, model), Prompts(settings.prompts), now())

    @property
    def extracting(self) -> bool:
        """Whether something is being extracted in the background."""
        return self._background.busy

    def wait(self) -> None:
        """Wait for what is being extracted in the background."""
        self._background.wait()


def _after(read: MatchedMessages, reports: Iterator[Report]) -> Iterator[Report]:
    """Yield what is known of the messages read, if anything, then the reports."""
    if read.renamed or read.speakers or read.differing:
        yield read.report
    yield from reports


def _all_stored(reports: Iterator[Report]) -> Iterator[Report]:
    """Yield the reports of an ingestion; what it raises is marked as raised when all messages were stored."""
    try:
        yield from reports
    except Mem0gError as error:
        error.stored = not isinstance(error, StoreError)
        raise


def cited_messages(store: Store, scope: Scope, triples: Sequence[Triple]) -> dict[str, Message]:
    """Return the messages that ``triples`` cite, by the id they are cited with.

    Raises TripleError for evidence that names no message of the scope, or several.
    """
    cited = sorted({each for triple in triples for each in triple.evidence})
    found = {message.id: message for message in store.messages(scope, cited)}
    by_source = store.message_ids(scope, [each for each in cited if each not in found])
    for cite, ids in by_source.items():
        if len(ids) > 1:
            raise TripleError(f"evidence {cite!r} names {len(ids)} messages", hint="cite them by their ids here")
    named = {message.id: message for message in store.messages(scope, [ids[0] for ids in by_source.values()])}
    found |= {cite: named[ids[0]] for cite, ids in by_source.items()}
    for cite in cited:
        if cite not in found:
            raise TripleError(f"evidence {cite!r} names no message of {scope}", hint="ingest its transcript first")
    return found


def cited_by_id(triple: Triple, messages: Mapping[str, Message]) -> Triple:
    """Return the triple with the ids of its messages as evidence."""
    return replace(triple, evidence=tuple(messages[each].id for each in triple.evidence))
