"""A memory over HTTP: its own API, the endpoints of mem0's client, and MCP, in one process.

It needs the extra ``serve``: pip install "mem0g[serve]".
"""
