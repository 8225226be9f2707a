"""Thresholds belong to an embedder."""

from __future__ import annotations

import pytest

from mem0g import Thresholds
from mem0g.embed import FollowingEmbedder
from mem0g.embed.protocol import MINILM, thresholds_of
from mem0g.errors import EmbedderError
from mem0g.testing import HashingEmbedder


def test_an_embedder_without_thresholds_has_those_of_minilm() -> None:
    """They are the default of every field."""
    assert thresholds_of(HashingEmbedder()) is MINILM
    assert Thresholds() == MINILM


def test_an_embedder_brings_its_own() -> None:
    """An attribute is enough."""

    class Own(HashingEmbedder):
        thresholds = Thresholds(same_name=0.8)

    assert thresholds_of(Own()).same_name == 0.8


def test_something_else_is_refused() -> None:
    """The attribute must be Thresholds."""

    class Wrong(HashingEmbedder):
        thresholds = 0.8

    with pytest.raises(EmbedderError, match=r"hashing.*0\.8"):
        thresholds_of(Wrong())


def test_an_embedder_that_is_followed_brings_its_thresholds() -> None:
    """They change with the embedder in use."""

    class Other(HashingEmbedder):
        thresholds = Thresholds(anchor=0.3)

    following = FollowingEmbedder(HashingEmbedder(), lambda _: Other(32))
    assert thresholds_of(following) is MINILM
    following.follow("hashing-32", 32)
    assert thresholds_of(following).anchor == 0.3
