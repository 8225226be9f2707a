"""The options that several commands share, and what they open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from mem0g.cli.credentials import given_credentials

if TYPE_CHECKING:
    from mem0g.memory import Memory

SCOPE = "Scope"
"""The panel of ``--help`` that the scope's options stand in."""

UserOption = Annotated[str | None, typer.Option("--user", "-u", help="Whose memory: a user.", rich_help_panel=SCOPE)]
AgentOption = Annotated[str | None, typer.Option("--agent", help="Whose memory: an agent.", rich_help_panel=SCOPE)]
RunOption = Annotated[str | None, typer.Option("--run", help="Whose memory: a run.", rich_help_panel=SCOPE)]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        "-s",
        envvar="MEM0G_STORE",
        help="Where the graph lives: a file, or neo4j://host. [default: a file in your data folder]",
    ),
]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder", envvar="MEM0G_EMBEDDER", help="minilm, a folder, sentence-transformers:MODEL or openai:MODEL."
    ),
]
ExtractorOption = Annotated[
    str | None,
    typer.Option("--extractor", help="llm, llm-two-stage, rules or none. [default: llm with a key, else rules]"),
]
FormatOption = Annotated[str | None, typer.Option("--format", "-f", help="Force a format (else by content).")]
SampleOption = Annotated[str | None, typer.Option("--sample", help="One conversation of a file that holds several.")]
TimezoneOption = Annotated[str, typer.Option("--timezone", help="Of times that state none, as Europe/Oslo.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsOfOption = Annotated[str | None, typer.Option("--as-of", help="As the world was then: 2023, 2023-05, 2023-05-07.")]
KnownAtOption = Annotated[str | None, typer.Option("--known-at", help="As mem0g knew it then.")]
RetiredOption = Annotated[bool, typer.Option("--include-retired", help="Also what is no longer true.")]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many.")]
AllOption = Annotated[bool, typer.Option("--all", help="The whole store, not one scope.", rich_help_panel=SCOPE)]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Name every fact that changed.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


class ScopeKeys(TypedDict):
    """A scope as the keyword arguments of Memory's methods."""

    user_id: str | None
    agent_id: str | None
    run_id: str | None


def scope_keys(user: str | None, agent: str | None, run: str | None) -> ScopeKeys:
    """Return the options as keyword arguments. Raises ScopeError for no scope, or one that is not usable."""
    from mem0g.model import Scope

    Scope(user, agent, run)
    return {"user_id": user, "agent_id": agent, "run_id": run}


class ScopeOrAllKeys(ScopeKeys):
    """A scope, or the whole store, as the keyword arguments of those methods that can be asked about both."""

    all_scopes: bool


def scope_or_all_keys(user: str | None, agent: str | None, run: str | None, *, everything: bool) -> ScopeOrAllKeys:
    """Return the options and ``--all`` as keyword arguments.

    Raises ScopeError unless either a usable scope or ``--all`` is given.
    """
    from mem0g.lookup import scope_or_all

    scope_or_all(user, agent, run, all_scopes=everything)
    return {"user_id": user, "agent_id": agent, "run_id": run, "all_scopes": everything}


def open_memory(store: str | None, embedder: str | None = None, **more: Any) -> Memory:
    """The memory that ``--store`` names, by the credentials that the options give."""
    from mem0g.memory import Memory

    return Memory.open(store or None, embedder=embedder, credentials=given_credentials(), **more)


def open_existing(store: str | None, embedder: str | None = None, **more: Any) -> Memory:
    """The memory that ``--store`` names, which must be there: reading makes no file and no index.

    Raises NotFoundError when it is not.
    """
    return open_memory(store, embedder, extractor="none", existing=True, **more)  # the rules take 0.1 s to load
