"""MCP in the same process, in the scope of each key."""

from __future__ import annotations

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mem0g import Memory, Scope
from mem0g.serve.app import create_app
from mem0g.serve.keys import KeyFile
from tests.mcp.conftest import ToolRefused, called

pytestmark = pytest.mark.anyio

URL = "http://localhost/mcp"


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_each_key_has_its_scope_and_its_tools(memory: Memory, key_file: tuple[KeyFile, dict[str, str]]) -> None:
    """Ann's reader has the tools that read; Bob knows nothing of Ann; the whole store's key names no one."""
    file, keys = key_file
    app = create_app(memory, file)
    async with app.router.lifespan_context(app):
        for key, tools, answer in (("ann", 6, "Oslo"), ("reader", 3, "Oslo"), ("bob", 6, "empty")):
            headers = {"Authorization": f"Bearer {keys[key]}"}
            async with (
                httpx2.AsyncClient(transport=httpx2.ASGITransport(app), headers=headers) as http,
                Client(streamable_http_client(URL, http_client=http)) as client,
            ):
                assert len((await client.list_tools()).tools) == tools
                if key == "ann":
                    await called(client, "remember", text="I live in Oslo.")
                assert answer in await called(client, "recall", query="Where does ann live?")
                if key == "bob":
                    with pytest.raises(ToolRefused, match="no entity 'ann'"):
                        await called(client, "entity", name="ann")
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as http:
            refused = await http.post(URL, headers={"Authorization": f"Bearer {keys['all']}"}, json={})
            assert (refused.status_code, "one scope" in refused.text) == (403, True)
            assert (await http.post(URL, json={})).status_code == 401


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_without_keys_the_scope_is_the_servers(memory: Memory) -> None:
    """That of `mem0g serve --user`."""
    memory.add("I live in Oslo.", user_id="ann")
    app = create_app(memory, scope=Scope(user_id="ann"))
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as http,
        Client(streamable_http_client(URL, http_client=http)) as client,
    ):
        assert "Oslo" in await called(client, "recall", query="Where does ann live?")
