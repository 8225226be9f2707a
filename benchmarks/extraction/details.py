"""Details of a sentence that must not be lost: numbers, quoted titles, names."""

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
"""Number words with their digits: "twelve" and "12" are the same detail."""

_OFTEN_NO_NUMBER = {"one", "zero"}

_NO_NAMES = frozenset(
    "i january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
"""Capitalized words that are not names; dates are compared separately."""


def lost_details(reference: Triple, others: Sequence[Triple]) -> tuple[str, ...]:
    """Return the details of the reference's sentence missing from the sentences and dates of all ``others``, in order.

    A number is found in digits or as a word, a title as the same consecutive words, a name when each of its words is
    there.
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
    """Return the details of a sentence, each once, with their kind: "title", "number" or "name".

    A title is text in double quotes. A name is a capitalized word that does not start a sentence: the first word is
    mostly the subject, which is compared separately. "One" is not taken for a number, as it is mostly a pronoun.
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
    """Normalize a number: digits without leading zeros; other words are returned unchanged."""
    word = _WRITTEN.get(word, word)
    return word.lstrip("0") or "0" if word.isdecimal() else word
