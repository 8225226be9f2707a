"""Permanently erase facts, messages and entities, with everything that contains their text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import combinations
from typing import Any, Protocol

from mem0g.history.images import Embedding, embedded
from mem0g.history.merging import absorbed
from mem0g.history.undo import touched
from mem0g.model import Decision, Entity, Fact, Message, Receipt, Scope, Succession, content_id
from mem0g.store.change import Change
from mem0g.store.forgetting import ERASED, names_kept, names_left
from mem0g.store.protocol import Transaction
from mem0g.store.records import ConversationSummary, ModelCall, ModelReply, PendingWindow, RetirementReview

SCRUBBED = "erased"
"""Replaces a reason that may have quoted what was erased."""


@dataclass(frozen=True, slots=True)
class RecordChanges:
    """The changes to the records outside the graph: those that are rewritten, and the ids of those that are removed.

    ``replies`` are the ids of kept replies of a model, which are removed too.
    """

    windows: tuple[PendingWindow, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    reviews: tuple[RetirementReview, ...] = ()
    removed: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()


class Write(Protocol):
    """Runs work as one transaction in exactly one scope, as Store.write does."""

    def __call__(self, scope: Scope, work: Callable[[Transaction], Receipt], /) -> Receipt:
        """Return what the work returns."""
        ...


def erase(
    write: Write, scope: Scope, erased_id: str, message: Message | None, *, at: datetime, embed: Embedding
) -> Receipt:
    """Permanently remove a fact, message or entity of exactly this scope; store and return a receipt without its text.

    ``message`` is the message to erase, if it is one. With a fact go the decisions about it, and the entities that no
    other fact is about; with an entity, and those merged into it, all its facts. With a message go the facts whose only
    evidence it is, in wider scopes too, the log entries made from it alone, and the names that nothing else gives to an
    entity; other facts lose it as evidence. Log entries that are about something else as well stay, without their
    reason and the image by which they could be undone.
    """
    receipt = Receipt(id=content_id("r", str(scope), erased_id, at.isoformat()), at=at)
    for wider in _wider(scope) if erased_id.startswith("m_") else ():
        receipt = write(wider, partial(_cited, scope=wider, message=erased_id, receipt=receipt, embed=embed))
    return write(scope, lambda transaction: _erased(transaction, scope, erased_id, message, receipt, embed))


def _wider(scope: Scope) -> list[Scope]:
    """Return the other scopes that cover this one, whose facts may cite its messages."""
    keys = scope.keys
    some = (chosen for size in range(1, len(keys)) for chosen in combinations(keys, size))
    return [Scope(**{key: keys[key] for key in chosen}) for chosen in some]


@dataclass(frozen=True, slots=True)
class _Going:
    """What is removed from a scope: ids of messages and entities, and facts by id."""

    messages: frozenset[str]
    entities: frozenset[str]
    facts: Mapping[str, Fact]

    @property
    def literals(self) -> frozenset[str]:
        """Ids of the literals among ``entities``."""
        return self.entities & {fact.object_id for fact in self.facts.values() if fact.object_is_literal}

    @property
    def records(self) -> frozenset[str]:
        """Ids of the facts and entities."""
        return self.entities | self.facts.keys()


def _cited(transaction: Transaction, scope: Scope, message: str, receipt: Receipt, embed: Embedding) -> Receipt:
    """Remove what cites a message of another scope; return the receipt with that counted."""
    if not (transaction.facts(citing=[message]) or transaction.decisions(citing=[message])):
        return receipt
    change, counted = _change(transaction, scope, _going(transaction, message), receipt, embed)
    transaction.commit(change)
    return counted


def _erased(
    transaction: Transaction,
    scope: Scope,
    erased_id: str,
    message: Message | None,
    receipt: Receipt,
    embed: Embedding,
) -> Receipt:
    """Remove what is of this scope, and store the receipt."""
    going = _going(transaction, erased_id)
    change, counted = _change(transaction, scope, going, receipt, embed)
    records = _records_without(message, transaction, going.records)
    counted = replace(
        counted,
        messages=counted.messages + len(going.messages),
        notes=counted.notes + len(records.windows) + len(records.reviews) + len(records.removed),
        replies=counted.replies + len(records.replies),
    )
    transaction.commit(
        replace(
            change,
            windows=records.windows,
            calls=records.calls,
            reviews=records.reviews,
            receipts=(counted,),
            erased=(*change.erased, *records.removed, *records.replies),
        )
    )
    return counted


def _going(transaction: Transaction, erased_id: str) -> _Going:
    messages = frozenset({erased_id} if erased_id.startswith("m_") else ())
    entities = {erased_id} if erased_id.startswith("e_") else set()
    entities |= {each.id for start in list(entities) for each in absorbed(transaction, start)}
    found = transaction.facts([erased_id], of=sorted(entities), citing=sorted(messages))
    facts = {each.id: each for each in found if not messages or messages >= set(each.evidence)}
    going = _Going(messages, frozenset(entities) | _left_alone(transaction, facts), facts)
    return replace(going, entities=going.entities | _nameless(transaction, going)) if messages else going


def _left_alone(transaction: Transaction, facts: Mapping[str, Fact]) -> frozenset[str]:
    """Return the ends of facts that no other fact is about, with the entities merged into them."""
    ends = {end for fact in facts.values() for end in (fact.subject_id, fact.object_id)}
    others = [fact for fact in transaction.facts(of=sorted(ends)) if fact.id not in facts]
    alone = ends - {end for fact in others for end in (fact.subject_id, fact.object_id)}
    return frozenset(alone | {each.id for end in alone for each in absorbed(transaction, end)})


def _nameless(transaction: Transaction, going: _Going) -> frozenset[str]:
    """Return the entities merged into remaining ones of which only removed log entries have the names."""
    log = transaction.decisions(about=sorted(going.records), citing=sorted(going.messages))
    lost: set[str] = set()
    for entity, forgotten, kept in _named(transaction, going, [each for each in log if _goes(each, going)]):
        for each in absorbed(transaction, entity.id):
            within = (each, *absorbed(transaction, each.id))
            if not any(names_kept(part.names, forgotten, kept) for part in within):
                lost |= {part.id for part in within}
    return frozenset(lost)


def _change(
    transaction: Transaction, scope: Scope, going: _Going, receipt: Receipt, embed: Embedding
) -> tuple[Change, Receipt]:
    """Return what is removed and what is rewritten without it, and the receipt with facts and log entries counted."""
    log = transaction.decisions(about=sorted(going.records), citing=sorted(going.messages))
    gone = [each for each in log if _goes(each, going)]
    rewritten, successions = _facts_left(transaction, going, log)
    renamed = _renamed(transaction, going, gone) if going.messages else []
    ids = (*going.messages, *going.facts, *going.entities, *(each.id for each in gone))
    reworded = [_reworded(each, going) for each in log if each not in gone]
    change = Change(
        scope=scope,
        entities=tuple(renamed),
        rewritten=tuple(rewritten),
        successions=tuple(successions),
        reworded=tuple(_unimaged(transaction, renamed, reworded, gone)),
        erased=ids,
        vectors=embedded(renamed, embed),
    )
    counted = replace(
        receipt,
        entities=receipt.entities + len(going.entities - going.literals),
        facts=receipt.facts + len(going.facts),
        retired=receipt.retired + sum(not each.current for each in going.facts.values()),
        decisions=receipt.decisions + len(gone),
    )
    return change, counted


def _renamed(transaction: Transaction, going: _Going, gone: Sequence[Decision]) -> list[Entity]:
    """Return the remaining entities without the names that only removed log entries had given them."""
    renamed = []
    for entity, forgotten, kept in _named(transaction, going, gone):
        within = [each for each in absorbed(transaction, entity.id) if each.id not in going.entities]
        merged = [{"subject": name} for each in within for name in each.names]
        names = names_left(entity.names, forgotten, [*kept, *merged])
        if names != entity.names:
            renamed.append(replace(entity, name=names[0], aliases=names[1:]))
    return renamed


def _named(
    transaction: Transaction, going: _Going, gone: Sequence[Decision]
) -> Iterator[tuple[Entity, list[Mapping[str, str]], list[Mapping[str, str]]]]:
    """Yield the remaining entities that removed log entries may have named, with the triples of these and of others."""
    forgotten = [each.triple for each in gone if each.triple]
    cited = transaction.facts(list(going.facts), citing=sorted(going.messages)) if forgotten else ()
    ends = {end for fact in cited for end in (fact.subject_id, fact.object_id)}
    ends |= {each for decision in gone if decision.operation == "MERGE" for each in decision.targets}
    for entity in transaction.entities(sorted(ends - going.entities)):
        facts = [fact.id for fact in transaction.facts(of=[entity.id])]
        left = [each for each in transaction.decisions(about=[entity.id, *facts]) if each not in gone]
        yield entity, forgotten, [each.triple for each in left]


def _unimaged(
    transaction: Transaction, renamed: Sequence[Entity], reworded: Sequence[Decision], gone: Sequence[Decision]
) -> list[Decision]:
    """Return ``reworded`` and the other log entries whose images name these entities, without images and reasons."""
    ids = [each.id for each in renamed]
    about = [each for each in transaction.decisions(about=ids) if each not in gone] if ids else []
    entries = {each.id: each for each in (*about, *reworded)}
    keeping = {
        each.id for each in entries.values() if any(kept["id"] in ids for kept in each.before.get("entities", ()))
    }
    changed = [each for each in entries.values() if each.id in keeping or each in reworded]
    return [replace(each, reason=SCRUBBED, before=ERASED) if each.id in keeping else each for each in changed]


def _goes(decision: Decision, going: _Going) -> bool:
    """Whether a log entry is mainly about removed records, or has only removed messages as evidence."""
    if decision.evidence and going.messages >= set(decision.evidence):
        return True
    if decision.fact_id:
        return decision.fact_id in going.facts
    if not going.entities.isdisjoint(decision.targets):
        return True
    changed = touched(decision) or set(decision.targets)
    return bool(changed) and going.records >= changed


def _reworded(decision: Decision, going: _Going) -> Decision:
    """Return a remaining log entry without its reason and without references to removed records."""
    hit = not going.records.isdisjoint((*touched(decision), *decision.targets))
    return replace(
        decision,
        reason=SCRUBBED,
        targets=tuple(each for each in decision.targets if each not in going.records),
        evidence=_without(decision.evidence, going.messages),
        before=ERASED if hit else _image_without(decision.before, going.messages),
    )


def _image_without(before: Mapping[str, Any], messages: Collection[str]) -> dict[str, Any]:
    """Return the image of a decision without messages as evidence of its facts."""
    facts = [{**each, "evidence": list(_without(each["evidence"], messages))} for each in before.get("facts", ())]
    return {**before, **({"facts": facts} if facts else {})}


def _facts_left(
    transaction: Transaction, going: _Going, log: Sequence[Decision]
) -> tuple[list[Fact], list[Succession]]:
    """Return the remaining facts that cite removed messages or were retired by what is removed, without these.

    What a removed fact retired need not be in ``log``: a fact told late is retired by what was known already.
    """
    scrubbed = {target: each.at for each in log for target in each.targets if target.startswith("f_")}
    replaced = [each.fact_id for each in transaction.successions([], by=sorted(going.facts))]
    found = transaction.facts([*scrubbed, *replaced], citing=sorted(going.messages))
    facts = [each for each in found if each.id not in going.facts]
    left = [replace(each, evidence=_without(each.evidence, going.messages)) for each in facts]
    held = transaction.successions([each.id for each in facts])
    return left, [_scrubbed(each, going, scrubbed.get(each.fact_id)) for each in held]


def _scrubbed(succession: Succession, going: _Going, at: datetime | None) -> Succession:
    if succession.successor_id in going.facts:
        return replace(succession, successor_id=None, reason=SCRUBBED)
    return replace(succession, reason=SCRUBBED) if succession.at == at else succession


def _without(ids: Iterable[str], messages: Collection[str]) -> tuple[str, ...]:
    return tuple(each for each in ids if each not in messages)


def _records_without(message: Message | None, transaction: Transaction, gone: Collection[str]) -> RecordChanges:
    """Return the changes to a scope's records outside the graph when ``message``, if any, and the facts ``gone`` go.

    Pending windows lose the message; the summaries of its conversation and of its session and kept replies are removed.
    Replies do not record the messages they were made from, so all replies kept in the scope are removed and requested
    again. Nor do calls, all of which lose the words of what was wrong with a reply, as these quote it. Reviews lose the
    facts and the reasons given for them.
    """
    held = list(_reviews_without(transaction.records(RetirementReview), gone))
    calls = (each for each in transaction.records(ModelCall) if each.problem not in ("", SCRUBBED))
    kept = RecordChanges(
        calls=tuple(replace(each, problem=SCRUBBED) for each in calls),
        reviews=tuple(review for review in held if review.retirements),
        removed=tuple(review.id for review in held if not review.retirements),
    )
    if message is None:
        return kept
    windows = [each for each in transaction.records(PendingWindow) if message.id in (*each.messages, *each.context)]
    of_session = content_id("s", message.source, message.session)
    summaries = transaction.records(ConversationSummary, [content_id("s", message.source), of_session])
    return replace(
        kept,
        windows=tuple(_windows_without(windows, message.id)),
        removed=(
            *kept.removed,
            *(each.id for each in windows if message.id in each.messages and each.state != "buffered"),
            *(summary.id for summary in summaries),
        ),
        replies=tuple(reply.id for reply in transaction.records(ModelReply)),
    )


def _reviews_without(reviews: Iterable[RetirementReview], gone: Collection[str]) -> Iterator[RetirementReview]:
    """Yield the reviews that name one of these facts, without them and without reasons."""
    for review in reviews:
        if any(each.fact_id in gone or each.successor_id in gone for each in review.retirements):
            left = (
                replace(
                    each,
                    reason=SCRUBBED,
                    successor_id=None if each.successor_id in gone else each.successor_id,
                )
                for each in review.retirements
                if each.fact_id not in gone
            )
            yield replace(review, retirements=tuple(left))


def _windows_without(windows: Iterable[PendingWindow], message: str) -> Iterator[PendingWindow]:
    """Yield the windows that are not empty without the message; one that lost a message of its own gets a new id.

    The buffer of a session keeps its id, and stays when it is empty.
    """
    for window in windows:
        left = tuple(each for each in window.messages if each != message)
        context = tuple(each for each in window.context if each != message)
        if window.state == "buffered":
            yield replace(window, messages=left, context=context)
        elif left:
            renamed = window.id if left == window.messages else content_id("w", window.id, *left)
            yield replace(window, id=renamed, messages=left, context=context, problem="", reply="")
