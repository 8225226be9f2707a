"""Pack the best hits into a text that fits a token budget.

Whole sentences until a quarter of the budget is used, for lists a tenth, then one quoted message for each 500 tokens
as insurance against what the extractor missed, then short forms (see ``rendering``), short ones before long ones;
objects of one relation share a line where nothing else differs. Where a question asks for several things, short forms
are shorter still, unless it asks for places, so that more of them fit, and what names another thing comes first. A fact
whose messages are all in the text already comes later; such a message is left out when the text has its names and
numbers too, and, of the best messages, half of its words. Measured on LOCOMO: short forms alone cover more of the
evidence, but lose the words of the answers.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from statistics import fmean

from mem0g.model import Context, Contradiction, Hit, Message
from mem0g.resolve.mentions import ALIAS
from mem0g.retrieve.context.context_builder import MESSAGES, ContextBuilder, Costs, Requests
from mem0g.retrieve.context.filler import is_filler, only_asks
from mem0g.retrieve.context.forms import Forms
from mem0g.retrieve.context.quoting import said_by, shortened
from mem0g.retrieve.context.rendering import clause, heading
from mem0g.retrieve.context.secrets import keeps_secret
from mem0g.retrieve.question.kinds import asks_for_a_detail, asks_for_several, asks_when
from mem0g.retrieve.question.query import Question
from mem0g.text.stemming import token_set
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

WHOLE_SENTENCES = 0.25
"""Share of the budget that goes to whole sentences: with more the text has more of the answers' words and less of the
evidence."""

FOR_DETAILS, FOR_LISTS = 0.4, 0.1
"""The same share for a question that asks for a detail of one thing (who, where, why, how), and for several things."""

TOKENS_PER_TURN = 500
"""Tokens of the budget for which at least one message is quoted."""

REPEATED = 0.5
"""What a fact loses when its evidence is in the context already: from 0.3 to 1.2 recall is the same."""

REPEATED_ITEM, SAME_ITEM = 0.25, 0.8
"""The same in a list of several things, of which two may be told in one message; and what a fact loses there when all
words of its object are in the context already, else in proportion: each line should add a thing. For other questions,
which are answered by more about one thing, this loses as much as it wins."""

PER_WORD, PER_TURN = 0.06, 0.5
"""What the short form of a fact loses for each word, and a message for its length, so that more of them fit. Of 500
tokens 0.06 a word instead of 0.1 has 1 to 2 points more of the answers' words on a model's facts of two conversations,
of 250 and 1000 within a point of it; on given triples evidence and words stay within 0.3."""

PER_TURN_OF_LIST = 1.0
"""The same for a message in a list of several things, which takes the place of some facts."""

BEST, HALF = 6, 0.5
"""Among so many best hits a message is left out for facts only if the text has so much of its content words: "thinks he
is the perfect mentor" hides why. On 990 questions of LOCOMO eight to fifteen more have all of the answer's words."""

MOST_PASSAGES, ANOTHER_PASSAGE = 6, 1.0
"""How many passages of one message a context quotes, and what another one of a message in it loses: a question is
answered by many messages more often than by one at length, such as a plan of many days. From three and 2.0 to eight and
0.5 evidence and words on six chats of BEAM stay within half a point."""

REPLIED = 3
"""Messages after a question within which a reply to it stands, calls of tools between."""

MAX_MISSES = 20
"""Hits in a row that do not fit, after which the text counts as full."""

FOR_CONTRADICTIONS = 0.5
"""The share of the budget that instructions and contradictions may take."""

FOR_INSTRUCTIONS, MAX_INSTRUCTIONS = 0.2, 5
"""The share of the budget and the number of lines that these may take."""


SHORTEST_EXCERPT = 6
"""Words, marks of what is left out included, from which on a part of a message says something."""


def pack(
    hits: Sequence[Hit],
    terms: tuple[str, ...],
    tokens: int,
    *,
    question: str = "",
    now: datetime | None = None,
    standing: Sequence[Hit] = (),
    contradicting: Sequence[Contradiction] = (),
    requests: Requests | None = None,
) -> Context:
    """Return ``hits``, best first, as a context of at most ``tokens`` (words × 1.3).

    ``terms`` are the stems of ``question``. If it asks for a time or names one, facts without a date show when they
    were said. Plans for a day before ``now`` are marked as unanswered. ``standing`` are instructions and preferences,
    best first, which come before all else, as far as a fifth of the budget holds them; then pairs of statements that
    contradict each other, up to half of the budget. Where words are left, replies that are quoted get the ``requests``
    that they answer.
    """
    listing = asks_for_several(question)
    if not _ASKS_FOR_A_NAME.search(question):
        asked = token_set(question)
        hits = [hit for hit in hits if not _is_other_name(hit, asked)] or hits
    hits = _without_waste([hit for hit in hits if not keeps_secret(hit.text, question)], frozenset(terms))
    facts = (hit.fact for hit in hits if hit.fact)
    detailed = asks_for_a_detail(question)
    forms = Forms.of(facts, when=asks_when(question), listing=listing and not detailed, now=now)
    page = ContextBuilder(tokens, forms)
    for hit in standing:
        if hit.fact and page.instructions < MAX_INSTRUCTIONS:
            page.add_instruction(hit, hit.fact, until=FOR_INSTRUCTIONS * tokens)
    for pair in contradicting:
        page.add_contradiction(pair, terms, until=FOR_CONTRADICTIONS * tokens)
    shown = {hit.fact.id for hit in page.hits if hit.fact}
    hits = [hit for hit in hits if not (hit.fact and hit.fact.id in shown)]
    queue = _Queue(hits, listing=listing)
    share = FOR_DETAILS if detailed else FOR_LISTS if listing else WHOLE_SENTENCES
    _fill(page, queue, terms, whole=True, until=share * tokens)
    _insure(page, hits, terms, tokens // TOKENS_PER_TURN)
    queue.short_ones_first(page)
    _fill(page, queue, terms, whole=False, until=tokens)
    if requests:
        page.add_requests(requests)
    return page.context()


def pack_excerpt(hits: Sequence[Hit], terms: tuple[str, ...], tokens: int, *, question: str, now: datetime) -> Context:
    """Return a part of the best of ``hits`` that has one of a readable length in ``tokens``, as nothing whole fits.

    Of a message it is the part with most of ``terms``, of a fact the beginning. Without such a hit it is empty.
    """
    hits = _without_waste([hit for hit in hits if not keeps_secret(hit.text, question)], frozenset(terms))
    for hit in hits:
        if hit.message:
            above, text = f"{MESSAGES}\n  {said_by(hit.message)} ", hit.text
        elif hit.fact:
            above, text = f"{heading(hit.fact.subject)}\n  ", str(clause(hit.fact, now=now))
        room = int(tokens / TOKENS_PER_WORD) - count_words(above)
        if room >= SHORTEST_EXCERPT:
            line = above + shortened(text, terms if hit.message else (), room)
            return Context(line, (hit,), math.ceil(count_words(line) * TOKENS_PER_WORD))
    return Context("", (), 0)


_ASKS_FOR_A_NAME = re.compile(r"\b(?:who|whose|names?|named|nick\w*|alias\w*|called?|known)\b", re.IGNORECASE)
"""Words of questions that another name of somebody may answer."""


def _is_other_name(hit: Hit, asked: Collection[str]) -> bool:
    """Whether it is another name of somebody, without a word ``asked``: it answers only questions about names.

    The object of such a fact is its subject, once both names are one entity; then its sentence has the other one.
    """
    if hit.fact is None or hit.fact.relation != ALIAS:
        return False
    return (token_set(f"{hit.fact.object} {hit.fact.text}") - token_set(hit.fact.subject)).isdisjoint(asked)


def _without_waste(hits: Sequence[Hit], terms: Collection[str]) -> list[Hit]:
    """Return ``hits`` without filler, repeated words, mere questions, and retired facts that are true again.

    Of messages with the same words the best one stays; of an assistant's none, such as "Got it, thanks!". Questions
    stay where their reply is among the hits, or where nothing else is left.
    """
    live = {hit.fact.edge for hit in hits if hit.fact and hit.fact.current}
    words = Counter((hit.message.speaker, hit.text) for hit in hits if hit.message)
    quoted: set[tuple[str, str]] = set()
    kept = []
    for hit in hits:
        if hit.fact and (hit.fact.current or hit.fact.edge not in live):
            kept.append(hit)
        elif hit.message and not is_filler(hit.message, hit.text, terms):
            key = (hit.message.speaker, hit.text)
            if key not in quoted and (words[key] == 1 or hit.message.role != "assistant"):
                kept.append(hit)
            quoted.add(key)
    replies = {
        (message.source, message.session, message.position - before)
        for message in (hit.message for hit in kept)
        if message and message.role == "assistant"
        for before in range(1, REPLIED + 1)
    }
    telling = [hit for hit in kept if not (each := hit.message) or not only_asks(hit.text) or _place(each) in replies]
    return telling or kept


def _place(message: Message) -> tuple[str, str, int]:
    return message.source, message.session, message.position


def _fill(page: ContextBuilder, queue: _Queue, terms: tuple[str, ...], *, whole: bool, until: float) -> None:
    misses = 0
    while page.tokens < until and not page.full and misses < MAX_MISSES:
        hit = queue.next(page)
        if hit is None:
            return
        misses = 0 if _add(page, hit, terms, whole=whole) else misses + 1


def _insure(page: ContextBuilder, hits: Sequence[Hit], terms: tuple[str, ...], turns: int) -> None:
    """Quote the best messages that are not covered yet, until there are ``turns`` in all."""
    missing = turns - sum(hit.message is not None for hit in page.hits)
    for hit in hits:
        if missing <= 0:
            return
        if hit.message and not page.covers(hit) and not page.parts_of(hit) and page.add_turn(hit, terms):
            missing -= 1


def _add(page: ContextBuilder, hit: Hit, terms: tuple[str, ...], *, whole: bool) -> bool:
    if hit.fact is None:
        return page.add_turn(hit, terms)
    return (whole and page.add_sentence(hit, hit.fact)) or page.add_clause(hit, hit.fact)


class _Queue:
    """Hits by score, less what they lose when their evidence or their words are in the context already."""

    def __init__(self, hits: Sequence[Hit], *, listing: bool) -> None:
        """``hits`` are best first, so that the list is a heap as it is; ``listing``: several things are asked for."""
        self._heap = [(-hit.score, place, hit) for place, hit in enumerate(hits)]
        self._listing = listing
        self._losses: dict[int, float] = {}
        self._costs: Costs | None = None
        self._exact: set[int] = set()

    def next(self, page: ContextBuilder) -> Hit | None:
        """Return the best hit left, None when there is none.

        What a hit loses is computed when it comes to the top without it: it only grows.
        """
        while self._heap:
            score, place, hit = heapq.heappop(self._heap)
            if self._costs and hit.fact and place not in self._exact:
                self._exact.add(place)
                heapq.heappush(self._heap, (score + PER_WORD * self._costs.of(hit.fact), place, hit))
                continue
            loss, before = self._loss(page, hit, place), self._losses.get(place, 0.0)
            if loss <= before:
                return hit
            if loss < math.inf:
                self._losses[place] = loss
                heapq.heappush(self._heap, (score + loss - before, place, hit))
        return None

    def _loss(self, page: ContextBuilder, hit: Hit, place: int) -> float:
        """Return what the hit loses as the context stands: for a message that adds nothing, everything."""
        if hit.fact is None:
            parts = page.parts_of(hit)
            says_more = place < BEST and not page.quotes(hit) and page.share_of_words(hit.text) < HALF
            if parts >= MOST_PASSAGES or (page.covers(hit) and not says_more):
                return math.inf
            return ANOTHER_PASSAGE if parts else 0.0
        if not self._listing:
            return REPEATED if page.covers(hit) else 0.0
        return REPEATED_ITEM * page.covers(hit) + SAME_ITEM * page.share_of_object(hit.fact)

    def short_ones_first(self, page: ContextBuilder) -> None:
        """Reorder what is left by score less the cost of its words as of now.

        That of a fact is computed when it comes to the top without it: it only falls.
        """
        self._costs = page.costs()
        per_turn = PER_TURN_OF_LIST if self._listing else PER_TURN
        self._heap = [(score if hit.fact else score + per_turn, place, hit) for score, place, hit in self._heap]
        heapq.heapify(self._heap)


EASY = 3.5
"""By how much the best hit of an easy question scores above the mean of the hits 10 to 30: half of LOCOMO's
questions are easy."""

FIRST, FACTS_AMONG_FIRST = 10, 0.7
"""Share of the first hits that must be facts: where the extractor missed much, messages answer, at greater length.
With facts by rules, halving the contexts of the others as well costs 3 points of recall instead of 1."""

SHARE, LEAST = 0.75, 500
"""Share of the budget that an easy question gets, and the tokens it gets in any case. With 250 a context of 500 tokens
saves 48 on average, and of 991 questions of LOCOMO (760 on given triples, 231 on a model's facts) four have less than
all of the answer's words; a question that has to be asked again costs more. At 1000, 97 are saved for two."""

_SUPPOSES = re.compile(r"\b(?:would|could|might|likely|probably)\b", re.IGNORECASE)
"""Words of a question that is answered by inference from many facts."""


def adaptive_budget(question: Question, hits: Sequence[Hit], tokens: int) -> int:
    """Return how many of at most ``tokens`` a context for the question needs; ``hits`` are its candidates, best first.

    Measured on LOCOMO at 1000 tokens: a tenth fewer on average, and 0.1 points fewer of the answers' words.
    """
    return max(min(tokens, LEAST), round(SHARE * tokens)) if _is_easy(question, hits) else tokens


def _is_easy(question: Question, hits: Sequence[Hit]) -> bool:
    if not hits or _SUPPOSES.search(question.text) or _names_two_people(question) or asks_for_several(question.text):
        return False
    if sum(hit.fact is not None for hit in hits[:FIRST]) < FACTS_AMONG_FIRST * len(hits[:FIRST]):
        return False
    return hits[0].score - fmean(hit.score for hit in hits[9:30] or hits[-1:]) > EASY


def _names_two_people(question: Question) -> bool:
    """Whether the question names two people, so that one good hit is half an answer."""
    return sum(each.type.casefold() == "person" for each in question.anchors) > 1
