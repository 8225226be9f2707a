"""Words that an answer shares with the gold one: F1 and BLEU-1 as the Mem0 paper's evaluation computes them."""

from __future__ import annotations

import math
import re
from collections import Counter

_MARKS = re.compile(r"[.,!?]")
_TOKEN = re.compile(r"['’]\w+|\w+(?:-\w+)*|[^\w\s]")


def f1(answer: str, gold: str) -> float:
    """2PR/(P+R) of the two *sets* of words; 0 when either is empty, or they share none.

    Words are lower case, without . , ! ?, as in evaluation/metrics/utils.py of mem0ai/mem0. LOCOMO's own evaluation
    counts words as often as they occur, stems them and leaves articles out.
    """
    said, expected = (set(_MARKS.sub(" ", text.lower()).split()) for text in (answer, gold))
    shared = len(said & expected)
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def bleu1(answer: str, gold: str) -> float:
    """The share of the answer's words that the gold answer has, each as often as there, × exp(1 - gold/answer) in
    numbers of words when the answer is the shorter (Papineni et al., ACL 2002).

    That is nltk's sentence_bleu with weights (1, 0, 0, 0): its smoothing changes nothing of single words. Words are
    lower case; punctuation marks and "'s" are words of their own, as nltk's word_tokenize has it.
    """
    said, expected = (_TOKEN.findall(text.lower()) for text in (answer, gold))
    shared = (Counter(said) & Counter(expected)).total()
    if not shared:
        return 0.0
    brevity = min(1.0, math.exp(1 - len(expected) / len(said)))
    return brevity * shared / len(said)
