"""The contract of mem0g.store.protocol.Store as tests: inherit StoreContract and define its two fixtures.

Needs pytest. ``pytest.register_assert_rewrite("mem0g.testing.store_contract", "mem0g.testing.store_changes")``, before
this is imported, makes failures show the values compared.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from mem0g.errors import EmbedderMismatchError
from mem0g.model import Decision, Fact, Message, Operation, Receipt, Scope, Succession, content_id
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import TenantTypes
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.forgetting import SUCCESSOR_FORGOTTEN
from mem0g.store.protocol import Store, Transaction
from mem0g.store.queries import (
    CURRENT,
    EVERYTHING,
    MAX_NEIGHBOURS,
    EntityQuery,
    FactFilter,
    FactQuery,
    PathTraversal,
    SearchQuery,
    View,
)
from mem0g.store.records import (
    FIELDS,
    ConversationSummary,
    Done,
    ModelCall,
    ModelReply,
    PendingWindow,
    ProposedRetirement,
    RetirementReview,
)
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector
from mem0g.testing.store_changes import ChangingContract
from mem0g.testing.store_filters import FilterContract
from mem0g.testing.store_instructions import InstructionContract
from mem0g.testing.store_literals import LiteralContract
from mem0g.testing.store_passages import PassageContract
from mem0g.text.stemming import tokens
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector

OSLO, LISBON = entity("Oslo", type="city"), entity("Lisbon", type="city")
PERSON = entity("Ann", type="person", aliases=("Annie",))
SAID = message("I live in Oslo now.", source_id="D1:1")
LIVES = fact(PERSON, "LIVES_IN", OSLO, evidence=(SAID.id,), valid_from=Moment.parse("2020"))


def write(store: Store, made: Change) -> None:
    """Commit a change."""

    def work(transaction: Transaction) -> None:
        transaction.commit(made)

    store.write(made.scope, work)


def retirement(of: str, successor: str | None, ended: str, at: str = "2024-07-01") -> Retirement:
    """Return a retirement decided by rule."""
    succession = Succession(fact_id=of, successor_id=successor, reason="she moved", decided_by="rule", at=day(at))
    return Retirement(succession, Moment.parse(ended))


RUN = Scope(run_id="r1")


def fill_two_scopes(store: Store) -> tuple[Message, dict[str, Fact]]:
    """Write a message by Ann in a run, and facts in a wider scope that cite it, another message, or both.

    "Zanzibar" and "Annika" occur in Ann's message only. Return that message and the facts by name.
    """
    own = Scope(user_id="ann", run_id="r1")
    said, kept = message("Annika here, I moved to Zanzibar.", scope=own), message("I like Oslo.", scope=RUN)
    ann, bergen = entity("Ann", RUN, aliases=("Annika",)), entity("Bergen", RUN)
    before = {"entities": [{"id": ann.id, "name": "Ann", "aliases": ["Annika"], "merged_into": None}]}
    zanzibar, oslo = entity("Zanzibar", RUN), entity("Oslo", RUN)
    facts = {
        "alone": fact(ann, "LIVES_IN", zanzibar, evidence=(said.id,)),
        "both": fact(ann, "LIKES", oslo, evidence=(kept.id, said.id)),
        "before": fact(ann, "LIVES_IN", bergen, evidence=(kept.id,)),
        "after": fact(ann, "LIVES_IN", oslo, evidence=(kept.id,)),
    }
    write(store, change(own, messages=[said]))
    write(store, change(RUN, messages=[kept], entities=[ann, bergen, zanzibar, oslo], facts=list(facts.values())))
    links = (
        replace(retirement(facts["before"].id, facts["alone"].id, "2024-03"), valid_to=None),
        retirement(facts["alone"].id, facts["after"].id, "2024-05"),
    )
    log = (
        decision("ADD", "Annika", "Zanzibar", said, fact_id=facts["alone"].id, targets=(facts["before"].id,)),
        decision("NOOP", "Annika", "Oslo", said, fact_id=facts["both"].id),
        decision("MERGE", "Annika", "Zanzibar", said, targets=(ann.id,)),
        decision("UPDATE", "Ann", "Oslo", kept, fact_id=facts["after"].id, targets=(facts["alone"].id,)),
        decision("NOOP", "Ann", "Oslo", kept, fact_id=facts["both"].id, before=before),
    )
    write(store, change(RUN, retirements=links, decisions=log))
    return said, facts


def decision(operation: Operation, subject: str, obj: str, said: Message, **given: Any) -> Decision:
    """Return a decision about a triple from the message ``said``; its reason quotes another fact."""
    triple = {"subject": subject, "relation": "lives_in", "object": obj, "text": f"{subject} lives in {obj}."}
    reason = "no longer in Zanzibar" if given.get("targets") else ""
    key = content_id("d", operation, subject, obj)
    return Decision(
        id=key, operation=operation, rule="r", reason=reason, at=AT, evidence=(said.id,), triple=triple, **given
    )


def window(key: str, scope: Scope = ANN, **given: Any) -> PendingWindow:
    """Return a pending window of Ann's."""
    made: dict[str, Any] = {"messages": (SAID.id,), "context": (), "speakers": ("Ann",), "since": AT, **given}
    return PendingWindow(id=key, scope=scope, **made)


def call(call_id: str, scope: Scope = ANN, **given: Any) -> ModelCall:
    """Return a model call for Ann."""
    counts: dict[str, Any] = {"attempt": 1, "prompt_tokens": 3, "completion_tokens": 2, "seconds": 0.5, "at": AT}
    names = {"purpose": "extract", "model": "tiny", "window": "w_1", "key": "k"}
    return ModelCall(id=call_id, scope=scope, **{**names, **counts, **given})


def records_of_all_types(scope: Scope = ANN) -> dict[str, Any]:
    """Return one record of each type beside the graph, by field of Change, and some that are done."""
    summary = ConversationSummary(id="s_1", scope=scope, source="chat", text="They talk.", waiting=(SAID.id,))
    proposed = ProposedRetirement(fact_id="f_1", successor_id=None, reason="späť", since=Moment.parse("2024-03"))
    ends = (proposed, proposed)
    review = RetirementReview(id="r_1", scope=scope, window="w_1", at=AT, model="tiny", retirements=ends)
    return {
        "windows": (window("w_1", scope, state="quarantined", problem="späť", reply="{", embedded=False),),
        "calls": (call("c_1", scope, cached=True, problem="no JSON"),),
        "replies": (ModelReply(id="k", scope=scope, text='{"facts": []}'),),
        "summaries": (summary,),
        "reviews": (review,),
        "receipts": (Receipt(id="r_2", at=AT, facts=2, complete=False),),
        "done": (Done("window", "w_0"), Done("reply", "k_0"), Done("review", "r_0")),
    }


def zoned(time: datetime, random: Random) -> datetime:
    """Return the same instant in a random time zone."""
    return time.astimezone(timezone(timedelta(minutes=random.randint(-14 * 60, 14 * 60))))


class StoreContract(ChangingContract, FilterContract, InstructionContract, LiteralContract, PassageContract):
    """The contract."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def filled(self, store: Store) -> Store:
        """A store with one message, in which Ann says that she lives in Oslo, and its fact."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        write(store, change(messages=[SAID], entities=[PERSON, OSLO], facts=[LIVES]))
        return store

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

    def test_entities_match_by_name_alias_token_and_vector(self, filled: Store) -> None:
        """An entity is matched by name, alias, token and vector, with the cosine similarity of the names."""
        write(filled, change(entities=[entity("Lisbon Maru", type="ship")]))

        def matched(query: EntityQuery) -> list[str]:
            (found,) = filled.write(ANN, lambda transaction: transaction.match_entities([query], 1))
            return [each.entity.name for each in found]

        assert matched(EntityQuery(names=("annie",))) == ["Ann"]
        assert matched(EntityQuery(names=(), tokens=("maru",))) == ["Lisbon Maru"]
        assert matched(EntityQuery(names=(), vector=vector("Oslo"))) == ["Oslo"]
        both = EntityQuery(names=("ann",), vector=vector("Oslo"))
        (found,) = filled.write(ANN, lambda transaction: transaction.match_entities([both], 1))
        assert [each.entity.name for each in found] == ["Oslo", "Ann"]
        assert found[0].similarity == pytest.approx(1, abs=1e-5)

    def test_an_entity_learns_its_type(self, store: Store) -> None:
        """The type of a stored entity can be set later, changed, and removed again."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        for kind in ("", "city", "town", ""):
            known = entity("Oslo", type=kind)
            write(store, change(entities=[known]))
            assert [each.type for each in store.entities(ANN, [known.id])] == [kind]

    def test_entities_come_with_those_around_them(self, store: Store) -> None:
        """A candidate has the entities that current or retired facts connect it to, unless it is a hub."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        ann, oslo, tea = entity("Ann"), entity("Oslo"), entity("tea")
        things = [entity(f"thing {number}") for number in range(MAX_NEIGHBOURS)]
        facts = [
            fact(ann, "LIVES_IN", oslo, retired_at=AT),
            fact(tea, "SOLD_IN", oslo),
            fact(tea, "ALSO_KNOWN_AS", tea, "Tea is also called chai."),
            *(fact(ann, "OWNS", thing) for thing in things),
        ]
        write(store, change(entities=[ann, oslo, tea, *things], facts=facts))
        asked = [EntityQuery(names=(name,)) for name in ("ann", "oslo", "tea")]
        found = store.write(ANN, lambda transaction: transaction.match_entities(asked, 0))
        around = {each.entity.name: each.neighbours for (each,) in found}
        assert around == {"Ann": frozenset(), "Oslo": {ann.id, tea.id}, "tea": {oslo.id}}

    def test_entities_come_with_the_dates_of_their_facts(self, store: Store) -> None:
        """A candidate has relation and date of each dated fact, current or retired, unless there are too many."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        ann, race, tea = entity("Ann"), entity("race"), entity("tea")
        day, month = Moment.parse("2023-05-07"), Moment.parse("2024-06")
        facts = [
            fact(ann, "RAN", race, valid_from=day),
            fact(race, "HELD_IN", tea, retired_at=AT, valid_from=month),
            fact(ann, "LIKES", race, "Ann likes the race."),
            *(
                fact(ann, "DRANK", tea, f"Ann drank tea {year}.", valid_from=Moment.parse(str(year)))
                for year in range(1900, 1900 + MAX_NEIGHBOURS)
            ),
        ]
        write(store, change(entities=[ann, race, tea], facts=facts))
        asked = [EntityQuery(names=(name,)) for name in ("ann", "race", "tea")]
        found = store.write(ANN, lambda transaction: transaction.match_entities(asked, 0))
        dates = {each.entity.name: each.dates for (each,) in found}
        assert dates == {"Ann": frozenset(), "race": {("RAN", day), ("HELD_IN", month)}, "tea": frozenset()}

    def test_related_facts_by_structure_and_similarity(self, filled: Store) -> None:
        """Facts with the same ends, subject and relation, or an end and relation ``of_either_end``, current or not;
        similar ones if current.
        """
        other, tea = entity("Bea"), entity("tea")
        retired = fact(PERSON, "LIVES_IN", LISBON, retired_at=AT, valid_to=Moment.parse("2019"))
        likes, gone = fact(other, "LIKES", tea, "Bea likes tea."), fact(other, "LIKES", OSLO, retired_at=AT)
        write(filled, change(entities=[other, tea, LISBON], facts=[retired, likes, gone]))

        def related(subject: str, relation: str, obj: str, text: str, nearest: int, either: str = "") -> set[str]:
            query = FactQuery(
                subject_id=subject,
                relations=(relation,),
                object_id=obj,
                vector=vector(text),
                of_either_end=(either,) if either else (),
            )
            (found,) = filled.write(ANN, lambda transaction: transaction.related_facts([query], nearest))
            return {each.fact.id for each in found}

        assert related(PERSON.id, "LIVES_IN", tea.id, "x", 0) == {LIVES.id, retired.id}
        assert related(OSLO.id, "HOME_OF", PERSON.id, "x", 0) == {LIVES.id}
        assert related(tea.id, "LIVES_IN", LISBON.id, "x", 0) == set()
        assert related(tea.id, "LIVES_IN", LISBON.id, "x", 0, "LIVES_IN") == {retired.id}
        assert related(tea.id, "LIVES_IN", PERSON.id, "x", 0, "LIVES_IN") == {LIVES.id, retired.id}
        assert related("e_0", "NONE", "e_1", "Bea likes tea.", 1) == {likes.id}

    def test_retirement_marks_and_links(self, filled: Store) -> None:
        """A retired fact is kept, with its end time and a link to its successor."""
        moved = fact(PERSON, "LIVES_IN", LISBON)
        retired = retirement(LIVES.id, moved.id, "2024-03")
        write(filled, change(entities=[LISBON], facts=[moved], retirements=(retired,)))
        (kept,) = filled.facts(ANN, [LIVES.id])
        assert (kept.current, str(kept.valid_to), kept.retired_at) == (False, "2024-03", day("2024-07-01"))
        assert filled.successions(ANN, [moved.id]) == (retired.succession,)
        assert filled.successions(BOB, [moved.id]) == ()

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

    def test_support_adds_evidence_and_a_date(self, filled: Store) -> None:
        """Support appends evidence, and sets a date only where the fact had none."""
        again = message("Still in Oslo.", 1)
        undated = fact(PERSON, "LIKES", OSLO)
        support = (Support(LIVES.id, (again.id,), Moment.parse("1999")), Support(undated.id, (), Moment.parse("2021")))
        write(filled, change(messages=[again], facts=[undated], support=support))
        lives, likes = filled.facts(ANN, [LIVES.id, undated.id])
        assert lives.evidence == (SAID.id, again.id)
        assert (str(lives.valid_from), str(likes.valid_from)) == ("2020", "2021")

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

    def test_find_in_an_empty_scope_finds_nothing(self, filled: Store) -> None:
        """Where other scopes have something, and for a question without words, too."""
        nobody = Scope(user_id="nobody")
        for terms in (("live", "oslo"), ()):
            found = filled.find(nobody, SearchQuery(vectors=(vector(SAID.text),), terms=terms))
            assert (found.facts, found.messages) == ((), ())

    def test_find_brings_each_channel(self, filled: Store) -> None:
        """Vector search, full text, cited messages and the walk each contribute their fact, without duplicates."""
        tea = message("Nothing beats green tea.", 1)
        person, drink, shop = entity("Bea"), entity("green tea"), entity("shop")
        by_message = fact(PERSON, "ENJOYS", drink, "Ann enjoys it.", evidence=(tea.id,))
        far = fact(shop, "SELLS", drink, "The shop sells that.")
        write(filled, change(messages=[tea], entities=[person, drink, shop], facts=[by_message, far]))
        probe = SearchQuery(
            vectors=(vector("green tea"),), terms=("green", "tea"), anchors=(PERSON.id,), facts=1, hops=2
        )
        found = filled.find(ANN, probe)
        paths = {each.fact.id: each.path for each in found.facts}
        assert paths[far.id] == ("Ann", "ENJOYS", "green tea", "SELLS", "shop")
        assert set(paths) == {LIVES.id, by_message.id, far.id}
        assert found.messages[0].terms
        assert list(found.facts) == sorted(found.facts, key=lambda each: each.fact.id)

    def test_a_small_tenant_finds_its_own(self, store: Store) -> None:
        """A tenant with few facts in a large store gets exactly its nearest ones."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        for number in range(20):
            scope = Scope(user_id=f"user-{number}")
            ends = [entity("Ann", scope), *(entity(f"city {city}", scope) for city in range(10))]
            made = [fact(ends[0], "VISITED", end) for end in ends[1:]]
            write(store, change(scope, entities=ends, facts=made))
        tenant = Scope(user_id="user-7")
        asked = vector("Ann visited city 3.")
        probe = SearchQuery(vectors=(asked,), terms=("citi",), facts=10)
        found = store.find(tenant, probe).facts
        assert {each.fact.scope for each in found} == {tenant}
        best = max(found, key=lambda each: each.similarities[0])
        assert best.fact.object == "city 3"

    def test_full_text_takes_any_word(self, filled: Store) -> None:
        """Search terms with quotes or operators, and empty ones, are not parsed as query syntax."""
        for term in ('"', "NEAR", "*", "a:b", "'", "北京", "OR)"):
            probe = SearchQuery(vectors=(vector("x"),), terms=(term, "oslo"))
            assert [each.message.id for each in filled.find(ANN, probe).messages] == [SAID.id]

    def test_turns_around(self, store: Store) -> None:
        """The messages just before and after one, from the same session only, in order."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        told = [message(f"turn {number}", number) for number in range(6)]
        other = message("elsewhere", 2, session="2")
        write(store, change(messages=[*told, other]))
        cites = fact(entity("Ann"), "SAID", entity("five"), evidence=(told[5].id,))
        write(store, change(entities=[entity("Ann"), entity("five")], facts=[cites]))
        probe = SearchQuery(vectors=(vector("turn 2"),), terms=(), messages=1, anchors=(entity("Ann").id,))
        around = store.find(ANN, probe).turns
        assert around.ids == tuple(each.id for each in told[1:])
        assert around.positions == (1, 2, 3, 4, 5)
        assert around.terms[0] == "ann turn 1"
        assert len(set(around.sessions)) == 1

    def test_sittings(self, store: Store) -> None:
        """Turns of the same session and scope share a session number; turns of other sessions have other numbers."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        said = [message("tea", 0, source="a"), message("tea", 1, source="a")]
        said += [message("tea", 0, source="a", session="2"), message("tea", 0, source="b")]
        write(store, change(messages=said))
        around = store.find(ANN, SearchQuery(vectors=(vector("tea"),), terms=("tea",))).turns
        assert around.ids == tuple(each.id for each in said)
        one, same, *others = around.sessions
        assert one == same
        assert len({one, *others}) == 3

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

    def test_walk_by_hops_and_budget(self, store: Store) -> None:
        """A walk returns the nearest edges first, within the given hops and budget."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        chain = [entity(name) for name in "abcd"]
        made = [fact(one, "KNOWS", other) for one, other in pairwise(chain)]
        write(store, change(entities=chain, facts=made))
        assert store.walk(ANN, [chain[0].id], 1, 10) == (made[0],)
        assert store.walk(ANN, [chain[0].id], 3, 10) == tuple(made)
        assert store.walk(ANN, [chain[0].id], 3, 2) == tuple(made[:2])
        assert store.walk(BOB, [chain[0].id], 3, 10) == ()

    def test_a_trail_goes_from_subject_to_object(self, store: Store) -> None:
        """A trail is limited in hops and facts, skips hubs, and stays within the scope and the view."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        chain, tea = [entity(name) for name in "abcd"], entity("tea")
        first, second, third = (fact(one, "KNOWS", other) for one, other in pairwise(chain))
        likes, gone = fact(chain[0], "LIKES", tea), fact(chain[1], "LIKED", tea, retired_at=AT)
        write(store, change(entities=[*chain, tea], facts=[first, second, third, likes, gone]))

        def followed(scope: Scope = ANN, start: int = 0, **given: Any) -> list[Fact]:
            view = given.pop("view", CURRENT)
            traversal = PathTraversal(anchors=(chain[start].id,), **given)
            found = store.find(
                scope, SearchQuery(vectors=(vector("a knows b."),), terms=(), traversal=traversal, view=view)
            ).traversal
            assert all(len(each.similarities) == 1 and each.terms and not each.path for each in found)
            return [each.fact for each in found]

        assert followed() == [first, likes, second, third]
        assert followed(hops=2) == [first, likes, second]
        assert followed(max_degree=1) == []
        assert followed(start=1, max_degree=1) == [second, third]
        assert followed(budget=1) == [likes]
        assert followed(BOB) == followed(start=3) == []
        assert gone in followed(view=EVERYTHING)

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

    def test_forgetting_removes_the_scope_alone(self, filled: Store) -> None:
        """Forgetting removes everything in the scope, from the search indexes too, and nothing from other scopes."""
        bobs = message("Oslo is far.", scope=BOB)
        write(filled, change(BOB, messages=[bobs], entities=[entity("Oslo", BOB)]))
        assert filled.forget(ANN).facts == 1
        assert filled.stats(ANN).entities == 0
        probe = SearchQuery(vectors=(vector("Oslo"),), terms=("oslo",))
        assert filled.find(ANN, probe).messages == ()
        assert [each.message for each in filled.find(BOB, probe).messages] == [bobs]
        write(filled, change(messages=[SAID], entities=[PERSON, OSLO], facts=[LIVES]))
        assert filled.facts(ANN, [LIVES.id]) == (LIVES,)

    def test_forgetting_counts_and_names_nobody(self, filled: Store) -> None:
        """The receipt contains only the counts of what was removed."""
        decision = Decision(id="d_1", operation="ADD", rule="new", reason="", at=AT, fact_id=LIVES.id)
        write(filled, change(decisions=(decision,), windows=(window("w_1"),), done=(Done("window", "w_2"),)))
        receipt = filled.forget(ANN)
        counts = (receipt.messages, receipt.entities, receipt.facts, receipt.retired, receipt.decisions, receipt.notes)
        assert counts == (1, 2, 1, 0, 1, 1)
        assert receipt.complete
        assert "ann" not in str(receipt).lower()
        again = filled.forget(ANN)
        assert (again.messages, again.facts) == (0, 0)
        assert again.id != receipt.id

    def test_forgetting_reaches_other_scopes(self, store: Store) -> None:
        """Facts in wider scopes that cite only forgotten messages are removed; others lose that evidence."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        own, told = fill_two_scopes(store)
        receipt = store.forget(Scope(user_id="ann"))
        assert (receipt.messages, receipt.facts, receipt.decisions, receipt.entities) == (1, 1, 3, 1)
        assert store.facts(RUN, [told["alone"].id]) == ()
        (both,) = store.facts(RUN, [told["both"].id])
        assert len(both.evidence) == 1
        assert store.messages(RUN, both.evidence)[0].text == "I like Oslo."
        (before,) = store.successions(RUN, [told["before"].id])
        assert (before.successor_id, before.reason) == (None, SUCCESSOR_FORGOTTEN)
        assert store.successions(RUN, [told["after"].id]) == ()
        (kept,) = store.decisions(RUN, [told["after"].id])
        assert kept.targets == ()
        (person,) = store.match_names(RUN, ["ann"])
        assert person.aliases == ()
        assert store.match_names(RUN, ["annika"]) == ()
        with store.snapshot() as snapshot:
            left = str(list(snapshot.changes))
        assert not [word for word in ("Zanzibar", "Annika", own.id) if word in left]

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

    def test_the_embedder_is_remembered(self, filled: Store) -> None:
        """The same embedder can be claimed again; another one is refused until the embeddings are replaced."""
        filled.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        with pytest.raises(EmbedderMismatchError, match="filled by"):
            filled.claim_embedder("other", EMBEDDER.dimensions)
        with pytest.raises(EmbedderMismatchError):
            filled.claim_embedder(EMBEDDER.name, 3)
        texts: list[str] = []

        def embed(given: Sequence[str]) -> Sequence[Vector]:
            texts.extend(given)
            return [vector("nothing alike" if text == LIVES.text else text) for text in given]

        assert filled.replace_embedder("other", EMBEDDER.dimensions, embed) == 4
        assert sorted(texts) == sorted([SAID.spoken, PERSON.name, OSLO.name, LIVES.text])
        filled.claim_embedder("other", EMBEDDER.dimensions)
        probe = SearchQuery(vectors=(vector("nothing alike"),), terms=(), embedder="other")
        assert filled.find(ANN, probe).facts[0].similarities[0] == pytest.approx(1, abs=1e-5)
        with pytest.raises(EmbedderMismatchError, match="filled by the embedder other"):
            filled.find(ANN, replace(probe, embedder=EMBEDDER.name))

    def test_relation_types_are_a_tenants(self, store: Store) -> None:
        """Relation types are read back equal, replaced by name, and not visible to other tenants."""
        first = RelationType(name="MENTORS", one_object=True, origin="user")
        assert store.vocabulary(ANN) == TenantTypes()
        store.save_relation_types(ANN, [first])
        before = store.vocabulary(ANN)
        assert before.types == (first,)
        store.save_relation_types(ANN, [RelationType(name="MENTORS", synonyms=("COACHES",), origin="user")])
        after = store.vocabulary(ANN)
        assert after.types == (RelationType(name="MENTORS", synonyms=("COACHES",), origin="user"),)
        assert after.version not in ("", before.version)
        assert store.vocabulary(BOB) == TenantTypes()

    def test_relation_types_are_committed_with_a_change(self, filled: Store) -> None:
        """A change saves relation types and their version, visible to transactions in all scopes of the tenant."""
        learnt = RelationType(name="YODELS_AT", origin="learnt")
        run = Scope(user_id="ann", run_id="r1")
        write(filled, Change(scope=run, relations=(learnt,), vocabulary="v1"))
        assert filled.vocabulary(ANN) == TenantTypes("v1", (learnt,))
        assert filled.write(ANN, lambda transaction: transaction.begin(learns=True).vocabulary) == "v1"
        assert filled.write(BOB, lambda transaction: transaction.begin().vocabulary) == ""

    def test_forgetting_takes_the_names_of_relations_along(self, store: Store) -> None:
        """Forgetting a scope removes relation types that the tenant no longer uses; forgetting the tenant, all."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        run = Scope(user_id="ann", run_id="r1")
        for scope, relation in ((ANN, "SINGS_IN"), (run, "TAKES_PROZAC_FOR")):
            ends = entity("Ann", scope), entity("Oslo", scope)
            learnt = RelationType(name=relation, synonyms=(f"{relation}_NOW",), origin="learnt")
            write(store, change(scope, entities=ends, facts=[fact(ends[0], relation, ends[1])], relations=(learnt,)))
        defined = RelationType(name="MENTORS", origin="user")
        store.save_relation_types(ANN, [defined])
        store.forget(run)
        assert store.vocabulary(ANN).types == (defined, RelationType(name="SINGS_IN", origin="learnt"))
        store.forget(ANN)
        assert store.vocabulary(ANN) == TenantTypes()

    def test_a_dump_of_a_part_names_what_it_uses(self, filled: Store) -> None:
        """A dump of one of a tenant's scopes contains only the relation types that its facts use."""
        run = Scope(user_id="ann", run_id="r1")
        ends = entity("Ann", run), entity("Oslo", run)
        types = tuple(RelationType(name=name, origin="learnt") for name in ("SINGS_IN", "SECRET"))
        write(filled, change(run, entities=ends, facts=[fact(ends[0], "SINGS_IN", ends[1])], relations=types))
        assert [each.relations for each in dumped(filled, run) if each.relations] == [(types[0],)]
        assert [set(each.relations) for each in dumped(filled, ANN) if each.relations] == [set(types)]
        assert [each for each in dumped(filled, BOB) if each.relations] == []

    def test_relations_are_counted_by_tenant(self, filled: Store) -> None:
        """Facts in all scopes of the tenant are counted, but not those of another tenant with the same agent."""
        for scope in (Scope("ann", "helper"), Scope("bob", "helper")):
            ends = entity("Ann", scope), entity("Oslo", scope)
            write(filled, change(scope, entities=ends, facts=[fact(ends[0], "LIVES_IN", ends[1])]))
        assert filled.relation_counts(ANN) == {"LIVES_IN": 2}
        assert filled.relation_counts(Scope(agent_id="helper")) == {}
        assert set(filled.scopes(Scope(agent_id="helper"))) == {Scope("ann", "helper"), Scope("bob", "helper")}

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

    def test_records_beside_the_graph(self, filled: Store) -> None:
        """Records are read in order, by type and id; the same id replaces; a record that is done never returns."""
        waiting, other = window("w_1"), window("w_2", problem="späť")
        write(filled, change(windows=(waiting, other), calls=(call("w_1"),)))
        write(filled, change(BOB, windows=(window("w_1", BOB, speakers=("Bob",)),)))
        assert filled.records(PendingWindow, ANN) == (waiting, other)
        assert filled.records(PendingWindow, ANN, ["w_2", "w_3"]) == (other,)
        assert len(filled.records(PendingWindow)) == 3
        assert (filled.stats(ANN).windows, filled.stats(ANN).calls, filled.stats(ANN).replies) == (2, 1, 0)
        again = window("w_1", problem="again")
        write(filled, change(windows=(again,), done=(Done("window", "w_2"),)))
        write(filled, change(windows=(window("w_2", problem="back"),)))
        assert filled.records(PendingWindow, ANN) == (again,)
        assert filled.records(ModelCall, ANN) == (call("w_1"),)
        assert filled.write(ANN, lambda transaction: transaction.begin(["w_1", "w_2", "k"]).known) == {"w_1"}
        assert filled.write(ANN, lambda transaction: transaction.records(PendingWindow, ["w_1", "w_2"])) == (again,)
        filled.load(iter([change(windows=(waiting, other, window("w_4")), done=(Done("window", "w_1"),))]))
        assert filled.records(PendingWindow, ANN) == (again, window("w_4"))
        filled.forget(ANN)
        assert (filled.stats(ANN).windows, filled.stats(ANN).calls) == (0, 0)
        assert len(filled.records(PendingWindow)) == 1

    def test_records_of_every_type(self, filled: Store) -> None:
        """Every type is read back equal; records loaded as done are not replaced by later writes or loads."""
        records = records_of_all_types()
        write(filled, change(**{**records, "done": ()}))
        for kind, field in FIELDS.items():
            assert filled.records(kind, ANN) == records[field]
            assert filled.write(ANN, lambda transaction, kind=kind: transaction.records(kind)) == records[field]  # type: ignore[misc]
            assert getattr(filled.stats(ANN), field) == 1
        filled.load(iter([change(done=records["done"])]))
        old = change(
            windows=(window("w_0"),),
            replies=(ModelReply(id="k_0", scope=ANN, text="{}"),),
            reviews=tuple(replace(each, id="r_0") for each in records["reviews"]),
        )
        write(filled, old)
        filled.load(iter([old]))
        assert (filled.records(PendingWindow), filled.records(RetirementReview)) == (
            records["windows"],
            records["reviews"],
        )
        ids = [each.id for field in FIELDS.values() for each in records[field]]
        write(filled, change(erased=tuple(ids)))
        assert [filled.records(kind, ANN) for kind in FIELDS] == [()] * len(FIELDS)

    def test_dump_and_load_make_an_equal_store(self, filled: Store, another: Callable[[], Store]) -> None:
        """Loading a dump into an empty store gives an equal dump; loading it again changes nothing."""
        moved = fact(PERSON, "LIVES_IN", LISBON)
        decision = Decision(id="d_2", operation="UPDATE", rule="r", reason="", at=AT, fact_id=moved.id)
        retired = (retirement(LIVES.id, moved.id, "2024-03"),)
        write(filled, change(entities=[LISBON], facts=[moved], retirements=retired, decisions=(decision,)))
        write(filled, change(**{**records_of_all_types(), "done": ()}))
        write(filled, change(replies=(ModelReply(id="k_0", scope=ANN, text="{}"),)))
        write(filled, change(done=(Done("reply", "k_0"),)))
        copy = another()
        copy.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        copy.load(iter(dumped(filled)))
        copy.load(iter(dumped(filled)))
        assert str(dumped(copy)) == str(dumped(filled))

    def test_vectors_of_another_embedder_are_not_loaded(self, filled: Store, another: Callable[[], Store]) -> None:
        """A store whose embedder was replaced does not load vectors of the previous one."""
        copy = another()
        copy.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        copy.replace_embedder("other", EMBEDDER.dimensions, lambda texts: list(EMBEDDER.embed(texts)))
        with pytest.raises(EmbedderMismatchError, match="filled by the embedder other"):
            copy.load(iter(dumped(filled)), embedder=(EMBEDDER.name, EMBEDDER.dimensions))
        assert copy.stats().messages == copy.stats().facts == 0
        copy.load(iter(dumped(filled)), embedder=("other", EMBEDDER.dimensions))
        assert copy.stats().facts == filled.stats().facts

    def test_loading_leaves_what_is_there(self, filled: Store) -> None:
        """An entity that gained an alias since it was dumped keeps it when the dump is loaded again."""
        before = dumped(filled)
        write(filled, change(entities=[replace(PERSON, aliases=("Annie", "A."))]))
        filled.load(iter(before))
        assert filled.entities(ANN, [PERSON.id])[0].aliases == ("Annie", "A.")

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
