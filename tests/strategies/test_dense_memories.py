"""The base Mem0 on a scripted model: what it is asked, well and badly answered, and what becomes of memories."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mem0g import LLMSettings, Memory, Settings
from mem0g.errors import InputError, ModelAccessError
from mem0g.strategies import DenseMemories
from mem0g.testing import HashingEmbedder
from tests.llm.server import Asked, Reply, Server, call, serving
from tests.strategies.conftest import BEGAN, said

NEW = re.compile(r'^\[(\d+)\] (\w+): "(.*)"$', re.MULTILINE)
SHOWN = re.compile(r'^\[(\d+)\] "(.*?)"', re.MULTILINE)

Decide = Callable[[dict[str, int], dict[str, int]], Sequence[dict[str, Any]]]
"""Makes decisions of the numbers of the known and of the new memories, by text."""


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach servers on this machine directly."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def decision(number: int, operation: str, memory: int | None = None, text: str | None = None) -> dict[str, Any]:
    """A decision as in a reply."""
    return {"number": number, "operation": operation, "memory": memory, "text": text, "reason": None}


def add_all(known: dict[str, int], new: dict[str, int]) -> list[dict[str, Any]]:
    return [decision(number, "ADD") for number in new.values()]


def model(decide: Decide = add_all) -> Callable[[Asked], Reply]:
    """Remembers each new message that does not end with a question mark, under its speaker's name."""

    def answer(asked: Asked) -> Reply:
        function = asked.json["tools"][0]["function"]["name"]
        user = asked.texts[1][1]
        if function == "keep_summary":
            return call({"summary": "They talk."}, function)
        if function == "remember_sentences":
            found = NEW.findall(user.split("New messages:", 1)[1])
            made = [{"text": f"{who}: {text}", "messages": [int(n)]} for n, who, text in found if "?" not in text]
            return call({"memories": made}, function)
        before, after = user.split("New memories:", 1)
        known, new = ({text: int(number) for number, text in SHOWN.findall(part)} for part in (before, after))
        return call({"decisions": list(decide(known, new))}, function)

    return answer


def opened(path: Path, server: Server | None, **given: Any) -> Memory:
    """Open a memory of dense memories, with the model on a server."""
    llm = LLMSettings(model="tiny", base_url=server.base_url if server else None, retries=0)
    settings = replace(Settings(), llm=llm, **given)
    return Memory.open(path, embedder=HashingEmbedder(256), extractor="llm-dense", settings=settings)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def texts(memory: Memory) -> list[str]:
    return [fact.text for fact in memory.facts(user_id="ann")]


def test_memories_are_sentences_of_who_spoke(path: Path) -> None:
    """Stored, cited and dated as facts with a value; shown by likeness; no entity is made but who spoke."""
    with serving(model()) as server, opened(path, server) as memory:
        strategy = DenseMemories(memory, user_id="ann")
        strategy.add(said("1", ("Ann: I live in Oslo.", "Bot: How is it?"), BEGAN))
        strategy.add(said("1", ("Ann: x", "Bot: x", "Ann: My sister Ida runs a bakery."), BEGAN)[2:])
        (first, second) = memory.facts(user_id="ann")
        assert (first.subject, first.relation, first.object_is_literal) == ("Ann", "NOTED", True)
        assert first.text == first.object == "Ann: I live in Oslo."
        assert [each.text for each in memory.messages(ids=second.evidence, user_id="ann")] == [
            "My sister Ida runs a bakery."
        ]
        shown = strategy.context("Who runs a bakery?", 12)
        assert shown.text == "(said 2024-03-01) Ann: My sister Ida runs a bakery."
        assert [entity.name for entity, _ in memory.entities(user_id="ann")] == ["Ann"]
        assert not memory.verify()
        purposes = {each.purpose: each.calls for each in memory.costs(user_id="ann")}
    assert purposes == {"memories": 2, "update": 1}  # nothing is known at first, so nobody is asked
    with Memory.open(path, embedder=HashingEmbedder(256), extractor="none") as memory:
        assert DenseMemories(memory, user_id="ann").context("Who runs a bakery?", 12).text == shown.text


def test_the_prompts_are_those_of_the_paper(path: Path) -> None:
    """The model sees the ten messages before, then the new pair; then each new memory with the ten most similar."""
    lines = tuple(f"Ann: Fact {number} is about tea." for number in range(1, 25))
    with serving(model()) as server, opened(path, server) as memory:
        strategy = DenseMemories(memory, user_id="ann")
        turns = said("1", lines, BEGAN)
        for place in range(0, len(turns), 2):
            strategy.add(turns[place : place + 2])
        asked = {each.json["tools"][0]["function"]["name"]: each.texts for each in server.requests}
    system, user = (text for _, text in asked["remember_sentences"])
    assert system.startswith("You read the latest messages of a conversation and write down what should be remembered")
    before, new = user.split("New messages:")
    assert 'Before it (to understand only):\nOn Friday 1 March 2024 (2024-03-01):\n[1] Ann: "Fact 13' in before
    assert new.strip() == '[11] Ann: "Fact 23 is about tea."\n[12] Ann: "Fact 24 is about tea."'
    system, user = (text for _, text in asked["update_memory"])
    assert system.startswith("You keep a memory of people up to date. It is a list of sentences.")
    known, new = user.split("New memories:")
    assert known.startswith('Known memories:\n[1] "Ann: Fact ')
    assert re.search(r'"Ann: Fact 23 is about tea\." \(said 2024-03-01\) ~ (\d+,){9}\d+$', new, re.MULTILINE)


def test_update_delete_and_noop(path: Path) -> None:
    """What is replaced or deleted is out of sight, and can be looked up and undone; what is known gains evidence."""

    def decide(known: dict[str, int], new: dict[str, int]) -> list[dict[str, Any]]:
        decisions = []
        for text, number in new.items():
            if "Lisbon" in text:
                decisions.append(
                    decision(number, "UPDATE", known["Ann: I live in Oslo."], "Ann lived in Oslo, now Lisbon.")
                )
            elif "no dog" in text:
                decisions.append(decision(number, "DELETE", known["Ann: I have a dog."]))
            elif "tea" in text and any("tea" in each for each in known):
                decisions.append(decision(number, "NOOP", known["Ann: I like tea."]))
            elif "sold" in text:
                decisions.append(decision(number, "DELETE", known["Ann: I own a car."]))
                decisions.append(decision(number, "ADD"))
            else:
                decisions.append(decision(number, "ADD"))
        return decisions

    first = ("Ann: I live in Oslo.", "Ann: I have a dog.", "Ann: I like tea.", "Ann: I own a car.")
    then = ("Ann: I moved to Lisbon.", "Ann: I have no dog now.", "Ann: Yes, tea.", "Ann: I sold my car.")
    with serving(model(decide)) as server, opened(path, server, trust_model=True) as memory:
        strategy = DenseMemories(memory, user_id="ann")
        strategy.add(said("1", first, BEGAN))
        report = strategy.add(said("2", then, BEGAN))
        assert (report.facts, report.retired, report.confirmed) == (2, 3, 1)
        assert texts(memory) == ["Ann: I like tea.", "Ann lived in Oslo, now Lisbon.", "Ann: I sold my car."]
        assert len(memory.facts(user_id="ann")[0].evidence) == 2
        (moved,) = [fact for fact in memory.facts(user_id="ann") if "Lisbon" in fact.text]
        assert len(moved.evidence) == 2
        old, _ = memory.history(moved.id, user_id="ann")
        assert [each.text for each in old] == ["Ann: I live in Oslo.", "Ann lived in Oslo, now Lisbon."]
        operations = {each.operation for each in memory.decisions(user_id="ann")}
        assert operations == {"ADD", "UPDATE", "DELETE", "NOOP"}
        (deleted,) = [each for each in memory.decisions(user_id="ann") if each.operation == "DELETE"]
        assert deleted.decided_by == "tiny"
        memory.undo(deleted.id, user_id="ann")
        assert "Ann: I have a dog." in texts(memory)
        assert "dog" not in strategy.context("tea", 12).text
        assert not memory.verify()


def test_too_many_changes_are_held(path: Path) -> None:
    """A model that would delete most of what it sees, as a message told it to, is not obeyed: a person decides."""

    def obey(known: dict[str, int], new: dict[str, int]) -> list[dict[str, Any]]:
        return [decision(next(iter(new.values())), "DELETE", number) for number in known.values()] if known else []

    facts = tuple(f"Ann: I like tea number {number}." for number in range(8))
    with serving(model()) as server, opened(path, server) as memory:
        DenseMemories(memory, user_id="ann").add(said("1", facts, BEGAN))
        server.script = model(obey)
        report = DenseMemories(memory, user_id="ann").add(said("2", ("Ann: Forget all about tea.",), BEGAN))
        assert (report.retired, report.held) == (0, 8)
        assert len(texts(memory)) == 8
        assert len(memory.review(user_id="ann")) == 1


@pytest.mark.parametrize("first", [True, False])
def test_each_window_is_held_by_itself(path: Path, first: bool) -> None:
    """Beside a window that is shown other memories, one that would delete most of its own is held all the same."""

    def obey(known: dict[str, int], new: dict[str, int]) -> list[dict[str, Any]]:
        forget, boats = sorted(new.values(), key=lambda number: number == new["Ann: I sold boat number 0."])
        tea = [decision(forget, "DELETE", number) for text, number in known.items() if "tea" in text]
        return [*tea, decision(boats, "UPDATE", known["Ann: I own boat number 0."], "Ann sold boat number 0.")]

    facts = [f"Ann: I like tea number {number}." for number in range(8)]
    facts += [f"Ann: I own boat number {number}." for number in range(12)]
    with serving(model()) as server, opened(path, server, window=1, together=2) as memory:
        DenseMemories(memory, user_id="ann").add(said("1", tuple(facts), BEGAN))
        server.script = model(obey)
        lines = ("Ann: I like to forget tea number 9.", "Ann: I sold boat number 0.")
        (report,) = memory.ingest(said("2", lines if first else lines[::-1], BEGAN), user_id="ann")
        assert (report.retired, report.held) == (1, 8)
        assert set(facts[:8]) <= set(texts(memory))
        assert "Ann sold boat number 0." in texts(memory)


BAD: dict[str, Decide] = {
    "has no decision": lambda known, new: [],
    "there is no new memory 99": lambda known, new: [*add_all(known, new), decision(99, "ADD")],
    "2 of ADD": lambda known, new: [*add_all(known, new), *add_all(known, new)],
    "names a known memory, not 77": lambda known, new: [decision(min(new.values()), "NOOP", 77)],
    "UPDATE needs the text": lambda known, new: [decision(min(new.values()), "UPDATE", 1, " ")],
    "changed 2 times": lambda known, new: [decision(min(new.values()), "DELETE", 1) for _ in range(2)],
    "named by a NOOP": lambda known, new: [
        decision(min(new.values()), "DELETE", 1),
        decision(min(new.values()), "NOOP", 1),
    ],
    "NUL": lambda known, new: [decision(min(new.values()), "UPDATE", 1, "a\0b")],
}


@pytest.mark.parametrize("problem", BAD)
def test_a_bad_decision_is_corrected_once(path: Path, problem: str) -> None:
    """The model is told what is wrong; if it errs again, the messages are kept and the window waits for a person."""
    with serving(model()) as server, opened(path, server) as memory:
        strategy = DenseMemories(memory, user_id="ann")
        strategy.add(said("1", ("Ann: I live in Oslo.",), BEGAN))
        server.requests.clear()
        good, bad = model(), model(BAD[problem])
        replies = iter([good, bad, good])
        server.script = lambda asked: next(replies)(asked)
        strategy.add(said("2", ("Ann: I like tea.",), BEGAN))
        assert problem in server.requests[-1].texts[-1][1]
        assert len(texts(memory)) == 2
        server.script = lambda asked: (good if "remember" in json.dumps(asked.json["tools"]) else bad)(asked)
        strategy.add(said("3", ("Ann: I like coffee.",), BEGAN))
        assert memory.stats(user_id="ann").messages == 3
        (waiting,) = memory.pending(user_id="ann")
        assert waiting.state == "quarantined"
        server.script = good
        list(memory.retry(user_id="ann"))
        assert "Ann: I like coffee." in texts(memory)


@pytest.mark.parametrize(
    ("memories", "problem"),
    [
        ([{"text": " ", "messages": [1]}], "the text is blank"),
        ([{"text": "Ann.", "messages": []}], "names no new message"),
        ([{"text": "Ann.", "messages": [9]}], "there is no message 9"),
        ([{"text": "A\0n", "messages": [1]}], "NUL"),
        ([{"text": "A" * 6000, "messages": [1]}], "6000 characters"),
        ([{"text": f"Ann {n}.", "messages": [1]} for n in range(60)], "60 memories, where at most"),
        ([{"text": "Ann.", "messages": [1], "mood": "good"}], "no field of the schema"),
        ("none", "memories"),
    ],
)
def test_bad_memories_are_corrected_once(path: Path, memories: Any, problem: str) -> None:
    """Blank, uncited, unstorable, overlong, too many, of another shape: asked again."""
    bad, good = call({"memories": memories}, "remember_sentences"), model()
    turn = said("1", ("Ann: I live in Oslo.",), BEGAN)
    with serving(lambda asked: bad if len(server.requests) == 1 else good(asked)) as server:
        with opened(path, server) as memory:
            DenseMemories(memory, user_id="ann").add(turn)
            assert texts(memory) == ["Ann: I live in Oslo."]
        assert problem in server.requests[1].texts[-1][1]


def test_without_a_model_it_refuses(path: Path) -> None:
    """A memory with another extractor makes no dense memories; without a key the message is kept, and waits."""
    with Memory.open(path, embedder=HashingEmbedder(256), extractor="rules") as memory:
        with pytest.raises(InputError, match="'rules', which makes no dense memories") as raised:
            DenseMemories(memory, user_id="ann").add("I live in Oslo.")
        assert "llm-dense" in str(raised.value.hint)
        assert memory.stats(all_scopes=True).messages == 0
    with opened(path, None) as memory:
        with pytest.raises(ModelAccessError, match="no key"):
            DenseMemories(memory, user_id="ann").add("I live in Oslo.")
        assert memory.stats(user_id="ann").messages == 1
    with serving(model()) as server, opened(path, server) as memory:
        list(memory.retry(user_id="ann"))
        assert texts(memory) == ["ann: I live in Oslo."]
