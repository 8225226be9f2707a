"""A Neo4j of one's own: Java, the jars, and a home folder."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import neo4j

from tests.servers.errors import ServerFailedError
from tests.servers.jars import cache_folder, jars
from tests.servers.java import find_java
from tests.servers.ports import HOST, free_port
from tests.servers.process import Detached
from tests.servers.release import Release

_PATIENCE = 180.0  # seconds until `Started.`; it takes 5 on two idle cores
_PULSE = 0.1
_READY = "Started."
_HEAP = "server.memory.heap.max_size"


def short_lived(version: str) -> tuple[str, ...]:
    """Return Java options for a server that lives for minutes.

    Without the second compiler and the parallel collector, tests take two fifths less processor time. Java archives
    the classes it has loaded beside the jars when the first server ends; servers after it start with 5 s of processor
    time instead of 9 s, and plan their first queries a fifth faster. Java before 19 ignores those options.
    """
    return (
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+AutoCreateSharedArchive",
        f"-XX:SharedArchiveFile={cache_folder() / version}.jsa",
    )


KEPT_PLANS = {"dbms.cypher.min_replan_interval": "1h"}
"""Settings for a server of tests, which empty and fill it again and again: else it plans every query anew each time."""


@dataclass
class LocalServer:
    """A Neo4j on this machine that listens on 127.0.0.1 only and keeps everything in `home`."""

    home: Path
    version: str
    settings: Mapping[str, str] = field(repr=False)
    password: str | None = field(repr=False)
    username: str = "neo4j"
    database: str = "neo4j"
    java_options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        run = self.home / "run"
        self._process = Detached(lock=run / "process.lock", output=run / "output.log")

    @classmethod
    def start(
        cls,
        home: Path,
        version: str,
        *,
        password: str | None,
        settings: Mapping[str, str] | None = None,
        bolt_port: int = 0,
        http_port: int = 0,
        java_options: tuple[str, ...] = (),
    ) -> Self:
        """Start a server and return when it is ready.

        `settings` are lines of neo4j.conf that win over the usual ones. A port of 0 is any free one. Without a password
        there is no authentication; with one, user "neo4j" has it, if the home is new. `java_options` go to Java.
        NoServerError without Java, or without Maven when the jars must be fetched; ServerFailedError, with the end of
        the log, when the server does not start.
        """
        home = home.resolve()
        usual = _usual_settings(
            Release.of(version), bolt_port or free_port(), http_port or free_port(), secured=password is not None
        )
        server = cls(home, version, usual | dict(settings or {}), password, java_options=java_options)
        server._refuse_if_running()
        if password is not None:
            _write_initial_password(home, server.username, password)
        server._launch()
        server._check_password()
        return server

    @classmethod
    def running_in(cls, home: Path) -> Self | None:
        """The server that runs in a home folder, whoever started it; its password is not known."""
        home = home.resolve()
        record = home / "run" / "server.json"
        if not record.is_file():
            return None
        found = json.loads(record.read_text(encoding="utf-8"))
        server = cls(home, found["version"], found["settings"], password=None)
        return server if server.pid else None

    @property
    def bolt_port(self) -> int:
        """The port of Bolt."""
        return _port(self.settings, "bolt")

    @property
    def http_port(self) -> int:
        """The port of HTTP."""
        return _port(self.settings, "http")

    @property
    def uri(self) -> str:
        """Where Bolt listens, for a direct connection."""
        return f"bolt://{HOST}:{self.bolt_port}"

    @property
    def neo4j_uri(self) -> str:
        """Where Bolt listens, for a connection that asks for a routing table."""
        return f"neo4j://{HOST}:{self.bolt_port}"

    @property
    def http(self) -> str:
        """Where HTTP listens; Browser is below it at /browser/, and accepts localhost, not 127.0.0.1."""
        return f"http://localhost:{self.http_port}"

    @property
    def pid(self) -> int | None:
        """The id of the server's process, None when it does not run."""
        return self._process.pid

    @property
    def log(self) -> Path:
        """The log that a user reads."""
        return self.home / "logs" / "neo4j.log"

    def stop(self) -> None:
        """End the server in order; nothing when it does not run."""
        self._process.stop()

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        self._process.kill()

    def restart(self) -> None:
        """Stop the server if it runs, and start it on the same ports, settings and data."""
        self.stop()
        self._launch()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _refuse_if_running(self) -> None:
        if self.pid:
            raise ServerFailedError(f"a server runs in {self.home} already (process {self.pid})", hint="stop it first")

    def _check_password(self) -> None:
        """The initial password counts only in a new home; say so now, not at the first query."""
        if self.password is None:
            return
        with neo4j.GraphDatabase.driver(self.uri, auth=(self.username, self.password)) as driver:
            accepted = driver.verify_authentication()
        if not accepted:
            self.stop()
            raise ServerFailedError(
                f"the database in {self.home} was made with another password",
                hint="give that password, or remove the folder (and what is stored in it)",
            )

    def _launch(self) -> None:
        release = Release.of(self.version)
        command: list[str | Path] = [
            find_java(release.least_java),
            *release.arguments,
            *self.java_options,
            # The server reads the heap's size from its settings for information only; Java must be told.
            f"-Xmx{self.settings[_HEAP]}",
            "-cp",
            f"{jars(self.version)}/*",
            release.main_class,
            f"--home-dir={self.home}",
            f"--config-dir={self.home / 'conf'}",
        ]
        written = self.log.stat().st_size if self.log.is_file() else 0
        _write_settings(self.home, self.settings)
        with ExitStack() as undo:
            self._process.start(command)
            undo.callback(self.kill)
            self._record()
            self._wait(written)
            undo.pop_all()

    def _record(self) -> None:
        record = {"version": self.version, "settings": dict(self.settings)}
        (self.home / "run" / "server.json").write_text(json.dumps(record), encoding="utf-8")

    def _wait(self, written: int) -> None:
        until = time.monotonic() + _PATIENCE
        while _READY not in self._log_since(written):
            if self.pid is None:
                raise self._failed(f"Neo4j {self.version} ended while starting", written)
            if time.monotonic() > until:
                raise self._failed(f"Neo4j {self.version} was not ready after {_PATIENCE:.0f} s", written)
            time.sleep(_PULSE)

    def _log_since(self, written: int) -> str:
        if not self.log.is_file():
            return ""
        # The log is appended to; what an earlier run wrote says nothing of this one.
        return self.log.read_bytes()[written:].decode(errors="replace")

    def _failed(self, what: str, written: int) -> ServerFailedError:
        output = self._process.output.read_text(encoding="utf-8", errors="replace")
        tail = (self._log_since(written) + output).strip().splitlines()[-25:]
        return ServerFailedError("\n".join([f"{what} in {self.home}:", *tail]), hint=f"the whole log is {self.log}")


def _usual_settings(release: Release, bolt_port: int, http_port: int, *, secured: bool) -> dict[str, str]:
    return {
        "server.default_listen_address": HOST,
        "server.bolt.listen_address": f"{HOST}:{bolt_port}",
        # Browser takes the address to connect to from here.
        "server.bolt.advertised_address": f"localhost:{bolt_port}",
        "server.http.listen_address": f"{HOST}:{http_port}",
        "server.http.advertised_address": f"localhost:{http_port}",
        "server.memory.heap.initial_size": "128m",
        _HEAP: "512m",
        "server.memory.pagecache.size": "256m",
        # Else every database takes 256 MB before anything is in it.
        "db.tx_log.preallocate": "false",
        "dbms.usage_report.enabled": "false",
        "dbms.security.auth_enabled": "true" if secured else "false",
    } | release.settings


def _port(lines: Mapping[str, str], connector: str) -> int:
    return int(lines[f"server.{connector}.listen_address"].rpartition(":")[2])


def _write_settings(home: Path, lines: Mapping[str, str]) -> None:
    conf = home / "conf" / "neo4j.conf"
    conf.parent.mkdir(parents=True, exist_ok=True)
    conf.write_text("".join(f"{name}={value}\n" for name, value in lines.items()), encoding="utf-8")


def _write_initial_password(home: Path, username: str, password: str) -> None:
    """Write what `neo4j-admin dbms set-initial-password` writes, without a password on a command line.

    The server reads the file once, when it first sets up its users: "user:SHA-256,hash,salt,rounds:".
    """
    rounds = 1024
    salt = secrets.token_bytes(32)
    digest = salt + password.encode()
    for _ in range(rounds):
        digest = hashlib.sha256(digest).digest()
    file = home / "data" / "dbms" / "auth.ini"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(f"{username}:SHA-256,{digest.hex()},{salt.hex()},{rounds}:", encoding="ascii")
