"""What limits a claim, so that it says nothing of the whole: a job beside another one, a stay for some months, a denial
of coffee after 3pm only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, marks, with_words
from mem0g.extract.rules.grammar.people import DEICTIC, third_person
from mem0g.extract.rules.predicate import Predicate
from mem0g.model import Triple

_SIDE_JOB = re.compile(
    r"\b(?:part[- ]time|(?:side|second|weekend|evening) (?:job|gig|hustle)|on the side|on (?:the |my )?weekends"
    r"|at (?:the )?weekends?|on [A-Z][a-z]+days|in the evenings)\b"
)
_FURTHER = re.compile(r"^(?:(?:am|is|are) |\w+ )?also\b")
_TOO = re.compile(r",? (?:too|as well)$")
_JUDGED = re.compile(
    r"(?:really |very |pretty |rather )?(?:bad|good|great|terrible|awful|horrible|lousy|poor|mediocre|decent|excellent"
    r"|fantastic|amazing|brilliant|talented|passionate|keen|avid|enthusiastic|amateur|hobby|home|natural|born|slow|fast"
    r"|mean|better|worse|messy|lazy) ",
    re.IGNORECASE,
)
"""Words before what somebody is in private: a bad cook, a keen gardener."""


def beside_the_job(triple: Triple, predicate: Predicate) -> Triple:
    """Return a claim of a job with the relation of one beside the main one, if ``predicate`` says that it is such.

    It has all its adverbs.
    """
    words = predicate.words
    side = _SIDE_JOB.search(words) is not None
    also = side or _FURTHER.match(words) or (not predicate.turn.addressee and _TOO.search(words))
    if triple.relation == "works_at" and (side if triple.retracts else also):
        return replace(triple, relation="works_part_time_at")
    judged = _JUDGED.match(triple.object) and re.match(r"(?:am|is|are) ", words)
    if triple.relation == "works_as" and not triple.retracts and (also or judged):
        return replace(triple, relation="is_a")
    return triple


_STAYING = re.compile(r"(?:am|is|are) (?:back |temporarily )?living ")

_FOR_A_WHILE = re.compile(r"\btemporarily\b|\bfor (?:a (?:bit|while)|the time being|the moment)\b")


def stays(predicate: Predicate) -> bool:
    """Whether ``predicate`` is of living somewhere for a time that has an end: "am living in Rome for three months"."""
    dates = [predicate.expressions[number].lower() for number in marks(predicate.words)]
    limited = any(
        date.startswith(("for ", "until ", "till ")) and not date.endswith((" now", "already")) for date in dates
    )
    limited = limited or _FOR_A_WHILE.search(predicate.words) is not None
    return _STAYING.match(predicate.words) is not None and limited


_LIMITABLE = frozenset({"hobby", "habit", "instrument", "sport", "thing", "given_up"})
_DENIAL = re.compile(r"dislikes$|does_not_|cannot_")
_GIVEN_UP = re.compile(r"gave_up$|quit$|stopped$")
_LIMIT = re.compile(
    r"(?!(?:at all|at (?:the moment|present|my age)|in (?:general|any form|years|my life|it|them|now)|from now on"
    r"|on principle|before (?:(?:any|some|every)\w*|you|they|we|I|he|she)"
    r"|for (?:now|ages|years|good|ever)|for [\w ]+ reasons|with a passion"
    r"|when (?:I|he|she|we) (?:was|were))\b)"
    r"(?:that|which|who|with|without|after|before|during|when|while|on|at|in|from|past|until|till|outside|unless|for"
    r"|made|every) [^,;()]+"
)
_PAUSE = re.compile(r"(?:for (?!(?:good|ever|years|ages)\b)|until |till )[^,;()]+")
_NEXT = re.compile(r",? (?:because|since|and|but|so|as)\b.*")
_RELATIVE = re.compile(r"^(?:that|which|who) (?=[a-z]+\b)")
MAX_LIMIT = 8
"""Words of a limit that becomes part of a name."""


def limited(found: Sequence[Triple], kind: str, after: str, predicate: Predicate, *, ended: bool) -> list[Triple]:
    """Return denials with what limits them as part of their objects: "coffee after 3pm".

    ``after`` follows the objects, which are of this ``kind``. What is given up for a time is paused. A limit that names
    something else ("like that one") leaves nothing to claim.
    """
    return [each for triple in found for each in _limited(triple, kind, after, predicate, ended=ended)]


_UNDER_WAY = re.compile(
    r".* (?:going(?! on\b)|coming|doing|waiting|running|sitting|lying|standing|booked|lined|sorted|fixed)\b"
)
"""What follows a thing that is not gotten: "got a card going round", "got a plumber coming", "got the car fixed"."""


_FOR_OTHERS = re.compile(r"to (?:mind|look after|watch|sit|walk|feed|foster|care for)\b")
"""What is done with somebody else's animal: "we've got a pup to mind"."""


def _limited(triple: Triple, kind: str, after: str, predicate: Predicate, *, ended: bool) -> list[Triple]:
    if triple.relation == "has_pet" and _FOR_OTHERS.match(after):
        return []
    if triple.relation == "got" and _UNDER_WAY.match(" ".join([triple.object, *after.split()[:2]])):
        return []
    given_up = _GIVEN_UP.match(triple.relation)
    if kind not in _LIMITABLE or not (ended or given_up or _DENIAL.match(triple.relation)):
        return [triple]
    if given_up and _limit(after, predicate, _PAUSE):
        return [replace(triple, relation="paused")]
    limit = _limit(after, predicate, _LIMIT)
    if limit is None:
        return [triple]
    if DEICTIC.search(_RELATIVE.sub("", limit)):
        return []
    text = triple.text if limit in triple.text else f"{triple.text.rstrip('.')} {limit}."
    return [replace(triple, object=f"{triple.object} {limit}", text=text)]


def _limit(after: str, predicate: Predicate, form: re.Pattern[str]) -> str | None:
    """Return the words that limit what stands before them. A date is a limit only as an end or a duration."""
    if after.startswith(OPEN):
        first = predicate.expressions[marks(after)[0]].lower()
        if not first.startswith(("until ", "till ", "for ") if form is _PAUSE else ("until ", "till ")):
            return None
        after = after[: after.index(CLOSE) + 1]
    match = form.match(with_words(_NEXT.sub("", after), lambda number: predicate.expressions[number]))
    if match is None:
        return None
    words = third_person(match[0], predicate.turn.speaker, predicate.turn.addressee)
    return " ".join(words.rstrip(" .!").split()[:MAX_LIMIT])
