"""WhatsApp's exports in their styles."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_text, recognise


def read(*lines: str) -> list[tuple[str, str]]:
    return [(u.speaker, u.text) for u in read_text("\n".join(lines), "chat.txt", format="whatsapp")]


def time_of(*lines: str) -> datetime | None:
    return read_text("\n".join(lines), "chat.txt", format="whatsapp")[0].time


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("[31/03/2024, 14:05:33] Ann: hi", (3, 31, 14, 5, 33)),
        ("[3/31/24, 2:05:33\u202fPM] Ann: hi", (3, 31, 14, 5, 33)),
        ("\u200e[31.03.24, 14:05:33] Ann: hi", (3, 31, 14, 5, 33)),
        ("[31.03.24 14:05:33] Ann: hi", (3, 31, 14, 5, 33)),
        ("[2024-03-31, 14:05:33] Ann: hi", (3, 31, 14, 5, 33)),
        ("3/31/24, 2:05 PM - Ann: hi", (3, 31, 14, 5, 0)),
        ("3/31/24, 12:05\u202fAM - Ann: hi", (3, 31, 0, 5, 0)),
        ("31/03/2024, 14:05 - Ann: hi", (3, 31, 14, 5, 0)),
        ("31/03/2024, 2:05 pm - Ann: hi", (3, 31, 14, 5, 0)),
        ("31/3/24, 2:05 p. m. - Ann: hi", (3, 31, 14, 5, 0)),
        ("31.03.24, 14:05 - Ann: hi", (3, 31, 14, 5, 0)),
        ("31-03-2024 14:05 - Ann: hi", (3, 31, 14, 5, 0)),
        ("31/03/2024 à 14:05 - Ann: hi", (3, 31, 14, 5, 0)),
        ("31.3.2024 klo 14.05 - Ann: hi".replace("klo", "kl."), (3, 31, 14, 5, 0)),
    ],
)
def test_each_date_style_is_recognised_and_read(head: str, expected: tuple[int, int, int, int, int]) -> None:
    """Brackets or a dash, slashes, dots or hyphens, 12 or 24 hours, with their odd spaces and marks."""
    form = recognise(head)
    assert form is not None
    assert form.name == "whatsapp"
    month, day, hour, minute, second = expected
    assert time_of(head) == datetime(2024, month, day, hour, minute, second, tzinfo=UTC)


def test_the_zone_given_holds() -> None:
    """An export states no zone."""
    [utterance] = read_text("[31/03/2024, 14:05:33] Ann: hi", "x", zone=ZoneInfo("Europe/Oslo"))
    assert utterance.time == datetime(2024, 3, 31, 12, 5, 33, tzinfo=UTC)


def test_a_later_line_decides_what_comes_first() -> None:
    """A number over 12 anywhere in the file decides for every line."""
    assert time_of("01/03/24, 14:05 - Ann: a", "13/03/24, 14:05 - Ann: b") == datetime(2024, 3, 1, 14, 5, tzinfo=UTC)
    assert time_of("01/03/24, 14:05 - Ann: a", "01/13/24, 14:05 - Ann: b") == datetime(2024, 1, 3, 14, 5, tzinfo=UTC)


def test_the_order_of_messages_decides_where_no_number_does() -> None:
    """A chat goes forward: 2/1 then 1/2 is January then February only if the day comes first."""
    assert time_of("02/01/24, 14:05 - A: a", "01/02/24, 14:05 - A: b") == datetime(2024, 1, 2, 14, 5, tzinfo=UTC)
    assert time_of("01/02/24, 14:05 - A: a", "02/01/24, 14:05 - A: b") == datetime(2024, 1, 2, 14, 5, tzinfo=UTC)


def test_the_style_decides_where_nothing_else_does() -> None:
    """American English has slashes, no leading zeros and a 12-hour clock; elsewhere the day comes first."""
    assert time_of("3/1/24, 2:05 PM - Ann: a") == datetime(2024, 3, 1, 14, 5, tzinfo=UTC)
    assert time_of("3/1/24, 14:05 - Ann: a") == datetime(2024, 1, 3, 14, 5, tzinfo=UTC)
    assert time_of("03/01/24, 2:05 pm - Ann: a") == datetime(2024, 1, 3, 14, 5, tzinfo=UTC)


def test_messages_of_several_lines_stay_together() -> None:
    """Lines without a head belong to the message above, blank ones and ones with colons too."""
    assert read("1/3/24, 14:05 - Ann: list:", "", "milk: 2 l", "1/3/24, 14:06 - Bob: ok") == [
        ("Ann", "list:\n\nmilk: 2 l"),
        ("Bob", "ok"),
    ]


def test_notices_are_left_out() -> None:
    """What the app writes about the chat is no message, and what follows it neither; positions do not count it."""
    text = "\n".join(
        [
            "1/3/24, 14:05 - Messages and calls are end-to-end encrypted. Tap to learn more.",
            '1/3/24, 14:05 - Ann created group "Trip: Oslo"',
            '1/3/24, 14:05 - Ann changed the subject from "Trip: Oslo" to "Trip: Bergen"',
            "1/3/24, 14:05 - Ann added Bob",
            "1/3/24, 14:05 - Ann changed the group description",
            "second line of it: long",
            "1/3/24, 14:06 - Bob: hi",
        ]
    )
    assert [(u.position, u.speaker, u.text) for u in read_text(text, "x")] == [(0, "Bob", "hi")]


def test_notices_of_ios_are_told_by_their_mark() -> None:
    """iOS writes them as if somebody said them, after a left-to-right mark."""
    head = "[01/03/2024, 14:05:33]"
    assert read(
        f"{head} Trip: \u200eMessages and calls are end-to-end encrypted.",
        f"{head} Ann: \u200eAnn created this group",
        f"\u200e{head} Ann: \u200eimage omitted",
        f"{head} ~\u202fBob: hello \u2068Ann\u2069",
    ) == [("Bob", "hello Ann")]


@pytest.mark.parametrize(
    "words",
    [
        "<Media omitted>",
        "<Medien ausgeschlossen>",
        "image omitted",
        "GIF omitted",
        "IMG-20240301-WA0001.jpg (file attached)",
        "\u200e<attached: 00000003-PHOTO-2024-03-01-14-05-33.jpg>",
        "This message was deleted",
        "You deleted this message.",
        "Diese Nachricht wurde gelöscht.",
        "Se eliminó este mensaje",
        "Ce message a été supprimé",
        "Questo messaggio è stato eliminato",
        "Mensagem apagada",
        "Dit bericht is verwijderd",
        "Missed voice call at 2:05 PM",
        "null",
    ],
)
def test_media_without_words_are_left_out(words: str) -> None:
    """Nothing was said with them."""
    assert read(f"1/3/24, 14:05 - Ann: {words}", "1/3/24, 14:06 - Bob: nice") == [("Bob", "nice")]


@pytest.mark.parametrize(
    "words",
    [
        "Dog, first day.jpg (file attached)\nour new dog",
        "our new dog \u200e<attached: 00000003-PHOTO.jpg>",
        "\u200eour new dog \u200e<attached: 00000003-PHOTO.jpg>",
        "our new dog \u200e<This message was edited>",
    ],
)
def test_a_caption_is_what_was_said(words: str) -> None:
    """The words beside a file, or before the mark of an edit, are the message."""
    assert read(f"1/3/24, 14:05 - Ann: {words}") == [("Ann", "our new dog")]


@pytest.mark.parametrize(
    "words", ["<3", "Missed voice call with mum, sorry", "a document omitted the date", "null and void"]
)
def test_what_only_sounds_like_the_app_is_kept(words: str) -> None:
    """Words are left out only when they are the app's as a whole."""
    assert read(f"1/3/24, 14:05 - Ann: {words}") == [("Ann", words)]


@pytest.mark.parametrize("name", ["+47 123 45 678", "Ann Lee 🌸", "李小明", "O'Neil (work)"])
def test_names_are_as_the_phone_shows_them(name: str) -> None:
    """Numbers, emoji and any script are names."""
    assert read(f"1/3/24, 14:05 - {name}: hi: there") == [(name, "hi: there")]


def test_a_day_that_there_is_not_is_named() -> None:
    """The line is named, with what it says."""
    with pytest.raises(TranscriptError, match=r"^x, line 2: cannot read the time '14/14/24, 14:05 -'"):
        read_text("13/3/24, 14:05 - Ann: a\n14/14/24, 14:05 - Ann: b", "x")


def test_a_text_that_begins_otherwise_is_named() -> None:
    """A forced format says which line it does not understand."""
    with pytest.raises(TranscriptError, match=r"^chat\.txt, line 1: no date and name"):
        read("hello", "1/3/24, 14:05 - Ann: hi")


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("I live in Graz <This message was edited>", "I live in Graz"),
        ("Ich wohne in Graz <Diese Nachricht wurde bearbeitet.>", "Ich wohne in Graz"),
        ("Vivo en Graz \u200e<Se editó este mensaje.>", "Vivo en Graz"),
        ("Moro em Graz \u200e<Mensagem editada>", "Moro em Graz"),
        ("Write <name> and send it", "Write <name> and send it"),
        ("See the list <edited by me>", "See the list <edited by me>"),
        ("She said: diese Nachricht wurde gelöscht, warum?", "She said: diese Nachricht wurde gelöscht, warum?"),
    ],
)
def test_the_mark_of_an_edit_is_left_out(words: str, kept: str) -> None:
    """What the app adds to an edited message is nobody's words, in whatever language; other words stay."""
    assert read(f"1/3/24, 14:05 - Ann: {words}", "1/3/24, 14:06 - Bob: nice") == [("Ann", kept), ("Bob", "nice")]
