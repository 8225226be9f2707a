"""The subject of a sentence that has none: "Just adopted a puppy", "Lives in Nantes now"."""

from __future__ import annotations

import re

from mem0g.extract.rules.grammar.kin import KIN_WORDS
from mem0g.extract.rules.grammar.people import Subject, Turn, may_be_person
from mem0g.extract.rules.grammar.verb_phrases import PAST, PRESENT
from mem0g.text.stemming import content, token_set

_ONGOING = re.compile(
    r"(?:Hoping|Planning) to |Going to (?!be )|(?:Thinking|Dreaming) (?:of|about) |Looking forward to "
    r"|Working on |Reading |Researching "
)
_OF_ONESELF = re.compile(
    r"[Cc]an not (?:wait|stand|eat|drink|do|make) |(?:Highly |Definitely )?[Rr]ecommend |Do not (?:eat|drink|like|smoke"
    r"|drive)\b"
    r"|(?:Live|Work|Study) (?:in|at|as|for|with) "
)
_COMPLEMENT = re.compile(
    r"(?:(?:[Ss]everely |[Vv]ery )?[Aa]llergic to|Off to|Married to|Engaged to|Back from|Not \w+ing"
    r"|(?:[Ss]elling|[Mm]oving|[Rr]enting|[Ll]earning|[Tt]raining|[Ff]lying|[Vv]isiting|[Gg]etting|[Ww]orking|[Ll]iving"
    r"|[Ss]tudying|[Ss]tarting|[Jj]oining) "
    r"(?:my|our|an?|the|to|for|at|in|on|as|from|with)|(?:[Mm]oving|[Ff]lying)(?: out| in| house| home)?(?= \u27e6)) "
)
"""The beginning of a sentence that lacks "I am"."""
_OF_I = re.compile(
    r"[Aa]m (?!I\b)[a-z]"
    r"|[Hh]ave (?:just |now |already |finally )?(?:started|booked|bought|moved|sold|joined|signed|quit|given)\b"
)
"""A verb whose subject can only be "I": "am learning Italian"."""
_THEIRS = re.compile(r"\b(?:his|her|their)\b")
_NO_LONGER = re.compile(r"No longer ([a-z]+)\b(?! (?:is|are|was|were)\b)")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|helps?|makes?|made|feels?|felt|will|would|sounds?|takes?|took|gives?|keeps?|means"
    r"|can|does|did|do|seems?|requires?|costs?|pays?|sucks?|rocks?|beats?|kills?)\b"
)
"""A verb of which a gerund before it is the subject: "Moving to Rome was hard"."""
_VERB_OF_ANOTHER = re.compile(
    r"(?:is|has|was|lives|works|studies|teaches|likes|loves|hates|plays|wants|does|will|moved|got|went|bought)\b"
)
"""What follows a name that looks like a verb: "Drew works at the bakery", "Rose moved to Bath"."""
_NOT_ONESELF = re.compile(r"(?:was|were) (?:my|our|the) ", re.IGNORECASE)
"""What says who or what something was, not the speaker: "Was my last day at Ikea"."""
_ELIDED = re.compile(
    r"(?:[Jj]ust|[Ff]inally|[Rr]ecently|Also|Been|Have been) (?=[a-z]+(?:ed|ing|t|ot|ught|nt|w)\b)|(?=[A-Za-z][a-z]+ )"
)

_OF_SPEAKER = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours|ourselves)\b", re.IGNORECASE)
_ALSO_IMPLIED = re.compile(r"(?:Also|Been|Have been) ")
_ANNOUNCING = token_set("news update")


def _begins_with_name(text: str) -> bool:
    word = re.match(r"[A-Z][a-z]+(?= [a-z])", text)
    return word is not None and may_be_person(word[0], "is ")


_DEFINITE = re.compile(
    r"(?:(?:up|off|in|out|back|over) )?(?:(?:to|for|at|from|with|on) )?(?:an?|the|my|our|some|two|three|\d|[A-Z])"
    r"|(?:to|(?:up )?for|at) [a-z]|\u27e6"
)
"""What a deed of somebody's is done to, with its article: not "Painted blue"."""


def _is_of_speaker(before: str, turn: Turn, *, definite: bool) -> bool:
    """Whether a sentence that begins with its verb is about the speaker, by the sentence before.

    It is in "Great news! Got the job", but not after something else: "Saw Rafi today. Got a puppy".
    """
    if _OF_SPEAKER.search(before) or _ALSO_IMPLIED.match(before):
        return True
    names = frozenset().union(*map(token_set, (turn.speaker, turn.addressee or "", *turn.others)))
    return content(before) <= names | _ANNOUNCING or (
        definite and not (before.endswith("?") or _SOMEBODY.search(before) or _begins_with_name(before))
    )


_SOMEBODY = re.compile(
    r"\b(?:he|she|they|him|his|her|their|you|your|who|(?:some|any|every)(?:one|body))\b|(?<=[\w,;] )[A-Z][a-z]+"
    rf"|\b(?:{KIN_WORDS})\b"
)
"""Somebody of whom a sentence without a subject may go on to speak: "Saw Rafi today. Got a puppy"."""
_CERTAINLY_PAST = PAST - {"read", "set", "put", "cut", "hit"}
_PARTING = re.compile(r"(?:split (?:up )?with|packed in) ", re.IGNORECASE)

_OF_ANOTHER = re.compile(r"(?:Lives|Works|Studies|Teaches|Speaks|Plays) (?:in|at|as|for|with|[a-zA-Z]+)\b")


_ABOUT_OTHERS = re.compile(
    r"\b(?:he|she|they|him|her|his|their|(?:my|our) (?:mum|mom|dad|sister|brother|son|daughter))\b"
    r"|(?<=[a-z] )[A-Z][a-z]+"
)
_ABOUT_YOU = re.compile(r"\b(?:you|your|ya|u|we|us|our)\b", re.IGNORECASE)


def _is_theirs(text: str, before: str) -> bool:
    """Whether somebody named before does what is of their own: "Jo is leaving. Moving to Cork, near her parents"."""
    return _THEIRS.search(text) is not None and _SOMEBODY.search(before) is not None


def is_about_others(question: str) -> bool:
    """Whether an answer without a subject is about somebody else: "What is Jess up to?"."""
    return _ABOUT_OTHERS.search(question) is not None and _ABOUT_YOU.search(question) is None


def implied_subject(text: str, turn: Turn, antecedent: Subject | None, before: str) -> tuple[Subject, str] | None:
    """Return the speaker as the subject of a sentence that has none, "Just adopted a puppy", and its predicate.

    ``before`` is the sentence before it, empty if there is none.
    """
    speaker = Subject(turn.speaker, turn.speaker, first=True)
    if antecedent and not antecedent.plural and _OF_ANOTHER.match(text):
        return antecedent, text[0].lower() + text[1:]
    if _OF_ONESELF.match(text) or _OF_I.match(text):
        return speaker, text[0].lower() + text[1:]
    if match := _NO_LONGER.match(text):
        return speaker, f"{'' if match[1] in PRESENT else 'am '}no longer {text[match.start(1) :]}"
    if _COMPLEMENT.match(text) and not _FINITE.search(text) and not _is_theirs(text, before):
        return speaker, f"am {text[0].lower()}{text[1:]}"
    match = _ELIDED.match(text)
    if match is None:
        return None
    if _ONGOING.match(text):
        return speaker, f"am {text[0].lower()}{text[1:]}"
    verb, _, rest = text[match.end() :].partition(" ")
    if match[0].lower().startswith(("been", "have been")):
        return speaker, f"have been {text[match.end() :]}"
    if _VERB_OF_ANOTHER.match(rest) or _NOT_ONESELF.match(text, match.end()):
        return None
    definite = _DEFINITE.match(rest) is not None
    told = bool(match[0] or _OF_SPEAKER.search(text))
    told = told or (verb.lower() != "quit" and _is_of_speaker(before, turn, definite=definite))
    dated = verb.lower() == "quit" and "\u27e6" in text  # without a date it may be an advice: "quit the gym"
    certain = verb.lower() in _CERTAINLY_PAST or (definite and len(verb) > 5 and verb.endswith("ed"))
    if (certain or _PARTING.match(text, match.end())) and (told or dated):
        return speaker, verb.lower() + text[match.end() + len(verb) :]
    return None
