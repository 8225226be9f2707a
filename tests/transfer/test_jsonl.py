"""A memory as JSON Lines, and back."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.errors import EmbedderMismatchError, InputError
from mem0g.model import Decision, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.store.change import Change, Retirement
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, FactFilter, SearchQuery
from mem0g.store.records import PendingWindow
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import records_of_all_types, write
from mem0g.times import Moment
from mem0g.transfer.copy import Copied, copy
from mem0g.transfer.jsonl import FORMAT, KINDS, export_lines, import_lines, plain
from tests.making import ANN, AT, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)
HOSTILE = (
    "line\nbreak\r\n",
    "U+2028 \u2028 and \u2029 and \x85",
    "🦄 👩‍🚀",
    "مريم \u202e",
    "\"'`\\{}",
    "दिल्ली",
    "\x7f\x1f\t",
    " ",
)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], SqliteStore]]:
    """Makes empty stores."""
    stores: list[SqliteStore] = []

    def make() -> SqliteStore:
        stores.append(SqliteStore(tmp_path / f"{len(stores)}.db"))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def filled(opened: Callable[[], SqliteStore]) -> SqliteStore:
    """A store with something of every kind, in three scopes, with hostile names and texts."""
    store = opened()
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    for scope in (ANN, BOB, Scope("ann", "helper 🦄 \"'`", "r1")):
        write(store, everything(scope))
        write(store, Change(scope=scope, merges=((entity("Liv", scope).id, entity("Ann", scope).id),)))
        store.load(iter([Change(scope=scope, done=records_of_all_types(scope)["done"])]))
    store.save_relation_types(
        ANN, [RelationType(name="居住于", synonyms=("DWELLS_IN",), one_object=True, origin="user")]
    )
    return store


def everything(scope: Scope) -> Change:
    """Something of every kind."""
    said = [message(text, place, scope, source_id=f"D1:{place}", speaker=text) for place, text in enumerate(HOSTILE)]
    untimed = message("no time", 99, scope, time=None)
    person = entity("Ann", scope, type="person", aliases=HOSTILE)
    places = [entity(name, scope, type=name) for name in HOSTILE]
    lived = fact(person, "LIVES_IN", places[0], HOSTILE[1], evidence=(said[1].id, said[0].id), confidence=0.1)
    lives = fact(
        person, "LIVES_IN", places[1], valid_from=Moment.parse("2024-03"), said_at=None, evidence=(untimed.id,)
    )
    likes = fact(entity("Liv", scope), "LIKES", places[2], valid_to=Moment.parse("2024-03-01T10:00:00.5Z"))
    days: dict[str, Any] = {"observed": Moment.parse("2024-03-01"), "planned_for": Moment.parse("2024-05")}
    plans = fact(person, "PLANS_TO_VISIT", places[2], brief=HOSTILE[3], **days)
    gone = Succession(fact_id=lived.id, successor_id=lives.id, reason=HOSTILE[0], decided_by="rule", at=day("2024-07"))
    decision = Decision(
        id=f"d_{scope}",
        operation="UPDATE",
        rule="single",
        reason=HOSTILE[4],
        at=AT,
        fact_id=lives.id,
        targets=(lived.id,),
        score=1 / 3,
        evidence=(said[0].id,),
        triple={"subject": HOSTILE[2]},
    )
    waiting = PendingWindow(
        id=HOSTILE[5 % len(HOSTILE)],
        scope=scope,
        messages=(said[0].id,),
        context=(),
        speakers=(HOSTILE[2],),
        since=AT,
        problem=HOSTILE[4],
    )
    return change(
        scope,
        [*said, untimed],
        [person, *places, entity("Liv", scope)],
        [lived, lives, likes, plans],
        retirements=(Retirement(gone, Moment.parse("2024")),),
        decisions=(decision,),
        **{**records_of_all_types(scope), "windows": (waiting,), "done": ()},
    )


def exported(store: Store, scope: Scope | None = None) -> list[str]:
    """The lines of an export, as they come back from a file."""
    text = "".join(f"{line}\n" for line in export_lines(store, scope))
    return text.encode().decode().split("\n")


def test_an_import_exports_the_same(filled: SqliteStore, opened: Callable[[], SqliteStore]) -> None:
    """Another store that imported an export exports the same lines, vectors included."""
    lines = exported(filled)
    copy = opened()
    copied = import_lines(copy, lines)
    ids = [json.loads(line)["record"].get("id", "") for line in lines[1:-2]]
    assert (copied.records, copied.known) == (sum(each[:2] in ("m_", "e_", "f_", "d_") for each in ids), 0)
    assert exported(copy) == lines


def test_every_kind_is_in_an_export(filled: SqliteStore) -> None:
    """The first line names format and embedder, the last one the number of those between: records of a known kind."""
    first, *others, last = (json.loads(line) for line in exported(filled) if line)
    assert last == {"kind": "end", "records": len(others)}
    assert first == {"mem0g": FORMAT, "embedder": EMBEDDER.name, "dimensions": EMBEDDER.dimensions, "relations": []}
    relations = [other["record"] for other in others if other["kind"] == "relations"]
    assert relations == [plain(relation) for relation in filled.vocabulary(ANN).types]
    assert {other["kind"] for other in others} == set(KINDS)
    assert all(other["scope"] for other in others)


def test_a_record_is_one_line(filled: SqliteStore) -> None:
    """Line breaks in names and texts are escaped: an export has as many lines as records."""
    assert all("\n" not in line and "\r" not in line for line in export_lines(filled))


def test_vectors_are_kept_to_the_bit(filled: SqliteStore) -> None:
    """A vector is base64 of little-endian float32; what was merged away has none."""
    records = [json.loads(line) for line in exported(filled) if line][1:-1]
    by_id = {(each["kind"], each["record"].get("id")): each for each in records}
    told = by_id["messages", message(HOSTILE[2], 2).id]
    assert base64.b64decode(told["vector"]) == vector(HOSTILE[2]).astype("<f4").tobytes()
    assert "vector" not in by_id["entities", entity("Liv").id]


def test_a_copy_answers_alike(filled: SqliteStore, opened: Callable[[], SqliteStore]) -> None:
    """Search, history and lists of the copy are those of the original."""
    copy = opened()
    import_lines(copy, exported(filled))
    probe = SearchQuery(vectors=(vector("Ann lives"),), terms=("ann", "live", "🦄"), view=EVERYTHING)
    assert copy.find(ANN, probe) == filled.find(ANN, probe)
    facts = filled.list_facts(ANN, FactFilter(view=EVERYTHING), 100)
    assert copy.list_facts(ANN, FactFilter(view=EVERYTHING), 100) == facts
    assert copy.successions(ANN, [each.id for each in facts]) == filled.successions(ANN, [each.id for each in facts])
    assert copy.vocabulary(ANN).types == filled.vocabulary(ANN).types
    assert copy.stats() == filled.stats()
    assert copy.match_names(ANN, ["liv"]) == filled.match_names(ANN, ["liv"])


def test_a_scope_alone(filled: SqliteStore, opened: Callable[[], SqliteStore]) -> None:
    """The export of a scope holds what it covers and nothing of others."""
    copy = opened()
    import_lines(copy, exported(filled, BOB))
    assert copy.stats().scopes == (BOB,)
    assert exported(copy) == exported(filled, BOB)
    assert len(exported(filled, ANN)) > len(exported(filled, BOB))


def test_importing_again_changes_nothing(filled: SqliteStore) -> None:
    """An export put back into its own store leaves it as it was, and counts nothing as new."""
    lines = exported(filled)
    copied = import_lines(filled, lines)
    assert exported(filled) == lines
    assert copied == Copied(known=copied.records)


@pytest.mark.parametrize(
    ("left", "problem"),
    [
        (lambda lines: lines[:-1], "is cut off"),
        (lambda lines: lines[: len(lines) // 8], "is cut off"),
        (lambda lines: lines[:1], "is cut off"),
        (lambda lines: [*lines[:-2], lines[-1]], "as its last line says"),
    ],
)
def test_an_export_that_is_cut_off(
    filled: SqliteStore, opened: Callable[[], SqliteStore], left: Callable[[list[str]], list[str]], problem: str
) -> None:
    """An export without its last line is refused, unless a part of one is asked for; so is one that lacks a record."""
    lines = [line for line in exported(filled) if line]
    store, given = opened(), left(lines)
    with pytest.raises(InputError, match=problem) as caught:
        import_lines(store, given)
    assert "--part" in str(caught.value.hint)
    assert store.scopes() == ()
    import_lines(store, given, part=True)
    import_lines(store, lines)
    assert exported(store) == exported(filled)


@pytest.mark.parametrize("how", ["import", "copy"])
def test_what_differs_there_is_counted(opened: Callable[[], SqliteStore], how: str) -> None:
    """A later export, or copy, of the same memory ends nothing in an older one, and does not hide it."""
    source, target = opened(), opened()
    source.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    person, oslo, rome = (entity(name, ANN) for name in ("Ann", "Oslo", "Rome"))
    home = fact(person, "LIVES_IN", oslo)
    write(source, change(ANN, [], [person, oslo, rome], [home]))
    import_lines(target, exported(source))
    ended = Succession(fact_id=home.id, successor_id=None, reason="left", decided_by="user", at=AT)
    write(source, change(ANN, [], [replace(person, aliases=("Annie",))], [], retirements=(Retirement(ended, None),)))
    copied = import_lines(target, exported(source)) if how == "import" else copy(source, target)
    assert (copied.known, copied.differing) == (4, 2)
    assert target.facts(ANN, [home.id])[0].current
    assert import_lines(source, exported(source)).differing == 0


def test_an_export_of_format_6_has_no_last_line(filled: SqliteStore, opened: Callable[[], SqliteStore]) -> None:
    """It is imported as before."""
    head, *lines = exported(filled)
    copy = opened()
    import_lines(copy, [json.dumps(json.loads(head) | {"mem0g": 6}), *lines[:-2]])
    assert exported(copy) == [head, *lines]


def test_records_of_another_scope_are_refused(filled: SqliteStore, opened: Callable[[], SqliteStore]) -> None:
    """An id stands for a record of one scope: an export with another user's name is for a store of its own."""
    lines = [line.replace('"user_id":"bob"', '"user_id":"zoe"') for line in exported(filled, BOB)]
    before = exported(filled)
    with pytest.raises(InputError, match=r"user_id=zoe is in .* already, in user_id=bob"):
        import_lines(filled, lines)
    assert exported(filled) == before
    store = opened()
    import_lines(store, lines)
    assert store.scopes() == (Scope("zoe"),)
    with pytest.raises(InputError, match=r"user_id=bob is in .* already, in user_id=zoe"):
        copy(filled, store, BOB)
    assert store.scopes() == (Scope("zoe"),)


def test_an_empty_store(opened: Callable[[], SqliteStore]) -> None:
    """An export of nothing has no records, and imports as nothing; the copy is free to choose its embedder."""
    lines = exported(opened())
    assert [json.loads(line) for line in lines if line] == [
        {"mem0g": FORMAT, "embedder": None, "dimensions": None, "relations": []},
        {"kind": "end", "records": 0},
    ]
    copy = opened()
    assert import_lines(copy, lines) == Copied()
    assert copy.info().embedder is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(texts=st.lists(TEXT, min_size=1, max_size=5, unique=True), kind=TEXT)
def test_any_names_and_texts(opened: Callable[[], SqliteStore], texts: list[str], kind: str) -> None:
    """Whatever texts are, they come back equal."""
    store, copy = opened(), opened()
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    ends = [entity(text, type=kind, aliases=tuple(texts)) for text in texts]
    said = [
        message(text, place, session=kind, speaker=kind, metadata={kind: texts}) for place, text in enumerate(texts)
    ]
    made = fact(ends[0], "KNOWS", ends[-1], texts[0], relation_given=kind, evidence=tuple(each.id for each in said))
    write(store, change(messages=said, entities=ends, facts=[made]))
    import_lines(copy, exported(store))
    assert copy.messages(ANN, [each.id for each in said]) == tuple(said)
    assert copy.entities(ANN, [each.id for each in ends]) == tuple(ends)
    assert copy.facts(ANN, [made.id]) == (made,)
    assert exported(copy) == exported(store)


GOOD = {"kind": "messages", "scope": {"user_id": "ann"}, "record": plain(message("hello"))}


def header(**given: Any) -> str:
    """A first line."""
    return json.dumps({"mem0g": FORMAT, "embedder": EMBEDDER.name, "dimensions": EMBEDDER.dimensions, **given})


def without(record: dict[str, Any], name: str) -> dict[str, Any]:
    """The record without one of its fields."""
    return {key: value for key, value in record.items() if key != name}


DATED = plain(fact(entity("Ann"), "LIVES_IN", entity("Oslo"))) | {"valid_from": "someday"}
NAIVE = plain(fact(entity("Ann"), "LIVES_IN", entity("Oslo"))) | {"recorded_at": "2024-06-01T12:00:00"}
BROKEN = {
    "no JSON": ("{", "Expecting"),
    "a list": ("[]", ""),
    "a number": ("7", ""),
    "no kind": (json.dumps(without(GOOD, "kind")), "kind"),
    "unknown kind": (json.dumps(GOOD | {"kind": "pears"}), "pears"),
    "kind no name": (json.dumps(GOOD | {"kind": ["messages"]}), ""),
    "no record": (json.dumps(without(GOOD, "record")), "record"),
    "missing field": (json.dumps(GOOD | {"record": without(plain(message("x")), "text")}), "text"),
    "wrong role": (json.dumps(GOOD | {"record": plain(message("x")) | {"role": "king"}}), "role"),
    "no scope": (json.dumps(without(GOOD, "scope")), "scope"),
    "empty scope": (json.dumps(GOOD | {"scope": {}}), "scope"),
    "unknown scope key": (json.dumps(GOOD | {"scope": {"user_id": "ann", "team": "x"}}), "team"),
    "scope key no text": (json.dumps(GOOD | {"scope": {"user_id": 7}}), "user_id"),
    "scope a list": (json.dumps(GOOD | {"scope": ["ann"]}), ""),
    "unreadable time": (json.dumps(GOOD | {"kind": "facts", "record": DATED}), "someday"),
    "time without a zone": (json.dumps(GOOD | {"kind": "facts", "record": NAIVE}), "no time zone"),
    "vector no base64": (json.dumps(GOOD | {"vector": "!!"}), ""),
    "vector no text": (json.dumps(GOOD | {"vector": 7}), ""),
    "vector cut": (json.dumps(GOOD | {"vector": "AAA="}), ""),
    "vector of other dimensions": (json.dumps(GOOD | {"vector": "AAAAAA=="}), "1 dimensions, not 384"),
}


@pytest.mark.parametrize(("line", "problem"), BROKEN.values(), ids=BROKEN)
def test_bad_lines_are_named_and_nothing_is_written(opened: Callable[[], SqliteStore], line: str, problem: str) -> None:
    """The first line that cannot be read is named by its number; the good ones before it are not written either."""
    store = opened()
    with pytest.raises(InputError, match=f"(?s)^line 4 cannot be read: .*({problem})") as caught:
        import_lines(store, [header(), json.dumps(GOOD), "", line, "{"])
    assert caught.value.hint
    assert len(str(caught.value).splitlines()) == 1
    assert store.stats().messages == 0
    assert store.info().embedder is None


@pytest.mark.parametrize(
    "first", ["", "{}", "[]", "hello", '{"mem0g": "x"}', json.dumps(GOOD), '{"role": "user", "content": "hi"}']
)
def test_other_files_are_no_export(opened: Callable[[], SqliteStore], first: str) -> None:
    """Whatever does not begin as an export does is refused at once."""
    store = opened()
    with pytest.raises(InputError, match="line 1 is not the start of an export"):
        import_lines(store, [first, json.dumps(GOOD)] if first else [])
    assert store.stats().messages == 0


def test_a_newer_format_is_refused(opened: Callable[[], SqliteStore]) -> None:
    """An export of a newer mem0g asks for an upgrade."""
    store = opened()
    with pytest.raises(InputError, match=f"format {FORMAT + 1}, newer than {FORMAT}") as caught:
        import_lines(store, [header(mem0g=FORMAT + 1), json.dumps(GOOD)])
    assert caught.value.hint == "upgrade mem0g"
    assert store.stats().messages == 0


def test_another_embedder_is_refused(filled: SqliteStore, opened: Callable[[], SqliteStore]) -> None:
    """A store that another embedder filled takes nothing of the export."""
    store = opened()
    store.claim_embedder("other", EMBEDDER.dimensions)
    with pytest.raises(EmbedderMismatchError, match="other"):
        import_lines(store, exported(filled))
    assert store.stats().messages == 0
    assert store.info().embedder == "other"


def test_plain_is_what_json_holds() -> None:
    """Times are text, tuples lists, numbers numbers."""
    made = plain(fact(entity("Ann"), "LIVES_IN", entity("Oslo"), valid_from=Moment.parse("2020-03"), evidence=("m_1",)))
    assert json.loads(json.dumps(made)) == made
    assert (made["valid_from"], made["said_at"], made["evidence"]) == ("2020-03", "2024-06-01T12:00:00Z", ["m_1"])
    assert made["scope"] == {"user_id": "ann", "agent_id": None, "run_id": None}


def test_vectors_are_read_little_endian(opened: Callable[[], SqliteStore]) -> None:
    """The bytes of a vector mean the same on every machine."""
    store = opened()
    given_vector = np.arange(EMBEDDER.dimensions, dtype="<f4")
    line = json.dumps(GOOD | {"vector": base64.b64encode(given_vector.tobytes()).decode()})
    import_lines(store, [header(), line], part=True)
    (written,) = (made.vectors[GOOD["record"]["id"]] for made in dumped(store) if made.messages)  # type: ignore[index]
    assert written.tolist() == pytest.approx(range(EMBEDDER.dimensions), abs=EMBEDDER.dimensions / 4000)


def test_facts_of_an_older_format(filled: SqliteStore, opened: Callable[[], SqliteStore]) -> None:
    """Facts of format 3 have no short clause and no days of observation or plan."""
    head, *lines = exported(filled, BOB)
    older = [json.dumps(json.loads(head) | {"mem0g": 3})]
    for line in filter(None, lines):
        read = json.loads(line)
        if read["kind"] == "facts":
            for name in ("brief", "observed", "planned_for"):
                del read["record"][name]
        older.append(json.dumps(read))
    copy = opened()
    import_lines(copy, older)
    facts = copy.list_facts(BOB, FactFilter(view=EVERYTHING), 10)
    assert [each.text for each in facts] == [
        each.text for each in filled.list_facts(BOB, FactFilter(view=EVERYTHING), 10)
    ]
    assert {(each.brief, each.observed, each.planned_for) for each in facts} == {(None, None, None)}


def test_values_in_an_export(opened: Callable[[], SqliteStore]) -> None:
    """A value is imported as one; of a format before 4 it is an entity without a type; one with aliases is refused."""
    blue = entity("blue", type="literal")
    store = opened()
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    write(store, change(entities=[entity("Ann"), blue], facts=[fact(entity("Ann"), "HAS_EYES", blue)]))
    head, *lines = filter(None, exported(store))
    for version, kind in ((FORMAT, "literal"), (3, "")):
        copy = opened()
        import_lines(copy, [json.dumps(json.loads(head) | {"mem0g": version}), *lines])
        assert [each.type for each in copy.entities(ANN, [blue.id])] == [kind]
        assert copy.verify() == ()
    wrong = [line.replace('"aliases":[]', '"aliases":["azure"]') for line in lines]
    with pytest.raises(InputError, match=r"line \d cannot be read: .*'blue' is a literal"):
        import_lines(opened(), [head, *wrong])
    wrong = [line.replace('"subject_type":""', '"subject_type":"literal"') for line in lines]
    with pytest.raises(InputError, match=r"line \d cannot be read: subject: a literal"):
        import_lines(opened(), [head, *wrong])
