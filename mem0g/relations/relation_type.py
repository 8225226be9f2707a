"""Relation types: the seeds that come with mem0g, and their form as JSON."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from mem0g.errors import InputError
from mem0g.text.names import normal_relation


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationType:
    """The properties of a relation. All names are normalised (LIVES_IN).

    ``one_object``: a subject has at most one object at a time; ``one_subject``: an object at most one subject.
    ``symmetric``: it holds in both directions; ``inverse``: the name of the opposite direction. ``ends``: canonical
    names of relations that no longer hold between two entities once this one does; ``implies``: those that hold from
    then on. ``origin``: who defined it.

    Raises InputError for a name that is not normalised.
    """

    name: str
    synonyms: tuple[str, ...] = ()
    one_object: bool = False
    one_subject: bool = False
    symmetric: bool = False
    inverse: str | None = None
    ends: tuple[str, ...] = ()
    implies: tuple[str, ...] = ()
    origin: Literal["seed", "learnt", "model", "user"] = "seed"

    def __post_init__(self) -> None:
        for name in (self.name, *self.synonyms, *self.ends, *self.implies, *([self.inverse] if self.inverse else [])):
            if not name or name != normal_relation(name):
                raise InputError(
                    f"{name!r} is not a normalised relation name", hint=f"write {normal_relation(name) or 'LIVES_IN'}"
                )


@cache
def seeds() -> tuple[RelationType, ...]:
    """Return the relation types that come with mem0g: common relations of people's lives and of an encyclopaedia."""
    table = tomllib.loads(resources.files(__package__).joinpath("seeds.toml").read_text(encoding="utf-8"))
    return tuple(_relation_type({"name": name, **given}) for name, given in table.items())


@cache
def base_relations() -> frozenset[str]:
    """Return the names of ``seeds``."""
    return frozenset(each.name for each in seeds())


@cache
def relations_of_several() -> frozenset[str]:
    """Return those of ``seeds`` that a subject may have several objects of at a time."""
    return frozenset(each.name for each in seeds() if not each.one_object)


def to_json(relation: RelationType) -> str:
    """Return the relation type as one line of JSON, as stores keep it."""
    return json.dumps(dataclasses.asdict(relation), ensure_ascii=False)


def from_json(text: str) -> RelationType:
    """Return the relation type of a line of ``to_json``."""
    return _relation_type(json.loads(text))


def _relation_type(given: Mapping[str, Any]) -> RelationType:
    frozen: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return RelationType(**frozen)
