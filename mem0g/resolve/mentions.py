"""The two ends of a triple as mentions: names with their owner put first, and the kind of thing they are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

from mem0g.model import Triple
from mem0g.relations.parsing import parse_relation
from mem0g.relations.relation_type import seeds
from mem0g.resolve.kinds import GROUP, IDEA, PERSON, UNKNOWN, kind_of
from mem0g.resolve.names import ParsedName, has_possessive_pronoun, is_bare_relative, owned_by, parse
from mem0g.text.names import fold, normal_relation
from mem0g.times import Moment

ALIAS: Final = "ALSO_KNOWN_AS"
"""The relation of another name; such facts are compared exactly, and never asked about."""

_SELF: Final = frozenset("i me my mine myself self user".split())
_ROLE_NAMES: Final = frozenset("assistant system tool".split())
_PRONOUNS: Final = frozenset("i me myself you yourself we us he him she her they them it everyone somebody".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An end of a triple: ``given`` is its text ("her friends"), ``name`` what it stands for ("Caroline's friends").

    ``about`` is the name of the person at the other end of the triple, "" if there is none.
    """

    given: str
    name: str
    type: str
    about: str
    triple: Triple

    @property
    def parsed(self) -> ParsedName:
        """The name, parsed."""
        return parse(self.name)

    @property
    def kind(self) -> str:
        """The kind of its type, one of mem0g.resolve.kinds; "" if it is not known."""
        return kind_of(self.type)

    @property
    def statement(self) -> str:
        """The triple's sentence, "" where its relation already says whether two names mean one entity."""
        return "" if self.triple.retracts or states_alias(self.triple) else self.triple.text

    @property
    def date(self) -> Moment | None:
        """When its triple is true or planned for; None for other plans, whose date may be that of the planning."""
        if self.triple.planned_for or is_ahead(self.triple.relation):
            return self.triple.planned_for
        return self.triple.valid_from

    @property
    def with_implied_owner(self) -> ParsedName | None:
        """The name with ``about`` as its owner, for a common noun without owner: "the studio" in a fact about Jon.

        None for other names, and for ideas: art is not Caroline's art.
        """
        bare = not self.parsed.owner and not self.parsed.proper and self.kind != IDEA
        return parse(owned_by(self.about, self.name)) if self.about and bare else None

    @property
    def people(self) -> frozenset[str]:
        """The folded name of its owner; without one, of the person at the other end and of that person's owner."""
        about = parse(self.about) if self.about and not self.parsed.owner else None
        return frozenset({self.parsed.owner, *((about.key, about.owner) if about else ())} - {""})


def mentions(triple: Triple, speakers: Collection[str] = ()) -> tuple[Mention, Mention]:
    """Return the subject and the object of a triple as mentions; "I" is the speaker where there is only one.

    A relative's word that somebody speaks under ("Dad" in an export of a chat) is that speaker's name.
    """
    me = sole_speaker(speakers)
    names = frozenset(map(fold, speakers))
    subject = (_resolve_self(triple.subject, triple.subject_type, me), triple.subject_type)
    if triple.object_is_literal:
        nothing = ("", "")
        return _mention(triple, subject, nothing, names), _mention(triple, (triple.object, ""), nothing, names)
    obj = (_resolve_self(triple.object, triple.object_type, me), triple.object_type)
    return _mention(triple, subject, obj, names), _mention(triple, obj, subject, names)


def sole_speaker(speakers: Collection[str]) -> str:
    """Return the only speaker, assistants and tools not counted; "" where there are none or several."""
    people = {each for each in speakers if fold(each) not in _ROLE_NAMES}
    return people.pop() if len(people) == 1 else ""


def is_ahead(relation: str) -> bool:
    """Whether a relation is about something that lies ahead: a plan, a wish, or what is done for it before its day."""
    parsed = parse_relation(relation)
    return parsed.ahead or not _PREPARING.isdisjoint(parsed.words[:1])


_PREPARING: Final = frozenset("sign regist enrol".split())
"""Stems of verbs for what is done before the day of an event: "signed up for" a race in February that is in April."""


def has_value(triple: Triple) -> bool:
    """Whether the object of a triple is a literal: a value, and not another name of the subject."""
    return triple.object_is_literal and not states_alias(triple)


def states_alias(triple: Triple) -> bool:
    """Whether a triple says that its object is another name of its subject: "Karim, also known as Kay".

    Or who somebody is, for whom its subject is no name: "Karim's wife is Leila".
    """
    if triple.retracts:
        return False
    relation = normal_relation(triple.relation)
    names_person = relation == "IS" and kind_of(triple.subject_type) == kind_of(triple.object_type) == PERSON
    return relation in _alias_relations() or (names_person and not parse(triple.subject).proper)


@cache
def _alias_relations() -> frozenset[str]:
    return frozenset(name for seed in seeds() if seed.name == ALIAS for name in (ALIAS, *seed.synonyms))


def _mention(triple: Triple, end: tuple[str, str], other: tuple[str, str], speakers: frozenset[str]) -> Mention:
    given = " ".join(end[0].split())
    about = " ".join(other[0].split()) if _is_named_person(*other) else ""
    is_relative = (
        is_bare_relative(given) and kind_of(end[1]) in (PERSON, GROUP, UNKNOWN) and fold(given) not in speakers
    )
    needs_owner = has_possessive_pronoun(given) or is_relative
    name = owned_by(about, given) if about and needs_owner else given
    return Mention(given=given, name=name, type=end[1].strip(), about=about, triple=triple)


def _resolve_self(name: str, type_name: str, me: str) -> str:
    return me if me and fold(name) in _SELF and kind_of(type_name) in (PERSON, UNKNOWN) else name


def _is_named_person(name: str, type_name: str) -> bool:
    """Whether it is a person known by a proper name or by an owner ("Caroline's mom")."""
    kind = kind_of(type_name)
    if fold(name) in _PRONOUNS:
        return False
    return kind in (PERSON, UNKNOWN) and (parse(name).proper or (kind == PERSON and bool(parse(name).owner)))
