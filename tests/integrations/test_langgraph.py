"""A LangGraph store over a memory: items as LangGraph's own store keeps them, found as the memory finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mem0g import Memory, Scope
from mem0g.errors import InputError
from tests.integrations.extras import installed, needs

needs("langgraph.store", "langgraph")

from langgraph.store.base import (  # noqa: E402 - after the check that it is installed
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore  # noqa: E402

from mem0g.integrations.langgraph import MemoryStore, texts_of  # noqa: E402
from mem0g.integrations.langgraph_items import ItemFile  # noqa: E402

ANN = Scope(user_id="ann")
OSLO = {"content": "I live in Oslo with my dog Rex."}

NAMESPACES = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map(tuple)
KEYS = st.sampled_from(["x", "y", "ü/%_"])
NUMBERS = st.integers(-2, 2)
VALUES = st.fixed_dictionaries(
    {"n": NUMBERS}, optional={"s": st.text(max_size=3), "l": st.lists(NUMBERS, max_size=2), "d": st.just({"n": 1})}
)
FILTERS = st.one_of(
    st.none(),
    st.builds(lambda n: {"n": n}, NUMBERS),
    st.builds(lambda name, n: {"n": {name: n}}, st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]), NUMBERS),
    st.builds(lambda n: {"n": {"$gte": n, "$lt": n + 2}}, NUMBERS),
    st.sampled_from([{"d": {"n": 1}}, {"d": {"n": 2}}, {"l": [1]}, {"l": []}, {"missing": None}, {"s": "", "n": 0}]),
)
PAGES = {"limit": st.integers(0, 4), "offset": st.integers(0, 3)}
CONDITIONS = st.builds(
    MatchCondition,
    st.sampled_from(["prefix", "suffix"]),
    st.lists(st.sampled_from(["a", "b", "*"]), max_size=3).map(tuple),
)
OPS = st.one_of(
    st.builds(GetOp, NAMESPACES, KEYS, st.just(False)),
    st.builds(PutOp, NAMESPACES, KEYS, st.none() | VALUES, st.just(False), st.none()),
    st.builds(PutOp, NAMESPACES, KEYS, VALUES, st.just(False), st.none()),
    st.builds(SearchOp, st.just(()) | NAMESPACES, FILTERS, **PAGES),
    st.builds(ListNamespacesOp, st.none() | st.lists(CONDITIONS, max_size=2), st.none() | st.integers(1, 3), **PAGES),
)
BATCHES = st.lists(st.lists(OPS, min_size=1, max_size=4), max_size=8)


def plain(result: Any) -> Any:
    """A result without its times, which differ between two stores."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    return (result.namespace, result.key, result.value) if isinstance(result, Item) else result


def assert_alike(store: BaseStore, batches: Sequence[Sequence[Any]]) -> None:
    """Both stores answer every operation equally."""
    reference = InMemoryStore()
    for batch in batches:
        puts = [op for op in batch if isinstance(op, PutOp)]
        expected = [None if isinstance(op, PutOp) else read(reference, op) for op in batch]
        without_empty(reference)
        reference.batch(puts)
        assert plain(store.batch(batch)) == expected


def read(reference: InMemoryStore, op: Any) -> Any:
    """What LangGraph's store answers."""
    without_empty(reference)
    return plain(reference.batch([op])[0])


def without_empty(reference: InMemoryStore) -> None:
    """Remove the namespaces that LangGraph's store lists, in the order in which they were once read or emptied."""
    for namespace in [each for each, items in reference._data.items() if not items]:
        del reference._data[namespace]


@given(batches=BATCHES)
def test_items_are_kept_as_by_langgraph(batches: list[list[Any]]) -> None:
    """Any operations, in any batches: get, put, delete, search with filters and pages, list with conditions."""
    store = ItemFile(":memory:")
    assert_alike(store, batches)
    store.close()


@pytest.fixture
def store(memory: Memory) -> Iterator[MemoryStore]:
    """A store for Ann, over a memory in a file."""
    with MemoryStore(memory, ANN, wait=True) as opened:
        yield opened


@settings(max_examples=10)
@given(data=st.data())
def test_a_store_over_a_memory_keeps_them_so_too(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same operations through the memory."""
    file = tmp_path_factory.mktemp("items") / "memory.db"
    with Memory.open(file, extractor="none") as memory, MemoryStore(memory, ANN, items=":memory:") as store:
        assert_alike(store, data.draw(BATCHES))


def found(store: BaseStore, query: str, **wanted: Any) -> list[tuple[str, bool]]:
    """The keys that a search finds, and whether each has a score."""
    return [(each.key, each.score is not None) for each in store.search((), query=query, **wanted)]


def test_search_finds_by_meaning(store: MemoryStore) -> None:
    """Best first, with scores; filters and pages apply; an item without text in the graph comes last, without one."""
    store.put(("memories", "ann"), "home", OSLO)
    store.put(("memories", "ann"), "hidden", {"content": "My pet is a cat."}, index=False)
    store.put(("memories",), "look", {"theme": "dark", "size": 14})
    assert found(store, "Which pet do I have?") == [("home", True), ("look", True), ("hidden", False)]
    assert found(store, "Which pet do I have?", offset=1, limit=1) == [("look", True)]
    assert found(store, "Which pet do I have?", filter={"size": {"$gt": 10}}) == [("look", True)]
    assert found(store, " ", limit=1) == [("home", False)]
    assert "Ann" not in [fact.text for fact in store.memory.facts(user_id="ann")]
    assert any("Oslo" in fact.text for fact in store.memory.facts(user_id="ann"))


def test_the_graph_says_what_the_items_say(store: MemoryStore) -> None:
    """A put replaces what the item said, also when it said that before; a delete removes it; an equal put is free."""
    place = (("m",), "home")

    def texts() -> list[str]:
        return [each.text for each in store.memory.messages(user_id="ann")]

    for value in (OSLO, {"content": "I live in Bergen."}, OSLO, OSLO):
        store.put(*place, value)
        assert texts() == [value["content"]]
        (home,) = store.memory.facts(user_id="ann", relation="lives_in", include_retired=True)
        assert value["content"].split()[3].strip(".") in home.text
    ids = [each.id for each in store.memory.messages(user_id="ann")]
    store.put(*place, OSLO)
    assert [each.id for each in store.memory.messages(user_id="ann")] == ids
    store.delete(*place)
    assert not texts()
    assert not store.memory.facts(user_id="ann", include_retired=True)
    store.delete(*place)


def test_puts_do_not_wait_for_facts(memory: Memory) -> None:
    """Items put again before the facts of the last text are extracted: in the end there are those of the last."""
    with MemoryStore(memory, ANN) as store:
        for city in ("Oslo", "Bergen", "Rome", "Lima", "Paris"):
            store.put(("m",), "home", {"content": f"I live in {city}."})
            assert found(store, "Where is home?") == [("home", True)]
        memory.flush()
        assert [each.object for each in memory.facts(user_id="ann", include_retired=True)] == ["Paris"]
        assert len(memory.messages(user_id="ann")) == 1


def test_fields_choose_the_text(memory: Memory) -> None:
    """The store's, or those of one put."""
    store = MemoryStore(memory, ANN, items=":memory:", fields=["title"])
    store.put(("m",), "a", {"title": "Tea", "body": "Coffee", "tags": [{"name": "red"}, {"name": "blue"}]})
    store.put(("m",), "b", {"title": "Milk", "tags": [{"name": "red"}, {"name": "blue"}]}, index=["tags[*].name"])
    assert {each.text for each in memory.messages(user_id="ann")} == {"Tea", "red\nblue"}
    value = {"kind": "Note", "content": {"said": "I like tea.", "tags": ["hot", " "], "n": 2, "none": None}}
    store.close()
    assert list(texts_of(value)) == ["kind: Note", "I like tea.", "tags: hot", "n: 2"]


def test_each_namespace_can_have_a_scope(memory: Memory) -> None:
    """What one user's items say does not end what another's say; a search over both finds both."""
    store = MemoryStore(memory, lambda namespace: Scope(user_id=namespace[1]), items=":memory:", wait=True)
    store.put(("m", "ann"), "home", {"content": "I live in Oslo."})
    store.put(("m", "bob"), "home", {"content": "I live in Bergen."})
    assert len(memory.facts(user_id="ann")) == len(memory.facts(user_id="bob")) == 1
    assert {each.namespace[1] for each in store.search(("m",), query="Where do I live?")} == {"ann", "bob"}
    assert [each.namespace[1] for each in store.search(("m", "bob"), query="Where do I live?")] == ["bob"]
    store.close()


def test_another_store_can_keep_the_items(memory: Memory) -> None:
    """Any BaseStore does."""
    store = MemoryStore(memory, ANN, items=InMemoryStore())
    store.put(("m",), "home", OSLO)
    assert found(store, "Where is home?") == [("home", True)]
    assert store.get(("m",), "home") == store.items.get(("m",), "home")


def test_items_outlive_the_process(memory: Memory) -> None:
    """The file beside the memory's is read by the next store, with the time at which an item was first put."""
    first, second = MemoryStore(memory, ANN), MemoryStore(memory, ANN)
    first.put(("m",), "a", {"n": 1})
    made = first.get(("m",), "a")
    second.put(("m",), "a", {"n": 2})
    again = first.get(("m",), "a")
    assert Path(memory.store.address).with_suffix(".items.db").exists()
    assert made is not None
    assert again is not None
    assert again.value == {"n": 2}
    assert again.created_at == made.created_at < again.updated_at
    first.close()
    second.close()


@pytest.mark.anyio
async def test_it_is_asynchronous_too(store: MemoryStore) -> None:
    """The same, awaited."""
    await store.aput(("m",), "home", OSLO)
    assert [each.key for each in await store.asearch(("m",), query="Where is home?")] == ["home"]
    assert await store.alist_namespaces() == [("m",)]
    await store.adelete(("m",), "home")
    assert await store.aget(("m",), "home") is None


@pytest.mark.anyio
async def test_puts_of_one_item_at_once(store: MemoryStore, memory: Memory) -> None:
    """Whichever put is the last, the graph has its text alone, and no text of an earlier one."""
    async with anyio.create_task_group() as group:
        for number in range(12):
            group.start_soon(store.aput, ("m",), "home", {"content": f"I moved to City{number}."})
    item = await store.aget(("m",), "home")
    assert item is not None
    memory.flush()
    assert [each.text for each in memory.messages(user_id="ann")] == [item.value["content"]]


@pytest.mark.parametrize(
    ("op", "error", "problem"),
    [
        (PutOp(("a.b",), "k", {}), InvalidNamespaceError, "periods"),
        (PutOp((), "k", {}), InputError, "namespace is empty"),
        (PutOp(("a",), "k", {"x": "I live in Oslo."}, ttl=5), NotImplementedError, "ttl"),
        (PutOp(("a",), "k", ["x"]), InputError, "of type list"),  # type: ignore[arg-type]
        (PutOp(("a",), "k", {"x": object()}), TypeError, "JSON"),
        (PutOp(("a",), "k", {"x": "a\x00b c"}), InputError, "NUL"),
        (PutOp(("a",), "k", {"x": "y " * 600_000}), InputError, "characters"),
        (SearchOp(("a",), limit=-1), InputError, "negative"),
        (SearchOp(("a",), {"n": {"$regex": "a"}}), InputError, "unknown operator"),
        ("get", TypeError, "unknown operation"),
    ],
)
def test_what_cannot_be_done_is_refused_and_writes_nothing(
    store: MemoryStore, op: Any, error: type[Exception], problem: str
) -> None:
    """Nothing of its batch is written, neither as an item nor in the graph."""
    store.put(("a",), "known", {"n": 1})
    with pytest.raises(error, match=problem):
        store.batch([PutOp(("b",), "k", OSLO), op])
    assert store.list_namespaces() == [("a",)]
    assert len(store.memory.messages(user_id="ann")) == 1


def test_a_comparison_with_no_number_matches_nothing(store: MemoryStore) -> None:
    """Where LangGraph's own store in memory fails."""
    store.put(("a",), "k", {"n": "many"})
    assert not store.search(("a",), filter={"n": {"$gt": 1}})
    assert not store.search(("a",), filter={"m": {"$lt": 1}})


@pytest.mark.anyio
async def test_a_graph_uses_it(store: MemoryStore) -> None:
    """A node of a compiled graph gets it, run either way."""
    needs("langgraph.graph", "langchain")
    from langgraph.graph import MessagesState, StateGraph
    from langgraph.runtime import Runtime

    def remember(state: MessagesState, runtime: Runtime[None]) -> dict[str, Any]:
        assert runtime.store is not None
        known = [each.value["said"] for each in runtime.store.search(("m",), query=state["messages"][-1].text)]
        runtime.store.put(("m",), str(len(known)), {"said": state["messages"][-1].text})
        return {"messages": [("assistant", "; ".join(known))]}

    graph: Any = StateGraph(MessagesState).add_node(remember).set_entry_point("remember").compile(store=store)
    graph.invoke({"messages": [("user", "I live in Oslo.")]})
    state = await graph.ainvoke({"messages": [("user", "Where do I live?")]})
    assert state["messages"][-1].text == "I live in Oslo."


@pytest.mark.neo4j
def test_a_memory_in_neo4j(neo4j_memory: Memory, tmp_path: Path) -> None:
    """Items are kept where the caller says: beside a server there is no place for a file."""
    with pytest.raises(InputError, match="no place for items beside it"):
        MemoryStore(neo4j_memory, ANN)
    store = MemoryStore(neo4j_memory, ANN, items=tmp_path / "items.db", wait=True)
    store.put(("m",), "home", OSLO)
    store.put(("m",), "home", {"content": "I live in Bergen."})
    assert found(store, "Where is home?") == [("home", True)]
    assert [each.text for each in neo4j_memory.facts(user_id="ann")] == ["ann lives in Bergen."]
    store.delete(("m",), "home")
    assert not neo4j_memory.messages(user_id="ann")
    store.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # langmem's own imports
@pytest.mark.skipif(not installed("langmem"), reason="langmem is not installed: `make test-integrations`")
def test_tools_of_langmem(store: MemoryStore) -> None:
    """They store, find, change and delete memories."""
    from langmem import create_manage_memory_tool, create_search_memory_tool

    manage = create_manage_memory_tool(namespace=("memories",), store=store)
    search = create_search_memory_tool(namespace=("memories",), store=store)
    key = manage.invoke({"content": "The user likes jazz."}).split()[-1]
    assert "likes jazz" in search.invoke({"query": "music"})
    manage.invoke({"action": "update", "id": key, "content": "The user likes rock."})
    assert "likes rock" in search.invoke({"query": "music"})
    manage.invoke({"action": "delete", "id": key})
    assert "rock" not in search.invoke({"query": "music"})
