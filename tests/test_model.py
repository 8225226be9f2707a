"""The rules of scopes, messages and triples."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.errors import ScopeError, TimeError, TripleError
from mem0g.model import MAX_NAME_LENGTH, Hit, Message, Role, Scope, Triple, Utterance, content_id
from mem0g.model.messages import EMBEDDED_OF_DATA
from mem0g.times import Moment
from tests.making import ANN, AT, BOB, entity, fact, message, triple

KEYS = st.one_of(st.none(), st.text("abc", min_size=1, max_size=2))


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    """Scopes of few different keys, so that they often share some."""
    keys = draw(st.tuples(KEYS, KEYS, KEYS).filter(any))
    return Scope(*keys)


def test_an_offset_is_less_than_a_day() -> None:
    """An offset that no zone has is refused, and one with which the time would be before the year 1."""
    for time, offset in ((AT, 86_400), (AT, -86_400), (datetime(1, 1, 1, tzinfo=UTC), -3600)):
        with pytest.raises(TimeError, match="seconds ahead of UTC"):
            utterance(time=time, utc_offset=offset)


def utterance(text: str = "I live in Oslo.", **given: Any) -> Utterance:
    """The first thing said in a chat."""
    fields: dict[str, Any] = {
        "source": "chat",
        "session": "1",
        "position": 0,
        "speaker": "Ann",
        "role": "user",
        "time": AT,
        **given,
    }
    return Utterance(text=text, **fields)


def changed(**given: Any) -> Triple:
    """A good triple with something else in it."""
    return dataclasses.replace(triple("Ann", "lives_in", "Oslo"), **given)


def test_the_time_of_an_utterance_is_utc() -> None:
    """An aware time becomes the same instant in UTC, of utterances and of messages; no other time is taken."""
    tokyo = timezone(timedelta(hours=9))
    said = utterance(time=datetime(2024, 6, 1, 21, tzinfo=tokyo))
    for each in (said, Message.of(said, ANN), dataclasses.replace(Message.of(said, ANN), time=said.time)):
        assert each.time == AT
        assert each.time.tzinfo is UTC
    for bad in (datetime(2024, 6, 1), "2024-06-01", date(2024, 6, 1)):
        with pytest.raises(TimeError, match="2024"):
            utterance(time=bad)
    assert utterance(time=None).time is None


def test_when_a_message_was_known() -> None:
    """From its recording on; where that is not known, since it was said; where neither is, always."""
    later = AT + timedelta(days=1)
    assert [dataclasses.replace(message("hi"), recorded_at=later).was_known(at) for at in (AT, later)] == [False, True]
    assert [message("hi", time=later).was_known(at) for at in (AT, later)] == [False, True]
    assert message("hi", time=None).was_known(AT)
    assert dataclasses.replace(message("hi"), recorded_at=later) == message("hi")


def test_a_scope_needs_a_key() -> None:
    """Without any key the error says which there are."""
    with pytest.raises(ScopeError, match="no scope") as caught:
        Scope()
    assert caught.value.hint is not None
    assert "--user" in caught.value.hint


@pytest.mark.parametrize("key", ["user_id", "agent_id", "run_id"])
@pytest.mark.parametrize("value", ["", "  ", "x" * 256, "a\nb", "a\0b", "a\x1fb", "\ud800", "a\u2028b"])
def test_unusable_keys(key: str, value: str) -> None:
    """An empty, overlong or unprintable key is refused by name."""
    with pytest.raises(ScopeError, match=key):
        Scope(**{key: value})


@pytest.mark.parametrize(
    "value", ["ann", "ann@example.org", "Ann Oliveira", "安", "🦄", "x" * 255, "a'; DROP TABLE", "0"]
)
def test_usable_keys(value: str) -> None:
    """Any printable text is a key, alone and for each of the three."""
    for key in ("user_id", "agent_id", "run_id"):
        scope = Scope(**{key: value})
        assert scope.keys == {key: value}
        assert str(scope) == f"{key}={value}"


def test_covering() -> None:
    """A read covers what has its keys, whatever other keys that has; never what lacks one."""
    run = Scope(user_id="ann", run_id="r1")
    assert ANN.covers(ANN)
    assert ANN.covers(run)
    assert Scope(run_id="r1").covers(run)
    assert not run.covers(ANN)
    assert not ANN.covers(BOB)
    assert not Scope(agent_id="ann").covers(ANN)


@given(scopes(), scopes(), scopes())
def test_covering_is_an_order(one: Scope, two: Scope, three: Scope) -> None:
    """A scope covers itself; two that cover each other are one; what is covered by the covered is covered."""
    assert one.covers(one)
    assert (one.covers(two) and two.covers(one)) == (one == two)
    if one.covers(two) and two.covers(three):
        assert one.covers(three)


def test_message_ids_are_stable() -> None:
    """The same words in the same place have the id they always had, in every store and process."""
    assert Message.of(utterance(), ANN).id == Message.of(utterance(), ANN).id == "m_7c53bc61179a640e"


@pytest.mark.parametrize(
    "given_field",
    [{"source": "other"}, {"session": "2"}, {"position": 1}, {"text": "I live in Rome."}],
    ids=lambda given_field: next(iter(given_field)),
)
def test_what_changes_a_messages_id(given_field: dict[str, Any]) -> None:
    """Source, session, position and text make a message another one."""
    changed = dataclasses.replace(utterance(), **given_field)
    assert Message.of(changed, ANN).id != Message.of(utterance(), ANN).id


def test_each_scope_has_its_own_messages() -> None:
    """The same utterance is another message in each scope; keys of different names are told apart."""
    scopes = [ANN, BOB, Scope(agent_id="ann"), Scope(run_id="ann"), Scope("ann", "ann")]
    assert len({Message.of(utterance(), scope).id for scope in scopes}) == len(scopes)


def test_what_leaves_a_messages_id() -> None:
    """Time, speaker, role and the source's id may be corrected without making another message."""
    corrected = utterance(time=None, speaker="Annie", role="assistant", source_id="D1:1")
    assert Message.of(corrected, ANN).id == Message.of(utterance(), ANN).id


@pytest.mark.parametrize(
    ("scope", "role", "speaker", "expected"),
    [
        (Scope("ann"), "user", "", "ann"),
        (Scope("ann"), "user", "Annie", "Annie"),
        (Scope("ann"), "assistant", "", "assistant"),
        (Scope("ann", "helper"), "assistant", "", "helper"),
        (Scope(run_id="r1"), "user", "", "user"),
        (Scope("ann", "helper"), "tool", "", "tool"),
    ],
)
def test_speakers_come_from_the_scope(scope: Scope, role: Role, speaker: str, expected: str) -> None:
    """A shown name stays; else the scope names the user and the agent; else the role is the name."""
    assert Message.of(utterance(role=role, speaker=speaker), scope).speaker == expected


def test_a_message_keeps_what_was_said() -> None:
    """All fields of the utterance are the message's."""
    said = utterance("Olá \u2028 🦄\n", source_id="D1:1")
    made = Message.of(said, ANN)
    assert all(getattr(made, field.name) == getattr(said, field.name) for field in dataclasses.fields(Utterance))


def test_content_ids_tell_parts_apart() -> None:
    """Where one part ends and the next begins matters, and so does the kind."""
    assert content_id("e", "ab", "c") != content_id("e", "a", "bc")
    assert content_id("e", "a").startswith("e_")
    assert len(content_id("e", "a")) == 18
    assert content_id("e", "a", None) == content_id("e", "a", "")


@pytest.mark.parametrize("part", ["subject", "relation", "object", "text"])
@pytest.mark.parametrize("value", ["", " ", "\n\t"])
def test_an_empty_part_is_refused(part: str, value: str) -> None:
    """A triple with nothing for one of its parts names it."""
    with pytest.raises(TripleError, match=f"{part} is empty") as caught:
        changed(**{part: value})
    assert caught.value.hint


@pytest.mark.parametrize("part", ["subject", "relation", "object", "text", "subject_type", "object_type"])
@pytest.mark.parametrize(("character", "problem"), [("\0", "NUL byte"), ("\ud83e", "surrogate")])
def test_what_no_database_keeps_is_refused(part: str, character: str, problem: str) -> None:
    """A NUL byte, or half of a surrogate pair, is refused wherever it stands."""
    with pytest.raises(TripleError, match=problem):
        changed(**{part: f"a{character}b"})


@pytest.mark.parametrize("part", ["subject", "relation", "object"])
def test_overlong_names_are_refused(part: str) -> None:
    """10 kB are no name; the error says how long it was and may be. A sentence may be long."""
    with pytest.raises(TripleError, match=f"{part} has 10240 characters") as caught:
        changed(**{part: "x" * 10240})
    assert str(MAX_NAME_LENGTH) in str(caught.value.hint)
    assert changed(**{part: "x" * MAX_NAME_LENGTH, "text": "word " * 2048})


@pytest.mark.parametrize("relation", ["!?", "🍕", "❤️", "_"])
def test_a_relation_of_signs_alone_is_refused(relation: str) -> None:
    """A relation needs a letter or a digit, for it is drawn by its name."""
    with pytest.raises(TripleError, match="no letter and no digit"):
        triple("Ann", relation, "Oslo", "Ann is in Oslo.")


@pytest.mark.parametrize(
    "name",
    [
        "🦄",
        "👩‍🚀 Ann",
        "مريم",
        "\u202eevil\u202c",
        "北京",
        "O'Brien",
        '"quoted"',
        "`back`tick",
        "a\nb",
        "a\u2028b",
        "{x}",
        "$x",
        "--",
    ],
)
def test_any_name_is_accepted(name: str) -> None:
    """Emoji, right-to-left names, quotes, backticks and line breaks are names like any other, and types."""
    made = triple(name, "knows `of`", name, subject_type=name, object_type=name)
    assert (made.subject, made.object, made.subject_type, made.object_type) == (name, name, name, name)


@pytest.mark.parametrize("confidence", [-0.01, 1.01, float("nan"), float("inf")])
def test_confidence_is_a_share(confidence: float) -> None:
    """Below 0, above 1 and not a number are refused."""
    with pytest.raises(TripleError, match="confidence"):
        triple("Ann", "lives_in", "Oslo", confidence=confidence)
    assert [triple("Ann", "lives_in", "Oslo", confidence=c).confidence for c in (0, 0.5, 1)] == [0, 0.5, 1]


def test_facts_are_current_until_retired() -> None:
    """A fact's own end does not retire it; being retired does."""
    made = fact(entity("Ann"), "VISITED", entity("Rome"), valid_to=Moment.parse("2020"))
    assert made.current
    assert not dataclasses.replace(made, retired_at=AT).current
    assert made.edge == (entity("Ann").id, "VISITED", entity("Rome").id)


def test_hits_are_of_facts_or_messages() -> None:
    """A hit has the sentence and the evidence of what was found."""
    said = message("Oslo is home.")
    found = fact(entity("Ann"), "LIVES_IN", entity("Oslo"), evidence=(said.id,))
    assert (Hit(score=1, reasons=(), fact=found).text, Hit(score=1, reasons=(), message=said).text) == (
        "Ann lives in Oslo.",
        "Oslo is home.",
    )
    assert (
        Hit(score=1, reasons=(), fact=found).evidence == Hit(score=1, reasons=(), message=said).evidence == (said.id,)
    )


def test_an_entitys_names() -> None:
    """The name comes first, then the aliases."""
    assert entity("Ann Oliveira", aliases=("Ann", "Annie")).names == ("Ann Oliveira", "Ann", "Annie")


def test_nothing_can_be_changed() -> None:
    """The words are values: a change makes another one."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        ANN.user_id = "bob"  # type: ignore[misc]


def test_a_past_plan() -> None:
    """A plan is past when its day or month is over and nothing has answered it."""
    plan = fact(entity("Ann"), "PLANS_TO_VISIT", entity("Japan"), planned_for=Moment.parse("2024-05"))
    may, june = datetime(2024, 5, 31, 23, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC)
    assert not plan.is_past_plan(may)
    assert plan.is_past_plan(june)
    assert not dataclasses.replace(plan, valid_to=Moment.parse("2024-06-02")).is_past_plan(june), "it has days left"
    assert not dataclasses.replace(plan, retired_at=june).is_past_plan(june)
    assert not dataclasses.replace(plan, planned_for=None).is_past_plan(june)


def test_a_literal_is_an_object() -> None:
    """The type of an object says that it is a value; a subject is none."""
    assert triple("Ann", "has_eyes", "blue", object_type="Literal ").object_is_literal
    assert not triple("Ann", "visited", "Rome", object_type="city").object_is_literal
    with pytest.raises(TripleError, match="'42' is a literal"):
        triple("42", "is_age_of", "Ann", subject_type="literal")


@pytest.mark.parametrize("brief", ["a\0b", "half \ud800"])
def test_a_clause_that_no_store_holds(brief: str) -> None:
    """The short clause is checked as the sentence is."""
    with pytest.raises(TripleError):
        triple("Ann", "likes", "tea", brief=brief)


@pytest.mark.parametrize(
    ("given", "about"),
    [
        ({}, None),
        ({"observed": "2024-03-05"}, "2024-03-05"),
        ({"observed": "2024-03-05", "planned_for": "2024-05"}, "2024-05"),
        ({"observed": "2024-03-05", "planned_for": "2024-05", "valid_from": "2023"}, "2023"),
    ],
)
def test_the_date_of_a_fact(given: dict[str, str], about: str | None) -> None:
    """Since when it is true, else what it is planned for, else the day it was observed."""
    dates: dict[str, Any] = {name: Moment.parse(text) for name, text in given.items()}
    assert fact(entity("Ann"), "VISITS", entity("Japan"), **dates).date == (Moment.parse(about) if about else None)


def test_of_data_the_beginning_is_embedded() -> None:
    """A passage of minified JSON is embedded by its first characters; a passage of prose as it is."""
    rows = ",".join(f'{{"id":{number},"state":"open"}}' for number in range(200))
    data = Message.of(utterance(f"[{rows}]"), ANN)
    texts = list(data.embedded_texts().values())
    assert len(texts) == len(data.passages()) > 3
    assert {len(each) for each in texts[:-1]} == {len(f"{data.speaker}: ") + EMBEDDED_OF_DATA}
    prose = Message.of(utterance("She moved to Lisbon and works at the port. " * 60), ANN)
    parts = [f"{prose.speaker}: {each.titled(prose.text)}" for each in prose.passages()]
    assert list(prose.embedded_texts().values()) == parts
