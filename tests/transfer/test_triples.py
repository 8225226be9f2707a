"""Triples that another program extracted: what is read, and the errors of broken files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import TripleError
from mem0g.times import Moment
from mem0g.transfer.triples import read_triples

PLAIN: dict[str, Any] = {
    "subject": "Ada",
    "relation": "lives_in",
    "object": "Oslo",
    "text": "Ada has lived in Oslo since May 2023.",
}


def written(tmp_path: Path, *lines: dict[str, Any] | str) -> Path:
    """A file of these lines."""
    path = tmp_path / "triples.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def refused(path: Path) -> TripleError:
    """The error that reading ``path`` ends in."""
    with pytest.raises(TripleError) as caught:
        read_triples(path)
    return caught.value


def test_every_field_arrives(tmp_path: Path) -> None:
    """All fields of a line reach the triple; times keep their precision."""
    more = {
        "subject_type": "person",
        "object_type": "city",
        "valid_from": "2023-05",
        "valid_to": "2024-01-09",
        "evidence": ["D1:3", "D2:1"],
        "retracts": True,
        "confidence": 0.5,
        "brief": "has lived in Oslo",
        "observed": "2023-06-01",
        "planned_for": "2024",
    }
    (triple,) = read_triples(written(tmp_path, PLAIN | more))
    assert (triple.subject, triple.relation, triple.object) == ("Ada", "lives_in", "Oslo")
    assert triple.text == PLAIN["text"]
    assert (triple.subject_type, triple.object_type) == ("person", "city")
    assert (triple.valid_from, triple.valid_to) == (Moment.parse("2023-05"), Moment.parse("2024-01-09"))
    assert triple.evidence == ("D1:3", "D2:1")
    assert (triple.retracts, triple.confidence) == (True, 0.5)
    assert (triple.brief, triple.observed) == ("has lived in Oslo", Moment.parse("2023-06-01"))
    assert triple.planned_for == Moment.parse("2024")


def test_an_end_before_the_beginning_is_refused(tmp_path: Path) -> None:
    """The error names the line and both times."""
    error = refused(written(tmp_path, PLAIN, PLAIN | {"valid_from": "2012", "valid_to": "2009"}))
    assert "line 2: the end of the fact, 2009, is before its beginning, 2012" in str(error)


def test_four_fields_are_enough(tmp_path: Path) -> None:
    """Types, times and evidence may be left out or null."""
    nulls = {"subject_type": None, "valid_from": None, "valid_to": None, "evidence": None}
    bare, with_nulls = read_triples(written(tmp_path, PLAIN, PLAIN | nulls))
    assert bare == with_nulls
    assert (bare.subject_type, bare.valid_from, bare.evidence, bare.retracts) == ("", None, (), False)


def test_former_names_are_read(tmp_path: Path) -> None:
    """Lines of earlier versions have `fact` for `text` and `valid_until` for `valid_to`."""
    former = {name: value for name, value in PLAIN.items() if name != "text"} | {"fact": PLAIN["text"]}
    now, then = read_triples(
        written(tmp_path, PLAIN | {"valid_to": "2024-01-09"}, former | {"valid_until": "2024-01-09"})
    )
    assert then == now


def test_other_fields_are_passed_over(tmp_path: Path) -> None:
    """What a maker of triples notes for itself, its own verdicts on conflicts above all, changes nothing."""
    notes = {"id": "1-1", "session": 1, "invalidates": ["1-0"], "note": {"mood": "sure"}}
    assert read_triples(written(tmp_path, PLAIN | notes)) == read_triples(written(tmp_path, PLAIN))


def test_order_and_empty_lines(tmp_path: Path) -> None:
    """Triples come in the order of the lines; empty ones, a byte order mark and Windows line ends do no harm."""
    path = tmp_path / "triples.jsonl"
    lines = [json.dumps(PLAIN), "", json.dumps(PLAIN | {"object": "Bergen"}), "  "]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert [triple.object for triple in read_triples(path)] == ["Oslo", "Bergen"]


def test_odd_names_are_accepted(tmp_path: Path) -> None:
    """Right-to-left, emoji, quotes, backticks and line separators within a name are names."""
    names = ["שרה", "🦄", 'O\'Neil "the `boss`"', "one\u2028two"]
    triples = read_triples(written(tmp_path, *(PLAIN | {"subject": name} for name in names)))
    assert [triple.subject for triple in triples] == names


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{not json", "broken JSON"),
        (json.dumps(PLAIN)[:-5], "broken JSON"),
        ("[1, 2]", "no object"),
        ({"subject": "Ada", "relation": "is", "object": "x"}, "no 'text'"),
        (PLAIN | {"object": 5}, "'object' is 5"),
        (PLAIN | {"subject": None}, "'subject' is None"),
        (PLAIN | {"evidence": "D1:3"}, "'evidence' is 'D1:3'"),
        (PLAIN | {"evidence": [3]}, "'evidence.0' is 3"),
        (PLAIN | {"subject": ""}, "the triple's subject is empty"),
        (PLAIN | {"object": "  "}, "the triple's object is empty"),
        (PLAIN | {"text": ""}, "the triple's text is empty"),
        (PLAIN | {"object": "Os\0lo"}, "NUL byte"),
        (PLAIN | {"relation": "r" * 10_000}, "10000 characters"),
        (PLAIN | {"relation": "!?"}, "no letter"),
        (PLAIN | {"valid_from": "last May"}, "cannot read the time 'last May'"),
        (PLAIN | {"valid_to": "2023-02-30"}, "cannot read the time '2023-02-30'"),
        (PLAIN | {"confidence": 2.0}, "confidence 2.0"),
        (PLAIN | {"confidence": float("nan")}, "confidence"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: dict[str, Any] | str, problem: str) -> None:
    """The error names the file, the line and what is wrong with it, in one line, and has a hint where one helps."""
    path = written(tmp_path, PLAIN, "", line)
    error = refused(path)
    assert str(error).startswith(f"{path}, line 3: ")
    assert problem in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
def test_an_empty_file_is_named(tmp_path: Path, content: str) -> None:
    """A file without a single triple is a mistake, not nothing to do."""
    path = tmp_path / "empty.jsonl"
    path.write_text(content, encoding="utf-8")
    error = refused(path)
    assert str(error) == f"{path} is empty"
    assert error.hint


def test_no_such_file(tmp_path: Path) -> None:
    """A path to nothing is told as such."""
    error = refused(tmp_path / "nothing.jsonl")
    assert str(error) == f"no such file: {tmp_path / 'nothing.jsonl'}"
    assert error.hint


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A folder cannot be read as a file of triples."""
    assert str(refused(tmp_path)).startswith(f"cannot read {tmp_path}: ")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """A file in another encoding is told by the line where it shows."""
    path = tmp_path / "latin.jsonl"
    path.write_bytes(json.dumps(PLAIN).encode() + b"\n\xff\xfe\n")
    assert str(refused(path)) == f"{path}, line 2: not UTF-8"
