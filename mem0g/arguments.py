"""Check the arguments of a public class by their annotations, so that a wrong type is an error of mem0g's own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeVar

import numpy as np

from mem0g.errors import InputError, QueryError
from mem0g.settings import Credentials, Settings

C = TypeVar("C", bound=type)

_CHECKED_BY_SCOPE = ("user_id", "agent_id", "run_id")


def checks_arguments(cls: C) -> C:
    """Let the public methods of a class, and its class methods, check what they are given: see ``_CHECKS``.

    They then raise QueryError for what should be a whole number and is not, InputError for the others. What is not text
    in a list is checked by the part that reads it, and so is what ``CHECKED_ELSEWHERE`` names; the keys of a scope are
    checked by Scope.
    """
    for name, method in list(vars(cls).items()):
        plain = method.__func__ if isinstance(method, classmethod) else method
        if isinstance(plain, FunctionType) and not name.startswith("_"):
            annotated = plain.__annotations__.items()
            checks = {each: _CHECKS[kind] for each, kind in annotated if kind in _CHECKS}
            checks = {each: check for each, check in checks.items() if each not in ("return", *_CHECKED_BY_SCOPE)}
            if checks:
                made = _checking(plain, checks)
                setattr(cls, name, classmethod(made) if isinstance(method, classmethod) else made)
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


def _texts(name: str, value: object) -> None:
    """Raise InputError for what is no list of texts; an iterator's elements are left to whoever reads them."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError(f"{name} is {_shown(value)}, not a list of texts", hint="give a list, also of one")
    for each in value if isinstance(value, Collection) else ():
        _text(f"one of {name}", each)


def _texts_or_none(name: str, value: object) -> None:
    if value is not None:
        _texts(name, value)


def _text_or_texts(name: str, value: object) -> None:
    if not isinstance(value, str):
        _texts(name, value)


def _yes_or_no(name: str, value: object) -> None:
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} is {_shown(value)}, neither true nor false", hint="give it as a bool")


def _yes_or_no_or_none(name: str, value: object) -> None:
    if value is not None:
        _yes_or_no(name, value)


def _settings_or_none(name: str, value: object) -> None:
    _instance(name, value, Settings, "mem0g.settings.Settings(...)")


def _credentials_or_none(name: str, value: object) -> None:
    _instance(name, value, Credentials, "mem0g.settings.Credentials(...)")


def _instance(name: str, value: object, kind: type, example: str) -> None:
    if value is not None and not isinstance(value, kind):
        raise InputError(f"{name} is {_shown(value)}, not {kind.__name__}", hint=f"give {example}")


def _with(*methods: str, what: str, named: bool = False) -> Callable[[str, object], None]:
    """Return the check that an argument has the methods of ``what``, or is None, or its name where it is ``named``."""

    def check(name: str, value: object) -> None:
        given = value is not None and not (named and isinstance(value, str))
        if given and not all(callable(getattr(value, each, None)) for each in methods):
            hint = f"it needs the method {' and '.join(methods)}; docs/extending.md describes it"
            raise InputError(f"{name} is {_shown(value)}, not {what}", hint=hint)

    return check


def _signals(name: str, value: object) -> None:
    _list(name, value)
    for each in value if isinstance(value, Collection) else ():
        _a_signal(f"one of {name}", each)


def _whole_number(name: str, value: object) -> None:
    if not hasattr(value, "__index__"):  # which the integers of numpy have too
        raise QueryError(f"{name} is {_shown(value)}, not a whole number", hint="give it as an int")


def _shown(value: object) -> str:
    return "None" if value is None else f"{str(value)[:40]!r} of type {type(value).__name__}"


_a_signal = _with("scores", what="a signal")

_CHECKS: Mapping[str, Callable[[str, object], None]] = {
    "str": _text,
    "str | None": _text_or_none,
    "str | Path": _path,
    "int": _whole_number,
    "bool": _yes_or_no,
    "bool | None": _yes_or_no_or_none,
    "Iterable[Triple]": _list,
    "Iterable[object]": _list,
    "Iterable[str]": _texts,
    "Sequence[str]": _texts,
    "Sequence[str] | None": _texts_or_none,
    "Collection[str]": _texts,
    "str | Sequence[str]": _text_or_texts,
    "Sequence[Signal]": _signals,
    "Settings | None": _settings_or_none,
    "Credentials | None": _credentials_or_none,
    "str | Embedder | None": _with("embed", what="an embedder", named=True),
    "str | Extractor | None": _with("extract", what="an extractor", named=True),
    "Resolver | None": _with("queries", "resolve", what="a resolver"),
    "ConflictPolicy | None": _with("decide", what="a conflict policy"),
    "LanguageModel | None": _with("complete", what="a language model"),
}
"""Checks by the annotations that they are for."""

CHECKED_ELSEWHERE: Final = frozenset(
    {
        "str | Iterable[Utterance | Mapping[str, object]]",
        "str | Path | Store | None",
        "Mapping[str, Any] | None",
        "Mapping[str, object] | None",
        "datetime | date | str",
        "datetime | date | str | None",
        "datetime | date | str | Moment | None",
        "Request[R]",
    }
)
"""Annotations of what is checked by the part that reads it: messages, stores, metadata, filters, times, requests."""
