"""The web application: the API, the live page, mem0's endpoints and MCP over one memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import Route
from starlette.types import Receive, Send
from starlette.types import Scope as ASGIScope

from mem0g import __version__
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.serve import api, description, explore_api, mem0_api, webpage
from mem0g.serve.jobs import Jobs
from mem0g.serve.keys import Grant, KeyFile
from mem0g.serve.mcp_mount import McpMount
from mem0g.serve.requests import REFUSALS, JsonErrors, Reader, add_error_handlers, nothing_ignored

MAX_BODY = 20_000_000
"""Maximum bytes of a request's body; a larger one is answered with status 413."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
"""Names of this computer. Without keys no other Host is answered: a web page could have its own name resolve to it."""


class _Application(FastAPI):
    """FastAPI whose errors are all JSON."""

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        await JsonErrors(super().__call__)(scope, receive, send)


def create_app(
    memory: Memory, keys: KeyFile | None = None, *, scope: Scope | None = None, read_only: bool = False
) -> FastAPI:
    """Return the application over ``memory``, which it does not close.

    With ``keys`` every request needs one. Without, every request may do everything in ``scope``, or in the whole store
    when there is none; with ``read_only`` it may only read. Only requests to this computer by name are answered then.
    """
    app = _Application(
        title="mem0g",
        version=__version__,
        summary="Graph memory for AI agents",
        lifespan=_lifespan,
        max_body_size=MAX_BODY,
        docs_url=None,  # FastAPI's own pages load their scripts from another server
        redoc_url=None,
    )
    app.state.memory, app.state.keys, app.state.jobs = memory, keys, Jobs(memory)
    app.state.open = Grant(scope=scope, read_only=read_only)
    app.state.mcp = McpMount(app, memory)
    if keys is None:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(LOOPBACK))
    add_error_handlers(app)
    for router in (api.router, explore_api.router, mem0_api.router):
        app.include_router(router, dependencies=[Depends(nothing_ignored)], responses=REFUSALS)
    app.include_router(webpage.router)
    app.include_router(description.router)
    app.add_api_route("/health", health)
    app.add_api_route("/api/v1/me", me, dependencies=[Depends(nothing_ignored)], responses=REFUSALS)
    app.router.routes.append(Route("/mcp", app.state.mcp))
    return app


def health() -> dict[str, str]:
    """Say that the server answers, without looking at the memory."""
    return {"status": "ok", "version": __version__}


def me(served: Reader) -> dict[str, Any]:
    """Return what the request's key opens."""
    scope = served.grant.scope
    return {"scope": scope.keys if scope else None, "read_only": served.grant.read_only}


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with app.state.mcp.running():
        yield
