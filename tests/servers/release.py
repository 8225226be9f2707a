"""What a release of Neo4j needs in order to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from tests.servers.errors import ServerFailedError

NEWEST = "2026.08.1"
LTS = "5.26.30"

# Neo4j reads its files past the module system; both releases are started with these.
_ARGUMENTS = (
    *(
        f"--add-opens=java.base/{package}=ALL-UNNAMED"
        for package in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
    ),
    "--enable-native-access=ALL-UNNAMED",
    "--add-modules=jdk.incubator.vector",
)

# Else a server sits still for ten seconds after it has stopped (the name changed with the releases named by year).
_QUIET_PERIOD = "internal.dbms.bolt.netty_server_shutdown_quiet_period"

_SETTINGS_5 = {_QUIET_PERIOD: "0"}
_SETTINGS_BY_YEAR = {
    f"{_QUIET_PERIOD}_duration": "0s",
    # What would otherwise call into the network.
    "dbms.fleet_manager.enabled": "false",
    "server.fleet_discovery.enabled": "false",
}


@dataclass(frozen=True)
class Release:
    """A version of Neo4j with the Java it needs, its main class, and how it is started."""

    version: str
    least_java: int
    main_class: str
    arguments: tuple[str, ...]
    settings: dict[str, str]

    @classmethod
    def of(cls, version: str) -> Self:
        """The release of a version such as "5.26.30" or "2026.08.1"; ServerFailedError when it is no version."""
        major, _, rest = version.partition(".")
        if not (major.isdecimal() and rest.replace(".", "").isdecimal()):
            raise ServerFailedError(f"{version!r} is no version of Neo4j", hint=f"use {NEWEST} or {LTS}, for example")
        if int(major) >= 2025:
            return cls(version, 21, "org.neo4j.server.Neo4jCommunity", _ARGUMENTS, _SETTINGS_BY_YEAR)
        return cls(version, 17, "org.neo4j.server.CommunityEntryPoint", _ARGUMENTS, _SETTINGS_5)
