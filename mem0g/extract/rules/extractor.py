"""The rules extractor: messages to sentences, sentences to clauses, clauses to claims."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mem0g.extract.protocol import Window
from mem0g.extract.rules.clause_claims import named_after, whole_claims
from mem0g.extract.rules.grammar.date_expressions import (
    CLOSE,
    OPEN,
    DatedSentence,
    marks,
    resolve,
    take_dates,
    with_words,
    without_marks,
)
from mem0g.extract.rules.grammar.people import KIN, Introduction, Turn, Subject, introductions, possessive, subject
from mem0g.extract.rules.grammar.sentences import Clause, clauses, plain, sentences
from mem0g.extract.rules.grammar.verb_phrases import PAST, is_past
from mem0g.extract.rules.named_claims import named_claims
from mem0g.extract.rules.verb_claims import SKIPPED, SURE, Said, claims
from mem0g.model import Message, Triple

_ROLES = frozenset({"assistant", "system", "tool"})


class RulesExtractor:
    """Finds the plain statements people make about themselves and theirs.

    English only; of other languages it finds nothing. Precision before recall: questions, suppositions, hearsay and
    what "it" or "they" did are left out. Needs no model and no key.
    """

    name = "rules"

    def extract(self, window: Window) -> tuple[Triple, ...]:
        """The claims that the window's new messages make, in the order they are made, each said once a message."""
        session = window.messages[0].session
        window = replace(window, context=tuple(each for each in window.context if each.session == session))
        known = frozenset(_known(window))
        found: list[Triple] = []
        for number, message in enumerate(window.messages):
            if _is_person(message):
                turn = _party(message, window)
                found += _of(message, turn, known)
                found += _corrected(message, turn, known, (*window.context, *window.messages[:number]))
        return tuple(found)


def _is_person(message: Message) -> bool:
    """Whether "I" in the message is somebody: not the system, a tool, or an assistant without a name."""
    if message.role in {"system", "tool"}:
        return False
    return message.role != "assistant" or message.speaker.lower() not in _ROLES


def _party(message: Message, window: Window) -> Turn:
    speakers = set(window.speakers) | {m.speaker for m in (*window.context, *window.messages)}
    others = {name for name in speakers if name.lower() not in _ROLES} - {message.speaker}
    other = others.pop() if len(others) == 1 and len(speakers) == 2 else None
    return Turn(message.speaker, other, cased=any(map(str.isupper, message.text)))


def _known(window: Window) -> Iterator[str]:
    """Names of people and pets: the speakers', and those introduced in the window."""
    yield from window.speakers
    for message in (*window.context, *window.messages):
        yield message.speaker
        for sentence in sentences(plain(message.text)):
            yield from (intro.name for intro in introductions(sentence.text, Turn(message.speaker, "")))


@dataclass
class _Reading:
    """What reading a message has brought so far."""

    message: Message
    turn: Turn
    known: frozenset[str]
    antecedent: Subject | None = None
    previous: str = ""
    found: dict[tuple[str, str, str, bool], Triple] = field(default_factory=dict)

    def add(self, triple: Triple) -> None:
        self.found.setdefault((triple.subject, triple.relation, triple.object, triple.retracts), triple)


def _of(message: Message, turn: Turn, known: frozenset[str]) -> list[Triple]:
    reading = _Reading(message, turn, known)
    for sentence in sentences(plain(message.text)):
        if not sentence.question:
            _read_sentence(sentence.text, reading)
        reading.previous = sentence.text
    return list(reading.found.values())


def _corrected(message: Message, turn: Turn, known: frozenset[str], earlier: tuple[Message, ...]) -> list[Triple]:
    """What the message corrects of the speaker's own words before it."""
    text = plain(message.text)
    if " not " not in text:
        return []
    told = [sentence.text for sentence in sentences(text) if not sentence.question and " not " in sentence.text]
    if not any(map(may_correct, told)):
        return []
    own = by_object(
        triple for m in (*earlier, message) if m.speaker == message.speaker for triple in _of(m, turn, known)
    )
    return [triple for sentence in told for triple in corrections(sentence, own, turn, message.id)]


def _read_sentence(text: str, reading: _Reading) -> None:
    if stated := list(named_claims(text, reading.message.id)):
        for triple in stated:
            reading.add(triple)
        return
    dated = take_dates(text)
    waiting = ""
    for number, clause in enumerate(clauses(dated.text)):
        bare = without_marks(clause.text)
        if not bare.strip(" ,"):
            waiting = clause.text
            continue
        _read_clause(clause, waiting, dated, reading, first=number == 0)
        waiting = ""
        for intro in (*introductions(bare, reading.turn), *_named_after(bare, reading)):
            reading.add(_introduced(intro, reading.message.id))


def _named_after(clause: str, reading: _Reading) -> list[Introduction]:
    """Names given in the sentence after: "We have a dog. Her name is Pepper"."""
    word, names = named_after(clause, reading.previous, reading.turn) or ("", [])
    return [Introduction(reading.turn.speaker, KIN[word], word, name) for name in names]


def _read_clause(clause: Clause, waiting: str, dated: DatedSentence, reading: _Reading, *, first: bool) -> None:
    text = clause.text
    while text.startswith(OPEN):
        mark, _, text = text.partition(CLOSE)
        waiting, text = mark + CLOSE, text.strip(" ,")
    if clause.real:
        for triple in whole_claims(_absolute(text, dated, reading), reading.turn, reading.message.id):
            reading.add(triple)
    about = subject(text, reading.turn, reading.antecedent, reading.known) or (first and _implied(text, reading.turn))
    if not about:
        return
    who, predicate = about
    if who.type != "you" and not who.first:
        reading.antecedent = who
    if clause.real:
        for part in _verbs_apart(predicate, waiting):
            said = Said(who, part, reading.turn, reading.message.time, dated.expressions, reading.message.id)
            for triple in claims(said):
                reading.add(triple)


def _absolute(text: str, dated: DatedSentence, reading: _Reading) -> str:
    at = reading.message.time
    return with_words(text, lambda number: resolve(dated.expressions[number], at, future=False).words)


_ONGOING = re.compile(
    r"(?:Hoping|Planning|Going) to |(?:Thinking|Dreaming) (?:of|about) |Looking forward to "
    r"|Working on |Reading |Researching "
)
_OF_ONESELF = re.compile(r"[Cc]an not wait |(?:Highly |Definitely )?[Rr]ecommend ")
_ELIDED = re.compile(
    r"(?:[Jj]ust|Finally|Recently|Also|Been|Have been) (?=[a-z]+(?:ed|ing|t|ot|ught|nt|w)\b)|(?=[A-Z][a-z]+ )"
)


def _implied(text: str, turn: Turn) -> tuple[Subject, str] | None:
    """The speaker as the subject of a sentence that has none: "Just adopted a puppy"."""
    who = Subject(turn.speaker, turn.speaker, first=True)
    if _OF_ONESELF.match(text):
        return who, text[0].lower() + text[1:]
    match = _ELIDED.match(text)
    if match is None:
        return None
    if _ONGOING.match(text):
        return who, f"am {text[0].lower()}{text[1:]}"
    verb = text[match.end() :].split(" ", 1)[0]
    if match[0].lower().startswith(("been", "have been")):
        return who, f"have been {text[match.end() :]}"
    if verb.lower() in PAST and verb.lower() not in {"read", "set", "put", "cut", "hit"}:
        return who, verb.lower() + text[match.end() + len(verb) :]
    return None


_COORDINATED = frozenset(
    "live work study have own speak teach play enjoy collect hate adore volunteer "
    "lives works studies has owns speaks teaches plays enjoys collects hates adores volunteers".split()
)
"""Verbs in the present that after "and" are no nouns."""
_NEXT_VERB = re.compile(
    r",? and (?P<then>(?:then|also|just|even|finally|eventually|recently) )?(?=([a-z]+)\b)|, (?=([a-z]+)\b)"
)


def _verbs_apart(predicate: str, waiting: str) -> list[str]:
    """The predicates of one subject: "sold my car and bought a bike" are two, each with the date said for both."""
    parts, start = [], 0
    tense = _tense(predicate)
    for match in _NEXT_VERB.finditer(predicate):
        following = _tense(match[2] or match[3])
        if following and (following == tense or (match["then"] and following == "past")):
            parts.append(predicate[start : match.start()])
            start = match.end()
    parts.append(predicate[start:])
    shared = waiting or "".join(f"{OPEN}{number}{CLOSE}" for number in marks(predicate)[:1])
    return [part if marks(part) or not shared else f"{part} {shared}" for part in parts]


def _tense(words: str) -> str:
    """Whether ``words`` begin with a past form or a present one that can stand alone; "" for neither."""
    first = next((word for word in words.split() if word not in SKIPPED), "")
    return "past" if is_past(first) else "present" if first in _COORDINATED else ""


def _introduced(intro: Introduction, evidence: str) -> Triple:
    if intro.kin.relation == "has_pet":
        text = f"{intro.owner} has a {intro.kin.type} named {intro.name}."
    else:
        word = intro.kin.relation.removeprefix("has_") if intro.kin.plural else intro.word
        text = f"{intro.name} is {possessive(intro.owner)} {word}."
    return Triple(
        subject=intro.owner,
        relation=intro.kin.relation,
        object=intro.name,
        text=text,
        subject_type="person",
        object_type=intro.kin.type,
        evidence=(evidence,),
        confidence=SURE,
    )


_WORDS = r"(?:the |a |an )?((?!(?:it|that|he|she|they|I|we|you) )[\w'-]+(?: [\w'-]+){0,3}?)"
_CORRECTED = re.compile(
    rf"(?:^|^(?:it|that|he|she|they|name|there) (?:is|was|are)(?: actually| really| called)? |\b(?:I )?meant )"
    rf"(?:in |on |at |to |from )?{_WORDS},? (?:and )?not (?:in |on |at |to |from )?{_WORDS}$",
    re.IGNORECASE,
)
_KIN_NAME = re.compile(rf"\bmy (?:new |old )?({KIN_WORDS})'s name\b.*?\b({NAME}),? (?:and )?not ({NAME})")


def may_correct(sentence: str) -> bool:
    """Whether ``sentence`` has the form of a correction."""
    return bool(_KIN_NAME.search(sentence) or _CORRECTED.search(strip_openers(sentence)))


def by_object(claims: Iterable[Triple]) -> dict[str, list[Triple]]:
    """The claims that retract nothing, in order, by the folded name of their object."""
    found: dict[str, list[Triple]] = {}
    for claim in claims:
        if not claim.retracts:
            found.setdefault(fold(claim.object), []).append(claim)
    return found


def corrections(sentence: str, before: Mapping[str, Sequence[Triple]], turn: Turn, evidence: str) -> Iterator[Triple]:
    """The claim put right and the mistaken one taken back, when ``sentence`` corrects one of ``before``.

    ``before`` are the speaker's claims so far, as ``by_object`` returns them; those with the mistaken object are meant.
    """
    if match := _KIN_NAME.search(sentence):
        yield from _name_corrected(match, turn, evidence)
        return
    match = _CORRECTED.search(strip_openers(sentence))
    if match is None:
        return
    right, wrong = match[1], match[2]
    for mistaken in before.get(fold(wrong), ()):
        text = re.sub(rf"\b{re.escape(mistaken.object)}\b", right, mistaken.text)
        yield from _pair(replace(mistaken, object=right, text=text, evidence=(evidence,)), mistaken)


def _pair(right: Triple, mistaken: Triple) -> Iterator[Triple]:
    text = f"It was a mistake that {mistaken.text}"
    yield replace(mistaken, retracts=True, evidence=right.evidence, text=text, valid_from=None, valid_until=None)
    yield right


def _name_corrected(match: re.Match[str], turn: Turn, evidence: str) -> Iterator[Triple]:
    word, right, wrong = match[1], match[2], match[3]
    claim = Triple(
        subject=turn.speaker,
        relation=KIN[word].relation,
        object=wrong,
        text=f"{wrong} is {possessive(turn.speaker)} {word}.",
        subject_type="person",
        object_type=KIN[word].type,
        evidence=(evidence,),
        confidence=SURE,
    )
    yield from _pair(replace(claim, object=right, text=f"{right} is {possessive(turn.speaker)} {word}."), claim)
