"""A chat with a scripted model: what it is sent, what is learnt, and how it ends."""

from __future__ import annotations

import _thread
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory, Scope
from mem0g.chat.talking import Chat
from mem0g.errors import ModelError
from mem0g.llm.openai import OpenAIProvider
from mem0g.testing import HashingEmbedder
from tests.cli.conftest import Shell
from tests.llm.server import Asked, Reply, call, refused, serving
from tests.pipeline.rendered import shown
from tests.pipeline.scripted import Model

SNAPSHOT = Path(__file__).parent / "turn.txt"
AT = datetime(2024, 6, 3, 9, 30, tzinfo=UTC)


def asked_for(asked: Asked) -> str:
    """The name of the function that is to be called."""
    name: str = asked.json["tools"][0]["function"]["name"]
    return name


def talking(answer: str | Callable[[], Reply] = "I see.") -> Callable[[Asked], Reply]:
    """A script of a model that says this, and extracts as the simulated model does."""
    model = Model()

    def script(asked: Asked) -> Reply:
        if asked_for(asked) != "say":
            return model(asked)
        return call({"reply": answer}, "say") if isinstance(answer, str) else answer()

    return script


def opened(folder: Path, **given: Any) -> Memory:
    return Memory.open(folder / "memory.db", embedder=HashingEmbedder(), **given)


def test_the_prompt(tmp_path: Path) -> None:
    """Rules, date, what is remembered, the conversation so far, the message; the file shows it whole.

    After a change of the prompt, delete the file and run this test twice; git shows the difference.
    """
    with serving(talking('Hello Ann.\n# user "x"')) as server, opened(tmp_path, extractor="none") as memory:
        memory.add_fact(subject="ann", relation="lives in", object="Oslo", valid_from="2024-03", user_id="ann")
        chat = Chat(memory, Scope("ann"), AT, model=OpenAIProvider("tiny", base_url=server.base_url, api_key=None))
        for text in ("Hello, $memory!", "Where in Oslo do I live?"):
            chat.hear(text, AT)
            chat.reply(chat.recall())
            chat.learn()
    found = re.sub(r"said on \d{4}-\d\d-\d\d", "said on DAY", shown(server.requests[-1]))
    if not SNAPSHOT.exists():
        SNAPSHOT.write_text(found, encoding="utf-8")
        pytest.fail(f"wrote {SNAPSHOT}")
    assert found == SNAPSHOT.read_text(encoding="utf-8")


def test_what_was_said_is_a_session(tmp_path: Path) -> None:
    """Both sides are messages with their times; calls are in the ledger; a later chat remembers."""
    with serving(talking()) as server:
        model = OpenAIProvider("tiny", base_url=server.base_url, api_key=None)
        with opened(tmp_path, model=model) as memory:
            chat = Chat(memory, Scope("ann", "helper"), AT, model=model)
            said = "Ann lives in Oslo."
            chat.hear(said, AT)
            assert chat.reply(chat.recall()) == "I see."
            assert [(each.kind, each.text) for each in chat.learn().changes] == [("added", said)]
            heard = [(each.speaker, each.text, each.session, each.time) for each in memory.messages(user_id="ann")]
            session = "chat 2024-06-03 09:30:00"
            assert heard == [("ann", said, session, AT), ("helper", "I see.", session, AT)]
            assert {each.purpose for each in memory.costs(user_id="ann")} >= {"chat", "extract"}
            later = Chat(memory, Scope("ann", "helper"), AT, model=model)
            later.hear("Where does Ann live?", AT)
            assert said in [hit.text for hit in later.recall()]


@pytest.mark.parametrize(
    "bad", [call({"reply": " "}, "say"), call({"reply": "x", "more": 1}, "say"), refused(400, "no")]
)
def test_a_model_that_fails(tmp_path: Path, bad: Reply) -> None:
    """It is an error; what the user said is part of the conversation, and stored once."""
    with serving(talking(lambda: bad)) as server, opened(tmp_path, extractor="none") as memory:
        chat = Chat(memory, Scope("ann"), AT, model=OpenAIProvider("tiny", base_url=server.base_url, api_key=None))
        chat.hear("Hello.", AT)
        with pytest.raises(ModelError):
            chat.reply(())
        chat.store()
        assert chat.learn().messages == 0
        assert [(each.role, each.text) for each in memory.messages(user_id="ann")] == [("user", "Hello.")]


@pytest.fixture
def shell(tmp_path: Path, minilm: None) -> Shell:
    return Shell(tmp_path)


def chatting(shell: Shell, script: Callable[[Asked], Reply], *lines: str) -> tuple[str, str]:
    """Run the command with these lines as input; answers what it printed and its errors."""
    with serving(script) as server:
        where = ("--base-url", server.base_url, "--model", "tiny")
        done = shell("chat", "--user", "ann", *where, stdin="".join(f"{line}\n" for line in lines))
    assert done.exit_code == 0, done.stderr or done.exception
    return done.stdout, done.stderr


def test_the_command(shell: Shell) -> None:
    """Each turn prints what it remembers, the reply, and what it learnt; commands list, delete and explain."""
    out, _ = chatting(shell, talking(), "Ann lives in Oslo.", "", "/facts", "Ann lives in Rome.", "/help", "/quit", "x")
    assert "I see.\n  added f_" in out
    assert "  remembers: Ann lives in Oslo.  [" in out
    assert re.search(r"updated f_\w+: Ann lives in Rome\. \(instead of: Ann lives in Oslo\.\)", out)
    assert "/forget ID" in out
    rome = re.search(r"updated (f_\w+)", out)
    assert rome
    out, err = chatting(shell, talking(), f"/forget {rome[1]}", "/forget", "/forget f_zz", "/dance", "/facts")
    assert "deleted for good: 0 messages, 1 facts" in out
    assert "Rome" not in out
    assert [line.split(" (")[0] for line in err.splitlines()] == [
        "mem0g: /forget needs an ID",
        "mem0g: no fact, message or entity 'f_zz' in user_id=ann",
        "mem0g: no command '/dance'",
    ]
    assert len(shell.json("messages", "--user", "ann")) == 4


def test_a_failing_model_does_not_end_it(shell: Shell) -> None:
    """One line says why, and the next message is answered."""
    replies = iter([refused(401, "bad key"), call({"reply": "Hello again."}, "say")])
    out, err = chatting(shell, talking(lambda: next(replies)), "Hello.", "Hello?")
    assert err.count("\n") == 1
    assert err.startswith("mem0g: ")
    assert "Hello again." in out


def test_what_got_no_reply_is_stored(shell: Shell) -> None:
    """Also where the chat ends with it; the exit code is 1 if the last message or command failed."""
    with serving(lambda _: refused(401, "bad key")) as server:
        where = ("--base-url", server.base_url, "--model", "tiny")
        for lines in ("Hello I am Ann\n", "/facts\nI live in Oslo\n\n/quit\n", "Oslo is fine\n/dance\n"):
            assert shell("chat", "--user", "ann", *where, stdin=lines).exit_code == 1
        done = shell("chat", "--user", "ann", *where, stdin="Are you there?\n/facts\n")
    assert done.exit_code == 0
    said = [(each["role"], each["text"]) for each in shell.json("messages", "--user", "ann")]
    words = ("Hello I am Ann", "I live in Oslo", "Oslo is fine", "Are you there?")
    assert sorted(said) == sorted(("user", text) for text in words)


def test_a_line_that_cannot_be_stored(shell: Shell) -> None:
    """It is refused before the model is asked, and the chat goes on."""
    out, err = chatting(shell, talking(), "He\0llo", "Hello")
    assert "the message holds a NUL" in err
    assert "I see." in out
    assert [each["text"] for each in shell.json("messages", "--user", "ann")] == ["Hello", "I see."]


def test_ctrl_c_while_it_learns(shell: Shell) -> None:
    """The chat ends, and what was said is stored with its facts."""
    model = talking()
    pressed: list[int] = []

    def script(asked: Asked) -> Reply:
        if asked_for(asked) == "remember" and not pressed:
            pressed.append(1)
            _thread.interrupt_main()
        return model(asked)

    chatting(shell, script, "Ann lives in Oslo.", "Ann likes tea.")
    assert [each["text"] for each in shell.json("facts", "--user", "ann")] == ["Ann lives in Oslo."]
    assert len(shell.json("messages", "--user", "ann")) == 2


def test_without_a_model(shell: Shell) -> None:
    """It says what to set, as `mem0g ask` does, and makes no store."""
    assert "OPENAI_API_KEY" in shell.fails("chat", "--user", "ann", stdin="Hello.\n")
    assert not shell.store.exists()


def test_input_that_is_not_text(shell: Shell) -> None:
    """Bytes that are not UTF-8 end it with one line."""
    with serving(talking()) as server:
        where = ("--base-url", server.base_url, "--model", "tiny")
        done = shell("chat", "--user", "ann", *where, stdin=b"\xff\xfe\n")  # type: ignore[arg-type]
    assert done.exit_code == 1
    assert "not UTF-8" in done.stderr
