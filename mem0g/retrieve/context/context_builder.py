"""A context for a prompt that grows line by line: facts under their subjects, then messages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from mem0g.model import Context, Contradiction, Fact, Hit, Message, Reason
from mem0g.retrieve.context.forms import Forms, Line, ListKey, list_key
from mem0g.retrieve.context.quoting import quotation, said_by
from mem0g.retrieve.context.rendering import clause, counted, details, heading, stated
from mem0g.retrieve.context.requests import answering
from mem0g.text.stemming import content, token_set
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

MESSAGES = "Messages:"
"""The heading of what people wrote."""

INSTRUCTIONS = "Instructions:"
"""The heading of the user's standing instructions and preferences, which come first."""

CONTRADICTING = "Contradicting:"
"""The heading of statements that exclude each other."""

OTHERWISE = Reason("contradiction", "another statement says otherwise", 1.0)
"""The reason of what is shown as contradicting."""


@dataclass(frozen=True, slots=True)
class Requests:
    """How the requests that quoted replies answer are shown.

    ``before`` returns those of some messages, by the ids of the replies; ``shortened`` returns one in a few words.
    ``more``: tokens that a context may have for them beside those for all else.
    """

    before: Callable[[Iterable[Message]], Mapping[str, Message]]
    shortened: Callable[[str], str]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Costs:
    """How many words facts would add to a page that shows these ``subjects`` and the lines ``open`` for more."""

    subjects: frozenset[str]
    open: frozenset[ListKey]
    forms: Forms

    def of(self, fact: Fact) -> int:
        """Return about how many words the short form of the fact would add."""
        subject = 0 if fact.subject in self.subjects else fact.subject.count(" ") + 1
        short, listed = self.forms.short(fact)
        more = self.forms.more(fact) if listed and list_key(fact) in self.open else short
        return subject + count_words(str(more))


class ContextBuilder:
    """A context that grows line by line. ``covered`` are the ids of the messages that its hits have as evidence."""

    def __init__(self, tokens: int, forms: Forms) -> None:
        """``tokens``: the most it may have (words × 1.3); ``forms``: how facts are written."""
        self._max_words = int(tokens / TOKENS_PER_WORD)
        self._forms = forms
        self._facts: dict[str, list[Line]] = {}
        self._turns: dict[str, list[tuple[int, str]]] = {}
        self._speakers: dict[str, str] = {}
        self._instructions: list[str] = []
        self._contradicting: list[str] = []
        self._open: dict[ListKey, int] = {}
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
        """Whether the messages that are its evidence are covered already; a message's names and numbers must be too.

        A message that is quoted as a whole is covered, whatever the quotation left out.
        """
        if self.quotes(hit) and not hit.passage:
            return True
        if not hit.evidence or not self.covered.issuperset(hit.evidence):
            return False
        return hit.message is None or (details(hit.text) | counted(hit.text)) <= self._stems

    def share_of_words(self, text: str) -> float:
        """Return the share of the content words of ``text`` that the context has."""
        words = content(text)
        return len(words & self._stems) / max(len(words), 1)

    def quotes(self, hit: Hit) -> bool:
        """Whether it quotes the hit's message, or a passage of it."""
        return hit.message is not None and hit.message.id in self._turns

    def share_of_object(self, fact: Fact) -> float:
        """Return the share of the words of the fact's object, those of its subject aside, that the context has."""
        words = token_set(fact.object) - token_set(fact.subject)
        return len(words & self._stems) / max(len(words), 1)

    def costs(self) -> Costs:
        """Return what facts cost as it stands."""
        return Costs(frozenset(self._facts), frozenset(self._open), self._forms)

    def add_sentence(self, hit: Hit, fact: Fact) -> bool:
        """Add the fact's sentence if it fits; return whether the context has it now."""
        whole = self._forms.sentence(fact)
        if whole == self._forms.short(fact)[0]:
            return self.add_clause(hit, fact)
        return (fact.subject, str(whole)) in self._lines or self._add_line(hit, fact.subject, Line.of(whole))

    def add_clause(self, hit: Hit, fact: Fact) -> bool:
        """Add the short form of the fact if it fits; a list of relation and objects is one line.

        Return whether the context has it now. Equal words are not repeated, nor parts of a sentence that several facts
        share; then the fact is none of the hits.
        """
        short, listed = self._forms.short(fact)
        known = (fact.subject, str(short)), (fact.subject, str(self._forms.sentence(fact)))
        if not self._lines.isdisjoint(known):
            return True
        if not listed:
            return self._add_line(hit, fact.subject, Line.of(short))
        key = list_key(fact)
        if key in self._open:
            return self._add_to_line(hit, self._open[key], fact, str(short))
        line = Line.of(short, self._forms.more(fact))
        added = self._add_line(hit, fact.subject, line)
        if added and line in self._facts[fact.subject]:
            self._open[key] = self._facts[fact.subject].index(line)
        return added

    def add_instruction(self, hit: Hit, fact: Fact, *, until: float) -> bool:
        """Add an instruction or a preference if it fits into ``until`` tokens; return whether it did."""
        line = str(clause(fact, now=self._forms.now))
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
        lines = [
            stated(each, now=self._forms.now)
            if isinstance(each, Fact)
            else f"{said_by(each)} {quotation(replace(each, text=text), terms)}"
            for each, text in said
        ]
        cost = sum(map(count_words, lines)) + (0 if self._contradicting else count_words(CONTRADICTING))
        if (self._words + cost) * TOKENS_PER_WORD > until:
            return False
        self._words += cost
        self._contradicting += lines
        self._stems.update(*(token_set(line) for line in lines))
        for each in {pair.earlier.id: pair.earlier, pair.later.id: pair.later}.values():
            if isinstance(each, Fact):
                hit = Hit(score=0.0, reasons=(OTHERWISE,), fact=each)
            else:
                hit = Hit(score=0.0, reasons=(OTHERWISE,), message=each)
            self.hits.append(hit)
            self.covered.update(hit.evidence)
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

    def add_requests(self, requests: Requests) -> None:
        """Add to quoted replies the requests that they answer, in a few words, as far as they fit.

        A request that is quoted itself comes right before its reply instead.
        """
        found = requests.before(hit.message for hit in self.hits if hit.message)
        self.hits = list(answering(self.hits, found))
        self._max_words += int(requests.more / TOKENS_PER_WORD)
        order: dict[str, list[str]] = {}
        for key in self._turns:
            request = found.get(key)
            if request and request.id in self._turns:
                order.setdefault(request.id, []).append(key)
                continue
            order.setdefault(key, []).insert(0, key)
            words = requests.shortened(request.text) if request else ""
            asked = f'{self._speakers[key].removesuffix(":")}, to "{words}":'
            cost = count_words(asked) - count_words(self._speakers[key])
            if words and self._words + cost <= self._max_words:
                self._words += cost
                self._speakers[key] = asked
        self._turns = {key: self._turns[key] for keys in order.values() for key in keys}

    def parts_of(self, hit: Hit) -> int:
        """Return how many passages of the hit's message it quotes already; 0 for a hit that is no passage."""
        return len(self._turns.get(hit.message.id, ())) if hit.message and hit.passage else 0

    def _quoted(self, key: str) -> str:
        """Return the line of a message: its passages in order, as one text where both end and begin with a mark."""
        words = " ".join(quoted for _, quoted in sorted(self._turns[key]))
        return f"{self._speakers[key]} {words.replace('… …', '…')}"

    def context(self) -> Context:
        """Return the context: facts by subject, then the messages."""
        blocks = [(heading(subject), [*map(str, lines)]) for subject, lines in self._facts.items()]
        if self._contradicting:
            blocks.insert(0, (CONTRADICTING, self._contradicting))
        if self._instructions:
            blocks.insert(0, (INSTRUCTIONS, self._instructions))
        if self._turns:
            blocks.append((MESSAGES, list(map(self._quoted, self._turns))))
        text = ("\n".join([heading, *(f"  {line}" for line in lines)]) for heading, lines in blocks)
        return Context("\n".join(text), tuple(self.hits), math.ceil(self.tokens))

    def _add_line(self, hit: Hit, subject: str, line: Line) -> bool:
        """Add a line if it fits, in the place of one that says less; a line that says no more than another is there."""
        lines, text = self._facts.get(subject, []), str(line)
        if any(each.contains(line) for each in lines):
            self._lines.add((subject, text))
            return self._has_room(0, hit)
        less = next((place for place, each in enumerate(lines) if line.contains(each)), None)
        if less is None:
            cost = count_words(text) + (count_words(heading(subject)) if not lines else 0)
        else:
            cost = count_words(text) - count_words(str(lines[less]))
        if not self._has_room(cost, hit, subject, text):
            return False
        if less is None:
            self._facts.setdefault(subject, []).append(line)
        else:
            lines[less] = line
            self._open = {key: place for key, place in self._open.items() if (key[0], place) != (subject, less)}
        self._lines.add((subject, text))
        return True

    def _add_to_line(self, hit: Hit, place: int, fact: Fact, text: str) -> bool:
        lines, more = self._facts[fact.subject], self._forms.more(fact)
        longer = lines[place].adding(more)
        if longer == lines[place]:
            return self._has_room(0, hit)
        if not self._has_room(count_words(str(longer)) - count_words(str(lines[place])), hit, str(more)):
            return False
        lines[place] = longer
        self._lines.add((fact.subject, text))
        return True

    def _has_room(self, cost: int, hit: Hit, *texts: str) -> bool:
        if self._words + cost > self._max_words:
            return False
        self._words += cost
        self.hits.append(hit)
        self.covered.update(hit.evidence)
        self._stems.update(*(token_set(text) for text in texts))
        return True
