"""Which frameworks are installed: the tests of the others are skipped, and say which extra they need."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

REQUIRED = "MEM0G_TEST_EXTRAS"
"""The variable that `make test-integrations` sets: then a framework that is missing is an error."""


def needs(module: str, extra: str) -> None:
    """Skip the rest of a test, or of a module, where an extra is not installed."""
    if not installed(module):
        reason = f'{module} is not installed: pip install "mem0g[{extra}]", or `make test-integrations`'
        if os.environ.get(REQUIRED):
            raise ModuleNotFoundError(reason)
        pytest.skip(reason, allow_module_level=True)


def installed(module: str) -> bool:
    """Whether a top-level module, or one of a namespace package, can be imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
