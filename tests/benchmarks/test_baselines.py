"""Rankings of the baselines."""

from __future__ import annotations

import numpy as np

from benchmarks.locomo import read_conversations
from benchmarks.recall.methods import baselines, bm25_orders, dense_orders, fused_orders
from benchmarks.recall.passages import Passage, fact_passage
from mem0g.testing import HashingEmbedder
from mem0g.transfer.triples import read_triples
from tests.benchmarks.mini import Mini

TEXTS = ["Ada plays the violin.", "Ben is running a marathon in Oslo.", "Cleo bakes bread.", "Dan sells boats."]
PASSAGES = [Passage(text, ()) for text in TEXTS]


def test_bm25_ranks_by_stems() -> None:
    """Another form of the word finds the passage; ties keep the passages' order."""
    assert bm25_orders(PASSAGES, ["Who ran marathons?", "bread"]).tolist() == [[1, 0, 2, 3], [2, 0, 1, 3]]


def test_bm25_of_nothing() -> None:
    """Passages without words, or no passages, keep their order."""
    assert bm25_orders([Passage("it is the", ()), Passage("…", ())], ["bread"]).tolist() == [[0, 1]]
    assert bm25_orders([], ["bread"]).shape == (1, 0)


def test_dense_ranks_by_cosine() -> None:
    """The passage most similar to the question is first."""
    orders = dense_orders(PASSAGES, ["Cleo bakes bread", "boats Dan sells"], HashingEmbedder(512))
    assert orders[:, 0].tolist() == [2, 3]


def test_fusion_by_reciprocal_ranks() -> None:
    """Fused by 1 / (60 + rank), second in both rankings beats first in one and last in the other; ties by place."""
    first, second = np.array([[0, 1, 2, 3, 4]]), np.array([[4, 1, 3, 2, 0]])
    assert fused_orders([first, second]).tolist() == [[1, 0, 4, 2, 3]]
    assert fused_orders([first, first]).tolist() == first.tolist()


def test_without_facts_only_turns_are_ranked(mini: Mini) -> None:
    """With messages only there is one baseline; with facts there are three."""
    conversation = read_conversations(mini.data)[0]
    facts = [fact_passage(fact, fact.evidence) for fact in read_triples(mini.triples / "mini-1.jsonl")]
    embedder = HashingEmbedder()
    assert [each.name for each in baselines(conversation, None, embedder)] == ["bm25-windows"]
    named = [each.name for each in baselines(conversation, facts, embedder)]
    assert named == ["bm25-windows", "dense-facts", "rrf-facts"]


def test_baselines_find_the_evidence(mini: Mini) -> None:
    """Each finds the turn that shares its words with the question, within a budget and as the first one."""
    conversation = read_conversations(mini.data)[0]
    facts = [fact_passage(fact, fact.evidence) for fact in read_triples(mini.triples / "mini-1.jsonl")]
    moved = conversation.questions[0]
    for method in baselines(conversation, facts, HashingEmbedder(512)):
        assert moved.gold <= method.first(moved, 1).turns, method.name
        assert moved.gold <= method.within(moved, 40).turns, method.name


def test_no_facts_found(mini: Mini) -> None:
    """Without facts found by the rules the fact baselines return nothing."""
    conversation = read_conversations(mini.data)[0]
    _, dense, fused = baselines(conversation, [], HashingEmbedder())
    for method in (dense, fused):
        assert method.within(conversation.questions[0], 500).turns == frozenset()
