"""A text for a prompt as it grows: facts under their subjects, turns at the end, words counted."""

from __future__ import annotations

import math

from mem0g.model import Context, Fact, Hit
from mem0g.retrieve.rendering import one_line, one_more, phrase, sentence, turn
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

SAID = "Said:"


class Page:
    """The lines so far. ``covered`` are the ids of the messages on which something stands that is there."""

    def __init__(self, tokens: int) -> None:
        """``tokens``: words × 1.3 that it may have at most."""
        self._most = int(tokens / TOKENS_PER_WORD)
        self._told: dict[str, list[str]] = {}
        self._said: list[str] = []
        self._open: dict[tuple[str, str], int] = {}
        self._phrases: set[tuple[str, str]] = set()
        self._words = 0
        self.hits: list[Hit] = []
        self.covered: set[str] = set()

    @property
    def tokens(self) -> float:
        """What it has by now."""
        return self._words * TOKENS_PER_WORD

    @property
    def full(self) -> bool:
        """Whether not one more word fits."""
        return self._words >= self._most

    def covers(self, hit: Hit) -> bool:
        """Whether all the turns it stands on are there already."""
        return bool(hit.evidence) and self.covered.issuperset(hit.evidence)

    def cost(self, fact: Fact) -> int:
        """About how many words the fact in few words would add."""
        heading = 0 if fact.subject in self._told else fact.subject.count(" ") + 1
        relation = 0 if (fact.subject, fact.relation) in self._open else fact.relation.count("_") + 1
        return heading + relation + fact.object.count(" ") + 1 + (fact.valid_from is not None)

    def add_sentence(self, hit: Hit, fact: Fact) -> bool:
        """Add the fact's sentence if it fits."""
        return self._add_line(hit, fact.subject, sentence(fact))

    def add_phrase(self, hit: Hit, fact: Fact) -> bool:
        """Add the fact in few words if they fit: to the line of its subject and relation where there is one.

        The same words are not told again; the fact counts as told by those that are there, and is none of the hits.
        """
        key, words_of_it = (fact.subject, fact.relation), (fact.subject, phrase(fact))
        if words_of_it in self._phrases:
            return True
        names_an_alias = fact.subject_id == fact.object_id
        if key in self._open and not names_an_alias:
            added = self._add_to_line(hit, self._open[key], fact)
        else:
            added = self._add_line(hit, *words_of_it)
        if added:
            self._phrases.add(words_of_it)
        if added and not names_an_alias:
            self._open.setdefault(key, len(self._told[fact.subject]) - 1)
        return added

    def add_turn(self, hit: Hit, terms: tuple[str, ...]) -> bool:
        """Quote the hit's message if it fits; of a long one the words around the first of ``terms``."""
        if hit.message is None:
            return False
        line = turn(hit.message, terms)
        if not self._has_room(count_words(line) + (0 if self._said else count_words(SAID)), hit):
            return False
        self._said.append(line)
        return True

    def context(self) -> Context:
        """The text, the turns last."""
        blocks = [(_heading(subject), lines) for subject, lines in self._told.items()]
        if self._said:
            blocks.append((SAID, self._said))
        told = ("\n".join([heading, *(f"  {line}" for line in lines)]) for heading, lines in blocks)
        return Context("\n".join(told), tuple(self.hits), math.ceil(self.tokens))

    def _add_line(self, hit: Hit, subject: str, line: str) -> bool:
        heading = 0 if subject in self._told else count_words(_heading(subject))
        if not self._has_room(count_words(line) + heading, hit):
            return False
        self._told.setdefault(subject, []).append(line)
        return True

    def _add_to_line(self, hit: Hit, place: int, fact: Fact) -> bool:
        lines, more = self._told[fact.subject], f"; {one_more(fact)}"
        last = lines[place].rsplit(maxsplit=1)[-1]  # the semicolon may make it a word more
        if not self._has_room(count_words(last + more) - count_words(last), hit):
            return False
        lines[place] += more
        return True

    def _has_room(self, cost: int, hit: Hit) -> bool:
        if self._words + cost > self._most:
            return False
        self._words += cost
        self.hits.append(hit)
        self.covered.update(hit.evidence)
        return True


def _heading(subject: str) -> str:
    return f"{one_line(subject)}:"
