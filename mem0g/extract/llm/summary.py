"""What is asked to refresh the summary of a conversation."""

from __future__ import annotations

from collections.abc import Sequence

from mem0g.errors import UnusableReplyError
from mem0g.extract.llm.rendering import shortened, window_words
from mem0g.extract.llm.replies import Summary
from mem0g.extract.protocol import Window
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Request
from mem0g.model import Message, Scope

LONGEST = 400
"""Words that a summary may have: more than twice what is asked for is no summary."""


def summary_request(
    prompts: Prompts, scope: Scope, messages: Sequence[Message], before: str, *, window: str = ""
) -> Request[Summary]:
    """Ask for the summary up to and with ``messages``, given the one ``before``; ``window`` is what the ledger says."""
    words = window_words(Window(messages=tuple(map(shortened, messages)))) | {"summary": before}
    rendered = prompts.render(__package__, "summary", words)
    return Request(
        purpose="summary",
        system=rendered.system,
        user=rendered.user,
        function="keep_summary",
        description="Keep the summary of the conversation.",
        reply=Summary,
        check=_check,
        window=window,
        scope=scope,
    )


def _check(reply: Summary) -> None:
    if not reply.summary.strip():
        raise UnusableReplyError("the summary is empty")
    if len(reply.summary.split()) > LONGEST:
        raise UnusableReplyError(f"the summary has {len(reply.summary.split())} words; 150 are enough")
