"""A later number of the same attribute, and a later version of the same tool, replace the earlier one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g.extract.rules.extractor import RulesExtractor
from mem0g.memory import Memory
from mem0g.store.sqlite import SqliteStore
from tests.making import EMBEDDER


def objects(path: Path, *said: str) -> list[str]:
    """The objects of the current facts after Uma said these things, a day apart."""
    with Memory(SqliteStore(path / "memory.db"), EMBEDDER, RulesExtractor()) as memory:
        for number, text in enumerate(said, start=1):
            message = {"role": "user", "content": text, "timestamp": f"2024-03-{number:02}T10:00:00Z"}
            memory.add([message], user_id="uma")
        return [fact.object for fact in memory.facts(user_id="uma")]


@pytest.mark.parametrize(
    ("earlier", "later", "left"),
    [
        ("Our test coverage is 78%.", "Our test coverage is now 82%.", ["82%"]),
        ("My search page loads in 900 ms.", "My search page now loads in 350 ms.", ["350 ms"]),
        ("We have merged 150 commits into main.", "We have now merged 165 commits into main.", ["165"]),
        ("I'm using Django 4.2.", "I'm using Django 5.0 now.", ["Django 5.0"]),
        ("We use MariaDB 10.", "We upgraded to MariaDB 11.", ["MariaDB 11"]),
        ("The repository has 150 commits.", "The repository has 165 commits.", ["165"]),
        ("I've been to 7 countries.", "I've now been to 8 countries.", ["8"]),
        ("Our release date is 4 July 2024.", "Our release date is 8 July 2024.", ["8 July 2024"]),
        ("My budget is $2,000.", "My budget is $2,000.", ["$2,000"]),
    ],
)
def test_the_later_one_is_current(tmp_path: Path, earlier: str, later: str, left: list[str]) -> None:
    """The earlier one is retired; the same one again changes nothing."""
    assert objects(tmp_path, earlier, later) == left


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        ("My search page loads in 900 ms.", "My start page loads in 350 ms.", ["900 ms", "350 ms"]),
        ("We have merged 150 commits into main.", "We have 12 workers now.", ["150", "12"]),
        ("I'm using Django 4.2.", "I'm using Python 3.12.", ["Django 4.2", "Python 3.12"]),
    ],
)
def test_other_attributes_stay(tmp_path: Path, one: str, two: str, both: list[str]) -> None:
    """Another thing, another count, another tool."""
    assert sorted(objects(tmp_path, one, two)) == sorted(both)
