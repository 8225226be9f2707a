"""The exports of Claude, Telegram, Discord and Slack, and ShareGPT's conversations."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.transcripts import read_files, read_text

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def read(document: object, source: str = "x.json", **options: Any) -> list[Utterance]:
    return read_text(json.dumps(document), source, **options)


def said(utterances: list[Utterance]) -> list[tuple[str, str]]:
    return [(each.speaker or each.role, each.text) for each in utterances]


def claude(*messages: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
    made = {"uuid": "c1", "name": "Oslo", "created_at": "2024-03-01T12:00:00.000000Z", **fields}
    return [{**made, "chat_messages": list(messages)}]


def test_claude() -> None:
    """Text parts are what was said, in both forms of the export; thoughts, tools and attachments are not."""
    parts = [
        {"type": "thinking", "thinking": "Hm.", "text": "Hm."},
        {"type": "text", "text": "It is cold"},
        {"type": "tool_use", "name": "search", "input": {}},
        {"type": "text", "text": "there."},
    ]
    export = claude(
        {"uuid": "m1", "sender": "human", "text": "I moved to Oslo.", "created_at": "2024-03-01T12:05:00Z"},
        {"uuid": "m2", "sender": "assistant", "text": "ignored", "content": parts},
        {"uuid": "m3", "sender": "human", "text": "", "attachments": [{"extracted_content": "a book"}]},
    )
    first, second = read(export)
    assert said([first, second]) == [("user", "I moved to Oslo."), ("assistant", "It is cold\nthere.")]
    assert (first.source, first.session, first.position, first.source_id) == ("claude:c1", "Oslo", 0, "m1")
    assert (first.time, second.time) == (NOON + timedelta(minutes=5), NOON)
    assert read(export[0]) == [first, second]


@pytest.mark.parametrize(
    ("export", "message"),
    [
        (claude({"sender": "human", "text": "hi"}, uuid=None), "x.json, conversation 1: it has no uuid"),
        (claude({"sender": "critic", "text": "hi"}), "x.json, conversation c1: unknown sender 'critic'"),
        (claude({"sender": "human", "text": "hi", "created_at": "noon"}), "x.json, conversation c1: cannot read the"),
        ([{"uuid": "c1", "chat_messages": {"a": 1}}], "x.json, conversation c1: expected a list of chat_messages"),
        ([*claude(), "hi"], "x.json, conversation 2: expected an object, not 'hi'"),
        (claude(), "x.json has no messages"),
        ({"messages": 5, "date": 1, "from_id": 1, "name": "Ann"}, "x.json, chat 'Ann': expected a list of messages"),
        ({"chats": {"list": 5}, "messages": 1, "date": 1, "from_id": 1}, "x.json, line 1: expected a list of chats"),
        ({"guild": {}, "channel": {}, "timestamp": 1, "messages": 3}, "x.json, line 1: expected a list of messages"),
        ([{"conversations": [{"from": "ufo", "value": "hi"}]}], "x.json, conversation 1: unknown role 'ufo'"),
        ([{"conversations": [{"from": "human", "value": [1]}]}], "x.json, conversation 1: the value is not text: [1]"),
        ([{"conversations": "from: value", "from": 1, "value": 2}], "x.json, conversation 1: expected a list of conv"),
    ],
)
def test_what_cannot_be_read_is_named(export: object, message: str) -> None:
    """A damaged export is one line that names the place, with a hint."""
    with pytest.raises(TranscriptError) as caught:
        read(export)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    "start",
    [
        '[{"chat_messages": ',
        '{"messages": [{"date": 1, "from_id": 1, "text": ',
        '{"guild": 1, "channel": 1, "messages": [{"timestamp": ',
        '[{"ts": 1, "type": "message", "user": ',
        '[{"conversations": [{"from": 1, "value": ',
    ],
)
def test_json_that_breaks_or_is_nested_thousands_deep(start: str) -> None:
    """It is an error, not a crash."""
    for end in ("", "[" * 200_000, "9" * 5000 + "}]"):
        with pytest.raises(TranscriptError, match=r"x\.json, line 1: (broken JSON|JSON that cannot be loaded)"):
            read_text(start + end, "x.json")


def telegram(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    made = [{"id": n, "type": "message", "from_id": "user1", **each} for n, each in enumerate(messages, 1)]
    return {"name": "Ann", "type": "personal_chat", "id": 7, "messages": made, **fields}


def test_telegram() -> None:
    """Text may come in pieces; notices and stickers are left out; what was forwarded is its author's."""
    chat = telegram(
        {"date": "2024-03-01T13:00:00", "date_unixtime": "1709294400", "from": "Ann", "text": "hi"},
        {"date": "2024-03-01T13:01:00", "from": "Bob", "text": ["see ", {"type": "link", "text": "https://x.org"}]},
        {"date": "2024-03-01T13:02:00", "type": "service", "actor": "Ann", "action": "phone_call", "text": ""},
        {"date": "2024-03-01T13:03:00", "from": "Ann", "media_type": "sticker", "text": ""},
        {"date": "2024-03-01T13:04:00", "from": "Ann", "photo": "photos/1.jpg", "text": "my new flat"},
        {"date": "2024-03-01T13:05:00", "from": "Ann", "forwarded_from": "Cleo", "text": "I am ill"},
        {"date": "2024-03-01T13:06:00", "from": None, "text": "bye"},
    )
    utterances = read(chat, zone=timezone(timedelta(hours=1)))
    assert said(utterances) == [
        ("Ann", "hi"),
        ("Bob", "see https://x.org"),
        ("Ann", "my new flat"),
        ("Cleo", "I am ill"),
        ("Deleted Account", "bye"),
    ]
    assert [each.position for each in utterances] == [0, 1, 2, 3, 4]
    assert [each.time for each in utterances[:2]] == [NOON, NOON + timedelta(minutes=1)]
    assert (utterances[0].source, utterances[0].source_id) == ("telegram:7", "1")


def test_telegrams_account() -> None:
    """Each chat has a source of its own, also those that were left."""
    account = {
        "chats": {"list": [telegram({"date": "2024-03-01T13:00:00", "from": "Ann", "text": "hi"})]},
        "left_chats": {"list": [telegram({"date": "2024-03-01T13:00:00", "from": "Bob", "text": "ho"}, id=8)]},
    }
    assert [(each.source, each.text) for each in read(account)] == [("telegram:7", "hi"), ("telegram:8", "ho")]


def test_discord() -> None:
    """Nicknames come before account names; notices are left out, bots are tools."""
    ann = {"id": "1", "name": "ann99", "nickname": "Ann", "isBot": False}
    bot = {"id": "2", "name": "MEE6", "isBot": True}
    stamp = {"timestamp": "2024-03-01T13:00:00.123+01:00"}
    export = {
        "guild": {"name": "Home"},
        "channel": {"name": "general"},
        "messages": [
            {"id": "10", "type": "Default", "content": "hi", "author": ann, **stamp},
            {"id": "11", "type": "GuildMemberJoin", "content": "Joined the server.", "author": ann, **stamp},
            {"id": "12", "type": "Reply", "content": "Level up!", "author": bot, **stamp},
            {"id": "13", "type": "Default", "content": "", "author": ann, "attachments": [{}], **stamp},
        ],
    }
    utterances = read(export, "general.json")
    assert [(each.speaker, each.role, each.text) for each in utterances] == [
        ("Ann", "user", "hi"),
        ("MEE6", "tool", "Level up!"),
    ]
    assert utterances[0].time == NOON + timedelta(milliseconds=123)
    assert (utterances[0].source, utterances[0].source_id) == ("general.json", "10")


def slack_message(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "text": text, "ts": "1709294400.000100", **fields}


def slack_export(folder: Path) -> None:
    people = [
        {"id": "U1", "name": "ann", "profile": {"real_name": "Ann Lee"}},
        {"id": "U2", "name": "bob", "profile": {"real_name": "", "display_name": "Bobby"}},
    ]
    days = {
        "general/2024-03-01.json": [
            slack_message("hi <@U2>, see <https://x.org|this> in <#C1|news> &amp; <!here>"),
            slack_message("<@U1> has joined the channel", subtype="channel_join"),
            slack_message("ho", user="U2"),
            slack_message("built", user=None, subtype="bot_message", username="CI"),
        ],
        "general/2024-03-02.json": [slack_message("hey", user="U9", user_profile={"real_name": "Cleo"})],
    }
    files = {"users.json": people, "channels.json": [{"id": "C1", "name": "general"}], **days}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))


def test_slack(tmp_path: Path) -> None:
    """A channel is a source, a day a session; people have their names, and the files about them are not skipped."""
    slack_export(tmp_path)
    transcript = read_files([tmp_path])
    assert [(each.speaker, each.role, each.text) for each in transcript.utterances] == [
        ("Ann Lee", "user", "hi @Bobby, see this in #news & @here"),
        ("Bobby", "user", "ho"),
        ("CI", "tool", "built"),
        ("Cleo", "user", "hey"),
    ]
    assert {(each.source, each.session) for each in transcript.utterances} == {
        ("slack:general", "2024-03-01"),
        ("slack:general", "2024-03-02"),
    }
    assert transcript.utterances[0].time == NOON + timedelta(microseconds=100)
    assert transcript.skipped == ()


def test_a_day_of_slack_alone() -> None:
    """Without the people's file, they have the names in the messages, or their ids."""
    day = [slack_message("hi"), slack_message("ho", user_profile={"display_name": "bob"})]
    assert [(each.source, each.speaker) for each in read(day)] == [("x.json", "U1"), ("x.json", "bob")]


def test_a_users_file_of_something_else(tmp_path: Path) -> None:
    """It is skipped as any other file."""
    (tmp_path / "users.json").write_text('{"a": 1}')
    (tmp_path / "chat.txt").write_text("Ann: hi")
    assert [each.path.name for each in read_files([tmp_path]).skipped] == ["users.json"]


def test_sharegpt() -> None:
    """JSON, one conversation, and JSON Lines are the same conversations."""
    turns = [
        {"from": "system", "value": "Be kind."},
        {"from": "human", "value": "I moved to Oslo."},
        {"from": "gpt", "value": "Nice!"},
        {"from": "human", "value": " "},
    ]
    both = [{"id": "a", "conversations": turns}, {"conversations": turns[1:]}]
    utterances = read(both)
    assert [(each.session, each.position, each.role, each.text) for each in utterances] == [
        ("a", 0, "system", "Be kind."),
        ("a", 1, "user", "I moved to Oslo."),
        ("a", 2, "assistant", "Nice!"),
        ("2", 0, "user", "I moved to Oslo."),
        ("2", 1, "assistant", "Nice!"),
    ]
    assert read_text("\n".join(map(json.dumps, both)) + "\n", "x.json") == utterances
    assert read(both[0]) == utterances[:3]
    with pytest.raises(TranscriptError, match=r"x\.json, line 2: broken JSON"):
        read_text(json.dumps(both[0]) + '\n{"conversations": [\n', "x.json")
