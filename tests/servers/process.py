"""A process that outlives its starter and is found again by a lock file.

The lock is held by an open file that the process inherits, so the system lets go of it whenever and however the
process ends: what the file says is true for as long as the lock is held, and a process id is never taken for
another's.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers.errors import ServerFailedError

_PATIENCE = 60.0  # seconds that a process may take to end by itself
_PULSE = 0.05


@dataclass
class Detached:
    """The process that holds `lock`, if one does; its output goes to `output`."""

    lock: Path
    output: Path
    _child: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def pid(self) -> int | None:
        """The id of the running process, None when none runs."""
        if self._child is not None:
            self._child.poll()
        try:
            descriptor = os.open(self.lock, os.O_RDWR)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return int(os.read(descriptor, 32) or b"0") or None
        else:
            return None
        finally:
            os.close(descriptor)

    def start(self, command: Sequence[str | Path]) -> None:
        """Start the command in a session of its own; ServerFailedError when one runs already."""
        self.lock.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._hold(descriptor)
            with self.output.open("wb") as output:
                self._child = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    pass_fds=[descriptor],
                    start_new_session=True,
                )
            os.truncate(descriptor, 0)
            os.write(descriptor, str(self._child.pid).encode())
        finally:
            os.close(descriptor)

    def stop(self) -> None:
        """Ask the process to end, wait until it has, and kill it when it does not; nothing when none runs."""
        self._signal(signal.SIGTERM)
        if not self._ended(_PATIENCE):
            self.kill()

    def kill(self) -> None:
        """End the process at once, as a crash would; nothing when none runs."""
        self._signal(signal.SIGKILL)
        if not self._ended(_PATIENCE):
            raise ServerFailedError(f"process {self.pid} does not end", hint="end it by hand")

    def _hold(self, descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.read(descriptor, 32).decode()
            raise ServerFailedError(f"process {pid} holds {self.lock} already", hint="stop it first") from None

    def _signal(self, number: signal.Signals) -> None:
        if pid := self.pid:
            os.kill(pid, number)

    def _ended(self, patience: float) -> bool:
        until = time.monotonic() + patience
        while self.pid is not None:
            if time.monotonic() > until:
                return False
            time.sleep(_PULSE)
        if self._child is not None:
            self._child.wait()
        return True
