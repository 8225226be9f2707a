"""Sentences of several languages, scripts and lengths, the same in every run."""

from __future__ import annotations

import random

_PEOPLE = [
    "Anna",
    "Caroline",
    "José",
    "Łukasz",
    "李明",
    "Фёдор",
    "Zoë O'Brien",
    "Dr. Müller-Lüdenscheidt",
    "김민준",
    "ليلى",
]
_PLACES = [
    "Rome",
    "São Paulo",
    "北京",
    "Санкт-Петербург",
    "New York City",
    "Reykjavík",
    "القاهرة",
    "東京",
    "Île-de-France",
    "x",
]
_THINGS = [
    "a guitar",
    "two cats",
    "the summer camp",
    "a bank loan",
    "pottery",
    "C++",
    "COVID-19",
    "a 3.5-inch disk",
    "🎉",
]
_DATES = ["8 May 2023", "last Friday", "2024-02-29", "in 1999", "at 1:56 pm", "yesterday", "next year", "on 03/04/05"]

_TEMPLATES = [
    "{person} lives in {place}.",
    "{person} moved from {place} to Berlin {date} and bought {thing}.",
    "Where did {person} go {date}?",
    "who likes {thing}",
    "{person} no longer works at the bakery in {place}; she quit {date}, because of {thing}!",
    "{person} wohnt seit {date} in {place} und mag {thing}.",
    "{person} a déménagé à {place}, où l'été est très chaud; {thing}, {date}.",
    "{person} vive en {place} y le gusta {thing}. ¿Y tú?",
    "{person}住在{place}，喜欢{thing}。",
    "{person}さんは{place}に引っ越しました（{date}）。",
    "{person} переехал в {place} {date}, и теперь у него {thing}.",
    "{person}은 {place}에 살고 있어요.",
    "{person} يعيش في {place}",
    "LOL {person}!!! :-) see https://example.org/?q={place}&d=1 #fun @you {thing}",
    "{thing}",
]
_EDGES = [
    "",
    " ",
    "\n\t",
    ".",
    "🙂🙂🙂",
    "a" * 150,  # one word of more characters than the tokenizer takes apart
    "ﬁﬂ ①②③ ＮＡＳＡ e\u0301\u0327 \u200b\ufeff\u00ad",
    "control \x01 and \x7f characters, a tab\tand a no-break\u00a0space",
    "[CLS] [SEP] [MASK] ##ing [UNK]",
    "Antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
]


def sentences(count: int) -> list[str]:
    """The first ``count`` of: the edge cases, then one short, one longer and one overlong text after the other."""
    rng = random.Random(384)
    texts = list(_EDGES)
    while len(texts) < count:
        texts.append(_sentence(rng))
        texts.append(" ".join(_sentence(rng) for _ in range(rng.randint(2, 8))))
        if len(texts) % 5 == 0:
            texts.append(" ".join(_sentence(rng) for _ in range(rng.randint(15, 40))))  # beyond 256 word pieces
    return texts[:count]


def _sentence(rng: random.Random) -> str:
    return rng.choice(_TEMPLATES).format(
        person=rng.choice(_PEOPLE), place=rng.choice(_PLACES), thing=rng.choice(_THINGS), date=rng.choice(_DATES)
    )
