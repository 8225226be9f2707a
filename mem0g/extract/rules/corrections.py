"""Corrections of what the speaker said before: "it is Mads, not Mats", "sorry, I meant Milan"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mem0g.extract.rules.grammar.date_expressions import take_dates, with_words, without_marks
from mem0g.extract.rules.grammar.kin import KIN, KIN_WORDS
from mem0g.extract.rules.grammar.people import NAME, Turn, possessive
from mem0g.extract.rules.grammar.sentences import Sentence, sentences, strip_openers
from mem0g.extract.rules.grammar.spellings import plain
from mem0g.extract.rules.verb_claims import SURE
from mem0g.model import Message, Triple
from mem0g.text.english import MONTH, NUMBERS
from mem0g.text.names import fold

_PHRASE = r"(?:the |a |an )?((?!(?:it|that|he|she|they|I|we|you) )[\w'-]+(?: [\w'-]+){0,3}?)"
_CORRECTION = re.compile(
    rf"(?:^|^(?:it|that|he|she|they|name|there) (?:is|was|are)(?: actually| really| called)? |\b(?:I )?meant )"
    rf"(?:in |on |at |to |from )?{_PHRASE},? (?:and )?not (?:in |on |at |to |from )?{_PHRASE}$",
    re.IGNORECASE,
)
_NAME_CORRECTION = re.compile(rf"\bmy (?:new |old )?({KIN_WORDS})'s name\b.*?\b({NAME}),? (?:and )?not ({NAME})")


def corrections(
    message: Message, turn: Turn, earlier: Sequence[Message], claims: Callable[[Message], Sequence[Triple]]
) -> list[Triple]:
    """Return what the message corrects of the speaker's own claims: "it is Mads, not Mats", "sorry, I meant Milan".

    ``claims`` reads a message.
    """
    said = list(sentences(plain(message.text)))
    told = [each for each in enumerate(said) if not each[1].question]
    plainly = {number for number, sentence in told if _may_correct(sentence.text)}
    mine = [m for m in (*earlier, message) if plainly and m.speaker == message.speaker]
    own = _by_object(triple for m in mine for triple in claims(m))
    found: list[Triple] = []
    for number, sentence in told:
        if number in plainly:
            found += _corrected(sentence.text, own, turn, message.id)
        elif _may_be_short(sentence.text) and (before := _sentence_before(number, said, message, earlier)):
            found += _corrected_shortly(sentence.text, before, claims, message)
    return found


def _sentence_before(
    number: int, said: Sequence[Sentence], message: Message, earlier: Sequence[Message]
) -> Message | None:
    """Return the sentence that the speaker said before, as a message, if at most one message stands between."""
    if number:
        return None if said[number - 1].question else replace(message, text=f"{said[number - 1].text}.")
    last = next((each for each in reversed(earlier[-2:]) if each.speaker == message.speaker or "?" in each.text), None)
    if last is None or last.speaker != message.speaker:
        return None
    told = list(sentences(plain(last.text)))
    return replace(last, text=f"{told[-1].text}.") if told and not told[-1].question else None


_CUE = r"(?:(?:ah|oh|oops|no|nope|wait|sorry|scratch that|scrap that|correction|my mistake|my bad|actually)[,.!:; -]+)+"
_SHORT = re.compile(
    rf"^(?:{_CUE}(?P<meant>I (?:meant|mean)(?: to say)? )?"
    r"(?P<is>(?:it|that) is |make (?:that|it) )?|I meant (?:to say )?)"
    r"(?:(?P<what>(?:the|my|our) [a-z]+(?: [a-z]+)?) is )?(?:(?:at|to|from|the) )?(?P<right>[^,;]{1,30})$",
    re.IGNORECASE,
)
_SAID = re.compile(
    rf"^(?:{_CUE})?I said (?P<wrong>[\w' -]{{1,30}}?),?(?: but| and)? (?:I )?(?:really |actually )?meant "
    r"(?P<right>[\w' -]{1,30})$",
    re.IGNORECASE,
)
MAX_WORDS = 3
"""Words of what somebody meant instead."""


def _may_be_short(sentence: str) -> bool:
    return len(sentence) < 80 and (_SHORT.match(sentence) or _SAID.match(sentence)) is not None


def _corrected_shortly(
    sentence: str, before: Message, claims: Callable[[Message], Sequence[Triple]], message: Message
) -> Iterator[Triple]:
    """Yield what a short correction makes of the sentence before it: another date, or another object."""
    known = [each for each in claims(before) if not each.retracts]
    if match := _SAID.match(sentence):
        wrong, right = match["wrong"], match["right"]
    elif match := _SHORT.match(sentence):
        right = match["right"]
        told = take_dates(f"in {right}" if re.fullmatch(MONTH, right.lower()) else right)
        if told.expressions and not without_marks(told.text).strip(" ,.!"):
            about = set((match["what"] or "").split()[1:])
            if about <= set(re.findall(r"\w+", before.text)):
                yield from _redated(told.expressions[0], before, known, claims, message.id)
            return
        right = right.removeprefix("in ")
        told_so = match["meant"] or sentence.startswith("I meant") or (match["is"] and right[:1].isupper())
        alike = {each.object for each in known if told_so and not match["what"] and _is_alike(each.object, right)}
        wrong = alike.pop() if len(alike) == 1 else ""
    for mistaken in known if match and len(right.split()) <= MAX_WORDS else ():
        if wrong and fold(mistaken.object) == fold(wrong):
            text = re.sub(rf"\b{re.escape(mistaken.object)}\b", right, mistaken.text)
            yield from _replaced(mistaken, right, text, message.id)


def _is_alike(one: str, other: str) -> bool:
    """Whether both are names, or both are common words."""
    return one[:1].isupper() == other[:1].isupper() and not other[:1].isdigit() and other.lower() not in NUMBERS


def _redated(
    date: str, before: Message, known: Sequence[Triple], claims: Callable[[Message], Sequence[Triple]], evidence: str
) -> Iterator[Triple]:
    """Yield the claims of the sentence before with another date, and retractions of those that it replaces."""
    dated = take_dates(before.text)
    if len(dated.expressions) != 1:
        return
    preposition = re.match(r"(?:on|in|until|from|by|since) ", dated.expressions[0])
    right = date if not preposition or date.startswith(preposition[0]) else preposition[0] + re.sub(r"^on ", "", date)
    changed = claims(replace(before, text=with_words(dated.text, lambda _: right)))
    for mistaken in known:
        if all(_times(mistaken) != _times(each) for each in changed):
            yield _mistaken(mistaken, evidence)
    for triple in changed:
        if not triple.retracts and all(_times(triple) != _times(each) for each in known):
            yield replace(triple, evidence=(evidence,))


def _times(triple: Triple) -> tuple[object, ...]:
    return (triple.subject, triple.relation, triple.object, triple.valid_from, triple.planned_for)


def _may_correct(sentence: str) -> bool:
    return " not " in sentence and bool(
        _NAME_CORRECTION.search(sentence) or _CORRECTION.search(strip_openers(sentence))
    )


def _by_object(claims: Iterable[Triple]) -> dict[str, list[Triple]]:
    """Return the claims that retract nothing, in order, by the folded name of their object."""
    found: dict[str, list[Triple]] = {}
    for claim in claims:
        if not claim.retracts:
            found.setdefault(fold(claim.object), []).append(claim)
    return found


def _corrected(sentence: str, own: Mapping[str, Sequence[Triple]], turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield, for each own claim with the mistaken object, its retraction and the claim with the right object."""
    if match := _NAME_CORRECTION.search(sentence):
        yield from _name_corrected(match, turn, evidence)
    elif match := _CORRECTION.search(strip_openers(sentence)):
        right, wrong = match[1], match[2]
        for mistaken in own.get(fold(wrong), ()):
            text = re.sub(rf"\b{re.escape(mistaken.object)}\b", right, mistaken.text)
            yield from _replaced(mistaken, right, text, evidence)


def _name_corrected(match: re.Match[str], turn: Turn, evidence: str) -> Iterator[Triple]:
    word, right, wrong = match[1], match[2], match[3]
    mistaken = Triple(
        subject=turn.speaker,
        relation=KIN[word].relation,
        object=wrong,
        text=f"{wrong} is {possessive(turn.speaker)} {word}.",
        subject_type="person",
        object_type=KIN[word].type,
        evidence=(evidence,),
        confidence=SURE,
    )
    yield from _replaced(mistaken, right, f"{right} is {possessive(turn.speaker)} {word}.", evidence)


def _replaced(mistaken: Triple, right: str, text: str, evidence: str) -> Iterator[Triple]:
    yield _mistaken(mistaken, evidence)
    yield replace(mistaken, object=right, text=text, evidence=(evidence,))


def _mistaken(triple: Triple, evidence: str) -> Triple:
    text = f"It was a mistake that {triple.text}"
    return replace(triple, retracts=True, evidence=(evidence,), text=text, valid_from=None, valid_to=None)
