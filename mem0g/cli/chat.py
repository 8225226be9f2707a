"""The command that talks with a language model, and shows what it remembers and learns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.options import EMBEDDER, MODEL, SCOPE, STORE, ExtractorOption, Target, takes
from mem0g.cli.terminal import Styled, dim, page, read_line, say
from mem0g.errors import InputError, Mem0gError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mem0g.chat.talking import Chat
    from mem0g.ingest.report import Report
    from mem0g.lookup import ScopeKeys
    from mem0g.memory import Memory
    from mem0g.model import Hit

MAX_SHOWN = 8
"""Facts and messages remembered for a reply that are shown."""

HELP = """/facts          what is known now
/forget ID      delete a fact or a message for good
/help           these commands
/quit           leave, as at the end of input"""


@takes(SCOPE, STORE, EMBEDDER, MODEL)
def chat(
    target: Target,
    tokens: Annotated[
        int, typer.Option("--tokens", "-t", min=1, help="Tokens of facts and messages to remember for a reply.")
    ] = 1000,
    extractor: ExtractorOption = None,
) -> None:
    """Talk with a language model that remembers; each turn shows what it remembered and what it learnt.

    /facts, /forget ID, /help and /quit are commands. What was said is stored, however the chat ends, even where the
    model gave no reply. The exit code is 1 if the last message or command failed.
    """
    from mem0g.chat.talking import Chat
    from mem0g.llm.openai import no_key
    from mem0g.model import Scope
    from mem0g.times import now

    keys, settings = target.keys, target.settings.llm
    if not settings.configured:
        raise no_key(settings.model)
    with target.open(extractor=extractor) as memory:
        talk = Chat(memory, Scope(**keys), now(), tokens=tokens)
        failed = False
        try:
            failed = _talk(memory, keys, talk)
        except KeyboardInterrupt:
            say("")
        finally:
            talk.store()
    if failed:
        raise typer.Exit(1)


def _talk(memory: Memory, keys: ScopeKeys, talk: Chat) -> bool:
    """Take the user's lines until the end of input or /quit; return whether the last one failed.

    An error is one line, and the chat goes on.
    """
    failed = False
    while (line := read_line(f"{talk.user}> ")) is not None:
        words = line.split(maxsplit=1)
        if words[:1] == ["/quit"]:
            break
        if not words:
            continue
        try:
            if line.startswith("/"):
                _command(memory, keys, *words)
            else:
                _turn(talk, line.strip())
            failed = False
        except Mem0gError as error:
            failed = True
            say(Styled(f"mem0g: {error.with_hint}", "red"), err=True)
    return failed


def _turn(talk: Chat, text: str) -> None:
    """Answer a message, and learn from it; without an answer it is stored all the same."""
    from mem0g.times import now

    talk.hear(text, now())
    try:
        remembered = talk.recall()
        _print_remembered(remembered)
        page(talk.reply(remembered))
    except Mem0gError:
        talk.store()
        raise
    _print_learnt(talk.learn())


def _print_remembered(hits: Sequence[Hit]) -> None:
    from mem0g.lines import said, times
    from mem0g.times import now

    for hit in hits[:MAX_SHOWN]:
        if hit.fact:
            say(dim(f"  remembers: {hit.fact.text}  [{times(hit.fact, now())}{hit.fact.id}]"))
        elif hit.message:
            say(dim(f"  remembers: {said(hit.message)}  [{hit.message.id}]"))
    if len(hits) > MAX_SHOWN:
        say(dim(f"  and {len(hits) - MAX_SHOWN} more"))


def _print_learnt(report: Report) -> None:
    from mem0g.lines import change_lines

    for line in change_lines(report):
        say(dim(f"  {line}"))
    if report.held:
        say(dim(f"  {report.held} retirements are held: `mem0g review` lists them"))
    if report.quarantined:
        say(dim("  nothing learnt: the model's reply could not be used; `mem0g retry` asks again"))


def _command(memory: Memory, keys: ScopeKeys, name: str, argument: str = "") -> None:
    """Run a command of the chat. Raises InputError for an unknown one."""
    from mem0g.cli.output import print_facts

    if name == "/help":
        page(HELP)
    elif name == "/facts":
        print_facts(memory.facts(**keys))
    elif name == "/forget" and argument:
        gone = memory.erase(argument.strip(), **keys)
        say(dim(f"  deleted for good: {gone.messages} messages, {gone.facts} facts, {gone.entities} entities"))
    else:
        what = f"{name} needs an ID" if name == "/forget" else f"no command {name[:40]!r}"
        raise InputError(what, hint="/help lists the commands")
