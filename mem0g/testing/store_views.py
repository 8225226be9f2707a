"""The part of the store contract about views: what was true, and what was known, at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from random import Random

import pytest

from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, EVERYTHING, FactFilter, PathTraversal, SearchQuery, View
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector
from mem0g.testing.store_samples import LISBON, LIVES, OSLO, PERSON, SAID, FilledStore, retirement, write
from mem0g.text.stemming import tokens
from mem0g.times import Moment


def zoned(time: datetime, random: Random) -> datetime:
    """Return the same instant in a random time zone."""
    return time.astimezone(timezone(timedelta(minutes=random.randint(-14 * 60, 14 * 60))))


class ViewContract(FilledStore):
    """Tests of views, and of lists by time."""

    def test_views(self, filled: Store) -> None:
        """Views: current (the default), as of a valid time, as known at a recording time, and everything."""
        moved = fact(PERSON, "LIVES_IN", LISBON, valid_from=Moment.parse("2024-03"), recorded_at=day("2024-07-01"))
        write(
            filled, change(entities=[LISBON], facts=[moved], retirements=(retirement(LIVES.id, moved.id, "2024-03"),))
        )

        def seen(view: View) -> list[str]:
            return [each.object for each in filled.list_facts(ANN, FactFilter(view=view), 10)]

        assert seen(View()) == ["Lisbon"]
        assert seen(View(as_of=day("2022-01-01"))) == ["Oslo"]
        assert seen(View(as_of=day("2019-01-01"))) == []
        assert seen(View(as_of=day("2024-04-01"))) == ["Lisbon"]
        assert seen(View(known_at=day("2024-06-15"))) == ["Oslo"]
        assert seen(EVERYTHING) == ["Oslo", "Lisbon"]

    def test_found_facts_obey_the_view(self, filled: Store) -> None:
        """No search channel returns a fact outside the view."""
        write(filled, change(retirements=(retirement(LIVES.id, None, "2024-03"),)))
        probe = SearchQuery(vectors=(vector(LIVES.text),), terms=("live", "oslo"), anchors=(PERSON.id,))
        assert filled.find(ANN, probe).facts == ()
        past = SearchQuery(vectors=probe.vectors, terms=probe.terms, view=View(as_of=day("2022-01-01")))
        assert [each.fact.id for each in filled.find(ANN, past).facts] == [LIVES.id]

    def test_a_view_is_of_an_instant(self, store: Store) -> None:
        """A view as of an instant is the same in every time zone: the facts said and recorded by then."""
        random = Random(7)
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        said = [AT + timedelta(minutes=random.randint(-2000, 2000)) for _ in range(20)]
        homes = [entity(f"Town {number}") for number in range(20)]
        facts = [
            fact(PERSON, "VISITED", home, said_at=zoned(time, random), recorded_at=zoned(time, random))
            for home, time in zip(homes, said, strict=True)
        ]
        write(store, change(entities=[PERSON, *homes], facts=facts))
        for _ in range(60):
            at = AT + timedelta(minutes=random.randint(-2500, 2500))
            expected = {each.object for each, time in zip(facts, said, strict=True) if time <= at}
            for view in (View(as_of=zoned(at, random)), View(known_at=zoned(at, random))):
                assert {each.object for each in store.list_facts(ANN, FactFilter(view=view), 50)} == expected

    def test_messages_come_back_with_the_time_of_recording(self, store: Store, another: Callable[[], Store]) -> None:
        """The time of recording is stored, dumped and loaded in UTC; a message without one stays without."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        new = replace(message("new"), recorded_at=zoned(AT, Random(3)))
        write(store, change(messages=[new, message("old", 1)]))
        copy = another()
        copy.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        copy.load(iter(dumped(store)))
        for each in (store, copy):
            for found in (each.list_messages(ANN, 5), each.messages(ANN, [new.id, message("old", 1).id])):
                assert [one.recorded_at for one in found] == [AT, None]
            assert [one.recorded_at for one in each.recent_messages(ANN, "chat", "1", 5)] == [AT, None]

    @pytest.mark.parametrize("count", [3, 320])
    def test_messages_recorded_later_are_not_found(self, store: Store, count: int) -> None:
        """As known at an instant, messages recorded later are not found and take no place in the results."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        early = replace(message("I live in Oslo now.", 0), recorded_at=day("2024-06-02"))
        unknown = message("Oslo is where I live.", 1)  # written by an older version: the time it was said counts
        late = [
            replace(message(f"I live in Oslo now, {n}.", n), recorded_at=day("2026-01-01")) for n in range(2, count)
        ]
        lives = fact(PERSON, "LIVES_IN", OSLO, evidence=(early.id, late[0].id))
        write(store, change(messages=[early, unknown, *late], entities=[PERSON, OSLO], facts=[lives]))
        probe = SearchQuery(
            vectors=(vector(late[0].text),),
            terms=("live", "oslo", "now"),
            messages=2,
            radius=3,
            traversal=PathTraversal(anchors=(PERSON.id,)),
            view=View(known_at=day("2025-01-01")),
        )
        found = store.find(ANN, probe)
        assert {each.message.id for each in found.messages} == {early.id, unknown.id}
        assert set(found.turns.ids) == {early.id, unknown.id}
        assert [each.fact.evidence for each in (*found.facts, *found.traversal)] == [(early.id,), (early.id,)]
        assert store.find(ANN, replace(probe, view=View(known_at=day("2024-05-31")))).messages == ()
        now = store.find(ANN, replace(probe, view=CURRENT))
        assert late[0].id in {each.message.id for each in now.messages} | set(now.turns.ids)
        assert [each.fact.evidence for each in now.facts] == [(early.id, late[0].id)]

    def test_outdated_messages(self, filled: Store) -> None:
        """A message is returned with the stems of the facts that cite it only if the view excludes all of them."""
        probe = SearchQuery(vectors=(vector(SAID.text),), terms=("live", "oslo"))
        assert [each.outdated for each in filled.find(ANN, probe).messages] == [""]
        write(filled, change(retirements=(retirement(LIVES.id, None, "2024-03"),)))
        (found,) = filled.find(ANN, probe).messages
        assert set(found.outdated.split()) == set(tokens(LIVES.text))
        past = SearchQuery(vectors=probe.vectors, terms=probe.terms, view=EVERYTHING)
        assert [each.outdated for each in filled.find(ANN, past).messages] == [""]
        likes = fact(PERSON, "LIKES", OSLO, evidence=(SAID.id,))
        write(filled, change(facts=[likes]))
        assert [each.outdated for each in filled.find(ANN, probe).messages] == [""]

    def test_recent_messages(self, store: Store) -> None:
        """The latest messages of a session, oldest first."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        told = [message(f"turn {number}", number) for number in range(4)]
        write(store, change(messages=told))
        assert store.recent_messages(ANN, "chat", "1", 2) == tuple(told[2:])
        assert store.recent_messages(BOB, "chat", "1", 2) == ()

    def test_messages_around(self, store: Store) -> None:
        """Those near each message in its session, in order, with itself; other sessions and scopes have no part."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        told = [message(f"turn {number}", number) for number in range(5)]
        other = message("elsewhere", 1, session="2")
        write(store, change(messages=[*told, other]))
        assert store.messages_around(ANN, [told[3].id, told[0].id, other.id, "m_unknown"], 2, 1) == {
            told[3].id: tuple(told[1:5]),
            told[0].id: tuple(told[:2]),
            other.id: (other,),
        }
        assert store.messages_around(ANN, [told[2].id], 0, 0) == {told[2].id: (told[2],)}
        assert store.messages_around(ANN, [], 1, 1) == {}
        assert store.messages_around(BOB, [told[0].id], 1, 1) == {}

    def test_messages_said_at(self, store: Store) -> None:
        """Those of exactly this scope with one of the times, in the order of their conversations."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        noon, later = day("2024-03-05"), day("2024-03-06")
        told = [
            replace(message(f"turn {number}", number), time=time) for number, time in enumerate((noon, None, later))
        ]
        copy = replace(message("turn 0", 5), source="a chat", time=noon)
        write(store, change(messages=[*told, copy]))
        assert store.messages_said_at(ANN, [later, noon]) == (copy, told[0], told[2])
        assert store.messages_said_at(ANN, [noon]) == (copy, told[0])
        assert store.messages_said_at(ANN, [day("2024-03-07")]) == store.messages_said_at(ANN, []) == ()
        assert store.messages_said_at(BOB, [noon]) == ()

    def test_a_snapshot_is_of_one_moment(self, filled: Store) -> None:
        """What is written while a snapshot is read is not part of it; this includes the embedder."""
        with filled.snapshot() as snapshot:
            changes = iter(snapshot.changes)
            first = next(changes)
            write(filled, change(BOB, messages=[message("late", scope=BOB)]))
            rest = list(changes)
            assert (snapshot.embedder, snapshot.dimensions) == (EMBEDDER.name, EMBEDDER.dimensions)
        assert [each.scope for each in (first, *rest)] == [ANN] * (1 + len(rest))
        assert [each.messages for each in (first, *rest) if each.messages] == [(SAID,)]
        assert filled.stats(BOB).messages == 1
