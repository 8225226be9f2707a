"""The options that say who opens a store on a server: given to every command in one place."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Annotated, Any

import typer

from mem0g.settings import LOGIN_VARIABLES, Login, Settings

PANEL = "Neo4j"
"""The panel of ``--help`` that these options stand in."""

# The variables are read by mem0g.settings: what they hold counts less than the address, an option more.
_OPTIONS: dict[str, Any] = {
    name: Annotated[str | None, typer.Option(f"--{name}", help=f"{said} [env var: {variable}]", rich_help_panel=PANEL)]
    for name, said, variable in (
        ("username", "User of the Neo4j server. [default: as in neo4j://USER@host] ", LOGIN_VARIABLES["username"]),
        ("password", "The user's password; the variable keeps it out of `ps`. ", LOGIN_VARIABLES["password"]),
        ("database", "Database there. [default: as in neo4j://host/NAME, or the user's] ", LOGIN_VARIABLES["database"]),
    )
}

_login: ContextVar[Login] = ContextVar("login", default=Login())  # noqa: B039 - frozen


def given_login() -> Login:
    """What the options of the running command give."""
    return _login.get()


def login_beside_addresses() -> Login:
    """What the options give, else the environment: for several addresses, each of which may say otherwise of itself."""
    typed, usual = given_login(), Settings.from_environment().login
    return Login(
        username=typed.username or usual.username,
        password=typed.password or usual.password,
        database=typed.database or usual.database,
    )


def with_login(command: Callable[..., None]) -> Callable[..., None]:
    """The command with ``--username``, ``--password`` and ``--database``, which ``given_login`` then tells."""

    @wraps(command)
    def run(**given: Any) -> None:
        before = _login.set(Login(**{name: given.pop(name) or None for name in _OPTIONS}))
        try:
            command(**given)
        finally:
            _login.reset(before)

    signature = inspect.signature(command, eval_str=True)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in _OPTIONS.items()
    ]
    # The command line's parser reads the options from here.
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *more])  # type: ignore[attr-defined]
    return run
