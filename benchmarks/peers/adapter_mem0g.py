"""mem0g in a child process, on SQLite or on Neo4j."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from benchmarks.peers.child import USER, Setup, serve
from benchmarks.scale.crowd import Member, changes
from benchmarks.synthetic import FACTS_PER_MESSAGE, START, World
from mem0g import Credentials, Memory, Moment, Triple, Utterance
from mem0g.embed.openai import OpenAIEmbedder
from mem0g.llm.openai import OpenAIProvider
from mem0g.llm.openai_forms import ServerCapabilities
from mem0g.settings import LLMSettings, Settings


class Mem0g:
    """See System; all settings are the usual ones."""

    def __init__(self, setup: Setup) -> None:
        self._embedder = OpenAIEmbedder("minilm", setup.embeddings_url, "none")
        self._memory = Memory.open(
            setup.neo4j or setup.files / "memory.db",
            embedder=self._embedder,
            model=OpenAIProvider(
                "scripted",
                base_url=setup.model_url,
                api_key="none",
                timeout=setup.timeout,
                capabilities=ServerCapabilities(),
            ),
            settings=Settings(llm=LLMSettings(model="scripted")),
            credentials=Credentials(username=setup.neo4j_user or None, password=setup.neo4j_password or None),
        )
        self._user = Member(USER, World((), (), ()))

    def load(self, facts: Sequence[Mapping[str, str]]) -> None:
        """See System; as `mem0g copy` does: changes of 500 facts, without any extraction or matching."""
        store = self._memory.store
        store.claim_embedder(self._embedder.name, self._embedder.dimensions)
        store.load(changes(Member(USER, _world(facts)), self._embedder))

    def add(self, messages: Sequence[Mapping[str, str]], time: str) -> None:
        """See System."""
        self._memory.add([{**each, "timestamp": time} for each in messages], **self._user.keys)

    def search(self, question: str, limit: int) -> Sequence[str]:
        """See System."""
        return [hit.text for hit in self._memory.search(question, limit=limit, **self._user.keys)]

    def stored(self) -> Sequence[Sequence[str]]:
        """See System."""
        with self._memory.store.snapshot(self._user.scope) as snapshot:
            facts = {fact.id: fact for change in snapshot.changes for fact in change.facts}
        return [(fact.subject, fact.relation, fact.object) for fact in facts.values() if fact.current]

    def close(self) -> None:
        """See System."""
        self._memory.close()


def _world(facts: Sequence[Mapping[str, str]]) -> World:
    """Return the facts as messages that state two each."""
    parts = [facts[start : start + FACTS_PER_MESSAGE] for start in range(0, len(facts), FACTS_PER_MESSAGE)]
    return World(
        utterances=tuple(
            Utterance(
                source="loaded",
                session="1",
                position=place,
                speaker="user",
                role="user",
                text=" ".join(fact["text"] for fact in part),
                time=START,
                source_id=f"L:{place}",
            )
            for place, part in enumerate(parts)
        ),
        triples=tuple(_triple(fact, f"L:{place}") for place, part in enumerate(parts) for fact in part),
        questions=(),
    )


def _triple(fact: Mapping[str, str], message: str) -> Triple:
    day = Moment(datetime.fromisoformat(f"{fact['day']}T00:00:00+00:00"), "day")
    return Triple(
        subject=fact["subject"],
        subject_type=fact["subject_type"],
        relation=fact["relation"],
        object=fact["object"],
        object_type=fact["object_type"],
        text=fact["text"],
        valid_from=day,
        evidence=(message,),
    )


if __name__ == "__main__":
    serve(Mem0g)
