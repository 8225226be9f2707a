"""Facts and messages as lines of a context.

A fact stands under the name of its subject, in one of two forms. ``sentence`` is its whole sentence without the
subject. ``clause`` is a short form that still says it: the extractor's own ``brief``; else relation and object, when
the sentence has these words in a row and hardly another name or number; else the sentence, or its first part, when that
is not much longer; else relation and object after all, unless they do not read well. Dates are written as
2023-05-07, and are added where the words have none.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from mem0g.model import Fact
from mem0g.retrieve.context.dating import ISO, Dated, dated, iso, marks
from mem0g.text.english import NUMBERS
from mem0g.text.invisible import visible_text
from mem0g.text.remembering import remembered
from mem0g.text.stemming import token_set, tokens
from mem0g.text.token_count import count_words

MORE = 2
"""By how many words a part of the sentence may be longer than relation and object and still be preferred to them."""

MAX_LOST = 1
"""Names and numbers, dates aside, that relation and object may lack of those in the sentence: with two or more they
are one item of a list ("speaks Dutch, French and Thai"), or leave out who, where and how many."""

_ARTICLES = re.compile(
    r"\b(?:an?(?!\s+(?:bit|couple|day|decade|few|fortnight|great|good|hour|kilo|little|litre|lot|mile|minute|month|night"
    r"|number|pound|quarter|second|week|weekend|while|year)\b)|the(?!\s+(?:few|little|only)\b))\s+(?=[a-z])"
)
"""Articles that are left out: "the museum"; not "a few friends", which are some, nor "4200 euros a month"."""
_QUOTED = re.compile(r'("[^"]*"|“[^“”]*”)')
_PREPOSITIONS = ("at", "by", "for", "from", "in", "of", "on", "to", "with")
_NO_END = "".join(rf"(?<!\b{word})" for word in ("a", *_PREPOSITIONS))
_CUT = re.compile(
    rf"; |, (?!(?:{'|'.join(_PREPOSITIONS)})\b)|{_NO_END} (?=(?:because|so that|which|where|while|although|though)\b)"
)
"""Places where a sentence may end early: not in "a while ago", "in which", nor before ", in the forest", which says
where, or with whom."""
_ASIDE = re.compile(r", (?:(?:pictured|seen|shown)\b[^,;]*|as [^,;]* (?:do|does|did)), ")
"""What a photo shows, or who else does so, within a clause: "thinks that the studio, pictured with dancers, looks
amazing", "thinks that dancing, as Jon does, takes guts"."""
_CIRCUMSTANCE = re.compile(
    r"[,;.!?…)]|$| (?=\d|(?:after|and|as|at|because|before|but|by|during|for|from|in|of|on|since|so|when|where|which|"
    r"while|who|with)\b)"
)
"""What may follow the last word of a clause: a mark, a date, or a word with which a circumstance begins."""

_AROUND = re.compile(
    r"[a-z] (?:about|after|as|at|before|by|during|for|from|in|into|on|onto|over|through|with|without) [a-z]"
    r"|\b(?:gave|given|gives|added|sent|sends|showed|shows|brought|brings|submitted|donated|told|lent|taught) to [a-z]"
    r"|\b(?:about|because)$"
)
"""A relation that does not end before its object: "bought in Italy", "feels about", "wants to go because"."""
_READS_WELL = re.compile(
    r"(?:favou?rite|first|has|have|plans to|wants? to) |.* (?:about|at|by|for|from|in|of|on|to|through|with)$"
)
"""A relation that reads well before its object although the sentence has the words in another order: "inspired by"."""

_ME = re.compile(r"\b(?:I|I['’]\w+|[Mm]y|[Ww]e|[Oo]ur)\b")

_ANY_DATE = re.compile(rf"\b{ISO}\b")
_VERBAL = re.compile(r"(?:can|could|will|would|should|may|might|must|is|are|was|were|has|have|had)\b")
_GERUND = re.compile(r"[a-z]+ing\b")
_DATED_LEAD = re.compile(rf"(?P<when>(?:(?:In|On|By|As of) )?(?:early |late |mid-)?{ISO}),? ")


def one_line(text: str) -> str:
    """Return ``text`` with each run of white space as one space, so that no text starts a line of its own.

    What cannot be seen is left out: a person who reads the context sees all that a model is told.
    """
    return " ".join(visible_text(text).split())


def heading(subject: str) -> str:
    """Return the line above the facts of a subject."""
    return f"{one_line(subject)}:"


def sentence(fact: Fact, *, when: bool = False, now: datetime | None = None) -> Dated:
    """Return the fact's sentence for a line under its subject: without the subject, dated, in the past if retired.

    ``when`` adds the day on which it was said, where no other date is known; a state has the day on which it was
    observed. A plan whose day is over at ``now`` is marked as unanswered.
    """
    return dated(fact, _compact(fact.text, fact.subject), when=when, now=now, observed=True)


def stated(fact: Fact, *, now: datetime | None = None) -> str:
    """Return the fact's sentence for a line that names its subject, with the day on which it was said."""
    day = f", {fact.said_at.date().isoformat()}" if fact.said_at else ""
    return f"{one_line(fact.subject)}{day}: {sentence(fact, now=now)}"


def clause(fact: Fact, *, when: bool = False, listing: bool = False, now: datetime | None = None) -> Dated:
    """Return the shortest form of the fact that still says it, dated as ``sentence``.

    The day on which a state was observed takes three words: it is left out, but for plans and with ``when``.
    For a ``listing`` of several things it says what, and leaves out details that the extractor's ``brief`` has.
    """
    words, _ = _short_form(fact, listing=listing)
    return dated(fact, words, when=when, now=now)


def is_listed(fact: Fact, *, listing: bool = False) -> bool:
    """Whether the clause is relation and object, so that it can share a line with others of the same relation."""
    return _short_form(fact, listing=listing)[1]


def is_part_of_list(fact: Fact) -> bool:
    """Whether the sentence names more than relation and object do: "speaks Dutch, French and Thai", of Dutch."""
    words = _words(fact)
    return not (fact.brief or words.alias) and _in_order(words) and _names_lost(words) > 0


def item(fact: Fact, *, when: bool = False, now: datetime | None = None) -> Dated:
    """Return the clause of one of several facts that share a sentence: relation and object."""
    return dated(fact, _phrase(_words(fact)), when=when, now=now)


def one_more(fact: Fact, *, when: bool = False, now: datetime | None = None) -> Dated:
    """Return object and date: what a further fact of the same subject and relation adds to a line."""
    words = _thing(fact.subject, fact.object)
    return Dated(words, marks(fact, words, when=when, now=now))


@remembered
def details(text: str) -> frozenset[str]:
    """Return the stems of the names and numbers in ``text``: words with a digit, or capitals within a sentence."""
    found: set[str] = set()
    ended = True
    for word in iso(one_line(text)).split():
        bare = word.strip("\"'“”‘’()[]!?,.;:…")
        if any(map(str.isdigit, bare)) or (not ended and bare[:1].isupper() and not _ME.match(bare)):
            found.update(token_set(bare.removesuffix("'s").removesuffix("’s")))
        ended = word.rstrip("\"'”’)]")[-1:] in {".", "!", "?", ":", "…"}
    return frozenset(found)


@remembered
def counted(text: str) -> frozenset[str]:
    """Return the stems of the number words in ``text``, from two on: "two chickens"."""
    return frozenset().union(*map(token_set, set(text.casefold().split()).intersection(NUMBERS[2:])))


@remembered
def _compact(text: str, subject: str) -> str:
    """Return a sentence without its subject, articles and final stop, with dates as 2023-05-07."""
    text, subject = one_line(text), one_line(subject)
    rest = text.removeprefix(f"{subject} ").strip()
    if rest != text and rest and not rest.startswith(("and ", "or ")):  # "Ben and Clara are together"
        text = _own(rest, subject)
    parts = _QUOTED.split(text)
    text = "".join(part if place % 2 else iso(_ARTICLES.sub("", part)) for place, part in enumerate(parts))
    lead = _DATED_LEAD.match(text)
    if lead and text[lead.end() :].startswith(f"{subject} "):
        date = lead["when"]
        text = f"{text[lead.end() + len(subject) + 1 :].rstrip('.')} {date[0].lower()}{date[1:]}"
    return text if text.endswith("...") else text.rstrip(".") or text


class _Words(NamedTuple):
    """The words of a fact; ``alias``: whether it only gives its subject another name."""

    text: str
    subject: str
    relation: str
    object: str
    brief: str | None
    alias: bool


def _words(fact: Fact) -> _Words:
    alias = fact.subject_id == fact.object_id
    return _Words(fact.text, fact.subject, fact.relation, fact.object, fact.brief, alias)


def _short_form(fact: Fact, *, listing: bool) -> tuple[str, bool]:
    """Return the clause of the fact without dates, and whether it is relation and object."""
    words = _words(fact)
    is_item = listing and fact.brief and fact.object_type != "person"  # "advised Jo" is no item, but what she advised
    return _item(words) if is_item else _shortened(words)


@remembered
def _item(fact: _Words) -> tuple[str, bool]:
    """Return relation and object where the sentence says no less up to there, else the beginning of ``brief``."""
    if not fact.alias and _in_a_row(fact) and _ends_a_clause(fact) and not _lacks_its_verb(fact):
        return _phrase(fact), True
    return _cut(_ASIDE.sub(" ", _clause(fact)), fact), False


def _ends_a_clause(fact: _Words) -> bool:
    """Whether only circumstances follow the object: not so in "Ann advised Bo to rest", "wants Marley flooring"."""
    found = re.search(re.escape(one_line(fact.object)), _ASIDE.sub(" ", one_line(fact.text)), re.IGNORECASE)
    return found is not None and _CIRCUMSTANCE.match(found.string, found.end()) is not None


@remembered
def _shortened(fact: _Words) -> tuple[str, bool]:
    clause = _clause(fact)
    return clause, clause == _phrase(fact)


def _clause(fact: _Words) -> str:
    if fact.brief:
        return iso(one_line(fact.brief))
    whole, phrase = _compact(fact.text, fact.subject), _phrase(fact)
    most = count_words(phrase)
    if fact.alias or count_words(whole) <= most:  # of an alias, only the sentence has the name
        return whole
    if _in_a_row(fact):
        return phrase if _names_lost(fact) <= MAX_LOST and not _lacks_its_verb(fact) else whole
    if count_words(whole) > most + MORE:
        whole = _cut(whole, fact)
    is_enough = count_words(whole) > most + MORE and counted(whole) <= counted(phrase)
    return phrase if is_enough and not _is_stilted(fact) else whole


def _phrase(fact: _Words) -> str:
    """Return relation and object; a name within the relation has its capitals from the sentence: "advised Jon to"."""
    said = dict.fromkeys(one_line(fact.text).split()[1:])
    names = {word.lower(): word for word in said if word.istitle() and word.lower() not in said}
    relation = (names.get(word, word) for word in fact.relation.replace("_", " ").lower().split())
    words = " ".join(relation)
    return f"{'is' if words == 'has age' else words} {_thing(fact.subject, fact.object)}"


def _thing(subject: str, thing: str) -> str:
    """Return the name of an object under its subject: of "Olivia's job at Fjordlys", the job."""
    return _own(iso(one_line(thing)), one_line(subject))


def _own(text: str, subject: str) -> str:
    """Return what is said under its subject without the subject's name before what belongs to it: "sold Kim's bike"."""
    for mark in "'’":
        text = text.replace(f" {subject}{mark}s ", " ").removeprefix(f"{subject}{mark}s ")
    return text


def _in_a_row(fact: _Words) -> bool:
    """Whether the sentence has the words of relation and object in a row; its subject may stand between them."""
    subject = token_set(fact.subject)
    wanted, words = ([each for each in some if each not in subject] for some in (_told(fact), _stems(fact.text)))
    starts = range(len(words) - len(wanted) + 1)
    return any(words[start : start + len(wanted)] == wanted for start in starts)


def _in_order(fact: _Words) -> bool:
    """Whether the sentence has the words of relation and object in this order, others between them or not."""
    left = iter(_stems(fact.text))
    return all(stem in left for stem in _told(fact))


def _names_lost(fact: _Words) -> int:
    """Return how many names and numbers of the sentence, dates aside, relation and object lack."""
    had = details(_ANY_DATE.sub("", _compact(fact.text, fact.subject)))
    return len(had - token_set(fact.subject) - set(_told(fact)))


def _lacks_its_verb(fact: _Words) -> bool:
    """Whether the verb is in the object: "is doing" and "killing it", "thinks of mentors" and "can do wonders"."""
    return _VERBAL.match(fact.object) is not None or (
        fact.relation.endswith("DOING") and _GERUND.match(fact.object) is not None
    )


def _told(fact: _Words) -> list[str]:
    return [*_stems(fact.relation.replace("_", " ")), *_stems(fact.object)]


def _is_stilted(fact: _Words) -> bool:
    """Whether relation and object do not read well: "has personalities own personalities", "made for friend ice cream".

    They do where the sentence has their words in this order, and mostly where it says the same in others ("visited
    museum"); not where it puts the same words in another order ("saw play LeBron"), nor after "in Italy".
    """
    relation = fact.relation.replace("_", " ").lower()
    if token_set(relation) & token_set(fact.object):
        return True
    if _in_order(fact):
        return relation.endswith(" about") and relation not in one_line(fact.text).lower()
    if _AROUND.search(relation):
        return True
    return " " in relation and not _READS_WELL.match(relation) and set(_told(fact)).issubset(_stems(fact.text))


@remembered
def _stems(text: str) -> tuple[str, ...]:
    return tuple(tokens(text))


def _cut(text: str, fact: _Words) -> str:
    """Return the beginning of a sentence up to the first place after most of the object's words, if there is one.

    Words that the sentence puts in another way do not count: the object may be called "the fair on 24 April 2023". A
    sentence that does not begin with the subject stays whole: its beginning may say nothing.
    """
    if not one_line(fact.text).startswith(f"{one_line(fact.subject)} "):
        return text
    wanted = (token_set(fact.object) - token_set(fact.subject)).intersection(_stems(text))
    for place in (found.start() for found in _CUT.finditer(text)):
        start = text[:place]
        if start.count('"') % 2 == 0 and 2 * len(wanted.intersection(_stems(start))) > len(wanted):
            return start
    return text
