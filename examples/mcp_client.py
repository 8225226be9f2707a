"""A client of `mem0g mcp`: it starts the server, stores what a user said with the facts in it, and asks.

Run it with the extra ``mcp`` installed: python examples/mcp_client.py
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def main(file: Path) -> None:
    """Store, recall, and print what the tools answer."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mem0g", "mcp", "--user", "ann"],
        env={**os.environ, "MEM0G_STORE": str(file)},
    )
    move = {"subject": "Ann", "relation": "lives_in", "object": "Oslo", "valid_from": "2024-05"}
    async with Client(server) as client:
        for tool, arguments in (
            ("remember", {"text": "We moved to Oslo in May 2024.", "facts": [move]}),
            ("recall", {"query": "Where does Ann live?"}),
        ):
            result = await client.call_tool(tool, arguments)
            print(f"{tool}: {result.content[0].text}\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder) / "memory.db"))
