"""The part of the store contract about what is written: it comes back equal, whole and in its scope."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from mem0g.model import Decision, Scope
from mem0g.store.change import Change, Support
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import EntityQuery, FactFilter, SearchQuery, View
from mem0g.store.records import Done
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector
from mem0g.testing.store_samples import LISBON, LIVES, OSLO, PERSON, SAID, FilledStore, retirement, write
from mem0g.times import Moment


class WritingContract(FilledStore):
    """Tests of commits."""

    def test_what_is_written_comes_back_equal(self, filled: Store) -> None:
        """Messages, entities and facts are read back equal to what was written."""
        assert filled.messages(ANN, [SAID.id]) == (SAID,)
        assert filled.entities(ANN, [OSLO.id, PERSON.id]) == (OSLO, PERSON)
        assert filled.facts(ANN, [LIVES.id]) == (LIVES,)

    def test_unknown_ids_are_left_out(self, filled: Store) -> None:
        """Unknown ids are omitted from the result and raise no error."""
        assert filled.facts(ANN, ["f_0", LIVES.id]) == (LIVES,)
        assert filled.entities(ANN, []) == ()

    def test_writing_again_changes_nothing(self, filled: Store) -> None:
        """The same change committed twice leaves the store as it was."""
        before = dumped(filled)
        write(filled, change(messages=[SAID], entities=[PERSON, OSLO], facts=[LIVES]))
        assert str(dumped(filled)) == str(before)

    def test_a_failed_transaction_leaves_nothing(self, filled: Store) -> None:
        """What a transaction wrote before an error is rolled back, in the search indexes too."""
        late = message("Oslo is cold.", 1)

        def work(transaction: Transaction) -> None:
            transaction.commit(change(messages=[late]))
            raise RuntimeError("power cut")

        with pytest.raises(RuntimeError):
            filled.write(ANN, work)
        assert filled.messages(ANN, [late.id]) == ()
        probe = SearchQuery(vectors=(vector(late.text),), terms=("cold",))
        assert [each.message for each in filled.find(ANN, probe).messages] == [SAID]

    def test_a_scope_reads_what_has_its_keys(self, store: Store) -> None:
        """A user's read covers the user's runs; a run's read covers only itself; other users are never seen."""
        run = Scope(user_id="ann", run_id="r1")
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        for scope in (ANN, run, BOB):
            here = entity("Ann", scope)
            write(store, change(scope, entities=[here], messages=[message("hello", scope=scope)]))
        assert {each.scope for each, _ in store.list_entities(ANN, 10)} == {ANN, run}
        assert {each.scope for each, _ in store.list_entities(run, 10)} == {run}
        assert {each.scope for each in store.match_names(BOB, ["ann"])} == {BOB}
        assert len(store.list_messages(Scope(run_id="r1"), 10)) == 1
        assert store.messages(BOB, [message("hello").id]) == ()

    def test_a_transaction_sees_its_scope_exactly(self, store: Store) -> None:
        """Writing for a user looks only at what was written for just that user."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        run = Scope(user_id="ann", run_id="r1")
        write(store, change(run, entities=[entity("Oslo", run)]))
        query = EntityQuery(names=("oslo",), tokens=("oslo",), vector=vector("Oslo"))
        assert store.write(ANN, lambda transaction: transaction.match_entities([query], 5)) == [()]

    def test_known_messages_and_decisions(self, filled: Store) -> None:
        """``begin`` returns which of the given ids are stored."""
        decision = Decision(id="d_1", operation="ADD", rule="new", reason="", at=AT, fact_id=LIVES.id)
        write(filled, Change(scope=ANN, decisions=(decision,)))
        known = filled.write(ANN, lambda transaction: transaction.begin([SAID.id, "d_1", "m_0"]).known)
        assert known == {SAID.id, "d_1"}
        assert filled.decisions(ANN, [LIVES.id]) == (decision,)
        assert filled.decisions(BOB, [LIVES.id]) == ()

    def test_an_entity_learns_its_type(self, store: Store) -> None:
        """The type of a stored entity can be set later, changed, and removed again."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        for kind in ("", "city", "town", ""):
            known = entity("Oslo", type=kind)
            write(store, change(entities=[known]))
            assert [each.type for each in store.entities(ANN, [known.id])] == [kind]

    def test_retirement_marks_and_links(self, filled: Store) -> None:
        """A retired fact is kept, with its end time and a link to its successor."""
        moved = fact(PERSON, "LIVES_IN", LISBON)
        retired = retirement(LIVES.id, moved.id, "2024-03")
        write(filled, change(entities=[LISBON], facts=[moved], retirements=(retired,)))
        (kept,) = filled.facts(ANN, [LIVES.id])
        assert (kept.current, str(kept.valid_to), kept.retired_at) == (False, "2024-03", day("2024-07-01"))
        assert filled.successions(ANN, [moved.id]) == (retired.succession,)
        assert filled.successions(BOB, [moved.id]) == ()

    def test_support_adds_evidence_and_a_date(self, filled: Store) -> None:
        """Support appends evidence, and sets a date only where the fact had none."""
        again = message("Still in Oslo.", 1)
        undated = fact(PERSON, "LIKES", OSLO)
        support = (Support(LIVES.id, (again.id,), Moment.parse("1999")), Support(undated.id, (), Moment.parse("2021")))
        write(filled, change(messages=[again], facts=[undated], support=support))
        lives, likes = filled.facts(ANN, [LIVES.id, undated.id])
        assert lives.evidence == (SAID.id, again.id)
        assert (str(lives.valid_from), str(likes.valid_from)) == ("2020", "2021")

    def test_support_gives_a_current_fact_its_end(self, filled: Store) -> None:
        """An end is set where a current fact has none; it stays current."""
        ended = fact(PERSON, "LIKES", OSLO)
        write(filled, change(facts=[ended], retirements=(replace(retirement(ended.id, None, "2024"), valid_to=None),)))
        for end in ("2199-03", "2201"):
            support = (
                Support(LIVES.id, (), valid_to=Moment.parse(end)),
                Support(ended.id, (), valid_to=Moment.parse(end)),
            )
            write(filled, change(support=support))
        lives, likes = filled.facts(ANN, [LIVES.id, ended.id])
        assert (str(lives.valid_to), lives.current, likes.valid_to) == ("2199-03", True, None)
        write(filled, change(retirements=(replace(retirement(LIVES.id, None, "2199-03"), valid_to=lives.valid_to),)))
        for as_of, found in (("2199-02", True), ("2199-04", False)):
            listed = filled.list_facts(ANN, FactFilter(view=View(as_of=day(f"{as_of}-01"))), 10)
            assert (LIVES.id in {each.id for each in listed}) is found

    def test_states_and_plans_come_back_equal(self, filled: Store) -> None:
        """The short clause, the last day of observation and the day of a plan are kept at the precision known."""
        state = fact(PERSON, "HAS_HOBBY", OSLO, brief="has no hobby", observed=Moment.parse("2024-03-05"))
        plan = fact(PERSON, "PLANS_TO_VISIT", LISBON, brief="plans to visit it", planned_for=Moment.parse("2024-05"))
        write(filled, change(entities=[LISBON], facts=[state, plan]))
        assert filled.facts(ANN, [state.id, plan.id]) == (state, plan)
        assert {state, plan} < set(filled.list_facts(ANN, FactFilter(), 10))
        found = filled.find(ANN, SearchQuery(vectors=(vector(plan.text),), terms=("visit",)))
        assert [each.fact for each in found.facts if each.fact.id == plan.id] == [plan]
        moved = replace(plan, text="Ann goes to Lisbon.", brief=None, planned_for=None, observed=state.observed)
        write(filled, change(rewritten=(moved,)))
        assert filled.facts(ANN, [plan.id]) == (moved,)

    def test_metadata_comes_back_equal(self, filled: Store) -> None:
        """The metadata of messages and facts is kept as it was given; support and a rewrite replace a fact's."""
        given = {"topic": "work", "tags": ["a", 1, 2.5, None, True], "deep": {"b": {"c": "ü"}}, "a.b": 0}
        said = message("I like Oslo.", 7, metadata=given)
        likes = fact(PERSON, "LIKES", OSLO, evidence=(said.id,), metadata=given)
        write(filled, change(messages=[said], facts=[likes]))
        assert (filled.messages(ANN, [said.id]), filled.facts(ANN, [likes.id])) == ((said,), (likes,))
        assert filled.recent_messages(ANN, "chat", "1", 1) == (said,)
        found = filled.find(ANN, SearchQuery(vectors=(vector(likes.text),), terms=("like",)))
        assert likes in [each.fact for each in found.facts]
        assert said in [each.message for each in found.messages]
        write(filled, change(support=(Support(likes.id, ()), Support(likes.id, (), metadata={"topic": "play"}))))
        assert filled.facts(ANN, [likes.id])[0].metadata == {"topic": "play"}
        write(filled, change(rewritten=(replace(likes, metadata={}),)))
        assert filled.facts(ANN, [likes.id])[0].metadata == {}
        assert [each.metadata for part in dumped(filled, ANN) for each in part.messages if each == said] == [given]

    def test_the_offset_of_a_message_comes_back(self, store: Store) -> None:
        """By how much its zone was ahead of UTC is known wherever a message is read; it does not count for equality."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        west = replace(message("I moved yesterday.", 0, time=AT), utc_offset=-6 * 3600)
        east = replace(message("Today I rest.", 1, time=AT), utc_offset=45_900)
        plain = message("Fine.", 2, time=AT)
        said, ids = (west, east, plain), [west.id, east.id, plain.id]
        write(store, change(messages=said))
        probe = SearchQuery(vectors=(vector(west.text),), terms=("moved", "rest", "fine"))
        for read in (
            store.messages(ANN, ids),
            store.list_messages(ANN, 3),
            store.recent_messages(ANN, west.source, west.session, 3),
            store.messages_around(ANN, [east.id], 1, 1)[east.id],
            store.messages_said_at(ANN, [AT]),
            sorted((each.message for each in store.find(ANN, probe).messages), key=lambda each: each.position),
            [each for part in dumped(store) for each in part.messages],
        ):
            assert [(each, each.utc_offset) for each in read] == [(each, each.utc_offset) for each in said]

    def test_support_of_states_and_plans(self, filled: Store) -> None:
        """Support advances the last day of observation, and sets the day of a plan only where the fact had none."""
        days = {name: Moment.parse(name) for name in ("2024-03-05", "2024-03-09", "2024-04-01")}
        early, middle, late = days.values()
        state = fact(PERSON, "LIKES", OSLO, observed=middle)
        plan = fact(PERSON, "PLANS_TO_VISIT", OSLO)
        write(filled, change(facts=[state, plan]))
        for observed, expected in ((early, middle), (late, late), (None, late), (middle, late)):
            write(filled, change(support=(Support(state.id, (), observed=observed),)))
            assert filled.facts(ANN, [state.id])[0].observed == expected
        for planned in (None, middle, late):
            write(filled, change(support=(Support(plan.id, (), planned_for=planned),)))
        (found,) = filled.facts(ANN, [plan.id])
        assert (found.planned_for, found.observed, found.valid_from) == (middle, None, None)

    def test_merging_moves_facts(self, filled: Store) -> None:
        """The facts of the merged entity move to the other; the merged entity is kept but no longer matched."""
        liv = entity("Annabel", type="person")
        likes = fact(liv, "LIKES", OSLO)
        write(filled, change(entities=[liv], facts=[likes]))
        write(filled, Change(scope=ANN, merges=((liv.id, PERSON.id),)))
        (kept,) = filled.entities(ANN, [liv.id])
        assert kept.merged_into == PERSON.id
        assert filled.facts(ANN, [likes.id])[0].subject == "Ann"
        assert filled.match_names(ANN, ["annabel"]) == ()

    def test_positions_follow(self, filled: Store) -> None:
        """The next position follows the last message of the session, in exactly this scope."""

        def follow(scope: Scope, session: str) -> int:
            return filled.write(scope, lambda transaction: transaction.next_position(SAID.source, session))

        assert follow(ANN, SAID.session) == SAID.position + 1
        assert follow(ANN, "another") == follow(BOB, SAID.session) == 0

    def test_a_scope_that_was_only_looked_at_is_not_made(self, store: Store) -> None:
        """A transaction that writes nothing, or only marks unknown records as done, leaves no trace of the scope."""
        assert store.write(ANN, lambda transaction: transaction.begin(["m_1"]).known) == frozenset()
        write(store, Change(scope=ANN, done=(Done("window", "w_1"),)))
        assert store.scopes() == ()

    def test_a_message_without_a_vector_gets_one(self, filled: Store) -> None:
        """A known message without a vector gets the new one; an existing vector is kept."""
        late = message("Oslo is cold.", 1)
        write(filled, Change(scope=ANN, messages=(late,)))
        probe = SearchQuery(vectors=(vector(late.spoken),), terms=())
        assert late.id not in [each.message.id for each in filled.find(ANN, probe).messages]
        given = {late.id: vector(late.spoken), SAID.id: vector("quite another")}
        write(filled, Change(scope=ANN, vectors=given))
        found = {each.message.id: each.similarities for each in filled.find(ANN, probe).messages}
        assert found[late.id] == pytest.approx((1.0,), abs=1e-5)
        assert found[SAID.id] != pytest.approx((float(vector("quite another") @ vector(late.spoken)),), abs=1e-5)

    def test_lists_and_ids(self, filled: Store) -> None:
        """Lists are ordered and paged; ids are found by prefix and by their id in the source."""
        assert [(each.name, count) for each, count in filled.list_entities(ANN, 10)] == [("Ann", 1), ("Oslo", 1)]
        assert [each.name for each, _ in filled.list_entities(ANN, 1, 1)] == ["Oslo"]
        wanted = FactFilter(entity_ids=(OSLO.id,), relations=("LIVES_IN",))
        assert filled.list_facts(ANN, wanted, 10) == (LIVES,)
        assert filled.list_facts(ANN, FactFilter(relations=("LIKES",)), 10) == ()
        assert filled.ids_with_prefix(ANN, LIVES.id[:6], 5) == (LIVES.id,)
        assert filled.ids_with_prefix(ANN, "f_%", 5) == ()
        assert filled.message_ids(ANN, ["D1:1", "D9:9"]) == {"D1:1": (SAID.id,)}

    def test_stats(self, filled: Store) -> None:
        """Stats count the records of a scope, or of the whole store."""
        write(filled, change(BOB, messages=[message("hi", scope=BOB)]))
        stats = filled.stats(ANN)
        assert (stats.messages, stats.sessions, stats.entities, stats.facts, stats.retired) == (1, 1, 2, 1, 0)
        assert stats.relations == {"LIVES_IN": 1}
        assert stats.first_message == AT
        assert filled.stats().messages == 2
        assert filled.stats(Scope(agent_id="nobody")).messages == 0

    def test_threads_share_a_store(self, store: Store) -> None:
        """Concurrent writes from several threads are all kept."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)

        def work(number: int) -> None:
            for position in range(5):
                write(store, change(messages=[message(f"{number}", position, session=str(number))]))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.stats(ANN).messages == 20
