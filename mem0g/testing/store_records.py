"""The part of the store contract about what is beside the graph, relation types and copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mem0g.errors import EmbedderMismatchError
from mem0g.model import Decision, Scope
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import TenantTypes
from mem0g.store.change import Change
from mem0g.store.protocol import Store
from mem0g.store.queries import FactFilter, SearchQuery, View
from mem0g.store.records import FIELDS, Done, ModelCall, ModelReply, PendingWindow, RetirementReview
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, dumped, entity, fact, vector
from mem0g.testing.store_samples import (
    LISBON,
    LIVES,
    OSLO,
    PERSON,
    SAID,
    FilledStore,
    call,
    records_of_all_types,
    retirement,
    window,
    write,
)

if TYPE_CHECKING:
    from mem0g.model import Vector


class RecordContract(FilledStore):
    """Tests of records, of relation types, and of dumping and loading."""

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

    def test_a_relation_that_becomes_a_synonym_is_joined(self, filled: Store) -> None:
        """Its facts, retired ones too, get the name of the type in all scopes of the tenant; its own type goes."""
        run = Scope(user_id="ann", run_id="r1")
        ends = entity("Ann", run), entity("Oslo", run)
        bobs = entity("Bob", BOB), entity("Oslo", BOB)
        old = RelationType(name="SLEEPS_IN", origin="learnt")
        held = fact(ends[0], "SLEEPS_IN", ends[1], retired_at=AT)
        others = fact(bobs[0], "SLEEPS_IN", bobs[1])
        write(filled, change(facts=[fact(PERSON, "SLEEPS_IN", OSLO)], relations=(old,)))
        write(filled, change(run, entities=ends, facts=[held]))
        write(filled, change(BOB, entities=bobs, facts=[others], relations=(old,)))
        assert filled.relation_counts(ANN)["SLEEPS_IN"] == 2
        new = RelationType(name="DWELLS_IN", synonyms=("SLEEPS_IN",), origin="user")
        filled.save_relation_types(ANN, [new])
        assert filled.vocabulary(ANN).types == (new,)
        assert filled.relation_counts(ANN) == {"DWELLS_IN": 2, "LIVES_IN": 1}
        wanted = FactFilter(relations=("DWELLS_IN",), view=View(include_retired=True))
        assert len(filled.list_facts(ANN, wanted, 10)) == 2
        assert {each.relation_given for each in filled.list_facts(ANN, wanted, 10)} == {"sleeps_in"}
        assert filled.relation_counts(BOB) == {"SLEEPS_IN": 1}
        assert filled.vocabulary(BOB).types == (old,)
        assert filled.verify() == ()

    def test_relation_types_are_committed_with_a_change(self, filled: Store) -> None:
        """A change saves relation types and their version, visible to transactions in all scopes of the tenant."""
        learnt = RelationType(name="YODELS_AT", origin="learnt")
        run = Scope(user_id="ann", run_id="r1")
        write(filled, Change(scope=run, relations=(learnt,), vocabulary="v1"))
        assert filled.vocabulary(ANN) == TenantTypes("v1", (learnt,))
        assert filled.write(ANN, lambda transaction: transaction.begin(learns=True).vocabulary) == "v1"
        assert filled.write(BOB, lambda transaction: transaction.begin().vocabulary) == ""

    def test_relations_are_counted_by_tenant(self, filled: Store) -> None:
        """Facts in all scopes of the tenant are counted, but not those of another tenant with the same agent."""
        for scope in (Scope("ann", "helper"), Scope("bob", "helper")):
            ends = entity("Ann", scope), entity("Oslo", scope)
            write(filled, change(scope, entities=ends, facts=[fact(ends[0], "LIVES_IN", ends[1])]))
        assert filled.relation_counts(ANN) == {"LIVES_IN": 2}
        assert filled.relation_counts(Scope(agent_id="helper")) == {}
        assert set(filled.scopes(Scope(agent_id="helper"))) == {Scope("ann", "helper"), Scope("bob", "helper")}

    def test_a_dump_of_a_part_names_what_it_uses(self, filled: Store) -> None:
        """A dump of one of a tenant's scopes contains only the relation types that its facts use."""
        run = Scope(user_id="ann", run_id="r1")
        ends = entity("Ann", run), entity("Oslo", run)
        types = tuple(RelationType(name=name, origin="learnt") for name in ("SINGS_IN", "SECRET"))
        write(filled, change(run, entities=ends, facts=[fact(ends[0], "SINGS_IN", ends[1])], relations=types))
        assert [each.relations for each in dumped(filled, run) if each.relations] == [(types[0],)]
        assert [set(each.relations) for each in dumped(filled, ANN) if each.relations] == [set(types)]
        assert [each for each in dumped(filled, BOB) if each.relations] == []

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
