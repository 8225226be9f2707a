"""The known entities that the extractor is shown: nearest first, of its scope alone, as fresh as they can be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from mem0g.extract.protocol import KnownEntity, Window
from mem0g.ingest.known_entities import MAX_KNOWN, known_entities, with_known_types
from mem0g.ingest.nearby import Nearby, nearby
from mem0g.ingest.prefetch import Prefetcher
from mem0g.model import LITERAL, Entity, Scope, Triple
from mem0g.settings import Credentials
from mem0g.store.address import open_store
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.times import Moment
from tests.extract.windows import messages
from tests.llm.server import Server, call
from tests.making import AT, EMBEDDER, change, entity, fact, triple
from tests.pipeline.scripted import Model, Prompt, entities, facts, good
from tests.pipeline.telling import ANN, Place, in_a_file, opened, sentence, talk
from tests.pipeline.telling import likes as liking

SCOPE = Scope("ann")
EVAN = entity("Evan", SCOPE, type="person")


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """An empty store, a file's and then a Neo4j's."""
    opened = open_store(place.address, place.credentials or Credentials())
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield opened
    opened.close()


KNOWN = re.compile(r"^Known already.*\n((?:- .*\n)*)", re.MULTILINE)


def shown(prompt: Prompt) -> list[str]:
    """Return the lines of known entities in a prompt."""
    found = KNOWN.search(prompt.user)
    return found[1].splitlines() if found else []


def near(store: Store, *texts: str, ahead: tuple[Any, ...] = (), scope: Scope = SCOPE) -> list[KnownEntity]:
    """Return the known entities nearest to messages of Evan's."""
    said = messages(*texts, speaker="Evan", scope=scope)
    window = Window(messages=said, speakers=("Evan",), scope=scope)
    return list(known_entities(window, nearby(window, store, EMBEDDER), ahead, store))


def committed(made: Change, transaction: Transaction) -> None:
    """Write a change."""
    transaction.commit(made)


def names(found: list[KnownEntity]) -> list[str]:
    """Return their names."""
    return [each.name for each in found]


def filled(store: Store, *others: Entity) -> Store:
    """Fill a store with a fact of Evan's about each entity."""
    found = [fact(EVAN, "KNOWS", other) for other in others]
    store.write(SCOPE, lambda transaction: transaction.commit(change(SCOPE, entities=[EVAN, *others], facts=found)))
    return store


@in_a_file
def test_who_is_who(place: Place, server: Server, model: Model) -> None:
    """A later window is shown what is known: the speaker, whom they know, with type and a sentence about each."""
    with opened(place, server, window=1, concurrency=1) as memory:
        said = [("2024-01-01", "Ann", "Ann knows Ben. Ben likes jam."), ("2024-01-02", "Ann", "Ann likes tea.")]
        list(memory.ingest(talk(*said, ("2024-01-03", "Ann", "Hi again.")), **ANN))
    first, _, third = model.prompts("extract")
    assert shown(first) == []
    assert shown(third)[0] == "- Ann (person)"
    known = ['- Ben (person): "Ann knows Ben."', '- jam (thing): "Ben likes jam."', '- tea (thing): "Ann likes tea."']
    assert sorted(shown(third)[1:]) == known


def test_both_stages_are_shown_them(file: Place, server: Server, model: Model) -> None:
    """The first of two stages lists the entities, so it is the one that has to know."""
    with opened(file, server, "llm-two-stage", window=1, concurrency=1) as memory:
        list(memory.ingest(liking(2), **ANN))
    assert any(sentence(0) in line for line in shown(model.prompts("entities")[1]))


def test_the_nearest_first(store: Store) -> None:
    """The speaker, then what is named, then whom the speaker knows and what shares words with the window."""
    others = [entity("Mia", SCOPE, type="person"), entity("red canoe", SCOPE, type="thing")]
    rest = [entity(f"thing {number}", SCOPE, type="thing") for number in range(60)]
    found = near(filled(store, *others, *rest), "I took the red canoe out.")
    assert names(found)[:3] == ["Evan", "red canoe", "Mia"]
    assert found[0].note == ""
    assert found[1] == KnownEntity(name="red canoe", type="thing", note="Evan knows red canoe.")
    assert len(found) == MAX_KNOWN


@in_a_file
def test_what_the_window_means_without_a_name(store: Store) -> None:
    """A book stands above things as near for "that book"; "the kids" are those of the speaker."""
    book = entity("Becoming Nicole", SCOPE, type="book")
    rest = [entity(f"thing {number}", SCOPE, type="thing") for number in range(60)]
    kids = entity("Evan's kids", SCOPE, type="group")
    store.write(SCOPE, partial(committed, change(SCOPE, entities=[kids])))
    found = near(filled(store, book, *rest), "I finished that book. The kids liked it.")
    assert names(found)[:3] == ["Evan", "Evan's kids", "Becoming Nicole"]


@in_a_file
def test_a_long_name(store: Store) -> None:
    """A thing with a name of many words is shown, in facts and read ahead; a sentence is not."""
    long, sentence_ = "dance competition hosted by Evan's dance studio", "word " * 12 + "end"
    filled(store, *(entity(name, SCOPE, type="event") for name in (long, sentence_)))
    ahead = tuple(triple("Evan", "plans", f"{name} again", object_type="event") for name in (long, sentence_))
    assert set(names(near(store, "How is the dance competition?", ahead=ahead))) == {"Evan", long, f"{long} again"}


@in_a_file
def test_events_have_a_date(store: Store) -> None:
    """Two conferences are told apart by when they are, also where one is in a window that is not committed yet."""
    july, later = (entity(name, SCOPE, type="event") for name in ("LGBTQ conference", "transgender conference"))
    shop = entity("shop", SCOPE, type="company")
    facts_ = [
        fact(EVAN, "ATTENDED", july, valid_from=Moment.parse("2023-07-10")),
        fact(EVAN, "PLANS_TO_ATTEND", later, planned_for=Moment.parse("2023-07")),
        fact(EVAN, "OPENED", shop, valid_from=Moment.parse("2023-07")),
    ]
    store.write(SCOPE, partial(committed, change(SCOPE, entities=[EVAN, july, later, shop], facts=facts_)))
    fair = triple("Evan", "visited", "fair", valid_from=Moment.parse("2023-08-01"), object_type="event")
    days = {each.name: each.day for each in near(store, "Hi!", ahead=(fair,))}
    assert days == {
        "Evan": "",
        "LGBTQ conference": "2023-07-10",
        "transgender conference": "2023-07",
        "shop": "",
        "fair": "2023-08-01",
    }


@in_a_file
def test_notes_tell_things_apart(store: Store) -> None:
    """They are of what is near to the window, no opinion, without the thing's own name, and end with a clause."""
    bowl = entity("bowl", SCOPE, type="thing")
    facts_ = [
        fact(EVAN, "THINKS_OF", bowl, "Evan thinks that the blue bowl is great.", brief="thinks that it is great"),
        fact(EVAN, "BOUGHT", bowl, "Evan bought the bowl.", brief="bought the bowl in Graz"),
    ]
    store.write(SCOPE, partial(committed, change(SCOPE, entities=[EVAN, bowl], facts=facts_)))
    (_, shown_) = near(store, "The blue bowl broke.")
    assert shown_.note == "Evan bought the bowl in Graz"
    other = Scope("bob")
    cup, end = entity("cup", other, type="thing"), entity("stripe", other, type="thing")
    stripe = "has a blue stripe from edge to edge, like the sea in May"
    told = fact(cup, "HAS", end, "The cup has a blue stripe.", brief=stripe)
    store.write(other, partial(committed, change(other, entities=[cup, end], facts=[told])))
    notes = {each.name: each.note for each in near(store, "The cup broke.", scope=other)}
    assert notes["cup"] == "has a blue stripe from edge to edge …"


@in_a_file
def test_an_alias_is_a_name(store: Store) -> None:
    """What is named by another name is shown with both, and long notes are cut."""
    mia = entity("Mia Costa", SCOPE, type="person", aliases=("Mi",))
    said = fact(EVAN, "MARRIED_TO", mia, "Evan married Mia Costa in the old town hall of Graz in the rain in May.")
    store.write(SCOPE, lambda transaction: transaction.commit(change(SCOPE, entities=[EVAN, mia], facts=[said])))
    found = near(store, "Mi is at home.")
    note = "Evan married Mia Costa in the old town hall …"
    assert found[1] == KnownEntity(name="Mia Costa", type="person", aliases=("Mi",), note=note)


def test_only_of_the_scope(store: Store) -> None:
    """Nothing of another scope is shown: not of another user, nor of a scope that a read of this one would cover."""
    filled(store, entity("Mia", SCOPE, type="person"))
    for other in (Scope("bob"), Scope("ann", run_id="r1"), Scope(agent_id="a")):
        spy, gold = entity("Evan", other, type="person"), entity("Mia's gold", other, type="thing")
        hidden = change(other, entities=[spy, gold], facts=[fact(spy, "OWNS", gold)])
        store.write(other, partial(committed, hidden))
    assert names(near(store, "Where is Mia's gold?")) == ["Evan", "Mia"]
    assert names(near(store, "Where is Mia's gold?", scope=Scope("zoe"))) == []


@in_a_file
def test_what_is_no_entity(store: Store) -> None:
    """Values, whole phrases, ideas that the window does not name, and entities merged into another are not shown."""
    value = entity("seven years old", SCOPE, type=LITERAL)
    phrase = entity("being as good a family as theirs", SCOPE, type="goal")
    idea = entity("freedom", SCOPE, type="feeling")
    gone = entity("Mimi", SCOPE, type="person", merged_into=EVAN.id)
    filled(store, value, phrase, idea, gone)
    assert names(near(store, "Mimi is seven years old.")) == ["Evan"]
    assert names(near(store, "Freedom!")) == ["Evan", "freedom"]


@in_a_file
def test_names_read_ahead(store: Store) -> None:
    """Names in windows that are not committed yet are shown too, unless they are known, up to half of the places."""
    filled(store, entity("Mia", SCOPE, type="person"))
    new = triple("Evan", "adopted", "Toby", text="Evan adopted Toby.", subject_type="person", object_type="pet")
    value = triple("Toby", "has_age", "two", text="Toby is two.", object_type=LITERAL)
    alias = triple("Evan", "also known as", "Evvie", text="Evan is also called Evvie.")
    found = near(store, "Hi!", ahead=(new, value, alias))
    assert names(found) == ["Evan", "Mia", "Toby"]
    assert found[2] == KnownEntity(name="Toby", type="pet", note="Evan adopted Toby.")
    many = tuple(triple("Evan", "knows", f"P{number}", text="Evan knows.") for number in range(60))
    assert len(near(store, "Hi!", ahead=many)) == 2 + MAX_KNOWN // 2
    assert names(near(store, "Hi!", ahead=many))[:3] == ["Evan", "Mia", "P59"]


@in_a_file
def test_names_read_ahead_that_the_window_goes_on_about(store: Store) -> None:
    """They are shown, with a note, however many names were read after them; those of a speaker without the owner."""
    filled(store, *(entity(f"thing {number}", SCOPE, type="thing") for number in range(60)))
    studio = triple("Evan", "is starting", "dance studio", text="Evan is starting a dance studio.")
    team = triple("Evan", "praises", "Evan's team", text="Evan praises his team.")
    later = tuple(triple("Evan", "knows", f"P{number}", text="Evan knows.") for number in range(60))
    found = near(store, "My team loves the dance studio.", ahead=(studio, team, *later))
    notes = {each.name: each.note for each in found}
    assert (notes["dance studio"], notes["Evan's team"]) == (studio.text, team.text)
    assert len(found) == MAX_KNOWN


@in_a_file
def test_what_the_messages_before_tell_of(store: Store) -> None:
    """What they told of comes before what was told long ago or since, though the window says only "they"."""
    others = [entity(f"thing {number}", SCOPE, type="thing") for number in range(60)]
    crew = entity("rowing crew", SCOPE, type="thing")
    (before,) = messages("I joined them.", speaker="Evan", scope=SCOPE)
    facts_ = [
        fact(EVAN, "KNOWS", crew, recorded_at=AT, evidence=(before.id,)),
        *(fact(EVAN, "KNOWS", each, recorded_at=AT, evidence=("m_x",)) for each in others),
    ]
    made = change(SCOPE, entities=[EVAN, crew, *others], facts=facts_)
    store.write(SCOPE, lambda transaction: transaction.commit(made))
    (said,) = messages("They are fun.", speaker="Evan", scope=SCOPE)
    window = Window(messages=(said,), context=(before,), speakers=("Evan",), scope=SCOPE)
    found = known_entities(window, nearby(window, store, EMBEDDER), (), store)
    assert "rowing crew" in [each.name for each in found[:3]]


@pytest.mark.parametrize(
    ("known", "given", "kept"),
    [
        ("company", "thing", "company"),
        ("company", "place", "place"),
        ("event", "book", "book"),
        ("country", "person", "person"),
        ("pet", "place", "place"),
        ("", "thing", "thing"),
        ("company", LITERAL, LITERAL),
    ],
)
def test_types_of_known_entities(known: str, given: str, kept: str) -> None:
    """A type that contradicts that of the known entity of this name gives way, unless either is a person or animal."""
    said = triple("Evan", "owns", " the SHOP ", object_type=given, subject_type="person")
    (made,) = with_known_types([said], [KnownEntity(name="The Shop", type=known)])
    assert (made.subject_type, made.object_type) == ("person", kept)


@in_a_file
def test_an_empty_memory(store: Store) -> None:
    """Nothing is known, and windows without a scope or without words are no harm."""
    assert near(store, "Hi!") == []
    assert near(filled(store), " ") == [KnownEntity(name="Evan", type="person")]
    alone = Window(messages=messages("Hi!"))
    assert nearby(alone, store, EMBEDDER) == Nearby()
    assert known_entities(alone, Nearby(), (), store) == ()


def test_as_fresh_as_can_be(file: Place, server: Server, model: Model) -> None:
    """A window is read when those before it are extracted, and is shown what they name, committed or not."""
    with opened(file, server, window=1, concurrency=2) as memory:
        list(memory.ingest(liking(3), **ANN))
    by_text = {each.texts[0]: "\n".join(shown(each)) for each in model.prompts("extract")}
    assert by_text[sentence(0)] == ""
    assert sentence(0) in by_text[sentence(1)]
    assert sentence(1) in by_text[sentence(2)]


def test_windows_read_ahead_are_handed_on() -> None:
    """An extraction is given the triples of the windows that are extracted, until the commit of each is over."""
    given: dict[str, list[str]] = {}

    def extract(window: Window, ahead: Sequence[Triple]) -> list[Triple]:
        text = window.messages[0].text
        given[text] = [each.text for each in ahead]
        return [triple("Ann", "says", text)]

    made = [Window(messages=messages(str(number))) for number in range(1, 6)]
    windows = iter(Prefetcher(made, extract, 2))
    first = next(windows)
    assert [each.triples[0].object for (each,) in (first, *windows)] == ["1", "2", "3", "4", "5"]
    assert given["1"] == []
    assert given["2"] == ["Ann says 1."], "it is yielded, and may not be committed yet"
    assert all(given[str(number)][-1] == f"Ann says {number - 1}." for number in (3, 4, 5))
    assert all(len(ahead) <= 2 for ahead in given.values())


def test_windows_extracted_at_once_are_not_handed_on() -> None:
    """With a concurrency of three two are extracted at once: the second cannot have what the first tells."""
    given: dict[str, list[str]] = {}
    both = Barrier(2)

    def extract(window: Window, ahead: Sequence[Triple]) -> list[Triple]:
        text = window.messages[0].text
        given[text] = [each.text for each in ahead]
        both.wait(20)
        return [triple("Ann", "says", text)]

    made = [Window(messages=messages(str(number))) for number in range(1, 3)]
    assert len(list(Prefetcher(made, extract, 3))) == 2
    assert given == {"1": [], "2": []}


def test_a_fact_by_hand(file: Place, server: Server, model: Model) -> None:
    """A line of text that is added by hand is read with what is known."""
    with opened(file, server) as memory:
        list(memory.ingest(liking(1), **ANN))
        memory.add_fact(sentence(1), **ANN)
    assert any("thing0" in line for line in shown(model.prompts("extract")[1]))


@in_a_file
def test_one_node_for_one_person(place: Place, server: Server, model: Model) -> None:
    """A model that answers with the known name makes one node of what is called otherwise."""

    def knowing(prompt: Prompt) -> Any:
        if "my wife" not in prompt.texts[0]:
            return good(prompt)
        (mia,) = (line for line in shown(prompt) if line.startswith("- Mia"))
        assert "Evan knows Mia." in mia
        kinds = {"Evan": "person", "Mia": "thing"}
        listed: list[Any] = [{"name": name, "type": kind, "aliases": []} for name, kind in kinds.items()]
        said = {"subject": "Evan", "relation": "married_to", "object": "Mia", "sentence": "Evan is married to Mia."}
        times = {"valid_from": None, "valid_to": None, "observed": "2024-01-02", "planned_for": None}
        rest = {"messages": [2], "retracts": False, "literal": False, "brief": None}
        return {"entities": listed, "facts": [{**said, **times, **rest}]}

    model.says(knowing, "extract")
    said = [("2024-01-01", "Evan", "Evan knows Mia."), ("2024-01-02", "Evan", "I went there with my wife.")]
    with opened(place, server, window=1, concurrency=1) as memory:
        list(memory.ingest(talk(*said), **ANN))
        assert [each.name for each, _ in memory.store.list_entities(SCOPE, 10)] == ["Evan", "Mia"]
        assert [str(each.observed) for each in memory.facts(**ANN)] == ["None", "2024-01-02"]


@in_a_file
def test_a_value_is_no_node(place: Place, server: Server, model: Model) -> None:
    """A literal object, told to the model's own schema, is stored as one and never shown as known."""

    def old(prompt: Prompt) -> Any:
        told = [{**each, "object": "seven years old", "literal": True} for each in facts(prompt)]
        listed = [each for each in entities(prompt) if not each["name"].startswith("thing")]
        return call({"entities": listed, "facts": told}, name="remember")

    model.says(old, "extract", 1)
    with opened(place, server, window=1, concurrency=1) as memory:
        list(memory.ingest(liking(2), **ANN))
        first, _ = memory.facts(**ANN)
        assert (first.object, first.object_is_literal) == ("seven years old", True)
    assert "seven years old" not in "".join(shown(model.prompts("extract")[1]))


@in_a_file
@pytest.mark.parametrize("planned", ["2024-03", "2025"])
def test_a_plan_over_http(place: Place, server: Server, model: Model, planned: str) -> None:
    """A plan's time and short clause come from the reply to the fact."""

    def plans(prompt: Prompt) -> Any:
        told = [{**each, "planned_for": planned, "brief": "likes it much"} for each in facts(prompt)]
        return {"entities": entities(prompt), "facts": told}

    model.says(plans, "extract")
    with opened(place, server) as memory:
        list(memory.ingest(liking(1), **ANN))
        (found,) = memory.facts(**ANN)
        assert (str(found.planned_for), found.brief, found.valid_from) == (planned, "likes it much", None)
