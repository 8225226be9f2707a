"""LOCOMO as a retrieval task: conversations of turns, and questions with the turns that answer them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mem0g.errors import InputError
from mem0g.model import Utterance
from mem0g.transcripts import read_files

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""The categories asked; 5, adversarial, is left out as it has no answer to find."""

_TURN = re.compile(r"D:?0*(\d+):0*(\d+)")

Corrections = Mapping[tuple[str, int], Sequence[str]]
"""Corrected evidence by sample and index of the question in it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its gold: the ids of the turns that answer it, at least one; and whether it names two speakers."""

    text: str
    category: int
    gold: frozenset[str]
    answer: str = ""
    names_two: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """One sample: its turns in order (``source_id`` is the turn's id) and its questions."""

    id: str
    turns: tuple[Utterance, ...]
    questions: tuple[Question, ...]


def read_conversations(data: Path, audit: Path | None = None) -> list[Conversation]:
    """Read the samples of a LOCOMO file that have questions of categories 1 to 4 whose evidence names a turn.

    ``audit`` is the audit's list of errors; its evidence replaces that of the file. Raises InputError for a file of
    another format, and when no question is left.
    """
    turns_by_sample: dict[str, list[Utterance]] = {}
    for turn in read_files([data], format="locomo").utterances:
        turns_by_sample.setdefault(turn.source, []).append(turn)
    corrections = _corrections(audit)
    conversations = []
    for sample, asked in _asked(data).items():
        turns = turns_by_sample.get(sample, [])
        questions = tuple(_questions(sample, asked, turns, corrections))
        if questions:
            conversations.append(Conversation(sample, tuple(turns), questions))
    if not conversations:
        raise InputError(f"{data} has no question to ask", hint="give a LOCOMO file with qa and evidence")
    return conversations


def turn_ids(evidence: Iterable[str]) -> list[str]:
    """Return the turns of the evidence, each once: "D8:6; D9:17" is two, "D:11:26" is D11:26 and "D30:05" is D30:5."""
    named = (f"D{session}:{turn}" for text in evidence for session, turn in _TURN.findall(text))
    return list(dict.fromkeys(named))


def _asked(data: Path) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Return the questions of each sample, as in the file."""
    document = json.loads(data.read_text("utf-8-sig"))
    samples = document if isinstance(document, list) else [document]
    try:
        return {sample["sample_id"]: sample["qa"] for sample in samples}
    except KeyError as error:
        raise InputError(
            f"a sample of {data} has no {error}", hint="give a file of LOCOMO's official schema"
        ) from error


def _corrections(audit: Path | None) -> Corrections:
    if audit is None:
        return {}
    errors = json.loads(audit.read_text("utf-8"))
    return {
        (error["sample_id"], error["qa_index"]): error["correct_evidence"]
        for error in errors
        if error.get("correct_evidence")
    }


def _questions(
    sample: str, asked: Sequence[Mapping[str, Any]], turns: Sequence[Utterance], corrections: Corrections
) -> Iterable[Question]:
    known = {turn.source_id for turn in turns}
    speakers = {turn.speaker for turn in turns}
    for place, question in enumerate(asked):
        evidence = corrections.get((sample, place), question.get("evidence", ()))
        gold = frozenset(turn for turn in turn_ids(evidence) if turn in known)
        if question["category"] in CATEGORIES and gold:
            text = question["question"]
            named = sum(bool(re.search(rf"\b{re.escape(each)}\b", text)) for each in speakers)
            yield Question(text, question["category"], gold, str(question.get("answer", "")), named > 1)
