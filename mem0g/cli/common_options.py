"""Options that many commands share without each naming them in its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")

Command = Callable[..., None]


def with_options(
    command: Command, options: Mapping[str, Any], around: Callable[[dict[str, Any]], AbstractContextManager[None]]
) -> Command:
    """The command with these options (annotations by name); it runs ``around`` what they give."""

    @wraps(command)
    def run(**arguments: Any) -> None:
        with around({name: arguments.pop(name) for name in options}):
            command(**arguments)

    signature = inspect.signature(command, eval_str=True)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in options.items()
    ]
    # The command line's parser reads the options from here.
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *more])  # type: ignore[attr-defined]
    return run


@contextmanager
def holding(variable: ContextVar[T], value: T) -> Iterator[None]:
    """The variable has this value within the block."""
    before = variable.set(value)
    try:
        yield
    finally:
        variable.reset(before)
