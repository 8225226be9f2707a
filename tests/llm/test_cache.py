"""A run's replies in a file: shared, replayed, and safe to write by several at once."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mem0g.errors import InputError
from mem0g.llm.cache import ReplyCache
from tests.llm.asking import GOOD, MemoryLedger, OpenAIExchange, Places, model, request
from tests.llm.server import call, serving

REPLY = Places.model_validate(GOOD)
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mem0g.llm.cache import ReplyCache
cache = ReplyCache(Path(sys.argv[1]))
for i in range(100):
    cache.keep(f"{sys.argv[2]}-{i}", "extract", "tiny", '{"text": "' + "x" * 5000 + '"}', datetime.now(UTC))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.jsonl"


def keep(path: Path, key: str, value: object = GOOD) -> None:
    ReplyCache(path).keep(key, "extract", "tiny", json.dumps(value), AT)


def test_replay_without_a_server(path: Path, ledger: MemoryLedger) -> None:
    """What a run has asked is answered from its file without server, key or cost."""
    with serving([call(GOOD)]) as server:
        model(server, cache=ReplyCache(path)).ask(request(), ledger)
    assert OpenAIExchange("tiny", cache=ReplyCache(path)).ask(request(), ledger) == REPLY
    asked, replayed = ledger.calls
    assert (asked.cached, replayed.cached) == (False, True)
    assert (replayed.prompt_tokens, replayed.completion_tokens, replayed.seconds) == (0, 0, 0.0)
    assert len(path.read_text().splitlines()) == 1


def test_hints_are_not_asked(path: Path, ledger: MemoryLedger) -> None:
    """A summary that was ready in one run and not in the other changes nothing."""
    keep(path, request(hints="A summary.").key("tiny"))
    assert OpenAIExchange("tiny", cache=ReplyCache(path)).ask(request(), ledger) == REPLY


def test_line(path: Path, ledger: MemoryLedger) -> None:
    """A line has the key, the purpose, the model, the time and the reply as an object, in the script it is in."""
    reply = {"places": [{"name": "Tromsø 東京", "people": 7}], "sure": False}
    with serving([call(json.dumps(reply))]) as server:
        model(server, cache=ReplyCache(path)).ask(request(), ledger)
    text = path.read_text(encoding="utf-8")
    assert "Tromsø 東京" in text
    line = json.loads(text)
    created = datetime.fromisoformat(line.pop("created"))
    assert created.tzinfo
    assert line == {"key": request().key("tiny"), "purpose": "extract", "model": "tiny", "reply": reply}


def test_repaired_reply(path: Path, ledger: MemoryLedger) -> None:
    """Only the good reply is written."""
    with serving([call("{"), call(GOOD)]) as server:
        model(server, cache=ReplyCache(path)).ask(request(), ledger)
    assert [json.loads(line)["reply"] for line in path.read_text().splitlines()] == [GOOD]


def test_reply_that_fits_no_more(path: Path, ledger: MemoryLedger) -> None:
    """A reply that the request refuses is asked for again, and the new one counts from then on."""
    keep(path, request().key("tiny"), {"places": []})
    with serving([call(GOOD)]) as server:
        model(server, cache=ReplyCache(path)).ask(request(), ledger)
    assert OpenAIExchange("tiny", cache=ReplyCache(path)).ask(request(), ledger) == REPLY
    assert len(path.read_text().splitlines()) == 2


def test_reply_of_the_ledger(path: Path, ledger: MemoryLedger) -> None:
    """A reply that the ledger kept is written too, so that the file is whole."""
    ledger.replies[request().key("tiny")] = json.dumps(GOOD)
    OpenAIExchange("tiny", cache=ReplyCache(path)).ask(request(), ledger)
    assert ReplyCache(path).reply(request().key("tiny")) == json.dumps(GOOD)


def test_last_line_counts(path: Path) -> None:
    """Of several lines of one key the last counts; what is there already is not written again."""
    keep(path, "k", {"a": 1})
    keep(path, "k", {"a": 2})
    keep(path, "k", {"a": 2})
    assert ReplyCache(path).reply("k") == '{"a": 2}'
    assert len(path.read_text().splitlines()) == 2


def test_no_file_yet(path: Path) -> None:
    """The file is made when the first reply is written, with its folder, and not before."""
    deep = path.parent / "runs" / "1" / "replies.jsonl"
    assert ReplyCache(deep).reply("k") is None
    assert not deep.exists()
    keep(deep, "k")
    assert ReplyCache(deep).reply("k") == json.dumps(GOOD)


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_torn_line(path: Path, cut: int) -> None:
    """A line that a crash cut short is passed over, then and after others were written behind it."""
    keep(path, "one")
    keep(path, "två", {"text": "åäö"})
    path.write_bytes(path.read_bytes()[:-cut])
    assert ReplyCache(path).reply("one")
    keep(path, "three")
    keep(path, "four")
    found = ReplyCache(path)
    assert all(found.reply(key) for key in ("one", "three", "four"))
    assert (found.reply("två") is None) == (cut > 1)  # a whole line without its end counts


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"key": "k"}',
        '{"key": "k", "reply": "text"}',
        '{"key": 1, "reply": {}}',
        '{"key": "k',
        "\udcff",
    ],
)
def test_unreadable_line(path: Path, line: str) -> None:
    """Any other line that is no reply is an error that names file and line."""
    keep(path, "one")
    path.write_bytes(path.read_bytes() + line.encode("utf-8", "surrogateescape") + b"\n")
    for _ in range(2):
        with pytest.raises(InputError, match=f"{path.name}, line 2: not a model's reply") as caught:
            ReplyCache(path)
        assert "remove the line" in str(caught.value.hint)
        path.write_bytes(path.read_bytes() + b'{"key": "k", "reply": {}}\n')


def test_another_file_by_mistake(path: Path) -> None:
    """A file of one line that is none of ours is not taken for a torn line."""
    path.write_text("Dear diary")
    with pytest.raises(InputError, match="line 1"):
        ReplyCache(path)


def test_empty_lines_and_more_fields(path: Path) -> None:
    """Empty lines, Windows' line ends and fields of one's own are no problem."""
    path.write_text('\n{"key": "k", "reply": {"a": 1}, "note": "mine"}\r\n\r\n')
    assert ReplyCache(path).reply("k") == '{"a": 1}'


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder in place of the file is an error that names it."""
    with pytest.raises(InputError, match=str(tmp_path)):
        ReplyCache(tmp_path)


def test_file_that_cannot_be_written(path: Path, ledger: MemoryLedger) -> None:
    """A file that cannot be written is an error; the reply that was paid for is in the ledger by then."""
    cache = ReplyCache(path)
    path.mkdir()
    with serving([call(GOOD)]) as server, pytest.raises(InputError, match="cannot write the reply cache") as caught:
        model(server, cache=cache).ask(request(), ledger)
    assert path.name in str(caught.value)
    assert ledger.reply(request().key("tiny"), None) == json.dumps(GOOD)


def test_threads(path: Path) -> None:
    """Many threads may write at once, each a whole line."""
    cache = ReplyCache(path)
    text = json.dumps({"text": "x" * 20_000})
    with ThreadPoolExecutor(8) as threads:
        for i in range(200):
            threads.submit(cache.keep, f"k{i}", "extract", "tiny", text, AT)
    found = ReplyCache(path)
    assert all(found.reply(f"k{i}") == text for i in range(200))


@pytest.mark.slow
def test_processes(path: Path) -> None:
    """Two processes may write at once, each whole lines."""
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    found = ReplyCache(path)
    assert all(found.reply(f"{name}-{i}") for name in "ab" for i in range(100))


def test_forgetting_replies(path: Path) -> None:
    """The lines of the keys go, what a crash left too; the rest stays, and what is added later is kept."""
    cache = ReplyCache(path)
    for key, value in (("a", "tea"), ("b", "milk"), ("a", "coffee"), ("c", "water")):
        cache.keep(key, "extract", "tiny", json.dumps({"a": value}), AT)
    with path.open("ab") as file:
        file.write(b'{"key": "d", "reply": {"a": "wine')
    assert cache.forget(["a", "x"]) == 1
    content = path.read_bytes()
    assert not [word for word in (b"tea", b"coffee", b"wine") if word in content]
    assert cache.reply("a") is None
    cache.keep("a", "extract", "tiny", '{"a": "cocoa"}', AT)
    again = ReplyCache(path)
    assert [again.reply(key) for key in "abc"] == ['{"a": "cocoa"}', '{"a": "milk"}', '{"a": "water"}']
    assert cache.forget(["x"]) == 0
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_forgetting_without_a_file(tmp_path: Path) -> None:
    """Where nothing was kept, nothing is forgotten and no file is made."""
    assert ReplyCache(tmp_path / "none.jsonl").forget(["a"]) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_forgetting_beside_writers(path: Path) -> None:
    """What other processes add while the file is replaced is not lost."""
    script = (
        "import sys; from tests.llm.test_cache import *\n"
        "cache = ReplyCache(Path(sys.argv[1]))\n"
        "for n in range(300): cache.keep(f'{sys.argv[2]} {n}', 'extract', 'tiny', json.dumps({'a': n}), AT)"
    )
    ReplyCache(path).keep("gone 0", "extract", "tiny", '{"a": 0}', AT)
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in ("one", "two")]
    number = 0
    while any(each.poll() is None for each in writers):
        cache = ReplyCache(path)
        cache.keep(f"gone {number + 1}", "extract", "tiny", '{"a": 1}', AT)
        assert cache.forget([f"gone {number}", f"gone {number + 1}"]) >= 1
        number += 1
    assert [each.wait() for each in writers] == [0, 0]
    found = ReplyCache(path)
    assert all(found.reply(f"{name} {n}") for name in ("one", "two") for n in range(300))
