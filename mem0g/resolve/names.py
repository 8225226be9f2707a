"""Names parsed for node matching: owner and what is owned, head noun, words for relatives, numbers and dates."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mem0g.text.english import (
    AMBIGUOUS_NAME_PARTICLES,
    KIN,
    KIN_SPELLINGS,
    MONTHS,
    NAME_PARTICLES,
    NUMBERS,
    ORDINALS,
    OWN_KIN,
    WEEKDAYS,
)
from mem0g.text.names import SMALL_WORDS, fold

_ORDINALS: Final = (
    *ORDINALS[:10],
    *NUMBERS[1:],
    *"last next previous final other another both hundred thousand half double".split(),
)
_DATES: Final = (
    *(month for month in MONTHS if month != "may"),
    *WEEKDAYS,
    *"morning afternoon evening night spring summer autumn fall winter christmas easter thanksgiving halloween".split(),
    *"today yesterday tomorrow".split(),
)
_CONTRASTS: Final = (
    "old new older younger elder big little small large left right male female black white red green blue "
    "yellow orange purple pink brown grey gray early late online offline northern southern eastern "
    "western north south east west not no never former ex future".split()
)
_MARKS: Final = frozenset((*_ORDINALS, *_DATES, *_CONTRASTS))
_PREPOSITIONS: Final = frozenset(
    "about after against around at because before by during for from in into like near of on over through to under "
    "when where while who whose with without".split()
)
_PARTICLES: Final = NAME_PARTICLES | AMBIGUOUS_NAME_PARTICLES
_POSSESSIVES: Final = re.compile(r"(?:his|her|their|our|my|its) (?=\S)")
_ARTICLE: Final = re.compile(r"\A(?:the|an?) (?=\S)")
_OWNED: Final = re.compile(r"(?P<owner>.+?)(?:'s|(?<=s)') (?P<owned>.+)")
_EDGES: Final = " .,;:!?\"“”„«»()[]'`*-–—/|"


@dataclass(frozen=True, slots=True)
class ParsedName:
    """A parsed name.

    ``text`` is the name as given, in Unicode form NFKC. ``owner`` is the folded owner: "caroline" in "Caroline's
    friends", "" in a name without one. ``words`` are the folded words of what is owned, without article, outer
    punctuation and hyphens, with one word for each relative (mom, mum, mother). ``head`` is the head noun: "trip" in
    "camping trip in June". ``marks`` are its numbers, dates and contrasting words ("old", "left"), ``roles`` its words
    for relatives. ``proper``: it is written as a proper name.
    """

    text: str
    owner: str
    words: tuple[str, ...]
    head: str
    marks: frozenset[str]
    roles: frozenset[str]
    proper: bool

    @property
    def key(self) -> str:
        """What names that are equal but for spelling have in common: the owner and the words."""
        return f"{self.owner}'s {' '.join(self.words)}" if self.owner else " ".join(self.words)


@lru_cache(maxsize=65536)
def parse(text: str) -> ParsedName:
    """Parse a name."""
    text = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    bare = _ARTICLE.sub("", fold(text), count=1)
    owner, owned = _split_owner(bare)
    words = _words(owned)
    if owner:
        words = tuple(KIN_SPELLINGS.get(word, [word])[0] for word in words)
    return ParsedName(
        text=text,
        owner=owner,
        words=words,
        head=_head(words),
        marks=frozenset(word for word in words if word in _MARKS or any(char.isdigit() for char in word)),
        roles=frozenset(KIN_SPELLINGS.get(word, [word])[0] for word in words if word in KIN),
        proper=_is_proper(text),
    )


def owned_by(owner: str, name: str) -> str:
    """Return the name with its owner for a possessive pronoun or article: "Caroline's friends" for 'her friends'."""
    text = " ".join(name.split())
    match = _POSSESSIVES.match(text.casefold()) or _ARTICLE.match(text.casefold())
    return f"{owner}'s {text[match.end() :] if match else text}"


def has_possessive_pronoun(name: str) -> bool:
    """Whether a name begins with a possessive pronoun and needs an owner to mean something: not 'My Little Pony'."""
    match = _POSSESSIVES.match(fold(name))
    return match is not None and (not _is_proper(name) or is_bare_relative(fold(name)[match.end() :]))


def is_bare_relative(name: str) -> bool:
    """Whether a name is nothing but words for relatives and friends, so that it implies an owner: 'wife and kids'.

    'a sister' does not: she may be anybody's.
    """
    words = [word for word in fold(name).removeprefix("the ").split() if word != "and"]
    return bool(words) and all(word in OWN_KIN for word in words)


def spellings(name: ParsedName) -> tuple[str, ...]:
    """Return the folded names it may be stored under, sorted: with and without article, all words for a relative."""
    key = name.key
    found = {fold(name.text), key}
    if not name.owner:
        found |= {f"the {key}", f"a {key}", f"an {key}"}
    for at, word in enumerate(name.words if name.owner else ()):
        for other in KIN_SPELLINGS.get(word, ()):
            found.add(f"{name.owner}'s {' '.join((*name.words[:at], other, *name.words[at + 1 :]))}")
    return tuple(sorted(found))


def _split_owner(bare: str) -> tuple[str, str]:
    """Return the owner and what is owned; in "caroline's mom's dog" the owner is "caroline's mom"."""
    match = _OWNED.fullmatch(bare)
    if match is None or not _PREPOSITIONS.isdisjoint(match["owner"].split()):
        return "", bare  # in "opening of Jon's studio" it is the studio that is Jon's
    owner, owned = match["owner"], match["owned"]
    deeper = _OWNED.fullmatch(owned)
    if deeper and deeper["owner"] in KIN:
        kin = KIN_SPELLINGS.get(deeper["owner"], [deeper["owner"]])[0]
        return f"{owner}'s {kin}", deeper["owned"]
    return owner, owned


def _words(owned: str) -> tuple[str, ...]:
    dotted = re.sub(r"\b(?:\w\.){2,}", lambda match: match[0].replace(".", ""), owned)
    spaced = re.sub(r"(?<=\w)[-–—](?=\w)", " ", dotted).replace("&", " and ")
    words = tuple(word for part in spaced.split() if (word := part.strip(_EDGES)))
    return words or (owned,)


def _head(words: tuple[str, ...]) -> str:
    end = next((at for at, word in enumerate(words) if at and word in _PREPOSITIONS), len(words))
    return words[end - 1]


def _is_proper(text: str) -> bool:
    """Whether its words but small ones are capitalised; True for scripts without capitals."""
    words = [
        word
        for word in re.findall(r"\b[^\W\d_][\w'.-]*", text)
        if word.casefold() not in SMALL_WORDS and word not in _PARTICLES
    ]
    return bool(words) and all(not word[0].islower() for word in words)
