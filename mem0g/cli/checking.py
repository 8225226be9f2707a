"""The commands that check whether a store is whole, and mend it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from mem0g.cli.options import JsonOption, StoreOption, open_existing
from mem0g.cli.terminal import print_json, say

if TYPE_CHECKING:
    from mem0g.store.problem import Problem


def verify(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Check that the whole store agrees with itself; exit code 1 when something is wrong."""
    with open_existing(store) as memory:
        found = memory.verify()
    _print(found, as_json=as_json)
    if not as_json and not found:
        say("no problems found")
    if found:
        raise typer.Exit(1)


def repair(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Mend what can be mended, never deleting a fact; exit code 1 when something stays wrong."""
    with open_existing(store) as memory:
        mended, left = memory.repair(), memory.verify()
    if as_json:
        _print(mended, left, as_json=True)
    else:
        for problem in mended:
            say(f"mended: {problem.text}")
        _print(left, as_json=False)
        say(f"{len(mended)} problems mended, {len(left)} left")
    if left:
        raise typer.Exit(1)


def _print(*lists: Sequence[Problem], as_json: bool) -> None:
    """A line for each problem with what to do; as JSON one list, or two by name."""
    from mem0g.cli.output import plain

    if as_json:
        rows = [[plain(problem) for problem in problems] for problems in lists]
        print_json(rows[0] if len(rows) == 1 else {"mended": rows[0], "left": rows[1]})
        return
    for problem in lists[0]:
        say(f"{problem.kind}: {problem.text} ({problem.hint})")
