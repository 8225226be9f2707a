"""Count what a method answers: the current statement before the outdated one, and no question instead of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.chats.asking import REPLY, Answering
from benchmarks.chats.reading import Chat, ChatQuestion, DatedSentence
from benchmarks.report import Row

BY_NAME, FIRST_PERSON, STORED = "by name", "by the user", "again by the user"
"""How questions are asked: by somebody who names the user, by the user, and by the user after all were stored once."""

COUNTED = ("top1", "top3", "context", "unknown", "outdated", "asks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """How a method answered one question of a chat, asked in one of the three ways.

    ``first`` is the text of the first hit. ``top1`` and ``top3``: the answer is in the first hit, in the first three;
    ``context``: in the context. ``unknown``: nothing counts as known about it. ``outdated``: a hit that is no longer
    true stands above the answer, or there without it. ``asks``: the first hit is a question, the echo of one, or the
    reply to one.
    """

    chat: str
    method: str
    asked: str
    question: str
    first: str
    top1: bool
    top3: bool
    context: bool
    unknown: bool
    outdated: bool
    asks: bool


def answered(method: Answering, chat: Chat) -> Iterator[Answered]:
    """Yield how the method answers each question of a chat, asked in three ways; the questions are stored by then."""
    for question in chat.questions:
        yield _answered(method, chat.name, question, question.text, BY_NAME)
    for question in chat.questions:
        yield _answered(method, chat.name, question, question.first_person, FIRST_PERSON)
    stored = [question.first_person for question in chat.questions]
    method.store(stored)
    for question in chat.questions:
        yield _answered(method, chat.name, question, question.first_person, STORED, stored)


def _answered(
    method: Answering, chat: str, question: ChatQuestion, words: str, asked: str, stored: Sequence[str] = ()
) -> Answered:
    echoes = {*stored, REPLY}
    hits, context = method.hits(words), method.context(words)
    unknown = not context
    for echo in echoes:
        context = context.replace(echo, "")
    right = [text not in echoes and question.is_answered_by(text) for text in hits]
    until = right.index(True) if any(right) else len(hits)
    return Answered(
        chat=chat,
        method=method.name,
        asked=asked,
        question=words,
        first=hits[0] if hits else "",
        top1=any(right[:1]),
        top3=any(right[:3]),
        context=question.is_answered_by(context),
        unknown=unknown,
        outdated=any(question.is_outdated(text) for text in hits[:until]),
        asks=bool(hits) and (hits[0] in echoes or hits[0].rstrip(" \"'”)»").endswith("?")),
    )


def rows(given: Iterable[Answered]) -> list[Row]:
    """Return a row of counts for each chat, method and way of asking; if there are several chats, for all as well."""
    kept: dict[tuple[str, str, str], list[Answered]] = {}
    for each in given:
        for chat in (each.chat, "all"):
            kept.setdefault((chat, each.method, each.asked), []).append(each)
    several = len({chat for chat, _, _ in kept}) > 2
    return [
        {"chat": chat, "method": method, "asked": asked, "n": len(some)}
        | {name: sum(getattr(each, name) for each in some) for name in COUNTED}
        for (chat, method, asked), some in sorted(kept.items(), key=lambda item: item[0][0] == "all")
        if several or chat != "all"
    ]


def means(sentence: DatedSentence, found: Iterable[tuple[str, str]]) -> bool:
    """Whether one of the dates found, begin and end, is one that the sentence means."""
    return any(begin in sentence.begins and (not sentence.ends or end in sentence.ends) for begin, end in found)
