"""Pack the best hits into a text that fits a token budget.

Whole sentences until a quarter of the budget is used, then one quoted message for each 500 tokens as insurance against
what the extractor missed, then short forms (see mem0g.retrieve.rendering), short ones before long ones; objects of one
relation share a line where nothing else differs. Where a question asks for several things, short forms are relation and
object and not what the extractor wrote, so that more of them fit. A fact whose messages are all in the text already
comes later; such a message is left out when the text has its names and numbers too. Measured on LOCOMO: short forms
alone cover more of the evidence, but lose the words of the answers.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mem0g.model import Context, Contradiction, Fact, Hit, Reason
from mem0g.retrieve.question_kind import asks_for_a_detail, asks_for_several, asks_when
from mem0g.retrieve.rendering import (
    clause,
    details,
    heading,
    is_filler,
    is_listed,
    one_more,
    quotation,
    said_by,
    sentence,
)
from mem0g.text.stemming import token_set
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

WHOLE_SENTENCES = 0.25
"""Share of the budget that goes to whole sentences: with more the text has more of the answers' words and less of the
evidence."""

FOR_DETAILS = 0.4
"""The same share for a question that asks for a detail of one thing (who, where, why, how)."""

TOKENS_PER_TURN = 500
"""Tokens of the budget for which at least one message is quoted."""

REPEATED = 0.5
"""What a fact loses when its evidence is in the context already: from 0.3 to 1.2 recall is the same."""

PER_WORD, PER_TURN = 0.1, 0.5
"""What the short form of a fact loses for each word, and a message for its length, so that more of them fit."""

MOST_PASSAGES, ANOTHER_PASSAGE = 3, 2.0
"""How many passages of one message a context quotes, and what another one of a message in it loses: the question was
asked over many messages more often than one answers it at length."""

MAX_MISSES = 20
"""Hits in a row that do not fit, after which the text counts as full."""

MESSAGES = "Messages:"
"""The heading of what people wrote."""

INSTRUCTIONS = "Instructions:"
"""The heading of the user's standing instructions and preferences, which come first."""

CONTRADICTING = "Contradicting:"
"""The heading of statements of one person that exclude each other."""

FOR_CONTRADICTIONS = 0.5
"""The share of the budget that instructions and contradictions may take."""

FOR_INSTRUCTIONS, MAX_INSTRUCTIONS = 0.2, 5
"""The share of the budget and the number of lines that these may take."""

_ListKey = tuple[str, str, bool, bool]
"""What facts on one line have in common: subject, relation, whether each has a date of its own, and is true today."""


def pack(
    hits: Sequence[Hit],
    terms: tuple[str, ...],
    tokens: int,
    *,
    question: str = "",
    now: datetime | None = None,
    standing: Sequence[Hit] = (),
    contradicting: Sequence[Contradiction] = (),
) -> Context:
    """Return ``hits``, best first, as a context of at most ``tokens`` (words × 1.3).

    ``terms`` are the stems of ``question``. If it asks for a time or names one, facts without a date show when they
    were said. Plans for a day before ``now`` are marked as unanswered. ``standing`` are instructions and preferences,
    best first, which come before all else, as far as a fifth of the budget holds them; then pairs of statements that
    contradict each other, up to half of the budget.
    """
    page = ContextBuilder(tokens, when=asks_when(question), brief=not asks_for_several(question), now=now)
    for hit in standing:
        if hit.fact and page.instructions < MAX_INSTRUCTIONS:
            page.add_instruction(hit, hit.fact, until=FOR_INSTRUCTIONS * tokens)
    for pair in contradicting:
        page.add_contradiction(pair, terms, until=FOR_CONTRADICTIONS * tokens)
    shown = {hit.fact.id for hit in page.hits if hit.fact}
    hits = [hit for hit in _without_waste(hits) if not (hit.fact and hit.fact.id in shown)]
    queue = _Queue(hits)
    share = FOR_DETAILS if asks_for_a_detail(question) else WHOLE_SENTENCES
    _fill(page, queue, terms, whole=True, until=share * tokens)
    _insure(page, hits, terms, tokens // TOKENS_PER_TURN)
    queue.short_ones_first(page)
    _fill(page, queue, terms, whole=False, until=tokens)
    return page.context()


def _without_waste(hits: Sequence[Hit]) -> list[Hit]:
    """Return ``hits`` without filler, repeated words, and retired facts that are true again.

    Of messages with the same words the best one stays; of an assistant's none, such as "Got it, thanks!".
    """
    live = {hit.fact.edge for hit in hits if hit.fact and hit.fact.current}
    words = Counter((hit.message.speaker, hit.text) for hit in hits if hit.message)
    quoted: set[tuple[str, str]] = set()
    kept = []
    for hit in hits:
        if hit.fact and (hit.fact.current or hit.fact.edge not in live):
            kept.append(hit)
        elif hit.message and not is_filler(hit.message, hit.text):
            key = (hit.message.speaker, hit.text)
            if key not in quoted and (words[key] == 1 or hit.message.role != "assistant"):
                kept.append(hit)
            quoted.add(key)
    return kept


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
    """Hits by score. A fact whose evidence is in the context already is put back once, lower; a message is dropped."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        """``hits`` are best first, so that the list is a heap as it is."""
        self._heap = [(-hit.score, place, False, hit) for place, hit in enumerate(hits)]
        self._costs: Costs | None = None
        self._exact: set[int] = set()

    def next(self, page: ContextBuilder) -> Hit | None:
        """Return the best hit left, None when there is none."""
        while self._heap:
            score, place, lowered, hit = heapq.heappop(self._heap)
            if self._costs and hit.fact and place not in self._exact:
                self._exact.add(place)
                score += PER_WORD * self._costs.of(hit.fact)
                heapq.heappush(self._heap, (score, place, lowered, hit))
                continue
            if parts := page.parts_of(hit):
                if parts < MOST_PASSAGES and not lowered:
                    heapq.heappush(self._heap, (score + ANOTHER_PASSAGE, place, True, hit))
                    continue
                if parts >= MOST_PASSAGES:
                    continue
            if not page.covers(hit) or (lowered and hit.fact):
                return hit
            if hit.fact:
                heapq.heappush(self._heap, (score + REPEATED, place, True, hit))
        return None

    def short_ones_first(self, page: ContextBuilder) -> None:
        """Reorder what is left by score less the cost of its words as of now.

        That of a fact is computed when it comes to the top without it: it only falls.
        """
        self._costs = page.costs()
        self._heap = [
            (score if hit.fact else score + PER_TURN, place, lowered, hit) for score, place, lowered, hit in self._heap
        ]
        heapq.heapify(self._heap)


@dataclass(frozen=True, slots=True)
class Costs:
    """How many words facts would add to a page that shows these ``subjects`` and the lines ``open`` for more."""

    subjects: frozenset[str]
    open: frozenset[_ListKey]
    when: bool
    brief: bool
    now: datetime | None

    def of(self, fact: Fact) -> int:
        """Return about how many words the short form of the fact would add."""
        subject = 0 if fact.subject in self.subjects else fact.subject.count(" ") + 1
        if is_listed(fact, brief=self.brief) and _list_of(fact) in self.open:
            return subject + count_words(one_more(fact, when=self.when, now=self.now))
        return subject + count_words(clause(fact, when=self.when, brief=self.brief, now=self.now))


class ContextBuilder:
    """A context that grows line by line. ``covered`` are the ids of the messages that its hits have as evidence."""

    def __init__(self, tokens: int, *, when: bool = False, brief: bool = True, now: datetime | None = None) -> None:
        """``tokens``: the most it may have (words × 1.3); ``when``, ``brief`` and ``now`` as in ``clause``."""
        self._max_words = int(tokens / TOKENS_PER_WORD)
        self._when, self._brief, self._now = when, brief, now
        self._facts: dict[str, list[str]] = {}
        self._turns: dict[str, list[tuple[int, str]]] = {}
        self._speakers: dict[str, str] = {}
        self._instructions: list[str] = []
        self._contradicting: list[str] = []
        self._open: dict[_ListKey, int] = {}
        self._lines: set[tuple[str, str]] = set()
        self._stems: set[str] = set()
        self._words = 0
        self.hits: list[Hit] = []
        self.covered: set[str] = set()

    @property
    def tokens(self) -> float:
        """The tokens it has so far."""
        return self._words * TOKENS_PER_WORD

    @property
    def full(self) -> bool:
        """Whether no further word fits."""
        return self._words >= self._max_words

    @property
    def instructions(self) -> int:
        """How many instructions and preferences it has."""
        return len(self._instructions)

    def covers(self, hit: Hit) -> bool:
        """Whether the messages that are its evidence are covered already; a message's names and numbers must be too."""
        if not hit.evidence or not self.covered.issuperset(hit.evidence):
            return False
        return hit.message is None or details(hit.text) <= self._stems

    def costs(self) -> Costs:
        """Return what facts cost as it stands."""
        return Costs(frozenset(self._facts), frozenset(self._open), self._when, self._brief, self._now)

    def add_sentence(self, hit: Hit, fact: Fact) -> bool:
        """Add the fact's sentence if it fits; return whether the context has it now."""
        line = sentence(fact, when=self._when, now=self._now)
        if line == clause(fact, when=self._when, brief=self._brief, now=self._now):
            return self.add_clause(hit, fact)
        return (fact.subject, line) in self._lines or self._add_line(hit, fact.subject, line)

    def add_clause(self, hit: Hit, fact: Fact) -> bool:
        """Add the short form of the fact if it fits; a list of relation and objects is one line.

        Return whether the context has it now. Equal words are not repeated; then the fact is none of the hits.
        """
        line = clause(fact, when=self._when, brief=self._brief, now=self._now)
        if (fact.subject, line) in self._lines:
            return True
        if not is_listed(fact, brief=self._brief):
            return self._add_line(hit, fact.subject, line)
        if _list_of(fact) in self._open:
            return self._add_to_line(hit, self._open[_list_of(fact)], fact, line)
        added = self._add_line(hit, fact.subject, line)
        if added:
            self._open[_list_of(fact)] = len(self._facts[fact.subject]) - 1
        return added

    def add_instruction(self, hit: Hit, fact: Fact, *, until: float) -> bool:
        """Add an instruction or a preference if it fits into ``until`` tokens; return whether it did."""
        line = clause(fact, when=False, now=self._now)
        cost = count_words(line) + (0 if self._instructions else count_words(INSTRUCTIONS))
        if line in self._instructions or (self._words + cost) * TOKENS_PER_WORD > until:
            return False
        if not self._has_room(cost, hit, line):
            return False
        self._instructions.append(line)
        return True

    def add_contradiction(self, pair: Contradiction, terms: tuple[str, ...], *, until: float) -> bool:
        """Add both statements, dated, if they fit into ``until`` tokens; return whether they did."""
        said = ((pair.earlier, pair.earlier_text), (pair.later, pair.later_text))
        lines = [f"{said_by(message)} {quotation(replace(message, text=text), terms)}" for message, text in said]
        cost = sum(map(count_words, lines)) + (0 if self._contradicting else count_words(CONTRADICTING))
        if (self._words + cost) * TOKENS_PER_WORD > until:
            return False
        self._words += cost
        self._contradicting += lines
        self._stems.update(*(token_set(line) for line in lines))
        reason = Reason("contradiction", "the speaker said otherwise", 1.0)
        for message in {pair.earlier.id: pair.earlier, pair.later.id: pair.later}.values():
            self.hits.append(Hit(score=0.0, reasons=(reason,), message=message))
            self.covered.add(message.id)
        return True

    def add_turn(self, hit: Hit, terms: tuple[str, ...]) -> bool:
        """Quote the hit's message if it fits, a long one around the first of ``terms``; return whether it did.

        Passages of one message share a line.
        """
        if hit.message is None:
            return False
        key, said, quoted = hit.message.id, said_by(hit.message), quotation(hit.message, terms, hit.passage)
        above = 0 if self._turns else count_words(MESSAGES)
        cost = count_words(quoted) + (0 if key in self._turns else above + count_words(said))
        if not self._has_room(cost, hit, said, quoted):
            return False
        self._speakers[key] = said
        self._turns.setdefault(key, []).append((hit.passage.start if hit.passage else 0, quoted))
        return True

    def parts_of(self, hit: Hit) -> int:
        """Return how many passages of the hit's message it quotes already; 0 for a hit that is no passage."""
        return len(self._turns.get(hit.message.id, ())) if hit.message and hit.passage else 0

    def _quoted(self, key: str) -> str:
        """Return the line of a message: its passages in order, as one text where both end and begin with a mark."""
        words = " ".join(quoted for _, quoted in sorted(self._turns[key]))
        return f"{self._speakers[key]} {words.replace('… …', '…')}"

    def context(self) -> Context:
        """Return the context: facts by subject, then the messages."""
        blocks = [(heading(subject), lines) for subject, lines in self._facts.items()]
        if self._contradicting:
            blocks.insert(0, (CONTRADICTING, self._contradicting))
        if self._instructions:
            blocks.insert(0, (INSTRUCTIONS, self._instructions))
        if self._turns:
            blocks.append((MESSAGES, list(map(self._quoted, self._turns))))
        text = ("\n".join([heading, *(f"  {line}" for line in lines)]) for heading, lines in blocks)
        return Context("\n".join(text), tuple(self.hits), math.ceil(self.tokens))

    def _add_line(self, hit: Hit, subject: str, line: str) -> bool:
        above = 0 if subject in self._facts else count_words(heading(subject))
        if not self._has_room(count_words(line) + above, hit, subject, line):
            return False
        self._facts.setdefault(subject, []).append(line)
        self._lines.add((subject, line))
        return True

    def _add_to_line(self, hit: Hit, place: int, fact: Fact, line: str) -> bool:
        lines, more = self._facts[fact.subject], f"; {one_more(fact, when=self._when, now=self._now)}"
        last = lines[place].rsplit(maxsplit=1)[-1]  # the semicolon may make it a word more
        if not self._has_room(count_words(last + more) - count_words(last), hit, more):
            return False
        lines[place] += more
        self._lines.add((fact.subject, line))
        return True

    def _has_room(self, cost: int, hit: Hit, *texts: str) -> bool:
        if self._words + cost > self._max_words:
            return False
        self._words += cost
        self.hits.append(hit)
        self.covered.update(hit.evidence)
        self._stems.update(*(token_set(text) for text in texts))
        return True


def _list_of(fact: Fact) -> _ListKey:
    return fact.subject, fact.relation, fact.valid_from is not None, fact.current
