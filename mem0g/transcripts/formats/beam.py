"""Read ``chat.json`` of BEAM (mohammadtavakoli78/BEAM): a user's chat with an assistant, in batches of turns."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any

from mem0g.model import Role, Utterance
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import time_in

ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}

_MARKER = re.compile(r"->->[\w.,:;()/ -]{0,40}\Z")
"""What BEAM's generator leaves at the end of a user's message: "->-> 1,1"."""


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read the messages of all batches; a batch is a session, and its messages have the time of its first anchor.

    The largest chats have plans of batches; the session then names both. A message's id is its ``source_id``; of a
    repeated id, as where each plan counts anew, the later ones get a number: "7#2". Messages without text are left out.
    """
    seen: Counter[str] = Counter()
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    for session, batch in _batches(load(text, source), source):
        messages = list(_messages(batch, source, session))
        time = _time(batch, messages, source, session, options)
        for place, message in messages:
            words = _text(message, source, place)
            if words:
                yield storable(
                    Utterance(
                        source=source,
                        session=session,
                        position=next(positions[session]),
                        speaker="",
                        role=_role(message, source, place),
                        text=words,
                        time=time,
                        source_id=_id(message, seen),
                    )
                )


def recognises(text: str) -> bool:
    """Whether the text is JSON with numbered batches of turns, even if it is broken JSON."""
    return is_json(text) and has_keys(text, "turns", "role") and has_keys(text, "batch_number")


def _batches(document: Any, source: str, within: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the batches with the names of their sessions: "batch 1", or "plan-1, batch 1" in a list of plans."""
    for number, value in enumerate(_list(document, source, within or "the chat"), 1):
        place = f"{within}batch {number}"
        batch = as_object(value, source, place)
        if "turns" in batch:
            given = batch.get("batch_number")
            yield f"{within}batch {given if given is not None else number}", batch
        elif within or not batch:
            raise unreadable(source, place, "a batch without turns", "give it a list of turns, or remove it")
        else:
            for plan, batches in batch.items():
                yield from _batches(batches, source, f"{plan}, ")


def _messages(batch: Mapping[str, Any], source: str, session: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, turn in enumerate(_list(batch["turns"], source, f"{session}, turns"), 1):
        for place, message in enumerate(_list(turn, source, f"{session}, turn {number}"), 1):
            where = f"{session}, turn {number}, message {place}"
            yield where, as_object(message, source, where)


def _list(value: Any, source: str, place: str) -> Sequence[Any]:
    if isinstance(value, dict):  # a single batch or turn
        return [value]
    if not isinstance(value, list):
        raise unreadable(source, place.rstrip(", "), f"expected a list, not {str(value)[:40]!r}")
    return value


def _time(
    batch: Mapping[str, Any],
    messages: Sequence[tuple[str, Mapping[str, Any]]],
    source: str,
    session: str,
    options: ReadOptions,
) -> datetime | None:
    """Return the time of the batch, else of the first message with an anchor ("March-15-2024"); None without any."""
    anchors = ((place, each.get("time_anchor")) for place, each in [(session, batch), *messages])
    place, given = next(((place, str(anchor)) for place, anchor in anchors if anchor), (session, ""))
    if not given:
        return None
    spaced = given.replace("-", " ") if given[0].isalpha() else given
    moment = time_in(spaced, options.zone, source, place)
    if moment is None:
        raise unreadable(source, place, f"cannot read the time {given[:40]!r}", 'write it as "March-15-2024"')
    return moment.time


def _role(message: Mapping[str, Any], source: str, place: str) -> Role:
    given = message.get("role")
    if isinstance(given, str) and given in ROLES:
        return ROLES[given]
    raise unreadable(source, place, f"unknown role {given!r}", f"one of {', '.join(ROLES)}")


def _text(message: Mapping[str, Any], source: str, place: str) -> str:
    given = message.get("content")
    if given is not None and not isinstance(given, str):
        raise unreadable(source, place, f"the content is not text: {str(given)[:40]}", "write it as a string")
    words = (given or "").strip()
    return _MARKER.sub("", words).rstrip() if message.get("role") == "user" else words


def _id(message: Mapping[str, Any], seen: Counter[str]) -> str | None:
    given = message.get("id")
    if given is None or isinstance(given, dict | list):
        return None
    seen[str(given)] += 1
    return str(given) if seen[str(given)] == 1 else f"{given}#{seen[str(given)]}"


FORMAT = TranscriptFormat(
    name="beam",
    about="BEAM's chat.json: batches of turns of a user with an assistant",
    recognises=recognises,
    read=read,
)
