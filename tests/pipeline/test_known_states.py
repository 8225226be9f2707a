"""States that were going on when last told: which an extractor is shown, and what becomes of one that is over."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from mem0g.extract.protocol import KnownState, Window
from mem0g.ingest.known_states import FEELINGS, UNFINISHED, known_states
from mem0g.ingest.nearby import nearby
from mem0g.model import LITERAL, Entity, Fact, Scope, Triple
from mem0g.settings import Credentials
from mem0g.store.address import open_store
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.times import Moment
from tests.extract.windows import messages
from tests.llm.server import Server
from tests.making import EMBEDDER, change, day, entity, fact
from tests.pipeline.scripted import Model, Prompt, decided
from tests.pipeline.telling import ANN, Place, current, in_a_file, opened, talk

SCOPE = Scope("ann")
EVAN = entity("Evan", SCOPE, type="person")
FLAT = entity("a flat", SCOPE, type=LITERAL)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """An empty store, a file's and then a Neo4j's."""
    opened = open_store(place.address, place.credentials or Credentials())
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield opened
    opened.close()


def state(relation: str, value: str | Entity, text: str, **given: Any) -> tuple[Entity, Fact]:
    """A fact of Evan's, and its other end."""
    end = value if isinstance(value, Entity) else entity(value, SCOPE, type=LITERAL)
    return end, fact(EVAN, relation, end, text, relation_given=relation.lower(), **given)


def committed(made: Change, transaction: Transaction) -> None:
    """Write a change."""
    transaction.commit(made)


def filled(store: Store, *made: tuple[Entity, Fact]) -> Store:
    """Write facts of Evan's."""
    ends, found = [end for end, _ in made], [each for _, each in made]
    store.write(SCOPE, lambda transaction: transaction.commit(change(SCOPE, entities=[EVAN, *ends], facts=found)))
    return store


def shown(
    store: Store, *texts: str, ahead: tuple[Triple, ...] = (), scope: Scope = SCOPE, now: str = "2023-05-20"
) -> list[KnownState]:
    """Return the states shown with messages of Evan's."""
    said = messages(*texts, speaker="Evan", scope=scope, time=day(now))
    window = Window(messages=said, speakers=("Evan",), scope=scope)
    return list(known_states(window, nearby(window, store, EMBEDDER), ahead))


def looking(**given: Any) -> Triple:
    """A triple of a window read ahead."""
    core = {"subject": "Evan", "relation": "is_looking_for", "object": "a flat", "object_type": LITERAL}
    return Triple(**{**core, "text": "Evan is looking for a flat.", **given})


def test_what_is_going_on(store: Store) -> None:
    """A search and a mood are shown with the day on which they were told; an event, a liking and a home are not."""
    graz = entity("Graz", SCOPE, type="city")
    filled(
        store,
        state("IS_LOOKING_FOR", "a flat", "Evan is looking for a flat.", said_at=day("2023-05-02")),
        state("FEELS", "worried", "Evan feels worried.", observed=Moment.parse("2023-05-03")),
        state("VISITED", graz, "Evan visited Graz."),
        state("LIKES", "jazz", "Evan likes jazz."),
        state("LIVES_IN", graz, "Evan lives in Graz."),
    )
    found = shown(store, "I moved in yesterday!")
    assert {(each.relation, each.object, each.day) for each in found} == {
        ("is_looking_for", "a flat", "2023-05-02"),
        ("feels", "worried", "2023-05-03"),
    }
    assert {each.object_type for each in found} == {LITERAL}


def test_only_of_the_scope_and_current(store: Store) -> None:
    """Nothing that is over is shown, and nothing of another scope, covered or not."""
    filled(store, state("IS_LOOKING_FOR", "a flat", "Evan is looking for a flat.", retired_at=day("2023-06-01")))
    for other in (Scope("bob"), Scope("ann", run_id="r1")):
        spy, end = entity("Evan", other, type="person"), entity("a spy", other, type=LITERAL)
        said = fact(spy, "IS_LOOKING_FOR", end, "Evan is looking for a spy.")
        made = change(other, entities=[spy, end], facts=[said])
        store.write(other, partial(committed, made))
    assert shown(store, "I am looking for a flat and a spy.") == []


def test_as_many_as_matter(store: Store) -> None:
    """Few feelings, the latest, and none of a month before; no long value, which nobody repeats word for word."""
    filled(
        store,
        *(
            state("IS_WORKING_ON", f"the boat {number}", f"Evan is working on the boat {number}.")
            for number in range(UNFINISHED + 3)
        ),
        *(
            state("FEELS", f"odd {number}", f"He feels odd {number}.", said_at=day(f"2023-05-{number + 1:02}"))
            for number in range(6)
        ),
        state("FEELS", "very odd", "He feels very odd about working on the boat.", said_at=day("2023-04-01")),
        state("IS_TRYING", "word " * 30, "Evan is trying the boat."),
    )
    found = {each.object for each in shown(store, "Is the boat done? I was working on the boat.")}
    feelings = {each for each in found if "odd" in each}
    assert all(each.startswith("the boat") for each in found - feelings)
    assert len(found - feelings) == UNFINISHED
    assert feelings == {f"odd {5 - number}" for number in range(FEELINGS)}


@in_a_file
def test_plans_and_projects(store: Store) -> None:
    """A conference that somebody plans to go to and a search in books are shown, and what is not to be is not."""
    filled(
        store,
        state("PLANS_TO_ATTEND", "a conference", "Evan plans to attend a conference.", said_at=day("2023-05-01")),
        state("HOPES_TO_VISIT", "Graz", "Evan hopes to visit Graz.", said_at=day("2023-05-02")),
        state("RESEARCHES", "adoption agencies", "Evan researches adoption agencies.", said_at=day("2023-05-03")),
        state("ATTENDED", "a fair", "Evan attended a fair.", said_at=day("2023-05-04")),
    )
    ahead = looking(relation="plans_to_buy", object="a tent", text="Evan plans to buy a tent.")
    found = [each.object for each in shown(store, "Hi!", ahead=(ahead,))]
    assert found == ["a conference", "Graz", "adoption agencies", "a tent"]


@in_a_file
def test_the_latest_plans_come_first(store: Store) -> None:
    """Where there are too many, what is settled and what was told lately stays; what the window names, always."""
    many = [
        state("WANTS_TO_SEE", f"film {number}", f"Evan wants to see {number}.", said_at=day("2023-04-01"))
        for number in range(UNFINISHED)
    ]
    filled(
        store,
        *many,
        state("PLANS_TO_VISIT", "Graz", "Evan plans to visit Graz.", said_at=day("2023-04-01")),
        state("WANTS_TO_LEARN", "chess", "Evan wants to learn chess.", said_at=day("2023-05-18")),
        state("WANTS_TO_BUY", "a kayak", "Evan wants to buy a kayak.", said_at=day("2023-04-01")),
    )
    assert {each.object for each in shown(store, "Kayak!")} > {"Graz", "chess", "a kayak"}


@in_a_file
def test_what_was_told_long_ago(store: Store) -> None:
    """After some months a search is shown only where the window has a word of it."""
    filled(store, state("IS_LOOKING_FOR", "a flat", "Evan is looking for a flat.", said_at=day("2023-01-02")))
    assert shown(store, "Hi!") == []
    assert [each.object for each in shown(store, "This is my new flat.")] == ["a flat"]
    assert [each.object for each in shown(store, "Hi!", now="2023-03-20")] == ["a flat"]


@in_a_file
def test_two_searches_for_one_thing(store: Store) -> None:
    """A search for investors does not replace one for a place, though both are for the same shop."""
    filled(
        store,
        state("IS_LOOKING_FOR", "a place for Evan's dance shop", "Evan is looking.", said_at=day("2023-05-01")),
        state("IS_LOOKING_FOR", "investors for Evan's dance shop", "Evan is looking on.", said_at=day("2023-05-02")),
    )
    assert len(shown(store, "Hi!")) == 2


@in_a_file
def test_windows_ahead(store: Store) -> None:
    """What windows tell that are not committed yet is shown, too, and no state that they take back."""
    filled(store, state("IS_LOOKING_FOR", FLAT, "Evan is looking for a flat."))
    assert [each.object for each in shown(store, "Hi!")] == ["a flat"]
    boat = looking(object="a boat", observed=Moment.parse("2023-05-02"))
    assert [(each.object, each.day) for each in shown(store, "Hi!", ahead=(boat,))][1:] == [("a boat", "2023-05-02")]
    assert shown(store, "Hi!", ahead=(looking(relation="is looking for", retracts=True),)) == []
    assert [each.object for each in shown(store, "Hi!", ahead=(looking(subject="Mia", object="a cat"),))] == ["a flat"]


@in_a_file
def test_each_once(store: Store) -> None:
    """Of a state that two facts tell, the later day is shown."""
    first, again = "Evan feels worried.", "Evan feels worried about the boat."
    filled(
        store,
        state("FEELS", "worried", first, observed=Moment.parse("2023-05-03"), said_at=day("2023-05-03")),
        state("FEELS", "worried", again, observed=Moment.parse("2023-05-09"), said_at=day("2023-05-09")),
    )
    assert [each.day for each in shown(store, "I was worried.")] == ["2023-05-09"]


@in_a_file
def test_without_a_scope(store: Store) -> None:
    """A window without a scope is shown nothing."""
    window = Window(messages=messages("Hi!"))
    assert known_states(window, nearby(window, store, EMBEDDER), ()) == ()


def test_a_state_that_is_over(place: Place, server: Server, model: Model) -> None:
    """A later window is shown the search, takes it back in its words, and the fact is retired by what ended it."""

    def told(relation: str, value: str, text: str, **given: Any) -> dict[str, Any]:
        times = {"valid_from": None, "valid_to": None, "observed": None, "planned_for": None}
        core = {"subject": "Ann", "relation": relation, "object": value, "literal": True, "sentence": text}
        return {**core, "brief": None, **times, "messages": [1], "retracts": False, **given}

    def search(prompt: Prompt) -> dict[str, Any]:
        fact = told("is_looking_for", "a place to dance", "Ann is looking for a place to dance.")
        return {"entities": [{"name": "Ann", "type": "person", "aliases": []}], "facts": [fact]}

    def opening(prompt: Prompt) -> dict[str, Any]:
        number = prompt.messages[0].number
        opened = told("opened", "the doors of the hall", "Ann opened the doors of the hall.", messages=[number])
        # As a model may write it: the value is no literal, and no entity is listed for it.
        over = told("is_looking_for", "a place to dance", "Ann has a place to dance.", messages=[number])
        facts = [opened, {**over, "literal": False, "retracts": True}]
        return {"entities": [{"name": "Ann", "type": "person", "aliases": []}], "facts": facts}

    def end(prompt: Prompt) -> dict[str, Any]:
        (over,) = [each for each in prompt.new if "no longer" in each.times]
        return {"decisions": [decided(over.number, "DELETE", *over.touches, reason="the hall is open")]}

    model.says(search, "extract", 1)
    model.says(opening, "extract", 2)
    model.says(end, "decide")
    said = [("2024-01-01", "Ann", "I need a place to dance."), ("2024-03-01", "Ann", "Doors are open tonight!")]
    with opened(place, server, window=1, concurrency=1, together=1) as memory:
        list(memory.ingest(talk(*said), **ANN))
        retired = [each for each in memory.facts(**ANN, include_retired=True) if not each.current]
        assert current(memory, **ANN) == ["Ann opened the doors of the hall."]
    first, second = model.prompts("extract")
    line = '- Ann, is_looking_for, "a place to dance" (2024-01-01)'
    assert line not in first.user
    assert line in second.user
    assert [each.text for each in retired] == ["Ann is looking for a place to dance."]


@in_a_file
def test_what_a_later_state_replaces(store: Store) -> None:
    """A search told again, and a wish that was given up, are shown once, as last told; another search is its own."""
    pets = entity("pets", SCOPE, type="animal")
    filled(
        store,
        state("IS_LOOKING_FOR", "a flat", "Evan is looking for a flat.", said_at=day("2023-05-01")),
        state("IS_STILL_SEARCHING_FOR", "a flat in Graz", "Evan still is.", said_at=day("2023-05-03")),
        state("IS_LOOKING_FOR", "a boat", "Evan is looking for a boat.", said_at=day("2023-05-02")),
        state("CONSIDERING_GETTING", pets, "Evan is thinking of pets.", said_at=day("2023-05-01")),
        state("DOES_NOT_WANT", pets, "Evan does not want pets.", said_at=day("2023-05-04")),
    )
    found = {(each.relation, each.object) for each in shown(store, "Hi!")}
    assert found == {
        ("is_still_searching_for", "a flat in Graz"),
        ("is_looking_for", "a boat"),
        ("does_not_want", "pets"),
    }


@in_a_file
@pytest.mark.parametrize(("spoken", "left"), [("2023-03-20", True), ("2023-04-10", True), ("2023-04-20", False)])
def test_a_plan_whose_day_has_long_passed(store: Store, spoken: str, left: bool) -> None:
    """It is shown until two weeks after its day, as is what lay ahead when it was said; what has an end, until then."""
    said, march = day("2023-02-01"), Moment.parse("2023-03")
    filled(
        store,
        state("IS_WORKING_ON", "a speech", "Evan is working on a speech.", said_at=said, planned_for=march),
        state("IS_PREPARING_FOR", "a race", "Evan is preparing for a race.", said_at=said, valid_from=march),
        state("IS_TRYING", "a diet", "Evan is trying a diet.", said_at=said, valid_to=Moment.parse("2023-04-15")),
        state("IS_LOOKING_FOR", "a flat", "Evan is looking for a flat.", said_at=said),
    )
    said_now = messages("Hi!", speaker="Evan", scope=SCOPE, time=day(spoken))
    window = Window(messages=said_now, speakers=("Evan",), scope=SCOPE)
    found = {each.object for each in known_states(window, nearby(window, store, EMBEDDER), ())}
    assert found == ({"a speech", "a race", "a diet", "a flat"} if left else {"a flat"})


@in_a_file
def test_a_window_of_the_first_days_of_the_calendar(store: Store) -> None:
    """Its states are shown like those of any other, though two weeks before it is no date."""
    said, planned = day("0001-01-02"), Moment.parse("0001-01-05")
    filled(store, state("IS_WORKING_ON", "a speech", "Evan is working on a speech.", said_at=said, planned_for=planned))
    assert [each.object for each in shown(store, "Hello!", now="0001-01-03")] == ["a speech"]
