"""Parsing of the engine's prompts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from mem0g.errors import InputError

HINT = "has a prompt been changed? This benchmark parses those that come with mem0g"

_MESSAGE = re.compile(r'^\[(\d+)\] (.*?): (".*")$', re.MULTILINE)

_FACT = re.compile(r'^\[(\d+)\] "', re.MULTILINE)

_NEW_MESSAGES = re.compile(r"^New messages:$", re.MULTILINE)

_NEW_FACTS = re.compile(r"^New facts\b.*:$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as shown in a prompt."""

    number: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """The messages of a prompt, in order, context first; those from index ``new`` on are new."""

    messages: tuple[Shown, ...]
    new: int


def shown_messages(prompt: str) -> Part:
    """Return the numbered messages of a prompt. Raises InputError when none is new."""
    before, after = _halves(_NEW_MESSAGES, prompt)
    context, new = _messages(before), _messages(after)
    if not new:
        raise InputError("a prompt shows no new message", hint=HINT)
    return Part((*context, *new), len(context))


def asked_facts(prompt: str) -> list[int]:
    """Return the numbers of the new facts that a decision is asked for. Raises InputError when there are none."""
    numbers = [int(number) for number in _FACT.findall(_halves(_NEW_FACTS, prompt)[1])]
    if not numbers:
        raise InputError("a prompt asks about no new fact", hint=HINT)
    return numbers


def _halves(heading: re.Pattern[str], prompt: str) -> tuple[str, str]:
    """Split a prompt at a heading; quoted text never has a line of its own, so it cannot be mistaken for one."""
    found = heading.search(prompt)
    if found is None:
        raise InputError(f"a prompt has no line like {heading.pattern!r}", hint=HINT)
    return prompt[: found.start()], prompt[found.end() :]


def _messages(text: str) -> tuple[Shown, ...]:
    return tuple(Shown(int(number), speaker, json.loads(said)) for number, speaker, said in _MESSAGE.findall(text))
