"""States that had ended when they were told, in triples and in the words of a conversation."""

from __future__ import annotations

from mem0g.memory import Memory
from mem0g.model import Triple
from mem0g.times import Moment
from tests.making import EMBEDDER, triple
from tests.pipeline.telling import ANN, Place


def home(city: str, begin: str, end: str) -> Triple:
    """A triple about Ann's home, said in the one message."""
    times = {"valid_from": Moment.parse(begin), "valid_to": Moment.parse(end)}
    return triple("Ann", "lives_in", city, f"Ann lives in {city}.", evidence=("1",), **times)


def test_a_home_that_was_over_when_told(place: Place) -> None:
    """It is retired from the start, by when its message was said; other relations may be of events, and stay."""
    said = {"role": "user", "name": "Ann", "content": "Hello!", "timestamp": "2024-01-01T12:00:00Z", "id": "1"}
    jazz = {"valid_from": Moment.parse("2023-05-03"), "valid_to": Moment.parse("2023-05-05")}
    triples = [
        home("Oslo", "2010", "2015"),
        home("Rome", "2016", "2024-06"),
        triple("Ann", "performs_at", "Jazz Week", "Ann performs at Jazz Week.", evidence=("1",), **jazz),
    ]
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as memory:
        memory.add([said], **ANN)
        report = memory.add_triples(triples, **ANN)
        assert (report.facts, report.retired) == (3, 1)
        assert {each.object for each in memory.facts(**ANN)} == {"Rome", "Jazz Week"}
        homes = [
            [each.object for each in memory.facts(relation="lives_in", as_of=year, **ANN)] for year in ("2012", "2017")
        ]
        assert homes == [["Oslo"], ["Rome"]]
        assert memory.add_triples(triples, **ANN).facts == 0
        assert memory.verify() == ()


def test_triples_that_are_retired_whatever_their_relation(place: Place) -> None:
    """If asked, an end that had passed when the message was said retires a state of which there may be several."""
    said = {"role": "user", "name": "Ann", "content": "Hello!", "timestamp": "2024-01-01T12:00:00Z", "id": "1"}
    owned = [
        triple("Ann", "owns", what, f"Ann owns {what}.", evidence=("1",), valid_to=Moment.parse(end))
        for what, end in (("a car", "2015"), ("a boat", "2024-06"))
    ]
    with Memory.open(place.address, embedder=EMBEDDER, extractor="none", credentials=place.credentials) as memory:
        memory.add([said], **ANN)
        memory.add_triples(owned, retire_ended=True, **ANN)
        assert [each.object for each in memory.facts(**ANN)] == ["a boat"]
