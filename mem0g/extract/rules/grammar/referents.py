"""What the words after a verb name, and the form of the readers that find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mem0g.extract.rules.grammar.noun_phrases import NounPhrase
from mem0g.extract.rules.grammar.nouns import animal, kind_of
from mem0g.extract.rules.grammar.people import Turn


@dataclass(frozen=True, slots=True)
class Referent:
    """What a noun phrase names: object and object type of a triple, its words in the message, and how many they are."""

    name: str
    type: str
    words: str
    length: int


Reader = Callable[[str, Turn], tuple[Referent, ...]]


def referents_of(phrases: tuple[NounPhrase, ...], kind: str = "") -> tuple[Referent, ...]:
    """Return what noun phrases name, of the type ``kind`` if it is given."""
    return tuple(Referent(p.name, kind or animal(p.name) or kind_of(p.name), p.words, p.length) for p in phrases)
