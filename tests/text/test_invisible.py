"""What cannot be seen in a text is neither read nor shown to a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.text.invisible import visible_text
from tests.extract.talk import ends
from tests.making import EMBEDDER

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("\x1b[31mred\x07\x00", "[31mred"),
        ("Os\u200blo, Ber\u00adgen, \ufeffRome", "Oslo, Bergen, Rome"),
        ("\u202a+47 912 34 567\u202c", "+47 912 34 567"),
        ("hello\U000e0041\U000e0042", "hello"),
        ("👩\u200d🔬 ❤️ می\u200cخواهم", "👩\u200d🔬 ❤️ می\u200cخواهم"),
    ],
)
def test_visible_text(text: str, seen: str) -> None:
    """Joiners, which scripts and emoji need, stay."""
    assert visible_text(text) == seen


@pytest.mark.parametrize("mark", ["\u200b", "\u00ad", "\u2060", "\U000e0041", "\u202c", "\x07"])
def test_marks_do_not_cut_names(mark: str) -> None:
    """A mark inside of a name or a number, as messengers and web pages leave it, changes no fact."""
    assert ends(f"I live in Os{mark}lo.") == {(ME, "lives_in", "Oslo")}
    number = f"My phone number is {mark}+47 912 34 567{mark}."
    assert ends(number) == {(ME, "has_phone_number", "+47 912 34 567")}


def test_a_context_has_nothing_hidden(tmp_path: Path) -> None:
    """The message is kept as it is; what is put into a prompt has no tags, overrides and controls."""
    code = "```\nprint('\U000e0041\x1b')\n```"
    text = "We ate at Lofoten\U000e0041\U000e0042\U000e0043, \u202esaid she\u202c, \x1b[31mwhich was red."
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="rules") as memory:
        memory.add([{"role": "user", "content": each} for each in (text, code)], user_id="ann")
        assert memory.messages(user_id="ann")[0].text == text
        shown = memory.context("What about Lofoten?", user_id="ann").text
        printed = memory.context("Which code did we print?", user_id="ann").text
    assert "print('')" in printed
    assert "Lofoten, said she, [31mwhich was red." in shown
