"""Read LOCOMO (snap-research/locomo): long conversations of two people in dated sessions, a file or one sample."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from mem0g.model import Utterance
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import time_in

_SESSION = re.compile(r"session_\d{1,9}")


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read the samples, or the one that ``options.sample`` names; the source of its turns is the sample's id.

    A photo's caption stays with the turn's text as " [photo: …]". A turn has its session's time.
    """
    for name, sample in _samples(text, source):
        if options.sample in (None, name):
            yield from _sample(sample, name, f"{source}, {name}", options)


def sample_ids(text: str, source: str) -> Sequence[str]:
    """Return the ids of the samples in order; the id of one without is the source's name and its number."""
    return [name for name, _ in _samples(text, source)]


def recognises(text: str) -> bool:
    """Whether the text is JSON in which turns have LOCOMO's ids, or with the fields that name the two speakers."""
    return is_json(text) and (has_keys(text, "dia_id") or has_keys(text, "speaker_a", "speaker_b"))


def _samples(text: str, source: str) -> list[tuple[str, Mapping[str, Any]]]:
    document = load(text, source)
    if not isinstance(document, list):
        sample = as_object(document, source, 1)
        return [(str(sample.get("sample_id") or source), sample)]
    samples = [as_object(value, source, f"sample {number}") for number, value in enumerate(document, 1)]
    return [(str(sample.get("sample_id") or f"{source}#{n}"), sample) for n, sample in enumerate(samples, 1)]


def _sample(sample: Mapping[str, Any], name: str, label: str, options: ReadOptions) -> Iterator[Utterance]:
    conversation = as_object(sample.get("conversation", sample), label, "conversation")
    for session in sorted(
        filter(_SESSION.fullmatch, conversation), key=lambda session: int(session.removeprefix("session_"))
    ):
        time = _time(conversation.get(f"{session}_date_time"), label, session, options)
        turns = conversation[session]
        if not isinstance(turns, list):
            raise unreadable(label, session, "expected a list of turns")
        for position, value in enumerate(turns):
            place = f"{session}, turn {position + 1}"
            turn = as_object(value, label, place)
            yield storable(
                Utterance(
                    source=name,
                    session=session,
                    position=position,
                    speaker=_speaker(turn, label, place),
                    role="user",
                    text=_text(turn, label, place),
                    time=time,
                    source_id=str(turn["dia_id"]) if turn.get("dia_id") else None,
                )
            )


def _time(given: Any, label: str, session: str, options: ReadOptions) -> datetime | None:
    if given is None:
        return None
    moment = time_in(str(given), options.zone, label, session)
    if moment is None:
        raise unreadable(label, session, f"cannot read the time {given!r}", 'write it as "1:56 pm on 8 May, 2023"')
    return moment.time


def _speaker(turn: Mapping[str, Any], label: str, place: str) -> str:
    speaker = turn.get("speaker")
    if isinstance(speaker, str) and speaker.strip():
        return speaker.strip()
    raise unreadable(label, place, "a turn without a speaker", "name who speaks")


def _text(turn: Mapping[str, Any], label: str, place: str) -> str:
    words, caption = (str(turn.get(key) or "").strip() for key in ("text", "blip_caption"))
    if not words and not caption:
        raise unreadable(label, place, "a message without text", "give it a text, or remove it")
    return f"{words} [photo: {caption}]".strip() if caption else words


FORMAT = TranscriptFormat(
    name="locomo",
    about="LOCOMO conversations: a whole file or one sample",
    recognises=recognises,
    read=read,
    samples=sample_ids,
)
