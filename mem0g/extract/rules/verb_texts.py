"""The sentence of a claim about a clause's verb: self-contained, in the third person."""

from __future__ import annotations

import re
from collections.abc import Callable

from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, marks, with_words, without_marks
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.people import DEICTIC, third_person
from mem0g.extract.rules.grammar.referents import Referent
from mem0g.extract.rules.grammar.verb_phrases import Pattern
from mem0g.extract.rules.predicate import Predicate

MAX_TEXT_WORDS = 30
"""Words of a fact's sentence; a longer clause is cut after its object."""

_COMPARED = re.compile(r",? (?:(?:even )?(?:more|less|better|worse|longer)|as much) (?:than|as) (?:I|we)\b.*$")
"""What the speaker compares something to, with a second verb: "more than I hate Mondays"."""
_TRAILING = re.compile(
    r"(?:,? (?:too much|and|but|so|now|too|also|as well|together|lately|though|this time|either|again and again"
    r"|actually|right|instead|by the way|btw|speaking of|haha|lol))+$"
)


def text_of(predicate: Predicate, pattern: Pattern, referent: Referent, rest: str, dates: list[ResolvedDate]) -> str:
    """Return one self-contained sentence: the whole clause if it is one, otherwise as much of it as is.

    It ends before the first phrase with a word that refers to something else ("with him"), but not before its object.
    """
    words = _self_contained(predicate, len(predicate.words) - len(rest), referent)
    sentence = _sentence(predicate, with_words(words, _date_words(predicate, dates)), pattern)
    beyond_name = sentence.removeprefix(predicate.subject.shown)
    if not _unclear(predicate, beyond_name):
        return sentence
    verb = predicate.words
    if verb.endswith(rest):
        verb = verb[: len(verb) - len(rest)].strip()
    when = " ".join(date.words for date in dates[:1] if date.words)
    core = " ".join(f"{without_marks(verb)} {' '.join(rest.split()[: referent.length])} {when}".split())
    return _sentence(predicate, _without_demonstratives(core.rstrip(" ,.;:")), pattern)


_PHRASE = re.compile(
    r",? (?:because|so|and|but|when|while|if|with|for|to|at|in|on|from|of|after|before|since|that|where|who"
    r"|which|by|about|like"
    r"|as|than|during|without|near|until|behind|next) |, |\u27e6"
)
"""Where a phrase begins."""
_CLEAR = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)
"""What belongs to the third person that a sentence is about."""
_ADDRESSED = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
"""The one addressed, whose name takes the place of these words."""
_DANGLING = re.compile(r"(?: (?:how|who|what|why|when|where|which|that|to|and|or|but|not|really|just))+$")


def _unclear(predicate: Predicate, words: str) -> re.Match[str] | None:
    """Return the first word that refers to something outside the sentence about the predicate's subject."""
    for match in DEICTIC.finditer(words):
        own = not predicate.subject.first and _CLEAR.fullmatch(match[0])
        if not own and not (predicate.turn.addressee and _ADDRESSED.fullmatch(match[0])):
            return match
    return None


def _self_contained(predicate: Predicate, verb: int, referent: Referent) -> str:
    """Return the predicate up to its first unclear phrase or its 30th word, and with its first date.

    ``verb`` is the length of what stands before the object.
    """
    words = predicate.words
    end = len(" ".join(words.split()[:MAX_TEXT_WORDS]))
    unclear = _unclear(predicate, words)
    end = min(end, unclear.start()) if unclear else end
    if end >= len(words):
        return words
    least = verb + len(" ".join(words[verb:].split()[: referent.length]))
    starts = [match.start() for match in _PHRASE.finditer(words, least) if match.end() <= end]
    if not starts:
        return words
    kept = _DANGLING.sub("", words[: starts[-1]].rstrip(" ,"))
    lost = next((number for number in marks(words) if number not in marks(kept)), None)
    return kept if lost is None or marks(kept) else f"{kept} {OPEN}{lost}{CLOSE}"


def _date_words(predicate: Predicate, dates: list[ResolvedDate]) -> Callable[[int], str]:
    order = marks(predicate.words)
    return lambda number: dates[order.index(number)].words


def _without_demonstratives(words: str) -> str:
    """Return "painted this lake" as "painted a lake"."""
    words = re.sub(r"\b(?:this|that) (?=[aeiou])", "an ", words)
    return re.sub(r"\b(?:these|those) ", "some ", re.sub(r"\b(?:this|that) (?=\w)", "a ", words))


def _sentence(predicate: Predicate, words: str, pattern: Pattern) -> str:
    """Return subject and ``words`` in the third person, with a full stop."""
    subject, turn = predicate.subject, predicate.turn
    present = pattern.mode != "event"
    words = third_person(
        _COMPARED.sub("", words), turn.speaker, turn.addressee, predicate=subject.first, present=present
    )
    words = _TRAILING.sub("", words.strip(" ,.;:-"))
    words = re.sub(r"(?<!\s)\s+([,.;:])", r"\1", words).strip(" ,.;:-")
    shown = subject.shown
    if subject.company and pattern.mode == "event":
        shown = f"{shown} and {third_person(subject.company, turn.speaker, turn.addressee)}"
    return f"{shown} {words}."
