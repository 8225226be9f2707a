"""Details of a sentence that must not get lost: numbers, quoted titles, names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mem0g import Triple
from mem0g.text.names import fold, words

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”')
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CAPITAL = re.compile(r"(?<![\w'’-])[^\W\d_][\w'’-]*")
_SENTENCE_END = re.compile(r"[.!?:]\s*$")

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WRITTEN = {name: str(number) for number, name in enumerate((*_UNITS, "seventeen", "eighteen", "nineteen"))} | {
    name: str(10 * number) for number, name in enumerate(_TENS, start=2)
}
"""Numbers as words: "twelve" and "12" are the same detail."""

_OFTEN_NO_NUMBER = {"one", "zero"}

_NO_NAMES = frozenset(
    "i january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
"""Capitalised words that are no names: dates are compared as dates."""


def lost_details(reference: Triple, others: Sequence[Triple]) -> tuple[str, ...]:
    """The details of the reference's sentence that neither sentence nor dates of any of ``others`` have, in order.

    A number is there in digits or as a word, a title as the same words in a row, a name when each of its words is.
    """
    text = " ".join(f"{each.text} {each.valid_from or ''} {each.valid_to or ''}" for each in others)
    there = {_number(word) for word in _folded(text)}
    row = f" {' '.join(_folded(text))} "
    return tuple(
        detail
        for kind, detail in details(reference.text)
        if not (f" {' '.join(_folded(detail))} " in row if kind == "title" else _numbers(detail) <= there)
    )


def details(sentence: str) -> list[tuple[str, str]]:
    """The details of a sentence, each once, with their kind: "title", "number" or "name".

    A title is what stands in double quotes. A name is a word with a capital letter that does not begin a sentence: the
    first word is mostly the subject, which is compared by itself. "One" is no number: it is mostly none.
    """
    titles = [next(filter(None, found)) for found in _QUOTED.findall(sentence)]
    rest = _QUOTED.sub(" ", sentence)
    found = [*(("title", title) for title in titles), *_numbers_in(rest), *_names_in(rest)]
    return list(dict.fromkeys(found))


def _numbers_in(text: str) -> Iterator[tuple[str, str]]:
    yield from (("number", number) for number in _NUMBER.findall(text))
    written = (word for word in words(text) if fold(word) in _WRITTEN and fold(word) not in _OFTEN_NO_NUMBER)
    yield from (("number", word) for word in written)


def _names_in(text: str) -> Iterator[tuple[str, str]]:
    for match in _CAPITAL.finditer(text):
        word = re.sub(r"['’]s$", "", match[0])
        before = text[: match.start()].strip()
        begins = not before or bool(_SENTENCE_END.search(before))
        if word[0].isupper() and not begins and fold(word) not in _NO_NAMES and fold(word) not in _WRITTEN:
            yield "name", word


def _folded(text: str) -> list[str]:
    return [fold(word) for word in words(text.replace(",", ""))]


def _numbers(detail: str) -> set[str]:
    return {_number(word) for word in _folded(detail)}


def _number(word: str) -> str:
    """A number in one form: without zeros before it, in digits; another word as it is."""
    word = _WRITTEN.get(word, word)
    return word.lstrip("0") or "0" if word.isdecimal() else word
