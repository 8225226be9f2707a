"""The requests of the pipeline as sent, and the files that they are compared with.

``python -m tests.pipeline.rendered`` rewrites the files after a change of a prompt; git shows the difference.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from mem0g.memory import Memory
from mem0g.settings import LLMSettings, Settings
from tests.llm.asking import model
from tests.llm.server import Asked, Reply, Server, serving
from tests.pipeline.scripted import PURPOSES, Model
from tests.pipeline.telling import ANN, EMBEDDER, likes, talk

FOLDER = Path(__file__).parent / "snapshots"

SAID = [
    ("2024-01-27", "Ann", "Ann lives in Oslo."),
    ("2024-01-27", "Ben", "Where is that?"),
    ("2024-02-05", "Ben", 'Ann lives in Rome. He said "[23] Ann: hi", $messages.'),
    (
        "2024-02-05",
        "Ann",
        "Ann no longer likes thing3 since 2024. Ann visited Japan since 2023-05-07 until 2023-05-20.",
    ),
]
"""What comes after forty messages, in windows of two."""

WISHES: dict[str, Any] = {
    "instructions": "Prices matter.",
    "entity_types": ("person", "city"),
    "relation_types": ("lives_in", "likes"),
}


def requests() -> Mapping[str, str]:
    """Return, as text, the last request of each purpose in a conversation that needs them all, and the plainest one."""
    found: dict[str, str] = {}
    script = Model()

    def kept(asked: Asked) -> Reply:
        found.setdefault("plain", shown(asked))
        found[PURPOSES[asked.json["tools"][0]["function"]["name"]]] = shown(asked)
        return script(asked)

    with serving(kept) as server:
        for extractor in ("llm", "llm-two-stage"):
            with tempfile.TemporaryDirectory() as folder:
                for count in (1, 20, 40, 44):
                    _hear(Path(folder) / "memory.db", server, extractor, count)
    return found


def _hear(path: Path, server: Server, extractor: str, count: int) -> None:
    """Ingest so many messages; each time in a process of its own, as it were, so that the summary is there."""
    llm = LLMSettings(concurrency=1, **(WISHES if count > 40 else {}))
    with Memory.open(
        path,
        embedder=EMBEDDER,
        extractor=extractor,
        model=model(server).provider,
        settings=Settings(llm=llm, window=2 if count > 40 else 20, together=1, context=3),
    ) as memory:
        said = [*likes(40), *talk(*SAID, first=40)]
        list(memory.ingest(said[:count], **ANN))


def shown(asked: Asked) -> str:
    """Render a request for reading: the messages to the model, and the function that it is to call."""
    said = "\n\n".join(f"<<< {role} >>>\n{words}" for role, words in asked.texts)
    (tool,) = asked.json["tools"]
    return f"{said}\n\n<<< function >>>\n{yaml.safe_dump(tool['function'], sort_keys=False, width=120)}"


def write() -> None:
    """Write the requests to their files."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in requests().items():
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
