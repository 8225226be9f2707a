"""A memory as a server of the Model Context Protocol (MCP): tools, resources and a prompt for AI assistants.

It needs the extra ``mcp``: pip install "mem0g[mcp]".
"""
