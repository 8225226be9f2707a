"""The part of the store contract about candidates: of the resolver, of decisions and of a search."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from mem0g.model import Fact, Scope
from mem0g.store.protocol import Store
from mem0g.store.queries import (
    CURRENT,
    EVERYTHING,
    MAX_NEIGHBOURS,
    EntityQuery,
    FactQuery,
    PathTraversal,
    RelatedFact,
    SearchQuery,
)
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, entity, fact, message, vector
from mem0g.testing.store_samples import LISBON, LIVES, OSLO, PERSON, SAID, FilledStore, write
from mem0g.times import Moment


class SearchContract(FilledStore):
    """Tests of matching, searching and walking."""

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

    def test_entities_come_with_those_around_them(self, store: Store) -> None:
        """A candidate has the entities that any facts connect it to, and its roles, unless it is a hub."""
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
        roles = {each.entity.name: each.roles for (each,) in found}
        named = {("ALSO_KNOWN_AS", tea.id)}
        assert roles == {"Ann": frozenset(), "Oslo": {("SOLD_IN", tea.id)}, "tea": named}

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

    def test_related_facts_that_concern_a_triple(self, filled: Store) -> None:
        """What concerns a triple is found as without a choice; a store may leave out the rest of it, and adds nothing.

        A fact of both ends concerns it whatever its relation.
        """
        cities = [entity(f"city {number}") for number in range(5)]
        visits = [fact(PERSON, "VISITED", each, f"Ann visited {each.name}.") for each in cities]
        plans = [fact(PERSON, "PLANS_TO_VISIT", each, f"Ann plans to visit {each.name}.") for each in cities]
        write(filled, change(entities=cities, facts=[*visits, *plans]))

        def related(relations: set[str] | None, text: str, nearest: int) -> list[RelatedFact]:
            concerns = None if relations is None else relations.__contains__
            query = FactQuery(
                subject_id=PERSON.id,
                relations=("VISITED",),
                object_id=OSLO.id,
                vector=vector(text),
                concerns=concerns,
            )
            (found,) = filled.write(ANN, lambda transaction: transaction.related_facts([query], nearest))
            return [RelatedFact(each.fact, round(each.similarity, 4)) for each in found]

        for text, nearest in ((plans[2].text, 1), (plans[2].text, 3), ("Ann visited Oslo.", 20), ("tea", 0)):
            everything = related(None, text, nearest)
            for relations in ({"PLANS_TO_VISIT"}, {"VISITED"}, set()):
                found = {each.fact.id for each in related(relations, text, nearest)}
                wanted = [each for each in everything if each.fact.relation in relations or each.fact.id == LIVES.id]
                assert {each.fact.id for each in wanted} <= found <= {each.fact.id for each in everything}
        assert {each.fact.id for each in related({"PLANS_TO_VISIT"}, plans[2].text, 1)} >= {plans[2].id, LIVES.id}

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
