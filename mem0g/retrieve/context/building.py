"""Ranked candidates to a context: what is not known, instructions, the best hits, a time line.

A search needs none of it, so the reader imports this module when the first context is asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from mem0g.model import Context, Contradiction, Fact, Hit, Message
from mem0g.retrieve.context.context_builder import Requests
from mem0g.retrieve.context.contradictions import contradictions, relevant, without_repeats
from mem0g.retrieve.context.filler import merely_asks
from mem0g.retrieve.context.gist import Gists
from mem0g.retrieve.context.instructions import standing
from mem0g.retrieve.context.numbers import numbers
from mem0g.retrieve.context.packing import adaptive_budget, pack, pack_excerpt
from mem0g.retrieve.context.rendering import one_line
from mem0g.retrieve.context.timeline import timeline
from mem0g.retrieve.question.kinds import Overview, asks_for_numbers
from mem0g.retrieve.ranking.known import is_known
from mem0g.retrieve.ranking.ranking import Ranking
from mem0g.text.stemming import token_set
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

MAX_CONTRADICTIONS = 2
"""Pairs of contradicting statements that a context shows."""

BEST_HITS = 0.15
"""Share of the budget of a count that goes to the best hits, quoted at length: numbers stand in single messages."""

LINED, BEST_OF_OWN = 400, 0.6
"""Tokens of a budget from which on a question of a conversation with an assistant gets a time line as well, and the
share of the best hits then. What is asked of an assistant's user is often spread over sessions, whether the question
says so or not, and an earlier and a later number stand together. On four chats of BEAM such contexts have more of the
messages with the evidence, and of the words of the answers too."""

OF_REQUEST, FOR_REQUESTS = 6, 0.04
"""Words of the request that a reply answers, where the reply is quoted, and the share of the budget that they may take
from a time line; else they take what is left. On four chats of BEAM half of the replies quoted get theirs, and as much
of the evidence fits, and of the words of the answers, as without them. Whole requests cost up to two points."""

FOR_NUMBERS = 0.1
"""Share of the budget of a question that counts, sums or measures for the numbers about it, which stand together."""

EMPTY = Context("", (), 0)

SUMMARY = "Summary:"

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？]) ")

WRITTEN = 0.25
"""Share of the budget of a summary that goes to what a model has written at the end of sessions."""

PER_SUMMARY = 60
"""Tokens of the share of each summary from which on there is room for another: two or three sentences."""


def build_context(
    ranking: Ranking,
    tokens: int,
    *,
    now: datetime,
    fill: bool = False,
    regardless: bool = False,
    requests: Callable[[Iterable[Message]], Mapping[str, Message]] = lambda _: {},
    contradicting: Callable[[Sequence[Fact]], Iterable[Contradiction]] = lambda _: (),
) -> Context:
    """Return the best hits as text of at most ``tokens``, with their reasons.

    An easy question gets a smaller budget unless ``fill`` is set; see ``adaptive_budget``. A plan for a day before
    ``now`` is marked as unanswered. A question about the whole of a conversation gets a time line. Where nothing is
    known about the question, only standing instructions are left; with ``regardless`` the best hits are shown even
    then, for a model to judge. Where nothing whole fits, it is a part of the best hit.
    """
    made = _built(ranking, tokens, now, fill, regardless, requests, contradicting)
    if made.text or not made.known:
        return made
    question = ranking.question
    part = pack_excerpt(ranking.hits, question.searched, tokens, question=question.text, now=now)
    return replace(part, hits=ranking.explained(part.hits))


def _built(
    ranking: Ranking,
    tokens: int,
    now: datetime,
    fill: bool,
    regardless: bool,
    requests: Callable[[Iterable[Message]], Mapping[str, Message]],
    contradicting: Callable[[Sequence[Fact]], Iterable[Contradiction]],
) -> Context:
    """Return the context of what fits whole, see ``build_context``."""
    if ranking.question.overview:
        return _overview(ranking, ranking.question.overview, tokens, now=now)
    budget = tokens if fill else adaptive_budget(ranking.question, ranking.hits, tokens)
    question = ranking.question
    top = standing(ranking)
    known = regardless or is_known(ranking)
    lined = known and ranking.said and budget >= LINED
    group = _numbers(ranking, budget) if lined else EMPTY
    left = budget - group.tokens
    gists = Gists(question.terms, (each.terms for each in ranking.found.messages), counting=True)
    packed = pack(
        ranking.hits if known else (),
        question.searched,
        round(BEST_OF_OWN * left) if lined else budget,
        question=question.text,
        now=now,
        standing=top,
        contradicting=_contradicting(ranking, contradicting) if known else (),
        requests=Requests(requests, partial(gists.of, most=OF_REQUEST), round(FOR_REQUESTS * budget) if lined else 0),
    )
    first = [hit for hit in packed.hits if hit.reasons]
    packed = replace(packed, hits=(*first, *ranking.explained(packed.hits[len(first) :])), known=known)
    return _with_line(packed, group, ranking, gists, budget) if lined else packed


def _contradicting(
    ranking: Ranking, among: Callable[[Sequence[Fact]], Iterable[Contradiction]]
) -> Sequence[Contradiction]:
    """Return the contradictions among the messages found, and ``among`` the facts found, that the question is about."""
    messages = {each.message.id: each.message for each in ranking.found.messages}
    said = tuple(contradictions(tuple(messages.values())))
    stated = without_repeats(among([each.fact for each in ranking.found.facts]), said)
    return relevant((*said, *stated), ranking.question.terms, MAX_CONTRADICTIONS)


def _numbers(ranking: Ranking, tokens: int) -> Context:
    """Return the numbers that users gave about a question that asks for some, in a share of ``tokens``."""
    question = ranking.question
    asks = asks_for_numbers(question.text)
    return numbers(ranking.said, question.terms, round(FOR_NUMBERS * tokens), question.text) if asks else EMPTY


def _with_line(packed: Context, group: Context, ranking: Ranking, gists: Gists, tokens: int) -> Context:
    """Return the context with a group of numbers, and a time line of what users said in what is left of ``tokens``."""
    covered = {each for hit in (*packed.hits, *group.hits) for each in hit.evidence}
    terms = ranking.question.terms
    new = (hit for hit in ranking.said if not covered.issuperset(hit.evidence))
    said = [hit for hit in new if not merely_asks(hit.text, terms)]
    left = tokens - packed.tokens - group.tokens
    line = timeline(said, gists, Overview("count", ranking.question.text), left)
    found = _joined(group, line)
    found = replace(found, hits=ranking.explained(found.hits))
    return replace(_joined(packed, found), known=packed.known)


def _joined(*parts: Context) -> Context:
    """Return contexts as one; a hit that two of them have is named once."""
    text = "\n".join(each.text for each in parts if each.text)
    hits: list[Hit] = []
    for part in parts:
        known = {hit.key for hit in hits}
        hits += [hit for hit in part.hits if hit.key not in known]
    return Context(text, tuple(hits), sum(each.tokens for each in parts))


def _overview(ranking: Ranking, overview: Overview, tokens: int, *, now: datetime) -> Context:
    """Return the standing instructions that fit and a time line of what was said.

    Before it, for a count, come the best hits, and for a summary what a model wrote of the conversation.
    """
    question = ranking.question
    top = pack((), question.terms, tokens, standing=standing(ranking))
    share = round(BEST_HITS * tokens) if overview.kind == "count" else 0
    group = _numbers(ranking, tokens) if share else EMPTY
    best = pack(ranking.hits if share else (), question.terms, share, question=question.text, now=now)
    summary = _written(ranking.summaries, question.terms if overview.topic else (), round(WRITTEN * tokens))
    covered = {each for hit in (*best.hits, *group.hits) for each in hit.evidence}
    above = token_set(top.text)
    repeated = {hit.message.id for hit in ranking.said if hit.message and token_set(hit.message.text) <= above}
    said = [hit for hit in ranking.said if not covered.issuperset(hit.evidence)]
    counting = overview.kind == "count"
    gists = Gists(question.terms, (each.terms for each in ranking.found.messages), counting=counting)
    before = _joined(summary, best, group)
    line = timeline(said, gists, overview, tokens - top.tokens - before.tokens, repeated)
    shown = _joined(before, line)
    return _joined(top, replace(shown, hits=ranking.explained(shown.hits)))


def _written(summaries: Sequence[str], terms: Sequence[str], tokens: int) -> Context:
    """Return the first sentences of the summaries, as many of each as fit its share of ``tokens``.

    Of more than have room for some sentences, those with most of ``terms``; without any, some spread over all.
    """
    most = max(1, tokens // PER_SUMMARY)
    if len(summaries) > most:
        shared = [len(token_set(text).intersection(terms)) for text in summaries]
        if any(shared):
            best = sorted(range(len(shared)), key=lambda place: -shared[place])[:most]
            summaries = [summaries[place] for place in sorted(best) if shared[place]]
        else:
            summaries = [summaries[number * len(summaries) // most] for number in range(most)]
    share = tokens / max(len(summaries), 1) - count_words(SUMMARY) * TOKENS_PER_WORD
    lines = []
    for text in summaries:
        kept = ""
        for each in _SENTENCE_END.split(one_line(text)):
            if count_words(f"{kept} {each}") * TOKENS_PER_WORD > share:
                break
            kept = f"{kept} {each}".strip()
        lines += [f"{SUMMARY} {kept}"] if kept else []
    made = "\n".join(lines)
    return Context(made, (), math.ceil(count_words(made) * TOKENS_PER_WORD))
