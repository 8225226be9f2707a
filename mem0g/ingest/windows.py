"""New messages to windows: what is extracted and committed together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from mem0g.extract.protocol import Window
from mem0g.model import Message, Scope
from mem0g.text.token_count import estimate_tokens

Recent = Callable[[str, str, int], Sequence[Message]]
"""The last messages of a session that are known already: source, session, how many."""


def windows_of(
    recent: Recent, scope: Scope, messages: Sequence[Message], known: set[str], *, size: int, tokens: int, context: int
) -> Iterator[Window]:
    """The windows of the messages that are not ``known``, each of one session, in order.

    A window has at least one message, and at most ``size`` of ``tokens`` together (estimate_tokens), one after
    the other; with it come up to ``context`` messages before it, also of the sessions before.
    """
    before: dict[str, list[Message]] = {}
    for (source, session), sitting in groupby(messages, key=lambda each: (each.source, each.session)):
        said = list(sitting)
        earlier = recent(source, session, context) if said[0].position else ()
        told = [*(each for each in earlier if each.position < said[0].position), *said]
        sessions_before = before.get(source, [])
        before[source] = [*sessions_before, *told][-context:] if context else []
        speakers = tuple(dict.fromkeys(each.speaker for each in told))
        new = [place for place in range(len(told) - len(said), len(told)) if told[place].id not in known]
        for places in _parts(told, new, size, tokens):
            just_before = (*sessions_before, *told[: places[0]])[-context:] if context else ()
            yield Window(
                messages=tuple(told[place] for place in places), context=just_before, speakers=speakers, scope=scope
            )


def _parts(told: Sequence[Message], places: Sequence[int], size: int, tokens: int) -> Iterator[list[int]]:
    """The places in parts of at most so many messages and tokens, without gaps."""
    part: list[int] = []
    have = 0
    for place in places:
        more = estimate_tokens(told[place].text)
        if part and (len(part) == size or have + more > tokens or place > part[-1] + 1):
            yield part
            part, have = [], 0
        part.append(place)
        have += more
    if part:
        yield part
