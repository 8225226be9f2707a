"""Commands about what a language model does: what waits for it, what it cost, what it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.model import given_settings
from mem0g.cli.options import (
    AgentOption,
    AllOption,
    EmbedderOption,
    ExtractorOption,
    FormatOption,
    JsonOption,
    RunOption,
    SampleOption,
    StoreOption,
    TimezoneOption,
    UserOption,
    VerboseOption,
    open_existing,
    open_memory,
    scope_or_all_keys,
)
from mem0g.cli.reporting import finish, followed
from mem0g.cli.terminal import page, print_json, say, table

if TYPE_CHECKING:
    from mem0g.ingest.ledger import Cost


def retry(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    everything: AllOption = False,
    store: StoreOption = None,
    extractor: ExtractorOption = None,
    embedder: EmbedderOption = None,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Extract again what failed or was quarantined in a scope, or with --all in the whole store."""
    keys = scope_or_all_keys(user, agent, run, everything=everything)
    with open_memory(store, embedder, extractor=extractor or "llm", existing=True, settings=given_settings()) as memory:
        windows = memory.pending(**keys)
        report, finished = followed(memory.retry(**keys), len(windows), windows=True, changes=verbose or as_json)
        name = memory.extractor.name
    if not windows and not as_json:
        say("nothing waits")
        return
    finish(report, name, as_json, finished=finished, verbose=verbose)


def costs(
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    everything: AllOption = False,
    store: StoreOption = None,
    price: Annotated[
        str | None, typer.Option("--price", metavar="IN,OUT", help="Of a million tokens, as 0.15,0.60.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Sum what the calls of language models cost, by purpose: in a scope, or with --all in the whole store."""
    from dataclasses import asdict

    keys, prices = scope_or_all_keys(user, agent, run, everything=everything), _prices(price)
    with open_existing(store) as memory:
        found, messages = memory.costs(**keys), memory.stats(**keys).messages
    if as_json:
        rows = [asdict(each) | ({"price": each.price(prices)} if prices else {}) for each in found]
        print_json({"messages": messages, "costs": rows})
        return
    if not found:
        say("no language model was called")
        return
    columns = ["purpose", "model", "calls", "cached", "bad", "tokens in", "tokens out", "seconds", "price"]
    lines = [(each.purpose, each.model, *_sums([each], prices)) for each in found]
    table(columns, [*lines, ("all", "", *_sums(found, prices))])
    say(_each(found, messages))


def _sums(found: Sequence[Cost], prices: tuple[float, float] | None) -> list[str]:
    counts = [sum(getattr(each, name) for each in found) for name in ("calls", "cached", "bad")]
    tokens = [sum(getattr(each, name) for each in found) for name in ("prompt_tokens", "completion_tokens")]
    seconds = sum(each.seconds for each in found)
    paid = f"{sum(each.price(prices) for each in found):.4f}" if prices else ""
    return [*map(str, counts), *(f"{each:,}" for each in tokens), f"{seconds:.1f}", paid]


def _each(found: Sequence[Cost], messages: int) -> str:
    """What a message came to."""
    calls = sum(each.calls - each.cached for each in found) / max(messages, 1)
    given, written = (
        sum(getattr(each, name) for each in found) / max(messages, 1) for name in ("prompt_tokens", "completion_tokens")
    )
    return f"{messages} messages; each {calls:.2f} calls, {given:.0f} tokens in, {written:.0f} out"


def _prices(text: str | None) -> tuple[float, float] | None:
    from mem0g.errors import InputError

    if text is None:
        return None
    try:
        given, written = (float(each) for each in text.split(","))
    except ValueError as error:
        raise InputError(f"--price is {text!r}", hint="two prices of a million tokens: IN,OUT, as 0.15,0.60") from error
    return given, written


def prompts(
    name: Annotated[str | None, typer.Argument(help="extract, entities, relations, decide or summary.")] = None,
    file: Annotated[list[str] | None, typer.Option("--file", help="Show it for a window of this transcript.")] = None,
    window: Annotated[int, typer.Option("--window", min=1, help="Which window of it.")] = 1,
    form: FormatOption = None,
    sample: SampleOption = None,
    timezone: TimezoneOption = "UTC",
) -> None:
    """Show a prompt as it is kept; or, with --file, as it is asked about a window of a transcript."""
    from mem0g.errors import InputError
    from mem0g.prompts import PROMPTS, rendered
    from mem0g.times import timezone as zone_of
    from mem0g.transcripts import read_files

    settings = given_settings()
    if name is None:
        for each, (_, what) in PROMPTS.items():
            say(f"{each:<10} {what}")
        return
    if name not in PROMPTS:
        raise InputError(f"no prompt {name!r}", hint=f"there are {', '.join(PROMPTS)}")
    if not file:
        from mem0g.llm.prompts import Prompts

        page(Prompts(settings.llm.prompts).text(PROMPTS[name][0], name), end="")
        return
    transcript = read_files(file, format=form, sample=sample, zone=zone_of(timezone))
    page(rendered(name, transcript.utterances, window, settings))
