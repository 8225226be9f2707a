"""A Neo4j in a Docker container, through testcontainers."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from testcontainers.core.container import DockerContainer

_BOLT, _HTTP = 7687, 7474
_PATIENCE = 300  # seconds until `Started.`, once the image is there


@dataclass(frozen=True)
class ContainerServer:
    """A server in a container of its own, which goes when it is stopped."""

    version: str
    host: str
    bolt_port: int
    http_port: int
    password: str = field(repr=False)
    _container: DockerContainer = field(repr=False)
    username: str = "neo4j"
    database: str = "neo4j"

    @classmethod
    def start(cls, version: str) -> Self:
        """Start image neo4j:`version` (pulled when it is not there) and return when the server is ready."""
        from testcontainers.core.wait_strategies import LogMessageWaitStrategy

        password = secrets.token_urlsafe(12)
        container = _container_of(version, password)
        container.waiting_for(LogMessageWaitStrategy(r"Started\.").with_startup_timeout(_PATIENCE))
        with ExitStack() as undo:
            undo.enter_context(container)
            host = container.get_container_host_ip()
            bolt_port, http_port = container.get_exposed_port(_BOLT), container.get_exposed_port(_HTTP)
            undo.pop_all()
        return cls(version, host, bolt_port, http_port, password, container)

    @property
    def uri(self) -> str:
        """Where Bolt listens, for a direct connection."""
        return f"bolt://{self.host}:{self.bolt_port}"

    @property
    def neo4j_uri(self) -> str:
        """Where Bolt listens, for a connection that asks for a routing table."""
        return f"neo4j://{self.host}:{self.bolt_port}"

    @property
    def http(self) -> str:
        """Where HTTP listens; Browser is below it at /browser/."""
        return f"http://{self.host}:{self.http_port}"

    def stop(self) -> None:
        """Remove the container and what it stored."""
        self._container.stop()


def docker_answers() -> bool:
    """Whether a Docker engine is there, by asking the docker command: it knows contexts and sockets."""
    docker = shutil.which("docker")
    if docker is None:
        return False
    asked = [docker, "version", "--format", "{{.Server.Version}}"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def _container_of(version: str, password: str) -> DockerContainer:
    from testcontainers.core.container import DockerContainer

    # No advertised address is set: a single server's routing table names the address it was asked at.
    return (
        DockerContainer(f"neo4j:{version}")
        .with_exposed_ports(_BOLT, _HTTP)
        .with_envs(
            NEO4J_AUTH=f"neo4j/{password}",
            NEO4J_server_memory_heap_max__size="512m",
            NEO4J_server_memory_pagecache_size="256m",
            NEO4J_dbms_usage__report_enabled="false",
        )
    )
