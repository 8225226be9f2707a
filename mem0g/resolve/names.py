"""Names as node matching sees them: owner and thing owned, kin words, heads, numbers, tokens to look up."""

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
_OWNED: Final = re.compile(r"(?P<owner>.+?)(?:'s|(?<=s)') (?P<thing>.+)")
_EDGES: Final = " .,;:!?\"“”„«»()[]'`*-–—/|"


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart.

    ``owner`` is whose it is, folded ("caroline" of "Caroline's friends", "" of a name without owner); ``words`` are
    the folded words of what is owned, without article, punctuation at the edges and hyphens, kin in one spelling;
    ``head`` is the word that says what it is ("trip" of "camping trip in June"); ``marks`` are its numbers, dates and
    contrasting words, ``roles`` its kin words. ``proper`` says that it is written as a proper name.
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
        """What equal names have in common, whatever their spelling."""
        return f"{self.owner}'s {' '.join(self.words)}" if self.owner else " ".join(self.words)


@lru_cache(maxsize=65536)
def parse(text: str) -> Name:
    """Take a name apart."""
    text = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    bare = _ARTICLE.sub("", fold(text), count=1)
    owner, thing = _split_owner(bare)
    words = _words(thing)
    if owner:
        words = tuple(KIN_SPELLINGS.get(word, [word])[0] for word in words)
    return Name(
        text=text,
        owner=owner,
        words=words,
        head=_head(words),
        marks=frozenset(word for word in words if word in _MARKS or any(char.isdigit() for char in word)),
        roles=frozenset(KIN_SPELLINGS.get(word, [word])[0] for word in words if word in KIN),
        proper=_is_proper(text),
    )


def owned_by(owner: str, name: str) -> str:
    """The name with its owner in place of "her", "his", "my"...: of Caroline and 'her friends' "Caroline's friends"."""
    text = " ".join(name.split())
    match = _POSSESSIVES.match(text.casefold()) or _ARTICLE.match(text.casefold())
    return f"{owner}'s {text[match.end() :] if match else text}"


def has_pronoun_owner(name: str) -> bool:
    """Whether a name says "her", "his", "my"... in front and means nothing without an owner: not 'My Little Pony'."""
    match = _POSSESSIVES.match(fold(name))
    return match is not None and (not _is_proper(name) or is_somebodys(fold(name)[match.end() :]))


def is_somebodys(name: str) -> bool:
    """Whether a name is nothing but words for kin and close ones, so that somebody's are meant: 'wife and kids'.

    "a sister" is not: it may be anybody's.
    """
    words = [word for word in fold(name).removeprefix("the ").split() if word != "and"]
    return bool(words) and all(word in OWN_KIN for word in words)


def spellings(name: Name) -> tuple[str, ...]:
    """The folded names under which a store may know it, sorted: with and without article, kin in each spelling."""
    key = name.key
    found = {fold(name.text), key}
    if not name.owner:
        found |= {f"the {key}", f"a {key}", f"an {key}"}
    for at, word in enumerate(name.words if name.owner else ()):
        for other in KIN_SPELLINGS.get(word, ()):
            found.add(f"{name.owner}'s {' '.join((*name.words[:at], other, *name.words[at + 1 :]))}")
    return tuple(sorted(found))


def _split_owner(bare: str) -> tuple[str, str]:
    """Owner and thing; of a chain ("caroline's mom's dog") the owner is all but the last, as far as it is kin."""
    match = _OWNED.fullmatch(bare)
    if match is None or not _PREPOSITIONS.isdisjoint(match["owner"].split()):
        return "", bare  # in "opening of Jon's studio" it is the studio that is Jon's
    owner, thing = match["owner"], match["thing"]
    deeper = _OWNED.fullmatch(thing)
    if deeper and deeper["owner"] in KIN:
        kin = KIN_SPELLINGS.get(deeper["owner"], [deeper["owner"]])[0]
        return f"{owner}'s {kin}", deeper["thing"]
    return owner, thing


def _words(thing: str) -> tuple[str, ...]:
    dotted = re.sub(r"\b(?:\w\.){2,}", lambda match: match[0].replace(".", ""), thing)
    spaced = re.sub(r"(?<=\w)[-–—](?=\w)", " ", dotted).replace("&", " and ")
    words = tuple(word for part in spaced.split() if (word := part.strip(_EDGES)))
    return words or (thing,)


def _head(words: tuple[str, ...]) -> str:
    end = next((at for at, word in enumerate(words) if at and word in _PREPOSITIONS), len(words))
    return words[end - 1]


def _is_proper(text: str) -> bool:
    """Whether its words are capitalised, small ones aside; true of scripts without capitals."""
    words = [
        word
        for word in re.findall(r"[^\W\d_][\w'.-]*", text)
        if word.casefold() not in SMALL_WORDS and word not in _PARTICLES
    ]
    return bool(words) and all(not word[0].islower() for word in words)
