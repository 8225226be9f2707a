"""The options that several commands share, defined once, and the memory that they name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from mem0g.errors import InputError, NotFoundError
from mem0g.settings import (
    BASE_URL_VARIABLE,
    CREDENTIALS_VARIABLES,
    DEFAULT_MODEL,
    EMBEDDER_VARIABLE,
    MODEL_VARIABLE,
    STORE_VARIABLE,
    Credentials,
    LLMSettings,
    Settings,
)

if TYPE_CHECKING:
    from mem0g.lookup import ScopeKeys
    from mem0g.memory import Memory
    from mem0g.model import Scope

Command = Callable[..., None]
Options = Mapping[str, Any]
"""Options by parameter name: their annotation."""

DATES = "2023, 2023-05 or 2023-05-07"

OPEN_END = "..."
"""The end of a list of types that also allows others."""

ExtractorOption = Annotated[
    str | None,
    typer.Option(
        "--extractor",
        help="How to extract facts: llm, llm-two-stage, llm-dense (sentences, no graph), rules or none. [default: llm "
        "if a key or a server is configured, else rules]",
    ),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", "-f", help="Transcript format. [default: detected from the content]")
]
SampleOption = Annotated[
    str | None, typer.Option("--sample", help="ID of the conversation to read, from a file that holds several.")
]
SpeakerOption = Annotated[
    str | None,
    typer.Option("--speaker", help="Author of notes and other texts that name none. [default: the user of the scope]"),
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="KIND=NAME",
        help="Column of a table by what it holds: text, speaker, time, role, session or id; can be repeated.",
    ),
]
TimezoneOption = Annotated[
    str,
    typer.Option(
        "--timezone",
        help='Time zone of the speakers, such as Europe/Oslo: of times that state none, and of "yesterday".',
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsOfOption = Annotated[str | None, typer.Option("--as-of", help=f"Only what was true at this time: {DATES}.")]
KnownAtOption = Annotated[str | None, typer.Option("--known-at", help="Only what had been recorded by this time.")]
RetiredOption = Annotated[bool, typer.Option("--include-retired", help="Include facts that are no longer true.")]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, help="Maximum number of results.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="List every fact that changed.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file instead of standard output.")
]
FactArgument = Annotated[str, typer.Argument(metavar="FACT", help="ID of the fact, or the start of it.")]
EntityArgument = Annotated[str, typer.Argument(metavar="ENTITY", help="Name or ID of the entity.")]
EntityOrFactArgument = Annotated[
    str, typer.Argument(metavar="ENTITY|FACT", help="Name or ID of the entity, or ID of the fact.")
]
OffsetOption = Annotated[int, typer.Option("--offset", min=0, help="Number of results to leave out first.")]


def _option(kind: Any, name: str, panel: str, said: str, *more: Any) -> Any:
    return Annotated[kind, typer.Option(f"--{name}", *more, help=said, rich_help_panel=panel)]


SCOPE: Options = {
    "user": _option(str | None, "user", "Scope", "User ID of the scope.", "-u"),
    "agent": _option(str | None, "agent", "Scope", "Agent ID of the scope."),
    "run": _option(str | None, "run", "Scope", "Run ID of the scope."),
}
SCOPE_OR_ALL: Options = {
    **SCOPE,
    "everything": _option(bool, "all", "Scope", "Use the whole store instead of one scope."),
}
STORE: Options = {
    "store": Annotated[
        str | None,
        typer.Option(
            "--store",
            "-s",
            envvar=STORE_VARIABLE,
            help="SQLite file, or Neo4j address such as neo4j://host. [default: a file in your data folder]",
        ),
    ]
}
EMBEDDER: Options = {
    "embedder": Annotated[
        str | None,
        typer.Option(
            "--embedder",
            envvar=EMBEDDER_VARIABLE,
            help="Embedding model: minilm, a folder (of model2vec, too), sentence-transformers:MODEL, openai:MODEL.",
        ),
    ]
}

# mem0g.settings reads the variables named below: they count less than the address of a store, an option more.
_LLM = "Language model"
MODEL: Options = {
    "model": _option(
        str | None, "model", _LLM, f"Name of the model. [env var: {MODEL_VARIABLE}] [default: {DEFAULT_MODEL}]"
    ),
    "base_url": _option(
        str | None, "base-url", _LLM, f"URL of an OpenAI-compatible server. [env var: {BASE_URL_VARIABLE}]"
    ),
    "llm_timeout": _option(
        float | None, "llm-timeout", _LLM, f"Seconds to wait for a reply. [default: {LLMSettings().timeout:g}]"
    ),
    "llm_concurrency": _option(
        int | None,
        "llm-concurrency",
        _LLM,
        f"Requests at a time; one of them decides. [default: {LLMSettings().concurrency}]",
    ),
    "llm_cache": _option(Path | None, "llm-cache", _LLM, "JSON Lines file in which replies are cached."),
    "prompts": _option(Path | None, "prompts", _LLM, "Folder of prompts that replace the built-in ones by name."),
    "instructions": _option(
        str | None, "instructions", _LLM, "Additional instructions for extraction, or @FILE to read them from a file."
    ),
    "entity_types": _option(
        str | None,
        "entity-types",
        _LLM,
        f"Entity types to use, separated by commas; end with {OPEN_END} to allow more.",
    ),
    "relation_types": _option(
        str | None, "relation-types", _LLM, f"Relations to use, separated by commas; end with {OPEN_END} to allow more."
    ),
    "session_summaries": _option(
        bool, "session-summaries", _LLM, "Let the model sum up each session when it closes, one request for each."
    ),
    "trust_model": _option(
        bool, "trust-model", _LLM, "Let the model retire any number of facts at once, without a review."
    ),
}
SERVER: Options = {
    name: _option(str | None, name, "Neo4j", f"{said} [env var: {CREDENTIALS_VARIABLES[name]}]")
    for name, said in {
        "username": "Neo4j user. [default: as in neo4j://USER@host] ",
        "password": "Neo4j password. Prefer the variable, which `ps` does not show. ",
        "database": "Neo4j database. [default: as in neo4j://host/NAME, or the user's] ",
    }.items()
}


def columns_of(given: list[str] | None) -> dict[str, str]:
    """Return the columns that --column names, by what they hold. Raises InputError for what is no KIND=NAME."""
    columns = {}
    for each in given or ():
        what, equals, name = each.partition("=")
        if not (what.strip() and equals and name.strip()):
            raise InputError(f"--column is {each!r}", hint="write what it holds and its name: --column text=body")
        columns[what.strip()] = name.strip()
    return columns


class ScopeOrAllKeys(TypedDict):
    """A scope, or the whole store, as keyword arguments of the methods that take both."""

    user_id: str | None
    agent_id: str | None
    run_id: str | None
    all_scopes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The values of the shared options of a command, and the memory they name.

    ``notes`` are lines for standard error, printed after the command.
    """

    settings: Settings
    credentials: Credentials
    store: str | None = None
    embedder: str | None = None
    user: str | None = None
    agent: str | None = None
    run: str | None = None
    everything: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def keys(self) -> ScopeKeys:
        """The scope as keyword arguments. Raises ScopeError for no scope, or an invalid one."""
        from mem0g.model import Scope

        Scope(self.user, self.agent, self.run)
        return {"user_id": self.user, "agent_id": self.agent, "run_id": self.run}

    @property
    def keys_or_all(self) -> ScopeOrAllKeys:
        """The scope or ``--all`` as keyword arguments. Raises ScopeError unless exactly one of them is given."""
        _ = self.scope
        return {"user_id": self.user, "agent_id": self.agent, "run_id": self.run, "all_scopes": self.everything}

    @property
    def scope(self) -> Scope | None:
        """The scope, None for ``--all``. Raises ScopeError unless exactly one of them is given."""
        from mem0g.lookup import scope_or_all

        return scope_or_all(self.user, self.agent, self.run, all_scopes=self.everything)

    @property
    def otherwise(self) -> Credentials:
        """The credentials for addresses that name none: those of the options, else those of the settings.

        For commands with several addresses, such as copy.
        """
        given, usual = self.credentials, self.settings.credentials
        return Credentials(
            username=given.username or usual.username,
            password=given.password or usual.password,
            database=given.database or usual.database,
        )

    def for_addresses(self) -> Target:
        """Return the same, with the Neo4j options counting less than what the address of the store says."""
        settings = replace(self.settings, credentials=self.otherwise)
        return replace(self, credentials=Credentials(), settings=settings)

    def open(self, **more: Any) -> Memory:
        """Open the memory; ``more`` are further arguments of ``Memory.open``."""
        from mem0g.memory import Memory

        given = {"embedder": self.embedder, "credentials": self.credentials, "settings": self.settings, **more}
        return Memory.open(self.store or None, **given)

    def open_existing(self, **more: Any) -> Memory:
        """Open the memory without creating a file or an index. Raises NotFoundError when there is none.

        No extractor is loaded: that of rules takes 0.1 s. If the scope is empty, as a misspelt one is, the command says
        so.
        """
        from mem0g.model import Scope

        keys = (self.user, self.agent, self.run)
        scope = Scope(*keys) if keys != (None, None, None) else None  # checked before anything is opened
        memory = self.open(extractor="none", existing=True, **more)
        if scope is not None and not memory.store.scopes(scope):
            self.notes.append(_empty(memory, scope))
        return memory


def _empty(memory: Memory, scope: Scope) -> str:
    """Return a note that the scope is empty, with similar scopes."""
    from mem0g.lookup import near_scopes

    near = near_scopes(memory.store, scope)
    hint = f"did you mean {' or '.join(near)}?" if near else "`mem0g users` lists the scopes"
    return f"nothing is stored for {scope}; {hint}"


def _run(command: Command, target: Target, arguments: Mapping[str, Any]) -> None:
    """Run a command, then print its notes; they are the hint of an error about what is not there."""
    from mem0g.cli.terminal import say

    try:
        command(target, **arguments)
    except NotFoundError as error:
        error.hint = target.notes[0] if target.notes else error.hint
        raise
    for note in dict.fromkeys(target.notes):
        say(note, err=True)


def takes(*groups: Options) -> Callable[[Command], Command]:
    """Return a decorator that gives a command the options of ``groups``; it is called with a Target in their place.

    The command's first parameter is the Target. Every command that takes STORE takes SERVER too.
    """
    shared = {name: option for group in groups for name, option in group.items()}
    if "store" in shared:
        shared |= SERVER
    first = [name for name in shared if name in SCOPE_OR_ALL or name in STORE]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**arguments: Any) -> None:
            _run(command, _target({name: arguments.pop(name) for name in shared}), arguments)

        own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
        parameters = [
            *(_parameter(name, shared[name]) for name in first),
            *(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own),
            *(_parameter(name, shared[name]) for name in shared if name not in first),
        ]
        # Typer reads the options from the signature.
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def _parameter(name: str, option: Any) -> inspect.Parameter:
    default = False if option.__origin__ is bool else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option)


def _target(given: dict[str, Any]) -> Target:
    """Return the values of the shared options as a Target. Raises InputError for options of a model that are unusable.

    An empty option of the server gives nothing.
    """
    settings = _with_model(Settings.from_environment(), given) if "model" in given else Settings.from_environment()
    credentials = Credentials(**{name: given.get(name) or None for name in SERVER})
    others = {name: given[name] for name in (*SCOPE_OR_ALL, *STORE, *EMBEDDER) if name in given}
    return Target(settings=settings, credentials=credentials, **others)


def _with_model(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Return the settings with what the options of the language model say; what they leave out stays."""
    for name in ("llm_timeout", "llm_concurrency"):
        if given[name] is not None and given[name] <= 0:
            raise InputError(f"--{name.replace('_', '-')} is {given[name]:g}", hint="it must be greater than 0")
    if given["prompts"] and not given["prompts"].is_dir():
        raise InputError(f"no such folder: {given['prompts']}", hint="`mem0g prompts` lists the built-in prompts")
    entity_types, entities_open = _types(given["entity_types"])
    relation_types, relations_open = _types(given["relation_types"])
    if entity_types and relation_types and entities_open != relations_open:
        raise InputError(f"one list of types ends in {OPEN_END}, the other does not", hint="end both in the same way")
    asked = {
        "model": given["model"],
        "base_url": given["base_url"],
        "timeout": given["llm_timeout"],
        "concurrency": given["llm_concurrency"],
        "cache": given["llm_cache"],
        "prompts": given["prompts"],
        "instructions": _instructions(given["instructions"]),
        "entity_types": entity_types,
        "relation_types": relation_types,
        "closed_types": bool(entity_types or relation_types) and not (entities_open or relations_open),
        "session_summaries": given["session_summaries"],
    }
    llm = replace(settings.llm, **{name: value for name, value in asked.items() if value})
    return replace(settings, llm=llm, trust_model=given["trust_model"])


def _types(text: str | None) -> tuple[tuple[str, ...], bool]:
    """Return the names of a list, and whether others are allowed."""
    names = [each.strip() for each in (text or "").split(",") if each.strip()]
    is_open = bool(names) and names[-1] == OPEN_END
    return tuple(names[:-1] if is_open else names), is_open


def _instructions(text: str | None) -> str:
    if not text or not text.startswith("@"):
        return text or ""
    try:
        return Path(text[1:]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the instructions {text[1:]}: {error}", hint="name a text file") from error
