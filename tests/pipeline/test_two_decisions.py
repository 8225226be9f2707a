"""A new fact that says the same as a known one and ends another, from the reply to the memory and back."""

from __future__ import annotations

from tests.llm.server import Server
from tests.pipeline.scripted import Model, Prompt, decided
from tests.pipeline.telling import ANN, Place, current, opened, summed, talk

SAID = [
    ("2024-01-01", "Ann", "Ann plans to visit Rome."),
    ("2024-01-02", "Ann", "Ann visited Rome."),
    ("2024-02-01", "Ann", "Ann visited Rome since 2024."),
]


def both(prompt: Prompt) -> object:
    """The last message says the same as the visit, and that the plan came true."""
    known = {each.text: each.number for each in prompt.known}
    (new,) = prompt.new
    if "Ann visited Rome." not in known:
        return {"decisions": []}
    same = decided(new.number, "NOOP", known["Ann visited Rome."])
    return {"decisions": [same, decided(new.number, "DELETE", known["Ann plans to visit Rome."], reason="done")]}


def test_confirmed_and_ended_and_undone(place: Place, server: Server, model: Model) -> None:
    """One fact gets the evidence, the other is retired in its favour; one undo restores both."""
    model.says(both, "decide")
    with opened(place, server, window=1, concurrency=1) as memory:
        list(memory.ingest(talk(*SAID[:2]), **ANN))
        before = memory.facts(**ANN)
        report = summed(list(memory.ingest(talk(*SAID), **ANN)))
        assert (report.facts, report.confirmed, report.retired) == (0, 1, 1)
        assert current(memory) == ["Ann visited Rome."]
        (visit,) = memory.facts(**ANN)
        assert len(visit.evidence) == 2
        plan = next(each for each in before if each.text == "Ann plans to visit Rome.")
        (end,) = memory.why(plan.id, **ANN).successions
        assert (end.successor_id, end.reason, end.decided_by) == (visit.id, "done", "tiny")
        (decision,) = (each for each in memory.decisions(**ANN) if each.operation == "DELETE")
        assert decision.fact_id == visit.id
        memory.undo(decision.id, **ANN)
        assert memory.facts(**ANN) == before


def test_an_update_that_is_too_long(place: Place, server: Server, model: Model) -> None:
    """Both facts stay and the known one is confirmed, as the report says; one undo takes both back."""

    def at_length(prompt: Prompt) -> object:
        update = decided(prompt.new[0].number, "UPDATE", prompt.known[0].number, sentence="Rome " * 60)
        return {"decisions": [update]}

    model.says(at_length, "decide")
    with opened(place, server, window=1, concurrency=1) as memory:
        list(memory.ingest(talk(SAID[1]), **ANN))
        before = memory.facts(**ANN)
        report = summed(list(memory.ingest(talk(*SAID[1:]), **ANN)))
        assert (report.facts, report.confirmed, report.retired) == (1, 1, 0)
        assert [len(each.evidence) for each in memory.facts(**ANN)] == [2, 1]
        (decision,) = (each for each in memory.decisions(**ANN) if each.rule == "refused")
        memory.undo(decision.id, **ANN)
        assert memory.facts(**ANN) == before
