"""The endpoints that mem0's ``MemoryClient`` calls: a program of mem0's changes ``host`` and goes on.

A memory of mem0's is a fact here, or a message where a search finds one that no fact covers. What mem0g does not
support is refused with a reason, never ignored: expiration dates, categories, filters that are not joined by AND.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from mem0g.compat.memory import Memory, corrected
from mem0g.compat.shapes import (
    SCOPE_FIELDS,
    conditions_of,
    find_record,
    find_versions,
    history_of,
    memory_of,
    refuse,
    scope_of,
)
from mem0g.errors import EmbedderError, InputError, ModelError
from mem0g.ingest.input_messages import check_text
from mem0g.lookup import scope_keys
from mem0g.metadata import checked_metadata
from mem0g.model import Fact, Scope
from mem0g.serve.requests import LOG, Json, Reader, Served, Writer, authorized, scope_given

router = APIRouter(tags=["mem0"])

PENDING = (
    "what extracts facts cannot be used now; the messages are stored and can be searched, and need not be sent again:"
    " their facts are extracted when something is next added with a language model, or by `mem0g retry`"
)
"""What the client is told in the place of facts."""


class _Body(BaseModel):
    """A body of mem0's client; fields that mem0g has no place for are refused by ``refuse``."""

    model_config = ConfigDict(extra="allow")

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    filters: dict[str, Any] | None = None

    @property
    def scope(self) -> Scope | None:
        """The scope of the fields, or of the filters, where mem0's client puts it."""
        return scope_of({name: getattr(self, name) for name in SCOPE_FIELDS}, self.filters)


class _Add(_Body):
    messages: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=1000)]
    infer: bool = True
    metadata: dict[str, Any] | None = None


class _Search(_Body):
    query: str
    top_k: Annotated[int, Field(ge=1, le=1000)] = 10
    rerank: bool = False


class _Update(BaseModel):
    model_config = ConfigDict(extra="allow")

    text: str | None = None
    metadata: dict[str, Any] | None = None


class _Named(BaseModel):
    memory_id: str


class _Changed(_Update):
    memory_id: str


class _Deletions(BaseModel):
    memories: Annotated[list[_Named], Field(min_length=1, max_length=1000)]


class _Changes(BaseModel):
    memories: Annotated[list[_Changed], Field(min_length=1, max_length=1000)]


@router.get("/v1/ping/", dependencies=[Depends(authorized)])
def ping() -> Json:
    """Tell the client that its key is valid."""
    return {"status": "ok", "org_id": "mem0g", "project_id": "mem0g", "user_email": None}


@router.post("/v3/memories/add/", responses={202: {"description": PENDING}})
def add(body: _Add, served: Writer, response: Response) -> Json:
    """Remember messages; without ``infer`` they are stored as they are.

    Where the language model or the embedder cannot be used and the messages are stored all the same, the status is
    202: a client that sent them again would store them twice.
    """
    refuse(body.model_extra or {}, known=("async_mode", "output_format", "version", "enable_graph"))
    keys = served.keys(body.scope)
    try:
        found = Memory(memory=served.memory).add(body.messages, infer=body.infer, metadata=body.metadata, **keys)
    except (ModelError, EmbedderError) as error:
        if not error.stored:
            raise
        LOG.error("facts of messages that were added wait: %s", error)
        response.status_code = 202
        return {"results": [], "status": "PENDING", "message": PENDING}
    return {"results": found["results"]}


@router.post("/v3/memories/search/")
def search(body: _Search, served: Reader) -> Json:
    """Search facts and messages."""
    refuse(body.model_extra or {}, known=("output_format", "version", "enable_graph", "latest_only"))
    keys = served.keys(body.scope)
    found = Memory(memory=served.memory).search(body.query, top_k=body.top_k, filters=body.filters, **keys)
    return {"results": found["results"]}


@router.post("/v3/memories/")
def get_all(
    body: _Body,
    served: Reader,
    page: Annotated[int, Query(ge=1)] = 1,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Json:
    """List the facts of a scope, a page at a time."""
    refuse(body.model_extra or {}, known=("output_format", "version"))
    keys = served.keys(body.scope)
    offset, wanted = (page - 1) * page_size, conditions_of(body.filters)
    if wanted:
        selected = served.memory.facts(filters=wanted, **keys)
        count, found = len(selected), selected[offset : offset + page_size]
    else:
        stats = served.memory.stats(**keys)
        count, found = stats.facts - stats.retired, served.memory.facts(limit=page_size, offset=offset, **keys)
    link = "/v3/memories/?page={}&page_size=" + str(page_size)
    return {
        "count": count,
        "next": link.format(page + 1) if page * page_size < count else None,
        "previous": link.format(page - 1) if page > 1 else None,
        "results": [memory_of(fact) for fact in found],
    }


@router.delete("/v1/memories/")
def delete_all(
    served: Writer,
    user_id: str | None = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    app_id: str | None = None,
    filters: str | None = None,
) -> Json:
    """Delete everything of a scope that the query names itself; mem0's client sends filters that cannot be read."""
    scope = scope_given(user_id, agent_id, run_id)
    if filters is not None or app_id is not None or scope is None:
        raise InputError("delete_all needs user_id, agent_id or run_id as arguments", hint="filters are not read here")
    served.memory.forget(**served.keys(scope))
    return {"message": "Memories deleted successfully!"}


@router.get("/v1/memories/{memory_id}/")
def get(memory_id: str, served: Reader) -> Json:
    """Return a memory by its id, as it was updated since."""
    scope, record = find_record(served.memory.store, served.grant.scope, memory_id)
    return memory_of(record, scope)


@router.put("/v1/memories/{memory_id}/")
def update(memory_id: str, body: _Update, served: Writer) -> Json:
    """Replace the text or the metadata of a fact; the old one stays as history."""
    return _updated(served, memory_id, body)


@router.delete("/v1/memories/{memory_id}/")
def delete(memory_id: str, served: Writer, delete_linked: bool = False) -> Json:
    """Delete a memory for good, with what it was updated to since."""
    if delete_linked:
        raise InputError("delete_linked is not supported", hint="delete the ids that `history` lists")
    scope, versions = find_versions(served.memory.store, served.grant.scope, memory_id)
    for each in reversed(versions):
        served.memory.erase(each.id, **scope_keys(scope))
    return {"message": "Memory deleted successfully!"}


@router.get("/v1/memories/{memory_id}/history/")
def history(memory_id: str, served: Reader) -> list[Json]:
    """Return the decisions about a fact and what it was updated to since, the first first."""
    scope, versions = find_versions(served.memory.store, served.grant.scope, memory_id)
    return history_of(served.memory.store, scope, versions)


@router.get("/v1/entities/")
def entities(served: Reader) -> Json:
    """List the users, agents and runs that have memories."""
    scopes = served.memory.store.stats(served.grant.scope).scopes
    named = {(name.removesuffix("_id"), value) for scope in scopes for name, value in scope.keys.items()}
    found = [{"id": f"{kind}:{name}", "type": kind, "name": name} for kind, name in sorted(named)]
    return {"count": len(found), "results": found}


@router.delete("/v2/entities/{kind}/{name:path}/")
def delete_entity(kind: str, name: str, served: Writer) -> Json:
    """Delete everything of a user, an agent or a run."""
    if f"{kind}_id" not in SCOPE_FIELDS:
        raise InputError(f"there are no entities of type {kind[:80]!r}", hint="use user, agent or run")
    served.memory.forget(**served.keys(Scope(**{f"{kind}_id": name})))
    return {"message": "Entity deleted successfully!"}


@router.put("/v1/batch/")
def batch_update(body: _Changes, served: Writer) -> Json:
    """Replace the texts of facts; all are looked up and checked first."""
    for each in body.memories:
        _changeable(served, each.memory_id, each)
    for each in body.memories:
        _updated(served, each.memory_id, each)
    return {"message": f"Successfully updated {len(body.memories)} memories"}


@router.delete("/v1/batch/")
def batch_delete(body: _Deletions, served: Writer) -> Json:
    """Delete memories for good; all ids are looked up first."""
    found = [find_versions(served.memory.store, served.grant.scope, each.memory_id) for each in body.memories]
    owners = {version.id: scope for scope, versions in found for version in reversed(versions)}
    for record_id, scope in owners.items():
        served.memory.erase(record_id, **scope_keys(scope))
    return {"message": f"Successfully deleted {len(found)} memories"}


def _updated(served: Served, memory_id: str, change: _Update) -> Json:
    scope, fact = _changeable(served, memory_id, change)
    return memory_of(corrected(served.memory, scope, fact, change.text, change.metadata), scope)


def _changeable(served: Served, memory_id: str, change: _Update) -> tuple[Scope, Fact]:
    """Return the fact of an id and its scope. Raises InputError for a change that cannot be made to it."""
    refuse({name: value for name, value in (change.model_extra or {}).items() if name != "memory_id"})
    check_text(change.text or "", "the text", served.memory.settings.longest_message)
    checked_metadata(change.metadata)
    scope, record = find_record(served.memory.store, served.grant.scope, memory_id)
    blank = change.text is not None and not change.text.strip()
    if not isinstance(record, Fact) or blank or not (change.text or change.metadata):
        hint = "give text or metadata, and the id of a fact"
        raise InputError("only the text and the metadata of a fact can be updated", hint=hint)
    if not record.current:
        raise InputError(f"{memory_id} is no longer true", hint="add what is true now")
    return scope, record
