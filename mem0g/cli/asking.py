"""Commands that answer a question."""

from __future__ import annotations

from typing import Annotated

import typer

from mem0g.cli.options import (
    AgentOption,
    AsOfOption,
    EmbedderOption,
    JsonOption,
    KnownAtOption,
    RetiredOption,
    RunOption,
    StoreOption,
    UserOption,
    open_existing,
    scope_keys,
)

QueryArgument = Annotated[str, typer.Argument(help="A question, or words; no syntax.")]


def search(
    query: QueryArgument,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 10,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    include_retired: RetiredOption = False,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the facts and messages that answer a question, and say why each was found."""
    from mem0g.cli.output import plain, print_hit
    from mem0g.cli.terminal import print_json, say

    keys = scope_keys(user, agent, run)
    with open_existing(store, embedder) as memory:
        hits = memory.search(
            query, limit=limit, as_of=as_of, known_at=known_at, include_retired=include_retired, **keys
        )
        cited = memory.messages(ids=[each for hit in hits for each in hit.evidence], **keys)
    if as_json:
        print_json([{"text": hit.text, **plain(hit)} for hit in hits])
        return
    messages = {message.id: message for message in cited}
    for place, hit in enumerate(hits, start=1):
        print_hit(place, hit, messages)
    if not hits:
        say("nothing found")


def context(
    query: QueryArgument,
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    store: StoreOption = None,
    tokens: Annotated[int, typer.Option("--tokens", "-t", help="The most it may use (words × 1.3).")] = 500,
    fill: Annotated[bool, typer.Option("--fill", help="Use it all for an easy question too.")] = False,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    include_retired: RetiredOption = False,
    embedder: EmbedderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what answers a question, ready to paste into a prompt."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import page, print_json

    keys = scope_keys(user, agent, run)
    with open_existing(store, embedder) as memory:
        found = memory.context(
            query,
            tokens=tokens,
            fill=fill,
            as_of=as_of,
            known_at=known_at,
            include_retired=include_retired,
            **keys,
        )
    if as_json:
        print_json(plain(found))
    else:
        page(found.text)
