"""Claims of a clause's verb: the first verb pattern that fits a predicate and finds an object in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.days import WEEKDAY
from mem0g.extract.rules.grammar.kin import KIN_WORDS
from mem0g.extract.rules.grammar.nouns import BUSINESSES
from mem0g.extract.rules.grammar.objects import READERS, with_type
from mem0g.extract.rules.grammar.people import NAME, Subject, Turn
from mem0g.extract.rules.grammar.referents import Referent, is_count, is_time, without_days
from mem0g.extract.rules.grammar.verb_phrases import BASES, PRESENT, Pattern, compiled
from mem0g.extract.rules.implied_claims import beside_the_end, implied_by
from mem0g.extract.rules.limits import beside_the_job, limited, stays
from mem0g.extract.rules.predicate import GOING_ON, Predicate
from mem0g.extract.rules.themes import patterns
from mem0g.extract.rules.themes.events import refined
from mem0g.extract.rules.verb_texts import text_of
from mem0g.model import LITERAL, Triple
from mem0g.text.verbs import IRREGULAR, gerund, past, third
from mem0g.times import Moment

SURE, FAIR = 0.9, 0.8
"""Confidence in a claim found by a theme of its own, and by the table of verbs or a sentence template. Both are a
little below the share that was right in hand-checked samples of LOCOMO conversations (0.93 to 0.97)."""

ADVERBS = frozenset(
    """
    just really also actually recently finally still currently now so totally always already even absolutely
    definitely truly super quite lately honestly literally kinda basically officially once ever only usually often
    sometimes simply both all proudly happily sadly luckily accidentally probably certainly personally never-ever
    eventually immediately highly quickly secretly occasionally regularly initially originally obviously clearly
    """.split()
)
"""Words around a verb that are left out before patterns are matched."""
_AUXILIARIES = frozenset("am is are was were have has had do does did will been be not".split())
_ENDED = re.compile(
    r"^(?:(?P<be>am|is|are) |(?:do|does|have|has) )?(?:no longer |not (?=.*\bany ?more\b"
    r"|.*\bafter all\b|.*\bany longer\b))"
)
_DENIED = re.compile(
    r"^(?:(?P<be>am|is|are) |(?:do|does) )not (?=(?:allergic|intolerant|married|engaged|dating|living|working) "
    r"|(?:live|work) (?:in|at|for|as) |(?:play|speak) |take (?!it|that|this|the|an?|my|any|long\b)"
    r"|have an? (?:car|bike|boyfriend|girlfriend|partner|laptop|tv)$)"
    r"(?!.*\b(?:yet|any ?more|any longer|after all|only|just|for|on|with|far)\b)"
)
"""A denial of a state, which tells nothing of what was before."""
_ENDING = re.compile(r"(?<!\s)\s*\b(?:any ?more|any longer|after all)\b")
_STOPPED = re.compile(r"^(?:have |has )?(?:stopped|quit|given up|gave up) (?=\w+ing )")
_MANAGED = re.compile(
    r"^(?:was able to|were able to|managed to|got to|had to|(?:had|got) (?:the|a|an) (?:great |amazing |incredible )?"
    r"(?:chance|opportunity|honor|pleasure|privilege) to) (\w+)(?= )"
)
_TAKEN_OFF = re.compile(r"^((?:am|is|are) )(?:taking|having) (\u27e6\d+\u27e7) off\b")
_HARD = re.compile(r"^((?:(?:am|is|are|have been|has been) )?\w+(?:ing|ed)) (?:really |so |super )?hard (?=on |for )")
"""An adverb of degree between verb and particle."""
_RECIPIENT = re.compile(
    rf"(?:(?:me|us|him|her|them|myself|everyone|people|the (?:kids|children|boys"
    rf"|girls|baby|team))|(?:my|our) (?:[\w-]+ )?(?:{KIN_WORDS})|{NAME}) "
    r"(?=(?:a|an|some|the|this|these|my|our|two|three|lots of) )"
)
"""An indirect object: "made my friend some ice cream"."""
_SOMEBODY_ELSE = re.compile(r"(?:him|her|them) ")
"""A recipient who is not named: without one, "got her a goat" would be of the subject's own goat."""
_THEIR = re.compile(r"(?P<whose>his|her|their) (?=[a-z])")
_OF_ONE = frozenset({"lives_in", "plans_to_live_in", "works_at", "born_in", "studies_at"})
"""Relations with one object at a time: of a list, the first is taken."""
_RELATIONS_OF_YOU = frozenset({"lives_in", "works_at", "works_as", "studies_at"})
"""Relations that a speaker can state of the addressee, as they are neither guesses nor compliments."""


def verb_claims(predicate: Predicate) -> Iterator[Triple]:
    """Yield the triples of the first pattern that fits: one for each object it names."""
    said = predicate
    predicate = replace(predicate, words=_as_done(_without_adverbs(predicate.words)))
    continued = _ended(predicate.words)
    found = _first_fit(predicate, predicate.words if continued is None else continued, ended=continued is not None)
    if not found and continued:
        found = _stopped(predicate) if _STOPPED.match(predicate.words) else _no_longer(predicate, continued)
    if _DENIED.match(predicate.words):
        found = [each for each in found if each.retracts]
    for triple in (beside_the_job(each, said) for each in found):
        yield triple
        yield from implied_by(triple, predicate)


def _stopped(predicate: Predicate) -> list[Triple]:
    """Return that an activity was given up, and of "stopped going to the gym" that "goes to the gym" is over."""
    deed = _first_fit(predicate, predicate.words, ended=False)
    doing, _, rest = _STOPPED.sub("", predicate.words).partition(" ")
    words = f"{_DOING[doing]} {rest}" if doing in _DOING else ""
    over = (_first_fit(predicate, words, ended=True) or _no_longer(predicate, words)) if words else []
    return [*(each for each in over if each.retracts), *deed]


_DOING = {gerund(base): base for base in (*PRESENT, *IRREGULAR)}
"""Base forms of verbs by their -ing form."""
_GIVEN_UP = re.compile(
    r"(take|use|speak|watch|read|visit|rent|ride|support|teach|train|coach|run|collect|practice|attend|follow|wear|own"
    r"|drink|eat|smoke|have|play(?! (?:an?|for)\b)) (?!to\b)"
)
_ABSTAINED = re.compile(r"(?:smoke|drink|drive|swim|cook)(?=$|,| (?:and|at all|but)\b)")


def _no_longer(predicate: Predicate, words: str) -> list[Triple]:
    """Return what is over of a verb whose object no pattern reads: "no longer use Slack", "no longer smoke"."""
    verb, _, rest = words.partition(" ")
    words = f"{BASES.get(verb, verb)} {rest}".strip()
    if _ABSTAINED.match(words):
        pattern = Pattern("", "does_not", "abstained", "activity")
        return _read(pattern, words, predicate, ended=False)
    match = _GIVEN_UP.match(words)
    if match is None:
        return []
    pattern = Pattern(match[1], "owns" if match[1] == "have" else third(match[1]), "thing")
    over = _read(pattern, words[match.end() :], predicate, ended=True)
    return [*over, *chain.from_iterable(beside_the_end(each, pattern, match[0]) for each in over)]


def _first_fit(predicate: Predicate, words: str, *, ended: bool) -> list[Triple]:
    """Return the claims of the first pattern that fits ``words`` and finds an object; ``ended``: they are over."""
    unending = ("event", "booking", "plan") if _STOPPED.match(predicate.words) else ("event", "booking")
    for pattern in patterns():
        if (ended and (pattern.mode in unending or pattern.retracts)) or (pattern.ended and not ended):
            continue
        if pattern.open and predicate.subject.guessed:
            continue
        match = compiled(pattern.words).match(words)
        if match is None:
            continue
        rest = words[match.end() :].strip()
        if found := _read(_with_relation(pattern, match), rest, predicate, ended=ended):
            beside = (beside_the_end(each, pattern, match[0]) for each in found if each.retracts)
            return [*found, *chain.from_iterable(beside)]
    return []


def _without_adverbs(words: str) -> str:
    """Return the predicate without the adverbs around its verb; a date among them moves to its end."""
    all_words = words.split()
    head: list[str] = []
    late: list[str] = []
    for index, word in enumerate(all_words):
        if word.startswith("\u27e6"):
            late.append(word)
        elif word.lower().strip(",") not in ADVERBS:
            head.append(word)
            if word not in _AUXILIARIES:
                return " ".join(head + all_words[index + 1 :] + late)
    return " ".join(head + late)


def _as_done(words: str) -> str:
    """Return "was able to raise" or "had the chance to raise" as "raised", and "worked hard on" as "worked on"."""
    words = _TAKEN_OFF.sub(r"\1off \2", words)
    return _HARD.sub(r"\1 ", _MANAGED.sub(lambda match: past(match[1]), words))


def _ended(words: str) -> str | None:
    """Return the predicate that no longer holds: "no longer play tennis" is "play tennis". None if nothing ended."""
    if match := _ENDED.match(words) or _DENIED.match(words):
        return (f"{match['be']} " if match["be"] else "") + _ENDING.sub("", words[match.end() :])
    if match := _STOPPED.match(words):
        return "am " + words[match.end() :]
    return None


def _with_relation(pattern: Pattern, match: re.Match[str]) -> Pattern:
    """Return the pattern with the relation completed by the verb that it leaves open."""
    if "verb" not in match.groupdict():
        return pattern
    words = match["verb"] + (match.groupdict().get("particle") or "")
    return replace(pattern, relation=f"{pattern.relation}_{words.replace(' ', '_')}".strip("_"))


def _read(pattern: Pattern, rest: str, predicate: Predicate, *, ended: bool) -> list[Triple]:
    """Return a triple for each object of the pattern's kind at the beginning of ``rest``."""
    dates = predicate.dates(pattern)
    if not _fits_dates(pattern, dates, ended) or (
        predicate.subject.type == "you" and pattern.relation not in _RELATIONS_OF_YOU
    ):
        return []
    if pattern.kind == "date":
        until = pattern.relation == "is_away"
        return [_triple(pattern, each, rest, predicate, dates, ended) for each in _dated_referents(dates, until)]
    if (pattern.relation, pattern.soon) == ("turns", True) and not any(
        _is_after(date, predicate) for date in dates
    ):  # "I am 30 today"
        return []
    if pattern.mode == "state" and _is_on_a_day(predicate, dates, ended):
        return []
    recipient = _RECIPIENT.match(rest)
    if recipient and _SOMEBODY_ELSE.match(rest):
        return []
    words = rest[recipient.end() :] if recipient else rest
    theirs = _is_of_subject(words, predicate.subject)
    words = _THEIR.sub("my ", words) if theirs else words
    own = theirs or pattern.kind == "kin"
    turn = replace(predicate.turn, speaker=predicate.subject.name) if own else predicate.turn
    referents = tuple(map(without_days, with_type(READERS[pattern.kind](words, turn), pattern.type)))
    if recipient:
        length = len(recipient[0].split())
        referents = tuple(replace(referent, length=referent.length + length) for referent in referents)
    subject = predicate.subject
    others = [each for each in referents if each.name != subject.name and not _is_no_thing(pattern, each, subject)]
    if pattern.relation in _OF_ONE:
        others = others[:1]
    found = [_triple(pattern, referent, rest, predicate, dates, ended) for referent in others]
    after = " ".join(rest.split()[max((each.length for each in others), default=0) :])
    found = limited(found, pattern.kind, after, predicate, ended=ended)
    if pattern.relation == "works_as" and found and not ended and not pattern.retracts:
        found += _employer(found[0], " ".join(rest.split()[others[0].length :]), turn)
    elif pattern.relation in ("lives_in", "lives_with") and len(found) == 1 and not (ended or pattern.retracts):
        found += _shared_home(found[0], after, predicate)
    return found


def _is_of_subject(words: str, subject: Subject) -> bool:
    """Whether an object is the subject's own: "Tom passed his exam"; "her exam" is not his if he is a man."""
    match = None if subject.first else _THEIR.match(words)
    if match is None:
        return False
    if match["whose"] == "their":
        return subject.plural
    return not subject.plural and subject.gender in ("", "m" if match["whose"] == "his" else "f")


def _shared_home(home: Triple, after: str, predicate: Predicate) -> list[Triple]:
    """Return with whom somebody lives in a place, or where with somebody: "in Rome with my mum"."""
    together = home.relation == "lives_with"
    where = "stays_in" if stays(predicate) else "lives_in"
    relation, word, kind = (where, "in ", "home") if together else ("lives_with", "with ", "person")
    named = READERS[kind](after.removeprefix(word), predicate.turn)[:1] if after.startswith(word) else ()
    return [replace(home, relation=relation, object=each.name, object_type=each.type or kind) for each in named]


def _employer(job: Triple, after: str, turn: Turn) -> list[Triple]:
    """Return where the job is that a claim names: "a nurse at St James's"."""
    match = re.match(r"(?:at|for|with) (?=[A-Z])", after)
    named = READERS["place"](after[match.end() :], turn) if match else ()
    return [replace(job, relation="works_at", object=each.name, object_type="organization") for each in named]


def _is_no_thing(pattern: Pattern, referent: Referent, subject: Subject) -> bool:
    """Whether an object is but a number, or when something is: "signed up for French, mondays and thursdays".

    Or a business of what is perhaps nobody: "Bath has a new café".
    """
    if subject.guessed and pattern.relation == "owns" and referent.name.split()[-1].lower() in BUSINESSES:
        return True
    counted = referent.type != LITERAL and is_count(referent.name)
    return counted or (pattern.kind not in ("date", "day_off") and is_time(referent.name))


def _is_after(date: ResolvedDate, predicate: Predicate) -> bool:
    """Whether a date is after the day of the message."""
    return bool(date.moment and predicate.at and date.moment.start.date() > predicate.at.date())


_ON_A_DAY = re.compile(rf"{GOING_ON.pattern}(?!.* (?:for|before) .*{OPEN}).*{OPEN}")


def _is_on_a_day(predicate: Predicate, dates: list[ResolvedDate], ended: bool) -> bool:
    """Whether what looks like a state is for a day: "I am playing tennis on Friday", "we eat fish on Friday"."""
    coming = _ON_A_DAY.match(predicate.words) is not None and any(map(_is_a_day_ahead, dates))
    return coming or (not ended and _is_habit(predicate))


_ON_WEEKDAY = re.compile(rf"(?:on )?{WEEKDAY}", re.IGNORECASE)
_HABIT = re.compile(rf"(?!(?:am|is|are|have|has|had|do|does|did)\b)(?P<verb>[a-z]+) .*?{OPEN}(?P<mark>\d+){CLOSE}")


def _is_habit(predicate: Predicate) -> bool:
    """Whether something is done on each of a weekday."""
    match = _HABIT.match(predicate.words)
    if match is None or match["verb"] not in PRESENT | BASES.keys():
        return False
    return _ON_WEEKDAY.fullmatch(predicate.expressions[int(match["mark"])]) is not None


def _is_a_day_ahead(date: ResolvedDate) -> bool:
    return bool(date.future and date.sense == "at" and date.moment and date.moment.precision == "day")


def _dated_referents(dates: list[ResolvedDate], until: bool = False) -> tuple[Referent, ...]:
    """Return the first date as an object: "June 2024" of "retires in June"; or with ``until`` an end."""
    senses = ("at", "since", "until") if until else ("at", "since")
    named = next((date for date in dates if date.moment and date.sense in senses), None)
    words = re.sub(r"^(?:on|in|from|since|around|at) (?:the )?", "", named.words) if named else ""
    return (Referent(words, LITERAL, "", 0),) if words else ()


def _fits_dates(pattern: Pattern, dates: list[ResolvedDate], ended: bool) -> bool:
    """Whether the dates are of the kind that the pattern requires, and none of the kind that it excludes."""
    ahead = any(date.future for date in dates)
    if pattern.soon and ended:
        return True
    if pattern.soon or (pattern.undated and ahead):
        return pattern.soon and ahead
    if pattern.mode == "event" and ahead:
        return False
    if pattern.relation == "reads" and any(date.moment and date.sense == "at" for date in dates):
        return False  # "read" may be a past
    return not pattern.lasting or any(date.sense in {"for", "since"} for date in dates)


_IS_IN = re.compile(r"(?:am|is|are) in ")
"""What says where somebody is now: "is in Rome until Friday"."""


def _triple(
    pattern: Pattern, referent: Referent, rest: str, predicate: Predicate, dates: list[ResolvedDate], ended: bool
) -> Triple:
    relation = referent.type if pattern.kind == "kin" else refined(pattern.relation, referent.type)
    start, until, planned = _validity(pattern, dates, ended)
    if relation == "lives_in" and not ended and stays(predicate):
        relation, start = "stays_in", None
    if relation == "plans_to_visit" and until and not planned and _IS_IN.match(predicate.words):
        relation = "stays_in"
    text = text_of(predicate, pattern, referent, rest, dates)
    return Triple(
        subject=predicate.subject.name,
        relation=relation,
        object=referent.name,
        text=text.replace(referent.words, referent.name) if _is_recased(referent) else text,
        subject_type=_subject_type(predicate, relation, referent),
        object_type="person" if pattern.kind == "kin" else referent.type,
        valid_from=start,
        valid_to=until,
        planned_for=planned,
        evidence=(predicate.evidence,),
        retracts=ended or pattern.retracts,
        confidence=SURE if pattern.type else FAIR,
    )


def _is_recased(referent: Referent) -> bool:
    """Whether a name got capitals that its words lack: Oslo of "oslo"."""
    return bool(referent.words) and referent.name.casefold() == referent.words.casefold()


def _subject_type(predicate: Predicate, relation: str, referent: Referent) -> str:
    """Return the type of the subject: "" of a bare name of which a death is told, which may be a pet."""
    subject = predicate.subject
    died = relation == "died_on" or (relation, referent.name) == ("is", "dead")
    if died and subject.type == "person" and subject.shown == subject.name and "'" not in subject.name:
        return ""
    return "person" if subject.type == "you" else subject.type


_Times: TypeAlias = tuple[Moment | None, Moment | None, Moment | None]


def _validity(pattern: Pattern, dates: list[ResolvedDate], ended: bool) -> _Times:
    """Return begin, end and what it is planned for.

    An event fills its date; a plan or a booking has the day ahead that it is for, of a range the first and the last; a
    state begins when it is said to, and is planned for a day ahead ("I live in Rome from March").
    """
    dated = next((date for date in dates if date.moment and (date.future or pattern.mode != "booking")), None)
    dated = dated or next((date for date in dates if date.moment), None)
    if dated is None:
        return None, None, None
    moment, sense = dated.moment, dated.sense
    if dated.future and sense in ("at", "since") and pattern.mode in ("plan", "booking"):
        return None, None if ended or pattern.retracts else dated.until, moment
    if ended or pattern.retracts:
        return None, moment if sense == "at" else None, None
    if sense == "until":
        return None, moment, None
    if dated.until:
        return moment, dated.until, None
    if pattern.mode in ("event", "booking"):
        return (moment, moment, None) if sense == "at" else (moment if sense == "since" else None, None, None)
    if dated.future:
        return None, None, moment if sense == "since" else None
    begun = pattern.since or pattern.mode == "plan" or sense in {"since", "for"}
    return (moment if begun else None), None, None
