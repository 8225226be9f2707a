"""The part of the store contract about literals: objects that are values, not entities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from mem0g.model import LITERAL, Fact, Succession
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.protocol import Store, commit
from mem0g.store.queries import EVERYTHING, EntityQuery, FactFilter, FactQuery, PathTraversal, SearchQuery
from mem0g.testing.samples import ANN, BOB, EMBEDDER, change, day, dumped, entity, fact, message, vector
from mem0g.times import Moment

ANNA, BEN, OSLO = entity("Anna", type="person"), entity("Ben", type="person"), entity("Oslo", type="city")
BLUE = entity("sky blue", type=LITERAL)
SAID = message("My eyes are sky blue.")
EYES = fact(ANNA, "HAS_EYE_COLOR", BLUE, evidence=(SAID.id,))
CAR = fact(BEN, "OWNS_CAR_IN", BLUE)
HOME = fact(ANNA, "LIVES_IN", OSLO)


def facts_of(store: Store, *ids: str) -> tuple[Fact, ...]:
    """Return the facts of exactly Ann's scope with these ids as an end."""
    return store.write(ANN, lambda transaction: transaction.facts(of=ids))


class LiteralContract:
    """Tests of literals."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def valued(self, store: Store) -> Store:
        """A store in which Anna's eyes and Ben's car are sky blue and Anna lives in Oslo."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        commit(store, change(messages=[SAID], entities=[ANNA, BEN, OSLO, BLUE], facts=[EYES, CAR, HOME]))
        return store

    def test_a_value_is_no_entity(self, valued: Store) -> None:
        """It is read with its fact and by its id, and is in no list, count or match of entities."""
        assert EYES.object_is_literal
        assert not HOME.object_is_literal
        assert valued.facts(ANN, [EYES.id]) == (EYES,)
        assert valued.entities(ANN, [BLUE.id]) == (BLUE,)
        assert {each.name for each, _ in valued.list_entities(ANN, 10)} == {"Anna", "Ben", "Oslo"}
        assert valued.stats(ANN).entities == 3
        assert valued.match_names(ANN, ["sky blue"]) == ()
        named = EntityQuery(names=("sky blue",), tokens=("sky", "blue"), vector=vector("sky blue"))
        (found,) = valued.write(ANN, lambda transaction: transaction.match_entities([named], 10))
        assert {each.entity.id for each in found} <= {ANNA.id, BEN.id, OSLO.id}

    def test_a_value_joins_nobody(self, valued: Store) -> None:
        """Entities with an equal value are no neighbours, and no walk goes through a value or starts at one."""
        asked = [EntityQuery(names=("anna",)), EntityQuery(names=("ben",))]
        found = valued.write(ANN, lambda transaction: transaction.match_entities(asked, 0))
        assert [each.neighbours for (each,) in found] == [{OSLO.id}, frozenset()]
        assert set(valued.walk(ANN, [ANNA.id], 3, 10)) == {EYES, HOME}
        assert valued.walk(ANN, [BLUE.id], 3, 10) == ()

    def test_a_search_finds_the_facts(self, valued: Store) -> None:
        """The words and the vector of a value find its facts; it is no anchor."""
        probe = SearchQuery(vectors=(vector("sky blue"),), terms=("sky", "blue"), nearest_anchors=10)
        assert {EYES.id, CAR.id} <= {each.fact.id for each in valued.find(ANN, probe).facts}
        anchors = SearchQuery(vectors=(vector("x"),), terms=(), anchors=(ANNA.id,), nearest_anchors=0)
        walked = [each.fact.id for each in valued.find(ANN, anchors).facts if each.path]
        assert sorted(walked) == sorted([EYES.id, HOME.id])
        trail = PathTraversal(anchors=(ANNA.id,))
        paths = SearchQuery(vectors=(vector("x"),), terms=(), traversal=trail)
        assert {each.fact.id for each in valued.find(ANN, paths).traversal} == {EYES.id, HOME.id}

    def test_a_value_written_again_stays(self, valued: Store) -> None:
        """The first text of a value is kept, whatever later ones are."""
        commit(valued, change(entities=[replace(BLUE, name="SKY BLUE", updated_at=day("2025"))]))
        assert valued.entities(ANN, [BLUE.id]) == (BLUE,)
        assert valued.facts(ANN, [EYES.id]) == (EYES,)

    def test_related_facts(self, valued: Store) -> None:
        """A new triple is compared with facts of its subject and relation, and with those of its subject and value."""

        def related(subject: str, relation: str, obj: str) -> set[str]:
            query = FactQuery(subject_id=subject, relations=(relation,), object_id=obj, vector=vector("x"))
            (found,) = valued.write(ANN, lambda transaction: transaction.related_facts([query], 0))
            return {each.fact.id for each in found}

        assert related(ANNA.id, "HAS_EYE_COLOR", "e_0") == {EYES.id}
        assert related(ANNA.id, "LIKES", BLUE.id) == {EYES.id}
        assert related(OSLO.id, "LIKES", BLUE.id) == set()

    def test_what_becomes_of_a_fact_with_a_value(self, valued: Store) -> None:
        """It is supported, retired, rewritten and made current again as any other, and the store stays consistent."""
        since, until = Moment.parse("2020"), Moment.parse("2024-03")
        commit(valued, change(support=(Support(CAR.id, (SAID.id,), since),)))
        assert valued.facts(ANN, [CAR.id]) == (replace(CAR, evidence=(SAID.id,), valid_from=since),)
        ended = Succession(fact_id=EYES.id, successor_id=CAR.id, reason="so", decided_by="rule", at=day("2024-07"))
        commit(valued, change(retirements=(Retirement(ended, until),)))
        (retired,) = valued.facts(ANN, [EYES.id])
        assert (retired.current, retired.valid_to) == (False, until)
        assert valued.verify() == ()
        grey = entity("grey", type=LITERAL)
        again = replace(EYES, object_id=grey.id, object=grey.name, text="Anna has grey eyes.")
        commit(valued, change(entities=[grey], rewritten=(again,)))
        assert valued.facts(ANN, [EYES.id]) == (again,)
        assert facts_of(valued, BLUE.id) == valued.facts(ANN, [CAR.id])
        assert valued.verify() == ()

    def test_merging_the_subject(self, valued: Store) -> None:
        """The facts of a merged entity keep their values."""
        commit(valued, Change(scope=ANN, merges=((BEN.id, ANNA.id),)))
        (moved,) = valued.facts(ANN, [CAR.id])
        assert (moved.subject, moved.object_id, moved.object_is_literal) == ("Anna", BLUE.id, True)
        assert valued.verify() == ()

    def test_erasing(self, valued: Store) -> None:
        """An erased value is gone with its facts; it can be written again."""
        assert set(facts_of(valued, BLUE.id)) == {EYES, CAR}
        assert valued.homes(ANN, [BLUE.id]) == {BLUE.id: ANN}
        assert valued.ids_with_prefix(ANN, BLUE.id, 2) == (BLUE.id,)
        commit(valued, change(erased=(EYES.id, CAR.id, BLUE.id)))
        assert valued.entities(ANN, [BLUE.id]) == ()
        assert valued.list_facts(ANN, FactFilter(view=EVERYTHING), 10) == (HOME,)
        assert valued.stats(ANN).entities == 3
        assert valued.verify() == ()
        commit(valued, change(entities=[BLUE], facts=[EYES]))
        assert valued.facts(ANN, [EYES.id]) == (EYES,)

    def test_forgetting(self, valued: Store) -> None:
        """Forgetting a scope takes its values along; the receipt counts entities, not values."""
        blue = entity("sky blue", BOB, type=LITERAL)
        bobs = fact(entity("Ben", BOB), "HAS_EYE_COLOR", blue)
        commit(valued, change(BOB, entities=[entity("Ben", BOB), blue], facts=[bobs]))
        assert valued.forget(ANN).entities == 3
        assert valued.entities(ANN, [BLUE.id]) == ()
        assert valued.facts(BOB, [bobs.id]) == (bobs,)
        assert valued.entities(BOB, [blue.id]) == (blue,)
        assert valued.verify() == ()

    def test_forgetting_the_evidence(self, store: Store) -> None:
        """A value whose facts all stood on forgotten messages of another scope goes with them; others stay."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        run = replace(ANN, run_id="r1")
        said = message("My eyes are sky blue, and I am tall.", scope=run)
        tall = entity("tall", type=LITERAL)
        alone = fact(ANNA, "IS", tall, evidence=(said.id,))
        commit(store, change(run, messages=[said]))
        commit(store, change(entities=[ANNA, BEN, BLUE, tall], facts=[replace(EYES, evidence=(said.id,)), CAR, alone]))
        receipt = store.forget(run)
        assert (receipt.facts, receipt.entities) == (2, 1)
        assert store.entities(ANN, [BLUE.id, tall.id, ANNA.id]) == (BLUE,)
        assert store.facts(ANN, [CAR.id]) == (CAR,)
        assert store.verify() == ()

    def test_a_copy_has_the_values(self, valued: Store, another: Callable[[], Store]) -> None:
        """Loading a dump gives an equal store, in which a value is no entity; loading it again changes nothing."""
        copy = another()
        copy.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        for _ in range(2):
            copy.load(iter(dumped(valued)))
        assert str(dumped(copy)) == str(dumped(valued))
        assert copy.stats(ANN).entities == 3
        assert BLUE.id not in {key for part in dumped(copy) for key in part.vectors}
        assert copy.verify() == ()

    def test_reindexing_leaves_values_out(self, valued: Store) -> None:
        """Values have no vector after all others were made anew."""
        valued.replace_embedder(EMBEDDER.name, EMBEDDER.dimensions, lambda texts: list(EMBEDDER.embed(texts)))
        vectors = {key for part in dumped(valued) for key in part.vectors}
        assert {ANNA.id, EYES.id} <= vectors
        assert BLUE.id not in vectors
