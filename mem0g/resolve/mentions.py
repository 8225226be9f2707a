"""The two ends of a triple as mentions: each with its owner put first, its kind, and what to look up for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from mem0g.model import Triple
from mem0g.names import fold
from mem0g.resolve.kinds import GROUP, IDEA, PERSON, UNKNOWN, kind_of
from mem0g.resolve.names import Name, has_pronoun_owner, is_somebodys, name_tokens, owned_by, parse, spellings

_PRONOUNS: Final = frozenset("i me myself you yourself we us he him she her they them it everyone somebody".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuery:
    """A name whose candidates are needed.

    ``name`` as it will be stored, to be embedded; ``names`` are folded names to look up exactly, sorted; ``tokens``
    those by which names that share a word are found (`name_tokens`).
    """

    name: str
    names: tuple[str, ...]
    tokens: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An end of a triple: ``name`` is what is meant ("Caroline's friends"), ``given`` what it says ("her friends").

    ``about`` is the person that the other end of the triple is, "" if it is none.
    """

    given: str
    name: str
    type: str
    about: str
    triple: Triple

    @property
    def parsed(self) -> Name:
        """The name taken apart."""
        return parse(self.name)

    @property
    def kind(self) -> str:
        """The kind of its type."""
        return kind_of(self.type)

    @property
    def whose(self) -> Name | None:
        """The name with ``about`` as its owner, for a common noun that has none: "the studio" in a fact about Jon.

        Ideas have no owner: art is not Caroline's art.
        """
        bare = not self.parsed.owner and not self.parsed.proper and self.kind != IDEA
        return parse(owned_by(self.about, self.name)) if self.about and bare else None


def mentions(triple: Triple) -> tuple[Mention, Mention]:
    """Subject and object of a triple as mentions."""
    subject = (triple.subject, triple.subject_type)
    obj = (triple.object, triple.object_type)
    return _mention(triple, subject, obj), _mention(triple, obj, subject)


def queries(triples: Iterable[Triple]) -> tuple[NameQuery, ...]:
    """The distinct names of the triples' ends with what to look up for each, in order of appearance."""
    found: dict[str, NameQuery] = {}
    for triple in triples:
        for mention in mentions(triple):
            query = _query(mention)
            known = found.setdefault(fold(query.name), query)
            found[fold(query.name)] = replace(known, names=tuple(sorted({*known.names, *query.names})))
    return tuple(found.values())


def _mention(triple: Triple, end: tuple[str, str], other: tuple[str, str]) -> Mention:
    given = " ".join(end[0].split())
    about = " ".join(other[0].split()) if _is_somebody(*other) else ""
    needs_owner = has_pronoun_owner(given) or (is_somebodys(given) and kind_of(end[1]) in (PERSON, GROUP, UNKNOWN))
    name = owned_by(about, given) if about and needs_owner else given
    return Mention(given=given, name=name, type=end[1].strip(), about=about, triple=triple)


def _is_somebody(name: str, type_name: str) -> bool:
    """Whether it is a person known by a name of their own, or by whose they are ("Caroline's mom")."""
    kind = kind_of(type_name)
    if fold(name) in _PRONOUNS:
        return False
    return kind in (PERSON, UNKNOWN) and (parse(name).proper or (kind == PERSON and bool(parse(name).owner)))


def _query(mention: Mention) -> NameQuery:
    parsed, whose = mention.parsed, mention.whose
    names = {*spellings(parsed), *(spellings(whose) if whose else ())}
    tokens = name_tokens(mention.name)
    if parsed.owner:  # the owner's name is shared by all that is theirs: look for the thing
        tokens = name_tokens(" ".join(parsed.words)) or tokens
    return NameQuery(name=mention.name, names=tuple(sorted(names)), tokens=tokens)
