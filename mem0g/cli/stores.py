"""Commands about whole stores: to make one, to be rid of it, to copy it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from mem0g.cli.credentials import credentials_for_addresses, given_credentials
from mem0g.cli.options import AgentOption, AllOption, EmbedderOption, RunOption, StoreOption, UserOption, YesOption
from mem0g.cli.progress import INTERRUPTED, interruptible, progress
from mem0g.cli.terminal import confirm, say

if TYPE_CHECKING:
    from mem0g.model import Scope
    from mem0g.store.protocol import Store
    from mem0g.store.queries import Stats
    from mem0g.transfer.copy import Copied


def init(
    store: StoreOption = None,
    embedder: EmbedderOption = None,
    drop: Annotated[bool, typer.Option("--drop", help="Remove all that mem0g made there, and nothing else.")] = False,
    yes: YesOption = False,
) -> None:
    """Make or upgrade what a memory needs: the file, or a database's constraints and indexes."""
    if drop:
        _drop(store, yes=yes)
        return
    from mem0g.doctor import described

    opened, made = _prepared(store)
    with closing(opened):
        made += _with_room(opened, embedder)
        info = opened.info()
    for name in made:
        say(f"made {name}")
    if not made:
        say("nothing to do")
    say(described(info))


def copy(
    source: Annotated[str, typer.Argument(metavar="SRC", help="Store to copy from: a file, or neo4j://host.")],
    target: Annotated[str, typer.Argument(metavar="DST", help="Store to copy to; made when it is not there.")],
    user: UserOption = None,
    agent: AgentOption = None,
    run: RunOption = None,
    everything: AllOption = False,
) -> None:
    """Copy a scope, or with --all the whole store, into another store; what is there already stays as it is.

    User, password and database may stand in either address, as in neo4j://user:password@host/database; what an address
    does not say, the options say for both.
    """
    from mem0g.errors import InputError
    from mem0g.lookup import scope_or_all
    from mem0g.settings import Settings
    from mem0g.store.address import open_existing, open_store, same_store

    scope = scope_or_all(user, agent, run, all_scopes=everything)
    credentials = credentials_for_addresses()
    if same_store(source, target, credentials):
        raise InputError("both addresses are of one store", hint="name another one to copy to")
    with closing(open_existing(source, otherwise=credentials)) as old:
        held = _held(old, scope)
        with closing(open_store(target, otherwise=credentials, file=Settings.from_environment().file)) as new:
            before = new.stats()
            copied, finished = _followed(old, new, scope, held)
            known = "" if new.stats() != before else "; all of it was there already"
            say(f"{_counts(copied)} copied to {new.address}{known}")
    if not finished:
        say("stopped before the end; run it again to go on", err=True)
        raise typer.Exit(INTERRUPTED)


def _prepared(store: str | None) -> tuple[Store, tuple[str, ...]]:
    """The store with all that it needs, and what of this was made."""
    from mem0g.errors import NotFoundError

    try:
        opened = _open(store, prepare=False)
    except NotFoundError:  # of a file
        opened = _open(store, prepare=True)
        return opened, (opened.address,)
    try:
        return opened, opened.prepare()
    except BaseException:
        opened.close()
        raise


def _with_room(opened: Store, embedder: str | None) -> tuple[str, ...]:
    """Claim the store for the embedder, as the first ingest would, unless it is another's and none is asked for."""
    from mem0g.embed import open_embedder
    from mem0g.settings import Settings

    before = opened.info().embedder
    if before is not None and embedder is None:
        return ()
    chosen = open_embedder(embedder, weights=Settings.from_environment().weights)
    opened.claim_embedder(chosen.name, chosen.dimensions)
    return () if before else (f"room for the vectors of {chosen.name}, {chosen.dimensions} dimensions",)


def _drop(store: str | None, *, yes: bool) -> None:
    from mem0g.errors import NotFoundError
    from mem0g.settings import Settings
    from mem0g.store.address import open_existing

    try:
        opened = open_existing(store or None, given_credentials(), otherwise=Settings.from_environment().credentials)
    except NotFoundError as error:
        say(f"nothing to do: {error}")
        return
    with closing(opened):
        held = opened.stats()
        what = (
            f"{held.messages} messages, {held.entities} entities and {held.facts} facts of {len(held.scopes)} scopes, "
            f"and all else that mem0g made at {opened.address}"
        )
        if not yes:
            confirm(f"Remove {what}, for good?")
        opened.drop()
    say(f"removed {what}")


def _open(store: str | None, *, prepare: bool) -> Store:
    from mem0g.settings import Settings
    from mem0g.store.address import open_store

    return open_store(
        store or None, given_credentials(), otherwise=Settings.from_environment().credentials, prepare=prepare
    )


def _held(store: Store, scope: Scope | None) -> Stats:
    """What there is to copy. Raises NotFoundError when the scope holds nothing."""
    from mem0g.errors import NotFoundError

    held = store.stats(scope)
    if scope is not None and not held.scopes:
        raise NotFoundError(f"{store.address} holds nothing of {scope}", hint="`mem0g stats --all` counts all")
    return held


def _followed(old: Store, new: Store, scope: Scope | None, held: Stats) -> tuple[Copied, bool]:
    """What was copied, shown as it goes; and whether it came to its end, or Ctrl-C stopped it."""
    from mem0g.transfer import copy

    total = held.messages + held.entities + held.facts + sum(held.decisions.values())
    with interruptible() as interrupted, progress(total, "copy") as show:

        def go_on(copied: Copied) -> bool:
            show(copied.records, _counts(copied))
            return not interrupted

        copied = copy.copy(old, new, scope, go_on=go_on)
        return copied, not interrupted


def _counts(copied: Copied) -> str:
    return f"{copied.messages} messages, {copied.entities} entities, {copied.facts} facts"
