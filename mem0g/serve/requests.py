"""What every request goes through: its key, its scope, and errors as a status and one line."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Annotated, Any, get_origin

from fastapi import Depends, FastAPI, HTTPException, Query, Request, Security
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as ASGIScope

from mem0g.errors import (
    EmbedderError,
    InputError,
    Mem0gError,
    ModelError,
    NotFoundError,
    QueryError,
    StoreError,
    quoted,
)
from mem0g.lookup import ScopeKeys, scope_keys
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.serve.keys import ForbiddenError, Grant, KeyFile

LOG = logging.getLogger("mem0g.serve")

SCHEMES = ("bearer", "token")
"""Schemes of the Authorization header; "Token" is that of mem0's client."""


class UnreadPartError(InputError):
    """A part of the request is one that its operation does not read."""


class ScopedBody(BaseModel):
    """A request body that may name a scope; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    @property
    def scope(self) -> Scope | None:
        """The scope that it names, if it names one."""
        return scope_given(self.user_id, self.agent_id, self.run_id)


@dataclass(frozen=True, slots=True)
class Served:
    """The memory that is served, as one request may use it."""

    memory: Memory
    grant: Grant

    def keys(self, given: Scope | None) -> ScopeKeys:
        """Return the scope of the request as keyword arguments of Memory's methods."""
        return scope_keys(self.grant.scope_of(given))


def scope_given(user_id: str | None, agent_id: str | None, run_id: str | None) -> Scope | None:
    """Return the scope of the keys, None where there is none of them."""
    return None if user_id is None and agent_id is None and run_id is None else Scope(user_id, agent_id, run_id)


BEARER = HTTPBearer(auto_error=False, description="A key that `mem0g serve add-key` printed; without keys none is read")
"""What the description of the API says about keys; ``authorized`` reads them itself."""


def authorized(request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)] = None) -> Served:
    """Return the memory with what the request's key opens. Raises a 401 without a known key, where there are keys."""
    keys: KeyFile | None = request.app.state.keys
    memory: Memory = request.app.state.memory
    if keys is None:
        return Served(memory, request.app.state.open)
    scheme, _blank, secret = request.headers.get("authorization", "").partition(" ")
    grant = keys.find(secret.strip()) if scheme.casefold() in SCHEMES else None
    if grant is None:
        raise HTTPException(401, "a valid key is needed (Authorization: Bearer KEY)", {"WWW-Authenticate": "Bearer"})
    return Served(memory, grant)


def writing(served: Annotated[Served, Depends(authorized)]) -> Served:
    """Return the memory for a request that writes. Raises ForbiddenError for a key that only reads."""
    if served.grant.read_only:
        raise ForbiddenError("this key, or this server, is read-only")
    return served


def scope_in_query(
    user_id: Annotated[str | None, Query()] = None,
    agent_id: Annotated[str | None, Query()] = None,
    run_id: Annotated[str | None, Query()] = None,
) -> Scope | None:
    """Return the scope that the query names, if it names one."""
    return scope_given(user_id, agent_id, run_id)


def filters_in_query(
    filters: Annotated[
        str | None, Query(description='JSON: {"relation": "lives_in", "said_at": {"$gte": "2024"}}')
    ] = None,
) -> dict[str, Any] | None:
    """Return the filters of the query, a JSON object. Raises QueryError for what is none."""
    if filters is None:
        return None
    try:
        given = json.loads(filters)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"the filters are not JSON: {error}", hint='such as {"relation": "lives_in"}') from error
    if not isinstance(given, dict):
        raise QueryError(
            f"the filters are {filters[:40]!r}, not a JSON object", hint='such as {"relation": "lives_in"}'
        )
    return given


Reader = Annotated[Served, Depends(authorized)]
Writer = Annotated[Served, Depends(writing)]
QueryScope = Annotated[Scope | None, Depends(scope_in_query)]


async def nothing_ignored(request: Request, _: Reader) -> None:
    """Refuse query parameters and bodies that the operation does not read: a misspelt scope must not widen a request.

    Nor may one that is given twice, of which only the last would be read.

    Raises UnreadPartError. It is a dependency of the routers, after the key, so that no operation can leave it out.
    """
    route = request.scope["route"]
    assert isinstance(route, APIRoute)
    lists = _query_parameters(route.dependant)
    known = sorted(lists)
    unknown = next((name for name in request.query_params if name not in known), None)
    if unknown is not None:
        taken = f"the query takes {', '.join(known)}" if known else "the query takes nothing"
        hint = f"{taken}; the scope goes into the body" if route.body_field else taken
        raise UnreadPartError(f"unknown query parameter {quoted(unknown)}", hint=hint)
    twice = next((name for name in known if not lists[name] and len(request.query_params.getlist(name)) > 1), None)
    if twice is not None:
        raise UnreadPartError(f"query parameter {quoted(twice)} is given more than once", hint="give it once")
    if route.body_field is None and await request.body():
        raise UnreadPartError(f"a {request.method} of this path has no body", hint="give what it says in the query")


def _query_parameters(dependant: Dependant) -> dict[str, bool]:
    """Return the query parameters that an operation and its dependencies read, each with whether it may be repeated."""
    found = {each.alias: get_origin(each.field_info.annotation) is list for each in dependant.query_params}
    for inner in dependant.dependencies:
        found |= _query_parameters(inner)
    return found


class Problem(BaseModel):
    """The body of every error."""

    detail: Annotated[str, Field(description="What is wrong, on one line")]
    hint: Annotated[str, Field(description="What to do about it; may be missing")] = ""


REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "model": Problem,
        "description": "400, 422: cannot be read; 401: no valid key; 403: another scope, or a key that only reads;"
        " 404: not known; 413: too large",
    },
    "5XX": {"model": Problem, "description": "502: the model or the embedder cannot be used; 503: the store cannot"},
}
"""The errors that any operation may answer with, for the description of the API."""


def add_error_handlers(app: FastAPI) -> None:
    """Answer errors with ``{"detail": …}``: one line, and where there is one a ``hint``; nothing of the server's."""
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(Mem0gError, _refused)
    app.add_exception_handler(Exception, _failed)


class JsonErrors:
    """An ASGI application with errors that libraries send as plain text, such as a body's size, as ``{"detail": …}``.

    It has to be the outermost: FastAPI puts its limit of a body's size around all middleware.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        start: Message | None = None
        text = bytearray()

        async def sent(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_plain_error(message):
                start = message
            elif start is None:
                await send(message)
            else:
                text.extend(message.get("body", b""))
                if not message.get("more_body"):
                    detail = text.decode(errors="replace")
                    await JSONResponse({"detail": detail}, start["status"])(scope, receive, send)

        await self._app(scope, receive, sent)


def _is_plain_error(start: Message) -> bool:
    kind = Headers(raw=list(start["headers"])).get("content-type", "")
    return int(start["status"]) >= 400 and kind.startswith("text/plain")


async def _unreadable(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where, *parts = map(str, first["loc"])
    if where == "body" and (first["type"] == "json_invalid" or isinstance(first["input"], bytes)):
        detail = "the body cannot be read as JSON"
        return JSONResponse({"detail": detail, "hint": "send JSON, with Content-Type: application/json"}, 422)
    place = ".".join(parts) or where
    return JSONResponse({"detail": f"{place}: {first['msg']}"}, 422)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Mem0gError)
    status = status_of(error)
    masked = ((StoreError, "memory"), (ModelError, "language model"), (EmbedderError, "embedder"))
    what = next((name for kind, name in masked if isinstance(error, kind)), None)
    if what:  # they name addresses and files, which are the server's own affair
        LOG.error("%s %s: %s", request.method, request.url.path, error)
        again = "; try again" if error.retry else ""
        return JSONResponse({"detail": f"the {what} cannot be used now{again}"}, status)
    return JSONResponse({"detail": str(error)} | ({"hint": error.hint} if error.hint else {}), status)


async def _failed(request: Request, error: Exception) -> JSONResponse:
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return JSONResponse({"detail": "the server failed to answer; its log says why"}, 500)


def status_of(error: Mem0gError) -> int:
    """Return the HTTP status of an error."""
    kinds: tuple[tuple[type[Mem0gError], int], ...] = (
        (ForbiddenError, 403),
        (NotFoundError, 404),
        (UnreadPartError, 422),
        (InputError, 400),
        (StoreError, 503),
        (ModelError, 502),
        (EmbedderError, 502),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), 500)


Json = dict[str, Any]
