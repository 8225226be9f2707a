"""Check the arguments of a public class by their annotations, so that a wrong type is an error of mem0g's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from mem0g.errors import InputError, QueryError

C = TypeVar("C", bound=type)

_CHECKED_BY_SCOPE = ("user_id", "agent_id", "run_id")


def checks_arguments(cls: C) -> C:
    """Let the public methods of a class check what they are given as text, a path, a whole number or a list.

    They then raise QueryError for what should be a whole number and is not, InputError for the others. What is in a
    list is checked by the part that reads it, and so is every other type; the keys of a scope are checked by Scope.
    """
    for name, method in list(vars(cls).items()):
        if isinstance(method, FunctionType) and not name.startswith("_"):
            annotated = method.__annotations__.items()
            checks = {each: _CHECKS[kind] for each, kind in annotated if kind in _CHECKS}
            checks = {each: check for each, check in checks.items() if each not in ("return", *_CHECKED_BY_SCOPE)}
            if checks:
                setattr(cls, name, _checking(method, checks))
    return cls


def _checking(method: Callable[..., Any], checks: Mapping[str, Callable[[str, object], None]]) -> Callable[..., Any]:
    names = method.__code__.co_varnames

    @wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        for name, value in (*zip(names, args, strict=False), *kwargs.items()):
            if name in checks:
                checks[name](name, value)
        return method(*args, **kwargs)

    return run


def _text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InputError(f"{name} is {_shown(value)}, not text", hint="give it as a str")


def _text_or_none(name: str, value: object) -> None:
    if value is not None:
        _text(name, value)


def _path(name: str, value: object) -> None:
    if not isinstance(value, str | Path):
        raise InputError(f"{name} is {_shown(value)}, not a path", hint="give it as a str or a Path")


def _list(name: str, value: object) -> None:
    if not isinstance(value, Iterable):
        raise InputError(f"{name} is {_shown(value)}, not a list", hint="give a list, also of one")


def _list_of_texts(name: str, value: object) -> None:
    if value is not None and (isinstance(value, str) or not isinstance(value, Iterable)):
        raise InputError(f"{name} is {_shown(value)}, not a list of texts", hint="give a list, also of one")


def _whole_number(name: str, value: object) -> None:
    if not hasattr(value, "__index__"):  # which the integers of numpy have too
        raise QueryError(f"{name} is {_shown(value)}, not a whole number", hint="give it as an int")


def _shown(value: object) -> str:
    return "None" if value is None else f"{str(value)[:40]!r} of type {type(value).__name__}"


_CHECKS: Mapping[str, Callable[[str, object], None]] = {
    "str": _text,
    "str | None": _text_or_none,
    "str | Path": _path,
    "int": _whole_number,
    "Iterable[Triple]": _list,
    "Iterable[object]": _list,
    "Sequence[str]": _list_of_texts,
    "Sequence[str] | None": _list_of_texts,
    "Collection[str]": _list_of_texts,
}
"""Checks by the annotations that they are for."""
