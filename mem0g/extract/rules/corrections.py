"""Corrections of what the speaker said before: "it is Mads, not Mats", "sorry, I meant Milan"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mem0g.extract.rules.grammar.people import KIN, KIN_WORDS, NAME, Turn, possessive
from mem0g.extract.rules.grammar.sentences import plain, sentences, strip_openers
from mem0g.extract.rules.verb_claims import SURE
from mem0g.model import Message, Triple
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
    """Return what the message corrects of the speaker's own claims: "it is Mads, not Mats"."""
    text = plain(message.text)
    if " not " not in text:
        return []
    candidates = [each.text for each in sentences(text) if not each.question and _may_correct(each.text)]
    if not candidates:
        return []
    own = _by_object(triple for m in (*earlier, message) if m.speaker == message.speaker for triple in claims(m))
    return [triple for sentence in candidates for triple in _corrected(sentence, own, turn, message.id)]


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
    mistake = f"It was a mistake that {mistaken.text}"
    yield replace(mistaken, retracts=True, evidence=(evidence,), text=mistake, valid_from=None, valid_to=None)
    yield replace(mistaken, object=right, text=text, evidence=(evidence,))
