"""Which format a text is, by its content."""

import pytest

from mem0g.transcripts import FORMATS, recognise

MESSAGE = '{"role": "user", "content": "hi"}'


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (MESSAGE, "openai-jsonl"),
        (f"{MESSAGE}\n{MESSAGE}\n", "openai-jsonl"),
        (f"\n\n{MESSAGE}\n", "openai-jsonl"),
        (f'{MESSAGE}\n{{"role": "user", "conte\n{MESSAGE}', "openai-jsonl"),
        (f'{{"role": "user", "conte\n{MESSAGE}', "openai-jsonl"),
        (f"garbage\n{MESSAGE}\n{MESSAGE}", "openai-jsonl"),
        (f'{MESSAGE}\n{{"content": "no role"}}', "openai-jsonl"),
        ('{"role": "user", "content": "the \\"dia_id\\": and \\"mapping\\": keys"}', "openai-jsonl"),
        (f"[{MESSAGE}]", "openai-json"),
        (f"[\n{MESSAGE},\n{MESSAGE}\n]", "openai-json"),
        (f'{{"messages": [{MESSAGE}]}}', "openai-json"),
        (f'{{"messages": [\n{MESSAGE},\n{MESSAGE}\n]}}', "openai-json"),
        (f"[{MESSAGE}, {{", "openai-json"),
        ('{\n  "role": "user",\n  "content": "hi"\n}', "openai-json"),
        ('{"messages": []}', "openai-json"),
        ('[{"conversation": {"session_1": [{"dia_id": "D1:1", ', "locomo"),
        ('[{"batch_number": 1, "turns": [[{"role": "user", "content": "hi"}]]}]', "beam"),
        ('[{"plan-1": [{"batch_number": 1, "turns": [[{"role": "user", ', "beam"),
        ('[{"mapping": {"a": {"message": {"author": {"role": "user"}}}}, "current_node": "a"}]', "chatgpt"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nAnn: hi", "vtt"),
        ("1\n00:00:01,000 --> 00:00:02,000\nAnn: hi", "srt"),
        ("\n1/3/24, 14:05 - Ann: hi", "whatsapp"),
        ("1/3/24, 14:05 - Messages are encrypted.\n1/3/24, 14:05 - Ann: hi", "whatsapp"),
        ("Ann: hi", "text"),
        ("Ann: hi\nBob: ho", "text"),
        ("User: hi\nAssistant: ho\nAnn: hey", "text"),
        ("# Our talks\n\n2024-03-01\n\n**Ann:** hi\n**Bob:** ho\n**Ann:** so", "text"),
        ('[{"uuid": "c", "chat_messages": [{"sender": "human", "text": "hi"}', "claude"),
        ('{"name": "Ann", "messages": [{"type": "message", "date": "2024-03-01", "from_id": "user1"', "telegram"),
        ('{"guild": {}, "channel": {}, "messages": [{"timestamp": "2024-03-01", "content": "hi"}]}', "discord"),
        ('[{"type": "message", "user": "U1", "text": "hi", "ts": "1709251200.000100"}]', "slack"),
        ('[{"conversations": [{"from": "human", "value": "hi"}]}]', "sharegpt"),
        ("From ann@example.org Fri Mar  1 09:00:00 2024\nFrom: ann@example.org\n\nHello Bob\n", "mail"),
        ("From: ann@example.org\nTo: bob@example.org\nDate: Fri, 1 Mar 2024 09:00:00 +0000\n\nHello Bob\n", "mail"),
        (
            "commit 1234567\nAuthor: Ann <ann@example.org>\nDate:   Fri Mar 1 09:00:00 2024 +0000\n\n    Fix it\n",
            "git-log",
        ),
        ("author,body\nAnn,hi\n", "csv"),
        ("When\tMessage\n2024-03-01\thi\n", "csv"),
        ("# Oslo\n\n- fly on the first of March\n- book a hotel\n", "notes"),
        ("I moved to Oslo in March.\n\nIt is colder than Lisbon, but I like it.", "notes"),
        ("Once upon a time there was a king: he was old.\nHe had three sons: two were clever.", "notes"),
        ("# mem0g\n\nA memory for agents.\n\nInstall: run pip\nUse: run it\n", "notes"),
        ("三月我搬到了奥斯陆，那里比里斯本冷，但是我很喜欢。", "notes"),
        ("Ann: at 1/3/24, 14:05 - I think: yes\nBob: 14:05?\nAnn: 14:05!", "text"),
    ],
)
def test_a_transcript_is_recognised(text: str, name: str) -> None:
    """Whole or broken, and whatever its words mention."""
    form = recognise(text)
    assert form is not None
    assert form.name == name


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/sh\n# Build all of the things here.\nmake all\n",
        "def add(a, b):\n    # return the sum of the two\n    return a + b\n\n\nprint(add(1, 2))\n",
        "id,name,price\n1,A very nice red bicycle,300\n2,A not so nice one,30\n",
        "[12:03] <ann> hello there how are you all\n[12:04] <bob> I am fine as ever\n",
        "name: mem0g\nversion: 1\nlicense: Apache-2.0\n",
        "name: CI\non: push\njobs:\n  build:\n    steps:\n      - name: a\n        run: b\n      - name: c\n",
        "Name: mem0g\nVersion: 1\nLicense: Apache-2.0\n",
        "From: ann@example.org\nTo: bob@example.org\nSubject: hi\n\nHello Bob\n",
        '{"subject": "Ann", "relation": "lives in", "object": "Oslo"}\n',
        '{"name": "x", "version": 1}',
        "[1, 2, 3]",
        "[]",
        "a,b,c\n1,2,3\n",
        "import json\n\nx: int = 1\n",
        "[2024-03-01, 14:05:01] server started on port 80",
        "2024-03-01 14:05:01 INFO started",
        "<html><body>Ann: hi</body></html>",
    ],
)
def test_what_is_no_transcript_is_not_recognised(text: str) -> None:
    """Settings, letters, data, code and logs."""
    assert recognise(text) is None


def test_every_format_says_what_it_is() -> None:
    """Its name is what it is registered under, and one line describes it."""
    assert list(FORMATS) == [
        "locomo",
        "beam",
        "chatgpt",
        "claude",
        "telegram",
        "discord",
        "slack",
        "sharegpt",
        "openai-jsonl",
        "openai-json",
        "vtt",
        "srt",
        "whatsapp",
        "mail",
        "git-log",
        "csv",
        "text",
        "notes",
    ]
    for name, form in FORMATS.items():
        assert form.name == name
        assert form.about
        assert "\n" not in form.about
