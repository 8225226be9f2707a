"""The two ends of a triple as mentions: each with its owner put first, its kind, and what to look up for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from mem0g.model import Triple
from mem0g.relations.registry import seeds
from mem0g.resolve.kinds import GROUP, IDEA, PERSON, UNKNOWN, kind_of
from mem0g.resolve.lookups import other_names, other_tokens
from mem0g.resolve.names import Name, has_pronoun_owner, is_somebodys, owned_by, parse, spellings
from mem0g.text.names import fold, name_tokens, normal_relation

_ALIAS: Final = "ALSO_KNOWN_AS"
_SELF: Final = frozenset("i me my mine myself self user".split())
_ROLE_NAMES: Final = frozenset("assistant system tool".split())
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
    def told(self) -> str:
        """The sentence, as far as it tells by itself that two names mean one thing; the relation may say otherwise."""
        return "" if self.triple.retracts or names_an_alias(self.triple) else self.triple.text

    @property
    def whose(self) -> Name | None:
        """The name with ``about`` as its owner, for a common noun that has none: "the studio" in a fact about Jon.

        Ideas have no owner: art is not Caroline's art.
        """
        bare = not self.parsed.owner and not self.parsed.proper and self.kind != IDEA
        return parse(owned_by(self.about, self.name)) if self.about and bare else None

    @property
    def people(self) -> frozenset[str]:
        """The folded names of its owner; without one, of the person that the other end is and of that one's owner."""
        about = parse(self.about) if self.about and not self.parsed.owner else None
        return frozenset({self.parsed.owner, *((about.key, about.owner) if about else ())} - {""})


def mentions(triple: Triple, speakers: Collection[str] = ()) -> tuple[Mention, Mention]:
    """Subject and object of a triple as mentions; "I" is the speaker, where one speaks."""
    me = who_speaks(speakers)
    subject = (_meant(triple.subject, triple.subject_type, me), triple.subject_type)
    obj = (_meant(triple.object, triple.object_type, me), triple.object_type)
    return _mention(triple, subject, obj), _mention(triple, obj, subject)


def who_speaks(speakers: Collection[str]) -> str:
    """The one speaker, assistants and tools not counted; "" where several speak, or nobody."""
    people = {each for each in speakers if fold(each) not in _ROLE_NAMES}
    return people.pop() if len(people) == 1 else ""


def queries(triples: Iterable[Triple], speakers: Collection[str] = ()) -> tuple[NameQuery, ...]:
    """The distinct names of the triples' ends with what to look up for each, in order of appearance."""
    found: dict[str, NameQuery] = {}
    for triple in triples:
        for mention in mentions(triple, speakers):
            query = _query(mention)
            known = found.setdefault(fold(query.name), query)
            found[fold(query.name)] = replace(known, names=tuple(sorted({*known.names, *query.names})))
    return tuple(found.values())


def names_an_alias(triple: Triple) -> bool:
    """Whether a triple says that its object is another name of its subject."""
    return not triple.retracts and normal_relation(triple.relation) in _alias_relations()


@cache
def _alias_relations() -> frozenset[str]:
    return frozenset(name for seed in seeds() if seed.name == _ALIAS for name in (_ALIAS, *seed.synonyms))


def _mention(triple: Triple, end: tuple[str, str], other: tuple[str, str]) -> Mention:
    given = " ".join(end[0].split())
    about = " ".join(other[0].split()) if _is_somebody(*other) else ""
    needs_owner = has_pronoun_owner(given) or (is_somebodys(given) and kind_of(end[1]) in (PERSON, GROUP, UNKNOWN))
    name = owned_by(about, given) if about and needs_owner else given
    return Mention(given=given, name=name, type=end[1].strip(), about=about, triple=triple)


def _meant(name: str, type_name: str, me: str) -> str:
    return me if me and fold(name) in _SELF and kind_of(type_name) in (PERSON, UNKNOWN) else name


def _is_somebody(name: str, type_name: str) -> bool:
    """Whether it is a person known by a name of their own, or by whose they are ("Caroline's mom")."""
    kind = kind_of(type_name)
    if fold(name) in _PRONOUNS:
        return False
    return kind in (PERSON, UNKNOWN) and (parse(name).proper or (kind == PERSON and bool(parse(name).owner)))


def _query(mention: Mention) -> NameQuery:
    parsed, whose = mention.parsed, mention.whose
    names = {*spellings(parsed), *(spellings(whose) if whose else ()), *other_names(parsed, mention.kind)}
    tokens = name_tokens(mention.name) | other_tokens(parsed, mention.kind)
    if parsed.owner:  # the owner's name is shared by all that is theirs: look for the thing
        tokens = name_tokens(" ".join(parsed.words)) or tokens
    return NameQuery(name=mention.name, names=tuple(sorted(names)), tokens=tokens)
