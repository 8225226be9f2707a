"""Read the filters of a search: conditions on facts and messages, checked, and resolved to what a store selects.

Filters are a mapping of fields to conditions, all of which have to hold. A condition is a value or operators, as in
LangGraph's stores: {"relation": "lives_in", "said_at": {"$gte": "2024"}, "metadata.topic": {"$in": ["work", "home"]}}.
docs/filters.md describes the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, get_args

from mem0g.errors import InputError, QueryError, quoted
from mem0g.metadata import checked_metadata, metadata_of
from mem0g.model import Role, Scope
from mem0g.operators import LISTED, ORDERED, check_operators, fits
from mem0g.store.protocol import Store
from mem0g.store.queries import NO_METADATA, Period, Selection
from mem0g.text.names import fold
from mem0g.times import first_instant, last_instant

TEXTS = ("relation", "type", "role", "speaker")
DATES = ("said_at", "valid_from", "created_at")

FIELDS = (*TEXTS, *DATES, "metadata", "metadata.KEY")

MAX_CONDITIONS = 50
"""Maximum number of conditions in the filters of one search."""

_MICROSECOND = timedelta(microseconds=1)

Canonical = Callable[[str], tuple[str, ...]]
"""Returns the canonical names of a relation in any spelling, one for each tenant of the scope."""


@dataclass(frozen=True, slots=True)
class Texts:
    """A condition on a field of text: the values that it may have (None for any) and those that it may not have."""

    among: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()

    def accepts(self, value: str) -> bool:
        """Whether the value, folded, fulfils the condition."""
        return (self.among is None or value in self.among) and value not in self.without


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters that were read: ``texts`` and ``dates`` by field, and pairs of a path and a condition on ``metadata``."""

    texts: Mapping[str, Texts]
    dates: Mapping[str, Period]
    metadata: tuple[tuple[str, Any], ...]


def read_filters(given: object) -> Filters | None:
    """Return filters as given, checked; None for none.

    Raises QueryError for what is no mapping, an unknown field or operator, a value of a wrong type, too many
    conditions, and one that is too large or nested too deep; TimeError for an unreadable date.
    """
    if given is None or given == {}:
        return None
    if not isinstance(given, Mapping):
        hint = 'give a mapping, such as {"relation": "lives_in"}'
        raise QueryError(f"the filters are of type {type(given).__name__}", hint=hint)
    if len(given) > MAX_CONDITIONS:
        raise QueryError(f"the filters have {len(given)} conditions", hint=f"at most {MAX_CONDITIONS}")
    texts = {field: _texts(field, given[field]) for field in TEXTS if field in given}
    dates = {field: _period(field, given[field]) for field in DATES if field in given}
    others = {str(field): wanted for field, wanted in given.items() if field not in (*TEXTS, *DATES)}
    return Filters(texts, dates, tuple(_metadata(others)))


def _texts(field: str, wanted: object) -> Texts:
    operators = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    check_operators(operators)
    among: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    for operator, each in operators.items():
        if operator in ORDERED or not str(operator).startswith("$"):
            raise QueryError(f"{field} has {operator[:40]!r}", hint=f"{field} is text: $eq, $ne, $in, $nin")
        values = _checked_texts(field, each if isinstance(each, list | tuple) and operator in LISTED else [each])
        if operator in ("$eq", "$in"):
            among = values if among is None else tuple(value for value in among if value in values)
        else:
            without += values
    return Texts(among, without)


def _checked_texts(field: str, values: Iterable[object]) -> tuple[str, ...]:
    given = tuple(values)
    for each in given:
        if not isinstance(each, str) or not each.strip():
            raise QueryError(f"{field} is {str(each)[:40]!r}, not text", hint=f'such as {{"{field}": "…"}}')
        if field == "role" and each not in get_args(Role):
            raise QueryError(f"unknown role {quoted(each, 40)}", hint=f"one of {', '.join(get_args(Role))}")
    _check_size({field: list(given)})
    return tuple(fold(str(each)) for each in given)


def _period(field: str, wanted: object) -> Period:
    """Return the period of a condition; a day, month or year counts whole: $gt is after its end, $lte to its end."""
    operators = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    check_operators(operators)
    period = Period()
    for operator, each in operators.items():
        if operator not in ("$eq", *ORDERED):
            hint = f"{field} is a date: $eq, {', '.join(ORDERED)}"
            raise QueryError(f"{field} has {str(operator)[:40]!r}", hint=hint)
        if not isinstance(each, str | date | datetime):
            raise QueryError(f"{field} is {str(each)[:40]!r}, not a date", hint='ISO 8601 text, such as "2024-05"')
        begin, after = first_instant(each), _after(last_instant(each))
        since = {"$eq": begin, "$gte": begin, "$gt": after}.get(operator)
        until = {"$eq": after, "$lte": after, "$lt": begin}.get(operator)
        period = Period(
            max((time for time in (period.since, since) if time), default=None),
            min((time for time in (period.until, until) if time), default=None),
        )
    return period


def _after(time: datetime) -> datetime:
    return time + _MICROSECOND if time < datetime.max.replace(tzinfo=time.tzinfo) else time


def _metadata(given: Mapping[str, object]) -> Iterable[tuple[str, object]]:
    """Yield the paths and conditions of metadata. Raises QueryError for an unknown field."""
    for field, wanted in given.items():
        if field == "metadata" and isinstance(wanted, Mapping) and not any(str(k).startswith("$") for k in wanted):
            yield from ((path, _condition(path, each)) for path, each in wanted.items())
        elif field.startswith("metadata.") and field != "metadata.":
            yield field.removeprefix("metadata."), _condition(field, wanted)
        else:
            raise QueryError(f"unknown field {quoted(field, 40)}", hint=f"one of {', '.join(FIELDS)}")


def _condition(path: object, wanted: object) -> object:
    if not isinstance(path, str):
        raise QueryError(f"the key {str(path)[:40]!r} of metadata is not text", hint="give keys as text")
    _check_size({path: list(wanted) if isinstance(wanted, tuple) else wanted})
    check_operators(wanted)
    return wanted


def _check_size(condition: Mapping[str, object]) -> None:
    """Raise QueryError for a condition that is no JSON, too large or nested too deep."""
    try:
        checked_metadata(condition, "the filter")
    except InputError as error:
        raise QueryError(str(error), hint=error.hint) from error


def selection_of(filters: Filters | None, scope: Scope, store: Store, canonical: Canonical) -> Selection | None:
    """Return what the store is to select, with the values of its fields in the scope that fulfil the conditions."""
    if filters is None:
        return None
    texts = filters.texts
    types = texts.get("type")
    kinds = store.values(scope, "type") if types else ()
    selection = Selection(
        valid=filters.dates.get("valid_from"),
        said=filters.dates.get("said_at"),
        recorded=filters.dates.get("created_at"),
        relations=_relations(texts["relation"], scope, store, canonical) if "relation" in texts else None,
        roles=tuple(filter(texts["role"].accepts, get_args(Role))) if "role" in texts else None,
        speakers=_fitting(texts["speaker"], store.values(scope, "speaker")) if "speaker" in texts else None,
        metadata=_texts_of_metadata(filters.metadata, scope, store) if filters.metadata else None,
    )
    if types:
        among = None if types.among is None else _fitting(Texts(types.among), kinds)
        without = tuple(each for each in kinds if fold(each) in types.without) if types.without else None
        selection = replace(selection, types=among, not_types=without)
    return selection


def _fitting(wanted: Texts, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in values if wanted.accepts(fold(each)))


def _relations(wanted: Texts, scope: Scope, store: Store, canonical: Canonical) -> tuple[str, ...]:
    """Return the relations that the facts of the scope have and the condition accepts, whatever its spelling."""

    def named(names: Iterable[str]) -> frozenset[str]:
        return frozenset(each for name in names for each in canonical(name))

    among, without = None if wanted.among is None else named(wanted.among), named(wanted.without)
    values = store.values(scope, "relation")
    return tuple(each for each in values if (among is None or each in among) and each not in without)


def _texts_of_metadata(wanted: Sequence[tuple[str, Any]], scope: Scope, store: Store) -> tuple[str, ...]:
    """Return the metadata in the scope that fulfils all conditions, NO_METADATA included where an empty one does."""

    def accepted(text: str) -> bool:
        metadata = metadata_of(text or None)
        return all(fits(at_path(metadata, path), condition) for path, condition in wanted)

    return tuple(filter(accepted, (NO_METADATA, *store.values(scope, "metadata"))))


def at_path(metadata: Mapping[str, Any], path: str) -> Any:
    """Return the value at a key or a dotted path, None where there is none; a whole key wins over a path."""
    if path in metadata:
        return metadata[path]
    parts = path.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        inner = metadata.get(".".join(parts[:cut]))
        if isinstance(inner, Mapping):
            found = at_path(inner, ".".join(parts[cut:]))
            if found is not None:
                return found
    return None
