"""Commands about language models: what their calls cost, and the prompts they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.options import (
    MODEL,
    SCOPE_OR_ALL,
    STORE,
    FormatOption,
    JsonOption,
    SampleOption,
    Target,
    TimezoneOption,
    takes,
)
from mem0g.cli.terminal import page, print_json, say, table

if TYPE_CHECKING:
    from mem0g.ingest.ledger import Cost


@takes(SCOPE_OR_ALL, STORE)
def costs(
    target: Target,
    price: Annotated[
        str | None,
        typer.Option(
            "--price", metavar="IN,OUT", help="Prices per million input and output tokens, such as 0.15,0.60."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the number, tokens, seconds and price of language model calls, by purpose."""
    from dataclasses import asdict

    keys, prices = target.keys_or_all, _prices(price)
    with target.open_existing() as memory:
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
    """Return the calls and tokens per message, as a line."""
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
        raise InputError(
            f"--price is {text!r}", hint="give two prices per million tokens, IN,OUT, such as 0.15,0.60"
        ) from error
    return given, written


@takes(MODEL)
def prompts(
    target: Target,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="extract, entities, relations, decide or summary. [default: list them]"),
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option("--file", help="Transcript to render the prompt for; can be repeated.")
    ] = None,
    window: Annotated[int, typer.Option("--window", min=1, help="Number of the window in it.")] = 1,
    form: FormatOption = None,
    sample: SampleOption = None,
    timezone: TimezoneOption = "UTC",
) -> None:
    """Show a prompt; with --file, as it is sent for a window of a transcript."""
    from mem0g.errors import InputError
    from mem0g.prompts import PROMPTS, rendered
    from mem0g.times import timezone as zone_of
    from mem0g.transcripts import read_files

    settings = target.settings
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
