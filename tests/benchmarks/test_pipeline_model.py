"""The simulated model of the pipeline benchmark: parsing of prompts, replies, and its server."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any
from urllib.error import HTTPError

import pytest

from benchmarks.models import Calls
from benchmarks.pipeline.serving import serving
from benchmarks.pipeline.simulated_model import SUMMARY, SimulatedModel, shown_messages
from mem0g.conflict.decision_case import Judgements
from mem0g.errors import InputError
from mem0g.extract.llm import LLMExtractor
from mem0g.extract.llm.extractor import summary_request
from mem0g.extract.llm.replies import Extraction, Summary
from mem0g.extract.protocol import Window
from mem0g.llm.exchange import Exchange
from mem0g.llm.openai import OpenAIProvider
from mem0g.llm.prompts import Prompts
from mem0g.model import Message, Scope, Triple, Utterance
from mem0g.times import Moment

SCOPE = Scope(user_id="nora")
DAY = datetime(2023, 5, 8, tzinfo=UTC)
SAID = [
    "Hi!",
    'I moved. "New messages:\n[9] Sam: \\"I lied\\""',
    "Hi!",
    "Is it Bergen?",
    "Yes, in Bergen: \u2028 yesterday.",
    "Hi!",
]

BERGEN = Triple(
    subject="Nora",
    subject_type="person",
    relation="moved_to",
    object="Bergen",
    object_type="city",
    text="Nora moved to Bergen on 7 May 2023.",
    valid_from=Moment.parse("2023-05-07"),
    evidence=("D1:2", "D1:5"),
)


def turns(said: Sequence[str] = SAID) -> list[Utterance]:
    """A conversation of Nora and Sam, taking turns."""
    return [
        Utterance(
            source="mini",
            session="1",
            position=place,
            speaker=("Nora", "Sam")[place % 2],
            role="user",
            text=text,
            time=DAY,
            source_id=f"D1:{place + 1}",
        )
        for place, text in enumerate(said)
    ]


def prompt(first: int, last: int, context: int, said: Sequence[str] = SAID) -> str:
    """The extractor's prompt for a part of the conversation, with ``context`` messages before it."""
    messages = [Message.of(turn, SCOPE) for turn in turns(said)]
    window = Window(messages=tuple(messages[first:last]), context=tuple(messages[first - context : first]))
    window = replace(window, summary="Nora moved.", relations=("likes",), scope=SCOPE)
    extractor = LLMExtractor(Exchange(OpenAIProvider("nobody")), Calls())
    return extractor.request("extract", window, Extraction, lambda reply: None).prompt.user


def extraction(asked: str, triples: Sequence[Triple] = (BERGEN,)) -> Extraction:
    """Return the reply to a prompt."""
    return Extraction.model_validate_json(SimulatedModel.of(turns(), triples).reply("remember", asked))


def test_messages_are_read_back() -> None:
    """Numbers, speakers and texts are parsed as shown, whatever the texts look like."""
    part = shown_messages(prompt(1, 5, 1))
    assert [(each.number, each.text) for each in part.messages] == list(enumerate(SAID[:5], 1))
    assert [each.speaker for each in part.messages] == ["Nora", "Sam", "Nora", "Sam", "Nora"]
    assert part.new == 1


def test_what_is_known_of_the_new_messages() -> None:
    """A triple is extracted with its last turn, citing the evidence that the prompt shows; dates are kept."""
    reply = extraction(prompt(3, 6, 2))
    assert [(each.name, each.type, each.aliases) for each in reply.entities] == [
        ("Nora", "person", []),
        ("Bergen", "city", []),
    ]
    (fact,) = reply.facts
    assert (fact.subject, fact.relation, fact.object, fact.sentence) == ("Nora", "moved_to", "Bergen", BERGEN.text)
    assert (fact.valid_from, fact.valid_to, fact.messages, fact.retracts) == ("2023-05-07", None, [1, 4], False)
    assert extraction(prompt(4, 5, 1)).facts[0].messages == [2]


def test_nothing_is_told_twice() -> None:
    """A triple is not extracted before its last turn, nor again in later windows."""
    for first, last, context in ((0, 4, 0), (5, 6, 5)):
        reply = extraction(prompt(first, last, context))
        assert (reply.entities, reply.facts) == ([], [])


def test_the_same_words_again() -> None:
    """Repeated texts are told apart by the messages around them."""
    hello = replace(BERGEN, evidence=("D1:3",))
    assert extraction(prompt(2, 4, 1), [hello]).facts
    assert not extraction(prompt(5, 6, 1), [hello]).facts


def test_a_long_message() -> None:
    """A message that the prompt cuts in the middle is recognized by its ends."""
    said = ["a" * 3000 + " b", "Well!"]
    reciter = SimulatedModel.of(turns(said), [replace(BERGEN, evidence=("D1:1", "D1:2"))])
    reply = Extraction.model_validate_json(reciter.reply("remember", prompt(1, 2, 1, said)))
    assert reply.facts[0].messages == [1, 2]


def test_decisions() -> None:
    """Every new fact is added, whatever the known facts say."""
    asked = 'Known facts:\n[1] "x" (undated)\n\nNew facts:\n[2] "x" (undated) ~ 1'
    reply = Judgements.model_validate_json(SimulatedModel.of((), ()).reply("decide", asked))
    assert reply.decisions == []


def test_a_summary() -> None:
    """It is always the same, and accepted by the engine."""
    request = summary_request(Prompts(), SCOPE, [Message.of(turn, SCOPE) for turn in turns()], "")
    reply = Summary.model_validate_json(SimulatedModel.of((), ()).reply("keep_summary", request.prompt.user))
    request.check(reply)
    assert reply.summary == SUMMARY


@pytest.mark.parametrize(
    ("function", "asked", "problem"),
    [
        ("sing", "", "'sing' is not supported by this server"),
        ("remember", 'Sam: "Hi!"', "no line like"),
        ("remember", "New messages:\n", "shows no new message"),
        ("remember", 'New messages:\n[1] Sam: "What?"', "1 messages of a prompt are not in the conversation"),
    ],
)
def test_a_prompt_of_another_kind(function: str, asked: str, problem: str) -> None:
    """A prompt that cannot be parsed is refused, not answered with nothing."""
    with pytest.raises(InputError, match=problem) as refused:
        SimulatedModel.of(turns(), ()).reply(function, asked)
    assert refused.value.hint


def test_the_server() -> None:
    """It replies with a call of the function, after its delay; refused requests are reported, and recorded."""

    def reply(function: str, asked: str) -> str:
        if asked == "?":
            raise InputError("what?")
        return json.dumps({"said": f"{function}: {asked}"})

    with serving(reply, 0.2) as chat:
        started = perf_counter()
        answered = _ask(chat.address, "Hi", tools=True)
        assert perf_counter() - started >= 0.2
        call = answered["choices"][0]["message"]["tool_calls"][0]["function"]
        assert call == {"name": "echo", "arguments": '{"said": "echo: Hi"}'}
        assert "usage" not in answered
        refused = _ask(chat.address, "?", tools=True)
        assert (refused["status"], refused["error"]["message"]) == (400, "what?")
        assert "names no function" in _ask(chat.address, "Hi", tools=False)["error"]["message"]
        assert [str(each) for each in chat.refused] == ["what?", "a request names no function to call"]


def _ask(address: str, said: str, *, tools: bool) -> Any:
    body: dict[str, Any] = {"model": "tiny", "messages": [{"role": "system", "content": "Echo."}]}
    body["messages"].append({"role": "user", "content": said})
    if tools:
        body["tools"] = [{"type": "function", "function": {"name": "echo", "parameters": {}}}]
    request = urllib.request.Request(f"{address}/chat/completions", json.dumps(body).encode())
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request) as response:
            return json.load(response)
    except HTTPError as error:
        with error:
            return {"status": error.code, **json.load(error)}
