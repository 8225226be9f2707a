"""mem0 1.0.11 with its graph in a child process; its vectors are in a local Qdrant, as by default.

mem0 wants a user and a password even where the server asks for none. It makes an index only with ``base_label``.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.peers.child import USER, Setup, serve

AT_ONCE = 500

_NODES = """
UNWIND $rows AS row
MERGE (node:`__Entity__` {name: row.name, user_id: $user})
ON CREATE SET node.created = timestamp(), node.mentions = 1
WITH node, row CALL db.create.setNodeVectorProperty(node, 'embedding', row.vector)
"""

_EDGES = """
UNWIND $rows AS row
MATCH (source:`__Entity__` {name: row.source, user_id: $user})
MATCH (target:`__Entity__` {name: row.target, user_id: $user})
MERGE (source)-[r:$(row.relation)]->(target)
ON CREATE SET r.created_at = timestamp(), r.updated_at = timestamp(), r.mentions = 1, r.valid = true
"""

_NAMES = "CREATE INDEX entity_name IF NOT EXISTS FOR (n:`__Entity__`) ON (n.name)"
"""To load by; mem0 itself looks nodes up by name, too."""

_STORED = """
MATCH (source:`__Entity__` {user_id: $user})-[r]->(target:`__Entity__`) WHERE r.valid IS NULL OR r.valid
RETURN source.name AS source, type(r) AS relation, target.name AS target
"""


class Mem0:
    """See System; the graph's threshold and all other settings are the usual ones."""

    def __init__(self, setup: Setup) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": setup.folder}  # read by the import
        from mem0 import Memory

        openai = {"api_key": "none", "openai_base_url": setup.model_url}
        store = {"path": f"{setup.folder}/qdrant", "embedding_model_dims": setup.dimensions, "on_disk": True}
        graph = {
            "url": setup.neo4j,
            "username": setup.neo4j_user or "neo4j",
            "password": setup.neo4j_password or "none",
        }
        self._memory: Any = Memory.from_config(
            {
                "llm": {"provider": "openai", "config": openai | {"model": "scripted"}},
                "embedder": {
                    "provider": "openai",
                    "config": openai | {"openai_base_url": setup.embeddings_url, "model": "minilm"},
                },
                "vector_store": {"provider": "qdrant", "config": store},
                "graph_store": {"provider": "neo4j", "config": graph | {"database": "neo4j", "base_label": True}},
                "history_db_path": f"{setup.folder}/history.db",
            }
        )

    def load(self, facts: Sequence[Mapping[str, str]]) -> None:
        """See System; what ``add`` would store: a memory for each fact, nodes with vectors, an edge for each triple."""
        texts = [fact["text"] for fact in facts]
        ids = [str(uuid.uuid4()) for _ in texts]
        for part, vectors, some in zip(_parts(texts), map(self._vectors, _parts(texts)), _parts(ids), strict=True):
            self._memory.vector_store.insert(vectors=vectors, payloads=[_payload(text) for text in part], ids=some)
        query = self._memory.graph.graph.query
        query(_NAMES)
        names = list(dict.fromkeys(_name(fact[end]) for fact in facts for end in ("subject", "object")))
        for part in _parts(names):
            rows: list[dict[str, Any]] = [
                {"name": name, "vector": vector} for name, vector in zip(part, self._vectors(part), strict=True)
            ]
            query(_NODES, params={"rows": rows, "user": USER})
        edges = [
            {"source": _name(each["subject"]), "relation": _name(each["relation"]), "target": _name(each["object"])}
            for each in facts
        ]
        for edge_rows in _parts(edges):
            query(_EDGES, params={"rows": edge_rows, "user": USER})

    def add(self, messages: Sequence[Mapping[str, str]], time: str) -> None:  # noqa: ARG002 - mem0 dates nothing
        """See System."""
        self._memory.add(list(messages), user_id=USER)

    def search(self, question: str, limit: int) -> Sequence[str | Sequence[str]]:
        """See System; memories by vectors, then at most five triples of the graph."""
        found = self._memory.search(question, user_id=USER, limit=limit)
        relations = [(each["source"], each["relationship"], each["destination"]) for each in found["relations"]]
        return [*(each["memory"] for each in found["results"]), *relations]

    def stored(self) -> Sequence[Sequence[str]]:
        """See System."""
        rows = self._memory.graph.graph.query(_STORED, params={"user": USER})
        return [(row["source"], row["relation"], row["target"]) for row in rows]

    def close(self) -> None:
        """See System."""
        self._memory.close()

    def _vectors(self, texts: Sequence[str]) -> list[list[float]]:
        embedder = self._memory.embedding_model
        made = embedder.client.embeddings.create(input=list(texts), model="minilm", encoding_format="float")
        return [each.embedding for each in made.data]


def _payload(text: str) -> dict[str, Any]:
    made = "2020-01-01T00:00:00+00:00"
    hashed = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
    return {"user_id": USER, "data": text, "hash": hashed, "created_at": made, "updated_at": made}


def _name(name: str) -> str:
    return name.lower().replace(" ", "_")


def _parts(all_: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(all_), AT_ONCE):
        yield all_[start : start + AT_ONCE]


if __name__ == "__main__":
    serve(Mem0)
