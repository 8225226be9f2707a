"""A memory with an MCP server over it, and a client that is connected to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client
from mcp.types import TextContent

from mem0g import Memory, Scope
from mem0g.mcp.server import mcp_server

ANN = Scope(user_id="ann")


class ToolRefused(Exception):  # noqa: N818 - what a tool answers, not a failure of the test
    """What a tool answered with ``isError``."""


@asynccontextmanager
async def connected(
    memory: Memory, scope: Scope = ANN, *, mode: str = "auto", read_only: bool = False
) -> AsyncIterator[Client]:
    """Connect the SDK's client to a server over the memory."""
    server = mcp_server(memory, lambda: scope, read_only=read_only)
    async with Client(server, raise_exceptions=True, mode=mode) as client:
        yield client


async def called(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool and return its text; raises ToolRefused with the text of an error."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert result.structured_content is None, "clients that show structured content hide the text"
    assert isinstance(content, TextContent)
    if result.is_error:
        raise ToolRefused(content.text)
    return content.text
