"""What strangers wrote reaches a terminal as escapes: real processes print a store whose every part is hostile."""

from __future__ import annotations

import json
import multiprocessing
import os
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mem0g.cli
from mem0g import Memory
from mem0g.cli.terminal import visible, visible_line
from mem0g.extract.protocol import Window
from mem0g.ingest.ledger import StoreLedger
from mem0g.ingest.pending import pending_of
from mem0g.llm.protocol import Call
from mem0g.model import Message
from mem0g.store.change import Change
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from tests.cli.conftest import Shell
from tests.making import ANN, AT

pytestmark = pytest.mark.slow

SEQUENCES = {
    "CSI": "\x1b[2J\x1b[31mred",
    "OSC title": "\x1b]0;owned\x07",
    "OSC link": "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "C1": "\x9b31m\x9d0;owned\x9c\x85",
    "backspaces": "safe\x08\x08\x08\x08evil\r\x7f\x0b\x0c",
    "bidi override": "\u202egnp.exe\u202c\u202a\u202b\u202d",
    "bidi isolates and marks": "\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c",
    "tags": "\U000e0001\U000e0041\U000e007f",
    "separators": "\u2028\u2029",
    "no width": "\u200b\ufeff\u2060\ufff9",
}
EVIL = "".join(SEQUENCES.values())
"""All of them in one text; no NUL, which no store takes."""

NAME = f"Mal{EVIL}lory"


def hostile(text: str) -> set[str]:
    """The characters of the text that a terminal obeys or hides."""
    hidden = "\u061c\u200b\u200e\u200f\u2060\ufeff\ufff9"
    return {
        char
        for char in text
        if (unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t")
        or unicodedata.bidirectional(char) in ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
        or 0xE0000 <= ord(char) <= 0xE007F
        or char in hidden
    }


@dataclass(frozen=True)
class Printed:
    """What a process printed."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Program:
    """Runs the program as a process of its own in a folder, on a store in it."""

    folder: Path
    forking: ForkServerContext

    def __call__(self, *words: str | bytes, stdin: bytes = b"", **more: str) -> Printed:
        """Run a command; everything printed is UTF-8."""
        environment = {**os.environ, "MEM0G_STORE": "memory.db", "COLUMNS": "200", **more}
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder) / name for name in ("in", "out", "err")]
            streams[0].write_bytes(stdin)
            given = ([os.fsdecode(word) for word in words], self.folder, environment, streams)
            process = self.forking.Process(target=run_program, args=given)
            process.start()
            process.join()
            out, err = (stream.read_bytes() for stream in streams[1:])
        assert b"Traceback" not in err, err
        assert process.exitcode is not None
        return Printed(process.exitcode, out.decode(), err.decode())


def run_program(words: list[str], folder: Path, environment: dict[str, str], streams: list[Path]) -> None:
    """Run the program in this process, forked from one that has imported it: starting Python takes longer than most
    commands. Its standard streams are real ones, with the encodings that Python gives them in a terminal of UTF-8."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, (stream, flags) in enumerate(zip(streams, (os.O_RDONLY, _WRITING, _WRITING), strict=True)):
        os.dup2(os.open(stream, flags), number)
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115 - for as long as the process lives
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process lives
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115 - for as long as the process lives
    sys.argv = ["mem0g", *words]
    mem0g.cli.main()


_WRITING = os.O_WRONLY | os.O_CREAT


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, minilm: None) -> Program:
    """A store in which names, types, relations, sessions, texts, ids, problems and models are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    shell = Shell(folder)
    said = {"role": "user", "name": NAME, "content": f"I live in Oslo {EVIL}.", "session": EVIL, "id": f"1{EVIL}"}
    made = [
        {
            "subject": NAME,
            "subject_type": f"per{EVIL}son",
            "relation": f"lives in {EVIL}",
            "object": f"Os{EVIL}lo{number}",
            "object_type": f"ci{EVIL}ty",
            "text": f"{NAME} lives in Oslo{number}.",
            "evidence": [said["id"]],
        }
        for number in range(2)
    ]
    talk = shell.file(f"talk{EVIL.replace('/', '')}.jsonl", json.dumps(said))
    triples = shell.file("t.jsonl", "\n".join(map(json.dumps, made)))
    shell.ok("ingest", talk, "--user", "ann", "--triples", triples)
    store = SqliteStore(shell.store)
    (message,) = store.list_messages(ANN, 5)
    _wait(store, message)
    call = Call(
        purpose="extract",
        model=f"gpt{EVIL}",
        scope=ANN,
        window="w",
        key="k",
        attempt=1,
        prompt_tokens=5,
        completion_tokens=5,
        seconds=1.0,
        at=AT,
    )
    StoreLedger(store).note(call, None)
    store.close()
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["tests.cli.test_terminal"])
    return Program(folder, forking)


def _wait(store: SqliteStore, message: Message) -> None:
    """A window that waits, with a hostile problem."""
    from mem0g.errors import UnusableReplyError

    window = Window(messages=(message,), context=(), speakers=(), scope=ANN)
    waits = pending_of(window, ANN, AT, UnusableReplyError(f"bad {EVIL}", reply=EVIL))
    write(store, Change(scope=ANN, windows=(waits,)))


def ids(program: Program) -> tuple[str, str]:
    """The ids of a fact and of an entity."""
    fact, *_ = json.loads(program("facts", "--user", "ann", "--json").out)
    return fact["id"], fact["subject_id"]


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("search", "Where does Mallory live?"),
    ("context", "Who lives in Oslo?"),
    ("facts",),
    ("entities",),
    ("show", "ENTITY"),
    ("show", "FACT"),
    ("history", "FACT"),
    ("why", "FACT"),
    ("stats",),
    ("relations",),
    ("costs",),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_prints_what_a_terminal_obeys(program: Program, words: tuple[str, ...]) -> None:
    """Read by people every hostile character is an escape; read by programs the JSON is exact."""
    fact, entity = ids(program)
    words = tuple({"FACT": fact, "ENTITY": entity}.get(word, word) for word in words)
    printed = program(*words, "--user", "ann")
    assert printed.code == 0, printed.err
    assert hostile(printed.out + printed.err) == set()
    if words[0] not in ("relations", "context"):  # these keep only letters and digits, or only what can be seen
        assert r"\x1b" in printed.out
    asked = program(*words, "--user", "ann", "--json")
    assert hostile(asked.out + asked.err) == set()
    found = json.loads(asked.out)
    if words[0] != "relations":
        assert _holds(found, EVIL)


def _holds(found: object, text: str) -> bool:
    """Whether a string somewhere in a JSON document has the text in it."""
    if isinstance(found, str):
        return text in found
    values = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return any(_holds(each, text) for each in values)


@pytest.mark.parametrize("form", ["tree", "graphml", "json", "mermaid", "dot", "html"])
def test_drawings(program: Program, form: str) -> None:
    """No drawing brings them to a terminal; those that programs read say exactly what there is."""
    _, entity = ids(program)
    printed = program("graph", entity, "--user", "ann", "--format", form)
    assert printed.code == 0, printed.err
    assert hostile(printed.out + printed.err) == set()
    if form == "json":
        assert _holds(json.loads(printed.out), NAME)
    if form == "graphml":
        import networkx as nx

        program("graph", entity, "--user", "ann", "--format", form, "-o", "drawn.graphml")
        read, kept = nx.parse_graphml(printed.out), nx.read_graphml(program.folder / "drawn.graphml")
        assert read.nodes[entity]["name"] == kept.nodes[entity]["name"]


def test_exports_are_exact(program: Program) -> None:
    """An export on standard output has escapes of JSON, one in a file has not; both hold the same."""
    printed = program("export", "--all")
    assert hostile(printed.out) == set()
    assert program("export", "--all", "--output", "export.jsonl").code == 0
    written = (program.folder / "export.jsonl").read_text(encoding="utf-8").split("\n")
    assert [json.loads(line) for line in written if line] == [
        json.loads(line) for line in printed.out.split("\n") if line
    ]
    assert hostile("".join(written))
    assert program("import", "export.jsonl", MEM0G_STORE="second.db").code == 0
    assert program("export", "--all", MEM0G_STORE="second.db").out == printed.out


HOSTILE_FILE = b"a\x1b]0;owned\x07\xe9\xff\xe2\x80\xae.jsonl"
"""The name of a file: with an escape, a bidi override and bytes that are not UTF-8."""


def test_errors_and_reports_of_files(program: Program) -> None:
    """File names in errors, hints and notes of skipped files are shown with escapes, whatever bytes they are."""
    folder = program.folder / "talks"
    folder.mkdir()
    broken = os.path.join(os.fsencode(folder), HOSTILE_FILE)  # noqa: PTH118 - bytes
    Path(os.fsdecode(broken)).write_text('{"a": 1}', encoding="utf-8")
    for words in (
        ("ingest", broken, "--user", "ann"),
        ("ingest", b"not there " + HOSTILE_FILE, "--user", "ann"),
        ("ingest", "talks", "--user", "ann"),
        ("import", broken),
        ("import", b"not there " + HOSTILE_FILE),
        ("stats", "--all", "--store", broken),
        ("stats", "--all", "--store", b"not there " + HOSTILE_FILE),
        ("export", "--all", "--output", b"not there/" + HOSTILE_FILE),
        ("ingest", "t.jsonl", "--user", "ann", "--triples", broken),
        ("context", "x", "--user", "ann", "--as-of", EVIL),
        ("show", EVIL, "--user", "ann"),
        ("facts", "--user", f"ann{EVIL}"),
        ("graph", "x", "--user", "ann", "--format", EVIL),
        ("search", b"caf\xe9 \xff", "--user", f"a{EVIL}"),
    ):
        printed = program(*words)
        assert printed.code == 1, words
        assert hostile(printed.out + printed.err) == set(), words
        assert printed.err.startswith("mem0g: ")
        assert len(printed.err.splitlines()) <= 2, printed.err
    (folder / "good.jsonl").write_text(json.dumps({"role": "user", "content": "I live in Oslo."}), encoding="utf-8")
    printed = program("ingest", "talks", "--user", "bob")
    assert printed.code == 0, printed.err
    assert hostile(printed.out + printed.err) == set()
    assert r"skipped talks/a\x1b]0;owned\x07\xe9\xff\u202e.jsonl" in printed.err


def test_a_file_whose_name_is_not_utf_8_is_read(program: Program) -> None:
    """By itself and in a folder; its source is its name with escapes for the bytes that are no text."""
    folder = program.folder / "named"
    folder.mkdir()
    path = os.path.join(os.fsencode(folder), b"caf\xe9.jsonl")  # noqa: PTH118 - bytes
    Path(os.fsdecode(path)).write_text(json.dumps({"role": "user", "content": "I live in Oslo."}), encoding="utf-8")
    for words in ((path,), ("named",)):
        printed = program("ingest", *words, "--user", "bob", MEM0G_STORE="named.db")
        assert printed.code == 0, printed.err
    with Memory.open(program.folder / "named.db", extractor="none") as memory:
        assert [message.source for message in memory.messages(user_id="bob")] == [r"caf\xe9.jsonl"]


@pytest.mark.parametrize(
    "words",
    [
        ("search", f"--{EVIL}"),
        (f"--{EVIL}",),
        (EVIL,),
        ("facts", "--user", "ann", "--limit", EVIL),
        ("facts", "--user", "ann", EVIL),
    ],
)
def test_errors_of_the_command_line(program: Program, words: Sequence[str]) -> None:
    """What cannot be parsed is quoted with escapes."""
    printed = program(*words)
    assert printed.code == 2
    assert printed.err
    assert hostile(printed.out + printed.err) == set()


def test_text_that_is_not_utf_8(program: Program) -> None:
    """An argument whose bytes are no UTF-8 is refused with a line, or taken; never a traceback."""
    for words in (("search", b"caf\xe9"), ("add", b"caf\xe9"), ("show", b"caf\xe9"), ("context", b"\xff")):
        printed = program(*words, "--user", "ann", MEM0G_STORE="named.db")
        assert hostile(printed.out + printed.err) == set()
        assert printed.code == 0 or printed.err.startswith("mem0g: ")


def test_questions_before_something_is_removed(program: Program) -> None:
    """A confirmation names the store's file with escapes."""
    name = "./" + f"m{EVIL}.db".replace("/", "")
    assert program("add", "I live in Oslo.", "--user", "ann", MEM0G_STORE=name).code == 0
    for words in (("init", "--drop"), ("forget", "--user", "ann")):
        printed = program(*words, stdin=b"n\n", MEM0G_STORE=name)
        assert printed.code == 1
        assert "Permanently" in printed.err
        assert hostile(printed.out + printed.err) == set()
    printed = program("doctor", MEM0G_STORE=name)
    assert r"\x1b" in printed.out
    assert hostile(printed.out + printed.err) == set()


def test_on_a_terminal_only_our_own_colours(program: Program) -> None:
    """On a real terminal there are colours, of mem0g's own making, and nothing else that it obeys."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "MEM0G_STORE": "memory.db", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "mem0g", "search", "Where does Mallory live?", "--user", "ann"]
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(command, cwd=program.folder, env=environment, stdout=follower, stderr=follower) as running:
        os.close(follower)
        read = b""
        while chunk := _read(leader):
            read += chunk
    assert running.returncode == 0
    os.close(leader)
    shown = read.decode().replace("\r\n", "\n")
    assert "\x1b[" in shown
    assert hostile(re.sub(r"\x1b\[[0-9;]*m", "", shown)) == set()


def _read(number: int) -> bytes:
    try:
        return os.read(number, 65536)
    except OSError:  # the other end of a terminal is closed
        return b""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_where_the_terminal_knows_no_unicode(program: Program, encoding: str) -> None:
    """What its encoding lacks is shown as an escape; JSON is read back the same."""
    more = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    _, entity = ids(program)
    environment = {**os.environ, "MEM0G_STORE": "memory.db", **more}
    command = [sys.executable, "-m", "mem0g", "show", entity, "--user", "ann"]
    for words in ([], ["--json"]):
        done = subprocess.run([*command, *words], cwd=program.folder, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        done.stdout.decode(encoding)
    assert _holds(json.loads(done.stdout.decode(encoding)), NAME)


def test_no_command_prints_past_the_terminal() -> None:
    """Only terminal.py calls typer's printing, print, rich's console or writes to the standard streams."""
    room = Path(mem0g.cli.__file__).parent
    past = re.compile(
        r"typer\.(echo|secho|style|confirm|prompt|echo_via_pager)|\bprint\(|Console\(|sys\.std(out|err)\.(write|buffer)"
    )
    found = {
        f"{path.name}:{number}"
        for path in room.glob("*.py")
        if path.name != "terminal.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if past.search(line)
    }
    assert found == set()


@given(st.text(st.one_of(st.characters(), st.sampled_from(EVIL))))
def test_visible(text: str) -> None:
    """Nothing hostile is left of any text; what is not hostile stays as it is; a line stays one line."""
    assert hostile(visible(text)) == set()
    assert len(visible_line(text).splitlines()) <= 1
    if not hostile(text):
        assert visible(text) == text


@pytest.mark.parametrize(
    "text", ["Åse", "مريم", "می‌خواهم", "👩‍🚀", "हिन्दी", "葛󠄀城", "a\tb\nc", "naïve — “quoted” €5", "①②"]
)
def test_what_people_write_stays(text: str) -> None:
    """Letters and marks of every script, joiners and emoji are no hostile characters."""
    assert visible(text) == text


def test_the_forms_of_escapes() -> None:
    """Two digits, four or eight, as in Python; a byte of a name that is not UTF-8 is that byte."""
    assert visible("\x1b\x9b\u202e\U000e0041\udce9") == r"\x1b\x9b\u202e\U000e0041\xe9"
    assert visible_line("a\nmem0g: all is well") == r"a\nmem0g: all is well"
