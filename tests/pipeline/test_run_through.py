"""Whole conversations through the pipeline, with one call per window or two stages: the resulting contents."""

from __future__ import annotations

from typing import Any

import pytest

from mem0g.ingest.report import Report
from mem0g.model import Scope
from tests.llm.server import Server
from tests.pipeline.scripted import Model
from tests.pipeline.telling import (
    ANN,
    MOVES,
    Place,
    current,
    everything,
    in_a_file,
    leftovers,
    log,
    opened,
    summed,
    talk,
    told,
)
from tests.store.ingested import ingest_result

EXTRACTORS = ["llm", "llm-two-stage"]

LIVED = {
    "edge": "Ann LIVES_IN Oslo",
    "types": ("person", "city"),
    "text": "Ann lives in Oslo.",
    "from": "",
    "to": "2024-05",
    "current": False,
    "evidence": ["Ann lives in Oslo.", "Ann lives in Oslo."],
    "became": "Ann lives in Lisbon since 2024-05.",
    "why": ("one at a time", "tiny"),
}


def heard_of_moves(place: Place, server: Server, extractor: str = "llm", **given: Any) -> dict[str, Any]:
    """Ingest the conversation two messages at a time; return the results, without the times of the run."""
    with opened(place, server, extractor, **{"window": 2, **given}) as memory:
        summed(list(memory.ingest(talk(*MOVES), **ANN)))
        return ingest_result(memory.store, Scope("ann")) | {"told": told(memory), "log": log(memory)}


@in_a_file
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_a_talk(place: Place, server: Server, model: Model, extractor: str) -> None:
    """Facts, edges, dates, types, evidence and replacements are as stated, and nothing is left over."""
    with opened(place, server, extractor, window=2) as memory:
        report = summed(list(memory.ingest(talk(*MOVES), **ANN)))
        assert report == Report(messages=6, triples=6, facts=5, confirmed=1, retired=2, entities=report.entities)
        assert current(memory) == [
            "Ben likes tea.",
            "Ann visited Japan since 2024-04.",
            "Ann lives in Lisbon since 2024-05.",
        ]
        assert told(memory)[0] == LIVED
        plan = next(each for each in told(memory) if "plans" in each["text"])
        assert (plan["became"], plan["why"]) == (
            "Ann visited Japan since 2024-04.",
            ("the plan came true", "tiny"),
        )
        assert [str(fact.valid_from or "") for fact in everything(memory)] == ["", "", "2024-04", "2024-04", "2024-05"]
        assert sorted(memory.stats(**ANN).relations) == ["LIKES", "LIVES_IN", "PLANS_TO_VISIT", "VISITED"]
        assert leftovers(memory) == (0, 0)
    assert model.count("entities") == model.count("relations") == (3 if extractor == "llm-two-stage" else 0)
    assert model.count("extract") == (3 if extractor == "llm" else 0)
    assert model.count("decide") == 1


def test_the_log_says_who_decided(file: Place, server: Server) -> None:
    """What nothing could contradict, or is known in the same words, is decided by rule, the rest by the named model."""
    with opened(file, server, window=2) as memory:
        list(memory.ingest(talk(*MOVES), **ANN))
        assert log(memory) == [
            ("ADD", "Ann lives in Oslo.", "rule"),
            ("ADD", "Ben likes tea.", "rule"),
            ("ADD", "Ann plans to visit Japan since 2024-04.", "rule"),
            ("NOOP", "Ann lives in Oslo.", "rule"),
            ("DELETE", "Ann visited Japan since 2024-04.", "tiny"),
            ("DELETE", "Ann lives in Lisbon since 2024-05.", "tiny"),
        ]


def test_as_of_then(place: Place, server: Server) -> None:
    """Before the move facts and search show the old home, after it the new one."""
    with opened(place, server) as memory:
        list(memory.ingest(talk(*MOVES), **ANN))
        home = {when: [fact.object for fact in memory.facts(relation="lives_in", as_of=when, **ANN)] for when in WHEN}
        assert home == {"2024-01-09": [], "2024-03": ["Oslo"], "2024-04-30": ["Oslo"], "2024-05-02": ["Lisbon"]}
        found = memory.search("Where does Ann live?", as_of="2024-03", **ANN)
        assert found[0].text == "Ann lives in Oslo."


WHEN = ["2024-01-09", "2024-03", "2024-04-30", "2024-05-02"]


def test_a_second_ingest_asks_nothing(place: Place, server: Server, model: Model) -> None:
    """Ingesting the same conversation again changes nothing and asks nothing; a longer one adds what is new."""
    with opened(place, server, window=2) as memory:
        list(memory.ingest(talk(*MOVES), **ANN))
        before, asked = ingest_result(memory.store, Scope("ann")), model.count()
        assert summed(list(memory.ingest(talk(*MOVES), **ANN))) == Report(known=6)
        assert ingest_result(memory.store, Scope("ann")) == before
        assert model.count() == asked
        more = [*MOVES, ("2024-06-01", "Ann", "Ann likes fado.")]
        assert summed(list(memory.ingest(talk(*more), **ANN))).facts == 1
        assert [each.text for each in model.asked[asked].context][-2:] == [words for _, _, words in MOVES[-2:]]


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_no_call_without_need(file: Place, server: Server, model: Model, extractor: str) -> None:
    """No decision call without candidates, no relation call without entities, and no call for a search."""
    with opened(file, server, extractor, window=1) as memory:
        list(memory.ingest(talk(("2024-01-01", "Ann", "Ann likes tea.")), **ANN))
        assert model.count("decide") == 0
        asked = model.count()
        list(memory.ingest(talk(("2024-01-01", "Ann", "Hello!"), source="other"), **ANN))
        assert model.count() == asked + 1
        asked = model.count()
        assert memory.search("What does Ann like?", **ANN)[0].text == "Ann likes tea."
        assert memory.context("What does Ann like?", **ANN).text
        assert memory.facts(entity="Ann", **ANN)
        assert model.count() == asked


@pytest.mark.neo4j
def test_both_stores_tell_the_same(file: Place, emptied: Place, server: Server) -> None:
    """SQLite and Neo4j hold the same messages, entities, facts, links and decisions."""
    assert heard_of_moves(emptied, server) == heard_of_moves(file, server)


@in_a_file
def test_evidence_with_context(place: Place, server: Server) -> None:
    """A fact cites the new message and the one before it that it depends on, although that is known."""
    with opened(place, server, window=1) as memory:
        said = talk(("2024-01-01", "Ben", "Do you like tea?"), ("2024-01-01", "Ann", "Indeed, Ann likes tea."))
        list(memory.ingest(said, **ANN))
        (fact,) = told(memory)
        assert fact["evidence"] == ["Do you like tea?", "Indeed, Ann likes tea."]


@in_a_file
def test_another_name(place: Place, server: Server) -> None:
    """A nickname becomes a name of the same node, and facts about it belong to the person."""
    said = [("2024-01-01", "Olivia", "Olivia is called Liv."), ("2024-01-02", "Ben", "Liv lives in Oslo.")]
    with opened(place, server, window=1) as memory:
        list(memory.ingest(talk(*said), **ANN))
        olivia = memory.entity("Liv", **ANN)
        assert (olivia.name, olivia.aliases) == ("Olivia", ("Liv",))
        (home,) = memory.facts(relation="lives_in", **ANN)
        assert home.subject_id == olivia.id
        (name,) = memory.facts(relation="also_known_as", **ANN)
        assert name.text == "Olivia is also called Liv."


@in_a_file
def test_a_retraction(place: Place, server: Server) -> None:
    """A retracted fact is retired without a replacement; a second retraction does nothing."""
    said = [("2024-01-01", "Ann", "Ann likes tea."), ("2024-03-02", "Ann", "Ann no longer likes tea since 2024-03.")]
    with opened(place, server, window=1) as memory:
        list(memory.ingest(talk(*said), **ANN))
        (fact,) = told(memory)
        assert (fact["current"], fact["to"], fact["became"]) == (False, "2024-03", "")
        assert fact["why"] == ("it was taken back", "tiny")
        report = summed(
            list(memory.ingest(talk(("2024-04-01", "Ann", "Ann no longer likes tea."), source="more"), **ANN))
        )
        assert (report.facts, report.retired) == (0, 0)
        assert [operation for operation, _, _ in log(memory)] == ["ADD", "DELETE", "NOOP"]


@in_a_file
def test_an_update(place: Place, server: Server) -> None:
    """One sentence combines both, with the evidence of both; the old one is not shown at any time."""
    said = [("2024-01-01", "Ann", "Ann likes tea."), ("2024-03-02", "Ann", "Ann likes tea since 2019.")]
    with opened(place, server, window=1) as memory:
        list(memory.ingest(talk(*said), **ANN))
        old, new = told(memory)
        assert (old["current"], old["became"], old["why"]) == (False, new["text"], ("now with its date", "tiny"))
        assert (new["current"], new["from"]) == (True, "2019")
        assert new["evidence"] == ["Ann likes tea.", "Ann likes tea since 2019."]
        for when in ("2020", "2024-02", "2025"):
            assert [fact.text for fact in memory.facts(as_of=when, **ANN)] == ["Ann likes tea since 2019."]


def test_other_scopes_are_not_touched(place: Place, server: Server, model: Model) -> None:
    """The facts of another user are neither shown nor retired."""
    with opened(place, server, window=1) as memory:
        list(memory.ingest(talk(("2024-01-01", "Ann", "Ann lives in Oslo.")), user_id="other"))
        list(memory.ingest(talk(("2024-02-01", "Ann", "Ann lives in Rome.")), **ANN))
        assert model.count("decide") == 0
        assert current(memory) == ["Ann lives in Rome."]
        assert current(memory, user_id="other") == ["Ann lives in Oslo."]
