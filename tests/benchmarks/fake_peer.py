"""A system for tests of the peers benchmark: it remembers sentences, and fails when it is told to."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from benchmarks.peers.child import Setup, serve


class FakePeer:
    """See System; what it is asked with "fail" in it raises, with "die" ends the process."""

    def __init__(self, setup: Setup) -> None:
        sys.stdout.write("a library prints\n")
        self._texts = [f"opened in {setup.files.name}"]
        self._triples: list[Sequence[str]] = []

    def load(self, facts: Sequence[Mapping[str, str]]) -> None:
        self._texts += [fact["text"] for fact in facts]
        self._triples += [(fact["subject"], fact["relation"], fact["object"]) for fact in facts]

    def add(self, messages: Sequence[Mapping[str, str]], time: str) -> None:
        self._texts.append(f"{time} {messages[0]['content']}")

    def search(self, question: str, limit: int) -> Sequence[str | Sequence[str]]:
        if "fail" in question:
            raise ValueError("it failed")
        if "die" in question:
            sys.exit("it died")
        return [*self._texts[:limit], *self._triples[:1]]

    def stored(self) -> Sequence[Sequence[str]]:
        return self._triples

    def close(self) -> None:
        self._texts.clear()


if __name__ == "__main__":
    serve(FakePeer)
