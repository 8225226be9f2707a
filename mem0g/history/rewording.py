"""What a fact says in other words: the triple of the sentence that a user corrects it with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mem0g.model import LITERAL, MAX_NAME_LENGTH, Fact, Triple
from mem0g.text.corrections import denies, tells_of_past
from mem0g.text.countries import is_country
from mem0g.text.english import STOP_WORDS
from mem0g.text.names import fold, normal_relation, words

NOTED = "noted"
"""The relation, from somebody to the text, of a sentence in which nothing else was found."""

_INSTEAD = re.compile(
    r"\b(?:but|rather|instead|actually|formerly|no more|wrong|false|untrue|incorrect)\b", re.IGNORECASE
)
_ADVERBS = frozenset("already also always currently just mostly now often really still usually".split())
"""Words that may be put into a sentence, which then says all that it said."""
_MORE_THAN_A_NAME = re.compile(r"[,;:!?]\s|[.!?]\s+\w")


def noted(text: str, subject: str, subject_type: str = "") -> Triple:
    """Return the triple of a sentence in which nothing else was found: ``subject`` has noted its words."""
    line = " ".join(text.split())
    return Triple(
        subject=subject,
        relation=NOTED,
        object=line[:MAX_NAME_LENGTH],
        text=line,
        subject_type=subject_type,
        object_type=LITERAL,
    )


def stated(old: Fact, text: str, read: Sequence[Triple]) -> Triple | None:
    """Return the triple that ``text`` states in place of ``old``, None where that cannot be said.

    ``read`` is what the extractor found in ``text``. Of several triples the one with the relation of ``old`` is meant,
    and that of ``old`` stays where the sentence only adds to its words.
    """
    found = [each for each in read if not each.retracts]
    alike = [each for each in found if normal_relation(each.relation) in _relations(old)]
    same = [each for each in alike if (fold(each.subject), fold(each.object)) == (fold(old.subject), fold(old.object))]
    if same and (len(alike) > 1 or _adds_to(old, text)):
        return replace(same[0], text=text, brief=None)
    if len(alike) == 1:
        return None if _runs_on(old, alike[0], text) else alike[0]
    if _adds_to(old, text):
        return replace(as_triple(old), text=text, brief=None)
    return found[0] if len(found) == 1 else None


def reworded(old: Fact, text: str) -> Triple:
    """Return what ``text``, in which nothing was found, states in place of ``old``.

    Another object where the sentence is that of ``old`` but for the object's words; else that its subject noted it.
    """
    was = as_triple(old)
    if (name := _other_object(old, text)) and not denies(name):
        kind = LITERAL if was.object_is_literal else ""
        return replace(was, object=name, object_type=kind, text=text, brief=None)
    return noted(text, old.subject, old.subject_type)


def as_triple(fact: Fact) -> Triple:
    """Return the triple of a fact, without its dates, evidence and metadata."""
    return Triple(
        subject=fact.subject,
        relation=fact.relation_given,
        object=fact.object,
        text=fact.text,
        subject_type=fact.subject_type,
        object_type=fact.object_type,
        brief=fact.brief,
        observed=fact.observed,
        planned_for=fact.planned_for,
    )


def _relations(fact: Fact) -> tuple[str, str]:
    return normal_relation(fact.relation_given), fact.relation


def _adds_to(fact: Fact, text: str) -> bool:
    """Whether ``text`` begins with the fact's sentence, adverbs aside, and neither takes it back nor alters its object.

    What stands before that sentence may say that it is somebody's opinion: "Ann thinks ...".
    """
    if denies(text) != denies(fact.text) or tells_of_past(text) or _INSTEAD.search(text):
        return False
    name, old, new = (words(fold(each)) for each in (fact.object, fact.text, text))
    around = _around(name, old)
    return _begins_with(new, old) and any(
        before == was_before and after in (was_after, "", *STOP_WORDS)
        for before, after in _around(name, new)
        for was_before, was_after in around
    )


def _begins_with(new: list[str], old: list[str]) -> bool:
    """Whether the words of one sentence are the beginning of another one, which may have adverbs among them."""
    following = iter(new)
    return all(next((each for each in following if each == word or each not in _ADVERBS), "") == word for word in old)


def _runs_on(fact: Fact, made: Triple, text: str) -> bool:
    """Whether an object is the old one and the beginning of another clause: "Oslo, Bo" of "in Oslo, Bo in Rome"."""
    start, end = f"{fold(fact.object)}, ", text.find(made.object) + len(made.object)
    if not fold(made.object).startswith(start) or is_country(made.object[len(start) :]):
        return False
    return made.object in text and bool(words(text[end:]))


def _around(name: list[str], sentence: list[str]) -> list[tuple[str, str]]:
    """Return the words before and after each place where the sentence has the name; "" at its ends."""
    padded, size = ["", *sentence, ""], len(name)
    return [
        (padded[at - 1], padded[at + size]) for at in range(1, len(padded) - size) if padded[at : at + size] == name
    ]


def _other_object(fact: Fact, text: str) -> str:
    """Return the words of ``text`` where the fact's sentence has its object; "" unless all others are the same."""
    places = list(re.finditer(rf"(?<!\w){re.escape(fact.object)}(?!\w)", fact.text, re.IGNORECASE))
    if not places:
        return ""
    before, after = fact.text[: places[-1].start()].split(), fact.text[places[-1].end() :].rstrip(" .!")
    article = r"(?:an?|the)\s+"
    if before and re.fullmatch(article, f"{before[-1]} ", re.IGNORECASE):
        before = before[:-1]
    else:
        article = f"(?:{article})?"
    start = "".join(rf"{re.escape(word)}\s+" for word in before)
    match = re.fullmatch(rf"\s*{start}{article}(\S.*?){re.escape(after)}[\s.!]*", text, re.IGNORECASE)
    return match[1] if match and (before or words(after)) and not _MORE_THAN_A_NAME.search(match[1]) else ""
