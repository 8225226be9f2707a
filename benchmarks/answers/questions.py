"""The questions to ask, and their correct answers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.locomo import Conversation, Question

QuestionKey = tuple[str, str, str]
"""Identifies a question by its sample, text and official answer."""


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """A question of a conversation."""

    sample: str
    question: Question


def with_audited_answers(conversations: Sequence[Conversation], data: Path, audit: Path | None) -> list[Conversation]:
    """Return the conversations with answers replaced by the audit's corrections, where it has one."""
    corrections = _corrections(data, audit) if audit else {}
    return [
        replace(each, questions=tuple(_corrected(each.id, question, corrections) for question in each.questions))
        for each in conversations
    ]


def drawn(conversations: Sequence[Conversation], most: int | None, seed: int) -> list[SampleQuestion]:
    """Draw up to ``most`` questions, spread as evenly as possible over the categories of each conversation.

    All are taken when ``most`` is None. Questions are taken in turn from each category of each conversation, in an
    order drawn with ``seed``: with the same seed, a smaller draw is a subset of a larger one. Returned in the order of
    the file.
    """
    asked = [SampleQuestion(each.id, question) for each in conversations for question in each.questions]
    strata: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, each in enumerate(asked):
        strata[each.sample, each.question.category].append(place)
    for (sample, category), places in strata.items():
        Random(f"{seed}/{sample}/{category}").shuffle(places)  # noqa: S311 - not used for secrets
    rounds = max(map(len, strata.values()), default=0)
    in_turn = [places[turn] for turn in range(rounds) for places in strata.values() if turn < len(places)]
    return [asked[place] for place in sorted(in_turn[:most])]


def _corrected(sample: str, question: Question, corrections: Mapping[QuestionKey, str]) -> Question:
    place = (sample, question.text, question.answer)
    return replace(question, answer=corrections.get(place, question.answer))


def _corrections(data: Path, audit: Path) -> dict[QuestionKey, str]:
    """Read the audit's answers; it names a question by its position in the sample."""
    document = json.loads(data.read_text("utf-8-sig"))
    asked = {sample["sample_id"]: sample["qa"] for sample in (document if isinstance(document, list) else [document])}
    corrections = {}
    for error in json.loads(audit.read_text("utf-8")):
        if error.get("correct_answer") and error["sample_id"] in asked:
            question = asked[error["sample_id"]][error["qa_index"]]
            place = (error["sample_id"], question["question"], str(question.get("answer", "")))
            corrections[place] = str(error["correct_answer"])
    return corrections
