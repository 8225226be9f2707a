"""Read a folder of chats: NAME.questions.jsonl beside a transcript NAME.* in any format of mem0g, and dates.jsonl."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from mem0g.errors import InputError
from mem0g.model import Utterance
from mem0g.times import Moment
from mem0g.transcripts import read_files

T = TypeVar("T")

QUESTIONS, DATES = ".questions.jsonl", "dates.jsonl"


@dataclass(frozen=True, slots=True)
class ChatQuestion:
    """A question about a chat.

    ``first_person`` is the question as the user of the chat asks it. A text that matches ``answers`` answers it, one
    that matches ``outdated`` (None: nothing is) said so once and is no longer true.
    """

    text: str
    first_person: str
    answers: re.Pattern[str]
    outdated: re.Pattern[str] | None

    def is_answered_by(self, text: str) -> bool:
        """Whether ``text`` holds the answer."""
        return self.answers.search(text) is not None

    def is_outdated(self, text: str) -> bool:
        """Whether ``text`` gives the outdated answer, and not the current one beside it."""
        return bool(self.outdated and self.outdated.search(text)) and not self.is_answered_by(text)


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat: its messages in order, and its questions. ``name`` is the file's, without its ending."""

    name: str
    messages: tuple[Utterance, ...]
    questions: tuple[ChatQuestion, ...]


@dataclass(frozen=True, slots=True)
class DatedSentence:
    """A sentence said at a time, and the beginnings and ends it may mean, at their precision; no end means any."""

    text: str
    at: datetime
    begins: frozenset[str]
    ends: frozenset[str]


def read_chats(folder: Path) -> tuple[list[Chat], list[Path]]:
    """Return the chats of ``folder`` in order of their names, and the files read.

    Raises InputError for questions without a chat or with several, and for unreadable lines.
    """
    chats, files = [], []
    for file in sorted(folder.glob(f"*{QUESTIONS}")):
        name = file.name.removesuffix(QUESTIONS)
        said = [each for each in sorted(folder.iterdir()) if each != file and each.stem == name]
        if len(said) != 1:
            hint = f"the messages are in one file or folder named {name}, with any ending"
            raise InputError(f"{len(said)} files have the messages for {file}", hint=hint)
        chats.append(Chat(name, read_files(said).utterances, tuple(_lines(file, _question))))
        files += [*said, file]
    return chats, files


def read_dates(folder: Path) -> tuple[list[DatedSentence], list[Path]]:
    """Return the dated sentences of the folder's dates.jsonl, and that file, if there is one.

    Raises InputError for a line that cannot be read.
    """
    files = [each for each in [folder / DATES] if each.exists()]
    return [sentence for file in files for sentence in _lines(file, _dated)], files


def _lines(file: Path, read: Callable[[Mapping[str, Any]], T]) -> Iterator[T]:
    for number, line in enumerate(file.read_text("utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield read(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, re.error) as error:
            raise InputError(f"{file}, line {number} cannot be read: {error!r}") from error


def _question(line: Mapping[str, Any]) -> ChatQuestion:
    text, outdated = line["question"], line.get("outdated")
    return ChatQuestion(
        text,
        line.get("first_person") or text,
        re.compile(line["answers"], re.IGNORECASE),
        re.compile(outdated, re.IGNORECASE) if outdated else None,
    )


def _dated(line: Mapping[str, Any]) -> DatedSentence:
    begins, ends = (frozenset(filter(None, (line.get(name) or "").split("|"))) for name in ("from", "to"))
    return DatedSentence(line["said"], Moment.parse(line["at"]).start, begins, ends)
