"""Facts of which one holds at a time have the same intervals in whatever order they are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.memory import Memory
from mem0g.model import Fact
from tests.making import EMBEDDER
from tests.pipeline.telling import Place

CITIES = ("Rome", "Lima", "Oslo", "Porto", "Lyon")
FIRST = datetime(2020, 1, 1, tzinfo=UTC)
USERS = count()


class Said(NamedTuple):
    """A sentence of Ann's, and the day on which she said it."""

    day: str
    text: str

    def message(self) -> dict[str, Any]:
        """The message as it is added."""
        told = {"role": "user", "name": "Ann", "content": self.text, "timestamp": f"{self.day}T12:00:00Z"}
        return {**told, "id": f"{self.day} {self.text}"}


ROME, LIMA, OSLO = (
    Said("2023-01-01", "I live in Rome."),
    Said("2023-06-01", "I live in Lima."),
    Said("2024-01-02", "I live in Oslo."),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory in a file, whose facts rules extract and decide about."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="rules") as opened:
        yield opened


@st.composite
def told(draw: st.DrawFn) -> list[Said]:
    """Three to five homes in any order of telling; some say since when, and all are said while they hold."""
    cities = draw(st.permutations(CITIES).map(lambda each: each[: draw(st.integers(3, 5))]))
    said, begun = [], FIRST
    for city in cities:
        begun += timedelta(days=draw(st.integers(2, 500)))
        dated = draw(st.booleans())
        later = begun + timedelta(days=draw(st.integers(0, 1)) if dated else 0)
        text = f"I have lived in {city} since {begun.day} {begun:%B} {begun.year}." if dated else f"I live in {city}."
        said.append(Said(f"{later:%Y-%m-%d}", text))
        begun = later
    return draw(st.permutations(said))


def add(memory: Memory, said: Sequence[Said], *, together: bool = False) -> str:
    """Tell it to a new user, in one call or in one call each; return the user."""
    user = f"u{next(USERS)}"
    for part in [said] if together else [[each] for each in said]:
        memory.add([each.message() for each in part], user_id=user)
    return user


def intervals(memory: Memory, user: str) -> list[tuple[str, str, str, bool]]:
    """The homes known, with their times and whether they are current."""
    facts = memory.facts(user_id=user, relation="lives_in", include_retired=True)
    return sorted((each.object, _begun(each), str(each.valid_to or ""), each.current) for each in facts)


def replaced(memory: Memory, user: str) -> dict[str, str]:
    """Which home replaced which."""
    facts = {each.id: each.object for each in memory.facts(user_id=user, include_retired=True)}
    links = [link for each in facts for link in memory.why(each, user_id=user).successions if link.fact_id == each]
    assert len(links) == len({each.fact_id for each in links})
    return {facts[each.fact_id]: facts[each.successor_id or ""] for each in links}


def _begun(fact: Fact) -> str:
    return str(fact.valid_from or fact.said_at)


def test_a_home_told_late_ends_the_one_before(place: Place) -> None:
    """Each home ends where the next one begins, in every order and in both stores, and one is true at each time."""
    ended = {"Rome": "2023-06-01T12:00:00Z", "Lima": "2024-01-02T12:00:00Z", "Oslo": "None"}
    with Memory.open(place.address, embedder=EMBEDDER, extractor="rules", credentials=place.credentials) as memory:
        for order in permutations((ROME, LIMA, OSLO)):
            user = add(memory, order)
            facts = memory.facts(user_id=user, include_retired=True)
            assert {each.object: str(each.valid_to) for each in facts} == ended
            assert [each.object for each in facts if each.current] == ["Oslo"]
            homes = [
                [each.object for each in memory.facts(user_id=user, as_of=day)]
                for day in ("2023-03", "2023-08", "2024-03")
            ]
            assert homes == [["Rome"], ["Lima"], ["Oslo"]]
            assert replaced(memory, user) == {"Rome": "Lima", "Lima": "Oslo"}
            assert memory.verify() == ()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=told(), together=st.booleans())
def test_every_order_gives_the_same_intervals(memory: Memory, said: list[Said], together: bool) -> None:
    """Three to five homes told in any order, one by one or in one call, have the intervals of the order of time."""
    user = add(memory, said, together=together)
    in_order = add(memory, sorted(said))
    assert intervals(memory, user) == intervals(memory, in_order)
    assert replaced(memory, user) == replaced(memory, in_order)
    assert all(len(memory.facts(user_id=user, relation="lives_in", as_of=each.day)) == 1 for each in said)


def test_ingesting_again_changes_nothing(memory: Memory) -> None:
    """Messages that are known move no end a second time."""
    user = add(memory, (ROME, OSLO, LIMA))
    before = memory.facts(user_id=user, include_retired=True), memory.decisions(user_id=user)
    for each in (LIMA, OSLO, ROME):
        memory.add([each.message()], user_id=user)
    assert (memory.facts(user_id=user, include_retired=True), memory.decisions(user_id=user)) == before


def test_the_log_shows_the_end_that_moved_and_undoes_it(memory: Memory) -> None:
    """The decision names the fact whose end moved; undone, the fact ends where it did, and undone again it moves."""
    user = add(memory, (ROME, OSLO))
    before = intervals(memory, user)
    memory.add([LIMA.message()], user_id=user)
    after = intervals(memory, user)
    rome = next(each for each in memory.facts(user_id=user, include_retired=True) if each.object == "Rome")
    decision = memory.decisions(user_id=user)[0]
    assert (decision.operation, decision.rule) == ("UPDATE", "about an earlier time")
    assert decision.targets == (rome.id,)
    assert [each["valid_to"] for each in decision.before["facts"]] == ["2024-01-02T12:00:00Z"]
    (undone,) = memory.undo(decision.id, user_id=user)
    assert [each for each in intervals(memory, user) if each[0] != "Lima"] == before
    assert replaced_by(memory, user, rome.id) == "Oslo"
    memory.undo(undone.id, user_id=user)
    assert intervals(memory, user) == after
    assert replaced_by(memory, user, rome.id) == "Lima"


def replaced_by(memory: Memory, user: str, fact_id: str) -> str:
    """The home that replaced a fact."""
    facts = {each.id: each.object for each in memory.facts(user_id=user, include_retired=True)}
    (link,) = (each for each in memory.why(fact_id, user_id=user).successions if each.fact_id == fact_id)
    return facts[link.successor_id or ""]


def test_an_end_that_was_given_stays(memory: Memory) -> None:
    """The end that a user or a triple gave is not moved, also where it is the day on which the next home begins."""
    by_hand = add(memory, (ROME,))
    (rome,) = memory.facts(user_id=by_hand)
    memory.retire(rome.id, valid_to="2024", user_id=by_hand)
    given_with_it = f"u{next(USERS)}"
    memory.add_fact(
        subject="Ann", relation="lives_in", object="Rome", valid_from="2023", valid_to="2025", user_id=given_with_it
    )
    for user, end in ((by_hand, "2024"), (given_with_it, "2025")):
        memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", valid_from=end, user_id=user)
        memory.add_fact(subject="Ann", relation="lives_in", object="Lima", valid_from="2023-06", user_id=user)
        ends = {each.object: str(each.valid_to) for each in memory.facts(user_id=user, include_retired=True)}
        assert ends == {"Rome": end, "Lima": end, "Oslo": "None"}


def test_an_older_message_is_about_before_a_date_that_was_told_later(memory: Memory) -> None:
    """Where one of two says since when, the later message counts, also if the older one is added after it."""
    older, later = Said("2023-05-01", "I live in Rome."), Said("2024-05-01", "I have lived in Oslo since 2022.")
    one, other = add(memory, (older, later)), add(memory, (later, older))
    assert intervals(memory, one) == intervals(memory, other)
    assert [each.object for each in memory.facts(user_id=other, relation="lives_in")] == ["Oslo"]


@pytest.mark.parametrize(("ahead", "home"), [(timedelta(seconds=5), "Rome"), (timedelta(days=30), "Oslo")])
def test_a_clock_that_is_behind(memory: Memory, ahead: timedelta, home: str) -> None:
    """What is said last in a session is the latest, though the clock was ahead before; but not by weeks."""
    before = {"role": "user", "content": "I live in Oslo.", "timestamp": datetime.now(UTC) + ahead}
    memory.add([before], user_id="ann")
    memory.add("I live in Rome.", user_id="ann")
    assert [fact.object for fact in memory.facts(user_id="ann")] == [home]
    first, last = (message.time for message in memory.messages(user_id="ann"))
    assert first
    assert last
    assert (first <= last) is (home == "Rome")
