"""Reading takes linear time, however hostile the input: no regular expression and no reader is quadratic."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

import pytest

from mem0g.errors import InputError
from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from mem0g.extract.rules.grammar.known_names import with_capitals
from mem0g.extract.rules.grammar.sentences import MAX_SENTENCE
from mem0g.model import Message, Scope, Utterance
from mem0g.text.names import fold, words
from mem0g.text.stemming import tokens
from mem0g.transcripts import FORMATS, ReadOptions
from tests.bounds.growth import LINEAR, worst_growth
from tests.bounds.regexes import Regex, hard_texts, regexes

pytestmark = pytest.mark.slow

LONGEST = 4096
"""Characters up to which a regular expression is tried: one that is quadratic needs far more than the floor by then."""

WHOLE_MESSAGES = (
    *(
        f"mem0g.extract.rules.grammar.introductions.{name}"
        for name in ("_NAME_BESIDE", "_NAME_BEFORE", "_NAME_AND_MORE", "_SEEING", "_NAME_LATER")
    ),
    *(f"mem0g.extract.rules.grammar.sentences.{name}" for name in ("_EMOJI", "_LINK", "_TABLE", "_QUOTED", "_END")),
    *(f"mem0g.extract.rules.instructions.{name}" for name in ("_CODE", "_QUOTED", "_ASIDE", "_END")),
    "mem0g.extract.rules.grammar.sentences:",
)
"""Those of the rules extractor that see a whole message; the others see a sentence of at most MAX_SENTENCE."""


def _most(regex: Regex) -> int:
    of_sentences = regex.place.startswith("mem0g.extract.rules") and not regex.place.startswith(WHOLE_MESSAGES)
    return MAX_SENTENCE if of_sentences else LONGEST


PARTS = 24
"""Tests that the regular expressions are dealt out to; finding them takes 2 s, which collecting tests should not."""


@cache
def _distinct() -> tuple[Regex, ...]:
    return tuple({(each.pattern, each.methods, _most(each)): each for each in regexes()}.values())


def test_regexes_are_found() -> None:
    """They are collected from modules, from collections of them, and from literals in calls."""
    places = {each.place for each in regexes()}
    assert len(places) > 200
    for place in (
        "transcripts.formats.captions._VOICE",
        "extract.rules.grammar.spellings._TABLE",
        "extract.rules.themes",
    ):
        assert f"mem0g.{place}" in places
    assert any(place.startswith("mem0g.transcripts.json_loading:") for place in places)


@pytest.mark.parametrize("part", range(PARTS))
def test_regexes_take_linear_time(part: int) -> None:
    """Doubling the size of a hard text takes a regular expression at most 2.5 times as long."""
    slow = [
        (regex.place, regex.pattern.pattern[:80], make(40), growth)
        for regex in _distinct()[part::PARTS]
        for run in regex.runs
        for make in hard_texts(regex)
        if (growth := worst_growth(run, make, most=_most(regex))) >= LINEAR
    ]
    assert slow == []


def test_a_quadratic_regex_is_noticed() -> None:
    """The measure distinguishes quadratic from linear time: of two forms of one expression, only one passes."""

    def is_slow(pattern: str) -> bool:
        regex = Regex("here", re.compile(pattern), frozenset({"search"}))
        grown = (worst_growth(run, make, most=LONGEST) for run in regex.runs for make in hard_texts(regex))
        return any(growth >= LINEAR for growth in grown)

    assert is_slow(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
    assert is_slow(r"[?？]\W*$")
    assert not is_slow(r"<v(?:\.[^\s<>]*)?\s([^<>]+)>")


HARD = {
    "question marks": "?",
    "exclamations and quotes": '!"',
    "dots": ".",
    "spaces": " ",
    "lines": "\n",
    "quotes": '"',
    "opening quotes": "“",
    "apostrophes": "'",
    "one word": "a",
    "one capital": "A",
    "digits": "1",
    "words": "a ",
    "names": "Ann Lee ",
    "and": "and ",
    "brackets": "([{",
    "voices": "<v ",
    "voices with classes": "<v.a ",
    "tags": "<a",
    "braces": "{\\",
    "label": "Ann: ",
    "labels": "Ann: I live in Oslo.\nBen: Do you?\n",
    "bold": "**A",
    "headings": "# A\n## B\n",
    "rules": "---\n",
    "fences": "```\n",
    "clocks": "1:11 ",
    "dates": "1 May 2024\n",
    "corrections": "I live in Oslo. It is Bergen, not Oslo. ",
    "kin": "My sister Anna and my brother Ben ",
    "prose": "I moved to Oslo in May 2021 and my wife works at Equinor. We have a dog named Bo. ",
    "claims": "I bought a bike, and ",
    "emoji": "😀",
    "marks of direction": "\u200e",
    "Chinese": "我住在奥斯陆",
    "accents": "e\u0301\u0316",
    "unsorted marks": "\u0301\u0316",
}
"""Fragments of documents that are repeated."""

FRAMES = {
    "vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hi ", ""),
    "srt": ("1\n00:00:01,000 --> 00:00:02,000\nAnn: Hi ", ""),
    "git-log": ("commit 1234567\nAuthor: Ann <a@example.org>\nDate:   2024-03-01 14:05:00 +0000\n\n    Fix ", ""),
    "whatsapp": ("[01/03/2024, 14:05:00] Ann: hello ", ""),
    "text": ("Ann: hello ", "\nBen: hi"),
    "locomo": ('{"speaker_a": "Ann", "speaker_b": "Ben", "session_1": [{"speaker": "Ann", "text": "', '"}]}'),
    "beam": ('[{"batch_number": 1, "turns": [[{"role": "user", "content": "', '"}]]}]'),
    "chatgpt": (
        '{"id": "c", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": '
        '{"content_type": "text", "parts": ["',
        '"]}}}}, "current_node": "a"}',
    ),
    "claude": (
        '[{"uuid": "c", "name": "c", "chat_messages": [{"uuid": "m", "sender": "human", "text": "',
        '", "created_at": "2024-03-01T14:05:00Z"}]}]',
    ),
    "telegram": (
        '{"name": "Ann", "type": "personal_chat", "id": 1, "messages": [{"id": 1, "type": "message", '
        '"date": "2024-03-01T14:05:00", "from": "Ann", "from_id": "user1", "text": "',
        '"}]}',
    ),
    "discord": (
        '{"guild": {"name": "g"}, "channel": {"name": "c"}, "messages": [{"id": "1", "type": "Default", '
        '"timestamp": "2024-03-01T14:05:00+00:00", "author": {"name": "ann"}, "content": "',
        '"}]}',
    ),
    "slack": ('[{"type": "message", "user": "U1", "ts": "1709301900.000100", "text": "', '"}]'),
    "sharegpt": ('[{"id": "c", "conversations": [{"from": "human", "value": "', '"}]}]'),
    "mail": (
        "From ann@example.org Fri Mar  1 14:05:00 2024\nFrom: Ann <ann@example.org>\nSubject: hi\n"
        "Date: Fri, 1 Mar 2024 14:05:00 +0000\n\nHello ",
        "\n",
    ),
    "csv": ("speaker,time,text\nAnn,2024-03-01 14:05,", "\n"),
    "notes": ("# Notes\n\nAnn lives here. ", "\n"),
    "openai-json": ('[{"role": "user", "content": "', '"}]'),
    "openai-jsonl": ('{"role": "user", "content": "', '"}'),
}
"""What stands around a fragment in each format."""


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("framed", [True, False], ids=["framed", "bare"])
def test_readers_take_linear_time(name: str, framed: bool) -> None:
    """Recognising and reading a document takes at most 2.5 times as long when its size doubles."""
    before, after = FRAMES[name] if framed else ("", "")

    def read(text: str) -> None:
        FORMATS[name].recognises(text)
        try:
            list(FORMATS[name].read(text, "chat", ReadOptions()))
        except InputError:
            return

    def document(fragment: str, size: int) -> str:
        inside = fragment * (size // len(fragment))
        if before.startswith(("{", "[")):
            inside = inside.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return before + inside + after

    assert _slow(read, document, most=8192) == []


def test_the_rules_extractor_takes_linear_time() -> None:
    """A message takes the rules at most 2.5 times as long when its length doubles, whatever its content."""

    def extract(text: str) -> None:
        said = Utterance(source="s", session="", position=0, speaker="Ann", role="user", text=text)
        RulesExtractor().extract(Window(messages=(Message.of(said, Scope(user_id="ann")),), speakers=("Ann", "Ben")))

    assert _slow(extract, lambda fragment, size: fragment * (size // len(fragment)) + "x", most=8192) == []


@pytest.mark.parametrize("fragment", ["luca and i ", "gave luca ", "luca's ", "luca moved, "])
def test_names_without_capitals_take_linear_time(fragment: str) -> None:
    """Finding a known name in a message without capitals takes linear time, however often it is there."""

    def read(text: str) -> None:
        said = Utterance(source="s", session="", position=0, speaker="Ann", role="user", text=text)
        with_capitals(Message.of(said, Scope(user_id="ann")), ["Luca"])

    assert worst_growth(read, lambda size: fragment * (size // len(fragment)), most=65_536) < LINEAR


@pytest.mark.parametrize("split", [fold, words, tokens], ids=["fold", "words", "stems"])
def test_words_take_linear_time(split: Callable[[str], object]) -> None:
    """Folding a text and finding its words and stems, as full text search does, takes linear time."""
    assert _slow(split, lambda fragment, size: fragment * (size // len(fragment)), most=16_384) == []


def _slow(run: Callable[[str], object], document: Callable[[str, int], str], *, most: int) -> list[tuple[str, float]]:
    growths = {name: worst_growth(run, partial(document, fragment), most=most) for name, fragment in HARD.items()}
    return [(name, growth) for name, growth in growths.items() if growth >= LINEAR]
