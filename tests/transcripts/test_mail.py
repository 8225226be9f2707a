"""E-mail: mbox and .eml."""

from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_files, read_text

HEAD = "From: Ann Lee <ann@example.org>\nDate: Fri, 01 Mar 2024 13:00:00 +0100\nSubject: Re: Oslo\n"
LINE = "From ann@example.org Fri Mar  1 12:00:00 2024\n"


def words(body: str, head: str = HEAD) -> str:
    return read_text(f"{head}\n{body}", "x.eml")[0].text


def test_an_mbox() -> None:
    """Speaker, time, subject without Re:, id; an answer is in the session of the question."""
    first = f"{LINE}{HEAD}Message-ID: <1@x>\n\nI moved to Oslo.\n>From there I write.\nFrom now on I ski.\n"
    second = f"{LINE}{HEAD.replace('Re: ', '').replace('Ann Lee <ann@', '<bob@')}Message-ID: <2@x>\n\nNice!\n"
    utterances = read_text(f"{first}\n{second}\n{first}", "all.mbox")
    assert [(each.speaker, each.text, each.position) for each in utterances] == [
        ("Ann Lee", "I moved to Oslo.\nFrom there I write.\nFrom now on I ski.", 0),
        ("bob", "Nice!", 1),
    ]
    assert (utterances[0].session, utterances[0].source_id) == ("Oslo", "<1@x>")
    assert utterances[0].time == datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "quoted",
    [
        "\n-- \nAnn Lee\nOslo",
        "\n\nOn Fri, 1 Mar 2024, Bob wrote:\n> Where are you?\n> And why?\n",
        "\n\nOn Fri, Mar 1, 2024 at 9:00 AM Bob Lee <bob@example.org>\nwrote:\n\n> Where are you?\n",
        "\nAm 01.03.2024 um 09:00 schrieb Bob:\n> Wo bist du?\n",
        "\n\n-----Original Message-----\nFrom: Bob\nWhere are you?",
        "\n\n________________________________\nFrom: Bob\nSent: Friday, March 1, 2024 9:00 AM\nTo: Ann\n\nWhere?",
        "\n\nVon: Bob\nGesendet: Freitag, 1. März 2024 09:00\nAn: Ann\n\nWo bist du?",
    ],
)
def test_quotes_and_signatures(quoted: str) -> None:
    """They are left out, in any language."""
    assert words(f"I moved to Oslo.{quoted}") == "I moved to Oslo."


def test_what_is_no_quote() -> None:
    """Answers between quotes stay, and so do lists with colons."""
    assert words("> Where are you?\nIn Oslo.\n> Why?\nWork.\n") == "In Oslo.\nWork."
    week = "Monday: gym\nTuesday: swim\nWednesday: rest"
    assert words(f"{week}\n") == week
    assert words("This is true:\n> x\nyes\n") == "This is true:\nyes"


def test_encodings(tmp_path: Path) -> None:
    """Encoded parts, an encoded head, HTML without plain text, and bytes of another character set."""
    message = EmailMessage()
    message["From"], message["Subject"] = "Zoë <zoe@example.org>", "Café"
    message["Date"] = "Fri, 01 Mar 2024 13:00:00 +0000"
    message.set_content("J'habite à Montréal.", charset="iso-8859-1", cte="quoted-printable")
    message.add_alternative("<p>ignored</p>", subtype="html")
    message.add_attachment(b"\x00\x01", maintype="image", subtype="png", filename="a.png")
    (only,) = read_text(message.as_string(), "x.eml")
    assert (only.speaker, only.session, only.text) == ("Zoë", "Café", "J'habite à Montréal.")
    page = "<style>p {}</style><p>I moved to <b>Oslo</b>.</p><blockquote>Where?</blockquote><div>Ann</div>"
    assert words(page, f"{HEAD}Content-Type: text/html\n").split() == "I moved to Oslo. Ann".split()
    latin = f"{LINE}{HEAD}Content-Type: text/plain; charset=iso-8859-1\n\nà Montréal\n\n".encode("latin-1")
    path = tmp_path / "all.mbox"
    path.write_bytes(latin + f"{LINE}{HEAD}\nà Oslo\n".encode())
    assert [each.text for each in read_files([path]).utterances] == ["à Montréal", "à Oslo"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEAD.replace('Fri, 01 Mar 2024', 'one day')}\nhi\n", "x, message 1: cannot read the time 'one day"),
        (f"{HEAD}\n> only a quote\n", "x has no messages"),
        (f"{HEAD}Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAAA\n", "x has no messages"),
        (f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\n", "x has no messages"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    """It is named."""
    with pytest.raises(TranscriptError) as caught:
        read_text(text, "x")
    assert str(caught.value).startswith(message)
    assert caught.value.hint


@pytest.mark.parametrize("date", ["one day", "Fri, 32 Mar 2024 25:00:00 +0100", "Fri, 31 Dec 9999 23:00:00 -1200"])
def test_a_date_that_cannot_be_read(date: str) -> None:
    """One message does not refuse a mailbox if the server that received it says when; else it is named."""
    received = [f"Received: from {at} by x;\n Fri, 01 Mar 2024 {at}:05:00 +0100\n" for at in ("14", "13")]
    bad = HEAD.replace("Fri, 01 Mar 2024 13:00:00 +0100", date)
    (said,) = read_text(f"{''.join(received)}{bad}\nhi\n", "x.eml")
    assert said.time == datetime(2024, 3, 1, 13, 5, tzinfo=UTC)
    with pytest.raises(TranscriptError, match="cannot read the time"):
        read_text(f"Received: from x by y; {date}\n{bad}\nhi\n", "x.eml")


def test_an_unknown_character_set() -> None:
    """The words are read as far as they can be."""
    assert words("hi\n", f"{HEAD}Content-Type: text/plain; charset=x-none\n") == "hi"


@pytest.mark.parametrize(
    "head",
    [
        f"From: {'(' * 30_000}\n",
        f"From: {'<' * 30_000}\n",
        f"Message-ID: {'<' * 30_000}\n",
        f"Subject: {'a ' * 30_000}\n",
        "Content-Type: " + '"a' * 500_000 + "\n",
        "Content-Type: text/plain; " + 'x="\\' * 300_000 + "\n",
        "Content-Transfer-Encoding: " + '"' * 500_000 + "\n",
    ],
)
def test_a_hostile_head(head: str) -> None:
    """A field that Python's parser cannot read is taken as it stands, cut; the message is read."""
    rest = "\n".join(line for line in HEAD.splitlines() if not line.startswith(head.split(":")[0]))
    assert words("hi\n", f"{head}{rest}\n") == "hi"


@pytest.mark.parametrize("part", ["<!", "<!--", "<a ", "<style>", "&", "<blockquote"])
def test_hostile_html_takes_linear_time(part: str) -> None:
    """Tags that are never closed are read, too; 90,000 of them within seconds."""
    assert words(f"hi {part * 90_000}\n", f"{HEAD}Content-Type: text/html\n").startswith("hi")
