"""MCP at /mcp of the web application: each request in the scope of its key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar

from fastapi import FastAPI, HTTPException, Request
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mem0g import model
from mem0g.mcp.server import mcp_server
from mem0g.memory import Memory
from mem0g.serve.requests import authorized

_SCOPE: ContextVar[model.Scope] = ContextVar("mem0g_mcp_scope")
"""The scope of the request that is served; a tool runs in a copy of its request's context."""

_HOSTS_CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""The application checks the Host header of all its paths."""


class McpMount:
    """An ASGI application with two MCP servers, one of them for keys that only read."""

    def __init__(self, app: FastAPI, memory: Memory) -> None:
        self._app, self._memory = app, memory
        self._apps: dict[bool, ASGIApp] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Make the servers, and serve requests within the block."""
        async with AsyncExitStack() as stack:
            for read_only in (False, True):
                server = mcp_server(self._memory, _SCOPE.get, read_only=read_only)
                self._apps[read_only] = server.streamable_http_app(
                    stateless_http=True, transport_security=_HOSTS_CHECKED
                )
                await stack.enter_async_context(server.session_manager.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request with a key of one scope; refuse others with status 401 or 403."""
        request = Request({**scope, "app": self._app})
        try:
            grant = authorized(request).grant
        except HTTPException as refused:
            await JSONResponse({"detail": refused.detail}, refused.status_code, refused.headers)(scope, receive, send)
            return
        if grant.scope is None:
            detail = "MCP needs a key of one scope, or a server started with --user, --agent or --run"
            await JSONResponse({"detail": detail}, 403)(scope, receive, send)
            return
        token = _SCOPE.set(grant.scope)
        try:
            await self._apps[grant.read_only](scope, receive, send)
        finally:
            _SCOPE.reset(token)
