"""Hostile variations of real transcripts, triples and exports, and the outcomes of reading them."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from mem0g import Memory
from mem0g.errors import Mem0gError
from mem0g.store.sqlite import SqliteStore
from mem0g.testing import HashingEmbedder
from mem0g.transcripts import FORMATS, read_text
from mem0g.transcripts.decoding import decode
from mem0g.transfer.jsonl import export_lines, import_lines
from mem0g.transfer.triples import read_triples

Read = Callable[[bytes], object]
"""Reads bytes; raises the errors of reading them."""

EXAMPLES: Mapping[str, str] = {
    "locomo": '[{"sample_id": "conv-1", "conversation": {"speaker_a": "Ann", "speaker_b": "Ben", "session_1_date_time"'
    ': "1:56 pm on 8 May, 2023", "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "Hi!", "blip_caption": "a '
    'cat"}, {"speaker": "Ben", "dia_id": "D1:2", "text": "I moved to Oslo."}], "session_2": []}}]',
    "chatgpt": '[{"id": "c1", "title": "Trip", "create_time": 1700000000.5, "current_node": "b", "mapping": {"a": '
    '{"message": null, "parent": null}, "b": {"parent": "a", "message": {"id": "b", "author": {"role": "user", "name": '
    'null}, "create_time": 1700000001, "weight": 1.0, "recipient": "all", "metadata": {}, "content": {"content_type": '
    '"text", "parts": ["I live in Oslo.", {"text": "yes"}]}}}}}]',
    "beam": '[{"batch_number": 1, "turns": [[{"role": "user", "content": "I live in Oslo.", "id": 1, '
    '"time_anchor": "May-01-2024"}, {"role": "assistant", "content": "Nice!", "id": 2}]]}]',
    "claude": '[{"uuid": "c1", "name": "Trip", "created_at": "2024-05-01T10:00:00Z", "chat_messages": [{"uuid": "m1", '
    '"sender": "human", "text": "I live in Oslo.", "created_at": "2024-05-01T10:00:00.5Z"}, {"sender": "assistant", '
    '"text": "", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Nice!"}]}]}]',
    "telegram": '{"name": "Ben", "type": "personal_chat", "id": 7, "messages": [{"id": 1, "type": "message", "date": '
    '"2024-05-01T10:00:00", "date_unixtime": "1714557600", "from": "Ann", "from_id": "user1", "text": ["I live in ", '
    '{"type": "bold", "text": "Oslo"}, "."]}, {"id": 2, "type": "service", "actor_id": "user1", "text": ""}]}',
    "discord": '{"guild": {"name": "Home"}, "channel": {"name": "all"}, "messages": [{"id": "1", "type": "Default", '
    '"timestamp": "2024-05-01T10:00:00+00:00", "content": "I live in Oslo.", "author": {"name": "ann", "nickname": '
    '"Ann", "isBot": false}}, {"id": "2", "type": "Call", "content": "x", "author": null}]}',
    "slack": '[{"type": "message", "user": "U1", "text": "I live in <https://x.org|Oslo> &amp; work, <@U2>", "ts": '
    '"1714557600.000100", "user_profile": {"real_name": "Ann"}}, {"type": "message", "subtype": "channel_join", '
    '"text": "x", "ts": "1714557601.0"}]',
    "sharegpt": '[{"id": "s1", "conversations": [{"from": "human", "value": "I live in Oslo."}, {"from": "gpt", '
    '"value": "Nice!"}]}]',
    "mail": "From ann@x.org Wed May  1 10:00:00 2024\nFrom: Ann Lee <ann@x.org>\nDate: Wed, 01 May 2024 10:00:00 +0200"
    "\nSubject: =?utf-8?q?Re=3A_Caf=C3=A9?=\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b"
    "\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nI live in Oslo=2E\n\n"
    "On Wed, 1 May 2024, Ben wrote:\n> Where?\n-- \nAnn\n--b\nContent-Type: text/html\n\n<p>I live</p>\n--b--\n",
    "csv": 'id,author,when,text,thread\nm1,Ann,2024-05-01T10:00:00Z,"I live in Oslo, ""now""\nagain",a\n'
    "m2,Ben,31/05/2024 10:00 PM,Nice!,a\n",
    "notes": "---\ndate: 2024-05-01\n---\nI moved to Oslo in March.\n\nPlans\n=====\n- see [Ben](b.md) ![Ben](b.jpg)\n"
    "<!-- no -->\n2 May 2024\n## Ski\n```\n# code\n```\nI ski every day now.\n",
    "openai-jsonl": '{"role": "user", "content": "I live in Oslo.", "name": "Ann", "timestamp": "2024-05-01T10:00:00Z"'
    ', "session": "s1", "id": "m1"}\n{"role": "assistant", "content": [{"type": "text", "text": "Nice!"}], '
    '"timestamp": 1714557600}\n{"role": "assistant", "content": null, "tool_calls": [{"id": "t"}]}\n',
    "openai-json": '{"session": "s1", "timestamp": "2024-05-01", "messages": [{"role": "user", "content": "I live in '
    'Oslo."}, {"role": "assistant", "content": "Nice!", "name": "Bot", "timestamp": "2024-05-01T10:00:00+02:00"}]}',
    "vtt": "WEBVTT\n\nNOTE 1 May 2024 10:00\n\n1\n00:00:01.000 --> 00:00:02.500\n<v Ann>I live in <b>Oslo</b>.</v>\n\n"
    "00:03.000 --> 00:04.000 align:start\n<v.loud Ben>Nice! &amp; good.\n[Music]\n",
    "srt": "1\n00:00:01,000 --> 00:00:02,500\nAnn: I live in Oslo.\n\n2\n00:00:03,000 --> 00:00:04,000\nBen: {\\an8}"
    "Nice!\n(laughs)\n",
    "git-log": "commit 1234567890abcdef (HEAD -> main)\nAuthor: Ann Lee <ann@example.org>\nDate:   Fri Mar 1 09:00:00 "
    "2024 +0100\n\n    Search by words\n\n    Refs #3\n\n    Signed-off-by: Ann <a@b.c>\n\ndiff --git a/x b/x\n+y\n",
    "whatsapp": "[01/03/2024, 14:05:09] Ann: I live in Oslo.\n[01/03/2024, 14:06:00] Ben: Nice!\nTwo lines.\n"
    "[02/03/2024, 2:07:00 PM] ~ Ann: \u200e<attached: 1.jpg>\n[02/03/2024, 14:08:00] Ann changed the subject\n",
    "text": "---\ntitle: x\n---\n# Session 1 (1 May 2024 14:30)\n\n**Ann:** I live in Oslo.\n**Ben:** Nice!\nMore.\n\n"
    "## 2 May 2024\n**Ann:** Bye.\n```\ncode\n```\n",
    "triples": '{"id": "t1", "subject": "Ann", "subject_type": "person", "relation": "lives_in", "object": "Oslo", '
    '"object_type": "city", "text": "Ann lives in Oslo.", "valid_from": "2024-05-01", "valid_to": null, "evidence": '
    '[], "confidence": 0.9, "retracts": false}\n{"subject": "Ann", "relation": "knows", "object": "Ben", "text": "Ann '
    'knows Ben.", "valid_from": "2024-05"}\n',
}
"""A document of each kind that uses all features of the format; the export is made from a store."""

WORDS: Sequence[Any] = (
    None, True, -1, 0, 0.0, -0.0, 1.5, 1e308, 10**30, -(10**30), 2**63, float("nan"), float("inf"), "", " ", "\0",
    "\ud800", "\udfff\ud800", "x" * 5000, "\u202e\u2066", "e\u0301" * 50, "null", "1e400", "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+14:00", "2024-02-30", "2024-13-01", "2024-05-01T25:61:00", "99999-01-01", "-1", "2024",
    "12:61 pm on 31 February, 2023", "AAAA", "====", [], {}, [[]], [None], {"": None}, {"id": []}, "m_0", "e_0", "f_0",
)  # fmt: skip
"""Values that replace others."""

DEEP, HUGE = "@deep@", "@huge@"
"""Placeholders replaced, in the JSON text, by deeply nested lists and by a number of thousands of digits."""

SCRAPS: Sequence[bytes] = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", b"\r", b"\x0b", b"\xe2\x80\xa8", b"{", b"[", b'"',
    b"\\u0000", b"\\ud800", b"}", b"]", b",", b":", b"-->", b"<v ", b"&#xd800;", b"&#0;", b"---\n", b"```", b"# ",
    b"Ann: ", b"99:99:99.999", b"[31/02/2024, 25:61]", b"9" * 5000, b"[" * 100_000, b'{"a":' * 50_000, b"1 May 0000",
    b"31 Feb 2024", b"9999-12-31 23:59 -14:00", b"\n\n", b"session_" + b"9" * 30, b"1e999", b"NaN",
)  # fmt: skip
"""Bytes to insert."""


@dataclass(slots=True)
class Outcomes:
    """Counts of results, of errors of mem0g and of each other exception, with an example of each."""

    inputs: int = 0
    errors: int = 0
    tracebacks: Counter[str] = field(default_factory=Counter)
    examples: dict[str, bytes] = field(default_factory=dict)

    def row(self, reader: str) -> dict[str, Any]:
        """Return the row of the report."""
        results = self.inputs - self.errors - self.tracebacks.total()
        counts = {"inputs": self.inputs, "results": results, "errors": self.errors}
        return {"reader": reader, **counts, "tracebacks": self.tracebacks.total()}


def fuzz(read: Read, example: bytes, random: Random, outcomes: Outcomes) -> None:
    """Read one variation of ``example`` and count its outcome."""
    data = varied(example, random)
    outcomes.inputs += 1
    try:
        outcomes.errors += _is_refused(read, data)
    except Exception as error:  # noqa: BLE001 - the benchmark looks for any other exception
        name = f"{type(error).__name__}: {error}"[:120]
        outcomes.tracebacks[name] += 1
        outcomes.examples.setdefault(name, data)


def _is_refused(read: Read, data: bytes) -> bool:
    """Whether reading ends in an error of mem0g that can be printed."""
    try:
        read(data)
    except Mem0gError as error:
        f"{error} {error.hint}".encode()
        return True
    return False


def varied(example: bytes, random: Random) -> bytes:
    """Vary a document: its JSON if it has any, its lines, its bytes, or several of these."""
    data = example
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        data = random.choice((_other_json, _other_json, _other_json, _other_lines, _other_bytes))(data, random)
    return data


def _other_json(data: bytes, random: Random) -> bytes:
    """Change one of its JSON documents: the whole file, or one line."""
    try:
        return _changed(data, random)
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    try:
        lines[place] = _changed(lines[place], random)
    except (ValueError, RecursionError):
        return _other_lines(data, random)
    return b"\n".join(lines)


def _changed(data: bytes, random: Random) -> bytes:
    root = [json.loads(data)]
    places = list(_places(root))
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        _change(*random.choice(places), random)
    text = json.dumps(root[0], ensure_ascii=random.random() < 0.7)
    depth = random.choice((10, 150, 5000, 200_000))
    text = text.replace(f'"{DEEP}"', "[" * depth + "]" * depth).replace(f'"{HUGE}"', "9" * random.choice((400, 9000)))
    if random.random() < 0.1 and text.startswith("{"):  # a duplicate key
        text = f"{text[:-1]}, {text[1:]}" if len(text) > 2 else text
    return text.encode("utf-8", "surrogatepass")


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield all containers in a JSON value with each of their keys or indices."""
    found: list[Any] = [value]
    while found:
        each = found.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each))
        yield from ((each, key) for key in keys)
        found += [inner for key in keys if isinstance(inner := each[key], dict | list)]


def _change(within: Any, key: Any, random: Random) -> None:
    try:
        old = within[key]
    except (KeyError, IndexError):  # removed by an earlier change
        return
    action = random.random()
    if action < 0.2:
        del within[key]
        within.append(old) if isinstance(within, list) and not within else None
    elif action < 0.6:
        within[key] = random.choice((*WORDS, DEEP, HUGE))
    elif action < 0.7:
        within[key] = [old, old]
    elif action < 0.8:
        within[key] = {"text": old, "": old}
    elif isinstance(old, str) and old:
        cut = random.randrange(len(old))
        within[key] = old[:cut] + str(random.choice(WORDS)) + old[cut + random.randrange(3) :]
    elif isinstance(within, dict):
        within[str(random.choice(WORDS))] = old
    else:
        within.insert(0, old)


def _other_lines(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    place, other = random.randrange(len(lines)), random.randrange(len(lines))
    action = random.randrange(4)
    if action == 0:
        del lines[place]
    elif action == 1:
        lines.insert(other, lines[place])
    elif action == 2:
        lines[place], lines[other] = lines[other], lines[place]
    else:
        lines[place] = lines[place][: random.randrange(len(lines[place]) + 1)]
    return b"\n".join(lines)


def _other_bytes(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    action = random.randrange(5)
    if action == 0:
        return data[:place]
    if action == 1:
        return data[:place] + random.choice(SCRAPS) + data[place + random.randrange(4) :]
    if action == 2:
        return data[:place] + random.randbytes(random.randrange(1, 5)) + data[place:]
    if action == 3:
        return data.decode("utf-8", "replace").encode(
            random.choice(("utf-16", "utf-16-le", "utf-32", "latin-1")), "replace"
        )
    return data[:place] + data[place:].replace(random.choice((b'"', b":", b"\n", b" ", b"0")), random.choice(SCRAPS), 3)


@contextmanager
def readers(only: Sequence[str] = ()) -> Iterator[dict[str, tuple[bytes, Read]]]:
    """Yield an example and a reader for each transcript format, for triples and for exports."""
    with tempfile.TemporaryDirectory() as folder, _filled(Path(folder) / "filled.db") as memory:
        export = "\n".join(export_lines(memory.store)).encode()
        found = {name: (EXAMPLES[name].encode(), _transcripts(name)) for name in FORMATS}
        found["triples"] = (EXAMPLES["triples"].encode(), _triples(memory, Path(folder) / "triples.jsonl"))
        found["export"] = (export, _export(Path(folder)))
        yield {name: given for name, given in found.items() if not only or name in only}


@contextmanager
def _filled(path: Path) -> Iterator[Memory]:
    with Memory.open(path, embedder=HashingEmbedder(8), extractor="rules") as memory:
        said = ("I live in Oslo with my dog Bo.", "I moved to Bergen in May 2023.", "My sister Anna works at Equinor.")
        memory.add([{"role": "user", "name": "Ann", "content": each, "session": "s"} for each in said], user_id="ann")
        memory.add("I like tea.", user_id="ben", agent_id="bot")
        yield memory


def _transcripts(name: str) -> Read:
    def read(data: bytes) -> None:
        text = decode(data, "fuzzed")
        found = read_text(text, "fuzzed", format=name)
        for each in found:
            "".join((each.source, each.session, each.speaker, each.text, each.source_id or "")).encode()
        read_text(text, "fuzzed")

    return read


def _triples(memory: Memory, path: Path) -> Read:
    def read(data: bytes) -> None:
        path.write_bytes(data)
        memory.add_triples(read_triples(path), user_id="ann")

    return read


def _export(folder: Path) -> Read:
    """Return a reader that imports into a store of its own, reused while imports fail, as they must add nothing."""
    stores: list[SqliteStore] = []

    def read(data: bytes) -> None:
        if not stores:
            path = folder / "imported.db"
            for each in folder.glob("imported.db*"):
                each.unlink()
            stores.append(SqliteStore(path))
        try:
            import_lines(stores[0], data.decode("utf-8", "surrogateescape").split("\n"), part=True)
        except Exception:
            if stores[0].scopes():
                raise AssertionError("a refused import wrote something") from None
            raise
        list(export_lines(stores[0]))
        stores.pop().close()

    return read
