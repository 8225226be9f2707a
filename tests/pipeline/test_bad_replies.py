"""Invalid replies are repaired once, then their window is quarantined with them; nothing is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from mem0g.ingest.report import Report
from mem0g.model import Scope
from tests.llm.server import Reply, Server, call, calls, content, declined
from tests.pipeline.scripted import Model, Prompt, decided, entities, facts, good
from tests.pipeline.telling import ANN, Place, current, leftovers, likes, opened, sentence, states, summed, talk, texts
from tests.store.ingested import ingest_result

SAID = [("2024-01-01", "Ann", "Ann lives in Oslo."), ("2024-02-01", "Ann", "Ann lives in Rome.")]
Bad = Callable[[Prompt], Any]


def said(reply: Reply) -> Bad:
    """Return a script that replies this to every request."""
    return lambda prompt: reply


def with_fact(**changed: Any) -> Bad:
    """A good reply with a part of its first fact replaced."""

    def reply(prompt: Prompt) -> Any:
        first, *rest = facts(prompt)
        return {"entities": entities(prompt), "facts": [first | changed, *rest]}

    return reply


def with_entity(**given: Any) -> Bad:
    """A good reply with one more entity."""
    more = {"name": "Zoe", "type": "person", "aliases": [], **given}
    return lambda prompt: {"entities": [*entities(prompt), more], "facts": facts(prompt)}


def without(part: str) -> Bad:
    """A good reply with a part of its first fact removed."""
    return lambda prompt: {
        "entities": entities(prompt),
        "facts": [{name: value for name, value in facts(prompt)[0].items() if name != part}],
    }


BAD: dict[str, tuple[Bad, str]] = {
    "refusal": (said(declined("I will not read this")), "it declined: I will not read this"),
    "empty": (said(content("")), "an empty reply"),
    "nothing": (said(content(None)), "an empty reply"),
    "prose": (said(content("What a nice talk!")), "text instead of a call of remember"),
    "broken JSON": (said(call('{"entities": [', name="remember")), "broken JSON"),
    "filtered": (said(content("", finish="content_filter")), "content filter"),
    "another function": (said(call({}, name="forget_all")), "a call of 'forget_all' instead of 'remember'"),
    "two calls": (said(calls(("remember", {}), ("remember", {}))), "2 calls where one was asked"),
    "a list": (lambda prompt: [good(prompt)], "the reply: "),
    "wrong type": (with_fact(retracts="no"), r"facts\[0\].retracts: "),
    "extra field": (with_fact(mood="happy"), r"facts\[0\].mood is no field"),
    "missing field": (without("sentence"), r"facts\[0\].sentence is missing"),
    "unknown message": (with_fact(messages=[7]), "there is no message 7"),
    "message zero": (with_fact(messages=[0, 2]), "there is no message 0"),
    "no message": (with_fact(messages=[]), r"it names no new message \(2 to 2\)"),
    "context alone": (with_fact(messages=[1]), r"it names no new message \(2 to 2\)"),
    "unknown entity": (with_fact(object="Atlantis"), "the object 'Atlantis' is not among the entities"),
    "literal subject": (with_fact(subject="six years"), "the subject 'six years' is not among the entities"),
    "observed in the future": (
        with_fact(observed="2024-01-09"),
        "observed 2024-01-09 is after the messages, of 2024-01-02",
    ),
    "unreadable observed": (with_fact(observed="today"), "cannot read the time 'today'"),
    "planned for the past": (with_fact(planned_for="2023"), "planned_for 2023 is before the messages"),
    "planned and happened": (with_fact(valid_from="2024-02", planned_for="2024-02"), "a plan has not happened yet"),
    "unreadable plan": (with_fact(planned_for="next spring"), "cannot read the time 'next spring'"),
    "endless brief": (with_fact(brief="x" * 6000), "the brief has 6000 characters"),
    "no relation": (with_fact(relation="!?"), "has no letter and no digit"),
    "no sentence": (with_fact(sentence="  "), "text is empty"),
    "NUL": (with_fact(sentence="a\0b"), "NUL byte"),
    "unreadable date": (with_fact(valid_from="last May"), "cannot read the time 'last May'"),
    "end before beginning": (with_fact(valid_from="2020", valid_to="2019"), "valid_to 2019 is before"),
    "nameless entity": (with_entity(name=" "), "has no name"),
    "endless name": (with_entity(name="Z" * 2000, aliases=["Person1"]), "2000 characters"),
    "NUL in a name": (with_entity(name="Z\0", aliases=["Person1"]), "NUL byte"),
}
"""How a reply to the window of the second message is bad, and what is said about it."""

QUARANTINED = (
    "refusal",
    "empty",
    "nothing",
    "broken JSON",
    "another function",
    "two calls",
    "a list",
    "unknown entity",
)
"""Those whose replies are of different forms; `test_repair` shows that all are found to be bad."""


@pytest.mark.parametrize("kind", QUARANTINED)
def test_quarantine(file: Place, server: Server, model: Model, kind: str) -> None:
    """After two invalid replies the window is quarantined with the raw reply; others go on; a retry completes it."""
    bad, problem = BAD[kind]
    model.says(bad, "extract", 2, 3)
    with opened(file, server, window=1, concurrency=1) as memory:
        report = summed(list(memory.ingest(likes(3), **ANN)))
        assert report == Report(messages=3, triples=2, facts=2, entities=4, quarantined=1)
        assert current(memory) == [sentence(0), sentence(2)]
        assert texts(memory) == [sentence(n) for n in range(3)]
        assert memory.search(sentence(1), **ANN)[0].text == sentence(1)
        (window,) = memory.pending(**ANN)
        assert window.state == "quarantined"
        assert memory.stats(**ANN).windows == 1
        assert re.search(problem, window.problem), window.problem
        assert window.reply == raw(bad, model.prompts("extract")[2])
        assert summed(list(memory.ingest(likes(3), **ANN))) == Report(known=3), "it is not tried again by the way"
        assert model.count() == 4
        assert summed(list(memory.retry(all_scopes=True))).facts == 1
        assert sorted(current(memory)) == [sentence(n) for n in range(3)]
        assert leftovers(memory) == (0, 0)


def raw(bad: Bad, prompt: Prompt) -> str:
    """Return the reply as sent."""
    reply = bad(prompt)
    if not isinstance(reply, Reply):
        return json.dumps(reply)
    message = json.loads(reply.body)["choices"][0]["message"]
    made = [each["function"] for each in message.get("tool_calls", ())]
    if len(made) > 1:
        return "\n".join(f"{each['name']}({each['arguments']})" for each in made)
    return made[0]["arguments"] if made else message["content"] or message.get("refusal") or ""


@pytest.mark.parametrize("slip", [{"literal": True}, {"object": "The thing1"}])
def test_slips_are_mended(file: Place, server: Server, model: Model, slip: dict[str, Any]) -> None:
    """What can mean one thing only costs no second call."""
    model.says(with_fact(**slip), "extract", 2)
    with opened(file, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(likes(3), **ANN))).facts == 3
        (cost,) = memory.costs(all_scopes=True)
        assert (cost.calls, cost.bad) == (3, 0)
        assert "thing1" in {each.object for each in memory.facts(**ANN)}


@pytest.mark.parametrize("kind", BAD)
def test_repair(file: Place, server: Server, model: Model, kind: str) -> None:
    """After an invalid reply the model is told the problem, and its second reply counts."""
    bad, problem = BAD[kind]
    model.says(bad, "extract", 2)
    with opened(file, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(likes(2), **ANN))).facts == 2
        assert leftovers(memory) == (0, 0)
        (cost,) = memory.costs(all_scopes=True)
        assert (cost.calls, cost.bad) == (3, 1)
    _, said = server.requests[2].texts[-1]
    assert re.search(problem, said)


def test_a_code_fence_is_no_harm(file: Place, server: Server, model: Model) -> None:
    """JSON in a code fence instead of a function call is accepted."""

    def fenced(prompt: Prompt) -> Reply:
        return content(f"Here it is:\n```json\n{json.dumps(good(prompt))}\n```")

    model.says(fenced, "extract", 2)
    with opened(file, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(likes(3), **ANN))).facts == 3
    assert model.count() == 3


def test_bad_again(file: Place, server: Server, model: Model) -> None:
    """A retry with another invalid reply leaves the window quarantined, with the latest reply, and goes on."""
    model.says(said(content("No.")), "extract", 2, 3, 5)
    model.says(said(content("Never.")), "extract", 6)
    with opened(file, server, window=1, concurrency=1) as memory:
        list(memory.ingest(likes(3), **ANN))
        assert summed(list(memory.retry(all_scopes=True))) == Report(quarantined=1)
        (window,) = memory.pending(all_scopes=True)
        assert window.reply == "Never."
        assert summed(list(memory.retry(all_scopes=True))).facts == 1


@pytest.mark.parametrize("stage", ["entities", "relations"])
def test_two_stages(file: Place, server: Server, model: Model, stage: str) -> None:
    """Either stage may be invalid; valid replies of the first stage are not asked for again."""
    model.says(said(content("Hm.")), stage, 2, 3)
    with opened(file, server, "llm-two-stage", window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(likes(3), **ANN))).quarantined == 1
        asked = model.count("entities")
        list(memory.retry(all_scopes=True))
        assert model.count("entities") - asked == (1 if stage == "entities" else 0)
        assert len(current(memory)) == 3
        assert leftovers(memory) == (0, 0)


def judging(*made: dict[str, Any]) -> Bad:
    """Return a script that replies with these decisions."""
    return lambda prompt: {"decisions": list(made)}


BAD_DECISIONS: dict[str, tuple[Bad, str]] = {
    "a known fact's": (judging(decided(1, "DELETE", 1)), "there is no new fact 1"),
    "one too many": (judging(decided(2, "NOOP", 1), decided(3, "NOOP", 1)), "there is no new fact 3"),
    "two": (judging(decided(2, "NOOP", 1), decided(2, "NOOP", 1)), "new fact 2 can have one of NOOP and UPDATE only"),
    "not shown": (judging(decided(2, "DELETE", 9)), "no fact 9 was shown"),
    "itself": (judging(decided(2, "DELETE", 2)), "no fact 2 was shown"),
    "deletes nothing": (judging(decided(2, "DELETE")), "DELETE names at least one fact"),
    "says the same as nothing": (judging(decided(2, "NOOP")), "NOOP names one fact"),
    "updates without words": (judging(decided(2, "UPDATE", 1)), "UPDATE needs the sentence"),
    "updates with NUL": (judging(decided(2, "UPDATE", 1, sentence="a\0b")), "NUL byte"),
    "unreadable date": (judging(decided(2, "DELETE", 1, since="soon")), "cannot read the time 'soon'"),
    "unknown operation": (judging(decided(2, "MERGE", 1)), r"decisions\[0\].operation: "),
    "prose": (said(content("Let it be.")), "text instead of a call of decide"),
}
"""How the decision about the second home is bad, and what is said about it."""


@pytest.mark.parametrize("kind", BAD_DECISIONS)
def test_decisions_in_quarantine(file: Place, server: Server, model: Model, kind: str) -> None:
    """After two invalid decisions the window is quarantined, nothing is retired, a retry asks for decisions only."""
    bad, problem = BAD_DECISIONS[kind]
    model.says(bad, "decide", 1, 2)
    with opened(file, server, window=1, concurrency=1) as memory:
        assert summed(list(memory.ingest(talk(*SAID), **ANN))).quarantined == 1
        assert current(memory) == ["Ann lives in Oslo."]
        (window,) = memory.pending(all_scopes=True)
        assert re.search(problem, window.problem), window.problem
        assert states(memory) == ["quarantined"]
        asked = model.count("extract")
        assert summed(list(memory.retry(all_scopes=True))).retired == 1
        assert current(memory) == ["Ann lives in Rome."]
        assert model.count("extract") == asked
        assert leftovers(memory) == (0, 0)


def test_a_decision_is_repaired(file: Place, server: Server, model: Model) -> None:
    """Told the problem, the model decides again; spaces around a sentence are ignored."""
    model.says(judging(decided(2, "UPDATE", 1)), "decide", 1)
    model.says(judging(decided(2, "UPDATE", 1, sentence=" Ann lived in Oslo and Rome.\n")), "decide", 2)
    with opened(file, server, window=1, concurrency=1) as memory:
        list(memory.ingest(talk(*SAID), **ANN))
        assert current(memory) == ["Ann lived in Oslo and Rome."]
        assert leftovers(memory) == (0, 0)


def test_what_came_after_is_there_when_it_is_retried(file: Place, server: Server, model: Model) -> None:
    """A window extracted after its successors finds their facts: the model is shown both, with their times."""

    def keep(prompt: Prompt) -> Any:
        assert "2024-02-01" in prompt.known[0].times
        assert "2024-01-01" in prompt.new[0].times
        return {"decisions": []}

    model.says(keep, "decide", 1)
    with opened(file, server, window=1, concurrency=1) as memory:
        list(memory.ingest(likes(1, source="before"), user_id="other"))  # so that the server is known to take calls
        model.says(said(content("Hm.")), "extract", 2, 3)
        list(memory.ingest(talk(*SAID), **ANN))
        assert current(memory) == ["Ann lives in Rome."]
        list(memory.retry(all_scopes=True))
        assert sorted(current(memory)) == ["Ann lives in Oslo.", "Ann lives in Rome."]


@pytest.mark.neo4j
def test_both_stores_quarantine_the_same(file: Place, emptied: Place, server: Server, model: Model) -> None:
    """SQLite and Neo4j record the same of a quarantined window, and have equal contents after a retry."""
    made = []
    for place in (file, emptied):
        turn = model.count("extract")
        model.says(BAD["unknown entity"][0], "extract", turn + 2, turn + 3)
        with opened(place, server, window=1, concurrency=1) as memory:
            list(memory.ingest(talk(*SAID), **ANN))
            kept = [  # their ids depend on when they began to wait
                (each.state, each.problem, each.reply, each.messages) for each in memory.pending(all_scopes=True)
            ]
            list(memory.retry(all_scopes=True))
            made.append((kept, ingest_result(memory.store, Scope("ann")), leftovers(memory)))
    assert made[0] == made[1]
    assert len(made[0][0]) == 1
