"""The part of the store contract about manual changes: rewriting, rewording and erasing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mem0g.model import Decision, Entity, Fact, Scope, Succession
from mem0g.store.candidates import SearchCandidates
from mem0g.store.change import Change, Retirement
from mem0g.store.protocol import Store, Transaction, commit
from mem0g.store.queries import EVERYTHING, EntityQuery, FactFilter, SearchQuery, View
from mem0g.store.records import ModelReply
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector
from mem0g.text.names import fold
from mem0g.times import Moment

ROME, PARIS = entity("Rome", type="city"), entity("Paris", type="city")
ANNA, LIV = entity("Anna", type="person"), entity("Liv", type="person", aliases=("Livvy",))
FIRST, SECOND = message("I live in Rome.", 0), message("Rome it is.", 1)
HOME = fact(ANNA, "LIVES_IN", ROME, evidence=(FIRST.id, SECOND.id), valid_from=Moment.parse("2020"))
NEW_HOME = fact(ANNA, "LIVES_IN", PARIS)
VISIT = fact(LIV, "VISITED", PARIS)
MOVED = Succession(fact_id=HOME.id, successor_id=NEW_HOME.id, reason="she moved", decided_by="rule", at=day("2024-07"))


def decision(name: str, **given: object) -> Decision:
    """Return a decision for the log."""
    fields: dict[str, object] = {"operation": "ADD", "rule": "new", "reason": "because", "at": AT, **given}
    return Decision(id=f"d_{name}", **fields)  # type: ignore[arg-type]


def sought(store: Store, words: str, view: View = View()) -> SearchCandidates:  # noqa: B008 - frozen
    """Return what a search for ``words`` finds, by text and by vector."""
    terms = tuple(word.lower() for word in words.split())
    return store.find(ANN, SearchQuery(vectors=(vector(words),), terms=terms, view=view))


class ChangingContract:
    """Tests of replacing and removing what is stored."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def moved(self, store: Store) -> Store:
        """A store in which Anna moved from Rome to Paris and Liv visited Paris, with the decisions about both."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        log = (
            decision("1", fact_id=HOME.id, evidence=(FIRST.id,)),
            decision(
                "2", operation="UPDATE", fact_id=NEW_HOME.id, targets=(HOME.id,), before={"facts": [{"id": "f_9"}]}
            ),
            decision("3", fact_id=VISIT.id, at=day("2024-08")),
        )
        nodes = [ANNA, LIV, ROME, PARIS]
        commit(store, change(ANN, [FIRST, SECOND], nodes, [HOME, NEW_HOME, VISIT], decisions=log))
        commit(store, change(retirements=(Retirement(MOVED, Moment.parse("2024")),)))
        return store

    def test_a_retired_fact_is_made_current_again(self, moved: Store) -> None:
        """A retired fact rewritten as current has no succession and is found by searches and by new windows."""
        commit(moved, change(rewritten=(HOME,)))
        assert moved.facts(ANN, [HOME.id]) == (HOME,)
        assert moved.successions(ANN, [HOME.id, NEW_HOME.id]) == ()
        assert HOME.id in {each.id for each in moved.list_facts(ANN, FactFilter(), 10)}
        assert HOME in [each.fact for each in sought(moved, "anna rome").facts]
        assert HOME in moved.walk(ANN, [ROME.id], 1, 10)
        assert moved.stats(ANN).retired == 0

    def test_a_rewritten_fact_is_retired_with_its_own_succession(self, moved: Store) -> None:
        """A fact rewritten as retired has the succession of the same change, and no other."""
        end = replace(MOVED, successor_id=None, reason="undone", at=day("2024-09"))
        gone = replace(HOME, retired_at=day("2024-09"), valid_to=None)
        commit(moved, change(rewritten=(gone,), successions=(end,)))
        assert moved.facts(ANN, [HOME.id]) == (gone,)
        assert moved.successions(ANN, [HOME.id]) == (end,)
        assert HOME.id not in {each.id for each in moved.list_facts(ANN, FactFilter(view=View(as_of=day("2022"))), 10)}

    def test_ends_text_times_and_evidence_are_replaced(self, moved: Store) -> None:
        """Everything but the id, scope and order of recording can change; full-text search finds the new words."""
        other = replace(
            HOME,
            subject_id=LIV.id,
            subject=LIV.name,
            object_id=PARIS.id,
            object=PARIS.name,
            text="Livvy dwells in Lutetia.",
            valid_from=None,
            evidence=(SECOND.id,),
        )
        commit(moved, Change(scope=ANN, rewritten=(other,), vectors={HOME.id: vector(other.text)}))
        assert moved.facts(ANN, [HOME.id]) == (other,)
        assert moved.list_facts(ANN, FactFilter(view=EVERYTHING), 1) == (other,)
        assert moved.list_facts(ANN, FactFilter(entity_ids=(ROME.id,), view=EVERYTHING), 10) == ()
        found = {each.fact.id: each for each in sought(moved, other.text).facts}
        assert "lutetia" in found[HOME.id].terms
        assert found[HOME.id].similarities == pytest.approx((1.0,), abs=1e-3)
        assert other in moved.walk(ANN, [LIV.id], 1, 10)

    def test_what_is_rewritten_reads_back_alike_from_a_dump(self, moved: Store) -> None:
        """A dump contains the rewritten fact once, with its current succession only."""
        commit(moved, change(rewritten=(HOME,)))
        held = dumped(moved, ANN)
        assert [each for part in held for each in part.facts if each.id == HOME.id] == [HOME]
        assert [each for part in held for each in part.successions] == []

    def test_a_merged_entity_is_its_own_again(self, moved: Store) -> None:
        """An entity rewritten without ``merged_into`` is matched by name, token and vector as before the merge."""
        commit(moved, change(entities=[replace(ANNA, aliases=("Liv", "Livvy"))], merges=((LIV.id, ANNA.id),)))
        assert moved.facts(ANN, [VISIT.id])[0].subject_id == ANNA.id
        assert moved.write(ANN, lambda transaction: transaction.entities([], merged_into=[ANNA.id])) == (
            replace(LIV, merged_into=ANNA.id),
        )
        commit(moved, change(entities=[ANNA, LIV], rewritten=(VISIT,)))
        assert moved.entities(ANN, [LIV.id]) == (LIV,)
        assert moved.match_names(ANN, ["liv"]) == (LIV,)
        assert moved.facts(ANN, [VISIT.id]) == (VISIT,)
        assert moved.write(ANN, lambda transaction: transaction.entities([], merged_into=[ANNA.id])) == ()
        assert self.meant(moved, "Liv") == [LIV]
        assert self.meant(moved, "Livvy") == [LIV]

    def test_an_entity_written_as_merged_is_not_found(self, moved: Store) -> None:
        """An entity written with ``merged_into`` keeps its names but is not matched by them."""
        commit(moved, change(entities=[ANNA, replace(LIV, merged_into=ANNA.id)]))
        assert moved.match_names(ANN, ["liv", "livvy"]) == ()
        assert self.meant(moved, "Liv") == []

    def meant(self, store: Store, name: str) -> list[Entity]:
        """Return the entities that a window would match to a name, most similar first, without dissimilar ones."""
        query = EntityQuery(names=(fold(name),), vector=vector(name))
        (found,) = store.write(ANN, lambda transaction: transaction.match_entities([query], 50))
        return [each.entity for each in found if each.similarity > 0.9 or fold(name) in map(fold, each.entity.names)]

    def test_a_transaction_reads_what_it_wrote(self, moved: Store) -> None:
        """Facts, entities, successions and decisions are read by id and by reference, within one scope only."""

        def work(transaction: Transaction) -> None:
            assert transaction.facts([VISIT.id, "f_0"]) == (VISIT,)
            assert [each.id for each in transaction.facts(of=[PARIS.id])] == [NEW_HOME.id, VISIT.id]
            assert [each.id for each in transaction.facts([HOME.id], citing=[FIRST.id])] == [HOME.id]
            assert transaction.successions([NEW_HOME.id, HOME.id]) == (MOVED,)
            assert transaction.successions([NEW_HOME.id]) == transaction.successions([], by=[HOME.id]) == ()
            assert transaction.successions([], by=[NEW_HOME.id]) == (MOVED,)
            transaction.commit(change(rewritten=(HOME,)))
            assert transaction.facts([HOME.id]) == (HOME,)
            assert transaction.successions([HOME.id]) == ()

        moved.write(ANN, work)
        assert moved.write(BOB, lambda transaction: transaction.facts([VISIT.id], of=[PARIS.id])) == ()
        assert moved.write(BOB, lambda transaction: transaction.successions([HOME.id], by=[NEW_HOME.id])) == ()
        assert moved.write(BOB, lambda transaction: transaction.entities([PARIS.id])) == ()
        assert moved.write(BOB, lambda transaction: transaction.decisions(["d_1"], about=[HOME.id])) == ()

    def test_the_log(self, moved: Store) -> None:
        """Decisions are returned unchanged, latest first; by id, by the records they are about, by their evidence."""

        def named(entries: tuple[Decision, ...]) -> list[str]:
            return [each.id for each in entries]

        assert named(moved.log(ANN, 10)) == ["d_3", "d_2", "d_1"]
        assert named(moved.log(ANN, 1, 1)) == ["d_2"]
        assert named(moved.log(ANN, 10, since=day("2024-07"))) == ["d_3"]
        assert named(moved.log(ANN, 10, until=day("2024-07"))) == ["d_2", "d_1"]
        assert moved.log(BOB, 10) == ()
        assert moved.log(ANN, 1, 1)[0].before == {"facts": [{"id": "f_9"}]}

        def work(transaction: Transaction) -> None:
            assert named(transaction.decisions(["d_3", "d_1"])) == ["d_1", "d_3"]
            assert named(transaction.decisions(about=[HOME.id])) == ["d_1", "d_2"]
            assert named(transaction.decisions(citing=[FIRST.id])) == ["d_1"]
            assert transaction.decisions() == ()

        moved.write(ANN, work)
        assert moved.ids_with_prefix(ANN, "d_", 10) == ("d_1", "d_2", "d_3")

    def test_decisions_are_about_what_they_changed(self, moved: Store) -> None:
        """A decision is also about the facts and entities in its ``before``."""
        before = {"facts": [{"id": HOME.id}], "entities": [{"id": LIV.id}], "created_facts": [VISIT.id]}
        commit(moved, change(decisions=(decision("4", before=before),)))
        for each in (HOME.id, LIV.id, VISIT.id):
            assert "d_4" in {entry.id for entry in moved.decisions(ANN, [each])}

    def test_a_decision_is_reworded_in_its_place(self, moved: Store) -> None:
        """A reworded decision keeps its place and its time."""
        said = decision("2", operation="UPDATE", reason="", fact_id=NEW_HOME.id, before={"erased": True})
        commit(moved, change(reworded=(said, decision("9"))))
        assert [each.id for each in moved.log(ANN, 10)] == ["d_3", "d_2", "d_1"]
        assert moved.log(ANN, 1, 1) == (said,)
        assert [each.id for each in moved.decisions(ANN, [HOME.id])] == ["d_1"]

    def test_homes(self, moved: Store) -> None:
        """``homes`` returns the exact scope of each id that the given scope covers."""
        run = Scope(user_id="ann", run_id="r")
        late = message("Hello.", 0, run)
        commit(moved, change(run, [late]))
        ids = [ANNA.id, HOME.id, late.id, "d_1", "f_0"]
        assert moved.homes(ANN, ids) == {ANNA.id: ANN, HOME.id: ANN, "d_1": ANN, late.id: run}
        assert moved.homes(run, ids) == {late.id: run}
        assert moved.homes(BOB, ids) == {}
        assert moved.homes(None, ids) == moved.homes(ANN, ids)

    def test_erased_facts_leave_nothing(self, moved: Store) -> None:
        """An erased fact is absent from lists, searches, walks, successions and counts; other facts stay."""
        commit(moved, change(erased=(HOME.id, "d_1")))
        assert moved.facts(ANN, [HOME.id]) == ()
        assert moved.successions(ANN, [HOME.id, NEW_HOME.id]) == ()
        assert moved.walk(ANN, [ROME.id], 1, 10, EVERYTHING) == ()
        assert HOME.id not in {each.fact.id for each in sought(moved, "anna rome", EVERYTHING).facts}
        assert [each.id for each in moved.log(ANN, 10)] == ["d_3", "d_2"]
        assert moved.stats(ANN).facts == 2
        assert HOME.text not in str(dumped(moved))
        self.still_searches(moved, NEW_HOME)

    def test_erased_messages_and_records_leave_nothing(self, moved: Store) -> None:
        """An erased message is no longer found; a kept reply is erased by its id, in one scope only."""
        commit(moved, change(replies=tuple(ModelReply(id=key, scope=ANN, text="{}") for key in ("k_1", "k_2"))))
        commit(moved, change(BOB, replies=(ModelReply(id="k_1", scope=BOB, text="{}"),)))
        fewer = replace(moved.facts(ANN, [HOME.id])[0], evidence=(SECOND.id,))
        commit(moved, change(rewritten=(fewer,), successions=(MOVED,), erased=(FIRST.id, "k_1")))
        assert moved.messages(ANN, [FIRST.id]) == ()
        assert [each.message for each in sought(moved, "live rome").messages] == [SECOND]
        assert moved.facts(ANN, [HOME.id]) == (fewer,)
        assert [each.id for each in moved.records(ModelReply, ANN)] == ["k_2"]
        assert len(moved.records(ModelReply, BOB)) == 1
        assert moved.stats(ANN).messages == 1
        commit(moved, change(erased=(SECOND.id,)))
        assert moved.stats(ANN).sessions == 0

    def test_an_erased_entity_leaves_nothing(self, moved: Store) -> None:
        """An erased entity and the facts erased with it are gone; its names match nothing and can be reused."""
        commit(moved, change(erased=(LIV.id, VISIT.id)))
        assert moved.entities(ANN, [LIV.id]) == ()
        assert moved.match_names(ANN, ["Liv"]) == ()
        assert self.meant(moved, "Liv") == []
        commit(moved, change(entities=[LIV], facts=[VISIT]))
        assert self.meant(moved, "Liv") == [LIV]
        self.still_searches(moved, VISIT)

    def test_what_is_erased_in_one_scope_stays_in_others(self, moved: Store) -> None:
        """Ids that belong to another scope are neither erased nor rewritten."""
        commit(moved, change(BOB, erased=(HOME.id, ANNA.id, FIRST.id, "d_1"), rewritten=(replace(HOME, text="x"),)))
        assert moved.stats(ANN).facts == 3
        assert moved.facts(ANN, [HOME.id])[0].text == HOME.text
        assert len(moved.log(ANN, 10)) == 3

    def still_searches(self, store: Store, wanted: Fact) -> None:
        """Assert that vector search finds ``wanted`` after something else was erased."""
        assert wanted.id in {each.fact.id for each in sought(store, wanted.text, EVERYTHING).facts}
        probe = SearchQuery(vectors=(vector(wanted.text),), terms=(), nearest_anchors=0, view=EVERYTHING)
        assert wanted.id in {each.fact.id for each in store.find(ANN, probe).facts}
