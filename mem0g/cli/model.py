"""The options that say which language model is asked, and how: given to every command that may ask one."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from mem0g.cli.common_options import Command, holding, with_options
from mem0g.errors import InputError
from mem0g.settings import BASE_URL_VARIABLE, DEFAULT_MODEL, MODEL_VARIABLE, LLMSettings, Settings

PANEL = "Language model"
"""The panel of ``--help`` that these options stand in."""

OPEN_END = "..."
"""Behind a list of types: others may be taken too."""

# The variables are read by mem0g.settings, once for all entrances.
_SPECIFICATIONS: dict[str, tuple[type | Any, str]] = {
    "model": (str | None, f"Its name. [env var: {MODEL_VARIABLE}] [default: {DEFAULT_MODEL}]"),
    "base_url": (str | None, f"A server that speaks the OpenAI protocol. [env var: {BASE_URL_VARIABLE}]"),
    "llm_timeout": (float | None, f"Seconds to wait for a reply. [default: {LLMSettings().timeout:g}]"),
    "llm_concurrency": (int | None, f"Windows extracted at a time. [default: {LLMSettings().concurrency}]"),
    "llm_cache": (Path | None, "A file of replies (JSON Lines): what is in it is not asked again."),
    "prompts": (Path | None, "A folder whose files replace prompts of the same name."),
    "instructions": (str | None, "What else to look for, in words; @FILE reads them."),
    "entity_types": (str | None, f"Types to use, by commas; {OPEN_END} at the end allows others."),
    "trust_model": (bool, "Let it retire as many facts at once as it likes; else many are held for review."),
    "relation_types": (str | None, f"Names of relations to use, by commas; {OPEN_END} at the end allows others."),
}

_OPTIONS: dict[str, Any] = {
    name: Annotated[kind, typer.Option(f"--{name.replace('_', '-')}", help=said, rich_help_panel=PANEL)]
    for name, (kind, said) in _SPECIFICATIONS.items()
}

_given: ContextVar[Settings | None] = ContextVar("settings", default=None)


def given_settings() -> Settings:
    """The settings of the environment, with what the options of the running command say of the model."""
    return _given.get() or Settings.from_environment()


def with_model(command: Command) -> Command:
    """The command with the model's options, which ``given_settings`` then tells."""
    return with_options(command, _OPTIONS, lambda given: holding(_given, _settings(given)))


def _settings(given: dict[str, Any]) -> Settings:
    entity_types, entities_open = _types(given["entity_types"])
    relation_types, relations_open = _types(given["relation_types"])
    if entity_types and relation_types and entities_open != relations_open:
        raise InputError(f"one list of types ends in {OPEN_END}, the other does not", hint="end both alike")
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
    }
    _check(asked)
    usual = Settings.from_environment()
    llm = replace(usual.llm, **{name: value for name, value in asked.items() if value})
    return replace(usual, llm=llm, trust_model=bool(given["trust_model"]))


def _check(asked: dict[str, Any]) -> None:
    for name in ("timeout", "concurrency"):
        if asked[name] is not None and asked[name] <= 0:
            raise InputError(f"--llm-{name} is {asked[name]:g}", hint="it must be more than 0")
    if asked["prompts"] and not asked["prompts"].is_dir():
        raise InputError(f"no such folder: {asked['prompts']}", hint="`mem0g prompts` shows the prompts there are")


def _types(text: str | None) -> tuple[tuple[str, ...], bool]:
    """The names of a list, and whether it is open."""
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
