"""A generated memory of any size: people, what they did and when; the same for the same seed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from typing import NamedTuple

from mem0g import Moment, Triple, Utterance

START = datetime(2020, 1, 1, tzinfo=UTC)
DAYS = 1800
FACTS_PER_MESSAGE = 2
MESSAGES_PER_SESSION = 20

GIVEN = "Ada Ben Chloe Dmitri Elif Farid Grace Hugo Ines Jonas Keiko Lars Mona Nadia Oscar Priya".split()
FAMILY = "Abbott Berg Costa Duarte Eriksen Fischer Grant Haddad Ito Jansen Khan Lindqvist Moreau".split()


class Kind(NamedTuple):
    """A kind of event: its verb, its question, and the type and names of its objects."""

    relation: str
    verb: str
    asked: str
    object_type: str
    objects: tuple[str, ...]


def _each(first: str, second: str) -> tuple[str, ...]:
    return tuple(" ".join(pair) for pair in product(first.split(), second.split()))


_OLD = "old small red blue broken borrowed wooden Italian"
KINDS = (
    Kind("visited", "visited", "When did {} visit {}?", "city", tuple("Lisbon Oslo Kyoto Quito Perth Turin".split())),
    Kind("bought", "bought the", "When did {} buy the {}?", "thing", _each(_OLD, "bicycle lamp camera tent guitar")),
    Kind("cooked", "cooked", "When did {} cook {}?", "dish", _each("spicy vegan cold quick", "curry soup pie stew")),
    Kind(
        "read",
        "read the novel",
        "When did {} read the novel {}?",
        "book",
        _each("Dark Far Last", "Harbor Tide Orchard"),
    ),
    Kind(
        "watched",
        "watched the film",
        "When did {} watch the film {}?",
        "film",
        _each("Iron Lost", "Circus River Bride"),
    ),
    Kind("repaired", "repaired the", "When did {} repair the {}?", "thing", _each(_OLD, "clock radio boat roof stove")),
    Kind(
        "attended",
        "attended a",
        "When did {} attend a {}?",
        "event",
        _each("jazz poetry chess", "evening workshop fair"),
    ),
    Kind(
        "photographed",
        "photographed a",
        "When did {} photograph a {}?",
        "animal",
        _each("grey wild young", "heron fox owl"),
    ),
)


class Event(NamedTuple):
    """An event: a person, a kind, an object and a day."""

    person: str
    kind: Kind
    thing: str
    day: datetime

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        return f"{self.person} {self.kind.verb} {self.thing} on {self.day.day} {self.day:%B %Y}."

    @property
    def question(self) -> str:
        """The question that the event's day answers."""
        return self.kind.asked.format(self.person, self.thing)


@dataclass(frozen=True, slots=True)
class World:
    """Messages, the triples that they state, and questions about these."""

    utterances: tuple[Utterance, ...]
    triples: tuple[Triple, ...]
    questions: tuple[str, ...]


def world(facts: int, questions: int, seed: int) -> World:
    """Generate ``facts`` distinct facts, two to a message, and ``questions`` questions, each about one of them."""
    random = Random(seed)  # noqa: S311 - not used for secrets
    events: dict[Event, None] = {}
    while len(events) < facts:
        events[drawn_event(random)] = None
    drawn = list(events)
    messages = [drawn[start : start + FACTS_PER_MESSAGE] for start in range(0, facts, FACTS_PER_MESSAGE)]
    asked = random.sample(drawn, min(questions, facts))
    return World(
        utterances=tuple(_utterance(place, stated) for place, stated in enumerate(messages)),
        triples=tuple(triple_of(event, _source_id(place)) for place, stated in enumerate(messages) for event in stated),
        questions=tuple(event.question for event in asked),
    )


def drawn_event(random: Random) -> Event:
    """Draw an event."""
    kind = random.choice(KINDS)
    person = f"{random.choice(GIVEN)} {random.choice(FAMILY)}"
    return Event(person, kind, random.choice(kind.objects), START + timedelta(days=random.randrange(DAYS)))


def _utterance(place: int, stated: list[Event]) -> Utterance:
    session, position = divmod(place, MESSAGES_PER_SESSION)
    return Utterance(
        source="synthetic",
        session=str(session),
        position=position,
        speaker="Ada Abbott" if position % 2 else "Ben Berg",
        role="user",
        text=" ".join(event.sentence for event in stated),
        time=START + timedelta(days=DAYS, hours=session, minutes=position),
        source_id=_source_id(place),
    )


def triple_of(event: Event, message: str) -> Triple:
    """Return what an event's sentence states, in the message of that id."""
    return Triple(
        subject=event.person,
        subject_type="person",
        relation=event.kind.relation,
        object=event.thing,
        object_type=event.kind.object_type,
        text=event.sentence,
        valid_from=Moment(event.day, "day"),
        evidence=(message,),
    )


def _source_id(place: int) -> str:
    return f"S:{place}"
