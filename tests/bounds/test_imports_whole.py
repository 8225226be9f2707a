"""An import is atomic: an invalid record is refused, and nothing is written."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mem0g.errors import InputError, Mem0gError
from mem0g.history.undo import in_force
from mem0g.model import Decision
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from mem0g.transfer.jsonl import export_lines, import_lines
from tests.making import ANN, AT, EMBEDDER, change, entity, fact, message

Record = dict[str, Any]


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    """An export of a message, two entities and a fact."""
    store = SqliteStore(tmp_path / "filled.db")
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    said = message("Ann lives in Oslo.", 0)
    ann, oslo = entity("Ann"), entity("Oslo")
    write(store, change(ANN, [said], [ann, oslo], [fact(ann, "LIVES_IN", oslo, evidence=(said.id,))]))
    exported = list(export_lines(store))
    store.close()
    return exported


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store."""
    store = SqliteStore(tmp_path / "empty.db")
    yield store
    store.close()


def edited(lines: list[str], kind: str, edit: Callable[[Record], object]) -> list[str]:
    """Return the lines with the first record of a kind changed by ``edit``, which is given the whole line."""
    place = next(place for place, line in enumerate(lines) if json.loads(line).get("kind") == kind)
    given = json.loads(lines[place])
    edit(given)
    return [*lines[:place], json.dumps(given), *lines[place + 1 :]]


def short(line: Record) -> None:
    line["vector"] = base64.b64encode(np.zeros(3, "<f4").tobytes()).decode()


def infinite(line: Record) -> None:
    line["vector"] = base64.b64encode(np.full(EMBEDDER.dimensions, np.inf, "<f4").tobytes()).decode()


@pytest.mark.parametrize(
    ("kind", "edit", "problem"),
    [
        ("messages", short, "a vector of 3 dimensions"),
        ("facts", infinite, "not a finite number"),
        ("facts", lambda line: line["record"].update(evidence=["m_none"]), "no message 'm_none' of its scope"),
        ("facts", lambda line: line["record"].update(subject_id="e_none"), "no entity 'e_none' of its scope"),
        ("facts", lambda line: line["record"].update(object_id="e_none"), "no entity 'e_none' of its scope"),
        ("facts", lambda line: line["record"].update(confidence=7), "confidence: 7.0 is not between 0 and 1"),
        (
            "facts",
            lambda line: line["record"].update(recorded_at="2024-01-01T00:00:00"),
            "2024-01-01T00:00:00 has no time zone",
        ),
        ("facts", lambda line: line["record"].update(text="a\ud800"), "half of a surrogate pair"),
        ("entities", lambda line: line["record"].update(merged_into="e_none"), "no entity 'e_none' of its scope"),
        ("entities", lambda line: line["record"]["scope"].update(user_id="eve"), "scope: the record is of user_id=eve"),
        ("messages", lambda line: line.update(scope={"user_id": "eve"}), "no message 'm_.*' of its scope"),
        ("messages", lambda line: line["record"].update(position=2**70), "more than 64 bits"),
        ("messages", lambda line: line["record"].update(position=-1), "position: -1 is negative"),
        ("messages", lambda line: line["record"].update(text="a\0b"), "NUL"),
        (
            "messages",
            lambda line: line["record"].update(time="9999-12-31T23:59:59-14:00"),
            "before the year 1 or after 9999",
        ),
        ("messages", lambda line: line["record"].update(id=""), "id: it is empty"),
    ],
)
def test_a_record_that_does_not_fit(
    lines: list[str], empty: SqliteStore, kind: str, edit: Callable[[Record], object], problem: str
) -> None:
    """The error names the line and what is wrong; nothing is written, and the embedder is not claimed."""
    with pytest.raises(InputError, match=f"(?s)^line [2-5] cannot be read: .*{problem}"):
        import_lines(empty, edited(lines, kind, edit))
    assert empty.scopes() == ()
    assert empty.info().embedder is None
    assert import_lines(empty, lines).records == len(lines) - 2


@pytest.mark.parametrize("line", ["[" * 200_000, '{"kind":' * 5000, '{"kind": "notes", "n": ' + "9" * 10_000 + "}"])
def test_what_cannot_be_loaded(lines: list[str], empty: SqliteStore, line: str) -> None:
    """Nesting thousands deep and numbers of thousands of digits are refused like other malformed lines."""
    with pytest.raises(InputError, match="line 3 cannot be read"):
        import_lines(empty, [*lines[:2], line])
    assert empty.scopes() == ()


def test_what_a_part_of_an_export_names_may_be_in_the_store(lines: list[str], empty: SqliteStore) -> None:
    """Facts may come in a separate file after the records they refer to."""
    facts = [line for line in lines[1:] if json.loads(line)["kind"] == "facts"]
    with pytest.raises(InputError, match="no entity"):
        import_lines(empty, [lines[0], *facts], part=True)
    import_lines(empty, [line for line in lines if line not in facts], part=True)
    assert import_lines(empty, [lines[0], *facts], part=True).facts == len(facts)


def test_a_record_that_is_twice_in_a_part(lines: list[str], empty: SqliteStore) -> None:
    """It is added once, and counted as new once."""
    copied = import_lines(empty, [*lines[:-1], *lines[1:-1]], part=True)
    scopes = [empty.stats(scope) for scope in empty.scopes()]
    assert copied.facts == sum(each.facts + each.retired for each in scopes) > 0
    assert copied.messages == sum(each.messages for each in scopes) > 0


def test_an_error_can_be_printed() -> None:
    """Lone surrogates are escaped in messages and hints."""
    error = Mem0gError("a\ud800b", hint="\udfff")
    assert (str(error), error.hint) == ("a\\ud800b", "\\udfff")


@pytest.mark.parametrize(
    ("before", "named"),
    [
        ({"created_facts": [{"id": "f_1"}]}, "created_facts.0"),
        ({"created_facts": True}, "created_facts"),
        ({"facts": [{"valid_from": None}]}, "facts.0.id"),
        ({"entities": [{"id": "e_1", "name": "Ann", "aliases": "A", "merged_into": None}]}, "entities.0.aliases"),
        ({"moved": [["f_1", "e_1"]]}, "moved.0"),
    ],
)
def test_an_image_that_could_not_be_undone(empty: SqliteStore, before: Record, named: str) -> None:
    """The image that a decision keeps for its undo is validated with the rest."""
    record = {"id": "d_1", "operation": "ADD", "rule": "new", "reason": "", "at": "2024-05-01T10:00:00Z"}
    line = {"kind": "decisions", "scope": {"user_id": "ann"}, "record": {**record, "before": before}}
    header = {"mem0g": 2, "embedder": EMBEDDER.name, "dimensions": EMBEDDER.dimensions, "relations": []}
    with pytest.raises(InputError, match=f"line 2 cannot be read: {named}"):
        import_lines(empty, [json.dumps(header), json.dumps(line)])
    assert empty.stats().decisions == {}


def test_undos_in_a_circle() -> None:
    """Following a log terminates when decisions undo each other, themselves, or the one before many times."""

    def undo(decision_id: str, *targets: str) -> Decision:
        return Decision(id=decision_id, operation="UNDO", rule="by hand", reason="", at=AT, targets=targets)

    assert in_force([undo("d_1")]) == {"d_1": True}  # what it undid was erased
    assert in_force([undo("d_1", "d_1")]) == {"d_1": True}
    assert set(in_force([undo("d_1", "d_2"), undo("d_2", "d_1")])) == {"d_1", "d_2"}
    chain = in_force([undo(f"d_{each}", f"d_{each - 1}") for each in range(1, 1501)])
    assert [chain["d_1500"], chain["d_1499"], chain["d_1498"], chain["d_0"]] == [True, False, True, True]
