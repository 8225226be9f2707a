"""Which texts an embedder understands."""

from __future__ import annotations

import pytest

from mem0g.embed import understands
from mem0g.embed.weights import MODEL


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("Where does Ann live?", True),
        ("Где живёт Анна?", True),
        ("", True),
        ("Does Ann like 茶?", True),
        ("林晓的同学是谁？", False),
        ("Speaker 1的朋友是谁？", False),
        ("東京はどこ？", False),
        ("서울은 어디", False),
    ],
)
def test_what_minilm_understands(text: str, understood: bool) -> None:
    """MiniLM makes nothing of Chinese, Japanese and Korean; of another embedder nothing bad is known."""
    assert understands(MODEL, text) is understood
    assert understands("openai:text-embedding-3-small", text)
