"""Read chats of BEAM (mohammadtavakoli78/BEAM): NAME/chat.json and the questions in NAME/probing_questions.json."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mem0g.errors import InputError
from mem0g.model import Utterance
from mem0g.transcripts import read_files

ABSTENTION = "abstention"
"""The ability of questions about what was never said, which have no evidence."""

CHAT, QUESTIONS = "chat.json", ("probing_questions.json", "probing_questions/probing_questions.json")

ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary")
"""Where questions of the different abilities have their ideal answer; the two that only test a form have none."""


@dataclass(frozen=True, slots=True)
class BeamQuestion:
    """A question: its ability, the ids of the messages with the evidence, the ideal answer, and what it is judged by.

    Every question has evidence, except those of ABSTENTION.
    """

    text: str
    ability: str
    gold: frozenset[str]
    answer: str = ""
    rubric: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BeamChat:
    """A chat: its messages in order, whose source is the chat's name, and its questions; ``files`` are those read.

    ``unasked`` is the number of questions left out, as their evidence names no message.
    """

    name: str
    messages: tuple[Utterance, ...]
    questions: tuple[BeamQuestion, ...]
    files: tuple[Path, ...]
    unasked: int = 0


def read_chats(data: Path, names: Sequence[str] = ()) -> list[BeamChat]:
    """Return the chats of a folder of one size, in order of their names; of ``names`` only, if there are any.

    Raises InputError for a folder without chats, an unknown name, a chat without questions, an id that two messages
    have, and unreadable files.
    """
    folders = {file.parent.name: file.parent for file in sorted(data.glob(f"*/{CHAT}"), key=_number)}
    if not folders:
        raise InputError(f"{data} has no chats", hint=f"a chat is a folder with {CHAT} and {QUESTIONS[0]}")
    for name in names:
        if name not in folders:
            raise InputError(f"no chat {name!r} in {data}", hint=f"there are {', '.join(folders)}")
    return [_chat(name, folder) for name, folder in folders.items() if not names or name in names]


def _number(file: Path) -> tuple[int, str]:
    name = file.parent.name
    return (int(name) if name.isascii() and name.isdigit() else 0, name)


def _chat(name: str, folder: Path) -> BeamChat:
    file = folder / CHAT
    said = [replace(each, source=name) for each in read_files([file], format="beam").utterances]
    ids = {each.source_id for each in said if each.source_id}
    for given, times in Counter((each.source_id or "").partition("#")[0] for each in said).items():
        if given and times > 1:
            raise InputError(f"{file} has {times} messages of id {given}", hint="evidence is known by these ids")
    questions = next((each for place in QUESTIONS if (each := folder / place).exists()), None)
    if questions is None:
        raise InputError(f"{folder} has no questions", hint=f"they are in {QUESTIONS[0]}")
    asked = list(_questions(questions, ids))
    kept = tuple(each for each in asked if each.gold or each.ability == ABSTENTION)
    if not kept:
        raise InputError(f"{questions} has no question to ask", hint="give questions with source_chat_ids")
    return BeamChat(name, tuple(said), kept, (file, questions), len(asked) - len(kept))


def _questions(file: Path, known: frozenset[str] | set[str]) -> Iterator[BeamQuestion]:
    try:
        document = json.loads(file.read_text("utf-8-sig"))
        for ability, asked in document.items():
            for each in asked:
                gold = frozenset() if ability == ABSTENTION else known.intersection(ids_in(each.get("source_chat_ids")))
                yield BeamQuestion(str(each["question"]), ability, frozenset(gold), _answer(each), _rubric(each))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        hint = "it maps abilities to lists of questions"
        raise InputError(f"{file} cannot be read: {error!r}", hint=hint) from error


def ids_in(given: Any) -> Iterator[str]:
    """Yield the message ids of evidence, which is a number, or lists and objects of numbers at any depth."""
    if isinstance(given, Mapping):
        given = list(given.values())
    if isinstance(given, list | tuple):
        for each in given:
            yield from ids_in(each)
    elif isinstance(given, int | str) and not isinstance(given, bool):
        yield str(given).strip()


def _answer(question: Mapping[str, Any]) -> str:
    return next((str(question[name]) for name in ANSWERS if question.get(name)), "")


def _rubric(question: Mapping[str, Any]) -> tuple[str, ...]:
    given = question.get("rubric") or ()
    return tuple(map(str, given if isinstance(given, list) else [given]))
