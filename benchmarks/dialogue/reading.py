"""DialogRE as a retrieval task: dialogues of turns, and questions with the turns that answer them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mem0g.errors import InputError
from mem0g.model import Utterance

QUESTIONS = {
    "per:positive_impression": "{}喜欢谁，欣赏谁？",
    "per:negative_impression": "{}讨厌谁，不喜欢谁？",
    "per:acquaintance": "{}认识谁？",
    "per:alumni": "{}的同学是谁？",
    "per:boss": "{}的老板是谁？",
    "per:subordinate": "{}的下属是谁？",
    "per:client": "{}的客户是谁？",
    "per:dates": "{}和谁约会？",
    "per:friends": "{}的朋友是谁？",
    "per:girl/boyfriend": "{}的男朋友或女朋友是谁？",
    "per:neighbor": "{}的邻居是谁？",
    "per:roommate": "{}的室友是谁？",
    "per:children": "{}的孩子、儿子或女儿是谁？",
    "per:other_family": "{}的亲戚、家人是谁？",
    "per:parents": "{}的父母、爸爸或妈妈是谁？",
    "per:siblings": "{}的兄弟姐妹、哥哥、弟弟、姐姐或妹妹是谁？",
    "per:spouse": "{}的丈夫或妻子是谁，和谁结婚？",
    "per:place_of_residence": "{}住在哪里？",
    "per:place_of_birth": "{}出生在哪里？",
    "per:visited_place": "{}去过哪里？",
    "per:origin": "{}是哪里人，来自哪里？",
    "per:employee_or_member_of": "{}在哪里工作，是什么的成员？",
    "per:schools_attended": "{}在哪个学校上学？",
    "per:works": "{}的作品是什么？",
    "per:age": "{}多大年纪，几岁？",
    "per:date_of_birth": "{}的生日是哪天，什么时候出生？",
    "per:major": "{}学什么专业？",
    "per:place_of_work": "{}在什么地方工作？",
    "per:title": "{}的职业、头衔是什么？",
    "per:alternate_names": "{}叫什么名字？",
    "per:pet": "{}的宠物是什么？",
    "gpe:residents_of_place": "谁住在{}？",
    "gpe:births_in_place": "谁出生在{}？",
    "gpe:visitors_of_place": "谁去过{}？",
    "org:employees_or_members": "谁在{}工作，谁是{}的成员？",
    "org:students": "谁在{}上学？",
}
"""The Chinese question for each relation of DialogRE, about its subject."""

_TURN = re.compile(r"\s*(?P<speaker>[^:：]{1,60})[:：]\s*(?P<text>.*)", re.DOTALL)

_LABEL = re.compile(r"Speaker \d+(?:, Speaker \d+)*")

_HINT = "give a file of DialogRE: a list of dialogues, each a list of turns and a list of relations"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a dialogue and its gold: the ids of the turns that hold the relation, at least one.

    ``named``: whether its subject has a name, and is not just a "Speaker 2", who is a different person in each
    dialogue.
    """

    text: str
    gold: frozenset[str]
    named: bool


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue: its turns in order (``source_id`` is the turn's id) and its questions."""

    id: str
    turns: tuple[Utterance, ...]
    questions: tuple[Asked, ...]


def read_dialogues(data: Path) -> list[Dialogue]:
    """Read the dialogues of a DialogRE file, including those without questions.

    Raises InputError for a file of another format, and when it has no questions.
    """
    try:
        given = json.loads(data.read_text("utf-8-sig"))
        dialogues = [
            _dialogue(f"dialogue-{number}", turns, relations) for number, (turns, relations) in enumerate(given, 1)
        ]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{data} is no DialogRE: {error}", hint=_HINT) from error
    if not any(each.questions for each in dialogues):
        raise InputError(f"{data} has no question to ask", hint="give a file whose relations have triggers")
    return dialogues


def _dialogue(name: str, said: Sequence[str], relations: Sequence[Mapping[str, Any]]) -> Dialogue:
    turns = tuple(_turn(name, position, line) for position, line in enumerate(said))
    return Dialogue(name, turns, tuple(_questions(turns, relations)))


def _turn(source: str, position: int, line: str) -> Utterance:
    match = _TURN.fullmatch(line)
    return Utterance(
        source=source,
        session="",
        position=position,
        speaker=match["speaker"].strip() if match else "",
        role="user",
        text=match["text"] if match else line,
        source_id=f"{source}:{position}",
    )


def _questions(turns: Sequence[Utterance], relations: Sequence[Mapping[str, Any]]) -> Iterator[Asked]:
    """Yield a question for each subject and relation with a trigger word in the dialogue, as annotated by DialogRE."""
    gold: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in relations:
        ends = (row["x"], row["y"])
        for relation, trigger in zip(row["r"], row["t"], strict=True):
            if trigger and relation in QUESTIONS:
                gold[row["x"], relation] |= _holding(trigger, ends, turns)
    for (subject, relation), ids in gold.items():
        if ids:
            words = QUESTIONS[relation].replace("{}", subject)
            yield Asked(words, frozenset(ids), named=not _LABEL.fullmatch(subject))


def _holding(trigger: str, ends: tuple[str, str], turns: Sequence[Utterance]) -> set[str]:
    """Return the turns with the trigger; of several, those that an end of the relation says or is named in."""
    having = [turn for turn in turns if trigger in turn.text]
    theirs = [turn for turn in having if any(end == turn.speaker or end in turn.text for end in ends)]
    return {str(turn.source_id) for turn in theirs or having}
