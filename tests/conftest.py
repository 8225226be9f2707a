"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.servers.fixtures"]

settings.register_profile("mem0g", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mem0g")


@pytest.fixture(scope="session")
def minilm() -> None:
    """The real weights are installed: `make test` installs them, so that a test that needs them never skips."""
    from mem0g.embed import open_embedder

    assert open_embedder(None).embed(["hello"]).shape == (1, 384)
