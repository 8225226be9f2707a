"""Operators on JSON values, as LangGraph's stores define them: of the filters of a search, and of items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mem0g.errors import QueryError

ORDERED = ("$gt", "$gte", "$lt", "$lte")
LISTED = ("$in", "$nin")
OPERATORS = ("$eq", "$ne", *ORDERED, *LISTED)


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether an object has what ``wanted`` asks of its fields; a field that it does not have is null.

    Raises QueryError for an unknown operator.
    """
    return all(fits(value.get(name), each) for name, each in wanted.items())


def fits(value: Any, wanted: Any) -> bool:
    """Whether a value is as ``wanted``: equal to it, or as its operators ask; an object field by field.

    Numbers are in the order of numbers, text is in that of text, and nothing else is in an order: no text with a
    number, and no true or false with either. Raises QueryError for an unknown operator.
    """
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compares(value, operator, each) for operator, each in wanted.items())
        return isinstance(value, Mapping) and matches(value, wanted)
    if isinstance(wanted, list | tuple):
        same = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same and all(map(fits, value, wanted))
    return bool(value == wanted)


def check_operators(wanted: Any) -> None:
    """Raise QueryError for an unknown operator, operators beside fields, and $in and $nin without a list."""
    if isinstance(wanted, list | tuple):
        for each in wanted:
            check_operators(each)
    if not isinstance(wanted, Mapping):
        return
    operators = [name for name in wanted if str(name).startswith("$")]
    if operators and len(operators) < len(wanted):
        raise QueryError(f"the filter mixes {operators[0]} with fields", hint="give either operators or fields")
    for name, each in wanted.items():
        if name in operators:
            _check(name)
        if name in LISTED and not isinstance(each, list | tuple):
            raise QueryError(f"{name} has {str(each)[:40]!r}, not a list", hint=f'such as {{"{name}": ["a", "b"]}}')
        check_operators(each)


def _check(operator: str) -> None:
    if operator not in OPERATORS:
        raise QueryError(f"unknown operator {operator[:40]!r}", hint=f"one of {', '.join(OPERATORS)}")


def _compares(value: Any, operator: str, wanted: Any) -> bool:
    _check(operator)
    if operator == "$eq":
        return bool(value == wanted)
    if operator == "$ne":
        return bool(value != wanted)
    if operator in LISTED:
        return any(value == each for each in wanted) == (operator == "$in")
    order = _order(value, wanted)
    if order is None:
        return False
    return {"$gt": order > 0, "$gte": order >= 0, "$lt": order < 0, "$lte": order <= 0}[operator]


def _order(value: Any, wanted: Any) -> int | None:
    """Return -1, 0 or 1 as ``value`` is before, equal to or after ``wanted``; None where they are in no order."""
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (value, wanted))
    texts = isinstance(value, str) and isinstance(wanted, str)
    if not (numbers or texts) or value != value or wanted != wanted:  # NaN is in no order
        return None
    return int(value > wanted) - int(value < wanted)
