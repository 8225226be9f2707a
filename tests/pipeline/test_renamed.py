"""An export that was renamed is the conversation that is known, in both stores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from mem0g.ingest.report import Report
from mem0g.memory import Memory
from mem0g.model import Utterance
from tests.pipeline.telling import ANN, EMBEDDER, Place, in_a_file, talk

SAID = (
    ("2024-03-01", "Ann", "Shall we go?"),
    ("2024-03-01", "Ben", "ok"),
    ("2024-03-01", "Ben", "ok"),
    ("2024-03-02", "Ann", "I live in Oslo."),
)
MORE = (("2024-03-03", "Ben", "ok"), ("2024-03-03", "Ben", "I live in Rome."))


def opened(place: Place) -> Memory:
    return Memory.open(place.address, embedder=EMBEDDER, extractor="rules", credentials=place.credentials)


def ingested(memory: Memory, *utterances: Utterance) -> Report:
    return sum(memory.ingest(utterances, **ANN), start=Report())


def kept(memory: Memory) -> list[tuple[str, int, str]]:
    return [(each.source, each.position, each.text) for each in memory.messages(**ANN)]


@in_a_file
def test_a_renamed_export_changes_nothing(place: Place) -> None:
    """Known by speaker, time and text; two equal lines of one minute stay two messages."""
    with opened(place) as memory:
        assert ingested(memory, *talk(*SAID, source="g.txt")).messages == 4
        before = kept(memory)
        report = ingested(memory, *talk(*SAID, source="g (1).txt"))
        assert (report.messages, report.known, report.known_from) == (0, 4, (("g (1).txt", "g.txt"),))
        assert kept(memory) == before
        assert memory.add(talk(*SAID, source="g (2).txt"), **ANN).known == 4
        assert memory.verify() == ()


def test_a_renamed_export_that_has_grown(place: Place) -> None:
    """Only what is new in it is added, after what is known; the next export under a third name knows both."""
    with opened(place) as memory:
        ingested(memory, *talk(*SAID, source="g.txt"))
        report = ingested(memory, *talk(*SAID, *MORE, source="g (1).txt"))
        assert (report.messages, report.known) == (2, 4)
        assert [each for each in kept(memory) if each[1] >= 4] == [("g.txt", 4, "ok"), ("g.txt", 5, "I live in Rome.")]
        assert ingested(memory, *talk(*SAID, *MORE, source="g (2).txt")).known == 6
        assert ingested(memory, *talk(*SAID, *MORE, source="g.txt")).known == 6
        assert memory.verify() == ()


@in_a_file
def test_an_export_that_begins_later(place: Place) -> None:
    """An export of the last messages goes on from the known conversation, with positions after it."""
    with opened(place) as memory:
        ingested(memory, *talk(*SAID, source="g.txt"))
        report = ingested(memory, *talk(*SAID[1:], *MORE, source="last.txt"))
        assert (report.messages, report.known) == (2, 3)
        assert [each[:2] for each in kept(memory)] == [("g.txt", position) for position in range(6)]


@in_a_file
def test_exports_that_come_together(place: Place) -> None:
    """Of two exports of one conversation in one folder, each message is added once."""
    with opened(place) as memory:
        both = [*talk(*SAID, *MORE, source="g (1).txt"), *talk(*SAID, source="g.txt")]
        report = ingested(memory, *both)
        assert (report.messages, report.known, report.known_from) == (6, 4, (("g.txt", "g (1).txt"),))
        assert len(kept(memory)) == 6


@in_a_file
def test_a_short_conversation_that_has_grown(place: Place) -> None:
    """A conversation of one message is known by that message."""
    with opened(place) as memory:
        ingested(memory, *talk(*SAID[:1], source="g.txt"))
        assert ingested(memory, *talk(*SAID, source="g (1).txt")).messages == 3


@in_a_file
def test_other_conversations(place: Place) -> None:
    """A wish sent to two chats at one time, other words, other speakers and other scopes make other messages."""
    wish = ("2024-01-01", "Ann", "Happy new year!")
    with opened(place) as memory:
        ingested(memory, *talk(wish, *SAID, source="family.txt"))
        for number, said in enumerate(
            (
                [wish, *MORE, *MORE],
                [(date, "Eve", words) for date, _, words in SAID],
                [(date, who, f"{words} Yes.") for date, who, words in SAID],
            )
        ):
            report = ingested(memory, *talk(*said, source=f"other {number}.txt"))
            assert (report.messages, report.known, report.known_from) == (len(said), 0, ())
        other = memory.ingest(talk(wish, *SAID, source="family (1).txt"), user_id="bob")
        assert sum(other, start=Report()).messages == 5


HIKE = (
    ("2024-03-01", "Ann", "Shall we go hiking on Sunday?"),
    ("2024-03-01", "Tom", "Yes! I live in Oslo now, by the way."),
    ("2024-03-02", "Ann", "Great"),
    ("2024-03-03", "Tom", "I have a dog called Rex."),
    ("2024-03-04", "Ann", "I work as a nurse."),
)
LATER = ("2024-04-01", "Tom", "I moved to Rome.")


def as_named(said: Iterable[tuple[str, str, str]], **names: str) -> list[tuple[str, str, str]]:
    return [(date, names.get(who, who), words) for date, who, words in said]


def test_a_contact_that_was_renamed(place: Place) -> None:
    """Known by time and text, and by the place of its name; what is new is said by the person who is known."""
    new = {"Tom": "Tom 🚲 new number"}
    with opened(place) as memory:
        ingested(memory, *talk(*HIKE, source="Tom.txt"))
        report = ingested(memory, *talk(*as_named([*HIKE, LATER], **new), source="Tom 🚲.txt"))
        assert (report.messages, report.known, report.known_speakers) == (1, 5, ((new["Tom"], "Tom"),))
        assert [each.speaker for each in memory.messages(**ANN)].count("Tom") == 3
        assert [each.text for each in memory.facts(relation="lives_in", **ANN)] == ["Tom moved to Rome."]
        again = ingested(memory, *talk(*as_named([*HIKE, LATER], **new), source="third.txt"))
        assert (again.messages, again.known) == (0, 6)
        assert ingested(memory, *talk(*HIKE, LATER, source="fourth.txt")).messages == 0
        assert memory.verify() == ()


@in_a_file
def test_a_contact_that_was_renamed_in_a_file_of_the_same_name(place: Place) -> None:
    """The messages are known by their places; the new ones are said by the person who is known."""
    with opened(place) as memory:
        ingested(memory, *talk(*HIKE))
        report = ingested(memory, *talk(*as_named([*HIKE, LATER], Tom="Thomas")))
        assert (report.messages, report.known, report.known_speakers) == (1, 5, (("Thomas", "Tom"),))
        assert {each.speaker for each in memory.messages(**ANN)} == {"Ann", "Tom"}
        assert ingested(memory, *talk(*as_named([*HIKE, LATER], Tom="Thomas"))).messages == 0


@in_a_file
@pytest.mark.parametrize(
    "names",
    [{"Ann": "My sister", "Tom": "+47 22 12 34 56"}, {"Ann": "You"}, {"Tom": "Thomas"}],
    ids=["all", "the first", "the second"],
)
@pytest.mark.parametrize("before", [0, 3])
def test_whoever_was_renamed(place: Place, names: dict[str, str], before: int) -> None:
    """All of them, as in an export of somebody else's phone; also where three messages of others come first."""
    others = tuple((f"2024-02-0{day}", "Zoe", f"Number {day}") for day in range(1, before + 1))
    with opened(place) as memory:
        ingested(memory, *talk(*others, *HIKE, source="a.txt"))
        report = ingested(memory, *talk(*others, *as_named(HIKE, **names), source="b.txt"))
        assert (report.messages, dict(report.known_speakers)) == (0, {new: old for old, new in names.items()})


@in_a_file
@pytest.mark.parametrize(
    "said",
    [
        [("2024-01-01", "Ann", "Happy new year!"), ("2024-01-01", "Eve", "Thanks, you too!"), *MORE, *MORE],
        as_named(HIKE, Ann="Tom", Tom="Ann"),
        as_named(HIKE, Ann="Eve", Tom="Eve"),
        [*as_named(HIKE[:3], Tom="Eve"), *((f"2024-03-0{day}", "Eve", f"No {day}") for day in (2, 2, 3, 4))],
    ],
    ids=["one greeting", "names swapped", "two names for one", "the same beginning"],
)
def test_who_was_not_renamed(place: Place, said: list[tuple[str, str, str]]) -> None:
    """Where little is the same, or no name is gone for each that is new, it is another conversation."""
    greeting = [("2024-01-01", "Ann", "Happy new year!"), ("2024-01-01", "Tom", "Thanks, you too!")]
    with opened(place) as memory:
        ingested(memory, *talk(*greeting, source="greeting.txt"), *talk(*HIKE, source="hike.txt"))
        report = ingested(memory, *talk(*said, source="other.txt"))
        assert (report.messages, report.known, report.known_speakers) == (len(said), 0, ())


@in_a_file
@pytest.mark.parametrize("dated", [True, False])
def test_without_times_the_name_counts(place: Place, dated: bool) -> None:
    """Messages without times are those of their file, as equal words without a time may be said twice."""
    with opened(place) as memory:
        for source, messages in (("g.txt", 4), ("g (1).txt", 0 if dated else 4)):
            told = [each if dated else replace(each, time=None) for each in talk(*SAID, source=source)]
            assert ingested(memory, *told).messages == messages
