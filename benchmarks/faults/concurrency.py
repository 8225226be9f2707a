"""Many concurrent writers and readers of one store, none of them killed, checked afterwards as a history."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.faults.checks import ScopeContents, problems, scope_contents
from benchmarks.faults.children import Child, journal, watch
from benchmarks.faults.inputs import EQUAL
from benchmarks.faults.places import SHARED, USER, Place, closing_store
from benchmarks.faults.rounds import Tally
from benchmarks.faults.writers import Acknowledge
from mem0g import Memory, Triple
from mem0g.model import Fact, Message, Succession

MOVER, WINDOWS = "faults-mover", "faults-windows"
"""The user whose home changes repeatedly, and the user that windows of several messages are added for."""

PARTS = 3
"""Messages of a window, which are stored in one transaction."""

PARTIAL_WINDOW = "half a window"

Operation = Callable[[Memory, int, Acknowledge], None]
"""One step of a thread; the number is unique over all steps."""


def _add_equal(memory: Memory, number: int, acknowledge: Acknowledge) -> None:
    del number
    memory.add(EQUAL, user_id=SHARED)
    acknowledge(EQUAL)


def _add_with_id(memory: Memory, number: int, acknowledge: Acknowledge) -> None:
    """Add a message with an id that another thread or process has probably used before."""
    name = f"m{number % 10}"
    memory.add([{"role": "user", "name": "Ann", "content": f"I like tea{name}.", "id": name}], user_id=USER)
    acknowledge(name)


def _move(memory: Memory, number: int, acknowledge: Acknowledge) -> None:
    text = f"Ann lives in Town{number}."
    memory.add_triples([Triple(subject="Ann", relation="lives_in", object=f"Town{number}", text=text)], user_id=MOVER)
    acknowledge(text)


def _add_window(memory: Memory, number: int, acknowledge: Acknowledge) -> None:
    texts = [f"I like kite{number}x{part}." for part in range(PARTS)]
    memory.add([{"role": "user", "name": "Ben", "content": text} for text in texts], user_id=WINDOWS)
    acknowledge(*texts)


def _read(memory: Memory, number: int, acknowledge: Acknowledge) -> None:
    """Read the windows, which must be complete and have their facts; search, and read the homes."""
    del number
    seen = memory.messages(user_id=WINDOWS)
    known = {each for fact in memory.facts(user_id=WINDOWS, include_retired=True) for each in fact.evidence}
    for problem in _partial_windows(seen, known):
        acknowledge(problem)
    memory.search("Where does Ann live?", user_id=MOVER)
    living = memory.facts(user_id=MOVER, relation="lives_in")
    if len(living) > 1:
        acknowledge(f"{PARTIAL_WINDOW}: Ann lives in {len(living)} towns")


_OPERATIONS: Sequence[Operation] = (_add_equal, _add_with_id, _move, _add_window, _read)


def _partial_windows(seen: Sequence[Message], known: set[str]) -> Iterator[str]:
    windows = Counter(message.text.partition("x")[0] for message in seen)
    yield from (f"{PARTIAL_WINDOW}: {count} messages of {name!r}" for name, count in windows.items() if count != PARTS)
    yield from (f"{PARTIAL_WINDOW}: {each.text!r} without its fact" for each in seen if each.id not in known)


def mixed(place: Place, who: int, steps: int, threads: int, seed: int, acknowledge: Acknowledge) -> None:
    """Run ``steps`` operations in each of ``threads`` threads, in a random order of their own."""
    with place.memory() as memory, ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(_run, memory, who * threads + each, steps, seed, acknowledge) for each in range(threads)]
        for each in running:
            each.result()


def _run(memory: Memory, who: int, steps: int, seed: int, acknowledge: Acknowledge) -> None:
    random = Random(seed * 1000 + who)  # noqa: S311 - no secret
    for step in range(steps):
        random.choice(_OPERATIONS)(memory, who * steps + step, acknowledge)


def history(place: Place, folder: Path, store: str, *, processes: int, threads: int, steps: int, seed: int) -> Tally:
    """Run one history and return its figures: ``lost``, ``doubled`` and ``torn`` as for killed writers."""
    tally, started = Tally(method="all at once", store=store, rounds=1), perf_counter()
    place.clear()
    with journal(folder / f"{store}-together.journal") as log:
        children = [Child(mixed, place, who, steps, threads, seed) for who in range(processes)]
        watch(children, log, [None] * processes)
        acknowledged = Counter(key for key in log.keys if not key.startswith(PARTIAL_WINDOW))
        seen = {key for key in log.keys if key.startswith(PARTIAL_WINDOW)}
    texts = [each for child in children if (each := child.error or child.refused)]
    tally.errors, tally.found = len(texts), texts
    tally.acknowledged = acknowledged.total()
    with closing_store(place) as opened:
        scopes = {scope.user_id: mine for scope, mine in scope_contents(opened).items()}
    stored = _stored(scopes)
    lost = {key: count - stored[key] for key, count in _wanted(acknowledged).items() if stored[key] < count}
    more = {key: stored[key] - count for key, count in _wanted(acknowledged).items() if stored[key] > count}
    torn = seen | problems(place) | set(_moves(scopes.get(MOVER, ScopeContents())))
    tally.lost, tally.doubled, tally.torn = sum(lost.values()), sum(more.values()), len(torn)
    for name, found in (("lost", lost), ("doubled", more), ("torn", torn)):
        tally.found += [f"{name}: {each}" for each in sorted(found)]
    tally.seconds = perf_counter() - started
    return tally


def _wanted(acknowledged: Counter[str]) -> Counter[str]:
    """Return the expected count of each key: as often as it was added, but once if it has an id."""
    return Counter({key: 1 if key.startswith("m") else count for key, count in acknowledged.items()})


def _stored(scopes: dict[str | None, ScopeContents]) -> Counter[str]:
    found: Counter[str] = Counter()
    for user, mine in scopes.items():
        if user == USER:
            found.update(message.source_id or "" for message in mine.messages)
        elif user == MOVER:
            found.update(fact.text for fact in mine.facts)
        else:
            found.update(message.text for message in mine.messages)
    return found


def _moves(mine: ScopeContents) -> Iterator[str]:
    """Yield problems of the homes: exactly one must be current, and the others must form one chain of replacements."""
    facts = {fact.id: fact for fact in mine.facts if fact.relation == "LIVES_IN"}
    current = [fact for fact in facts.values() if fact.current]
    if facts and len(current) != 1:
        yield f"{len(current)} of {len(facts)} homes are current"
    yield from _chain(facts, mine.successions)


def _chain(facts: dict[str, Fact], successions: Sequence[Succession]) -> Iterator[str]:
    after: defaultdict[str, list[str | None]] = defaultdict(list)
    for link in successions:
        after[link.fact_id].append(link.successor_id)
    yield from (f"{each} has {len(links)} successors" for each, links in after.items() if len(links) != 1)
    replaced = Counter(link.successor_id for link in successions)
    yield from (f"{each} replaced {count} homes" for each, count in replaced.items() if each and count > 1)
    first = [each for each in facts if each not in replaced]
    if facts and len(first) != 1:
        yield f"the chain of homes has {len(first)} beginnings"
