"""Readers of places by their names, also in a message without capitals: "the suburbs of Lyon" is Lyon."""

from __future__ import annotations

import re
from dataclasses import replace

from mem0g.extract.rules.grammar.noun_phrases import NO_NOUNS, NounPhrase, propers
from mem0g.extract.rules.grammar.nouns import TOOLS
from mem0g.extract.rules.grammar.people import Turn
from mem0g.extract.rules.grammar.referents import Reader, Referent, referents_of


def place(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a place by its proper name."""
    if re.match(r"(?:the )?(?:[A-Z][a-z]+)'s ", rest) or _NO_PLACE.match(rest):
        return ()
    found = propers(rest)
    if not found and not turn.cased and (match := _UNCASED_PLACE.match(rest)):
        found = (NounPhrase(match[1].title(), match[1], len(match[1].split())),)
    return tuple(_without_addressee(each, turn) for each in referents_of(found, "place"))


def _without_addressee(place: Referent, turn: Turn) -> Referent:
    """Return the place without somebody who is spoken to: "in Porto, Martin"."""
    name, comma, other = place.name.rpartition(", ")
    if not comma or other not in (turn.addressee, *turn.others):
        return place
    words = place.words.removesuffix(other).rstrip(" ,")
    return Referent(name, place.type, words, len(words.split()))


_NO_PLACE = re.compile(
    rf"the [A-Z][\w-]+ (?!(?:and|{'|'.join(sorted(NO_NOUNS))})\b)[a-z]|[A-Z]\w+ \d|(?:{'|'.join(sorted(TOOLS))})\b"
)
"""A name that describes something ("the Leeds office"), a number of a series ("Floor 3"), or a tool."""


_UNCASED_PLACE = re.compile(
    r"(?!the |an? |my |our |this |that |your |his |her "
    r"|(?:it|her|him|them|me|us|you|bed|fear|peace|home|school|work|uni|university|college|town|hospital|church)\b"
    r"|(?:some|any|every|no)(?:one|body|thing|where)\b)"
    r"([a-z]{3,}(?: (?!(?:now|again|today|soon|last|next|since|then|lol|tho|though|with|for|because)\b)[a-z]{3,})?)"
    r"(?: now)?(?=$|,| \u27e6| and | but )"
)
"""A place in a message without capitals: the words up to the end of the clause."""


_PART_OF_PLACE = re.compile(
    r"(?:an?|the|my|our) (?:[\w-]+ ){0,3}?(?:village|town|suburbs?|outskirts|centre|center|middle|heart|north|south"
    r"|east|west|part)(?: (?:in|of)(?: (?:central|downtown|rural|northern|southern|eastern|western))?| called| named)"
    r" (?=[A-Z])"
)
"""A part of a place, and the preposition before the place's name. Not "a flat in", which may be followed by a quarter
of the town that somebody lives in."""


def home(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a place that somebody lives in or comes from, by its name: "the suburbs of Lyon" is Lyon."""
    return after(_PART_OF_PLACE.match(rest), rest, place, turn)


def after(match: re.Match[str] | None, rest: str, read: Reader, turn: Turn) -> tuple[Referent, ...]:
    """Return what ``read`` finds after the match, the words of which it then has, too; in all of ``rest`` if None."""
    if match is None:
        return read(rest, turn)
    found = read(rest[match.end() :], turn)
    return tuple(
        replace(each, words=match[0] + each.words, length=each.length + len(match[0].split())) for each in found
    )
