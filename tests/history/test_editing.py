"""Changing a memory by hand, through the facade."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import InputError, NotFoundError, QueryError, TimeError, UndoError
from mem0g.ingest.report import Report
from mem0g.memory import Memory
from mem0g.model import Fact, Scope
from mem0g.store.sqlite import SqliteStore
from mem0g.store.sqlite.transaction import SqliteTransaction
from mem0g.times import Moment
from tests.making import EMBEDDER, triple

U: dict[str, Any] = {"user_id": "ann"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory that reads by rules."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="rules") as opened:
        yield opened


def kinds(report: Report) -> list[tuple[str, str]]:
    """What became of which sentence."""
    return [(each.kind, each.text) for each in report.changes]


def only(memory: Memory, relation: str) -> Fact:
    """The one current fact of a relation."""
    (found,) = memory.facts(relation=relation, **U)
    return found


def test_a_line_is_read(memory: Memory) -> None:
    """A line is read as said by the scope's user; no message is stored; the decision is the user's."""
    report = memory.add_fact("I live in Oslo.", valid_from="2020", **U)
    home = only(memory, "lives_in")
    assert (home.subject, home.object, str(home.valid_from), home.evidence) == ("ann", "Oslo", "2020", ())
    assert kinds(report) == [("added", home.text)]
    assert memory.messages(**U) == ()
    assert [each.decided_by for each in memory.decisions(about=home.id, **U)] == ["user"]


def test_a_line_that_says_nothing_known_is_noted(memory: Memory) -> None:
    """What the rules cannot read is a fact of the speaker with the line as its object, and is found."""
    memory.add_fact("Peanuts: never!", **U)
    noted = only(memory, "noted")
    assert (noted.subject, noted.object, noted.object_type) == ("ann", "Peanuts: never!", "literal")
    assert memory.search("peanuts", **U)[0].fact == noted


def test_a_triple_about_the_user(memory: Memory) -> None:
    """It names the user as messages do, also in a correction; another pronoun is refused and writes nothing."""
    memory.add("I live in Oslo.", **U)
    report = memory.add_fact(subject="the user", relation="lives in", object="Rome", **U)
    assert kinds(report) == [("updated", "ann lives in Rome."), ("retired", "ann lives in Oslo.")]
    memory.add_fact(subject="Bo", relation="knows", object="Kim", **U)
    memory.correct(only(memory, "knows").id, object="me", **U)
    known = only(memory, "knows")
    assert (known.object, known.text) == ("ann", "Bo knows ann.")
    with pytest.raises(InputError, match="'she' is a pronoun"):
        memory.add_fact(subject="she", relation="likes", object="tea", **U)
    with pytest.raises(InputError, match="'I' is the user, and none is given"):
        memory.add_fact(subject="I", relation="likes", object="tea", agent_id="bot")
    assert {each.name for each, _ in memory.entities(**U)} == {"ann", "Bo", "Kim", "Oslo", "Rome"}


def test_a_triple_is_judged_as_any(memory: Memory) -> None:
    """A new home retires the old one, the same again confirms it, and the report says which."""
    memory.add_fact(subject="Ann", relation="lives in", object="Oslo", **U)
    report = memory.add_fact(subject="Ann", relation="lives in", object="Rome", **U)
    new, old = report.changes
    assert (new.kind, new.text, [each.text for each in new.others]) == (
        "updated",
        "Ann lives in Rome.",
        ["Ann lives in Oslo."],
    )
    assert (old.kind, [each.id for each in old.others]) == ("retired", [new.fact_id])
    again = memory.add_fact(subject="Ann", relation="lives in", object="Rome", **U)
    assert kinds(again) == [("confirmed", "Ann lives in Rome.")]
    total = report + again
    assert [each.kind for each in total.changes] == ["updated", "retired", "confirmed"]


@pytest.mark.parametrize("relation", ["lives in", "lives_in", "LIVES_IN", "livesIn", " lives  in\n"])
def test_the_sentence_of_a_triple(memory: Memory, relation: str) -> None:
    """In whatever way the relation is spelt, it reads as words, without stray blanks; so do the names."""
    memory.add_fact(subject=" Ann", relation=relation, object="   Oslo  ", **U)
    home = only(memory, "lives_in")
    assert (home.subject, home.object, home.text) == ("Ann", "Oslo", "Ann lives in Oslo.")
    memory.correct(home.id, object=" Bergen\t", **U)
    assert only(memory, "lives_in").text == "Ann lives in Bergen."


def test_names_in_a_relation_keep_their_letters(memory: Memory) -> None:
    """Only a relation that is all in capitals, or one word, is put in small letters."""
    memory.add_fact(subject="Ann", relation="wrote_iOS_app", object="Tides", **U)
    assert only(memory, "wrote_iOS_app").text == "Ann wrote iOS app Tides."


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2024-03", "2024-03"),
        (date(2024, 3, 1), "2024-03-01"),
        (datetime(2024, 3, 1, 12, tzinfo=UTC), "2024-03-01T12:00:00Z"),
        (datetime(2024, 3, 1, 12, tzinfo=timezone(timedelta(hours=2))), "2024-03-01T10:00:00Z"),
        (Moment.parse("2024"), "2024"),
    ],
)
def test_times_are_text_dates_or_datetimes(memory: Memory, given: Any, kept: str) -> None:
    """Whatever changes facts takes times in each form, at the precision that it has."""
    memory.add_fact(subject="Ann", relation="likes", object="tea", valid_from=given, **U)
    memory.add_fact("I live in Oslo.", valid_from=given, **U)
    memory.correct(only(memory, "likes").id, object="coffee", valid_to=given, **U)
    likes, home = only(memory, "likes"), only(memory, "lives_in")
    assert [str(each) for each in (likes.valid_from, likes.valid_to, home.valid_from)] == [kept] * 3
    memory.retire(home.id, valid_to=given, **U)
    assert str(memory.fact(home.id, **U).valid_to) == kept
    memory.add_triples([triple("Ann", "owns", "a bike", valid_from=given)], **U)
    assert str(only(memory, "owns").valid_from) == kept


@pytest.mark.parametrize("bad", [datetime(2024, 3, 1), 2024, b"2024", "soon"])
def test_no_other_time_is_taken(memory: Memory, bad: Any) -> None:
    """A naive datetime, a number, bytes and words are refused before anything is read or written."""
    memory.add_fact(subject="Ann", relation="likes", object="tea", **U)
    known = only(memory, "likes")
    for change in (
        lambda: memory.add_fact(subject="Ann", relation="owns", object="a bike", valid_from=bad, **U),
        lambda: memory.add_fact("I live in Oslo.", valid_to=bad, **U),
        lambda: memory.correct(known.id, valid_from=bad, **U),
        lambda: memory.retire(known.id, valid_to=bad, **U),
        lambda: triple("Ann", "owns", "a bike", planned_for=bad),
    ):
        with pytest.raises(TimeError) as caught:
            change()
        assert caught.value.hint
    assert memory.facts(**U) == (known,)


def test_a_state_that_has_ended_is_not_current(memory: Memory) -> None:
    """A home with an end that has passed was true in its interval alone; told again, it is the same fact."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Rome", valid_from="2016", **U)
    past: dict[str, Any] = {
        "subject": "Ann",
        "relation": "lives_in",
        "object": "Oslo",
        "valid_from": "2010",
        "valid_to": "2015",
    }
    added, ended = memory.add_fact(**past, **U).changes
    assert (added.kind, ended.kind, ended.fact_id) == ("added", "retired", added.fact_id)
    assert memory.possibly_outdated(added.fact_id, **U) == ()
    (said_again,) = memory.add_fact(**past, **U).changes
    assert (said_again.kind, said_again.fact_id) == ("confirmed", added.fact_id)
    assert only(memory, "lives_in").object == "Rome"
    homes = [[each.object for each in memory.facts(as_of=year, **U)] for year in ("2012", "2015", "2020")]
    assert homes == [["Oslo"], [], ["Rome"]]
    assert memory.verify() == ()
    again, first = memory.decisions(about=added.fact_id, limit=2, **U)
    assert first.reason.endswith("it had ended when it was told")
    memory.undo(again.id, **U)
    assert memory.verify() == ()
    assert [each.object for each in memory.facts(as_of="2012", **U)] == ["Oslo"]


def test_what_has_an_end_and_stays_true_is_current(memory: Memory) -> None:
    """Events of the past, what has one date for both, plans, and states that end in the future stay current."""
    for relation, thing, begin, end in (
        ("visited", "Porto", "2023-05-03", "2023-05-05"),
        ("born_in", "Bergen", "1990", "1990"),
        ("plans_to_visit", "Japan", "2024-05-01", "2024-05-09"),
        ("works_at", "Acme", "2020", "2199"),
    ):
        memory.add_fact(subject="Ann", relation=relation, object=thing, valid_from=begin, valid_to=end, **U)
    assert {each.object for each in memory.facts(**U)} == {"Porto", "Bergen", "Japan", "Acme"}


def test_a_correction_may_end_a_state(memory: Memory) -> None:
    """Corrected to have ended in the past, it is retired, and true in its interval."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", valid_from="2010", **U)
    memory.correct(only(memory, "lives_in").id, valid_to="2015", **U)
    assert memory.facts(**U) == ()
    assert [str(each.valid_to) for each in memory.facts(as_of="2012", **U)] == ["2015"]
    assert memory.facts(as_of="2020", **U) == ()


def test_an_end_before_the_beginning_is_refused(memory: Memory) -> None:
    """The error names both times, and nothing is written."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", valid_from="2020", **U)
    home, before = only(memory, "lives_in"), len(memory.decisions(**U))
    reversed_: dict[str, Any] = {"valid_from": "2025", "valid_to": "2020"}
    with pytest.raises(TimeError, match="2020, is before its beginning, 2025"):
        memory.add_fact(subject="Ann", relation="lives_in", object="Lima", **reversed_, **U)
    with pytest.raises(TimeError, match="2019, is before its beginning, 2024"):
        memory.add_fact("I have lived in Lima since 2024.", valid_to="2019", **U)
    with pytest.raises(TimeError, match="2020, is before its beginning, 2030"):
        memory.correct(home.id, valid_from="2030", valid_to="2020", **U)
    with pytest.raises(TimeError, match="1990, is before its beginning, 2020"):
        memory.correct(home.id, valid_to="1990", **U)
    with pytest.raises(TimeError, match="1990, is before its beginning, 2020"):
        memory.retire(home.id, valid_to="1990", **U)
    ends = {name: Moment.parse(time) for name, time in reversed_.items()}
    with pytest.raises(TimeError, match=r"'Ann lives in Lima\.', 2020, is before its beginning, 2025"):
        memory.add_triples([triple("Ann", "lives_in", "Lima", "Ann lives in Lima.", evidence=(), **ends)], **U)
    assert (memory.facts(include_retired=True, **U), len(memory.decisions(**U))) == ((home,), before)


@pytest.mark.parametrize("relation", ["is_planning", "plans", "has_planned", "is_planning_to_visit"])
def test_a_plan_of_the_past_is_current(memory: Memory, relation: str) -> None:
    """Nothing tells what came of it."""
    memory.add_fact(subject="Ann", relation=relation, object="trip", valid_to="2014", **U)
    assert [each.object for each in memory.facts(**U)] == ["trip"]


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("Ann worked at Acme until 2015.", None, "2015"),
        ("Ann worked at Acme until 2023.", "2020", "2023"),
        ("Ann worked at Acme from 2012 to 2015.", "2012", "2015"),
        ("Ann moved to Rome in 2024.", "2024", None),
        ("Ann works at Acme with Bo.", "2020", None),
    ],
)
def test_the_dates_of_a_corrected_sentence(memory: Memory, text: str, begin: str | None, end: str | None) -> None:
    """A date that the sentence states takes the place of the old one; an old one that is at odds with it is dropped."""
    memory.add_fact(subject="Ann", relation="works_at", object="Acme", valid_from="2020", **U)
    memory.correct(only(memory, "works_at").id, text, **U)
    made = next(each for each in memory.facts(include_retired=True, **U) if each.text == text)
    assert (made.valid_from, made.valid_to) == (begin and Moment.parse(begin), end and Moment.parse(end))


def test_given_dates_come_before_those_of_the_sentence(memory: Memory) -> None:
    """Where the two are at odds, the correction is refused."""
    memory.add_fact(subject="Ann", relation="works_at", object="Acme", valid_from="2020", **U)
    known, text = only(memory, "works_at"), "Ann worked at Acme until 2015."
    with pytest.raises(TimeError, match="before its beginning"):
        memory.correct(known.id, text, valid_from="2018", **U)
    memory.correct(known.id, text, valid_from="2012", valid_to="2014", **U)
    made = next(each for each in memory.facts(include_retired=True, **U) if each.text == text)
    assert (str(made.valid_from), str(made.valid_to)) == ("2012", "2014")


@pytest.mark.parametrize("end", ["2030", None])
def test_what_lies_ahead_may_be_given_up_before_it_begins(memory: Memory, end: str | None) -> None:
    """A fact that begins in the future can be retired with an end before that, or now; then it was never true."""
    memory.add_fact(subject="Ann", relation="works_at", object="Acme", valid_from="2199", **U)
    known = only(memory, "works_at")
    decision = memory.retire(known.id, valid_to=end, **U)
    (given_up,) = memory.facts(include_retired=True, **U)
    assert (memory.facts(**U), str(given_up.planned_for), given_up.valid_to) == ((), "2199", None)
    assert memory.facts(as_of="2200", **U) == ()
    assert memory.verify() == ()
    memory.undo(decision.id, **U)
    assert memory.facts(**U) == (known,)


def test_what_begins_later_ends_nothing_before(memory: Memory) -> None:
    """A home from a day that lies ahead is a plan, and the one of today stays; also as a triple and corrected.

    Where it is tomorrow already a day that begins there does not lie ahead.
    """
    memory.add_fact("I live in Oslo.", valid_from="2020", **U)
    memory.add_fact("I live in Rome.", valid_from="2199-03", valid_to="2199-06", **U)
    memory.add_triples(
        [triple("ben", "lives_in", home, valid_from=day) for home, day in {"Bonn": None, "Ulm": "2199"}.items()], **U
    )
    assert [each.object for each in memory.facts(**U)] == ["Oslo", "Rome", "Bonn", "Ulm"]
    rome = memory.facts(entity="Rome", **U)[0]
    assert (rome.valid_from, str(rome.planned_for), str(rome.valid_to)) == (None, "2199-03", "2199-06")
    with pytest.raises(InputError, match="says what the fact says"):
        memory.correct(rome.id, valid_from="2199-03", **U)
    memory.correct(rome.id, valid_from="2199-05", **U)
    assert str(memory.facts(entity="Rome", **U)[0].planned_for) == "2199-05"
    memory.correct(memory.facts(entity="Ulm", **U)[0].id, valid_from="2024", **U)
    (ulm,) = memory.facts(entity="Ulm", **U)
    assert (str(ulm.valid_from), ulm.planned_for) == ("2024", None)
    with pytest.raises(TimeError, match="before its beginning"):
        memory.add_fact("I live in Lima.", valid_from="2199", valid_to="2198", **U)
    there = datetime.now(timezone(timedelta(hours=14))).date()
    memory.add_fact("I live in Lima.", valid_from=there, **U)
    assert "Oslo" not in [each.object for each in memory.facts(**U)]


def test_what_ends_later_is_not_over(memory: Memory) -> None:
    """A fact is not retired as of a day that lies ahead; the end can be noted, and today is over anywhere on Earth."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", valid_from="2020", **U)
    home = only(memory, "lives_in")
    with pytest.raises(TimeError, match="is true still: its end, 2199-03, lies ahead") as caught:
        memory.retire(home.id, valid_to="2199-03", **U)
    assert "correct" in str(caught.value.hint)
    assert memory.facts(include_retired=True, **U) == (home,)
    memory.correct(home.id, valid_to="2199-03", **U)
    assert str(only(memory, "lives_in").valid_to) == "2199-03"
    there = datetime.now(timezone(timedelta(hours=14))).date()
    memory.retire(only(memory, "lives_in").id, valid_to=there, **U)
    assert memory.facts(**U) == ()


@pytest.mark.parametrize("given", [{}, {"text": " "}, {"subject": "Ann"}, {"text": "x", "relation": "likes"}])
def test_half_a_fact_is_refused(memory: Memory, given: dict[str, Any]) -> None:
    """Neither a text nor a whole triple: nothing is written."""
    with pytest.raises(InputError):
        memory.add_fact(**given, **U)
    assert memory.stats(**U).facts == 0


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "word " * 300_000], ids=["NUL", "surrogate", "long"])
def test_text_that_cannot_be_kept_is_refused(memory: Memory, text: str) -> None:
    """What a message may not hold, no change by hand may; an id that is none is not found."""
    memory.add_fact(subject="Ann", relation="likes", object="tea", **U)
    known = only(memory, "likes")
    for change in (
        lambda: memory.add_fact(text, **U),
        lambda: memory.correct(known.id, text, **U),
        lambda: memory.retire(known.id, reason=text, **U),
        lambda: memory.unmerge("Ann", text, **U),
    ):
        with pytest.raises(InputError, match=r"the text (holds a NUL|has 1,500,000)"):
            change()
    for missing in (memory.undo, memory.erase, memory.fact, memory.entity):
        for kind in ("d_", "f_", "e_"):
            with pytest.raises(NotFoundError):
                missing(f"{kind}{text}", **U)
    assert memory.facts(**U) == (known,)


def test_a_correction_takes_the_place(memory: Memory) -> None:
    """The new fact has the old one's evidence and beginning; the old one is seen by no question, about no day."""
    memory.add([{"role": "user", "content": "I live in Oslo.", "timestamp": "2024-01-05T10:00:00Z"}], **U)
    old = only(memory, "lives_in")
    report = memory.correct(old.id, "I live in Bergen.", **U)
    new = only(memory, "lives_in")
    assert (new.object, new.text) == ("Bergen", "ann lives in Bergen.")
    assert (new.evidence, new.said_at) == (old.evidence, old.said_at)
    assert [each.kind for each in report.changes] == ["updated", "retired"]
    assert [each.object for each in memory.facts(as_of="2024-01-06", **U)] == ["Bergen"]
    facts, links = memory.history(old.id, **U)
    assert {each.object for each in facts} == {"Oslo", "Bergen"}
    assert [(each.reason, each.decided_by) for each in links] == [("corrected", "user")]
    with pytest.raises(InputError, match="not current"):
        memory.correct(old.id, "ann lives in Rome.", **U)


def test_a_correction_to_what_is_known(memory: Memory) -> None:
    """The wrong fact gives way to the one that is there: nothing is there twice, and it can be undone."""
    for name in ("Rex", "Max"):
        memory.add_fact(subject="Ann", relation="has_friend", object=name, **U)
    rex, wrong = memory.facts(**U)
    report = memory.correct(wrong.id, object="Rex", **U)
    assert memory.facts(**U) == (rex,)
    assert [(each.kind, each.fact_id, each.others[0].id) for each in report.changes] == [("retired", wrong.id, rex.id)]
    memory.undo(memory.decisions(**U)[0].id, **U)
    assert {fact.object for fact in memory.facts(**U)} == {"Rex", "Max"}
    assert not memory.verify()


def test_a_correction_keeps_what_is_not_given(memory: Memory) -> None:
    """Only the date, only the object, only more words: the rest stays; nothing given is refused."""
    memory.add_triples([triple("Ann", "likes", "green tea", "Ann likes green tea.", subject_type="person")], **U)
    first = only(memory, "likes")
    memory.correct(first.id, valid_from="2020", **U)
    dated = only(memory, "likes")
    assert (dated.text, dated.edge, str(dated.valid_from)) == (first.text, first.edge, "2020")
    memory.correct(dated.id, "Ann likes green tea, the one from Uji.", **U)
    reworded = only(memory, "likes")
    assert (reworded.edge, reworded.text) == (first.edge, "Ann likes green tea, the one from Uji.")
    memory.correct(reworded.id, object="coffee", **U)
    assert (only(memory, "likes").subject_id, only(memory, "likes").text) == (first.subject_id, "Ann likes coffee.")
    with pytest.raises(InputError, match="no correction"):
        memory.correct(only(memory, "likes").id, **U)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann lives in Rome.", ("ann", "LIVES_IN", "Rome", "ann lives in Rome.")),
        ("Ann lives in Rome.", ("ann", "LIVES_IN", "Rome", "ann lives in Rome.")),
        ("The user lives in Rome.", ("ann", "LIVES_IN", "Rome", "ann lives in Rome.")),
        ("user lives in øst-by.", ("ann", "LIVES_IN", "øst-by", "ann lives in øst-by.")),
        ("ann works as a nurse.", ("ann", "WORKS_AS", "nurse", "ann works as a nurse.")),
        ("ann lives in Oslo with Bo.", ("ann", "LIVES_IN", "Oslo", "ann lives in Oslo with Bo.")),
        ("ann still lives in Oslo.", ("ann", "LIVES_IN", "Oslo", "ann still lives in Oslo.")),
        ("ann lives in øst-by.", ("ann", "LIVES_IN", "øst-by", "ann lives in øst-by.")),
        ("Bella is ann's dog.", ("ann", "HAS_PET", "Bella", "Bella is ann's dog.")),
    ],
)
def test_a_corrected_sentence_says_what_the_fact_is(
    memory: Memory, text: str, expected: tuple[str, str, str, str]
) -> None:
    """It is read whatever the case of the user's name; one that adds a detail or changes the object keeps the rest."""
    memory.add("I live in Oslo.", **U)
    memory.correct(only(memory, "lives_in").id, text, **U)
    ((fact),) = memory.facts(**U)
    assert (fact.subject, fact.relation, fact.object, fact.text) == expected


def test_a_corrected_sentence_about_the_user_can_be_contradicted(memory: Memory) -> None:
    """What is said later replaces it, as it is about the same person."""
    memory.add_fact("I live in Oslo.", **U)
    memory.correct(only(memory, "lives_in").id, "The user lives in Rome.", **U)
    memory.add("I live in Paris.", **U)
    assert [each.text for each in memory.facts(**U)] == ["ann lives in Paris."]


@pytest.mark.parametrize(
    "text",
    [
        "zork flim flam",
        "ann does not live in Oslo but in Ås",
        "ann's flat is in Oslo?",
        "ann thinks Bo lives in Oslo.",
        "ann pretends she lives in Oslo.",
        "It is wrong that ann lives in Oslo.",
    ],
)
def test_a_correction_that_says_nothing_known_is_noted(memory: Memory, text: str) -> None:
    """The old triple, which was wrong, is not kept with words that do not say it; the object may be given beside."""
    memory.add("I live in Oslo.", **U)
    memory.correct(only(memory, "lives_in").id, text, **U)
    noted = only(memory, "noted")
    assert (noted.subject, noted.object, noted.text) == ("ann", text, text)
    memory.add_fact(subject="ann", relation="lives_in", object="Oslo", **U)
    memory.correct(only(memory, "lives_in").id, text, object="Ås", **U)
    home = only(memory, "lives_in")
    assert (home.object, home.text) == ("Ås", text)


def test_of_a_line_with_several_claims_the_like_one_corrects(memory: Memory) -> None:
    """The claim with the relation of the old fact takes its place, also where the old one named the same person."""
    memory.add("I have a cat named Rex.", **U)
    memory.correct(only(memory, "has_pet").id, "ann has a cat named Tom and lives in Oslo.", **U)
    assert only(memory, "has_pet").object == "Tom"


def test_lines_may_name_who_is_known_in_any_case(memory: Memory) -> None:
    """A line begins with the user's name, or somebody else's, in lower case; a later home is one of the same person."""
    memory.add("I live in Oslo. My sister Mia lives in Bergen.", **U)
    memory.add_fact("ann lives in Turin.", **U)
    memory.add_fact("mia works as a nurse.", **U)
    memory.add_fact("mark my words", **U)
    assert [(each.subject, each.object) for each in memory.facts(relation="lives_in", **U)] == [
        ("Mia", "Bergen"),
        ("ann", "Turin"),
    ]
    assert [each.subject for each in memory.facts(relation="works_as", **U)] == ["Mia"]
    assert only(memory, "noted").object == "mark my words"


def test_a_fact_is_retired(memory: Memory) -> None:
    """It ends when told, for the reason told; it cannot be retired twice; undone, it is as it was."""
    memory.add_fact(subject="Ann", relation="likes", object="tea", valid_from="2020", **U)
    tea = only(memory, "likes")
    decision = memory.retire(tea.id, reason="she said so", valid_to="2023-05", **U)
    ended = memory.fact(tea.id, **U)
    assert (ended.current, str(ended.valid_to)) == (False, "2023-05")
    assert memory.facts(as_of="2021", **U) == (ended,)
    with pytest.raises(InputError, match="already"):
        memory.retire(tea.id, **U)
    memory.undo(decision.id, **U)
    assert memory.fact(tea.id, **U) == tea
    assert memory.history(tea.id, **U)[1] == ()


def test_merging_and_unmerging(memory: Memory) -> None:
    """Two nodes become one of both names; taken apart, each has its own facts, also those told in between."""
    for name, thing in (("Zora", "tea"), ("Quinn", "coffee")):
        memory.add_fact(subject=name, relation="likes", object=thing, **U)
    zora, quinn = memory.entity("Zora", **U), memory.entity("Quinn", **U)
    memory.merge("Zora", "Quinn", **U)
    assert memory.entity("Quinn", **U).id == zora.id
    memory.add_fact(subject="Quinn", relation="visited", object="Rome", **U)
    assert len(memory.facts(entity="Zora", **U)) == 3
    with pytest.raises(InputError, match="one entity already"):
        memory.merge("Zora", "Quinn", **U)
    memory.unmerge("Zora", "Quinn", **U)
    assert memory.entity("Quinn", **U).id == quinn.id
    assert [each.object for each in memory.facts(entity="Quinn", **U)] == ["coffee", "Rome"]
    assert [each.object for each in memory.facts(entity="Zora", **U)] == ["tea"]
    assert memory.entity("Zora", **U).names == ("Zora",)
    with pytest.raises(NotFoundError, match="no name"):
        memory.unmerge("Zora", "Quinn", **U)
    with pytest.raises(InputError, match="no other name"):
        memory.unmerge("Zora", "Zora", **U)


@pytest.mark.parametrize("how", ["unmerge", "undo"])
def test_what_was_corrected_while_merged_goes_with_what_it_corrects(memory: Memory, how: str) -> None:
    """Its triple has the name that both had then; a correction of a correction, and one at the other end, too."""
    for name, thing in (("Zora", "tea"), ("Quinn", "coffee")):
        memory.add_fact(subject=name, relation="likes", object=thing, **U)
    memory.add_fact(subject="Ann", relation="knows", object="Quinn", **U)
    merged = memory.merge("Zora", "Quinn", **U)
    for old, new in (("tea", "green tea"), ("coffee", "mocha"), ("mocha", "cocoa")):
        (fact,) = (each for each in memory.facts(relation="likes", **U) if each.object == old)
        memory.correct(fact.id, object=new, **U)
    memory.correct(only(memory, "knows").id, relation="trusts", **U)
    if how == "undo":
        memory.undo(merged.id, **U)
    else:
        memory.unmerge("Zora", "Quinn", **U)
    found = {name: memory.facts(entity=name, include_retired=True, **U) for name in ("Zora", "Quinn")}
    assert [each.object for each in found["Zora"]] == ["tea", "green tea"]
    assert [each.object for each in found["Quinn"]] == ["coffee", "Quinn", "mocha", "cocoa", "Quinn"]


@pytest.mark.parametrize("how", ["unmerge", "undo"])
def test_what_was_corrected_before_a_merge_is_parted_as_it_was(memory: Memory, how: str) -> None:
    """A correction that named the other entity already does not go with what it corrects."""
    old = memory.add_fact(subject="Ann", relation="likes", object="Zora", **U).changes[0].fact_id
    memory.correct(old, object="Quinn", **U)
    merged = memory.merge("Quinn", "Zora", **U)
    if how == "undo":
        memory.undo(merged.id, **U)
    else:
        memory.unmerge("Quinn", "Zora", **U)
    found = memory.facts(relation="likes", include_retired=True, **U)
    assert [(each.object, each.text) for each in found] == [("Zora", "Ann likes Zora."), ("Quinn", "Ann likes Quinn.")]


def test_a_name_joined_by_rule_is_taken_away(memory: Memory) -> None:
    """A name that never had a node of its own gets a new one, with the facts that were told under it."""
    memory.add_fact(subject="Zora", relation="also_known_as", object="Quinn", **U)
    memory.add_fact(subject="Quinn", relation="likes", object="tea", **U)
    memory.add_fact(subject="Zora", relation="likes", object="rain", **U)
    memory.unmerge("Zora", "Quinn", **U)
    assert [each.object for each in memory.facts(entity="Quinn", relation="likes", **U)] == ["tea"]
    assert [each.object for each in memory.facts(entity="Zora", relation="likes", **U)] == ["rain"]


def test_later_decisions_stand_in_the_way(memory: Memory) -> None:
    """What was built on is refused with the ids of what builds on it, and undone with it on demand; redone too."""
    for city in ("Oslo", "Rome", "Lima"):
        memory.add_fact(subject="Ann", relation="lives_in", object=city, **U)
    lima, rome, oslo = memory.decisions(**U)
    with pytest.raises(UndoError) as refused:
        memory.undo(oslo.id, **U)
    assert refused.value.decisions == (lima.id, rome.id)
    undone = memory.undo(oslo.id[:9], cascade=True, **U)
    assert [each.targets for each in undone] == [(lima.id,), (rome.id,), (oslo.id,)]
    assert memory.facts(**U) == ()
    assert memory.facts(as_of="2100", **U) == ()
    with pytest.raises(UndoError, match="already"):
        memory.undo(oslo.id, **U)
    for each in reversed(undone):
        memory.undo(each.id, **U)
    assert [each.object for each in memory.facts(**U)] == ["Lima"]
    with pytest.raises(UndoError):
        memory.undo(rome.id, **U)
    memory.undo(lima.id, **U)
    assert [each.object for each in memory.facts(**U)] == ["Rome"]


def test_what_changed_nothing_cannot_be_undone(memory: Memory) -> None:
    """A decision without an image is refused, an unknown one not found."""
    memory.add_triples([triple("Ann", "likes", "tea", retracts=True)], **U)
    (decision,) = memory.decisions(**U)
    with pytest.raises(UndoError, match="changed nothing"):
        memory.undo(decision.id, **U)
    with pytest.raises(NotFoundError):
        memory.undo("d_x", **U)


def test_scopes_stay_apart(memory: Memory) -> None:
    """Nothing of another scope is changed by its id; a wider scope reaches what it covers."""
    run: dict[str, Any] = {"user_id": "ann", "run_id": "r"}
    memory.add_fact(subject="Ann", relation="likes", object="tea", **run)
    tea = memory.facts(**U)[0]
    (decision,) = memory.decisions(**U)
    for call in (
        lambda: memory.retire(tea.id, user_id="bob"),
        lambda: memory.correct(tea.id, "x", user_id="bob"),
        lambda: memory.erase(tea.id, user_id="bob"),
        lambda: memory.undo(decision.id, user_id="bob"),
        lambda: memory.merge("Ann", "tea", user_id="bob"),
    ):
        with pytest.raises(NotFoundError):
            call()
    memory.retire(tea.id, **U)
    assert memory.facts(include_retired=True, **run)[0].current is False
    assert memory.decisions(**run)[0].operation == "DELETE"


def test_the_history_of_an_entity_and_what_changed(memory: Memory) -> None:
    """History lists all facts of an entity; a diff what was learnt, changed, ended, undone, forgotten since a time."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", **U)
    memory.add_fact(subject="Ann", relation="lives_in", object="Rome", **U)
    memory.add_fact(subject="Ann", relation="likes", object="tea", **U)
    memory.add_fact(subject="Ann", relation="likes", object="rain", **U)
    facts, links = memory.history("Ann", **U)
    assert [each.object for each in facts] == ["Oslo", "Rome", "tea", "rain"]
    assert len(links) == 1
    tea = next(each for each in facts if each.object == "tea")
    memory.undo(memory.retire(tea.id, **U).id, **U)
    gone = next(each for each in facts if each.object == "rain")
    memory.erase(gone.id, **U)
    found = memory.diff("2020", **U)
    assert [each.object for each in found.learnt] == ["Oslo", "tea"]
    ((changed),) = found.changed
    assert ([each.object for each in changed.old], changed.new.object) == (["Oslo"], "Rome")
    assert [each.fact.object for each in found.ended] == ["tea"]
    assert len(found.undone) == 1
    assert [(each.facts, each.entities) for each in found.forgotten] == [(1, 1)]
    assert memory.diff("2020", until="2021", **U) == type(found)()
    with pytest.raises(QueryError, match="nothing lies between 2021 and 2020"):
        memory.diff("2021", until="2020", **U)


def test_a_correction_to_the_same_words_is_refused(memory: Memory) -> None:
    """A date or metadata is a correction; the same words alone would make a twin."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", text="Ann lives in Oslo.", **U)
    (known,) = memory.facts(**U)
    same: tuple[dict[str, Any], ...] = ({"text": "Ann lives in Oslo."}, {"object": "Oslo"}, {"relation": "lives_in"})
    for given in same:
        with pytest.raises(InputError, match="the correction says what the fact says"):
            memory.correct(known.id, **given, **U)
    assert memory.facts(**U) == (known,)
    memory.correct(known.id, valid_from="2020", **U)
    (dated,) = memory.facts(**U)
    memory.correct(dated.id, text="Ann lives in Oslo.", metadata={"source": "form"}, **U)
    assert [(str(each.valid_from), each.metadata) for each in memory.facts(**U)] == [("2020", {"source": "form"})]


def test_an_empty_correction_is_refused(memory: Memory) -> None:
    """An empty sentence, as of a variable that is not set, corrects nothing, also beside a date."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", **U)
    for text in ("", " \n"):
        for since in (None, "2020"):
            with pytest.raises(InputError, match="the corrected sentence is empty"):
                memory.correct(only(memory, "lives_in").id, text, valid_from=since, **U)
    assert len(memory.facts(include_retired=True, **U)) == 1


def raw(memory: Memory) -> bytes:
    """All that the rows hold, as SQL."""
    memory.store._connection.commit()  # type: ignore[attr-defined]
    return "\n".join(memory.store._connection.iterdump()).encode()  # type: ignore[attr-defined]


def test_an_erased_fact_leaves_no_word(memory: Memory) -> None:
    """No row holds a word of it; what it replaced stays retired; decisions that it was a part of cannot be undone."""
    for object_ in ("Oslo", "Xanthippolis", "Rome"):
        memory.add_fact(subject="Ann", relation="lives_in", object=object_, **U)
    middle = next(each for each in memory.facts(include_retired=True, **U) if each.object == "Xanthippolis")
    rome = memory.decisions(**U)[0]
    receipt = memory.erase(middle.id, **U)
    assert (receipt.facts, receipt.retired, receipt.entities, receipt.decisions) == (1, 1, 1, 1)
    assert b"anthippol" not in raw(memory)
    assert [(each.object, each.current) for each in memory.facts(include_retired=True, **U)] == [
        ("Oslo", False),
        ("Rome", True),
    ]
    with pytest.raises(UndoError, match="erased"):
        memory.undo(rome.id, **U)
    with pytest.raises(NotFoundError):
        memory.erase(middle.id, **U)


def test_an_erased_fact_leaves_no_name_of_its_relation(memory: Memory) -> None:
    """The learnt name of its relation goes with the last fact that uses it; names in use and defined ones stay."""
    memory.define_relation("vows_to", **U)
    for relation in ("secretly_dates", "yodels_with"):
        memory.add_fact(subject="Ann", relation=relation, object="Bob", **U)
    memory.add_fact(subject="Carl", relation="secretly_dates", object="Dora", **U)
    first, yodels, second = memory.facts(**U)
    memory.erase(first.id, **U)
    assert b"secretly" in raw(memory).lower()
    memory.erase(second.id, **U)
    assert b"secretly" not in raw(memory).lower()
    assert {each.name for each in memory.relations(**U)} >= {"VOWS_TO", "YODELS_WITH"}
    assert "SECRETLY_DATES" not in {each.name for each in memory.relations(**U)}
    memory.add_fact(subject="Ann", relation="secretly_dates", object="Emil", **U)
    assert [each.relation for each in memory.facts(**U)] == ["YODELS_WITH", "SECRETLY_DATES"]
    assert yodels in memory.facts(**U)


def test_a_relation_that_becomes_a_synonym_takes_its_facts_along(memory: Memory) -> None:
    """Its facts are found, and replaced, under both names; how many objects it has at a time stays."""
    memory.define_relation("camps_in", one_object=True, **U)
    memory.add_fact(subject="Ann", relation="camps_in", object="Oslo", **U)
    assert memory.define_relation("sleeps_around", synonyms=["camps_in"], **U).one_object
    for name in ("camps_in", "sleeps_around"):
        assert [each.relation for each in memory.facts(relation=name, **U)] == ["SLEEPS_AROUND"]
        assert memory.search("Where does Ann camp?", filters={"relation": name}, **U)
    assert "CAMPS_IN" not in {each.name for each in memory.relations(**U)}
    memory.add_fact(subject="Ann", relation="camps_in", object="Rome", **U)
    assert [each.object for each in memory.facts(**U)] == ["Rome"]
    memory.undo(memory.decisions(**U)[0].id, **U)
    assert [(each.object, each.relation) for each in memory.facts(**U)] == [("Oslo", "SLEEPS_AROUND")]
    assert memory.verify() == ()


def test_a_relation_of_mem0gs_own_keeps_its_name(memory: Memory) -> None:
    """It cannot become a synonym, nor can a synonym of another relation; it may get more names."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", **U)
    for name in ("lives_in", "Resides in"):
        with pytest.raises(InputError, match="comes with mem0g") as refused:
            memory.define_relation("abode", synonyms=[name], one_object=True, **U)
        assert "--define LIVES_IN --synonym ABODE" in str(refused.value.hint)
    memory.define_relation("lives_in", synonyms=["abode"], **U)
    memory.add_fact(subject="Ann", relation="abode", object="Rome", **U)
    assert [(each.object, each.relation) for each in memory.facts(relation="abode", **U)] == [("Rome", "LIVES_IN")]
    memory.define_relation("vows_to", synonyms=["swears_to"], **U)
    with pytest.raises(InputError, match="another name of VOWS_TO"):
        memory.define_relation("pledges_to", synonyms=["swears_to"], **U)


def test_another_process_follows_a_joined_relation(memory: Memory) -> None:
    """What was found before in a store that is open elsewhere is found there under the new name, and replaced."""
    memory.define_relation("camps_in", one_object=True, **U)
    memory.add_fact(subject="Ann", relation="camps_in", object="Oslo", **U)
    with Memory.open(memory.store.address, embedder=EMBEDDER, extractor="rules") as other:
        assert other.search("Where does Ann camp?", filters={"relation": "camps_in"}, **U)
        memory.define_relation("sleeps_around", synonyms=["camps_in"], **U)
        assert other.search("Where does Ann camp?", filters={"relation": "camps_in"}, **U)
        other.add_fact(subject="Ann", relation="sleeps_around", object="Rome", **U)
        assert [each.object for each in other.facts(**U)] == ["Rome"]


def test_an_erased_message_takes_what_stands_on_it_alone(memory: Memory) -> None:
    """Facts on it alone go, in wider scopes too; others lose it as evidence; no row holds a word of it."""
    run: dict[str, Any] = {"user_id": "ann", "run_id": "r"}
    said = [("I live in Oslo.", "1"), ("I live in Oslo, in Zyzzyxstreet.", "2")]
    memory.add([{"role": "user", "content": text, "id": each} for text, each in said], **run)
    home, street = (
        triple("ann", "lives_in", "Oslo", evidence=("1", "2")),
        triple("ann", "owns", "Zyzzyx house", evidence=("2",)),
    )
    memory.add_triples([home, street], **run)
    memory.add_triples([triple("ann", "sold", "Zyzzyx boat", evidence=("2",))], **U)
    second = memory.messages(**run)[1]
    receipt = memory.erase(second.id, **U)
    assert (receipt.messages, receipt.facts) == (1, 2)
    assert b"yzzyx" not in raw(memory)
    assert [each.object for each in memory.facts(**U)] == ["Oslo"]
    assert second.id not in memory.facts(**U)[0].evidence
    assert memory.search("Zyzzyx", **U)[0].text != second.text


def test_an_erased_entity_takes_all_its_facts(memory: Memory) -> None:
    """An entity goes with those merged into it; what others say of each other stays."""
    memory.add_fact(subject="Zora", relation="likes", object="tea", **U)
    memory.add_fact(subject="Qwertyna", relation="knows", object="Zora", **U)
    memory.add_fact(subject="Poiuyt", relation="likes", object="rain", **U)
    memory.merge("Qwertyna", "Poiuyt", **U)
    receipt = memory.erase(memory.entity("Qwertyna", **U).id, **U)
    assert receipt.facts == 2
    assert {entity.name for entity, _ in memory.entities(**U)} == {"Zora", "tea"}
    dumped = raw(memory)
    assert b"werty" not in dumped
    assert b"oiuyt" not in dumped


def test_a_window_that_waits_goes_on_without_an_erased_message(memory: Memory) -> None:
    """A window that waits is extracted from what is left of it; one with nothing left waits no more."""
    scope = Scope(user_id="ann")
    said = [{"role": "user", "content": text} for text in ("I live in Oslo.", "I live in Rome.")]
    memory._writer._ingest.store_only(scope, memory._writer._read(said, scope, None), window_size=10)
    oslo, rome = memory.messages(**U)
    memory.erase(rome.id, **U)
    (waiting,) = memory.pending(**U)
    assert waiting.messages == (oslo.id,)
    assert [report.facts for report in memory.retry(**U)] == [1]
    assert only(memory, "lives_in").object == "Oslo"


class Beaten(SqliteStore):
    """A store in which something else is written just before what is to be written, as by another process."""

    first: Callable[[], object] | None = None

    def write(self, scope: Scope, work: Callable[[SqliteTransaction], Any]) -> Any:
        """Write what comes first, then the work."""
        first, self.first = self.first, None
        if first is not None:
            first()
        return super().write(scope, work)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda memory, ann, _: memory.merge("Bob", ann, **U), "no entity"),
        (lambda memory, ann, _: memory.merge(ann, "Bob", **U), "no entity"),
        (lambda memory, ann, _: memory.unmerge(ann, "Annie", **U), "no entity"),
        (lambda memory, _, fact: memory.retire(fact, **U), "is retired already"),
        (lambda memory, _, fact: memory.correct(fact, "Ann lives in Rome.", **U), "is not current"),
    ],
)
def test_what_is_erased_meanwhile(tmp_path: Path, change: Callable[[Memory, str, str], object], problem: str) -> None:
    """What was looked up may be gone when it is to be changed: that is an error of its own, and changes nothing."""
    store = Beaten(tmp_path / "memory.db")
    with Memory.open(store, embedder=EMBEDDER, extractor="rules") as memory:
        for name in ("Ann", "Bob", "Annie"):
            memory.add_fact(subject=name, relation="lives_in", object="Oslo", **U)
        memory.merge("Ann", "Annie", **U)
        ann, (fact, *_) = memory.entity("Ann", **U).id, memory.facts(entity="Ann", **U)
        store.first = lambda: memory.erase(ann, **U)
        with pytest.raises((InputError, NotFoundError), match=problem):
            change(memory, ann, fact.id)
        assert memory.verify() == ()
        assert [each.subject for each in memory.facts(**U)] == ["Bob"]


def test_an_entity_that_is_merged_meanwhile_is_not_split(tmp_path: Path) -> None:
    """Its names and facts are those of another by then."""
    store = Beaten(tmp_path / "memory.db")
    with Memory.open(store, embedder=EMBEDDER, extractor="none") as memory:
        for name in ("Ann", "Bob", "Annie"):
            memory.add_fact(subject=name, relation="lives_in", object="Oslo", **U)
        memory.merge("Ann", "Annie", **U)
        store.first = lambda: memory.merge("Bob", "Ann", **U)
        with pytest.raises(InputError, match="merged into another entity meanwhile"):
            memory.unmerge("Ann", "Annie", **U)
        assert memory.entity("Bob", **U).names == ("Bob", "Ann", "Annie")
        assert memory.verify() == ()
