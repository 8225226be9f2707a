"""graphiti-core in a child process, with OpenAIGenericClient.

Its driver begins to build indexes when it is made; to build them a second time would collide with that.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from benchmarks.peers.child import USER, Setup, serve

AT_ONCE = 500

_WAIT = "CALL db.awaitIndexes(300)"

_STORED = """
MATCH (source:Entity)-[r:RELATES_TO {group_id: $user}]->(target:Entity) WHERE r.expired_at IS NULL
RETURN source.name AS source, r.name AS relation, target.name AS target
"""


class Graphiti:
    """See System; all settings are the usual ones."""

    def __init__(self, setup: Setup) -> None:
        os.environ |= {"GRAPHITI_TELEMETRY_ENABLED": "false", "EMBEDDING_DIM": str(setup.dimensions)}
        self._loop = asyncio.new_event_loop()
        self._graphiti: Any = None
        self._loop.run_until_complete(self._open(setup))

    async def _open(self, setup: Setup) -> None:
        from graphiti_core import Graphiti as Core
        from graphiti_core.cross_encoder.openai_reranker_client import OpenAIRerankerClient
        from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
        from graphiti_core.llm_client.config import LLMConfig
        from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient

        model = LLMConfig(api_key="none", model="scripted", small_model="scripted", base_url=setup.model_url)
        embedding = OpenAIEmbedderConfig(
            api_key="none", base_url=setup.embeddings_url, embedding_model="minilm", embedding_dim=setup.dimensions
        )
        self._graphiti = Core(
            setup.neo4j,
            setup.neo4j_user or "neo4j",
            setup.neo4j_password or "none",
            llm_client=OpenAIGenericClient(model),
            embedder=OpenAIEmbedder(embedding),
            cross_encoder=OpenAIRerankerClient(model),
        )
        await self._graphiti.driver._init_task
        await self._graphiti.driver.execute_query(_WAIT)

    def load(self, facts: Sequence[Mapping[str, str]]) -> None:
        """See System; by graphiti's own bulk function."""
        self._loop.run_until_complete(self._load(facts))

    async def _load(self, facts: Sequence[Mapping[str, str]]) -> None:
        from graphiti_core.edges import EntityEdge
        from graphiti_core.nodes import EntityNode
        from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

        nodes: dict[str, Any] = {}
        now = datetime.fromisoformat("2020-01-01T00:00:00+00:00")
        for start in range(0, len(facts), AT_ONCE):
            new, edges = [], []
            for fact in facts[start : start + AT_ONCE]:
                for name in (fact["subject"], fact["object"]):
                    if name not in nodes:
                        nodes[name] = EntityNode(name=name, group_id=USER, labels=["Entity"], created_at=now)
                        new.append(nodes[name])
                edges.append(
                    EntityEdge(
                        group_id=USER,
                        source_node_uuid=nodes[fact["subject"]].uuid,
                        target_node_uuid=nodes[fact["object"]].uuid,
                        name=fact["relation"].upper(),
                        fact=fact["text"],
                        created_at=now,
                        valid_at=datetime.fromisoformat(f"{fact['day']}T00:00:00+00:00"),
                    )
                )
            await self._embed(new, edges)
            await add_nodes_and_edges_bulk(self._graphiti.driver, [], [], new, edges, self._graphiti.embedder)
        await self._graphiti.driver.execute_query(_WAIT)

    async def _embed(self, nodes: Sequence[Any], edges: Sequence[Any]) -> None:
        """Set all vectors by two calls; the bulk function would make one for each node and edge."""
        batch = self._graphiti.embedder.create_batch
        for node, vector in zip(nodes, await batch([node.name for node in nodes]) if nodes else [], strict=True):
            node.name_embedding = vector
        for edge, vector in zip(edges, await batch([edge.fact for edge in edges]), strict=True):
            edge.fact_embedding = vector

    def add(self, messages: Sequence[Mapping[str, str]], time: str) -> None:
        """See System; the pair is one episode."""
        self._loop.run_until_complete(self._add(messages, time))

    async def _add(self, messages: Sequence[Mapping[str, str]], time: str) -> None:
        from graphiti_core.nodes import EpisodeType

        await self._graphiti.add_episode(
            name=time,
            episode_body="\n".join(f"{each['role']}: {each['content']}" for each in messages),
            source_description="chat",
            source=EpisodeType.message,
            reference_time=datetime.fromisoformat(time),
            group_id=USER,
        )

    def search(self, question: str, limit: int) -> Sequence[str | Sequence[str]]:
        """See System."""
        found = self._graphiti.search(question, group_ids=[USER], num_results=limit)
        return [edge.fact for edge in self._loop.run_until_complete(found)]

    def stored(self) -> Sequence[Sequence[str]]:
        """See System."""
        read = self._graphiti.driver.execute_query(_STORED, user=USER)
        records, _, _ = self._loop.run_until_complete(read)
        return [(each["source"], each["relation"], each["target"]) for each in records]

    def close(self) -> None:
        """See System."""
        self._loop.run_until_complete(self._graphiti.close())


if __name__ == "__main__":
    serve(Graphiti)
