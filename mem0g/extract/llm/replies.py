"""The replies of the extraction prompts: their types, their checks, and their conversion to triples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from mem0g.errors import InputError, UnusableReplyError
from mem0g.extract.llm.rendering import ExtractionOptions
from mem0g.extract.protocol import Window
from mem0g.model import LITERAL, Triple
from mem0g.text.names import fold, normal_relation
from mem0g.text.token_count import estimate_tokens
from mem0g.times import Moment


class Reply(BaseModel):
    """Base of reply types: no missing or additional fields, no conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NamedEntity(Reply):
    """An entity of the conversation."""

    name: str
    type: str
    aliases: list[str]


class StatedFact(Reply):
    """A fact between two entities, or of an entity and a value, with its times and the numbers of its messages.

    ``literal``: the object is a value, no entity. ``observed``: the day on which a state held; ``planned_for``: what a
    plan is for. Replies of former versions have fewer fields, and ``valid_until`` for ``valid_to``.
    """

    subject: str
    relation: str
    object: str
    literal: bool = False
    sentence: str
    brief: str | None = None
    valid_from: str | None
    valid_to: str | None = Field(validation_alias=AliasChoices("valid_to", "valid_until"))
    observed: str | None = None
    planned_for: str | None = None
    messages: list[int]
    retracts: bool


class Entities(Reply):
    """The reply of the entity extractor."""

    entities: list[NamedEntity]


class Facts(Reply):
    """The reply of the relation generator."""

    facts: list[StatedFact]


class Extraction(Reply):
    """The reply of both in one call: entities first."""

    entities: list[NamedEntity]
    facts: list[StatedFact]


class Summary(Reply):
    """The reply of the summariser."""

    summary: str


MAX_PROBLEMS = 5
"""Problems of one reply that are shown to the model: further ones are usually of the same kind."""

MAX_FACTS, TOKENS_PER_FACT = 50, 4
"""The maximum of facts in a reply: 50, and one for every four tokens of the new messages.

The densest LOCOMO window of 20 messages has 23 facts. Node matching compares each new name with the others of its
window, which takes seconds from 1,000 names on.
"""

MAX_SENTENCE = 5_000
"""Characters in the sentence of a fact, or in a type."""


def check_entities(entities: Sequence[NamedEntity], window: Window, options: ExtractionOptions) -> None:
    """Raise UnusableReplyError if an entity has no name, or a type that is not in a closed list.

    Raises TripleError if its names cannot be stored.
    """
    limit = 2 * max_facts(window)
    names = sum(1 + len(each.aliases) for each in entities)
    if names > limit:
        raise UnusableReplyError(f"{names} names of entities, where at most {limit} can be in so few words")
    problems = [f"entity {place} has no name" for place, each in enumerate(entities, 1) if not each.name.strip()]
    if options.closed and options.entity_types:
        types = {fold(each) for each in options.entity_types}
        problems += [f"{each.name!r} has the type {each.type!r}" for each in entities if fold(each.type) not in types]
    problems += [f"a type of {len(each.type)} characters" for each in entities if len(each.type) > MAX_SENTENCE]
    _refuse(problems)
    list(_aliases(entities, window))  # raises TripleError


def check_facts(
    facts: Sequence[StatedFact], entities: Sequence[NamedEntity], window: Window, options: ExtractionOptions
) -> None:
    """Raise UnusableReplyError if a fact has unknown entities, cites missing messages, or cannot be stored."""
    if len(facts) > (limit := max_facts(window)):
        raise UnusableReplyError(f"{len(facts)} facts, where at most {limit} can be in so few words")
    listed = _types(entities)
    problems = [
        f"fact {place} ({each.subject}, {each.relation}, {each.object}): {problem}"
        for place, each in enumerate(facts, 1)
        for problem in _problems(each, listed, window, options)
    ]
    _refuse(problems)


def triples_of(entities: Sequence[NamedEntity], facts: Sequence[StatedFact], window: Window) -> list[Triple]:
    """Return the triples of a checked reply: the aliases of its entities first, then its facts."""
    types = _types(entities)
    return [*_aliases(entities, window), *(_triple(each, types, window) for each in facts)]


def _problems(fact: StatedFact, listed: dict[str, str], window: Window, options: ExtractionOptions) -> Iterator[str]:
    if fold(fact.subject) not in listed:
        yield f"the subject {fact.subject!r} is not among the entities"
    if fact.literal and fold(fact.object) in listed:
        yield f"the object {fact.object!r} is among the entities, and literal: it is one or the other"
    if not fact.literal and fold(fact.object) not in listed:
        yield f"the object {fact.object!r} is not among the entities, and not literal"
    for part, text in (("sentence", fact.sentence), ("brief", fact.brief or "")):
        if len(text) > MAX_SENTENCE:
            yield f"the {part} has {len(text)} characters"
    yield from misquoted(fact.messages, window)
    names = {normal_relation(each) for each in options.relation_types}
    if options.closed and names and normal_relation(fact.relation) not in names:
        yield f"the relation {fact.relation!r} is not one of those to use"
    try:
        triple = _triple(fact, listed, window)
    except InputError as error:
        yield str(error)
    else:
        yield from _mistimed(triple, window)


def _mistimed(triple: Triple, window: Window) -> Iterator[str]:
    """Yield what contradicts itself in the times of a triple, or contradicts the times of the window's messages."""
    start, end, observed, planned = triple.valid_from, triple.valid_to, triple.observed, triple.planned_for
    if start and end and end.end <= start.start:
        yield f"valid_to {end} is before valid_from {start}"
    if planned and start:
        yield f"valid_from {start} and planned_for {planned}: a plan has not happened yet, it has the second alone"
    days = sorted(message.local_time.date() for message in window.messages if message.local_time)
    if observed and days and observed.start.date() > days[-1]:
        yield f"observed {observed} is after the messages, of {days[-1]}"
    if planned and days and planned.end.date() < days[0]:
        yield f"planned_for {planned} is before the messages, of {days[0]}: nobody plans the past"


def max_facts(window: Window) -> int:
    """Return how many facts a reply about a window may have."""
    return MAX_FACTS + sum(estimate_tokens(message.text) for message in window.messages) // TOKENS_PER_FACT


def misquoted(numbers: Sequence[int], window: Window) -> Iterator[str]:
    """Yield what is wrong with the numbers of the messages that a reply cites."""
    context, last = len(window.context), len(window.context) + len(window.messages)
    unknown = [number for number in numbers if not 1 <= number <= last]
    if unknown:
        yield f"there is no message {unknown[0]}"
    elif not any(number > context for number in numbers):
        yield f"it names no new message ({context + 1} to {last})"


def _triple(fact: StatedFact, types: dict[str, str], window: Window) -> Triple:
    messages = (*window.context, *window.messages)
    numbers = (number for number in dict.fromkeys(fact.messages) if 1 <= number <= len(messages))
    return Triple(
        subject=fact.subject.strip(),
        relation=fact.relation.strip(),
        object=fact.object.strip(),
        text=fact.sentence.strip(),
        subject_type=types.get(fold(fact.subject), ""),
        object_type=LITERAL if fact.literal else types.get(fold(fact.object), ""),
        brief=(fact.brief or "").strip() or None,
        valid_from=_moment(fact.valid_from),
        valid_to=_moment(fact.valid_to),
        observed=_moment(fact.observed),
        planned_for=_moment(fact.planned_for),
        evidence=tuple(dict.fromkeys(messages[number - 1].id for number in sorted(numbers))),
        retracts=fact.retracts,
    )


def _aliases(entities: Sequence[NamedEntity], window: Window) -> Iterator[Triple]:
    """Yield the aliases of entities in the new messages as also_known_as triples, which node matching evaluates."""
    texts = {message.id: fold(message.text) for message in window.messages}
    for entity in entities:
        for alias in dict.fromkeys(entity.aliases):
            evidence = tuple(each for each, text in texts.items() if alias.strip() and _mentions(text, alias))
            if evidence and _is_name(alias) and fold(alias) != fold(entity.name):
                yield Triple(
                    subject=entity.name.strip(),
                    relation="also_known_as",
                    object=alias.strip(),
                    text=f"{entity.name} is also called {alias.strip()}.",
                    subject_type=entity.type,
                    object_type=entity.type,
                    evidence=evidence,
                )


def _mentions(text: str, alias: str) -> bool:
    """Whether the folded text contains the name, as a whole word in scripts with upper and lower case."""
    name = fold(alias)
    if name not in text:
        return False
    whole = rf"(?<!\w){re.escape(name)}(?!\w)" if name != name.upper() else re.escape(name)
    return re.search(whole, text) is not None


def _is_name(text: str) -> bool:
    """Whether the text begins with a capital letter, or is in a script without capitals."""
    first = text.strip()[0]
    return first.isupper() or first.lower() == first.upper()


def _types(entities: Sequence[NamedEntity]) -> dict[str, str]:
    """Return the types by folded name, including the aliases."""
    known = {fold(alias): each.type.strip() for each in entities for alias in each.aliases}
    return known | {fold(each.name): each.type.strip() for each in entities}


def _moment(text: str | None) -> Moment | None:
    return Moment.parse(text) if text else None


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        more = f"; and {len(problems) - MAX_PROBLEMS} more" if len(problems) > MAX_PROBLEMS else ""
        raise UnusableReplyError("; ".join(problems[:MAX_PROBLEMS]) + more)
