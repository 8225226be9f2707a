"""The rules extractor: messages to sentences, sentences to clauses, clauses to triples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from mem0g.extract.messages import ROLE_NAMES, is_person
from mem0g.extract.protocol import Window
from mem0g.extract.rules.clause_claims import clause_claims, named_after
from mem0g.extract.rules.corrections import corrections
from mem0g.extract.rules.couple_claims import couple_claims
from mem0g.extract.rules.decision_claims import announced, decision_claims, task_claims
from mem0g.extract.rules.ending_claims import ending_claims
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
from mem0g.extract.rules.grammar.drafts import without_draft
from mem0g.extract.rules.grammar.first_person import first_person
from mem0g.extract.rules.grammar.implied_subjects import implied_subject, is_about_others
from mem0g.extract.rules.grammar.introductions import (
    Introduction,
    introductions,
    named_in_predicate,
    presupposed,
    with_kin_for_title,
    with_name_last,
    with_names,
    without_ages,
)
from mem0g.extract.rules.grammar.kin import KIN
from mem0g.extract.rules.grammar.known_names import names_in, with_capitals
from mem0g.extract.rules.grammar.people import Subject, Turn, find_subject, two_subjects
from mem0g.extract.rules.grammar.pronouns import DIED, Mentioned
from mem0g.extract.rules.grammar.sentences import Clause, clauses, sentences
from mem0g.extract.rules.grammar.spellings import plain
from mem0g.extract.rules.instructions import with_instructions
from mem0g.extract.rules.introduction_claims import aged, introduced_claim, is_child
from mem0g.extract.rules.job_days import with_days_of_jobs
from mem0g.extract.rules.measured_claims import measured_claims
from mem0g.extract.rules.medicine_claims import medicine_claims
from mem0g.extract.rules.named_claims import named_claims
from mem0g.extract.rules.predicate import Predicate
from mem0g.extract.rules.predicate_claims import claims_of_predicate, coordinated
from mem0g.extract.rules.routine_claims import routine_claims
from mem0g.extract.rules.scheduled_claims import scheduled_claims
from mem0g.extract.rules.switch_claims import switch_claims
from mem0g.model import Message, Triple
from mem0g.text.code import without_code
from mem0g.text.countries import is_country
from mem0g.text.english import WEEKDAYS
from mem0g.text.invisible import visible_text


class RulesExtractor:
    """Extract the plain statements that people make about themselves and those close to them.

    English only; in other languages it finds nothing. Precision comes before recall: questions, suppositions, hearsay
    and what "it" or "they" did are left out. Needs no model and no key.
    """

    name = "rules"

    def extract(self, window: Window) -> tuple[Triple, ...]:
        """Return the claims of the window's new messages, in the order they are made, each once a message.

        One message alone that speaks of a known entity by its name, in whatever case, is read as its own words.
        """
        readings = map(self._read, (*_own_words(window), window))
        return next((found for found in readings if found), ())

    def names_wanted(self, window: Window) -> frozenset[str]:
        """Return words that may be names, of messages without capitals: "kasia passed her exam"."""
        return frozenset().union(*(names_in(visible_text(each.text)) for each in window.messages if is_person(each)))

    def _read(self, window: Window) -> tuple[Triple, ...]:
        session = window.messages[0].session
        context = tuple(_prose(each) for each in window.context if each.session == session)
        window = replace(window, context=context, messages=tuple(map(_prose, window.messages)))
        introduced = [_introductions_in(each) for each in (*window.context, *window.messages)]
        known = frozenset(_known_names(window, introduced))
        uncased = {each.id for each in window.messages if not any(map(str.isupper, each.text))}
        names = known.union(window.names)
        window = replace(window, messages=tuple(with_capitals(each, names) for each in window.messages))
        found: list[Triple] = []
        for number, message in enumerate(window.messages):
            if is_person(message):
                earlier = (*window.context, *window.messages[:number])
                named = frozenset(_named_kin(introduced[: len(earlier)]))
                turn = replace(_turn(message, window), named=named)
                turn = replace(turn, cased=False) if message.id in uncased else turn
                last = earlier[-1] if earlier and earlier[-1].speaker == message.speaker else None
                before = _last_sentence(last) if last else _question(earlier[-1] if earlier else None)
                found += _claims(message, turn, known, _antecedent(message, turn, known, last), before)
                found += corrections(message, turn, earlier, partial(_claims, turn=turn, known=known))
        return tuple(map(_with_country, with_instructions(window, found)))


def _own_words(window: Window) -> Iterator[Window]:
    """Yield the window with its one message as the words of each known entity of which it speaks by name."""
    for entity in window.known if len(window.messages) == 1 else ():
        message = window.messages[0]
        if text := first_person(message.text, entity.name):
            own = replace(message, speaker=entity.name, text=text)
            yield replace(window, messages=(own,), speakers=(entity.name,), known=())


def _prose(message: Message) -> Message:
    """Return the message without invisible characters, and without code and drafts, in which nobody states anything.

    Names that are given right after are given at once: "a cat named Pixel".
    """
    text = with_names(without_draft(without_code(visible_text(message.text))))
    text = _not_shouted(text)
    return message if text == message.text else replace(message, text=text)


def _not_shouted(text: str) -> str:
    """Return several words that are all in capitals in lower case, but those with a digit, which may be a code."""
    if not text.isupper() or sum(len(word) > 1 for word in text.split()) < 2:
        return text
    return _WITHOUT_DIGIT.sub(lambda word: word[0].lower(), text)


_WITHOUT_DIGIT = re.compile(r"(?<!\S)[^\s\d]+(?!\S)")


def _with_country(triple: Triple) -> Triple:
    """Return the triple with the type of a country for a place that is one."""
    known = triple.object_type == "place" and is_country(triple.object)
    return replace(triple, object_type="country") if known else triple


def _turn(message: Message, window: Window) -> Turn:
    speakers = set(window.speakers) | {m.speaker for m in (*window.context, *window.messages)}
    others = {name for name in speakers if name.lower() not in ROLE_NAMES} - {message.speaker}
    addressee = others.pop() if len(others) == 1 and len(speakers) == 2 else None
    return Turn(message.speaker, addressee, any(map(str.isupper, message.text)), frozenset(others))


_Introductions = list[tuple[Introduction, bool]]
"""Whom a message introduces, each with whether it asks about them."""


def _introductions_in(message: Message) -> _Introductions:
    turn = Turn(message.speaker, "")
    said = sentences(plain(message.text))
    return [(each, sentence.question) for sentence in said for each in introductions(sentence.text, turn)]


def _known_names(window: Window, introduced: Sequence[_Introductions]) -> Iterator[str]:
    """Yield names of people and pets: the speakers', and those introduced in the window."""
    yield from window.speakers
    yield from (message.speaker for message in (*window.context, *window.messages))
    yield from (each.name for each, _ in chain.from_iterable(introduced))


def _named_kin(introduced: Sequence[_Introductions]) -> Iterator[tuple[str, str, str]]:
    """Yield the names given to single kin, but not in questions: whose, the word for kin, the name."""
    for each, asked in chain.from_iterable(introduced):
        if not each.kin.plural and not asked:
            yield each.owner, each.word, each.name


@dataclass
class _Reading:
    """The state while a message is read: ``mentioned`` is whom "he" or "she" may mean, ``previous`` the last sentence,
    ``earlier`` those before it.

    ``being`` is the subject of the clause before and the form of "be" that follows it, if one does.
    """

    message: Message
    turn: Turn
    known: frozenset[str]
    mentioned: Mentioned = field(default_factory=Mentioned)
    previous: str = ""
    earlier: list[str] = field(default_factory=list)
    being: tuple[Subject, str] | None = None
    found: dict[tuple[str, str, str, bool], Triple] = field(default_factory=dict)

    def add(self, triple: Triple) -> None:
        """Keep the triple unless the message has made that claim before."""
        self.found.setdefault((triple.subject, triple.relation, triple.object, triple.retracts), triple)


def _claims(
    message: Message, turn: Turn, known: frozenset[str], antecedent: Subject | None = None, before: str = ""
) -> list[Triple]:
    return with_days_of_jobs(_read(message, turn, known, antecedent, before).found.values(), message)


def _read(
    message: Message, turn: Turn, known: frozenset[str], antecedent: Subject | None = None, before: str = ""
) -> _Reading:
    reading = _Reading(message, turn, known, Mentioned(antecedent), before)
    for sentence in sentences(plain(message.text)):
        if sentence.question:
            _add_introduced(presupposed(sentence.text, turn), (), reading)
        else:
            _read_sentence(sentence.text, reading)
        reading.earlier.append(reading.previous)
        reading.previous = sentence.text
    return reading


_BEGINS_WITH_PRONOUN = re.compile(r"(?:(?:and|but|oh|so|yes|actually|well),? )*(?=(?:he|she)\b)", re.IGNORECASE)


def _antecedent(message: Message, turn: Turn, known: frozenset[str], last: Message | None) -> Subject | None:
    """Return whom "he" or "she" at the beginning means, by the message before of the same speaker: a relative."""
    begins = _BEGINS_WITH_PRONOUN.match(message.text)
    if not (last and begins):
        return None
    meant = _read(last, turn, known).mentioned.meant(message.text[begins.end() :])
    return meant if meant and meant.gender else None


def _question(last: Message | None) -> str:
    """Return the question that the message before, of another speaker, ends in; "" if it does not."""
    said = list(sentences(plain(last.text))) if last else []
    return f"{said[-1].text}?" if said and said[-1].question else ""


def _last_sentence(message: Message | None) -> str:
    said = [sentence.text for sentence in sentences(plain(message.text))] if message else []
    return said[-1] if said else ""


_DIED = re.compile(rf"{DIED.pattern}|\b(?:ran away|lost (?:my|our))\b")
OPENING = 2
"""Words at most before a date that still begins the sentence: "Anyway, in March, I moved"."""
_MOVED_OUT = re.compile(r"\bmoved (?:out|away)\b(?! of)")


def _read_sentence(text: str, reading: _Reading) -> None:
    if _quotes_somebody(text):
        return
    if stated := list(named_claims(text, reading.message.id)):
        for triple in stated:
            reading.add(triple)
        return
    text, ages = without_ages(with_kin_for_title(with_name_last(text), reading.known))
    dated = take_dates(text)
    message = reading.message
    for triple in (
        *measured_claims(text, reading.turn.speaker, message.id),
        *announced(dated.text, dated.expressions, message.local_time, reading.turn, message.id),
    ):
        reading.add(triple)
    _add_children(ages, reading)
    leading_date, said = "", False
    reading.being = None
    for number, clause in enumerate(clauses(dated.text)):
        bare = without_marks(clause.text)
        if not bare.strip(" ,"):
            leading_date = "" if said else clause.text
            continue
        said = said or len(bare.split()) > OPENING
        introduced = [*introductions(bare, reading.turn), *_named_after(bare, reading)]
        died = _DIED.search(bare) is not None
        introduced = [each for each in introduced if not (died and each.kin.relation == "has_pet")]
        if died or _MOVED_OUT.search(bare):  # who is introduced comes before what ends what they were
            _add_introduced(introduced, ages, reading)
        _read_clause(clause, leading_date, dated, reading, first=number == 0)
        leading_date = ""
        _add_introduced(introduced, ages, reading)


def _add_children(ages: Sequence[tuple[str, str]], reading: _Reading) -> None:
    """Add the ages in brackets after names: "Imani (8) has a bike". Of a number over 17, it may be something else."""
    for name, age in ages:
        if is_child(name, age):
            reading.add(aged(name, age, reading.message.id))


def _add_introduced(introduced: Sequence[Introduction], ages: Sequence[tuple[str, str]], reading: _Reading) -> None:
    for intro in introduced:
        reading.add(introduced_claim(intro, reading.message.id))
        for age in (age for name, age in ages if name == intro.name and intro.kin.type == "person"):
            reading.add(aged(intro.name, age, reading.message.id))


_FIRST_PERSON = re.compile(r"\b(?:I|we) [a-z']+|\b(?:my|our) [a-z]")


def _quotes_somebody(text: str) -> bool:
    """Whether words of the first person are in quotes: another one's."""
    pieces = text.split('"')
    quoted = pieces[1::2] if len(pieces) % 2 or text.startswith('"') else pieces[1:-1:2]
    return any(map(_FIRST_PERSON.search, quoted))


def _read_clause(clause: Clause, leading_date: str, dated: DatedSentence, reading: _Reading, *, first: bool) -> None:
    text = clause.text
    while text.startswith(OPEN):
        mark, _, text = text.partition(CLOSE)
        leading_date, text = mark + CLOSE, text.strip(" ,")
    antecedent = reading.mentioned.meant(text)
    found = find_subject(text, reading.turn, antecedent, reading.known)
    implied = None if found else _implied(text, reading, first=first)
    if clause.real:
        message = reading.message
        whole = f"I {implied[1]}" if implied and implied[0].first else text
        worded = _with_dates(whole, dated, reading)
        for triple in (
            *clause_claims(worded, reading.turn, message.id),
            *medicine_claims(worded, reading.turn, message.id),
            *switch_claims(worded, reading.turn, message.id),
            *routine_claims(worded, reading.turn, message.id),
            *scheduled_claims(whole, dated.expressions, message.local_time, reading.turn, message.id),
            *decision_claims(_with_weekdays(whole if implied else clause.text, dated), reading.turn, message.id),
            *task_claims(text, dated.expressions, message.local_time, reading.turn, message.id),
            *couple_claims(whole, dated.expressions, message.local_time, reading.turn, message.id),
            *ending_claims(
                f"{leading_date} {whole}".strip(), dated.expressions, message.local_time, reading.turn, message.id
            ),
        ):
            reading.add(triple)
    if clause.real and (both := two_subjects(text, reading.turn, reading.known)):
        parts = coordinated(both[1], leading_date)
        for triple in (each for subject in both[0] for each in _said_of(subject, parts, dated, reading)):
            reading.add(triple)
        return
    stated = found or implied
    if not stated:
        reading.mentioned = reading.mentioned.beside(text, reading.turn.speaker)
        return
    subject, words = stated
    reading.being = (subject, match[1]) if (match := _BE_OF_CLAUSE.match(words)) else None
    reading.mentioned = reading.mentioned.after(subject, words)
    if clause.real:
        for triple in _said_of(subject, coordinated(words, leading_date), dated, reading):
            reading.add(triple)


def _implied(text: str, reading: _Reading, *, first: bool) -> tuple[Subject, str] | None:
    """Return the subject of a clause that has none: of the first of a sentence, or that of the clause before."""
    if reading.previous.endswith("?") and is_about_others(reading.previous):
        return None  # the answer to a question of another
    if first:
        return implied_subject(text, reading.turn, reading.mentioned.meant(text), reading.previous)
    return _same_subject(text, reading)


_BE_OF_CLAUSE = re.compile(r"(am|is|are) ")
_FURTHER = re.compile(r"(?:(?:also|still|now|sadly|severely|very) )*(?:allergic|intolerant|lactose|gluten|diabetic)\b")
"""A complement that is said after "but", of the subject of the clause before."""


def _same_subject(text: str, reading: _Reading) -> tuple[Subject, str] | None:
    """Return the subject of the clause before for a complement without one: "I'm vegan, but allergic to soy"."""
    if reading.being and _FURTHER.match(text):
        subject, be = reading.being
        return subject, f"{be} {text}"
    return None


def _said_of(subject: Subject, parts: Sequence[str], dated: DatedSentence, reading: _Reading) -> Iterator[Triple]:
    """Yield the claims of a subject's predicates; kin that get a name are not claimed without it too."""
    message = reading.message
    named = [each for part in parts for each in named_in_predicate(part, subject.name)]
    yield from (introduced_claim(intro, message.id) for intro in named if not subject.first)
    relations = {intro.kin.relation for intro in named} - ({"has_pet"} if subject.first else set())
    for part in parts:
        predicate = Predicate(subject, part, reading.turn, message.local_time, dated.expressions, message.id)
        yield from (triple for triple in claims_of_predicate(predicate) if triple.relation not in relations)


_WEEKDAY = re.compile(rf"(?:{'|'.join(WEEKDAYS)})s?", re.IGNORECASE)


def _with_weekdays(text: str, dated: DatedSentence) -> str:
    """Return ``text`` with weekdays in place of their marks: "Tuesday it is"."""
    for number in marks(text):
        if _WEEKDAY.fullmatch(dated.expressions[number]):
            text = text.replace(f"{OPEN}{number}{CLOSE}", dated.expressions[number])
    return text


def _with_dates(text: str, dated: DatedSentence, reading: _Reading) -> str:
    at = reading.message.local_time
    return with_words(text, lambda number: resolve(dated.expressions[number], at, future=False).words)


def _named_after(clause: str, reading: _Reading) -> list[Introduction]:
    """Return names given in the sentence after: "We have a dog. Her name is Pepper"."""
    before = " . ".join((*reading.earlier[-2:], reading.previous))
    word, names = named_after(clause, before, reading.turn) or ("", [])
    return [Introduction(reading.turn.speaker, KIN[word], word, name) for name in names]
