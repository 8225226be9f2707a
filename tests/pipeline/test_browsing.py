"""Walking through a memory without a question: its scopes, conversations, decisions and whole graph, on both stores."""

from __future__ import annotations

import pytest

from mem0g import Memory
from mem0g.errors import NotFoundError, QueryError
from tests.pipeline.telling import EMBEDDER, Place


def test_walking_through_a_memory(place: Place) -> None:
    """The same lists, in the same order, in a file and on a server; of one scope only what is in it."""
    with Memory.open(place.address, credentials=place.credentials, embedder=EMBEDDER, extractor="none") as memory:
        for user, run in (("bea", None), ("alex", "r2"), ("alex", None)):
            texts = [f"This is message {number} of {user}." for number in range(6)]
            given = [{"role": "user", "content": text, "session": "s"} for text in texts]
            memory.add(given, user_id=user, run_id=run)
        for name in ("Oslo", "Rome", "Pisa"):
            memory.add_fact(subject="Alex", relation="visited", object=name, user_id="alex")
        memory.add_fact(subject="Zoe", relation="visited", object="Bern", user_id="alex")

        users = [(scope.user_id, scope.run_id, stats.messages, stats.facts) for scope, stats in memory.users()]
        assert users == [("alex", None, 12, 4), ("alex", "r2", 6, 0), ("bea", None, 6, 0)]
        assert [scope.user_id for scope, _ in memory.users(limit=1, offset=2)] == ["bea"]

        third = memory.messages(user_id="bea")[2]
        around = memory.conversation(third.id[:12], user_id="bea", turns=1)
        assert [each.text[16] for each in around] == ["1", "2", "3"]
        assert memory.conversation(third.id, user_id="bea", turns=0) == (third,)
        in_run = memory.messages(user_id="alex", run_id="r2")[0]
        assert [each.text[16] for each in memory.conversation(in_run.id, user_id="alex")] == ["0", "1", "2", "3"]
        for unknown, user in ((third.id, "alex"), ("m_", "bea"), ("m_zz", "bea"), ("", "bea"), ("Alex", "alex")):
            with pytest.raises(NotFoundError):
                memory.conversation(unknown, user_id=user)
        with pytest.raises(QueryError):
            memory.conversation(third.id, user_id="bea", turns=-1)

        for each in memory.decisions(user_id="alex"):
            assert memory.decision(each.id, user_id="alex") == each
            with pytest.raises(NotFoundError):
                memory.decision(each.id, user_id="bea")

        whole = memory.subgraph(user_id="alex")
        assert whole.number_of_edges() == 4
        assert whole.graph == {"root": "", "title": "user_id=alex"}
        few = memory.subgraph(user_id="alex", limit=2)
        assert few.number_of_edges() == 2
        assert memory.subgraph(user_id="bea").number_of_nodes() == 0
