"""The facade, end to end on a real store: what is said becomes facts, and questions find them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.async_memory import AsyncMemory
from mem0g.errors import InputError, NotFoundError, QueryError, ScopeError, StoreError, TimeError, TripleError
from mem0g.extract import NoExtractor
from mem0g.extract.protocol import Window
from mem0g.ingest.report import Report
from mem0g.memory import Memory
from mem0g.model import Fact, Triple
from mem0g.transcripts import read_files
from tests.making import EMBEDDER, triple

U: dict[str, Any] = {"user_id": "demo"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory that extracts by rules."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER) as opened:
        yield opened


def say(memory: Memory, *said: tuple[str, str, str], session: str = "1", **scope: Any) -> Report:
    """Add (day, speaker, words) as messages of one session."""
    messages = [
        {"role": "user", "name": who, "content": words, "timestamp": f"{day}T10:00:00Z", "session": session}
        for day, who, words in said
    ]
    return memory.add(messages, **(scope or U))


def current(memory: Memory, relation: str, **given: Any) -> list[str]:
    """Objects of the current facts of a relation."""
    return [fact.object for fact in memory.facts(relation=relation, **{**U, **given})]


def everything(memory: Memory) -> tuple[Fact, ...]:
    """All facts, retired ones too."""
    return memory.facts(include_retired=True, **U)


def test_a_move(memory: Memory) -> None:
    """The new home is current, the old one retired with its end, linked, and seen again as of then."""
    say(memory, ("2023-01-10", "Ann", "I live in Oslo."), ("2024-04-02", "Ann", "I moved to Lisbon last month."))
    assert current(memory, "lives_in") == ["Lisbon"]
    old = next(fact for fact in everything(memory) if fact.object == "Oslo")
    assert str(old.valid_to) == "2024-03"
    assert current(memory, "lives_in", as_of="2023-06") == ["Oslo"]
    facts, links = memory.history(old.id, **U)
    assert [fact.object for fact in facts] == ["Oslo", "Lisbon"]
    assert [link.fact_id for link in links] == [old.id]
    assert {decision.operation for decision in memory.why(old.id, **U).decisions} == {"ADD", "UPDATE"}


def test_as_of_a_day_is_the_end_of_that_day(memory: Memory) -> None:
    """On the day of the move the new home is seen, on the day before the old one, and no other."""
    made = [
        triple("Ann", "lives_in", "Oslo", valid_from="2020"),
        triple("Ann", "lives_in", "Rome", valid_from="2023-06-08"),
    ]
    memory.add_triples(made, **U)
    assert current(memory, "lives_in", as_of="2023-06-07") == ["Oslo"]
    assert current(memory, "lives_in", as_of="2023-06-08") == ["Rome"]


def test_a_job_change(memory: Memory) -> None:
    """The new employer replaces the old."""
    say(memory, ("2023-01-10", "Ann", "I work at Acme."), ("2024-02-01", "Ann", "I now work at Globex."))
    assert current(memory, "works_at") == ["Globex"]


def test_a_break_up(memory: Memory) -> None:
    """Dating is over; the fact stays as history."""
    say(memory, ("2023-01-10", "Ann", "I'm dating Tom."), ("2023-09-01", "Ann", "I'm not dating Tom any more."))
    assert current(memory, "dating") == []
    assert [fact.object for fact in everything(memory) if fact.relation == "DATING"] == ["Tom"]


def test_a_plan_that_came_true(memory: Memory) -> None:
    """The visit replaces the plan to visit."""
    say(
        memory,
        ("2024-01-10", "Ann", "I'm planning to visit Japan in April."),
        ("2024-05-02", "Ann", "I visited Japan in April."),
    )
    assert current(memory, "plans_to_visit") == []
    assert current(memory, "visited") == ["Japan"]


def test_said_twice_and_again_after_it_ended(memory: Memory) -> None:
    """Twice said is one fact with two evidences; asserted again after it ended, it has a second interval."""
    say(memory, ("2023-01-01", "Ann", "I live in Oslo."), ("2023-02-01", "Ann", "I live in Oslo."))
    (fact,) = everything(memory)
    assert len(fact.evidence) == 2
    say(memory, ("2023-05-01", "Ann", "I live in Rome."), ("2024-01-01", "Ann", "I live in Oslo."))
    assert current(memory, "lives_in") == ["Oslo"]
    assert [each.current for each in everything(memory) if each.object == "Oslo"] == [False, True]


def test_a_later_message_about_an_earlier_time(memory: Memory) -> None:
    """What was long ago does not replace what is."""
    made = [
        triple("Ann", "lives_in", "Lisbon", valid_from="2024-03"),
        triple("Ann", "lives_in", "Boston", valid_from="2015"),
    ]
    memory.add_triples(made, **U)
    assert current(memory, "lives_in") == ["Lisbon"]
    assert current(memory, "lives_in", as_of="2016") == ["Boston"]


def test_two_people_of_one_first_name(memory: Memory) -> None:
    """Anna Berg and Anna Moe stay two nodes."""
    made = [
        triple(name, "lives_in", city, subject_type="person", object_type="city")
        for name, city in (("Anna Berg", "Oslo"), ("Anna Moe", "Rome"))
    ]
    memory.add_triples(made, **U)
    assert current(memory, "lives_in") == ["Oslo", "Rome"]
    assert memory.entity("Anna Berg", **U).id != memory.entity("Anna Moe", **U).id


def test_one_name_for_a_person_and_a_place(memory: Memory) -> None:
    """Paris the person and Paris the city are two nodes."""
    made = [
        triple("Paris", "likes", "tea", subject_type="person"),
        triple("Ann", "visited", "Paris", subject_type="person", object_type="city"),
    ]
    memory.add_triples(made, **U)
    assert sorted(entity.type for entity, _ in memory.entities(**U) if entity.name == "Paris") == ["city", "person"]


def test_an_alias_is_the_same_node(memory: Memory) -> None:
    """What is said of Liv is said of Olivia, and either name finds it; the join is in the log."""
    say(memory, ("2024-01-01", "Olivia", "Everyone calls me Liv."))
    memory.add_triples([triple("Liv", "lives_in", "Oslo", subject_type="person")], **U)
    olivia = memory.entity("Liv", **U)
    assert (olivia.name, olivia.aliases) == ("Olivia", ("Liv",))
    home = memory.facts(relation="lives_in", **U)[0]
    assert home.subject_id == olivia.id
    assert "MERGE" in {decision.operation for decision in memory.why(home.id, **U).decisions}


def test_triples_cite_messages_by_either_id_and_again_change_nothing(memory: Memory) -> None:
    """Evidence is found by the id in the source; the same triples again are known; a retired fact is not revived."""
    memory.add([{"role": "user", "name": "Ann", "content": "Oslo, then Rome.", "id": "D1:1"}], **U)
    made = [triple("Ann", "lives_in", city, evidence=("D1:1",)) for city in ("Oslo", "Rome")]
    assert memory.add_triples(made, **U).facts == 2
    before = everything(memory)
    assert memory.add_triples(made, **U) == Report()
    assert everything(memory) == before
    by_id = [triple("Ann", "likes", "tea", evidence=(memory.messages(**U)[0].id,))]
    assert memory.add_triples(by_id, **U).facts == 1


def test_evidence_that_is_not_there_writes_nothing(memory: Memory) -> None:
    """A triple that cites an unknown message is refused, and those before it too."""
    with pytest.raises(TripleError, match="D9:9"):
        memory.add_triples([triple("Ann", "likes", "tea"), triple("Ann", "likes", "x", evidence=("D9:9",))], **U)
    assert everything(memory) == ()


def test_messages_of_a_program(memory: Memory) -> None:
    """The same words said twice are two messages, in order; a text is the user's; a bad message writes nothing."""
    for _ in range(2):
        memory.add("I live in Oslo.", **U)
    first, second = memory.messages(**U)
    assert (first.position, second.position, first.speaker) == (0, 1, "demo")
    assert first.time is not None
    with pytest.raises(InputError):
        memory.add([{"role": "user", "content": "hi"}, {"role": "ghost", "content": "boo"}], **U)
    assert len(memory.messages(**U)) == 2


@pytest.mark.parametrize("given", [Path("chat.jsonl"), 5, None])
def test_what_is_no_message(memory: Memory, given: Any) -> None:
    """A path or a number raises an error that names it and says what is taken."""
    with pytest.raises(InputError, match="messages are given as") as caught:
        memory.add(given, **U)
    assert "read_files" in str(caught.value.hint)
    with pytest.raises(InputError, match=str(given)):
        list(memory.ingest(given, **U))


@pytest.mark.parametrize("given", [{"role": "user", "content": "I live in Oslo."}, {}])
def test_a_single_message(memory: Memory, given: Any) -> None:
    """A message that is in no list is not taken for a list of its fields."""
    with pytest.raises(InputError, match="given as dict") as caught:
        memory.add(given, **U)
    assert "into a list" in str(caught.value.hint)


@pytest.mark.parametrize("key", ["user_id", "agent_id", "run_id"])
def test_a_message_that_names_another_scope(memory: Memory, key: str) -> None:
    """What is for another user is stored for none: the scope is that of the call."""
    said = {"role": "user", "content": "I live in Oslo."}
    with pytest.raises(ScopeError, match=f"message 2 names {key} 'bea', but is added to user_id=demo"):
        memory.add([said, {**said, key: "bea"}], **U)
    assert not memory.messages(**U)
    assert memory.add([{**said, "user_id": "demo", "run_id": None}], **U).messages == 1


def test_search_and_context_refuse_what_makes_no_sense(memory: Memory) -> None:
    """No scope, no query, no limit, no date: each has its error."""
    with pytest.raises(ScopeError):
        memory.search("Oslo")
    with pytest.raises(QueryError):
        memory.search(" ", **U)
    for limit in (0, -1):
        with pytest.raises(QueryError):
            memory.search("Oslo", limit=limit, **U)
        with pytest.raises(QueryError):
            memory.context("Oslo", tokens=limit, **U)
    with pytest.raises(TimeError):
        memory.search("Oslo", as_of="yesterday", **U)
    with pytest.raises(NotFoundError):
        memory.fact("f_x", **U)
    with pytest.raises(NotFoundError):
        memory.entity("Nobody", **U)
    assert memory.search("Oslo", **U) == []
    assert memory.context("Oslo", **U).text == ""


def test_questions_about_now_see_no_retired_fact(memory: Memory) -> None:
    """By default nothing retired is returned; as of then, and on demand, it is, marked with its interval."""
    say(memory, ("2023-01-10", "Ann", "I live in Oslo."), ("2024-04-02", "Ann", "I moved to Lisbon last month."))
    question = "Where does Ann live?"
    assert all(hit.fact.current for hit in memory.search(question, **U) if hit.fact)
    assert memory.search(question, **U)[0].fact is not None
    then = memory.search(question, as_of="2023-06", **U)[0].fact
    assert then is not None
    assert then.object == "Oslo"
    shown = memory.context(question, include_retired=True, **U).text
    assert "lived in Oslo (until 2024-03)" in shown


def test_a_subgraph(memory: Memory) -> None:
    """The neighbourhood has the entity's edges, with evidence to show."""
    say(memory, ("2023-01-10", "Ann", "I live in Oslo."))
    graph = memory.subgraph("Ann", **U)
    ((_, _, edge),) = graph.edges(data=True)
    assert (edge["relation"], edge["evidence"]) == ("LIVES_IN", ["Ann (2023-01-10 10:00): I live in Oslo."])
    assert graph.graph["root"] == memory.entity("Ann", **U).id


def test_asyncio(tmp_path: Path) -> None:
    """The same memory, awaited, several questions at once."""

    async def talk() -> list[str]:
        async with await AsyncMemory.open(tmp_path / "a.db", embedder=EMBEDDER) as memory:
            await memory.add("I live in Oslo.", user_id="ann")
            answers = await asyncio.gather(*(memory.search("Where does ann live?", user_id="ann") for _ in range(4)))
            return [answer[0].text for answer in answers]

    assert asyncio.run(talk()) == ["ann lives in Oslo."] * 4


def test_a_task_that_iterates_can_be_cancelled(tmp_path: Path) -> None:
    """It is cancelled as any other, and the iteration ends with the step that is running."""
    begun, ended = Event(), Event()
    asked: list[Window] = []

    class Waiting(NoExtractor):
        def extract(self, window: Window) -> tuple[Triple, ...]:
            begun.set()
            assert ended.wait(60)
            asked.append(window)
            return ()

    async def cancelled() -> int:
        async with AsyncMemory.open(tmp_path / "a.db", embedder=EMBEDDER, extractor=Waiting()) as memory:
            said = [{"role": "user", "content": f"Hello {number}."} for number in range(100)]

            async def ingest() -> None:
                async for _ in memory.ingest(said, user_id="ann"):
                    pass

            task = asyncio.create_task(ingest())
            await asyncio.to_thread(begun.wait, 60)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            ended.set()
            while not (stored := (await memory.stats(user_id="ann")).messages):
                await asyncio.sleep(0.01)
            return stored

    assert 0 < asyncio.run(cancelled()) < 100
    assert len(asked) < 5


KEYS = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(["a", "b"]) for name in ("user_id", "agent_id", "run_id")}
).filter(bool)


@given(written=st.lists(KEYS, min_size=1, max_size=4), read=KEYS)
def test_a_scope_sees_its_own_alone(
    tmp_path_factory: pytest.TempPathFactory, written: list[dict[str, Any]], read: dict[str, Any]
) -> None:
    """Whatever is written where, a read returns just what was written with all of its keys, through every door."""
    with Memory.open(tmp_path_factory.mktemp("scopes") / "m.db", embedder=EMBEDDER) as memory:
        for number, scope in enumerate(written):
            memory.add([{"role": "user", "name": f"Ann{number}", "content": f"I live in Town{number}."}], **scope)
        seen = {n for n, scope in enumerate(written) if read.items() <= scope.items()}
        assert {fact.object for fact in memory.facts(**read)} == {f"Town{n}" for n in seen}
        assert {entity.name for entity, _ in memory.entities(**read)} == {
            f"{kind}{n}" for n in seen for kind in ("Ann", "Town")
        }
        found = memory.search("Who lives in Town0, Town1, Town2, Town3?", limit=50, **read)
        assert {hit.text[-2] for hit in found} == {str(n) for n in seen}
        assert memory.stats(**read).messages == len(seen)


def test_an_export_moves_a_user(memory: Memory, tmp_path: Path) -> None:
    """What the scope covers, and nothing else, is in another store afterwards; the whole store only if asked for."""
    memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", user_id="ann", run_id="chat")
    memory.add_fact(subject="Bea", relation="lives_in", object="Rome", user_id="bea")
    lines = list(memory.export(user_id="ann"))
    assert not any("Rome" in line for line in lines)
    with Memory.open(tmp_path / "other.db", embedder=EMBEDDER) as other:
        assert (other.import_lines(lines).facts, other.import_lines(f"{line}\n" for line in lines).facts) == (1, 0)
        assert [hit.text for hit in other.search("Where does Ann live?", user_id="ann")] == ["Ann lives in Oslo."]
        for wrong in (lines[:-1], "\n".join(lines), None):
            with pytest.raises(InputError):
                other.import_lines(wrong)  # type: ignore[arg-type]
    with pytest.raises(ScopeError):
        memory.export()
    assert any("Rome" in line for line in memory.export(all_scopes=True))


def test_an_export_of_an_async_memory(tmp_path: Path) -> None:
    """Its lines come one by one."""

    async def exported() -> list[str]:
        async with AsyncMemory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="none") as opened:
            await opened.add_fact(subject="Ann", relation="lives_in", object="Oslo", user_id="ann")
            lines = [line async for line in opened.export(user_id="ann")]
            await opened.forget(user_id="ann")
            assert (await opened.import_lines(lines)).facts == 1
            return [fact.object for fact in await opened.facts(user_id="ann")]

    assert asyncio.run(exported()) == ["Oslo"]


def test_a_closed_memory_says_so(tmp_path: Path) -> None:
    """Whatever is asked of it, and closing it again does nothing."""
    opened = Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="rules")
    opened.add("I live in Oslo.", **U)
    for _ in range(2):
        opened.close()
    calls = (
        lambda: opened.add("I live in Rome.", **U),
        lambda: opened.search("Where?", **U),
        lambda: opened.facts(**U),
        lambda: opened.forget(**U),
        opened.flush,
    )
    for call in calls:
        with pytest.raises(StoreError, match="closed") as caught:
            call()
        assert "open it again" in str(caught.value.hint)


def test_the_path_of_a_file_is_no_message(tmp_path: Path) -> None:
    """It is refused rather than stored as a message of these words; what the file says is ingested."""
    chat = tmp_path / "chat.txt"
    chat.write_text("Ann: I live in Oslo.\nBen: Nice.\n", encoding="utf-8")
    with Memory.open(tmp_path / "m.db", embedder=EMBEDDER) as memory:
        with pytest.raises(InputError, match=r"chat\.txt.* is a file"):
            memory.ingest(str(chat), user_id="ann")
        reports = [*memory.ingest(read_files([chat]).utterances, user_id="ann")]
        assert sum(report.messages for report in reports) == 2
        assert sum(report.messages for report in memory.ingest("I like tea.\n" * 2, user_id="bo")) == 1
