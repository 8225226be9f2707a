"""Facts that share an entity with a triple, looked up in columns: as a look at each fact finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.structure import Relations, Structure
from mem0g.store.queries import FactQuery
from tests.making import vector

Stored = tuple[str, str, str]
ENTITIES, RELATIONS = st.sampled_from("abc"), st.sampled_from("RST")
STORED = st.lists(st.tuples(ENTITIES, RELATIONS, ENTITIES), max_size=30)
QUERIES = st.builds(
    FactQuery,
    subject_id=ENTITIES,
    object_id=ENTITIES,
    relations=st.lists(RELATIONS, max_size=2, unique=True).map(tuple),
    of_either_end=st.lists(RELATIONS, max_size=1).map(tuple),
    vector=st.just(vector("x")),
)


def of(stored: list[Stored]) -> Structure:
    """The structure of facts (subject, relation, object) in the rows 3, 5, 7 and so on, added in two parts."""
    edges, relations = Edges(), Relations()
    for start, some in ((0, stored[: len(stored) // 2]), (len(stored) // 2, stored[len(stored) // 2 :])):
        numbers = [3 + 2 * (start + place) for place in range(len(some))]
        subjects, names, objects = ([each[at] for each in some] for at in range(3))
        edges.append(numbers, subjects, objects, numbers)
        relations.append(numbers, names)
    return Structure(edges, relations)


def everywhere(query: FactQuery, each: Stored) -> bool:
    """Whether a fact has both ends, or an end and a relation of either end, in common with a triple."""
    subject, relation, obj = each
    ends = {query.subject_id, query.object_id}
    return (subject, obj) in ((query.subject_id, query.object_id), (query.object_id, query.subject_id)) or (
        relation in query.of_either_end and not ends.isdisjoint((subject, obj))
    )


def rows(stored: list[Stored], wanted: Callable[[Stored], bool]) -> list[int]:
    """The row numbers of the facts wanted."""
    return [3 + 2 * place for place, each in enumerate(stored) if wanted(each)]


@given(stored=STORED, query=QUERIES, concerned=st.sets(RELATIONS))
def test_what_is_found_is_what_a_look_at_each_fact_finds(
    stored: list[Stored], query: FactQuery, concerned: set[str]
) -> None:
    """By structure, and where the query says what concerns it, of that alone."""
    structure = of(stored)

    def sought(each: Stored) -> bool:
        return everywhere(query, each) or (each[0] == query.subject_id and each[1] in query.relations)

    def concerning(each: Stored) -> bool:
        return everywhere(query, each) or (each[0] == query.subject_id and each[1] in concerned)

    found = structure.sharing(query, 100)
    assert (found.structure.tolist(), found.concerning) == (rows(stored, sought), None)
    found = structure.sharing(replace(query, concerns=concerned.__contains__), 100)
    assert found.structure.tolist() == rows(stored, lambda each: sought(each) and concerning(each))
    assert found.concerning is not None
    assert found.concerning.tolist() == rows(stored, concerning)


def test_the_latest_are_found() -> None:
    """Of many facts those stored last, of each look-up and of all."""
    stored = [("a", "R", "b")] * 3 + [("a", "S", "c")] * 3
    query = FactQuery(subject_id="a", relations=("S",), object_id="b", vector=vector("x"))
    assert of(stored).sharing(query, 4).structure.tolist() == [7, 9, 11, 13]
    assert of(stored).sharing(query, 2).structure.tolist() == [11, 13]
    found = of(stored).sharing(replace(query, concerns=set().__contains__), 4)
    assert found.concerning is not None
    assert (found.structure.tolist(), found.concerning.tolist()) == ([7], [3, 5, 7])
