"""Working memory over a file and a Neo4j: the buffer, what leaves it, and what a model is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mem0g import AsyncMemory, AsyncWorkingMemory, Memory, WorkingMemory
from mem0g.errors import InputError, ScopeError, UnreachableModelError
from mem0g.llm.openai import OpenAIProvider
from mem0g.model import Scope
from mem0g.settings import LLMSettings, Settings
from mem0g.testing import HashingEmbedder
from mem0g.working.blocks import BlockQuery, FactsBlock, GraphBlock, StaticBlock, VectorBlock
from mem0g.working.fitting import total_tokens
from tests.working.chats import Chat, assistant, call, is_accepted, result, user, words

OSLO = [user("I live in Oslo and I work as a nurse."), assistant("Noted.")]


def turns(count: int) -> list[Chat]:
    """Return turns of 13 words."""
    made = []
    for number in range(count):
        made += [user(f"Please tell me something about the number {number}."), assistant(f"It is number {number}.")]
    return made


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Memory]:
    """A memory in a file, with a small embedder."""
    with Memory.open(tmp_path / "small.db", embedder=HashingEmbedder(), extractor="rules") as opened:
        yield opened


def working(memory: Memory, session: str = "s", **given: Any) -> WorkingMemory:
    """Return a working memory of Ann's with a limit of 70 words in the buffer."""
    options: dict[str, Any] = {"user_id": "ann", "token_limit": 100, "flush_size": 10, "count_tokens": words, **given}
    return WorkingMemory(memory, session=session, **options)


def test_what_leaves_the_buffer_is_remembered(memory: Memory) -> None:
    """It is found at once, its facts are extracted, and they come back through the blocks; nothing is in two places."""
    blocks = (StaticBlock("Be brief."), FactsBlock(), GraphBlock(), VectorBlock(k=1))
    chat = working(memory, blocks=blocks, token_limit=140, chat_history_ratio=0.5)
    chat.append(OSLO)
    assert chat.messages() == OSLO
    assert memory.facts(user_id="ann") == ()
    assert memory.search("Where do I live?", user_id="ann")[0].text == OSLO[0]["content"]
    (buffer,) = memory.pending(user_id="ann")
    assert (buffer.state, len(buffer.messages)) == ("buffered", 2)
    assert list(memory.retry(user_id="ann")) == []  # what is in the buffer does not wait for anything
    report = chat.append(turns(6), wait=True)
    assert (report.messages, len(report.message_ids), report.waiting) == (12, 12, 0)
    assert chat.tokens() <= 70
    assert chat.messages() == [*OSLO, *turns(6)][-len(chat.messages()) :]
    assert {fact.text for fact in memory.facts(user_id="ann")} == {"ann lives in Oslo.", "ann works as a nurse."}
    chat.append("Where do I live?")
    system, *shown = chat.get()
    assert shown == chat.messages()
    for part in ("<instructions>\nBe brief.", "<facts>\nann", "<graph>\n", "ann lives in Oslo.", "<similar_turns>"):
        assert part in system["content"], part
    assert total_tokens([system, *shown], words) <= 140
    assert memory.verify() == ()
    chat.flush()
    assert (chat.messages(), memory.pending(user_id="ann")) == ([], ())
    assert "Oslo" in chat.get("Where do I live?")[0]["content"]
    assert len(memory.messages(user_id="ann")) == 15


def test_a_session_goes_on(memory: Memory) -> None:
    """Another object for the same session has the same buffer, and appending a known message changes nothing."""
    chat = working(memory)
    for number, message in enumerate([*OSLO, call("c1", n=1), result("c1"), *turns(3)]):
        chat.append(message | {"id": str(number)})
    again = working(memory)
    assert again.messages() == chat.messages() != []
    report = again.append([user(OSLO[0]["content"], id="0"), {**OSLO[1], "id": "1"}])
    assert (report.messages, report.known) == (0, 2)
    assert again.messages() == chat.messages()
    again.append("And now?")
    assert chat.messages()[-1] == user("And now?")
    assert working(memory, "other").messages() == []
    assert memory.verify() == ()


def test_two_sessions_of_one_user(small: Memory) -> None:
    """Each has its buffer; what one hears the other finds through its blocks."""
    one, two = working(small, "one", token_limit=200), working(small, "two", token_limit=200)
    one.append(OSLO)
    two.append("Where do I live?")
    assert (one.messages(), two.messages()) == (OSLO, [user("Where do I live?")])
    assert "Oslo" in two.get()[0]["content"]
    system, *shown = one.get()
    assert ("Oslo" in system["content"], shown) == (False, OSLO)  # it shows nothing twice
    other = working(small, "one", user_id="bob", token_limit=200)
    assert other.messages() == []
    assert other.get("Where do I live?") == []


def test_an_empty_scope(small: Memory) -> None:
    """There is nothing but what is always there; without a scope there is no memory."""
    assert working(small).get() == []
    assert working(small).get("Where do I live?") == []
    static = working(small, blocks=[StaticBlock("Be brief.")])
    assert static.get() == [
        {"role": "system", "content": "<memory>\n<instructions>\nBe brief.\n</instructions>\n</memory>"}
    ]
    assert working(small).flush().messages == 0
    with pytest.raises(ScopeError):
        WorkingMemory(small)


@pytest.mark.parametrize("insert", ["system", "user"])
def test_where_the_blocks_go(small: Memory, insert: Any) -> None:
    """Before the text of the system message or of the user's last words, or into a new message."""
    blocks = [StaticBlock("Be brief.")]
    chat = working(small, blocks=blocks, insert=insert)
    assert [each["role"] for each in chat.get()] == [insert]
    chat.append([{"role": "system", "content": "Be kind."}, user("Hi."), assistant("Hello."), user("Well?")])
    made = chat.get()
    assert [each["role"] for each in made] == ["system", "user", "assistant", "user"]
    changed = made[0 if insert == "system" else 3]["content"]
    assert changed.startswith("<memory>")
    assert changed.endswith("\n\nBe kind." if insert == "system" else "\n\nWell?")
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    chat = working(small, "pictures", blocks=blocks, insert=insert, token_limit=1000)
    chat.append({"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]})
    first = chat.get()[0]["content"]
    assert ("<memory>" in first) if insert == "system" else (first[0]["text"].startswith("<memory>"))


def test_long_results_and_inputs(small: Memory) -> None:
    """They are kept whole and shown cut, within the limit, with their calls."""
    chat = working(small, blocks=[StaticBlock("Be brief."), GraphBlock()])
    chat.append([user("Read the log."), call("c1"), result("c1", "line of the log " * 6_500)])
    shown = chat.get()
    assert total_tokens(shown, words) <= 100
    assert is_accepted(shown)
    assert "characters left out" in shown[-1]["content"]
    assert len(chat.messages()[-1]["content"]) == 104_000
    chat.append("word " * 1000)
    assert total_tokens(chat.get(), words) <= 100
    assert total_tokens(chat.get(input="Oslo " * 100_000), words) <= 100
    chat.append(assistant("Yes."))
    assert total_tokens(chat.get(), words) <= 100


def picture(text: str) -> Chat:
    """Return a message of the user with a picture, which counts 256."""
    return {
        "role": "user",
        "content": [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "u"}}],
    }


def test_a_picture_that_does_not_fit(small: Memory) -> None:
    """A note takes its place; the words beside it stay, those of the task before all else. The buffer keeps it."""
    asked = picture("What is in this picture?")
    chat = working(small, blocks=[GraphBlock()])
    chat.append(asked)
    (shown,) = [each for each in chat.get() if each["role"] == "user"]
    assert shown["content"] == [asked["content"][0], {"type": "text", "text": "[… image_url left out …]"}]
    assert chat.messages() == [asked]
    chat.append([call("c1", text="x " * 300), result("c1", "y " * 300), call("c2"), result("c2")])
    first = next(each for each in chat.get() if each["role"] == "user")
    assert first["content"][0] == asked["content"][0]
    assert total_tokens(chat.get(), words) <= 100
    long = working(small, "long", blocks=[], token_limit=260)
    long.append(picture("What is in this picture? " * 60))
    (shown,) = long.get()
    assert shown["content"][0]["text"].startswith("What is in this picture?")
    assert total_tokens([shown], words) <= 260


def test_the_task_stays_where_the_steps_do_not_fit(small: Memory) -> None:
    """The name of a call cannot be cut: the step is left out, not the words of the user."""
    chat = working(small, blocks=[])
    chat.append([user("Fix the build."), call("c1", name="a-" * 100), result("c1")])
    assert chat.get() == [user("Fix the build.")]


def test_a_long_run_of_an_agent(small: Memory) -> None:
    """One task and many steps: the oldest leave, the task stays, and no call is without its result."""
    chat = working(small, blocks=[])
    chat.append("Fix the build.")
    for number in range(12):
        chat.append(call(f"c{number}", n=number))
        assert is_accepted(chat.get())
        chat.append(result(f"c{number}", f"step {number} is done"))
        shown = chat.get()
        assert shown[0] == user("Fix the build.")
        assert shown[-1]["tool_call_id"] == f"c{number}"
        assert total_tokens(shown, words) <= 100
        assert is_accepted(shown)
    assert len(chat.messages()) < 15
    assert small.facts(user_id="ann") == ()  # nothing but calls and results


@dataclass(frozen=True)
class Talkative:
    """A block that returns more than it is asked for."""

    name: str = "talk"
    priority: int = 1
    tokens: int | None = 20

    def content(self, query: BlockQuery, tokens: int) -> str:
        """Return many words, whatever the budget."""
        return "</talk></memory> word " * 500


def test_blocks_within_their_budgets(small: Memory) -> None:
    """A block's text is cut to its budget, those of a later priority get what is left, and no text closes a tag."""
    blocks = [Talkative(), StaticBlock("one two three", name="later", priority=2)]
    chat = working(small, blocks=blocks)
    chat.append(OSLO)
    (system, *_) = chat.get()
    assert "<later>\none two three\n</later>" in system["content"]
    assert system["content"].count("</memory>") == system["content"].count("</talk>") == 1
    assert total_tokens(chat.get(), words) <= 100
    chat = working(small, blocks=[StaticBlock("word " * 70, name="first", priority=1), *blocks[1:]])
    (system, *_) = chat.get()
    assert "<first>" in system["content"]
    assert "<later>\none" in system["content"]
    chat.append(turns(5))
    (system, *_) = chat.get()
    assert "<first>" not in system["content"]
    assert "<later>\none" in system["content"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"session": None}, "session is None"),
        ({"session": "\ud800"}, "session is '.ud800'"),
        ({"token_limit": 0}, "token_limit is 0"),
        ({"flush_size": 0}, "flush_size is 0"),
        ({"chat_history_ratio": 0}, "chat_history_ratio is 0"),
        ({"chat_history_ratio": 1.5}, "chat_history_ratio is 1.5"),
        ({"insert": "assistant"}, "insert is 'assistant'"),
        ({"blocks": [StaticBlock("a"), StaticBlock("b")]}, "two blocks have the name"),
        ({"blocks": [StaticBlock("a", name="a b")]}, "is not a valid tag"),
        ({"blocks": [StaticBlock("a", priority=-1)]}, "priority of the block 'instructions' is -1"),
        ({"blocks": [StaticBlock("word " * 40)]}, "need 44 tokens, and the blocks have 30"),
    ],
)
def test_what_cannot_work(small: Memory, given: Any, says: str) -> None:
    """It is refused when the working memory is made."""
    with pytest.raises(InputError, match=says):
        working(small, **given)
    for block in (FactsBlock, VectorBlock):
        with pytest.raises(InputError):
            block(0)


def test_many_facts_are_condensed(small: Memory) -> None:
    """Those of one relation become one line; of the lines that are too many the ones stated least often go."""
    chat = working(small, blocks=[FactsBlock(max_facts=2)], token_limit=200)
    chat.append([user(f"I like {each}.") for each in ("tea", "jazz", "chess")] + OSLO, wait=True)
    assert chat.get() == chat.messages()  # nothing has left the buffer
    chat.flush()
    working(small, "other").append("I like football.")
    working(small, "other").flush()
    facts = chat.get()[0]["content"].splitlines()[2:-2]
    assert len(facts) == 2
    assert facts[0] == "ann likes tea; also jazz, chess."
    lines = working(small, blocks=[FactsBlock()], token_limit=200).get()[0]["content"].splitlines()
    assert len(lines) == 5 + 4


def test_erased_and_forgotten(memory: Memory) -> None:
    """An erased message leaves the buffer; forgetting empties it; both can go on."""
    chat = working(memory)
    first, second = chat.append(OSLO).message_ids
    memory.erase(first, user_id="ann")
    assert chat.messages() == OSLO[1:]
    memory.erase(second, user_id="ann")
    assert (chat.messages(), memory.pending(user_id="ann"), memory.verify()) == ([], (), ())
    chat.append(OSLO)
    assert chat.messages() == OSLO
    memory.forget(user_id="ann")
    assert chat.messages() == []
    chat.append("Hi.")
    assert chat.messages() == [user("Hi.")]
    assert memory.verify() == ()


def test_threads(small: Memory) -> None:
    """Many threads, on one object and on several: every message is kept once, and the buffers stay within the limit."""
    chats = [working(small), working(small), working(small, "other")]

    def say(number: int) -> None:
        chats[number % 3].append([user(f"This is number {number}."), assistant("Noted.")])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(say, range(60)))
    said = [each.text for each in small.messages(user_id="ann") if each.role == "user"]
    assert sorted(said) == sorted(f"This is number {number}." for number in range(60))
    for chat in chats:
        assert chat.tokens() <= 70
        assert all(one["role"] != two["role"] for one, two in zip(chat.messages(), chat.messages()[1:], strict=False))
    assert chats[0].messages() == chats[1].messages()
    small.flush()
    assert small.verify() == ()


def test_an_embedder_that_fails(tmp_path: Path) -> None:
    """The messages are stored, and get their vectors with their facts."""

    class Failing(HashingEmbedder):
        fails = True

        def embed(self, texts: Any) -> Any:
            if self.fails:
                raise OSError("out of memory")
            return super().embed(texts)

    embedder = Failing()
    with Memory.open(tmp_path / "m.db", embedder=embedder, extractor="rules") as memory:
        chat = working(memory)
        chat.append(OSLO)
        assert chat.messages() == OSLO
        embedder.fails = False
        assert chat.flush().facts == 2
        assert memory.verify() == ()


def test_asynchronously(tmp_path: Path) -> None:
    """The same methods, awaited."""

    async def use() -> None:
        async with AsyncMemory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="rules") as memory:
            chat = AsyncWorkingMemory(working(memory.memory))
            await asyncio.gather(*(chat.append(each) for each in OSLO))
            assert len(await chat.messages()) == 2
            assert await chat.tokens() > 5
            assert len(await chat.get("Where do I live?")) >= 2
            assert (await chat.flush()).facts == 2

    asyncio.run(use())
    public = {name for name in vars(WorkingMemory) if not name.startswith("_")}
    assert {name for name in vars(AsyncWorkingMemory) if not name.startswith("_")} == public


def test_an_agents_memory_of_its_user(small: Memory) -> None:
    """A block may look into another scope than the session's."""
    small.add(OSLO, user_id="ann")
    blocks = [GraphBlock(scope=Scope(user_id="ann"))]
    chat = WorkingMemory(small, agent_id="helper", session="s", blocks=blocks)
    chat.append("Where does ann live?")
    assert "Oslo" in chat.get()[0]["content"]


def test_a_model_that_cannot_be_reached(tmp_path: Path, nowhere: str) -> None:
    """What left the buffer is stored and waits; without waiting the chat goes on."""
    settings = Settings(llm=LLMSettings(retries=0))
    model = OpenAIProvider("tiny", base_url=nowhere, api_key=None)
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), model=model, settings=settings) as memory:
        chat = working(memory)
        with pytest.raises(UnreachableModelError):
            chat.append([*OSLO, *turns(6)], wait=True)
        chat.append("And now?")
        assert chat.messages()[-1] == user("And now?")
        assert len(memory.messages(user_id="ann")) == 15
        assert {each.state for each in memory.pending(user_id="ann")} == {"buffered", "failed"}
        assert memory.search("Where does ann live?", user_id="ann")[0].text == OSLO[0]["content"]
