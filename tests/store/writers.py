"""A process that writes to a store until it is ended: ``python -m tests.store.writers ADDRESS NAME``.

Each of its transactions adds two messages, and facts that stand on both, between entities of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from mem0g.settings import Credentials
from mem0g.store.address import open_store
from mem0g.store.change import Change
from mem0g.store.protocol import Store
from tests.making import ANN, change, entity, fact, message

WRITERS = ("one", "two")


def written(name: str, number: int) -> Change:
    """The change of one transaction."""
    said = [message(f"{name} {number} {part}", 2 * number + part, session=name) for part in range(2)]
    ends = [entity(f"{name} {number} {part}") for part in range(3)]
    evidence = tuple(each.id for each in said)
    facts = [fact(ends[0], "KNOWS", end, evidence=evidence) for end in ends[1:]]
    return change(messages=said, entities=ends, facts=facts)


@contextmanager
def writing(address: str, credentials: Credentials = Credentials()) -> Iterator[None]:  # noqa: B008 - frozen
    """Two processes that write while the block runs; each has written something when it begins."""
    environment = {
        **os.environ,
        "NEO4J_USERNAME": credentials.username or "",
        "NEO4J_PASSWORD": credentials.password or "",
    }
    command = [sys.executable, "-m", "tests.store.writers", address, credentials.database or ""]
    started = [
        subprocess.Popen([*command, name], stdout=subprocess.PIPE, env=environment, text=True) for name in WRITERS
    ]
    try:
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "writing\n"
        yield
        assert [process.poll() for process in started] == [None, None]
    finally:
        for process in started:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def torn(changes: list[Change]) -> list[str]:
    """What a snapshot's facts need and it does not hold; and transactions of which a part is missing."""
    messages = {each.id for made in changes for each in made.messages}
    entities = {each.id for made in changes for each in made.entities}
    facts = [each for made in changes for each in made.facts]
    missing = [
        f"{each.text}: {end}" for each in facts for end in (each.subject_id, each.object_id) if end not in entities
    ]
    missing += [f"{each.text}: {cited}" for each in facts for cited in each.evidence if cited not in messages]
    if not len(messages) == len(facts) == 2 * len(entities) / 3:
        missing.append(f"{len(messages)} messages, {len(entities)} entities, {len(facts)} facts")
    return missing


def _write(store: Store, name: str) -> None:
    for number in count():
        made = written(name, number)
        store.write(ANN, lambda transaction, made=made: transaction.commit(made))  # type: ignore[misc]
        if number == 0:
            sys.stdout.write("writing\n")
            sys.stdout.flush()


if __name__ == "__main__":
    address, database, name = sys.argv[1:]
    credentials = Credentials(
        username=os.environ["NEO4J_USERNAME"] or None,
        password=os.environ["NEO4J_PASSWORD"] or None,
        database=database or None,
    )
    _write(open_store(address, credentials), name)
