"""Read Slack's export: folders of channels with a file a day; ``users.json`` has the people's names."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from mem0g.model import Utterance
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import read_timestamp

SAID = (None, "thread_broadcast", "me_message", "file_share", "bot_message")
"""Subtypes of messages that somebody wrote; others are notices: who joined, which topic was set."""

USERS = "users.json"
"""The file beside the channels' folders with the people."""

ABOUT = ("channels.json", "groups.json", "dms.json", "mpims.json", "integration_logs.json", "canvases.json")
"""Files beside it without messages."""

_MARK = re.compile(r"<(?P<kind>[@#!]?)(?P<what>[^<>|\n]+)(?:\|(?P<label>[^<>\n]*))?>")
_MESSAGE = re.compile(r'"type"\s*:\s*"message"')


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read a channel's day: its source is "slack:" and the channel's folder, its session the day.

    ``options.names`` are the people by their ids. Notices and files without text are left out; bots are tools.
    """
    messages = load(text, source)
    if not isinstance(messages, list):
        raise unreadable(source, 1, "expected a list of messages", "export it again")
    path = PurePosixPath(source)
    channel = path.parent.name
    given = (as_object(each, source, f"message {number}") for number, each in enumerate(messages, 1))
    for position, message in enumerate(each for each in given if _is_said(each)):
        place = f"message {message.get('ts')}"
        stamp = message.get("ts")
        yield storable(
            Utterance(
                source=f"slack:{channel}" if channel else source,
                session=path.stem if channel else "",
                position=position,
                speaker=_speaker(message, options.names),
                role="tool" if message.get("bot_id") or message.get("subtype") == "bot_message" else "user",
                text=_text(message, options.names),
                time=None if stamp is None else read_timestamp(stamp, options.zone, source, place),
                source_id=str(message.get("client_msg_id") or stamp or "") or None,
            )
        )


def user_names(text: str, source: str) -> dict[str, str]:
    """Return the people of ``users.json`` by their ids, with their full names where they gave one.

    Raises TranscriptError for a text that is no list of Slack's people.
    """
    people = load(text, source)
    if not isinstance(people, list):
        raise unreadable(source, 1, "expected a list of people", "export it again")
    found = {}
    for number, value in enumerate(people, 1):
        person = as_object(value, source, f"person {number}")
        if isinstance(person.get("id"), str) and (name := _name_of(person)):
            found[person["id"]] = name
    return found


def _name_of(person: Mapping[str, Any]) -> str:
    profile = person.get("profile")
    given = [person, profile] if isinstance(profile, dict) else [person]
    names = (each.get(key) for key in ("real_name", "display_name", "name") for each in given)
    return next((name.strip() for name in names if isinstance(name, str) and name.strip()), "")


def _is_said(message: Mapping[str, Any]) -> bool:
    return message.get("type") == "message" and message.get("subtype") in SAID and bool(_text(message, {}))


def _speaker(message: Mapping[str, Any], names: Mapping[str, str]) -> str:
    user, profile = message.get("user"), message.get("user_profile")
    known = names.get(user, "") if isinstance(user, str) else ""
    of_message = _name_of(profile) if isinstance(profile, dict) else ""
    return known or of_message or str(message.get("username") or user or "")


def _text(message: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the text with names for mentions and labels for links: "<@U1> see <https://x.org|this>"."""
    given = message.get("text")
    if not isinstance(given, str):
        return ""

    def shown(mark: re.Match[str]) -> str:
        kind, what, label = mark["kind"], mark["what"], mark["label"]
        if kind == "@":
            return f"@{names.get(what) or label or what}"
        if kind == "!":  # <!here>, <!subteam^S1|@team>
            return label or f"@{what.split('^')[0]}"
        return f"#{label or what}" if kind else label or what.removeprefix("mailto:")

    return html.unescape(_MARK.sub(shown, given)).strip()


def recognises(text: str) -> bool:
    """Whether the text is a JSON list of messages with Slack's times."""
    return (
        is_json(text)
        and text.lstrip().startswith("[")
        and has_keys(text, "ts")
        and not has_keys(text, "role")
        and _MESSAGE.search(text) is not None
    )


FORMAT = TranscriptFormat(
    name="slack",
    about="Slack's export, whole (a folder or an archive) or a day of a channel",
    recognises=recognises,
    read=read,
)
