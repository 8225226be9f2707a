"""Word overlap of an answer and the gold answer: F1 and BLEU-1 as computed in the Mem0 paper's evaluation."""

from __future__ import annotations

import math
import re
from collections import Counter

_MARKS = re.compile(r"[.,!?]")
_TOKEN = re.compile(r"['’]\w+|\w+(?:-\w+)*|[^\w\s]")


def f1(answer: str, gold: str) -> float:
    """Return 2PR/(P+R) of the two *sets* of words; 0 when either is empty or they share none.

    Words are lower case, without . , ! ?, as in evaluation/metrics/utils.py of mem0ai/mem0. LOCOMO's own evaluation
    differs: it counts repeated words, stems them and drops articles.
    """
    said, expected = (set(_MARKS.sub(" ", text.lower()).split()) for text in (answer, gold))
    shared = len(said & expected)
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def bleu1(answer: str, gold: str) -> float:
    """Return the BLEU-1 score (Papineni et al., ACL 2002).

    It is the clipped unigram precision, times exp(1 - gold/answer) (in words) when the answer is shorter. Equal to
    nltk's sentence_bleu with weights (1, 0, 0, 0), whose smoothing does not affect single words. Words are lower case;
    punctuation marks and "'s" are separate words, as in nltk's word_tokenize.
    """
    said, expected = (_TOKEN.findall(text.lower()) for text in (answer, gold))
    shared = (Counter(said) & Counter(expected)).total()
    if not shared:
        return 0.0
    brevity = min(1.0, math.exp(1 - len(expected) / len(said)))
    return brevity * shared / len(said)
