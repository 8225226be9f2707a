"""Rounds of a method: fill a store, start writers, kill them at random moments until they have finished, compare."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.faults import writers
from benchmarks.faults.checks import contents_at, keys, problems, scope_contents
from benchmarks.faults.children import Child, Journal, Work, journal, watch
from benchmarks.faults.inputs import EQUAL, utterances
from benchmarks.faults.places import BYSTANDER, DEFAULT, OTHER, SHARED, USER, Place, closing_store, scope_of
from benchmarks.report import Row
from mem0g.transfer.copy import copy
from mem0g.transfer.jsonl import export_lines

MAX_KILLS = 12
"""Maximum number of kills in a round; after that its writers may finish."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """The figures of a method's rounds; the sets describe the problems found, each once a round."""

    method: str
    store: str
    rounds: int = 0
    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    torn: int = 0
    unequal: int = 0
    errors: int = 0
    seconds: float = 0.0
    found: list[str] = field(default_factory=list)

    def row(self) -> Row:
        """Return the row of the table."""
        names = ("method", "store", "rounds", "kills", "acknowledged", "lost", "doubled", "torn", "unequal", "errors")
        return {**{name: getattr(self, name) for name in names}, "seconds": round(self.seconds, 1)}


@dataclass(slots=True)
class Ground:
    """Where a method runs: a store of its own, and in ``folder`` what was made once for all methods."""

    place: Place
    folder: Path
    base_url: str = ""

    @property
    def template(self) -> Place:
        """A file with the conversation in it, for two users."""
        return Place(str(self.folder / "template.db"))

    @property
    def lines(self) -> Path:
        """The template as an export file."""
        return self.folder / "template.jsonl"

    def prepare(self) -> None:
        """Create the template and its export."""
        with self.template.memory() as memory:
            for user in (USER, BYSTANDER):
                memory.add(utterances(writers.MESSAGE_COUNT), user_id=user)
        with closing_store(self.template) as store, self.lines.open("w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in export_lines(store))

    def fill(self) -> None:
        """Copy the template into the place."""
        if self.place.file:
            shutil.copyfile(self.template.address, self.place.file)
            return
        with closing_store(self.template) as given, closing_store(self.place) as taking:
            copy(given, taking)


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One kind of work that is killed.

    ``writers`` returns the work of each child with its arguments; ``filled``: whether the store holds the template at
    the start. ``repeats``: the text that is added without an id, so that a restarted writer adds more of it. ``share``
    is the method's share of all kills. ``parts``: on a server the work takes several transactions, so that a kill may
    leave part of it, which the next run completes.
    """

    name: str
    writers: Callable[[Ground], Sequence[tuple[Work, tuple[Any, ...]]]]
    users: tuple[str, ...] = (USER,)
    filled: bool = False
    repeats: bool = False
    parts: bool = False
    compared: bool = True
    share: float = 0.1
    stores: tuple[str, ...] = ("sqlite", "neo4j")


def _one(do: Work, *given: Any) -> Callable[[Ground], list[tuple[Work, tuple[Any, ...]]]]:
    return lambda ground: [(do, (ground.place, *given))]


METHODS = (
    Method(name="ingest, rules", writers=_one(writers.ingest, writers.MESSAGE_COUNT), share=0.2),
    Method(name="add with ids", writers=_one(writers.add, writers.MESSAGE_COUNT, USER), share=0.12),
    Method(name="background add", writers=_one(writers.add_in_background, writers.MESSAGE_COUNT), share=0.1),
    Method(
        name="ingest, model",
        writers=lambda ground: [(writers.ingest_with_model, (ground.place, writers.MESSAGE_COUNT, ground.base_url))],
        share=0.1,
    ),
    Method(name="reindex", writers=_one(writers.reindex_to_other), filled=True, parts=True, share=0.08),
    Method(
        name="copy",
        writers=lambda ground: [(writers.copy, (ground.place, ground.template.address))],
        users=(USER, BYSTANDER),
        parts=True,
        share=0.08,
    ),
    Method(
        name="import",
        writers=lambda ground: [(writers.import_file, (ground.place, str(ground.lines)))],
        users=(USER, BYSTANDER),
        parts=True,
        share=0.08,
    ),
    Method(name="forget", writers=_one(writers.forget), users=(USER, BYSTANDER), filled=True, parts=True, share=0.08),
    Method(name="first open", writers=_one(writers.open_first), share=0.06, stores=("sqlite",)),
    Method(
        name="two writers",
        writers=lambda ground: [(writers.add_beside, (ground.place, 8, user)) for user in ("faults-a", "faults-b")],
        users=("faults-a", "faults-b"),
        repeats=True,
        share=0.06,
    ),
    Method(
        name="reindex beside a writer",
        writers=lambda ground: [(writers.add_and_search, (ground.place, 12)), (writers.reindex, (ground.place, 6))],
        parts=True,
        share=0.04,
    ),
)
"""The kinds of work that are killed, with their shares of all kills."""


@dataclass
class Rounds:
    """Runs one method until it has had its number of kills."""

    method: Method
    ground: Ground
    random: Random
    store: str
    name: str = ""
    pace: float = inf
    """Shortest time in seconds of writers that finished; the first ones, on a cold server, take longer."""

    def run(self, kills: int) -> Tally:
        """Run rounds until ``kills`` kills are reached, and return the figures."""
        tally, started = Tally(method=self.name or self.method.name, store=self.store), perf_counter()
        expected, seconds = self._undisturbed(tally)
        while tally.kills < kills:
            self._round(tally, expected, min(seconds, self.pace), min(MAX_KILLS, kills - tally.kills))
        tally.seconds = perf_counter() - started
        return tally

    def _undisturbed(self, tally: Tally) -> tuple[dict[str, Counter[str]], float]:
        """Return the contents by user after an undisturbed run, and its seconds."""
        self._begin()
        with journal(self.ground.folder / "undisturbed.journal") as log:
            children = self._children()
            watch(children, log, [None] * len(children))
        self._record_errors(children, tally)
        return self._contents(), max(child.seconds for child in children)

    def _record_errors(self, children: Sequence[Child], tally: Tally) -> None:
        """Record the errors that ended children which were not killed."""
        errors = [each for child in children if (each := child.error or child.refused)]
        tally.errors += len(errors)
        tally.found += errors

    def _begin(self) -> None:
        self.ground.place.clear()
        if self.method.filled:
            self.ground.fill()

    def _children(self) -> list[Child]:
        return [Child(do, *given) for do, given in self.method.writers(self.ground)]

    def _contents(self) -> dict[str, Counter[str]]:
        return {user: contents_at(self.ground.place, scope_of(user)) for user in self.method.users}

    def _round(self, tally: Tally, expected: dict[str, Counter[str]], seconds: float, max_kills: int) -> None:
        """Run from an empty store to the end of the work, with at most ``max_kills`` kills on the way."""
        self._begin()
        wrong: dict[str, set[str]] = {"lost": set(), "doubled": set(), "torn": set()}
        deaths = 0
        tally.rounds += 1
        with journal(self.ground.folder / f"{self.store}-{tally.rounds}.journal") as log:
            ended = False
            while not ended:
                killed, ended = self._run_writers(tally, log, seconds if deaths < max_kills else None)
                deaths += killed
                self._check(log, deaths, wrong, ended=ended)
            tally.acknowledged += len(set(log.keys) - {EQUAL}) + log.keys.count(EQUAL)
        tally.kills += deaths
        for name, found in wrong.items():
            setattr(tally, name, getattr(tally, name) + len(found))
            tally.found += [f"{name}: {each}" for each in sorted(found)]
        if self.method.compared:
            self._compare(tally, expected)

    def _run_writers(self, tally: Tally, log: Journal, seconds: float | None) -> tuple[int, bool]:
        """Start the writers and kill each within ``seconds``; return the number of kills, and whether all finished."""
        children = self._children()
        watch(children, log, [None if seconds is None else self.random.uniform(0, seconds) for _ in children])
        self._record_errors(children, tally)
        killed = sum(child.killed for child in children)
        if not killed:
            self.pace = min(self.pace, max(child.seconds for child in children))
        return killed, not killed

    def _check(self, log: Journal, deaths: int, wrong: dict[str, set[str]], *, ended: bool) -> None:
        """Record what is lost, doubled or torn at this moment."""
        place, partly = self.ground.place, self.method.parts and self.store != "sqlite" and not ended
        if place.file and not place.file.exists():
            wrong["lost"].update(log.keys)
            return
        wrong["torn"] |= problems(place, linked=not partly, indexed=not partly)
        stored = self._stored()
        wrong["lost"].update(key for key in log.keys if not self._is_stored(key, stored))
        wrong["doubled"].update(key for key, count in stored.items() if count > 1)
        if self.method.repeats:
            self._count_equal(log.keys.count(EQUAL), deaths, wrong)
        if not partly and not ended:
            wrong["torn"] |= set(self._partial_windows(stored))

    def _stored(self) -> Counter[str]:
        """Return how often each key is stored; with several writers, keys include their user."""
        with closing_store(self.ground.place) as store:
            scopes = scope_contents(store)
        named = len(self.method.users) > 1
        return Counter(
            {
                f"{scope.user_id} {key}" if named else key: count
                for scope, mine in scopes.items()
                if scope.user_id in self.method.users
                for key, count in keys(mine.messages).items()
            }
        )

    def _is_stored(self, key: str, stored: Counter[str]) -> bool:
        """Whether what was acknowledged is stored."""
        if key in (EQUAL, DEFAULT, OTHER):
            return True  # counted, or checked with the vectors
        if key == writers.DONE and self.method.name == "forget":
            return not [each for each in stored if each.startswith(f"{USER} ")]
        if key == writers.DONE and self.method.name == "reindex":
            return self.ground.place.claimed() == OTHER
        if key == writers.DONE:
            return bool(stored)
        return stored[key] > 0

    def _count_equal(self, acknowledged: int, deaths: int, wrong: dict[str, set[str]]) -> None:
        """Check the number of equal texts: each kill may leave one that is stored but not acknowledged."""
        with closing_store(self.ground.place) as store:
            mine = scope_contents(store, scope_of(SHARED)).get(scope_of(SHARED))
        stored = sum(message.text == EQUAL for message in mine.messages) if mine else 0
        wrong["lost"] |= {f"equal text {number}" for number in range(stored, acknowledged)}
        wrong["doubled"] |= {f"equal text {number}" for number in range(acknowledged + deaths, stored)}

    def _partial_windows(self, stored: Counter[str]) -> Iterator[str]:
        """Yield a problem when work of one transaction is only partly stored."""
        if self.method.name in ("copy", "import", "forget"):
            of_user = len([key for key in stored if key.startswith(f"{USER} ")])
            if of_user not in (0, writers.MESSAGE_COUNT):
                yield f"{self.method.name}: {of_user} of {writers.MESSAGE_COUNT} messages"

    def _compare(self, tally: Tally, expected: dict[str, Counter[str]]) -> None:
        made = self._contents()
        if made == expected:
            return
        tally.unequal += 1
        for user, lines in expected.items():
            missing, more = lines - made[user], made[user] - lines
            tally.found += [f"missing in the end: {line}" for line in list(missing)[:2]]
            tally.found += [f"more in the end: {line}" for line in list(more)[:2]]
