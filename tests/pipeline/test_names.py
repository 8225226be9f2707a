"""Uncertain node matches: names that rules keep apart are put to the model with the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mem0g.memory import Memory
from mem0g.model import Scope
from tests.llm.server import Server
from tests.making import dumped
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import ANN, Place, everything, in_a_file, opened, talk

SAID = talk(
    ("2024-01-10", "Ann", "Ann works at harbour bakery."),
    ("2024-02-10", "Ben", "Ben works at bakery beside harbour."),
    ("2024-03-10", "Ben", "Ben likes harbour."),
)
GREY: dict[str, Any] = {"window": 1, "concurrency": 1, "llm_match_threshold": 0.6}


def names(memory: Memory) -> list[tuple[str, tuple[str, ...]]]:
    """Return the nodes of Ann's scope, with their other names."""
    return sorted((entity.name, entity.aliases) for entity, _ in memory.store.list_entities(Scope("ann"), 100))


def same(*numbers: int) -> Any:
    """Return a reply that decides well, and joins these pairs."""

    def answer(prompt: Prompt) -> dict[str, Any]:
        return good(prompt) | ({"same": list(numbers)} if prompt.pairs else {})

    return answer


def joins(memory: Memory) -> list[tuple[str, str]]:
    """Return rule and reason of each join of two names."""
    made = [each for change in dumped(memory.store) for each in change.decisions if each.operation == "MERGE"]
    return [(each.rule, each.reason) for each in made]


def asked(model: Model) -> Sequence[str]:
    """Return the pairs that the model was asked about."""
    return [pair for each in model.prompts("decide") for pair in each.pairs]


@in_a_file
def test_off_by_default(place: Place, server: Server, model: Model) -> None:
    """Without the setting the model is asked about no names, and similar names are two nodes."""
    with opened(place, server, window=1) as memory:
        list(memory.ingest(SAID, **ANN))
        assert ("harbour bakery", ()) in names(memory)
    assert asked(model) == []


def test_one_thing(place: Place, server: Server, model: Model) -> None:
    """A pair that the model joins is one node with both names; the join is logged as the model's."""
    model.says(same(1), "decide")
    with opened(place, server, **GREY) as memory:
        list(memory.ingest(SAID, **ANN))
        assert names(memory) == [
            ("Ann", ()),
            ("Ben", ()),
            ("harbour", ()),
            ("harbour bakery", ("bakery beside harbour",)),
        ]
        assert joins(memory) == [("model", "bakery beside harbour is harbour bakery")]
        bakery = next(one for one, _ in memory.store.list_entities(Scope("ann"), 100) if one.aliases)
        assert [fact.object_id == bakery.id for fact in everything(memory)] == [True, True, False]
    (pair,) = asked(model)
    assert '"bakery beside harbour" (company), in "Ben works at bakery' in pair
    assert pair.endswith('known: "harbour bakery" (company)')
    for each in model.prompts("decide"):
        assert ("`same` lists the numbers of the pairs" in each.system) == bool(each.pairs)


@in_a_file
def test_two_things(place: Place, server: Server, model: Model) -> None:
    """A pair that the model does not join is two nodes, and nothing is logged."""
    with opened(place, server, **GREY) as memory:
        list(memory.ingest(SAID, **ANN))
        assert [name for name, _ in names(memory)] == [
            "Ann",
            "Ben",
            "bakery beside harbour",
            "harbour",
            "harbour bakery",
        ]
        assert joins(memory) == []
    assert len(asked(model)) == 1


@in_a_file
def test_in_one_window(place: Place, server: Server, model: Model) -> None:
    """Two names of one window are included too, in the call for decisions, and later facts use the joined node."""
    more = [*SAID[:2], *talk(("2024-02-10", "Ann", "Ann works at bakery beside harbour."), first=2)]
    model.says(same(1), "decide")
    with opened(place, server, **GREY | {"window": 20}) as memory:
        list(memory.ingest(more, **ANN))
        assert ("harbour bakery", ("bakery beside harbour",)) in names(memory)
    assert model.count() == 2


@in_a_file
def test_a_pair_that_was_not_shown(place: Place, server: Server, model: Model) -> None:
    """A number of no pair makes the reply invalid: the model is told, and its second reply counts."""
    model.says(same(7), "decide", 1)
    with opened(place, server, **GREY) as memory:
        list(memory.ingest(SAID, **ANN))
        assert joins(memory) == []
        assert memory.pending(all_scopes=True) == ()
    assert [each.attempt for each in model.prompts("decide")][:2] == [1, 2]


@in_a_file
def test_again(place: Place, server: Server, model: Model) -> None:
    """A join is permanent: the other name is known, and the model is not asked again."""
    model.says(same(1), "decide")
    with opened(place, server, **GREY) as memory:
        list(memory.ingest(SAID, **ANN))
        before = len(asked(model))
        list(memory.ingest(talk(("2024-05-10", "Ben", "Ann works at bakery beside harbour."), first=3), **ANN))
        assert len(asked(model)) == before
        assert len(names(memory)) == 4
