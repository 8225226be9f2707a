"""The options that say who opens a store on a server: given to every command in one place."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Annotated, Any

import typer

from mem0g.cli.common_options import Command, holding, with_options
from mem0g.settings import CREDENTIALS_VARIABLES, Credentials, Settings

PANEL = "Neo4j"
"""The panel of ``--help`` that these options stand in."""

# The variables are read by mem0g.settings: what they hold counts less than the address, an option more.
_OPTIONS: dict[str, Any] = {
    name: Annotated[str | None, typer.Option(f"--{name}", help=f"{said} [env var: {variable}]", rich_help_panel=PANEL)]
    for name, said, variable in (
        (
            "username",
            "User of the Neo4j server. [default: as in neo4j://USER@host] ",
            CREDENTIALS_VARIABLES["username"],
        ),
        ("password", "The user's password; the variable keeps it out of `ps`. ", CREDENTIALS_VARIABLES["password"]),
        (
            "database",
            "Database there. [default: as in neo4j://host/NAME, or the user's] ",
            CREDENTIALS_VARIABLES["database"],
        ),
    )
}

_credentials: ContextVar[Credentials] = ContextVar("credentials", default=Credentials())  # noqa: B039 - frozen


def given_credentials() -> Credentials:
    """What the options of the running command give."""
    return _credentials.get()


def credentials_for_addresses() -> Credentials:
    """What the options give, else the environment: for several addresses, each of which may say otherwise of itself."""
    typed, usual = given_credentials(), Settings.from_environment().credentials
    return Credentials(
        username=typed.username or usual.username,
        password=typed.password or usual.password,
        database=typed.database or usual.database,
    )


def with_credentials(command: Command) -> Command:
    """The command with ``--username``, ``--password`` and ``--database``, which ``given_credentials`` then tells."""
    return with_options(command, _OPTIONS, lambda given: holding(_credentials, Credentials(**_given(given))))


def _given(options: dict[str, str | None]) -> dict[str, str | None]:
    """What the options give; an empty one gives nothing."""
    return {name: value or None for name, value in options.items()}
