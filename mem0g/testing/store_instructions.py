"""The part of the store contract about standing instructions, which a search returns whatever the question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mem0g.model import INSTRUCTS, LITERAL, Scope, Succession
from mem0g.store.change import Retirement
from mem0g.store.protocol import Store, commit
from mem0g.store.queries import SearchQuery, View
from mem0g.testing.samples import ANN, BOB, EMBEDDER, change, day, entity, fact, message, vector

ANNA = entity("Anna", type="person")
BRIEF, UNITS = entity("be brief", type=LITERAL), entity("answer in metric units", type=LITERAL)
SAID = message("Be brief.")


class InstructionContract:
    """Tests of instructions."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    def test_instructions_are_found_whatever_the_question(self, store: Store) -> None:
        """The latest come first, of the scope alone, in the view asked for, at most as many as asked for."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        first = fact(ANNA, INSTRUCTS, BRIEF, "Anna instructs: be brief.", evidence=(SAID.id,))
        second = fact(ANNA, INSTRUCTS, UNITS, "Anna instructs: answer in metric units.", recorded_at=day("2024-06-02"))
        other = fact(ANNA, "TEACHES", entity("yoga"), "Anna instructs a class in yoga.")
        ours = change(messages=[SAID], entities=[ANNA, BRIEF, UNITS, entity("yoga")], facts=[first, second, other])
        theirs = [entity("Bob", BOB), entity("be rude", BOB, type=LITERAL)]
        rude = fact(theirs[0], INSTRUCTS, theirs[1], "Bob instructs: be rude.")
        for made in (ours, change(BOB, entities=theirs, facts=[rude])):
            commit(store, made)
        probe = SearchQuery(vectors=(vector("What is the capital?"),), terms=("capit",), facts=1)

        def found(scope: Scope = ANN, **given: object) -> list[str]:
            query = replace(probe, **given)  # type: ignore[arg-type]
            return [each.fact.id for each in store.find(scope, query).instructions]

        assert found() == [second.id, first.id]
        assert found(BOB) == [rude.id]
        assert found(instructions=1) == [second.id]
        assert found(instructions=0) == []
        (best, _) = store.find(ANN, probe).instructions
        assert best.fact == second
        assert (best.terms, len(best.similarities)) == ("anna instruct answer metric unit", 1)
        ended = Succession(
            fact_id=first.id, successor_id=None, reason="taken back", decided_by="rule", at=day("2024-06-05")
        )
        end = change(retirements=(Retirement(ended, None),))
        store.write(ANN, lambda transaction: transaction.commit(end))
        assert found() == [second.id]
        assert found(view=View(known_at=day("2024-06-03"))) == [second.id, first.id]
        assert found(view=View(include_retired=True)) == [second.id, first.id]
