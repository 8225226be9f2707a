"""Pack the best hits into a text that fits a token budget.

Whole sentences until a tenth of the budget is used, then one quoted message for each 500 tokens as insurance against
what the extractor missed, then short forms: facts as "relation object (date)", several of one relation on one line,
short ones before long ones. A fact whose messages are all in the text already comes later. Measured on LOCOMO: short
forms alone cover more of the evidence, but lose the words of the answers.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Sequence
from statistics import fmean

from mem0g.model import Context, Fact, Hit, Message
from mem0g.retrieve.query import Question
from mem0g.text.scripts import CJK
from mem0g.text.stemming import tokens as stems
from mem0g.text.token_count import MAX_WORD, PIECE, TOKENS_PER_WORD, count_words

WHOLE_SENTENCES = 0.1
"""Share of the budget that goes to whole sentences: with a quarter the text has up to a point more of the answers'
words and half a point less of the evidence."""

TOKENS_PER_TURN = 500
"""Tokens of the budget for which at least one message is quoted."""

REPEATED = 0.5
"""What a fact loses when its evidence is in the context already: from 0.3 to 1.2 recall is the same."""

PER_WORD, PER_TURN = 0.1, 0.5
"""What the short form of a fact loses for each word, and a message for its length, so that more of them fit."""

MAX_MISSES = 20
"""Hits in a row that do not fit, after which the text counts as full."""

EASY = 3.5
"""By how much the best hit of an easy question scores above the mean of the hits 10 to 30: half of LOCOMO's
questions are easy."""

FIRST, FACTS_AMONG_FIRST = 10, 0.7
"""Share of the first hits that must be facts: where the extractor missed much, messages answer, at greater length.
With facts by rules, halving the contexts of the others as well costs 3 points of recall instead of 1."""

SHARE, LEAST = 0.5, 250
"""Share of the budget that an easy question gets, and the tokens it gets in any case: with fewer, recall falls."""

_SUPPOSES = re.compile(r"\b(?:would|could|might|likely|probably)\b", re.IGNORECASE)
"""Words of a question that is answered by inference from many facts."""

SAID = "Said:"

LONGEST_TURN = 80
"""Words of a message that are quoted; of a longer one, those around the first word asked for."""

_LETTER = f"[^\\s{CJK}]"
_PIECE = re.compile(rf"[{CJK}]|{_LETTER}{{1,{MAX_WORD}}}(?!{_LETTER})|{_LETTER}{{1,{PIECE}}}")
"""A word as mem0g.text.token_count.count_words counts them."""
_ARTICLES = re.compile(r"\b(?:a|an|the)\s+(?=[a-z])")
_QUOTED = re.compile(r'("[^"]*"|“[^“”]*”)')


def adaptive_budget(question: Question, hits: Sequence[Hit], tokens: int) -> int:
    """Return how many of at most ``tokens`` a context for the question needs; ``hits`` are its candidates, best first.

    Measured on LOCOMO at 500 tokens: a quarter fewer on average, and 0.2 points less recall.
    """
    return max(min(tokens, LEAST), round(SHARE * tokens)) if _is_easy(question, hits) else tokens


def _is_easy(question: Question, hits: Sequence[Hit]) -> bool:
    if not hits or _SUPPOSES.search(question.text) or _names_two_people(question):
        return False
    if sum(hit.fact is not None for hit in hits[:FIRST]) < FACTS_AMONG_FIRST * len(hits[:FIRST]):
        return False
    return hits[0].score - fmean(hit.score for hit in hits[9:30] or hits[-1:]) > EASY


def _names_two_people(question: Question) -> bool:
    """Whether the question names two people, so that one good hit is half an answer."""
    return sum(each.type.casefold() == "person" for each in question.anchors) > 1


def pack(hits: Sequence[Hit], terms: tuple[str, ...], tokens: int) -> Context:
    """Return ``hits``, best first, as a context of at most ``tokens`` (words × 1.3); ``terms`` are the question's."""
    page, queue = ContextBuilder(tokens), _Queue(hits)
    _fill(page, queue, terms, whole=True, until=WHOLE_SENTENCES * tokens)
    _insure(page, hits, terms, tokens // TOKENS_PER_TURN)
    queue.short_ones_first(page)
    _fill(page, queue, terms, whole=False, until=tokens)
    return page.context()


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
        if hit.message and not page.covers(hit) and page.add_turn(hit, terms):
            missing -= 1


def _add(page: ContextBuilder, hit: Hit, terms: tuple[str, ...], *, whole: bool) -> bool:
    if hit.fact is None:
        return page.add_turn(hit, terms)
    return (whole and page.add_sentence(hit, hit.fact)) or page.add_phrase(hit, hit.fact)


class _Queue:
    """Hits by score. A fact whose evidence is in the context already is put back once, lower; a message is dropped."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        """``hits`` are best first, so that the list is a heap as it is."""
        self._heap = [(-hit.score, place, False, hit) for place, hit in enumerate(hits)]

    def next(self, page: ContextBuilder) -> Hit | None:
        """Return the best hit left, None when there is none."""
        while self._heap:
            score, place, lowered, hit = heapq.heappop(self._heap)
            if not page.covers(hit) or lowered:
                return hit
            if hit.fact:
                heapq.heappush(self._heap, (score + REPEATED, place, True, hit))
        return None

    def short_ones_first(self, page: ContextBuilder) -> None:
        """Reorder what is left by score less the cost of its words."""
        self._heap = [
            (score + (PER_WORD * page.cost(hit.fact) if hit.fact else PER_TURN), place, lowered, hit)
            for score, place, lowered, hit in self._heap
        ]
        heapq.heapify(self._heap)


class ContextBuilder:
    """A context that grows line by line. ``covered`` are the ids of the messages that its hits have as evidence."""

    def __init__(self, tokens: int) -> None:
        """``tokens``: the most it may have (words × 1.3)."""
        self._max_words = int(tokens / TOKENS_PER_WORD)
        self._facts: dict[str, list[str]] = {}
        self._turns: list[str] = []
        self._open: dict[tuple[str, str], int] = {}
        self._phrases: set[tuple[str, str]] = set()
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

    def covers(self, hit: Hit) -> bool:
        """Whether all messages that are its evidence are covered already."""
        return bool(hit.evidence) and self.covered.issuperset(hit.evidence)

    def cost(self, fact: Fact) -> int:
        """Return about how many words the short form of the fact would add."""
        heading = 0 if fact.subject in self._facts else fact.subject.count(" ") + 1
        relation = 0 if (fact.subject, fact.relation) in self._open else fact.relation.count("_") + 1
        return heading + relation + fact.object.count(" ") + 1 + (fact.valid_from is not None)

    def add_sentence(self, hit: Hit, fact: Fact) -> bool:
        """Add the fact's sentence if it fits; return whether it did."""
        return self._add_line(hit, fact.subject, sentence(fact))

    def add_phrase(self, hit: Hit, fact: Fact) -> bool:
        """Add the short form of the fact if it fits: to the line of its subject and relation where there is one.

        Return whether the context has it now. Equal words are not repeated; then the fact is none of the hits.
        """
        key, line = (fact.subject, fact.relation), (fact.subject, phrase(fact))
        if line in self._phrases:
            return True
        is_alias = fact.subject_id == fact.object_id
        if key in self._open and not is_alias:
            added = self._add_to_line(hit, self._open[key], fact)
        else:
            added = self._add_line(hit, *line)
        if added:
            self._phrases.add(line)
        if added and not is_alias:
            self._open.setdefault(key, len(self._facts[fact.subject]) - 1)
        return added

    def add_turn(self, hit: Hit, terms: tuple[str, ...]) -> bool:
        """Quote the hit's message if it fits, a long one around the first of ``terms``; return whether it did."""
        if hit.message is None:
            return False
        line = turn(hit.message, terms)
        if not self._has_room(count_words(line) + (0 if self._turns else count_words(SAID)), hit):
            return False
        self._turns.append(line)
        return True

    def context(self) -> Context:
        """Return the context: facts by subject, then the messages."""
        blocks = [(_heading(subject), lines) for subject, lines in self._facts.items()]
        if self._turns:
            blocks.append((SAID, self._turns))
        text = ("\n".join([heading, *(f"  {line}" for line in lines)]) for heading, lines in blocks)
        return Context("\n".join(text), tuple(self.hits), math.ceil(self.tokens))

    def _add_line(self, hit: Hit, subject: str, line: str) -> bool:
        heading = 0 if subject in self._facts else count_words(_heading(subject))
        if not self._has_room(count_words(line) + heading, hit):
            return False
        self._facts.setdefault(subject, []).append(line)
        return True

    def _add_to_line(self, hit: Hit, place: int, fact: Fact) -> bool:
        lines, more = self._facts[fact.subject], f"; {one_more(fact)}"
        last = lines[place].rsplit(maxsplit=1)[-1]  # the semicolon may make it a word more
        if not self._has_room(count_words(last + more) - count_words(last), hit):
            return False
        lines[place] += more
        return True

    def _has_room(self, cost: int, hit: Hit) -> bool:
        if self._words + cost > self._max_words:
            return False
        self._words += cost
        self.hits.append(hit)
        self.covered.update(hit.evidence)
        return True


def _heading(subject: str) -> str:
    return f"{one_line(subject)}:"


def sentence(fact: Fact) -> str:
    """Return the fact's sentence for a line under its subject: without the subject, dated, marked if retired."""
    text, subject = one_line(fact.text), one_line(fact.subject)
    parts = _QUOTED.split(text.removeprefix(subject).strip() if text.startswith(subject + " ") else text)
    short = "".join(part if place % 2 else _ARTICLES.sub("", part) for place, part in enumerate(parts))
    return short + _when(fact, sentence=True)


def phrase(fact: Fact) -> str:
    """Return the short form of a fact: relation, object and date."""
    if fact.subject_id == fact.object_id:  # an alias: only the sentence holds the name
        return sentence(fact)
    return f"{fact.relation.replace('_', ' ').lower()} {one_more(fact)}"


def one_more(fact: Fact) -> str:
    """Return object and date: what a further fact of the same subject and relation adds to a line."""
    return f"{one_line(fact.object)}{_when(fact, sentence=False)}"


def turn(message: Message, terms: tuple[str, ...]) -> str:
    """Return the message as quoted: speaker, day and text, of a long one the part around the first of ``terms``."""
    day = f", {message.time.date().isoformat()}" if message.time else ""
    return f"{one_line(message.speaker)}{day}: {_excerpt(one_line(message.text), terms)}"


def one_line(text: str) -> str:
    """Return ``text`` with each run of white space as one space, so that no text starts a line of its own."""
    return " ".join(text.split())


def _when(fact: Fact, *, sentence: bool) -> str:
    """Return the dates that the sentence lacks: of the event or the state, else of the message."""
    if not fact.current:
        since = f"{fact.valid_from} to" if fact.valid_from else "until"
        return f" ({since} {fact.valid_to or 'some time'}, no longer)"
    if fact.valid_from:
        has_year = sentence and str(fact.valid_from.start.year) in fact.text
        return "" if has_year else f" ({fact.valid_from})"
    return f" (said {fact.said_at.date().isoformat()})" if sentence and fact.said_at else ""


def _excerpt(text: str, terms: tuple[str, ...]) -> str:
    spans = [match.span() for match in _PIECE.finditer(text)]
    if len(spans) <= LONGEST_TURN:
        return text
    wanted = {term for term in terms if len(term) > 1} or set(terms)  # one Chinese character is in many words
    # At least two characters: the stems of Chinese, Japanese and Korean are pairs.
    found = (place for place, (a, b) in enumerate(spans) if wanted.intersection(stems(text[a : max(b, a + 2)])))
    start = max(0, min(next(found, 0) - LONGEST_TURN // 4, len(spans) - LONGEST_TURN))
    last = start + LONGEST_TURN - 1
    cut = text[spans[start][0] : spans[last][1]]
    return ("… " if start else "") + cut + ("" if last + 1 == len(spans) else " …")
