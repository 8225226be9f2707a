"""The HTTP API, version 1: what Memory does, each operation a path under /api/v1."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt
from starlette.background import BackgroundTask

from mem0g.lookup import check_relation, scope_keys
from mem0g.model import Fact, Scope
from mem0g.serve.jobs import Job, Jobs
from mem0g.serve.requests import Json, QueryScope, Reader, ScopedBody, Writer, filters_in_query
from mem0g.times import now
from mem0g.transfer.jsonl import export_lines, plain

router = APIRouter(prefix="/api/v1")

MAX_IN_MEMORY = 10_000_000
"""Bytes of an export that are kept in memory; a larger one goes through a temporary file."""

Limit = Annotated[int, Query(ge=1, le=1000)]
Offset = Annotated[int, Query(ge=0)]
Filters = Annotated[
    dict[str, Any] | None,
    Depends(filters_in_query),
]
Time = Annotated[str | None, Query(description="ISO 8601, may be cut: 2024, 2024-05, 2024-05-17")]

Excluded = Annotated[
    list[str],
    Query(
        alias="exclude",
        max_length=100,
        description="Ids of messages that are not to be found, such as the question's own",
    ),
]


class NewMessage(BaseModel):
    """A message as in the OpenAI API; ``id`` identifies it in its session, so that sending it again changes nothing.

    An answer that calls tools is stored with its text alone; one without text is not stored.
    """

    model_config = ConfigDict(extra="forbid")

    role: Literal["user", "assistant", "system", "developer", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None
    name: str | None = None
    refusal: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None
    function_call: dict[str, Any] | None = None
    audio: dict[str, Any] | None = None
    annotations: list[dict[str, Any]] | None = None
    timestamp: str | StrictInt | StrictFloat | None = None  # else true would be a second after 1970
    session: str | None = None
    id: str | None = None
    metadata: dict[str, Any] | None = None


class NewMessages(ScopedBody):
    """Messages to remember; ``metadata`` is kept with each of them, under its own."""

    metadata: dict[str, Any] | None = None
    messages: Annotated[list[NewMessage], Field(min_length=1, max_length=1000)]


class FactText(ScopedBody):
    """A fact as a sentence, or as a triple, or as parts that change."""

    text: str | None = None
    subject: str | None = None
    relation: str | None = None
    object: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    metadata: dict[str, Any] | None = None

    @property
    def given(self) -> dict[str, Any]:
        """The fields of the fact, as keyword arguments of Memory's methods."""
        return self.model_dump(exclude={"user_id", "agent_id", "run_id"})


class Ending(ScopedBody):
    """Why and when a fact ended."""

    reason: str = "no longer true"
    valid_to: str | None = None


class Names(ScopedBody):
    """Two entities, or an entity and one of its names."""

    entity: str
    other: str


NO_SCOPE, NO_DETAILS = ScopedBody(), Ending()
"""The bodies of requests that are sent without one."""


@router.post("/messages", status_code=202)
def add_messages(body: NewMessages, served: Writer, request: Request) -> Json:
    """Store messages, searchable at once, and extract their facts in the background: a job.

    ``message_ids`` are the ids of the messages, new and known, which `DELETE /records/{id}` takes; ``differing`` those
    of known ones that are stored with another text, which stays.
    """
    scope, since = served.grant.scope_of(body.scope), now()
    jobs: Jobs = request.app.state.jobs
    messages = [message.model_dump(exclude_none=True) for message in body.messages]
    report = served.memory.add(messages, metadata=body.metadata, wait=False, **scope_keys(scope))
    job = jobs.add(scope, since, report)
    return {
        "job": job.id,
        "messages": job.stored.messages,
        "known": job.stored.known,
        "message_ids": job.stored.message_ids,
        "differing": job.stored.differing,
    }


def granted_job(job_id: str, served: Reader, request: Request) -> Job:
    """Return a job of a scope that the key covers. Raises NotFoundError for an unknown one, ForbiddenError for others.

    It is a dependency because the status of an event stream is sent before its generator runs.
    """
    jobs: Jobs = request.app.state.jobs
    job = jobs.get(job_id)
    served.grant.check(job.scope)
    return job


GrantedJob = Annotated[Job, Depends(granted_job)]


@router.get("/jobs/{job_id}")
def job_state(job: GrantedJob, request: Request) -> Json:
    """Return what a job stored, what waits, and when it is done what changed in its scope."""
    jobs: Jobs = request.app.state.jobs
    return jobs.state(job)


@router.get("/jobs/{job_id}/events", response_class=EventSourceResponse)
async def job_events(job: GrantedJob, request: Request) -> AsyncIterator[ServerSentEvent]:
    """Send the state of a job each time that it changes, as server-sent events."""
    jobs: Jobs = request.app.state.jobs
    async for state in jobs.follow(job):
        yield ServerSentEvent(data=state, event=state["status"])


@router.get("/search")
def search(
    query: str,
    served: Reader,
    scope: QueryScope,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    filters: Filters = None,
    as_of: Time = None,
    known_at: Time = None,
    include_retired: bool = False,
    excluded: Excluded = [],  # noqa: B006 - FastAPI reads the default, and nothing changes it
) -> list[Json]:
    """Search facts and messages, each with the reasons for which it was found."""
    hits = served.memory.search(
        query,
        limit=limit,
        filters=filters,
        as_of=as_of,
        known_at=known_at,
        include_retired=include_retired,
        exclude=excluded,
        **served.keys(scope),
    )
    return [{"text": hit.text, **plain(hit)} for hit in hits]


@router.get("/context")
def context(
    query: str,
    served: Reader,
    scope: QueryScope,
    tokens: Annotated[int, Query(ge=1, le=100_000)] = 500,
    fill: bool = False,
    check: bool = False,
    filters: Filters = None,
    as_of: Time = None,
    known_at: Time = None,
    include_retired: bool = False,
    excluded: Excluded = [],  # noqa: B006 - FastAPI reads the default, and nothing changes it
) -> Json:
    """Return what answers a question as text for a prompt, with its hits.

    With `check` the server's language model says whether the text answers the question (`known`, `missing`).
    """
    found = served.memory.context(
        query,
        tokens=tokens,
        fill=fill,
        check=check,
        filters=filters,
        as_of=as_of,
        known_at=known_at,
        include_retired=include_retired,
        exclude=excluded,
        **served.keys(scope),
    )
    return plain(found)


@router.get("/facts")
def facts(
    served: Reader,
    scope: QueryScope,
    entity: str | None = None,
    relation: str | None = None,
    filters: Filters = None,
    as_of: Time = None,
    known_at: Time = None,
    include_retired: bool = False,
    limit: Limit = 100,
    offset: Offset = 0,
) -> list[Json]:
    """List facts in the order in which they were recorded; 404 for an entity or a relation that is not known."""
    memory, keys = served.memory, served.keys(scope)
    found = memory.facts(
        entity=entity,
        relation=relation,
        filters=filters,
        as_of=as_of,
        known_at=known_at,
        include_retired=include_retired,
        limit=limit,
        offset=offset,
        **keys,
    )
    if relation and not found:
        check_relation(memory.store, Scope(**keys), memory.relation(relation, **keys), memory.relations(**keys))
    return _facts(found)


@router.post("/facts", status_code=201)
def add_fact(body: FactText, served: Writer) -> Json:
    """Add a fact by hand; what it contradicts is retired."""
    return plain(served.memory.add_fact(**body.given, **served.keys(body.scope)))


@router.get("/facts/{fact_id}")
def fact(fact_id: str, served: Reader, scope: QueryScope) -> Json:
    """Return a fact by its id or the start of it."""
    return _facts([served.memory.fact(fact_id, **served.keys(scope))])[0]


@router.patch("/facts/{fact_id}")
def correct(fact_id: str, body: FactText, served: Writer) -> Json:
    """Replace a fact that is wrong; parts that are not given stay."""
    return plain(served.memory.correct(fact_id, **body.given, **served.keys(body.scope)))


@router.post("/facts/{fact_id}/retire")
def retire(fact_id: str, served: Writer, body: Ending = NO_DETAILS) -> Json:
    """Mark a fact as no longer true. The body may be left out."""
    return plain(served.memory.retire(fact_id, reason=body.reason, valid_to=body.valid_to, **served.keys(body.scope)))


@router.get("/facts/{fact_id}/possibly-outdated")
def possibly_outdated(fact_id: str, served: Reader, scope: QueryScope) -> list[Json]:
    """List current facts that a fact may have made untrue; end those that are with `/retire`."""
    return _facts(served.memory.possibly_outdated(fact_id, **served.keys(scope)))


@router.get("/facts/{fact_id}/why")
def why(fact_id: str, served: Reader, scope: QueryScope) -> Json:
    """Return the messages that a fact comes from and the decisions about it."""
    return plain(served.memory.why(fact_id, **served.keys(scope)))


@router.get("/entities")
@router.get("/entities/", include_in_schema=False)  # else it would be the path of one without a name
def entities(served: Reader, scope: QueryScope, limit: Limit = 100, offset: Offset = 0) -> list[Json]:
    """List entities, those with the most current facts first."""
    found = served.memory.entities(limit=limit, offset=offset, **served.keys(scope))
    return [{**plain(entity), "facts": count} for entity, count in found]


@router.get("/entities/{entity:path}")
def entity(entity: str, served: Reader, scope: QueryScope) -> Json:
    """Return an entity by its id or a name."""
    return plain(served.memory.entity(_named(entity), **served.keys(scope)))


@router.post("/entities/merge")
def merge(body: Names, served: Writer) -> Json:
    """Merge ``other`` into ``entity``."""
    return plain(served.memory.merge(body.entity, body.other, **served.keys(body.scope)))


@router.post("/entities/unmerge")
def unmerge(body: Names, served: Writer) -> Json:
    """Split the name ``other`` off ``entity``."""
    return plain(served.memory.unmerge(body.entity, body.other, **served.keys(body.scope)))


@router.get("/history/{what:path}")
def history(what: str, served: Reader, scope: QueryScope) -> Json:
    """Return the facts of an entity, or those that a fact replaced and was replaced by, and why."""
    found, links = served.memory.history(_named(what), **served.keys(scope))
    return {"facts": _facts(found), "successions": [plain(link) for link in links]}


@router.get("/messages")
def messages(served: Reader, scope: QueryScope, limit: Limit = 100, offset: Offset = 0) -> list[Json]:
    """List messages by source, session and position."""
    found = served.memory.messages(limit=limit, offset=offset, **served.keys(scope))
    return [plain(message) for message in found]


@router.get("/decisions")
def decisions(
    served: Reader,
    scope: QueryScope,
    about: str | None = None,
    since: Time = None,
    until: Time = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> list[Json]:
    """List decisions, the latest first."""
    found = served.memory.decisions(
        about=about, since=since, until=until, limit=limit, offset=offset, **served.keys(scope)
    )
    return [plain(decision) for decision in found]


@router.post("/decisions/{decision_id}/undo")
def undo(decision_id: str, served: Writer, body: ScopedBody = NO_SCOPE, cascade: bool = False) -> list[Json]:
    """Undo a decision; with ``cascade`` also the later ones that depend on it. The body may be left out."""
    return [plain(each) for each in served.memory.undo(decision_id, cascade=cascade, **served.keys(body.scope))]


@router.get("/stats")
def stats(served: Reader, scope: QueryScope) -> Json:
    """Count what is stored in the scope."""
    return plain(served.memory.stats(**served.keys(scope)))


@router.get("/costs")
def costs(served: Reader, scope: QueryScope) -> list[Json]:
    """Return what the calls of language models cost, by purpose and model."""
    return [plain(cost) for cost in served.memory.costs(**served.keys(scope))]


@router.get("/export", response_class=StreamingResponse, responses={200: {"content": {"application/jsonl": {}}}})
def export(served: Reader, scope: QueryScope) -> StreamingResponse:
    """Return the scope as JSON Lines, as `mem0g export` writes it, as of one moment."""
    exported = served.grant.scope_of(scope)
    file = SpooledTemporaryFile(max_size=MAX_IN_MEMORY)  # noqa: SIM115 - the response closes it
    for line in export_lines(served.memory.store, exported):
        file.write(f"{line}\n".encode())
    file.seek(0)
    return StreamingResponse(file, media_type="application/jsonl", background=BackgroundTask(file.close))


@router.delete("/records/{record_id}")
def erase(record_id: str, served: Writer, scope: QueryScope) -> Json:
    """Delete a fact, a message or an entity for good, with everything that comes from it alone.

    The messages that state a fact (its ``evidence``) stay: delete them by their ids.
    """
    return plain(served.memory.erase(record_id, **served.keys(scope)))


@router.delete("/memory")
def forget(served: Writer, scope: QueryScope) -> Json:
    """Delete everything in the scope for good."""
    return plain(served.memory.forget(**served.keys(scope)))


def _named(name: str) -> str:
    """Return a name from the end of a path, which may have a slash behind it."""
    return name.removesuffix("/")


def _facts(found: Sequence[Fact]) -> list[Json]:
    at = now()
    return [{**plain(each), "current": each.current, "past_plan": each.is_past_plan(at)} for each in found]
