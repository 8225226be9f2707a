"""Whether anything in the memory is about what was asked.

A question counts as unknown when no candidate resembles it: by its cosine, to which the share of the question's content
words that it has is added. Where that is told wrongly an answer is lost, which is worse than a few lines too many. The
weight of the words was chosen on nine chats with 191 questions, of which one counts as unknown; the limit on eight more
with 96 questions, in words that are often not those of the answers: asked by the user 6 of them count as unknown, and
half of the questions about another chat. On six other chats it is 3 of 72, and 45 of 72. With a limit of 0.35 it was 11
of 96 and two thirds, 7 of 72.

What has been talked of, but not in the detail asked for ("Which modules does the course have?"), cannot be told that
way: of BEAM's questions without an answer 1 of 8 was found, of LOCOMO's 1 of 71. That takes a model that reads the
context: the words of a question without an answer stand together in one of the best messages more often than those of
others (in two pairs of three on seven BEAM chats), and thirteen measures of words and cosines together, weighted by
leaving one chat out, find 3 of 14 where 3% of the others count as unknown.

Of 25 questions about what the chat of a flat never mentions ("Who borrowed the drill?"), 16 count as unknown, and none
of 25 that it answers. On seven chats, with 71 questions of theirs and 730 of other chats, all without a known name, no
other measure parted them better: not the cosine alone, nor the distance of the best message to the next ones or to the
mean, nor the share of the words that occur in any candidate, alone or added.
"""

from __future__ import annotations

import math

from mem0g.embed.protocol import MINILM
from mem0g.embed.weights import MODEL
from mem0g.retrieve.ranking.ranking import Ranking
from mem0g.store.candidates import FactCandidate, MessageCandidate
from mem0g.text.stemming import content

WORDS = 0.5
"""Added to the cosine of a candidate, times the share of the weight of the question's content words that it has. The
weight of a word falls with the number of candidates that have it."""

FEWEST_WORDS = 2
"""Content words of a question for which this can be told."""


def is_known(ranking: Ranking) -> bool:
    """Whether a candidate may answer the question.

    Always so for a question that names a known entity, has hardly a word, or was embedded by a model without measured
    thresholds, unless there is no candidate at all.
    """
    question = ranking.question
    facts, messages = ranking.found.fact_columns, ranking.found.message_columns
    if not len(facts.ids) and not len(messages.ids):
        return False
    asked = content(question.text).intersection(question.terms)  # stores keep no function words of English
    measured = question.embedder == MODEL or question.thresholds.known != MINILM.known
    if question.anchors or len(asked) < FEWEST_WORDS or not question.understood or not measured:
        return True
    if any((each.similarities >= question.thresholds.known).any() for each in (facts, messages)):
        return True
    found: list[FactCandidate | MessageCandidate] = [*ranking.found.facts, *ranking.found.messages]
    stems = [asked.intersection(each.terms.split()) for each in found]
    weights = {term: math.log(1 + (len(found) + 1) / (sum(term in each for each in stems) + 0.5)) for term in asked}
    total = sum(weights.values()) / (WORDS * question.thresholds.spread)
    likeness = (max(each.similarities or (0.0,)) for each in found)
    in_words = (sum(weights[term] for term in each) / total for each in stems)
    return any(alike + words >= question.thresholds.known for alike, words in zip(likeness, in_words, strict=True))
