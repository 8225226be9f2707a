"""What a person is to somebody: Mia's sister is not her boss as well, even if both are called Anna."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache
from typing import Final

from mem0g.model import Triple
from mem0g.relations.relation_type import seeds
from mem0g.resolve.kinds import PERSON, kind_of
from mem0g.resolve.mentions import has_value, mentions
from mem0g.text.names import normal_relation

_KIN: Final = {
    "sibling": "HAS_SIBLING HAS_SISTER HAS_BROTHER",
    "parent": "HAS_PARENT HAS_MOTHER HAS_FATHER",
    "child": "HAS_CHILD HAS_SON HAS_DAUGHTER",
    "grandparent": "HAS_GRANDPARENT HAS_GRANDMOTHER HAS_GRANDFATHER",
    "grandchild": "HAS_GRANDCHILD HAS_GRANDSON HAS_GRANDDAUGHTER",
    "aunt or uncle": "HAS_AUNT HAS_UNCLE",
    "niece or nephew": "HAS_NIECE HAS_NEPHEW",
    "cousin": "HAS_COUSIN",
}
"""The relations, from somebody to kin, by role. Nobody is kin of two kinds, nor kin and one of ``_OTHERS``."""
_OTHERS: Final = {
    "partner": "MARRIED_TO ENGAGED_TO DATING HAS_PARTNER",
    "friend": "HAS_FRIEND",
    "boss": "MANAGED_BY",
    "teacher": "TAUGHT_BY HAS_TEACHER",
    "neighbor": "HAS_NEIGHBOR",
}
"""The same for other roles, of which one person may have several: a friend may be a neighbor."""


def roles_told(triples: Iterable[Triple], speakers: Collection[str]) -> dict[str, frozenset[tuple[str, str]]]:
    """Return what the people of a window are to others, by the keys of their names: pairs of a person's key and a role.

    A name with roles that exclude each other means several people, and is left out.
    """
    told: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for triple in triples:
        if (role := role_of(triple.relation)) and not has_value(triple) and not triple.retracts:
            subject, person = mentions(triple, speakers)
            if kind_of(person.type) == PERSON and person.parsed.proper:
                told[person.parsed.key].add((subject.parsed.key, role))
    return {
        key: frozenset(roles)
        for key, roles in told.items()
        if not any(one[0] == other[0] and exclude(one[1], other[1]) for one in roles for other in roles)
    }


def role_of(relation: str) -> str:
    """Return the role of the object of a relation to its subject: "sibling" for HAS_SISTER; "" where it has none."""
    return _roles().get(normal_relation(relation), "")


def exclude(one: str, other: str) -> bool:
    """Whether hardly anybody is both to one person: a sister is no friend, boss or aunt; a friend may be a boss."""
    return one != other and (one in _KIN or other in _KIN)


@cache
def _roles() -> dict[str, str]:
    """Return the roles by relation, and by the synonyms of these that come with mem0g."""
    named = {relation: role for role, names in {**_KIN, **_OTHERS}.items() for relation in names.split()}
    synonyms = {each: named[seed.name] for seed in seeds() if seed.name in named for each in seed.synonyms}
    return synonyms | named
