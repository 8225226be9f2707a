"""Options that several benchmarks share, and what they select."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.locomo import Conversation
from mem0g.errors import InputError
from mem0g.settings import LLMSettings, Settings

_USUAL = LLMSettings()


def _positive(value: float | None) -> float | None:
    if value is not None and value <= 0:
        raise typer.BadParameter("it must be more than 0")
    return value


OutOption = Annotated[Path, typer.Option(dir_okay=False, help="Write the figures to this JSON file.")]
DataOption = Annotated[Path, typer.Option(exists=True, dir_okay=False, help="LOCOMO's JSON.")]
AuditOption = Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="The audit's list of errors.")]
_TRIPLES = typer.Option(exists=True, file_okay=False, help="Folder with a SAMPLE.jsonl per sample.")
TriplesOption = Annotated[Path, _TRIPLES]
OptionalTriplesOption = Annotated[Path | None, _TRIPLES]
StoreOption = Annotated[str, typer.Option(help="sqlite (a temporary file), or a store's address.")]
SeedOption = Annotated[int, typer.Option(help="Seed of the draw.")]
SampleOption = Annotated[list[str] | None, typer.Option(help="Only these samples. [default: all]")]
ModelOption = Annotated[str | None, typer.Option(help="Name of the model. [env var: MEM0G_MODEL]")]
BaseUrlOption = Annotated[str | None, typer.Option(help="Base URL of the model server. [env var: OPENAI_BASE_URL]")]
CacheOption = Annotated[Path, typer.Option(dir_okay=False, help="Cache of replies (JSON Lines), reused by later runs.")]
OptionalCacheOption = Annotated[Path | None, typer.Option(dir_okay=False, help="Cache of replies (JSON Lines).")]
JudgeModelOption = Annotated[str | None, typer.Option(help="Model that judges. [default: --model]")]
JudgeBaseUrlOption = Annotated[str | None, typer.Option(help="Base URL of the judge. [default: --base-url]")]
TimeoutOption = Annotated[float, typer.Option(callback=_positive, help="Seconds to wait for a reply.")]
ConcurrencyOption = Annotated[int, typer.Option(min=1, help="Calls in parallel.")]
PromptsOption = Annotated[
    Path | None,
    typer.Option(exists=True, file_okay=False, help="Folder of prompt files that replace those of the same name."),
]

TIMEOUT, CONCURRENCY = _USUAL.timeout, _USUAL.concurrency


def of_samples(conversations: Sequence[Conversation], samples: Sequence[str]) -> list[Conversation]:
    """Return the conversations of these ids, in the order of the file; all if there are none.

    Raises InputError for an unknown id.
    """
    known = [each.id for each in conversations]
    for sample in samples:
        if sample not in known:
            raise InputError(f"no sample {sample!r}", hint=f"there are {', '.join(known)}")
    return [each for each in conversations if not samples or each.id in samples]


def llm_settings(
    model: str | None, base_url: str | None, cache: Path | None, timeout: float, concurrency: int, prompts: Path | None
) -> LLMSettings:
    """Return the settings of the environment, changed by the options."""
    usual = Settings.from_environment().llm
    return replace(
        usual,
        model=model or usual.model,
        base_url=base_url or usual.base_url,
        cache=cache,
        timeout=timeout,
        concurrency=concurrency,
        prompts=prompts,
    )


def judge_settings(llm: LLMSettings, model: str | None, base_url: str | None) -> LLMSettings:
    """Return the settings of the judge: those of ``llm`` with its own model and server, where they are given."""
    return replace(llm, model=model or llm.model, base_url=base_url or llm.base_url)


def cached(cache: Path | None) -> Path:
    """Return the cache of replies. Raises InputError without one: a model is asked for every question."""
    if cache is None:
        raise InputError("no --llm-cache given", hint="name the file in which the replies of --model are kept")
    return cache
