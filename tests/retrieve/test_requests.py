"""The request that a reply answers."""

from pathlib import Path

from mem0g import Memory
from mem0g.model import Hit, Scope
from mem0g.retrieve.context.requests import REACH, requests_before, requests_of
from mem0g.testing import HashingEmbedder
from tests.making import message


def test_requests_of_replies_are_found(tmp_path: Path) -> None:
    """A request that a search missed is read from the store with the score of its reply; no other message is."""
    scope = Scope(user_id="alex")
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="none") as memory:
        said = [{"role": role, "content": text} for role, text in [("user", "It fails."), ("assistant", "The roof?")]]
        for session in ("monday", "tuesday"):
            memory.add([{**each, "session": session} for each in [*said, *said]], user_id="alex")
        held = memory.messages(user_id="alex")
        replies = [Hit(score=place / 10, reasons=(), message=each) for place, each in enumerate(held) if place % 2]
        found = requests_of(replies, scope, memory.store)
        assert sorted((hit.score, hit.message) for hit in found) == [
            (place / 10, held[place - 1]) for place in range(1, len(held), 2)
        ]
        alone = Hit(score=0, reasons=(), message=message("Nobody asked for it.", 0, role="assistant"))
        every = [Hit(score=0, reasons=(), message=each) for each in held]
        assert requests_of(every, scope, memory.store) == []
        assert requests_of([alone], scope, memory.store) == []


def test_hits_have_the_request_that_they_answer(tmp_path: Path) -> None:
    """The last message of a user before a reply, calls of tools between or not; a user's message answers nothing."""
    said = [
        ("assistant", "Welcome to the kitchen helper."),
        ("user", "How long do I cook lentils?"),
        ("tool", '{"lentils": 25}'),
        ("assistant", "Cook lentils for 25 minutes."),
        ("assistant", "Salt lentils only at the end."),
    ]
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add([{"role": role, "content": text} for role, text in said], user_id="alex")
        held = memory.messages(user_id="alex")
        answers = {hit.text: hit.answers for hit in memory.search("lentils", user_id="alex")}
        assert answers["Cook lentils for 25 minutes."] == answers["Salt lentils only at the end."] == held[1]
        assert answers["How long do I cook lentils?"] is None
        assert requests_before(held, Scope(user_id="alex"), memory.store).keys() == {held[3].id, held[4].id}
        assert requests_before([None, held[1]], Scope(user_id="alex"), memory.store) == {}
        context = memory.context("How are lentils salted?", user_id="alex")
        assert context.text.index("How long do I cook") < context.text.index("Salt lentils only")
        memory.add([{"role": "assistant", "content": f"More of lentils {n}."} for n in range(REACH)], user_id="alex")
        *_, last = memory.messages(user_id="alex")
        assert requests_before([last], Scope(user_id="alex"), memory.store) == {}
