"""Hand-judged pairs of relation names, and how many of them a method gets right.

``pairs.jsonl`` was made from the names of reference triples of five LOCOMO conversations: half of its pairs were drawn
from those that the registry joined when the file was made, half from those that it kept apart although their words are
similar. "same" means that the names are interchangeable: the same direction, the same tense (except for a present and
its progressive), the same degree, plan or wish.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.relations.joining import Method
from benchmarks.report import Row
from mem0g.errors import InputError

JUDGED = Path(__file__).parent / "pairs.jsonl"
"""The pairs that come with the benchmark."""

_HINT = 'each line is a JSON object like {"one": "IS_READING", "other": "READING", "same": true}'


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two relation names, and whether they are the same relation."""

    one: str
    other: str
    same: bool


def read_pairs(path: Path) -> list[JudgedPair]:
    """Return the pairs of a JSON Lines file. Raises InputError for a line that is not a pair, and for an empty file."""
    lines = enumerate(path.read_text("utf-8").splitlines(), start=1)
    pairs = [_pair(line, f"{path}, line {number}") for number, line in lines if line.strip()]
    if not pairs:
        raise InputError(f"{path} has no pairs", hint=_HINT)
    return pairs


def _pair(line: str, place: str) -> JudgedPair:
    try:
        given = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{place} is not JSON: {error}", hint=_HINT) from error
    if not isinstance(given, Mapping):
        raise InputError(f"{place} is not an object", hint=_HINT)
    one, other, same = (given.get(key) for key in ("one", "other", "same"))
    if not isinstance(one, str) or not isinstance(other, str) or not isinstance(same, bool):
        raise InputError(f"{place} is not a pair of names with a judgement", hint=_HINT)
    return JudgedPair(one, other, same)


def scored(method: str, join: Method, pairs: Sequence[JudgedPair], data: str) -> Row:
    """Return the figures of a method, which is given all names of the pairs in the order of the file.

    ``precision`` and ``recall`` of joined pairs are percentages (precision None if no pair is joined); ``wrong`` is the
    number of pairs that are joined but not the same.
    """
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.one, pair.other)))
    joined = join(names)
    together = [pair for pair in pairs if joined[pair.one] == joined[pair.other]]
    right, same = sum(pair.same for pair in together), sum(pair.same for pair in pairs)
    return {
        "method": method,
        "data": data,
        "joined": len(together),
        "wrong": len(together) - right,
        "precision": _percent(right, len(together)),
        "recall": _percent(right, same),
        "n": len(pairs),
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
