"""Split new messages into windows: what is extracted and committed together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, islice

from mem0g.extract.messages import prompt_text
from mem0g.extract.protocol import Window
from mem0g.model import Message, Scope
from mem0g.text.indirect_questions import asks_indirectly
from mem0g.text.languages import asks
from mem0g.text.token_count import estimate_tokens

Recent = Callable[[str, str, int], Sequence[Message]]
"""Returns the last known messages of a session: source, session, how many."""

MAX_RELATIONS = 60
"""Names of relations that an extractor is shown: the common ones, then those that the scope uses most."""

COMMON_RELATIONS = tuple(
    "lives_in moved_to works_at works_as studies_at married_to dating has_child has_parent has_sibling has_friend "
    "has_pet has_neighbor works_with knows met owns bought likes dislikes enjoys wants_to plans_to visited attended "
    "joined started quit learning teaches created won received allergic_to has_condition feels has_age located_in "
    "born_in also_known_as".split()
)
"""Common relations, which are always shown."""


@dataclass(frozen=True, slots=True)
class WindowLimits:
    """How messages are split: at most ``size`` messages and ``tokens`` a window, after ``context`` messages before it.

    Fewer than ``slack`` messages at the end of a session are added to the window before them: a prompt costs as much
    for one message as for ten. And a window is up to ``slack`` messages shorter, so that it ends before a question
    rather than between it and its answer.
    """

    size: int
    tokens: int
    context: int

    @property
    def slack(self) -> int:
        """A quarter of a window: five messages of twenty, none of a message and its answer."""
        return self.size // 4


def windows_of(
    recent: Recent, scope: Scope, messages: Sequence[Message], known: set[str], limits: WindowLimits
) -> Iterator[Window]:
    """Yield the windows of the messages that are not ``known``, each of one session, in order.

    A window has consecutive messages: at least one, at most as many as ``limits`` say, tokens as estimated by
    estimate_tokens of what a prompt shows of them. With it come messages before it, also of the sessions before.
    """
    context = limits.context
    before: dict[str, list[Message]] = {}
    for (source, session), group in groupby(messages, key=lambda each: (each.source, each.session)):
        given = list(group)
        earlier = recent(source, session, context) if given[0].position else ()
        heard = [*(each for each in earlier if each.position < given[0].position), *given]
        sessions_before = before.get(source, [])
        before[source] = [*sessions_before, *heard][-context:] if context else []
        speakers = tuple(dict.fromkeys(each.speaker for each in heard))
        new = [place for place in range(len(heard) - len(given), len(heard)) if heard[place].id not in known]
        for places in _parts(heard, new, limits):
            just_before = (*sessions_before, *heard[: places[0]])[-context:] if context else ()
            yield Window(
                messages=tuple(heard[place] for place in places), context=just_before, speakers=speakers, scope=scope
            )


def _parts(messages: Sequence[Message], places: Sequence[int], limits: WindowLimits) -> Iterator[list[int]]:
    """Yield the places in parts without gaps, each within the limits."""
    for _, numbered in groupby(enumerate(places), key=lambda each: each[1] - each[0]):
        run = [place for _, place in numbered]
        start = 0
        while start < len(run):
            near = [messages[place] for place in run[start : start + limits.size + limits.slack]]
            length = _length([estimate_tokens(prompt_text(each)) for each in near], len(run) - start, limits)
            if start + length < len(run):
                length = _before_a_question([each.text for each in near[:length]], limits.slack)
            yield run[start : start + length]
            start += length


def _length(tokens: Sequence[int], left: int, limits: WindowLimits) -> int:
    """Return how many messages the next window has: all that are ``left`` if too few would remain after it.

    ``tokens`` are those of the next messages, one window and its slack.
    """
    together = accumulate(tokens)
    fitting = max(1, sum(total <= limits.tokens for total in islice(together, limits.size)))
    is_tail = left - fitting < limits.slack and sum(tokens) <= limits.tokens * 5 // 4
    return left if is_tail else fitting


def _before_a_question(texts: Sequence[str], slack: int) -> int:
    """Return how many of the messages to take so that the last one does not ask; all, if more than ``slack`` ask."""
    for length in range(len(texts), max(len(texts) - slack, 1) - 1, -1):
        if not (asks(texts[length - 1]) or asks_indirectly(texts[length - 1])):
            return length
    return len(texts)


def usual_relations(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the names of relations to show an extractor; ``counts`` is how often the scope has used each.

    A name that was used only once may be a slip, and is not shown.
    """
    often = sorted((name for name in counts if counts[name] > 1), key=lambda name: -counts[name])
    return tuple(dict.fromkeys((*COMMON_RELATIONS, *map(str.lower, often))))[:MAX_RELATIONS]
