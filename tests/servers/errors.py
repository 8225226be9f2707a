"""What goes wrong with a server of the tests.

StoreError
├── NoServerError       this machine cannot run one: the message says why, the hint what to install
└── ServerFailedError   one that should run does not: the message ends with its log's tail
"""

from __future__ import annotations

from mem0g.errors import StoreError


class NoServerError(StoreError):
    """This machine has not what a Neo4j server needs."""


class ServerFailedError(StoreError):
    """A server could not be fetched, did not start, or does not run."""
