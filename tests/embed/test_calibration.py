"""Thresholds that are estimated for an embedder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mem0g import Memory, Thresholds
from mem0g.embed import open_embedder
from mem0g.embed.calibration import Texts, calibrate
from mem0g.embed.protocol import MINILM, thresholds_of
from mem0g.errors import InputError
from mem0g.testing import HashingEmbedder

if TYPE_CHECKING:
    from mem0g.model import Matrix


class Narrow(HashingEmbedder):
    """An embedder whose cosines are all between 0.6 and 1, as those of many newer models: 0.6 + 0.4 × the cosine."""

    def __init__(self) -> None:
        super().__init__(256)
        self.name = "narrow"
        self.dimensions = 257

    def embed(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        plain = HashingEmbedder(256).embed(texts)
        common = np.full((len(texts), 1), 0.6**0.5, dtype=np.float32)
        return np.hstack([plain * np.float32(0.4**0.5), common])


TEXTS = Texts(
    names=tuple(f"{one} {other}" for one in ("red", "old", "big", "far") for other in "house tree boat road".split()),
    sentences=tuple(
        f"Ann {verb} the {noun}." for verb in ("saw", "sold", "left") for noun in "house tree boat".split()
    ),
)


def test_the_reference_gets_its_own_thresholds() -> None:
    """Calibrated against itself, an embedder has the thresholds that it began with."""
    same = HashingEmbedder(256)
    found = calibrate(same, TEXTS, reference=same)
    assert found.values == pytest.approx(MINILM.values, abs=0.002)
    assert found.embedder == "hashing-256"


def test_thresholds_follow_the_scale_of_the_embedder() -> None:
    """Where all cosines are nearer to 1, so are the thresholds, and margins shrink."""
    found = calibrate(Narrow(), TEXTS, reference=HashingEmbedder(256)).values
    for name, value in MINILM.values.items():
        scaled = 0.4 * value if name == "spread" else 0.6 + 0.4 * value
        assert found[name] == pytest.approx(scaled, abs=0.005), name


@pytest.mark.slow
def test_of_minilm_they_are_minilms(minilm: None) -> None:
    """The real MiniLM gets what is measured, whatever texts it is calibrated on."""
    embedder = open_embedder()
    assert calibrate(embedder, TEXTS, reference=embedder).values == pytest.approx(MINILM.values, abs=0.005)


def test_a_file_of_thresholds(tmp_path: Path) -> None:
    """What `mem0g doctor --calibrate --json` prints is read again, and used by the embedder of that name alone."""
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps(asdict(Thresholds(same_name=0.7, embedder="hashing-64"))))
    assert Thresholds.read(path).same_name == 0.7
    ours, other = HashingEmbedder(), HashingEmbedder(32)
    assert thresholds_of(open_embedder(ours, thresholds=path)).same_name == 0.7
    assert open_embedder(other, thresholds=path) is other


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "are not JSON"),
        ("[]", "are not a JSON object"),
        ('{"same_nme": 1}', "there is no threshold 'same_nme'"),
        ('{"same_name": "high"}', "the threshold same_name is 'high'"),
        ('{"same_name": NaN}', "the threshold same_name is nan"),
        ('{"embedder": 3}', "the threshold embedder is 3"),
        (None, "cannot read the thresholds"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str | None, problem: str) -> None:
    """The error names the file and what is wrong with it."""
    path = tmp_path / "thresholds.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=problem) as caught:
        open_embedder(HashingEmbedder(), thresholds=path)
    assert str(path) in str(caught.value)
    assert caught.value.hint


def test_a_memory_uses_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MEM0G_THRESHOLDS names the file."""
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps({"anchor": 0.1, "embedder": "hashing-64"}))
    monkeypatch.setenv("MEM0G_THRESHOLDS", str(path))
    with Memory.open(tmp_path / "memory.db", extractor="none", embedder=HashingEmbedder()) as memory:
        assert thresholds_of(memory.embedder).anchor == 0.1
