"""Inputs of the writers: a transcript for the rules, messages of a program, and a simulated model behind HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from mem0g import Utterance
from mem0g.errors import InputError

START = datetime(2024, 1, 8, 9, tzinfo=UTC)
"""Time of the first message; the others follow minute by minute, so that every run extracts the same."""

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil")

TOWNS = ("Oslo", "Lisbon", "Rome", "Porto", "Vienna", "Dublin", "Malmo")

THINGS = ("tea", "chess", "jazz", "rowing", "figs", "films", "maps", "sailing", "opera")

EQUAL = "Yes please."
"""The text that several writers add repeatedly, without ids."""

_SAID = re.compile(r'\[(\d+)\] (.+?): "I (live in|like) (\w+)\."')

_SHOWN = re.compile(r'\[(\d+)\] ("(?:[^"\\]|\\.)*") \(.*?\)(?: - may touch: (.*))?')

_HOME = re.compile(r"(\w+) lives in (\w+)\.")

_VERBS = {"live in": "lives in", "like": "likes"}


def sentence(number: int) -> str:
    """Return the text of a message: every third states where the speaker lives now, the others what they like."""
    if number % 3 == 0:
        return f"I live in {TOWNS[(number // 3) % len(TOWNS)]}."
    return f"I like {THINGS[number % len(THINGS)]}{number}."


def utterances(count: int) -> list[Utterance]:
    """Return a transcript of two sessions."""
    half = (count + 1) // 2
    return [
        Utterance(
            source="talk.txt",
            session=str(1 + number // half),
            position=number % half,
            speaker=NAMES[number % len(NAMES)],
            role="user",
            text=sentence(number),
            time=START + timedelta(minutes=number),
        )
        for number in range(count)
    ]


def messages(count: int, *, first: int = 0) -> list[dict[str, Any]]:
    """Return messages as a program adds them, each with an id of its own."""
    return [
        {
            "role": "user",
            "name": NAMES[number % len(NAMES)],
            "content": sentence(number),
            "id": f"m{number}",
            "timestamp": (START + timedelta(minutes=number)).isoformat(),
        }
        for number in range(first, first + count)
    ]


def reply(function: str, prompt: str) -> str:
    """Return the arguments of the model's call, as JSON; it understands the sentences above.

    Raises InputError for an unknown function.
    """
    if function not in _REPLIES:
        raise InputError(f"the model knows no function {function!r}")
    return json.dumps(_REPLIES[function](prompt))


def _extraction(prompt: str) -> dict[str, Any]:
    types: dict[str, str] = {}
    facts = []
    for number, speaker, verb, thing in _SAID.findall(prompt.rpartition("New messages:")[2]):
        types |= {speaker: "person", thing: "city" if verb == "live in" else "thing"}
        facts.append(_fact(int(number), speaker, _VERBS[verb], thing))
    return {"entities": [{"name": name, "type": kind, "aliases": []} for name, kind in types.items()], "facts": facts}


def _fact(number: int, subject: str, verb: str, thing: str) -> dict[str, Any]:
    said = {"subject": subject, "relation": verb.replace(" ", "_"), "object": thing}
    times = {"valid_from": None, "valid_to": None}
    return {**said, "sentence": f"{subject} {verb} {thing}.", **times, "messages": [number], "retracts": False}


def _decisions(prompt: str) -> dict[str, Any]:
    known, _, new = prompt.partition("New facts")
    texts = {int(number): json.loads(text) for number, text, _ in _SHOWN.findall(known)}
    decisions = []
    for number, text, touches in _SHOWN.findall(new):
        texts[int(number)] = json.loads(text)
        decided = _decision(int(number), [int(each) for each in re.findall(r"\d+", touches)], texts)
        decisions += [decided] if decided else []
    return {"decisions": decisions, **({"same": []} if "Names that may mean" in prompt else {})}


def _decision(number: int, touched: Sequence[int], texts: Mapping[int, str]) -> dict[str, Any] | None:
    """Decide to retire the previous home of a person who moved; all else is added, which needs no decision."""
    equal = [each for each in touched if texts[each] == texts[number]]
    ended = [each for each in touched if _moved(texts[each], texts[number])]
    if not (equal or ended):
        return None
    operation, reason = ("NOOP", "known") if equal else ("DELETE", "moved")
    facts = equal[:1] or ended
    return {"number": number, "operation": operation, "facts": facts, "sentence": None, "since": None, "reason": reason}


def _moved(old: str, new: str) -> bool:
    one, other = _HOME.fullmatch(old), _HOME.fullmatch(new)
    return bool(one and other and one[1] == other[1] and one[2] != other[2])


def _summary(prompt: str) -> dict[str, Any]:
    return {"summary": f"{', '.join(_names(prompt))} talk about where they live and what they like."}


def _names(prompt: str) -> Iterator[str]:
    return (name for name in NAMES if name in prompt)


_REPLIES = {"remember": _extraction, "decide": _decisions, "keep_summary": _summary}
