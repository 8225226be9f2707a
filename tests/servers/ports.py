"""Ports of this machine."""

from __future__ import annotations

import socket

HOST = "127.0.0.1"


def free_port(wanted: int = 0) -> int:
    """The wanted port if nothing listens there, else any free one of 127.0.0.1."""
    with socket.socket() as probe:
        # As a server does: a port whose last connections are only winding down is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError:
            probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
