"""Listen on a port, and then serve: a port that is taken is an error before the command says that it serves."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

import typer

from mem0g.errors import InputError

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp

LOOPBACK = "127.0.0.1"
"""Without keys, a server answers this computer only."""

ABSENT = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""What is wrong with an address of a name that the computer lacks, such as that of "localhost" without IPv6."""

OTHER_HOST = "name an address of this computer (--host)"


@contextmanager
def listening(host: str, *ports: int) -> Iterator[Sequence[socket.socket]]:
    """Yield sockets that listen on the addresses of ``host``, on the first of ``ports`` that can be had; 0 is any.

    Raises InputError where none can be had, or the host is not known. The sockets are closed at the end.
    """
    sockets = _first_of(host, ports)
    with ExitStack() as stack:
        for each in sockets:
            stack.enter_context(each)
        yield sockets


def _first_of(host: str, ports: Sequence[int]) -> Sequence[socket.socket]:
    for port in ports[:-1]:
        with suppress(InputError):
            return _listen(host, port)
    return _listen(host, ports[-1])


def _listen(host: str, port: int) -> Sequence[socket.socket]:
    """Return sockets that listen on a port. Raises InputError where it is taken."""
    refusal = 0
    with ExitStack() as stack:
        made = list[socket.socket]()
        for family, address in _addresses(host, port):
            try:
                made.append(stack.enter_context(socket.create_server(address, family=family)))
            except OSError as error:
                refusal = error.errno or 0
                if refusal not in ABSENT:
                    break
        if made and refusal in (0, *ABSENT):
            stack.pop_all()
            return made
    problem = f"cannot listen on port {port} of {host}: {os.strerror(refusal)}"
    raise InputError(problem, hint=OTHER_HOST if refusal in ABSENT else "choose another --port")


def _addresses(host: str, port: int) -> list[tuple[int, tuple[str, int]]]:
    """Return the address families and addresses of a host, each once. Raises InputError for an unknown host."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:  # UnicodeError: a name with an empty or overlong part
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no name of a computer"
        raise InputError(f"cannot listen on {host}: {reason}", hint=OTHER_HOST) from error
    return list(dict.fromkeys((int(family), (str(address[0]), port)) for family, _, _, _, address in found))


def run(app: ASGIApp, sockets: Sequence[socket.socket], stopping: Callable[[], object] = lambda: None) -> None:
    """Serve an application on sockets until Ctrl-C. Exits with status 3, as uvicorn does, where it does not start.

    ``stopping`` is called when the server is told to stop, before it waits for the requests that are being answered.
    """
    import uvicorn

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            stopping()
            super().handle_exit(sig, frame)

    server = Server(uvicorn.Config(app, log_level="warning"))
    with suppress(KeyboardInterrupt):
        server.run(sockets=list(sockets))
    if not server.started:
        raise typer.Exit(3)
