"""A clause to the claims that its verb makes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from mem0g.extract.rules.dates import marks, resolve, with_words, without_marks
from mem0g.extract.rules.moments import When
from mem0g.extract.rules.objects import READERS, Thing, retyped
from mem0g.extract.rules.patterns import Pattern, compiled
from mem0g.extract.rules.people import KIN_WORDS, NAME, Party, Who
from mem0g.extract.rules.themes import patterns
from mem0g.extract.rules.themes.events import refined
from mem0g.extract.rules.verbs import past
from mem0g.extract.rules.voice import LOOSE, third_person
from mem0g.model import Triple
from mem0g.times import Moment

LONGEST_TEXT = 30
"""Words in the sentence of a fact; of a longer clause only the part up to the object is told."""

SURE, FAIR = 0.9, 0.8
"""Confidence in what a theme of its own found, and in what the table of verbs found: a little below the share that
was right in hand-checked samples of LOCOMO conversations (0.93 to 0.97)."""

SKIPPED = frozenset(
    """
    just really also actually recently finally still currently now so totally always already even absolutely
    definitely truly super quite lately honestly literally kinda basically officially once ever only usually often
    sometimes simply both all proudly happily sadly luckily accidentally probably certainly personally never-ever
    eventually immediately highly quickly secretly occasionally regularly initially originally obviously clearly
    """.split()
)
_AUXILIARIES = frozenset("am is are was were have has had do does did will been be not".split())
_OVER = re.compile(
    r"^(?:(?P<be>am|is|are) |(?:do|does|have|has) )?(?:no longer |not (?=.*\banymore\b"
    r"|.*\bafter all\b|.*\bany longer\b))"
)
_ENDING = re.compile(r"\s*\b(?:anymore|any longer|after all)\b")
_STOPPED = re.compile(r"^(?:have |has )?(?:stopped|quit|given up|gave up) (?=\w+ing )")
_TRAILING = re.compile(
    r"(?:,? (?:and|but|so|now|too|also|as well|together|lately|though|this time|either|again and again"
    r"|actually|right|instead|by the way|btw|speaking of|haha|lol))+$"
)
_ABLE = re.compile(
    r"^(?:was able to|were able to|managed to|got to|had to|(?:had|got) (?:the|a|an) (?:great |amazing |incredible )?"
    r"(?:chance|opportunity|honor|pleasure|privilege) to) (\w+)(?= )"
)
_HARD = re.compile(r"^((?:(?:am|is|are|have been|has been) )?\w+(?:ing|ed)) (?:really |so |super )?hard (?=on |for )")
"""How much somebody works on something, between verb and particle."""
_RECIPIENT = re.compile(
    rf"(?:(?:me|us|him|her|them|myself|everyone|people)|(?:my|our) (?:[\w-]+ )?(?:{KIN_WORDS})|{NAME}) "
    r"(?=(?:a|an|some|the|this|these|my|our|two|three|lots of) )"
)
"""For whom something is: "made my friend some ice cream"."""
_YOU_MAY = frozenset({"lives_in", "works_at", "works_as", "studies_at"})


@dataclass(frozen=True, slots=True)
class Said:
    """A predicate and all it takes to read it: who it is about, who says it when, its sentence's date expressions."""

    who: Who
    predicate: str
    party: Party
    at: datetime | None
    expressions: tuple[str, ...]
    evidence: str

    def when(self, *, future: bool) -> list[When]:
        """The dates of the predicate, in order, "on Friday" being ahead if ``future``."""
        return [resolve(self.expressions[i], self.at, future=future) for i in marks(self.predicate)]


def claims(said: Said) -> Iterator[Triple]:
    """The triples of the first pattern that fits: several where it names several objects."""
    said = replace(said, predicate=_achieved(_bare(said.predicate)))
    over = _ended(said.predicate)
    for pattern in patterns():
        if over is not None and (pattern.mode == "event" or pattern.retracts):
            continue
        words = said.predicate if over is None else over
        match = compiled(pattern.words).match(words)
        if match and (found := _read(_opened(pattern, match), words[match.end() :].strip(), said, over is not None)):
            yield from found
            return


def _bare(predicate: str) -> str:
    """The predicate without the adverbs around its verb, and with a date said there at its end."""
    words = predicate.split()
    head: list[str] = []
    late: list[str] = []
    for index, word in enumerate(words):
        if word.startswith("\u27e6"):
            late.append(word)
        elif word.lower().strip(",") not in SKIPPED:
            head.append(word)
            if word not in _AUXILIARIES:
                return " ".join(head + words[index + 1 :] + late)
    return " ".join(head + late)


def _achieved(predicate: str) -> str:
    """ "Was able to raise" said as "raised", and so what one had to do or had the chance to do; "worked hard on"."""
    return _HARD.sub(r"\1 ", _ABLE.sub(lambda match: past(match[1]), predicate))


def _ended(predicate: str) -> str | None:
    """The predicate that is said to hold no longer; None when nothing is."""
    if match := _OVER.match(predicate):
        return (f"{match['be']} " if match["be"] else "") + _ENDING.sub("", predicate[match.end() :])
    if match := _STOPPED.match(predicate):
        return "am " + predicate[match.end() :]
    return None


def _read(pattern: Pattern, rest: str, said: Said, over: bool) -> list[Triple]:
    whens = said.when(future=pattern.mode == "plan")
    if not _timely(pattern, whens, over) or (said.who.type == "you" and pattern.relation not in _YOU_MAY):
        return []
    recipient = _RECIPIENT.match(rest)
    words = rest[recipient.end() :] if recipient else rest
    things = retyped(READERS[pattern.kind](words, said.party), pattern.type)
    if recipient:
        things = tuple(replace(thing, tokens=thing.tokens + len(recipient[0].split())) for thing in things)
    return [_triple(pattern, thing, rest, said, whens, over) for thing in things]


def _opened(pattern: Pattern, match: re.Match[str]) -> Pattern:
    """The pattern with the relation of the verb it left open."""
    if "verb" not in match.groupdict():
        return pattern
    words = match["verb"] + (match.groupdict().get("particle") or "")
    return replace(pattern, relation=f"{pattern.relation}_{words.replace(' ', '_')}".strip("_"))


def _timely(pattern: Pattern, whens: list[When], over: bool) -> bool:
    ahead = any(when.future for when in whens)
    if pattern.soon and over:
        return True
    if pattern.soon or (pattern.undated and ahead):
        return pattern.soon and ahead
    if pattern.mode == "event" and ahead:
        return False
    return not pattern.lasting or any(when.sense in {"for", "since"} for when in whens)


def _triple(pattern: Pattern, thing: Thing, rest: str, said: Said, whens: list[When], over: bool) -> Triple:
    relation = thing.type if pattern.kind == "kin" else refined(pattern.relation, thing.type)
    start, until = _times(pattern, whens, over)
    text = _text(said, pattern, thing, rest, whens)
    return Triple(
        subject=said.who.name,
        relation=relation,
        object=thing.name,
        text=text if said.party.cased else text.replace(thing.words, thing.name),
        subject_type="person" if said.who.type == "you" else said.who.type,
        object_type="person" if pattern.kind == "kin" else thing.type,
        valid_from=start,
        valid_to=until,
        evidence=(said.evidence,),
        retracts=over or pattern.retracts,
        confidence=SURE if pattern.type else FAIR,
    )


def _times(pattern: Pattern, whens: list[When], over: bool) -> tuple[Moment | None, Moment | None]:
    """Begin and end: an event's are its date's, a plan's begin is its day, a state begins when it is said to."""
    dated = next((when for when in whens if when.moment), None)
    if dated is None:
        return None, None
    moment, sense = dated.moment, dated.sense
    if over or pattern.retracts:
        return None, moment if sense == "at" else None
    if sense == "until":
        return None, moment
    if pattern.mode == "plan":
        return moment, None
    if pattern.mode == "event":
        return (moment, moment) if sense == "at" else (moment if sense == "since" else None, None)
    return (moment if pattern.since or sense in {"since", "for"} else None), None


def _text(said: Said, pattern: Pattern, thing: Thing, rest: str, whens: list[When]) -> str:
    """One sentence that stands by itself: the whole clause where it can, else the claim up to its object."""
    whole = with_words(said.predicate, _words(said, whens))
    sentence = _sentence(said, whole, pattern)
    if len(sentence.split()) <= LONGEST_TEXT and not LOOSE.search(_beyond_names(sentence, said)):
        return sentence
    verb = (
        said.predicate[: len(said.predicate) - len(rest)].strip() if said.predicate.endswith(rest) else said.predicate
    )
    dates = " ".join(when.words for when in whens[:1] if when.words)
    core = " ".join(f"{without_marks(verb)} {' '.join(rest.split()[: thing.tokens])} {dates}".split())
    return _sentence(said, _unpointed(core.rstrip(" ,.;:")), pattern)


def _unpointed(words: str) -> str:
    """ "Painted this lake" without the pointing: "painted a lake"."""
    words = re.sub(r"\b(?:this|that) (?=[aeiou])", "an ", words)
    return re.sub(r"\b(?:these|those) ", "some ", re.sub(r"\b(?:this|that) (?=\w)", "a ", words))


def _words(said: Said, whens: list[When]) -> Callable[[int], str]:
    order = marks(said.predicate)
    return lambda number: whens[order.index(number)].words


def _beyond_names(sentence: str, said: Said) -> str:
    return sentence.removeprefix(said.who.shown)


def _sentence(said: Said, predicate: str, pattern: Pattern) -> str:
    present = pattern.mode != "event"
    predicate = third_person(predicate, said.party.speaker, said.party.other, predicate=said.who.first, present=present)
    predicate = _TRAILING.sub("", predicate.strip(" ,.;:-"))
    predicate = re.sub(r"\s+([,.;:])", r"\1", predicate).strip(" ,.;:-")
    shown = said.who.shown
    if said.who.company and pattern.mode == "event":
        shown = f"{shown} and {third_person(said.who.company, said.party.speaker, said.party.other)}"
    return f"{shown} {predicate}."
