"""The command that answers a question with a language model."""

from __future__ import annotations

from typing import Annotated

import typer

from mem0g.cli.options import EMBEDDER, MODEL, SCOPE, STORE, AsOfOption, JsonOption, Target, takes


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
    from mem0g.views.lines import said, times

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
