"""Commands that look for the answer to a question: search, context and ask."""

from __future__ import annotations

from typing import Annotated

import typer

from mem0g.cli.conditions import FilterOption, filters_of
from mem0g.cli.options import (
    EMBEDDER,
    MODEL,
    SCOPE,
    STORE,
    AsOfOption,
    JsonOption,
    KnownAtOption,
    RetiredOption,
    Target,
    takes,
)

QueryArgument = Annotated[str, typer.Argument(metavar="QUERY", help="Question or keywords; there is no query syntax.")]


@takes(SCOPE, STORE, EMBEDDER)
def search(
    target: Target,
    query: QueryArgument,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Maximum number of results.")] = 10,
    filters: FilterOption = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    include_retired: RetiredOption = False,
    as_json: JsonOption = False,
) -> None:
    """Search facts and messages, and show why each was found."""
    from mem0g.cli.output import asked_at, plain, print_hits
    from mem0g.cli.terminal import print_json, say

    keys, wanted = target.keys, filters_of(filters)
    with target.open_existing() as memory:
        hits = memory.search(
            query,
            limit=limit,
            filters=wanted,
            as_of=as_of,
            known_at=known_at,
            include_retired=include_retired,
            **keys,
        )
        cited = memory.messages(ids=[each for hit in hits for each in hit.evidence], **keys)
    at = asked_at(as_of)
    if as_json:
        print_json([{"text": hit.text, **plain(hit, at)} for hit in hits])
        return
    print_hits(hits, {message.id: message for message in cited}, at)
    if not hits:
        say("nothing found")
    elif not hits.known:
        say("Nothing is known about this; these are the nearest.")


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def context(
    target: Target,
    query: QueryArgument,
    tokens: Annotated[
        int, typer.Option("--tokens", "-t", help="Maximum number of tokens, estimated as words × 1.3.")
    ] = 500,
    fill: Annotated[bool, typer.Option("--fill", help="Use all the tokens, even for a simple question.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Ask a language model whether the text answers the question.")
    ] = False,
    filters: FilterOption = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    include_retired: RetiredOption = False,
    as_json: JsonOption = False,
) -> None:
    """Print the facts that answer a question, to paste into a prompt."""
    from mem0g.cli.output import plain
    from mem0g.cli.terminal import page, print_json, say

    keys, wanted = target.keys, filters_of(filters)
    with target.open_existing() as memory:
        found = memory.context(
            query,
            tokens=tokens,
            fill=fill,
            filters=wanted,
            as_of=as_of,
            known_at=known_at,
            include_retired=include_retired,
            check=check,
            **keys,
        )
    if as_json:
        print_json(plain(found))
        return
    if found.text:
        page(found.text)
    if not found.known:
        say(f"Not known: {found.missing}" if found.missing else "Nothing is known about this.")


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def ask(
    target: Target,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Question about what the memory knows.")],
    tokens: Annotated[
        int, typer.Option("--tokens", "-t", min=1, help="Tokens of facts and messages to answer from.")
    ] = 1500,
    as_of: AsOfOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question with a language model, and cite the facts and messages that the answer rests on."""
    from mem0g.cli.output import asked_at, plain
    from mem0g.cli.terminal import dim, print_json, say
    from mem0g.lines import said, times

    keys = target.keys
    with target.open_existing() as memory:
        answer = memory.ask(question, tokens=tokens, as_of=as_of, **keys)
    at = asked_at(as_of)
    if as_json:
        sources = [{"text": hit.text, **plain(hit, at)} for hit in answer.sources]
        print_json({"answer": answer.text, "known": answer.known, "model": answer.model, "sources": sources})
        return
    say(answer.text)
    for hit in answer.sources:
        if hit.fact:
            say(dim(f"  {hit.fact.text}  [{times(hit.fact, at)}{hit.fact.id}]"))
        elif hit.message:
            say(dim(f"  {said(hit.message)}  [{hit.message.id}]"))
