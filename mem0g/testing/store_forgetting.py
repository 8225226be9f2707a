"""The part of the store contract about forgetting a scope."""

from __future__ import annotations

from mem0g.model import Decision, Scope
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import TenantTypes
from mem0g.store.forgetting import SUCCESSOR_FORGOTTEN
from mem0g.store.protocol import Store
from mem0g.store.queries import SearchQuery
from mem0g.store.records import Done
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, entity, fact, message, vector
from mem0g.testing.store_samples import LIVES, OSLO, PERSON, RUN, SAID, FilledStore, fill_two_scopes, window, write


class ForgettingContract(FilledStore):
    """Tests of forgetting."""

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

    def test_erasing_takes_the_names_of_relations_along(self, store: Store) -> None:
        """Erasing a fact removes the learnt relation type that no other fact of the tenant uses, and only that."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        ends = entity("Ann"), entity("Oslo")
        names = ("SINGS_IN", "TAKES_PROZAC_FOR")
        facts = [fact(ends[0], name, ends[1]) for name in names]
        learnt = tuple(RelationType(name=name, origin="learnt") for name in names)
        write(store, change(entities=ends, facts=facts, relations=learnt))
        before = store.vocabulary(ANN)
        write(store, change(erased=(facts[1].id,)))
        assert store.vocabulary(ANN).types == learnt[:1]
        assert store.vocabulary(ANN).version not in ("", before.version)
        kept = store.vocabulary(ANN)
        store.save_relation_types(BOB, learnt)
        write(store, change(erased=("d_none",)))
        assert store.vocabulary(ANN) == kept
        assert store.vocabulary(BOB).types == learnt
