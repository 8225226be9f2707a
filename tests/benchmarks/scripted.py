"""Simulated models of the benchmarks: scripts for the server that speaks the OpenAI protocol."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.llm.server import Asked, Reply, call

_JUDGED = re.compile(r"Question: (.*)\nGold answer: (.*)\nAnswers:\n(.*)", re.DOTALL)
_NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)

ALWAYS = 1_000_000


def function(asked: Asked) -> str:
    """Return the name of the function to call."""
    return str(asked.json["tools"][0]["function"]["name"])


def prompt(asked: Asked) -> str:
    """Return the user's prompt."""
    return asked.texts[1][1]


@dataclass
class Reader:
    """Answers questions from ``answers``, and judges as an exact reader would.

    The gold answer in any case is correct and strictly so, one with a part of its words correct, any other wrong.
    Answers to ``bad`` questions are invalid the given number of times first, the labels of ``unjudged`` likewise.
    ``sheets`` are the numbered answers that the judge was shown, in order.
    """

    answers: Mapping[str, str]
    bad: Mapping[str, int] = field(default_factory=dict)
    unjudged: Mapping[str, int] = field(default_factory=dict)
    sheets: list[dict[int, str]] = field(default_factory=list)
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, asked: Asked) -> Reply:
        name = function(asked)
        return self._answer(asked) if name == "give_answer" else self._label(asked)

    def _answer(self, asked: Asked) -> Reply:
        question = prompt(asked).rsplit("Question: ", 1)[1]
        if self._times("answer", question) <= self.bad.get(question, 0):
            return call({"reasoning": "who knows", "answer": " "}, "give_answer")
        return call({"reasoning": "it says so", "answer": self.answers[question]}, "give_answer")

    def _label(self, asked: Asked) -> Reply:
        found = _JUDGED.fullmatch(prompt(asked))
        assert found is not None
        question, gold, lines = found.groups()
        sheet = {int(number): answer for number, answer in _NUMBERED.findall(lines)}
        with self.lock:
            self.sheets.append(sheet)
        if self._times("label", question) <= self.unjudged.get(question, 0):
            return call({"labels": [{"number": 1, "reason": "no idea", "label": "PERHAPS"}]}, "give_labels")
        return call({"labels": [self._judged(number, answer, gold) for number, answer in sheet.items()]}, "give_labels")

    def _judged(self, number: int, answer: str, gold: str) -> dict[str, Any]:
        strict = answer.casefold() == gold.casefold()
        label = "CORRECT" if strict or answer.casefold() in gold.casefold() else "WRONG"
        return {"number": number, "reason": "it is the same, or is not", "label": label, "strict": strict}

    def _times(self, kind: str, question: str) -> int:
        with self.lock:
            self.seen[kind, question] += 1
            return self.seen[kind, question]


def fact(subject: str, relation: str, thing: str, sentence: str, messages: Sequence[int], **dates: str) -> Any:
    """A fact as in an extractor's reply."""
    given = {"subject": subject, "relation": relation, "object": thing, "sentence": sentence}
    usual: dict[str, Any] = {"valid_from": None, "valid_to": None, "retracts": False}
    return {**given, "messages": list(messages), **usual, **dates}


@dataclass
class Writer:
    """Extracts the ``facts`` whose key is in a window's new messages; None is an invalid reply."""

    facts: Mapping[str, Sequence[Any] | None]

    def __call__(self, asked: Asked) -> Reply:
        name, new = function(asked), prompt(asked).split("New messages:", 1)[1]
        said = next(facts for words, facts in self.facts.items() if words in new)
        entities = [{"name": each, "type": "thing", "aliases": []} for each in self._names(said or ())]
        if said is None:
            return call({"entities": "none"}, name)
        parts: dict[str, Any] = {"list_entities": {"entities": entities}, "write_facts": {"facts": list(said)}}
        return call(parts.get(name, {"entities": entities, "facts": list(said)}), name)

    def _names(self, said: Sequence[Any]) -> list[str]:
        return list(dict.fromkeys(name for each in said for name in (each["subject"], each["object"])))
