"""Windows that a model cannot read at once, in parts that it can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mem0g.extract.protocol import Window
from mem0g.text.splitting import split_text
from mem0g.text.token_count import estimate_tokens

MOST = 2000
"""Tokens of one message that are asked about at once: in a longer text models overlook what is in the middle."""

LEAST = 200
"""Characters of a message below which it is not halved: what is too long then is not the message."""


def parts(window: Window) -> Iterator[Window]:
    """The window; or, where it is one message of very many tokens, that message in pieces, one a window."""
    tokens = estimate_tokens(window.messages[0].text) if len(window.messages) == 1 else 0
    if tokens <= MOST:
        yield window
        return
    text = window.messages[0].text
    yield from _cut(window, len(text) * MOST // tokens)


def halved(window: Window) -> tuple[Window, ...]:
    """The window in two, with less context; one message in two pieces, or if it is short, without any context.

    The first half is among what the second is understood by. Nothing when there is nothing left to leave out.
    """
    if len(window.messages) > 1:
        return _parted(window)
    text = window.messages[0].text
    if len(text) > LEAST:
        less = replace(window, context=window.context[len(window.context) // 2 + 1 :])
        return tuple(_cut(less, (len(text) + 1) // 2))
    return (replace(window, context=()),) if window.context else ()


def _parted(window: Window) -> tuple[Window, ...]:
    middle = len(window.messages) // 2
    first, second = window.messages[:middle], window.messages[middle:]
    most = max(len(window.context) // 2, middle)
    return (
        replace(window, messages=first, context=window.context[-most:]),
        replace(window, messages=second, context=(*window.context, *first)[-most:]),
    )


def _cut(window: Window, size: int) -> Iterator[Window]:
    """The one message in pieces of at most ``size`` characters, each understood by the one before it."""
    (message,) = window.messages
    before = window.context
    for piece in split_text(message.text, size):
        part = replace(message, text=piece)
        yield replace(window, messages=(part,), context=before)
        before = (*window.context, part)[-max(len(window.context), 1) :]
