"""The command that reviews what a language model would have retired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mem0g.cli.options import SCOPE, STORE, JsonOption, Target, takes
from mem0g.cli.terminal import print_json, say

if TYPE_CHECKING:
    from mem0g.ingest.review import Held


@takes(SCOPE, STORE)
def review(
    target: Target,
    accept: Annotated[
        str | None, typer.Option("--accept", metavar="ID|all", help="Retire the facts of this entry.")
    ] = None,
    drop: Annotated[str | None, typer.Option("--drop", metavar="ID|all", help="Keep the facts of this entry.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List retirements that are held for review, because a model decided on many at once; accept or drop them."""
    from mem0g.errors import InputError

    if accept and drop:
        raise InputError("--accept and --drop were both given", hint="give one of them")
    keys = target.keys
    with target.open_existing() as memory:
        held = memory.review(**keys)
        wanted = accept or drop
        ids = [each.id for each in held] if wanted == "all" else [wanted] if wanted else []
        retired = 0
        for each in ids:
            if accept:
                retired += memory.accept(each, **keys)
            else:
                memory.drop(each, **keys)
    if wanted:
        done = {"accepted": len(ids), "retired": retired} if accept else {"dropped": len(ids)}
        if as_json:
            print_json(done)
        else:
            say(", ".join(f"{count} {what}" for what, count in done.items()))
    elif as_json:
        print_json([_held_json(each) for each in held])
    else:
        _print_held(held)


def _held_json(held: Held) -> dict[str, Any]:
    from mem0g.cli.output import plain

    rows = [
        {
            "fact": plain(each.fact),
            "successor": plain(each.successor) if each.successor else None,
            "reason": each.reason,
            "since": str(each.since) if each.since else None,
        }
        for each in held.retirements
    ]
    given = {"id": held.id, "scope": held.scope.keys, "window": held.window, "at": held.at.isoformat()}
    return {**given, "model": held.model, "retirements": rows}


def _print_held(held: tuple[Held, ...]) -> None:
    if not held:
        say("nothing is held for review")
        return
    for each in held:
        say(f"{each.id}  {each.at:%Y-%m-%d %H:%M} by {each.model}, {len(each.retirements)} retirements")
        for one in each.retirements:
            state = "" if one.fact.current else " (retired since)"
            then = f" -> {one.successor.text}" if one.successor else ""
            say(f"    {one.fact.text}{state}{then}  [{one.reason}]")
    say()
    say("`mem0g review --accept ID` retires the facts on the left, `--drop ID` keeps them")
