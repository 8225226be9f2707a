"""The part of the store contract about selections: which facts and messages a filter leaves to a search and a list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mem0g.metadata import metadata_text
from mem0g.model import LITERAL, Scope, Succession
from mem0g.store.change import Retirement
from mem0g.store.protocol import Store
from mem0g.store.queries import EVERYTHING, NO_METADATA, FactFilter, PathTraversal, Period, SearchQuery, Selection
from mem0g.testing.samples import ANN, AT, BOB, EMBEDDER, change, day, entity, fact, message, vector
from mem0g.times import Moment

WORK, HOME = metadata_text({"topic": "work"}) or "", metadata_text({"topic": "home", "deep": {"n": 1}}) or ""
MAY = Period(day("2024-05-01"), day("2024-06-01"))

SAID = replace(message("I work at Acme in Oslo.", 0, metadata={"topic": "work"}), recorded_at=AT)
ASKED = message("And do you like it there?", 1, speaker="Sam", role="assistant", metadata={"topic": "work"})
TOLD = message("I like tea at home.", 2, time=day("2024-05-10"), metadata={"topic": "home", "deep": {"n": 1}})
PLAIN = message("My age is 42.", 3, time=None)
PERSON, ACME = entity("Ann", type="person"), entity("Acme", type="company")
TEA, AGE = entity("tea", type="drink"), entity("42", type=LITERAL)
WORKS = fact(PERSON, "WORKS_AT", ACME, evidence=(SAID.id,), valid_from=Moment.parse("2024-05"))
LIKES = fact(
    PERSON, "LIKES", TEA, evidence=(TOLD.id, ASKED.id), said_at=day("2024-05-10"), recorded_at=day("2024-05-11")
)
AGED = fact(PERSON, "HAS_AGE", AGE, evidence=(PLAIN.id,), said_at=None)
NOTED = fact(ACME, "MAKES", TEA, metadata={"topic": "work"})
BARE = fact(PERSON, "KNOWS", TEA)
FACTS = {"works": WORKS, "likes": LIKES, "aged": AGED, "noted": NOTED, "bare": BARE}
MESSAGES = {"said": SAID, "asked": ASKED, "told": TOLD, "plain": PLAIN}

SELECTED: dict[str, tuple[Selection, set[str]]] = {
    "everything": (Selection(), {*FACTS, *MESSAGES}),
    "nothing": (Selection(relations=()), set()),
    "relations": (Selection(relations=("LIKES", "MAKES")), {"likes", "noted"}),
    "types of either end": (Selection(types=("company",)), {"works", "noted"}),
    "a literal": (Selection(types=(LITERAL,)), {"aged"}),
    "types of neither end": (Selection(not_types=("drink",)), {"works", "aged"}),
    "valid": (Selection(valid=MAY), {"works"}),
    "valid before": (Selection(valid=Period(None, day("2024-05-01"))), set()),
    "said": (Selection(said=MAY), {"likes", "told"}),
    "said from": (Selection(said=Period(day("2024-05-11"))), {"works", "noted", "bare", "said", "asked"}),
    "recorded": (Selection(recorded=Period(AT)), {"works", "aged", "noted", "bare", "said"}),
    "a role": (Selection(roles=("assistant",)), {"likes", "asked"}),
    "a speaker": (Selection(speakers=("Ann",)), {"works", "likes", "aged", "said", "told", "plain"}),
    "metadata": (Selection(metadata=(WORK,)), {"works", "likes", "noted", "said", "asked"}),
    "no metadata": (Selection(metadata=(NO_METADATA,)), {"aged", "bare", "plain"}),
    "of one message": (Selection(metadata=(WORK,), speakers=("Ann",)), {"works", "said"}),
    "relation and metadata": (Selection(relations=("LIKES",), metadata=(HOME,)), {"likes"}),
}


def probe(**given: Any) -> SearchQuery:
    """Return a question that is near to everything."""
    return SearchQuery(vectors=(vector("Ann likes tea at Acme"),), terms=("ann", "like", "tea", "work", "42"), **given)


class FilterContract:
    """Selections in find and list_facts; part of ``StoreContract``."""

    @pytest.fixture
    def noted(self, store: Store) -> Store:
        """Return a store with facts and messages, some of which have metadata; Bob's are of the same words."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        kept = change(messages=list(MESSAGES.values()), entities=[PERSON, ACME, TEA, AGE], facts=list(FACTS.values()))
        store.write(ANN, lambda transaction: transaction.commit(replace(kept, vectors=_vectors(kept))))
        other = message("I work at Acme.", scope=BOB, metadata={"topic": "play"})
        store.write(BOB, lambda transaction: transaction.commit(change(BOB, messages=[other])))
        return store

    def test_what_a_selection_leaves(self, noted: Store) -> None:
        """A search finds what is selected and only that, by any channel; so does a list, in order."""
        names = {each.id: key for key, each in FACTS.items()} | {each.id: key for key, each in MESSAGES.items()}
        for name, (selection, expected) in SELECTED.items():
            near = probe(selection=selection)
            walked = replace(near, anchors=(PERSON.id,), traversal=PathTraversal(anchors=(PERSON.id,)))
            for asked in (near, walked, replace(near, terms=())):
                found = noted.find(ANN, asked)
                assert {names[each.fact.id] for each in found.facts} == expected & FACTS.keys(), name
                assert {names[each.message.id] for each in found.messages} == expected & MESSAGES.keys(), name
                assert {names[each.fact.id] for each in found.traversal} <= expected, name
            listed = [names[each.id] for each in noted.list_facts(ANN, FactFilter(selection=selection), 10)]
            assert listed == [key for key in ("likes", "works", "aged", "noted", "bare") if key in expected], name

    def test_a_selection_comes_before_the_limits_of_a_search(self, noted: Store) -> None:
        """The only fact that is selected is found, however many others are nearer; so is the only message."""
        asked = replace(probe(selection=Selection(metadata=(HOME,))), facts=1, messages=1, terms=("acme",))
        found = noted.find(ANN, replace(asked, vectors=(vector(WORKS.text),)))
        assert ([each.fact for each in found.facts], [each.message for each in found.messages]) == ([LIKES], [TOLD])

    def test_a_selection_keeps_to_the_view(self, noted: Store) -> None:
        """What is retired is selected only where the view shows it."""
        end = Succession(fact_id=LIKES.id, successor_id=None, reason="over", decided_by="user", at=AT)
        ended = change(retirements=(Retirement(end, None),))
        noted.write(ANN, lambda transaction: transaction.commit(ended))
        wanted = Selection(relations=("LIKES",))
        assert noted.find(ANN, probe(selection=wanted)).facts == ()
        assert noted.list_facts(ANN, FactFilter(selection=wanted), 9) == ()
        assert [each.fact.id for each in noted.find(ANN, probe(selection=wanted, view=EVERYTHING)).facts] == [LIKES.id]

    def test_values_and_metadata(self, noted: Store) -> None:
        """The values of fields are those of the scopes covered; metadata is that of messages that have any."""
        assert noted.values(ANN, "relation") == ("HAS_AGE", "KNOWS", "LIKES", "MAKES", "WORKS_AT")
        assert noted.values(ANN, "type") == ("company", "drink", LITERAL, "person")
        assert noted.values(ANN, "speaker") == ("Ann", "Sam")
        assert noted.values(ANN, "metadata") == tuple(sorted((WORK, HOME)))
        assert noted.values(Scope(user_id="nobody"), "metadata") == ()
        assert noted.metadata(ANN, [TOLD.id, PLAIN.id, "m_none"]) == {TOLD.id: TOLD.metadata}
        assert noted.metadata(BOB, [TOLD.id]) == {}
        assert noted.metadata(ANN, []) == {}
        around = noted.find(ANN, probe()).turns
        assert (set(around.ids), set(around.noted)) == (
            {each.id for each in MESSAGES.values()},
            {SAID.id, ASKED.id, TOLD.id},
        )


def _vectors(made: Any) -> dict[str, Any]:
    return {key: each for key, each in made.vectors.items() if key != AGE.id}
