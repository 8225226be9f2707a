"""WebVTT and SubRip."""

from datetime import UTC, datetime

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_text

VTT = """WEBVTT - Weekly call
Kind: captions

STYLE
::cue { color: white }

NOTE a comment
of two lines

1
00:00:01.000 --> 00:00:02.000 align:left
<v Ann Lee>We are &amp; were in
<i>Oslo</i></v>

00:03.000 --> 00:04.000
<v.loud Ann Lee>and Bergen.</v> <v Bob>Oh</v>

00:05.000 --> 00:06.000
really?
"""

SRT = """1
00:00:01,000 --> 00:00:02,000
Ann: <i>We were</i>

2
00:00:03,000 --> 00:00:04,000
in Oslo.
Bob: {\\an8}Oh.

3
00:00:05,000 --> 00:00:06,000
[Music]

4
00:00:07,000 --> 00:00:08,000
>> ANN: Yes.
"""


def said(text: str) -> list[tuple[str, str]]:
    return [(u.speaker, u.text) for u in read_text(text, "talk")]


def test_voices_are_speakers() -> None:
    """Consecutive cues of a voice are one message, two voices in a cue two; a cue without goes on with the last."""
    assert said(VTT) == [("Ann Lee", "We are & were in Oslo and Bergen."), ("Bob", "Oh really?")]


def test_labels_are_speakers() -> None:
    """So are names before a colon; markup and sounds are not said."""
    assert said(SRT) == [("Ann", "We were in Oslo."), ("Bob", "Oh."), ("ANN", "Yes.")]


def test_labels_work_in_webvtt_too() -> None:
    """As Zoom writes them; a colon in what a voice says names nobody."""
    assert said("WEBVTT\n\n00:01.000 --> 00:02.000\nAnn Lee: hi\n") == [("Ann Lee", "hi")]
    assert said("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Right: hi\n") == [("Ann", "Right: hi")]


def test_a_label_in_a_file_with_voices() -> None:
    """A cue without a voice is of the speaker that its label names, if that is one of the voices; other words stay."""
    cues = ("<v Ann>We live in Oslo.", "<v Bob>And I in Bergen.", "Ann: Since when?", "Note: the door bell rings.")
    timed = (f"00:0{number}.000 --> 00:0{number}.900\n{cue}\n" for number, cue in enumerate(cues, 1))
    said = [(each.speaker, each.text) for each in read_text("\n".join(["WEBVTT\n", *timed]), "call.vtt")]
    assert said == [
        ("Ann", "We live in Oslo."),
        ("Bob", "And I in Bergen."),
        ("Ann", "Since when? Note: the door bell rings."),
    ]


def test_a_message_has_the_id_of_its_first_cue() -> None:
    """Where it has one; the session is the only one and positions count messages."""
    read = read_text(VTT, "talk")
    assert [(u.source, u.session, u.position, u.source_id) for u in read] == [
        ("talk", "", 0, "1"),
        ("talk", "", 1, None),
    ]


def test_without_a_start_there_is_no_time() -> None:
    """An offset alone is no time."""
    assert {u.time for u in read_text(VTT, "talk")} == {None}


@pytest.mark.parametrize(
    ("head", "first", "second"),
    [
        ("WEBVTT - 2024-03-01 14:00", (14, 0, 1), (14, 0, 3)),
        ("WEBVTT\n\nNOTE Recorded on 1 March 2024, 2:00 pm", (14, 0, 1), (14, 0, 3)),
        ("WEBVTT\nDate: 2024-03-01T15:00+01:00", (14, 0, 1), (14, 0, 3)),
        ("WEBVTT\n\nNOTE 2024-03-01", (0, 0, 0), (0, 0, 0)),
    ],
)
def test_offsets_are_added_to_a_stated_clock(
    head: str, first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    """A date alone is the time of all."""
    times = [u.time for u in read_text(VTT.replace("WEBVTT - Weekly call\nKind: captions", head), "talk")]
    assert times == [datetime(2024, 3, 1, *clock, tzinfo=UTC) for clock in (first, second)]


def test_untidy_files_are_read() -> None:
    """No blank line between cues, blank lines within one, no numbers."""
    first = "00:00:01,0 --> 00:00:02,0\nAnn: one\n"
    second = "2\n00:00:03,0 --> 00:00:04,0\nBob: two\n\nthree\n\n"
    text = f"{first}{second}4\n00:00:05,0 --> 00:00:06,0\n4"
    assert said(text) == [("Ann", "one"), ("Bob", "two three 4")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (VTT.replace("00:05.000 --> ", "00:05.000 -> "), "talk, line 18: cannot read the cue's time '00:05.000 -> "),
        (SRT.replace("00:00:03,000 -->", "00:00:03 -->"), "talk, line 6: cannot read the cue's time"),
        (SRT.replace("Ann: ", "", 1), "talk, line 2: no speaker has been named yet"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    """A broken timing is not passed over, and words that nobody says are nobody's."""
    with pytest.raises(TranscriptError) as caught:
        read_text(text, "talk")
    assert str(caught.value).startswith(message)
    assert caught.value.hint
