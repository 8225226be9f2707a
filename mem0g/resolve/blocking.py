"""Blocking: the names and tokens to look up for a mention, so that only a few entities are compared with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from mem0g.model import Triple
from mem0g.resolve.context_rules import may_need_links
from mem0g.resolve.evidence.people import given_name_forms, parts_of
from mem0g.resolve.evidence.places import names_of_place
from mem0g.resolve.evidence.spelling import initials
from mem0g.resolve.kinds import PERSON, PLACE, UNKNOWN
from mem0g.resolve.mentions import Mention, has_value, mentions, states_alias
from mem0g.resolve.names import ParsedName, parse, spellings
from mem0g.resolve.roles import roles_told
from mem0g.text.names import fold, name_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuery:
    """A name whose candidates are needed.

    ``name`` is as it will be stored, to be embedded; ``names`` are folded names to look up exactly, sorted; ``tokens``
    find names that share a word (`name_tokens`). ``around``: whether a rule may ask what known facts link a candidate
    to, in which role, or when they are true.
    """

    name: str
    names: tuple[str, ...]
    tokens: frozenset[str]
    around: bool


def name_queries(triples: Iterable[Triple], speakers: Collection[str] = ()) -> tuple[NameQuery, ...]:
    """Return the distinct names of the triples' ends, literals aside, with what to look up for each, in order."""
    found: dict[str, NameQuery] = {}
    triples = list(triples)
    roles = roles_told(triples, speakers)
    for triple in triples:
        ends = mentions(triple, speakers)
        made = [_query(mention) for mention in (ends[:1] if has_value(triple) else ends)]
        around = states_alias(triple) and any(query.around for query in made)  # they may become one entity
        for query in made:
            known = found.setdefault(fold(query.name), query)
            names = tuple(sorted({*known.names, *query.names}))
            needed = known.around or query.around or around or parse(query.name).key in roles
            found[fold(query.name)] = replace(known, names=names, around=needed)
    return tuple(_with_shared_words(found.values()))


def _with_shared_words(queries: Collection[NameQuery]) -> Iterator[NameQuery]:
    """Yield the queries, those that share a word with one that needs it ``around``, too.

    A name that an entity gets in this window makes it a candidate for later names that have a word of it.
    """
    words = {word for query in queries if query.around for word in name_tokens(query.name)}
    for query in queries:
        yield replace(query, around=query.around or not words.isdisjoint(name_tokens(query.name)))


def other_names(name: ParsedName, kind: str) -> frozenset[str]:
    """Return folded names to look up beside the name: 'un' for 'United Nations', 'the united states' for 'USA'."""
    if not name.proper:
        return frozenset()
    places = names_of_place(name) if kind in (PLACE, UNKNOWN) else frozenset()
    found = {form for each in places for form in (each, f"the {each}")}
    return frozenset(found if kind == PERSON else found | initials(name))


def other_tokens(name: ParsedName, kind: str) -> frozenset[str]:
    """Return tokens to look up beside those of the name: 'elizabeth' for 'Liz', 'bob' for 'Robert Berg'."""
    may_be_person = kind in (PERSON, UNKNOWN) and name.proper and not name.owner
    return given_name_forms(parts_of(name)[0]) if may_be_person and parts_of(name) else frozenset()


def _query(mention: Mention) -> NameQuery:
    parsed, implied = mention.parsed, mention.with_implied_owner
    names = {*spellings(parsed), *(spellings(implied) if implied else ()), *other_names(parsed, mention.kind)}
    tokens = name_tokens(mention.name) | other_tokens(parsed, mention.kind)
    if parsed.owner:  # everything the owner has shares the owner's name: look for what is owned
        tokens = name_tokens(" ".join(parsed.words)) or tokens
    return NameQuery(name=mention.name, names=tuple(sorted(names)), tokens=tokens, around=may_need_links(mention))
