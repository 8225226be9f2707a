"""Split new messages into windows: what is extracted and committed together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from mem0g.extract.protocol import Window
from mem0g.model import Message, Scope
from mem0g.text.token_count import estimate_tokens

Recent = Callable[[str, str, int], Sequence[Message]]
"""Returns the last known messages of a session: source, session, how many."""

MAX_RELATIONS = 60
"""Names of relations that an extractor is shown: those the scope uses often, common ones, those it has used once."""

COMMON_RELATIONS = tuple(
    "lives_in moved_to works_at works_as studies_at married_to dating has_child has_parent has_sibling has_friend "
    "has_pet has_neighbor works_with knows met owns bought likes dislikes enjoys wants_to plans_to visited attended "
    "joined started quit learning teaches created won received allergic_to has_condition feels has_age located_in "
    "born_in also_known_as".split()
)
"""Common relations, shown while a scope has few names of its own."""


def windows_of(
    recent: Recent, scope: Scope, messages: Sequence[Message], known: set[str], *, size: int, tokens: int, context: int
) -> Iterator[Window]:
    """Yield the windows of the messages that are not ``known``, each of one session, in order.

    A window has consecutive messages: at least one, at most ``size`` with ``tokens`` (estimate_tokens) together.
    With it come up to ``context`` messages before it, also of the sessions before.
    """
    before: dict[str, list[Message]] = {}
    for (source, session), group in groupby(messages, key=lambda each: (each.source, each.session)):
        given = list(group)
        earlier = recent(source, session, context) if given[0].position else ()
        heard = [*(each for each in earlier if each.position < given[0].position), *given]
        sessions_before = before.get(source, [])
        before[source] = [*sessions_before, *heard][-context:] if context else []
        speakers = tuple(dict.fromkeys(each.speaker for each in heard))
        new = [place for place in range(len(heard) - len(given), len(heard)) if heard[place].id not in known]
        for places in _parts(heard, new, size, tokens):
            just_before = (*sessions_before, *heard[: places[0]])[-context:] if context else ()
            yield Window(
                messages=tuple(heard[place] for place in places), context=just_before, speakers=speakers, scope=scope
            )


def _parts(messages: Sequence[Message], places: Sequence[int], size: int, tokens: int) -> Iterator[list[int]]:
    """Yield the places in parts without gaps, each of at most ``size`` messages and ``tokens``."""
    part: list[int] = []
    have = 0
    for place in places:
        more = estimate_tokens(messages[place].text)
        if part and (len(part) == size or have + more > tokens or place > part[-1] + 1):
            yield part
            part, have = [], 0
        part.append(place)
        have += more
    if part:
        yield part


def usual_relations(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the names of relations to show an extractor; ``counts`` is how often the scope has used each."""
    used = sorted(counts, key=lambda name: -counts[name])
    often = [name for name in used if counts[name] > 1]
    names = (name.lower() for name in (*often, *COMMON_RELATIONS, *used))
    return tuple(dict.fromkeys(names))[:MAX_RELATIONS]
