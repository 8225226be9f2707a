"""What an assistant gets from the tools, with the SDK's own client."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from mcp.shared.exceptions import MCPError

from mem0g import LLMSettings, Memory, Scope
from tests.llm.server import call, serving
from tests.mcp.conftest import ToolRefused, called, connected

pytestmark = pytest.mark.anyio

OSLO = "I moved to Oslo in May 2024 and adopted a dog called Rex."


@pytest.mark.parametrize(
    ("memory", "mode"),
    [("sqlite", "auto"), ("sqlite", "legacy"), pytest.param("neo4j", "auto", marks=pytest.mark.neo4j)],
    indirect=["memory"],
)
async def test_what_is_remembered_is_recalled(memory: Memory, mode: str) -> None:
    """In both modes of the protocol; the answer names the scope and the ids of its facts."""
    async with connected(memory, mode=mode) as client:
        stored = await called(client, "remember", text=OSLO)
        found = await called(client, "recall", query="Where does ann live?")
    (home,) = memory.facts(relation="lives_in", user_id="ann")
    assert f"added {home.id}: ann moved to Oslo in May 2024." in stored
    assert found.startswith("Memory of user_id=ann:")
    assert "Oslo" in found
    assert home.id in found


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_facts_of_the_assistant_need_no_extractor(memory: Memory) -> None:
    """Its triples are stored with the user's words as evidence; the words are not extracted a second time."""
    bo = {"subject": "ann", "relation": "has_brother", "object": "Bo", "text": "Bo is ann's brother."}
    age = {"subject": "Bo", "relation": "has_age", "object": "42", "value": True, "valid_from": "2024"}
    async with connected(memory) as client:
        await called(client, "remember", text=f"{OSLO} Bo, my brother, is 42.", facts=[bo, age])
        (brother, years) = memory.facts(user_id="ann")
        reason = await called(client, "why", fact=brother.id)
    assert (brother.text, brother.relation) == ("Bo is ann's brother.", "HAS_BROTHER")
    assert (years.object, years.object_is_literal, str(years.valid_from)) == ("42", True, "2024")
    assert "said by ann" in reason
    assert "Bo, my brother, is 42." in reason


@pytest.mark.parametrize("memory", ["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)], indirect=True)
async def test_the_assistant_calls_the_user_i(memory: Memory) -> None:
    """Or "user", as assistants do: it is the user of the scope, of whom a later home retires an earlier one."""
    memory.add("I live in Oslo.", user_id="ann")
    rome = {"subject": "user", "relation": "lives_in", "object": "Rome", "text": "The user lives in Rome."}
    async with connected(memory) as client:
        assert "added" in await called(
            client, "remember", facts=[{"subject": "I", "relation": "likes", "object": "tea"}]
        )
        stored = await called(client, "remember", facts=[rome])
        listed = await called(client, "entity", name="me")
        with pytest.raises(ToolRefused, match="'they' is a pronoun"):
            await called(client, "remember", text="x", facts=[rome, rome | {"subject": "they"}])
    assert "ann lives in Rome. (instead of: ann lives in Oslo.)" in stored
    assert [line.split(": ")[1] for line in listed.splitlines()[1:]] == ["ann likes tea.", "ann lives in Rome."]
    assert memory.stats(user_id="ann").messages == 1


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_facts_of_one_sentence_stand_in_one_line(memory: Memory) -> None:
    """With the id of each, and what tells it from the other."""
    told = {"subject": "Jonas", "text": "Jonas works as a baker at Lindt."}
    job, place = told | {"relation": "works_as", "object": "baker"}, told | {"relation": "works_at", "object": "Lindt"}
    async with connected(memory, Scope("ann")) as client:
        await called(client, "remember", facts=[job, place])
        listed = await called(client, "entity", name="Jonas")
    one, other = memory.facts(user_id="ann")
    assert listed.splitlines()[1:] == [f"{one.id} works_as baker; {other.id} works_at Lindt: {told['text']}"]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_a_scope_without_a_user_has_no_i(memory: Memory) -> None:
    """The hint says what to give instead."""
    async with connected(memory, Scope(agent_id="bot")) as client:
        with pytest.raises(ToolRefused, match="'I' is the user, and none is given"):
            await called(client, "remember", facts=[{"subject": "I", "relation": "likes", "object": "tea"}])
        with pytest.raises(ToolRefused, match="no entity 'I'"):
            await called(client, "entity", name="I")


@pytest.mark.parametrize("memory", ["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)], indirect=True)
async def test_what_may_be_outdated_is_for_the_assistant_to_end(memory: Memory) -> None:
    """Rules do not know that a service is deployed in one place; the assistant is told, and knows."""
    fact = {"subject": "Atlas", "relation": "deployed_on", "object": "Fly.io", "text": "Atlas is deployed on Fly.io."}
    later = fact | {"object": "AWS", "text": "Atlas is deployed on AWS."}
    async with connected(memory) as client:
        assert "outdated" not in await called(client, "remember", facts=[fact])
        asked = await called(client, "remember", facts=[later])
        old = memory.facts(user_id="ann")[0]
        assert f"Possibly outdated; call forget for what is no longer true:\n{old.id}: {old.text}" in asked
        await called(client, "forget", fact=old.id)
        assert "Fly.io" not in await called(client, "entity", name="Atlas")


async def test_what_is_no_longer_true_is_retired(memory: Memory) -> None:
    """A triple can say so; the fact stays as history."""
    fact = {"subject": "ann", "relation": "works_at", "object": "Acme"}
    async with connected(memory) as client:
        await called(client, "remember", facts=[fact])
        ended = await called(client, "remember", facts=[{**fact, "no_longer": True}])
        now = await called(client, "entity", name="Acme")
        ever = await called(client, "entity", name="Acme", include_retired=True)
    assert "retired f_" in ended
    assert "works at Acme" not in now
    assert "works at Acme" in ever


@pytest.mark.parametrize("memory", ["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)], indirect=True)
async def test_a_state_that_has_ended_is_not_current(memory: Memory) -> None:
    """It is retired from the start, also where the relation may have several objects; an event of the past stays."""
    ends = {"valid_from": "2010", "valid_to": "2015"}
    car = {"subject": "Bo", "relation": "owns", "object": "car", **ends}
    trip = {"subject": "Bo", "relation": "visited", "object": "Porto", "text": "Bo visited Porto.", **ends}
    async with connected(memory) as client:
        await called(client, "remember", facts=[car, trip])
        await called(client, "remember", text="Bo had a boat.", facts=[car | {"object": "boat"}])
    assert [each.object for each in memory.facts(user_id="ann")] == ["Porto"]
    found = memory.facts(user_id="ann", relation="owns", as_of="2012")
    assert {each.object for each in found} == {"car", "boat"}


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_a_state_that_begins_later_is_planned(memory: Memory) -> None:
    """A home from a day that lies ahead is a plan for it, and the home of today stays."""
    home = {"subject": "I", "relation": "lives_in", "object": "Oslo"}
    async with connected(memory) as client:
        await called(client, "remember", text="I live in Oslo.", facts=[home])
        later = home | {"object": "Rome", "valid_from": "2199-03", "valid_to": "2199-06"}
        stored = await called(client, "remember", text="I'll be in Rome in spring.", facts=[later])
        assert "outdated" not in stored
        assert "2199" in await called(client, "recall", query="Where does Ann live?")
    oslo, rome = memory.facts(user_id="ann")
    assert (oslo.object, oslo.current, rome.object) == ("Oslo", True, "Rome")
    assert (rome.valid_from, str(rome.planned_for), str(rome.valid_to)) == (None, "2199-03", "2199-06")


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_a_triple_without_a_sentence_gets_one(memory: Memory) -> None:
    """It is the one that a fact added by hand gets, however the relation is written."""
    fact = {"subject": "Bo", "relation": "LIVES_IN", "object": "  Oslo "}
    async with connected(memory) as client:
        await called(client, "remember", facts=[fact, fact | {"subject": "Ed", "relation": "livesIn"}])
    assert {each.text for each in memory.facts(user_id="ann")} == {"Bo lives in Oslo.", "Ed lives in Oslo."}


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_an_entity_is_listed_page_by_page(memory: Memory) -> None:
    """The last line says where the next page starts."""
    likes = [{"subject": "ann", "relation": "likes", "object": f"Band {n}"} for n in range(5)]
    async with connected(memory) as client:
        await called(client, "remember", facts=likes)
        first = await called(client, "entity", name="ann", limit=3)
        second = await called(client, "entity", name="ann", limit=3, offset=3)
    assert first.endswith("More with offset=3.")
    assert "Band 4" in second
    assert "More" not in second


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_a_fact_that_ends_before_it_begins_is_refused(memory: Memory) -> None:
    """The assistant reads both times, and no message is kept either."""
    fact = {"subject": "ann", "relation": "lives_in", "object": "Oslo", "valid_from": "2025", "valid_to": "2020"}
    async with connected(memory) as client:
        with pytest.raises(ToolRefused, match="2020, is before its beginning, 2025"):
            await called(client, "remember", text="I lived in Oslo.", facts=[fact])
    assert (memory.messages(user_id="ann"), memory.facts(user_id="ann")) == ((), ())


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_a_misspelt_entity_gets_a_suggestion(memory: Memory) -> None:
    """Names that contain it, or are spelt alike."""
    async with connected(memory) as client:
        await called(client, "remember", facts=[{"subject": "Tom 🚲", "relation": "likes", "object": "cycling"}])
        with pytest.raises(ToolRefused, match=r"no entity 'Tom'.*did you mean 'Tom 🚲'"):
            await called(client, "entity", name="Tom")
        with pytest.raises(ToolRefused, match="did you mean 'cycling'"):
            await called(client, "entity", name="cyclin")
        with pytest.raises(ToolRefused, match="recall searches by meaning"):
            await called(client, "entity", name="Zebulon")


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_correct_and_forget(memory: Memory) -> None:
    """A correction replaces; forgetting keeps history, and erasing removes fact and message for good."""
    async with connected(memory) as client:
        await called(client, "remember", text="I live in Oslo.")
        (old,) = memory.facts(relation="lives_in", user_id="ann")
        corrected = await called(client, "correct", fact=old.id, text="I live in Bergen.")
        (new,) = memory.facts(relation="lives_in", user_id="ann")
        ended = await called(client, "forget", fact=new.id)
        erased = await called(client, "forget", fact=new.id, erase=True)
        await called(client, "forget", fact=new.evidence[0], erase=True)
        left = await called(client, "recall", query="Where does ann live?")
    assert f"updated {new.id}" in corrected
    assert "instead of" in corrected
    assert "No longer true" in ended
    assert "1 facts" in erased
    assert f"stay until they are erased, too: {new.evidence[0]}" in erased
    assert not memory.messages(user_id="ann")
    assert "Nothing is known" in left


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_of_many_messages_that_stay_ten_are_named(memory: Memory) -> None:
    """The answer says how many more there are."""
    memory.add([{"role": "user", "content": f"I visited Oslo in {2000 + n}."} for n in range(12)], user_id="ann")
    oslo = memory.entity("Oslo", user_id="ann")
    async with connected(memory) as client:
        erased = await called(client, "forget", fact=oslo.id, erase=True)
    assert erased.count("m_") == 10
    assert erased.endswith(", and 2 more.")


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_an_empty_scope_is_not_a_memory_that_knows_nothing(memory: Memory) -> None:
    """The model is told which scope was read, and whether anything was ever stored there."""
    memory.add("I live in Oslo.", user_id="ann")
    async with connected(memory, Scope(user_id="bob")) as client:
        assert "memory of user_id=bob, which is empty" in await called(client, "recall", query="Where do I live?")


async def test_a_recall_can_be_checked(memory: Memory) -> None:
    """With a language model it says what the facts do not tell, below them; without one the argument is refused."""
    memory.add("I live in Oslo.", user_id="ann")
    asked = {"query": "Why does ann live in Oslo?", "check": True}
    async with connected(memory) as client:
        with pytest.raises(ToolRefused, match="a check of the context needs a language model"):
            await called(client, "recall", **asked)
        reply = call({"found": "", "missing": "why she lives there", "known": False}, "check")
        with serving([reply]) as server:
            llm = LLMSettings(model="tiny", base_url=server.base_url)
            memory.settings = replace(memory.settings, llm=llm)
            found = await called(client, "recall", **asked)
    assert "Oslo" in found
    assert "\nNot known: why she lives there\n" in found
    assert [(each.purpose, each.calls) for each in memory.costs(user_id="ann")] == [("check", 1)]


async def test_no_argument_reaches_another_scope(memory: Memory) -> None:
    """Unknown arguments are refused with the known ones, and ids of another scope are unknown."""
    memory.add("I live in Oslo.", user_id="ann")
    (secret,) = memory.facts(user_id="ann")
    async with connected(memory, Scope(user_id="bob")) as client:
        with pytest.raises(ToolRefused, match="recall has no argument 'user_id'; it takes query, tokens, as_of, check"):
            await called(client, "recall", query="Where does ann live?", user_id="ann")
        for tool in ("why", "forget"):
            with pytest.raises(ToolRefused, match="no fact"):
                await called(client, tool, fact=secret.id)
        with pytest.raises(ToolRefused, match="no fact"):
            await called(client, "correct", fact=secret.id, text="I live in Bergen.")
        with pytest.raises(ToolRefused, match=r"nothing has|no fact|no message|not found|nothing"):
            await called(client, "forget", fact=secret.evidence[0], erase=True)
        with pytest.raises(MCPError, match="no entity"):
            await client.read_resource("mem0g://entity/ann")
    assert memory.facts(user_id="ann") == (secret,)


BAD_ARGUMENTS: list[tuple[str, dict[str, object], str]] = [
    ("recall", {"query": ""}, "empty"),
    ("recall", {"query": "  "}, "empty"),
    ("recall", {}, "query: Field required"),
    ("recall", {"query": "x", "tokens": 10**9}, "tokens: "),
    ("recall", {"query": "x", "as_of": "soon"}, "cannot read the time 'soon'"),
    ("remember", {}, "nothing to remember"),
    ("remember", {"text": " ", "facts": []}, "nothing to remember"),
    ("remember", {"text": "x" * 1_000_001}, "1,000,001 characters"),
    ("remember", {"facts": [{"subject": "a", "relation": "?", "object": "b"}]}, "no letter"),
    ("remember", {"facts": [{"subject": " ", "relation": "is", "object": "b"}]}, "subject is empty"),
    ("remember", {"facts": [{"subject": "a", "relation": "is", "object": "b", "scope": "c"}]}, "facts.0.scope"),
    ("remember", {"text": "x", "facts": [{"subject": "a"}]}, "facts.0.relation"),
    ("remember", {"facts": [{"subject": "a", "relation": "b", "object": "c", "valid_from": "soon"}]}, "soon"),
    ("remember", {"facts": [{"subject": "a", "relation": "b", "object": "c"}] * 101}, "facts: "),
    ("why", {"fact": "f_nothing"}, "no fact 'f_nothing'"),
    ("why", {"fact": "f_"}, "no fact"),
    ("forget", {"fact": "../../etc"}, "no fact"),
    ("entity", {"name": "ann", "limit": 0}, "limit: "),
]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_bad_arguments_are_one_line_and_write_nothing(memory: Memory) -> None:
    """Without a web address, a traceback or the name of a class."""
    async with connected(memory) as client:
        for tool, arguments, problem in BAD_ARGUMENTS:
            with pytest.raises(ToolRefused) as refused:
                await called(client, tool, **arguments)
            said = str(refused.value)
            assert problem in said
            assert "\n" not in said
            assert not any(each in said for each in ("http", "Traceback", "Error")), said
    assert not memory.stats(user_id="ann").messages


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_resources_and_prompt(memory: Memory) -> None:
    """The same as JSON, for clients that attach resources, and a prompt with the memory in it."""
    memory.add("I live in Oslo.", user_id="ann")
    (home,) = memory.facts(user_id="ann")
    async with connected(memory) as client:
        read = [
            json.loads((await client.read_resource(uri)).contents[0].text)  # type: ignore[union-attr]
            for uri in ("mem0g://stats", "mem0g://entity/Oslo", f"mem0g://fact/{home.id}")
        ]
        (message,) = (await client.get_prompt("recall", {"question": "Where do I live?"})).messages
        with pytest.raises(MCPError, match="no fact"):
            await client.read_resource("mem0g://fact/f_0000")
    stats, entity, fact = read
    assert (stats["scope"], stats["facts"]) == ({"user_id": "ann"}, 1)
    assert (entity["name"], entity["facts"][0]["id"]) == ("Oslo", home.id)
    assert fact["evidence"][0]["text"] == "I live in Oslo."
    assert "Oslo" in message.content.text  # type: ignore[union-attr]


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_the_tools_are_six_and_short(memory: Memory) -> None:
    """All descriptions and schemas together take at most 1,500 tokens, by the default embedder's tokenizer."""
    async with connected(memory) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["recall", "entity", "why", "remember", "correct", "forget"]
    listed = json.dumps([tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools])
    assert tokens(listed) <= 1500
    assert all(tool.input_schema["additionalProperties"] is False for tool in tools)
    assert [tool.annotations.read_only_hint for tool in tools if tool.annotations] == [True] * 3 + [False] * 3


def tokens(text: str) -> int:
    """Word pieces of a text."""
    from tokenizers import Tokenizer

    from mem0g.embed.weights import Weights

    tokenizer = Tokenizer.from_file(str(Weights().obtain() / "tokenizer.json"))
    tokenizer.no_truncation()
    return len(tokenizer.encode(text).ids)


@pytest.mark.parametrize("memory", ["sqlite"], indirect=True)
async def test_read_only_offers_no_tool_that_writes(memory: Memory) -> None:
    """Nor can one be called by its name."""
    async with connected(memory, read_only=True) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["recall", "entity", "why"]
        with pytest.raises(Exception, match="remember"):
            await called(client, "remember", text="I live in Oslo.")
    assert not memory.stats(user_id="ann").messages
