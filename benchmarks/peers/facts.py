"""What all systems are given: facts that are there before, pairs of messages that state five each, and questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from benchmarks.synthetic import DAYS, START, Event, drawn_event
from mem0g.errors import InputError

FACTS_PER_PAIR = 5

THANKS = "Thank you, I will remember that."
"""What the assistant says in each pair."""

MOST = 20_000
"""Facts that can be drawn: there are 28,080 combinations of a person, a verb and an object."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A message of the user and the assistant's answer, ``number`` in the order of all pairs."""

    number: int
    events: tuple[Event, ...]

    @property
    def time(self) -> datetime:
        """When the user wrote."""
        return START + timedelta(days=DAYS, minutes=2 * self.number)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages as in the OpenAI API."""
        said = " ".join(event.sentence for event in self.events)
        return [{"role": "user", "content": said}, {"role": "assistant", "content": THANKS}]


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a run: ``loaded`` are in the store before the ``pairs`` are added. No triple occurs twice."""

    loaded: tuple[Event, ...]
    pairs: tuple[Pair, ...]

    @property
    def added(self) -> list[Event]:
        """The events of all pairs, in order."""
        return [event for pair in self.pairs for event in pair.events]

    def of_first(self, pairs: int) -> Facts:
        """Return the facts as they are when only so many pairs have been added."""
        return Facts(self.loaded, self.pairs[:pairs])

    def asked(self, count: int, seed: int) -> list[Event]:
        """Draw the events to ask for: of what was loaded and what was added, half each where there are enough."""
        random = Random(seed)  # noqa: S311 - not used for secrets
        loaded = random.sample(self.loaded, min(count // 2, len(self.loaded)))
        added = random.sample(self.added, min(count - len(loaded), len(self.added)))
        asked = [*loaded, *added]
        random.shuffle(asked)
        return asked


def draw(loaded: int, pairs: int, seed: int) -> Facts:
    """Draw facts; the pairs are the same for any number of facts that are ``loaded``.

    Raises InputError for more facts than there are.
    """
    added = FACTS_PER_PAIR * pairs
    if loaded + added > MOST:
        raise InputError(f"{loaded + added} facts are too many", hint=f"{MOST} can be drawn, with those of the pairs")
    drawn = list(_distinct(loaded + added, Random(seed)))  # noqa: S311 - not used for secrets
    parts = (drawn[start : start + FACTS_PER_PAIR] for start in range(0, added, FACTS_PER_PAIR))
    return Facts(tuple(drawn[added:]), tuple(Pair(number, tuple(part)) for number, part in enumerate(parts)))


def _distinct(count: int, random: Random) -> Iterator[Event]:
    """Yield events that differ in their person, kind or object, so that each question has one answer."""
    seen: set[tuple[str, str, str]] = set()
    while len(seen) < count:
        event = drawn_event(random)
        if (key := normal(triple(event))) not in seen:
            seen.add(key)
            yield event


def triple(event: Event) -> tuple[str, str, str]:
    """Return subject, relation and object of an event."""
    return event.person, event.kind.relation, event.thing


def normal(found: Sequence[str]) -> tuple[str, str, str]:
    """Return a triple as it compares between systems: lower case, spaces for underscores."""
    subject, relation, object_ = (" ".join(part.replace("_", " ").casefold().split()) for part in found)
    return subject, relation, object_


def described(event: Event) -> dict[str, Any]:
    """Return an event as JSON for a child process."""
    subject, relation, object_ = triple(event)
    return {
        "subject": subject,
        "subject_type": "person",
        "relation": relation,
        "object": object_,
        "object_type": event.kind.object_type,
        "text": event.sentence,
        "day": event.day.date().isoformat(),
    }
