"""What a question wants to know: a time, a detail of one thing, several things, or the whole of a conversation.

A question for an order, a summary, a development or a count is not answered by the few messages most like it, but by
many that are spread over all sessions. It is recognised by what it asks for ("in which order", "summarize") or, for a
development and a count, by the whole that it names ("over time", "across all my sessions"), since "how did he change
the tyre" and "how many children does she have" ask for one thing. These in English, German, Spanish, French and Dutch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from mem0g.retrieve.question.temporal_intent import named_dates
from mem0g.text.languages import FIRST_PERSON, word_set
from mem0g.text.names import fold
from mem0g.text.stemming import content

MAX_CHARACTERS = 2000
"""Characters of a question that are examined."""

Kind = Literal["order", "summary", "development", "count"]


@dataclass(frozen=True, slots=True)
class Overview:
    """What a question about the whole of a conversation asks for, and its ``topic``: the question without the words
    that ask; "" where nothing is left, as of "What have we talked about?".
    """

    kind: Kind
    topic: str


def read_overview(question: str) -> Overview | None:
    """Return what the question asks for if it is about the whole of a conversation, else None."""
    text = " ".join(question[:MAX_CHARACTERS].replace("’", "'").split())
    asked = [(found.start(), kind) for kind, cues in _ASKS_FOR if (found := cues.search(text))]
    kind = min(asked)[1] if asked else None
    if kind is None and _OF_ALL.search(text):
        kind = next((kind for kind, cues in _OF_ALL_ASKS_FOR if cues.search(text)), None)
    return Overview(kind, _topic(text)) if kind else None


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{each})" for each in patterns), re.IGNORECASE)


_TALKS = (
    "conversations?|chats?|sessions?|discussions?|messages|requests|talks|time together"
    "|gespräche?n?|unterhaltungen|chats|sitzungen|nachrichten"
    "|conversacion(?:es)?|charlas|sesiones|mensajes|conversations|discussions|échanges|séances"
    "|gesprekken|sessies|berichten"
)
_WHOLE = (
    rf"(?:throughout|across|over|in|during|from|based on|of|through) (?:all )?(?:of )?(?:(?:my|our|the|these) )?"
    rf"(?:(?:previous|past|last|different|various|many|several|entire|whole) )*(?:{_TALKS})\b",
    r"over (?:time|the (?:course of|(?:last|past) (?:few |several |\w+ )?(?:weeks|months|years|days)))\b",
    r"so far\b|to date\b|altogether\b|in total\b|all in all\b",
    rf"(?:in|während|über|aus) (?:all(?:en?)? )?(?:unseren?|meinen?|den|alle) (?:{_TALKS})\b",
    r"im laufe (?:der zeit|unserer|meiner|des|der)\b|mit der zeit\b|bisher\b|insgesamt\b",
    rf"(?:en|durante|a lo largo de|entre) (?:todas? )?(?:nuestras?|mis|las) (?:{_TALKS})\b",
    r"a lo largo de(?:l tiempo)?\b|con el tiempo\b|hasta ahora\b|en total\b",
    rf"(?:dans|pendant|au (?:cours|fil) de) (?:toutes )?(?:nos|mes|ces) (?:{_TALKS})",
    r"au (?:fil|cours) (?:du temps|de[s ])|jusqu'à présent\b|au total\b|en tout\b",
    rf"(?:in|tijdens|over) (?:al )?(?:onze|mijn|de) (?:{_TALKS})\b",
    r"in de loop (?:van|der)\b|tot nu toe\b|in totaal\b",
)
"""Words for the whole of what was said."""

_ORDER = (
    r"(?:the|what|which) order (?:in which|that (?:i|we)|of (?:events|topics|my|our))\b",
    r"in (?:what|which) (?:order|sequence)\b",
    r"in order(?= ?(?:[?.!,]|$))",
    r"chronolog\w*|time ?line\b|sequence of (?:events|topics|steps|things)\b",
    r"reihenfolge\b|chronologi\w*|zeitleiste\b|orden en (?:el )?que\b|qué orden\b|línea (?:de|del) tiempo\b|cronol\w*",
    r"(?:dans|de) quel ordre\b|l'ordre (?:dans|de|des)\b|volgorde\b|tijdlijn\b",
)
_SUMMARY = (
    r"summar(?:y|ies|i[sz]e|i[sz]ing)\b|sum(?:ming)? up\b|recap\w*|overview\b|run ?down of\b",
    r"(?:everything|all)(?: that)? (?:we|i|you)(?:'ve| have)? (?:covered|discussed|talked|done|learn|worked|said|told)",
    r"what (?:have we|did we) (?:cover|discuss|talk|do)\w*",
    r"zusammenfass\w*|zusammengefasst\b|fass(?:e|t|en)?\b.{0,80}\bzusammen\b|überblick\b",
    r"resumen\b|resumir\b|resúme\w*|resume (?:lo|nuestr\w+|todo|cómo)\b|panorama general\b",
    r"résum\w*|récapitul\w*|vue d'ensemble\b|aperçu\b",
    r"samenvat\w*|vat\b.{0,80}\bsamen\b|overzicht\b",
)
_DEVELOPS = (
    r"how\b.{0,80}\b(?:chang|evolv|develop|progress|grow|grew|improv|shift|advanc)\w*",
    r"(?:progress|evolution|development|journey)\b",
    r"(?:considering|given|looking at|taking into account) (?:all )?my\b",
    r"wie\b.{0,80}\b(?:entwickel|veränder|verbesser)\w*|cómo\b.{0,80}\b(?:cambi|evolucion|desarroll|progres|mejor)\w*",
    r"comment\b.{0,80}\b(?:chang|évolu|dévelop|progress|amélior)\w*|hoe\b.{0,80}\b(?:verander|ontwikkel|verbeter)\w*",
)
_COUNTS = (
    r"how (?:many|much|often)\b|(?:total|overall) (?:number|amount|count|cost|time)\b|in total\b|altogether\b",
    r"wie (?:viele?|oft)\b|cuánt[oa]s?\b|combien\b|hoe (?:veel|vaak)\b|hoeveel\b",
)

_CONSIDERS = (
    r"(?:considering|taking into account|in (?:view|light) of|looking (?:back )?at)\b.{0,20}\bmy\b"
    r"|(?:angesichts|unter berücksichtigung|considerando|teniendo en cuenta|compte tenu de|étant donné|gezien)\b.{0,20}"
    r"\b(?:mein\w*|mis?|m[ae]s?|mon|mijn)\b"
)
"""An opening clause of the user's own, "Considering my choices, …": the answer puts together what was said of them."""

_ASKS_FOR: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("order", _any(*_ORDER)),
    ("summary", _any(*_SUMMARY)),
    ("development", re.compile(rf"(?:(?<=[.?!] )|^)(?:{_CONSIDERS})", re.IGNORECASE)),
)
"""What asks for a kind by itself; the one that stands first in the question counts."""

_OF_ALL = _any(*_WHOLE)
_OF_ALL_ASKS_FOR: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("count", _any(*_COUNTS)),
    ("development", _any(*_DEVELOPS)),
)
"""What asks for a kind beside words for the whole."""

_ABOUT_THE_ANSWER = re.compile(
    r"(?<=[.?!]) (?:[^.?!]*\b(?:only|items?|bullets?|words|sentences|paragraphs|points|briefly|in detail"
    r"|nur|stichpunkte|sólo|solo|seulement|alleen)\b[^.?!]*)(?:[.?!]|$)",
    re.IGNORECASE,
)
"""A further sentence on the form of the answer: "Mention only three items."."""

_ASKING = (
    *_WHOLE,
    *_ORDER,
    r"(?:an? |the )?(?:[a-z]+ )?(?:summary|overview|recap|time ?line) of\b",
    *_SUMMARY,
    r"(?:can|could|would|will) you\b(?: please)?|please\b|i(?:'d| would) like\b|i (?:want|need)\b",
    r"(?:list|walk (?:me|us) through|give (?:me|us)|provide|tell (?:me|us)|show (?:me|us)|remind (?:me|us))\b",
    r"(?:that |in which |which )?(?:i|we) (?:first )?(?:brought up|mentioned|discussed|talked about|asked about)\b",
    r"(?:different|various|several|distinct) (?:aspects|parts|topics|things|areas|concepts|ideas|ways|points)\b",
    r"(?:aspects|topics|concepts) (?:of|related to|about)\b|related to\b|how (?:many|much|often)\b",
    r"kannst du\b|könntest du\b|bitte\b|gib mir\b|puedes\b|por favor\b|dame\b|peux-tu\b|donne-moi\b|kun je\b|geef me\b",
)
"""Words that ask, and say nothing of what is asked about."""


_NO_TOPIC = (
    rf"(?:{_TALKS})\b",
    r"(?:everything|anything|all|happened|so far|history|alles|todo|tout)\b",
)
"""Words that are no topic by themselves: "Summarize all our chats", "an overview of everything"."""


def _topic(text: str) -> str:
    about = _ABOUT_THE_ANSWER.sub(" ", text)
    topic = " ".join(_compiled(_ASKING).sub(" ", about).split()).strip(" ,;:?!.")
    return topic if content(_compiled(_NO_TOPIC).sub(" ", topic)) else ""


@cache
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Return the patterns as one, compiled on first use: few questions need it, and compiling takes milliseconds."""
    return _any(*patterns)


_WHEN = re.compile(r"\b(?:when|how long|since|(?:what|which) (?:date|day|month|year|time))\b", re.IGNORECASE)

_TIME_ASKED = re.compile(
    r"(?:(?:and|by|since|until|till|from|on|in|at|ab|bis|seit|desde|hasta|para|depuis|jusqu'à|sinds|tot) )?"
    r"(?:when|wann|cuándo|quand|wanneer"
    r"|(?:what|which) (?:date|day|weekday|weekend|week|month|year|time)|what(?: is|'s) the (?:date|deadline)"
    r"|(?:um wie ?viel|an welchem|in welche[mr]) (?:uhr|tag|monat|jahr|woche)|qué (?:día|mes|año|hora)"
    r"|(?:quel|quelle) (?:jour|mois|année|heure)|(?:welke|hoe) (?:dag|maand|laat))\b",
    re.IGNORECASE,
)

_DETAIL = re.compile(r"(?:why|who|whom|with whom|where|how(?! (?:many|much|long|often|old)\b))\b", re.IGNORECASE)

_VERB = r"(?:has|have|had|did|do|does|is|are|am|was|were|can|could|may|might|must|shall|should|will|would)(?:n['’]t)?"

_SEVERAL = re.compile(
    rf"""(?:(?:about|at|for|from|in|of|on|to|with)\ )?
    (?:
        (?:what|which)(?:\ (?!{_VERB}\b)[\w'’+./-]+)*?  # "What", "Which local", up to
        \ (?!{_VERB}\b|series\b|news\b)[\w+/-]*[a-z]{{2}}(?<!s)s\b   # a plural: "events", "hobbies", not "business"
        (?!\ (?:the|an?|his|her|their|that)\b)         # and no verb: "What Ann thinks the studio should look like"
        (?:\ [\w'’+./-]+)*?\ {_VERB}\b                 # and what is asked of them: "… has she been to?"
      | (?:what|which|who)\ (?:are|were)\b
      | (?:what|which)\ (?:[\w+-]+\ )?(?:kind|type|sort)s?\ of\b
      | (?:what|where|which|who|whom)\b(?:\ [\w'’+-]+){{0,3}}?\ (?:has|have)\b   # what has been done up to now
      | how\ many\b
      | .*\bboth\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


_NUMBERS = re.compile(
    r"\b(?:how (?:many|much|often|long|old|far|big|large)|total|overall|average|combined|in all|altogether|sum of"
    r"|wie (?:viele?|oft|lange)|insgesamt|cu[áa]nt[oa]s?|en total|combien|au total"
    r"|hoe (?:veel|vaak|lang)|hoeveel|in totaal)\b",
    re.IGNORECASE,
)


_WORDS = re.compile(
    r"\b(?:did|does|do|has|have) (?:\w+ ){1,3}(?:say|said|tell|told|describe|mention|express|call)(?:d|ed)?\b"
)


def asks_for_words(question: str) -> bool:
    """Whether a question asks what somebody said: "What did Jo say about …", "How did Jo describe …"."""
    return bool(_WORDS.search(question))


def asks_for_numbers(question: str) -> bool:
    """Whether a question counts, sums or measures: "How many …", "How much …", "… in total"."""
    return bool(_NUMBERS.search(question))


def asks_when(question: str) -> bool:
    """Whether a question needs dates: "When did …", "How long …", "In what year …", "… on 1 February 2023?"."""
    return bool(_WHEN.search(question) or named_dates(question))


def asks_for_a_time(question: str) -> bool:
    """Whether the answer to a question is a time: "When …", "By when …", "Until what day …"."""
    return bool(_TIME_ASKED.match(question.strip()))


def asks_for_a_detail(question: str) -> bool:
    """Whether a question is about one thing told at length: "Why …", "Who …", "Where …", "How …", not "How many …"."""
    return bool(_DETAIL.match(question.strip()))


def asks_for_several(question: str) -> bool:
    """Whether many facts may each hold a part of the answer: "Which events has …", "What do they both …", "How many …".

    English only; any other question is taken to be about one thing.
    """
    return bool(_SEVERAL.match(" ".join(question[:MAX_CHARACTERS].split())))


_USER = re.compile(
    r"\b(?:the|der|de[mns]|el|la|del|de) (?:user|nutzer|benutzer|usuari[oa]|gebruiker)\w*|\bl'utilisat(?:eur|rice)"
)
_WHETHER = re.compile(
    r"(?:is|are|am|was|were|do|does|did|has|have|can|will|ist|sind|bin|war|hat|habe|haben|kann|es|está|son|soy|tiene"
    r"|est-ce|heeft|heb|zijn|ben)(?:n't)?\b|.*n't\b|.*\b(?:leave|left|quit|stop(?:ped)?|end(?:ed)?|cancel\w*"
    r"|g[ai]ve up|refuse\w*|turn(?:ed)? down|fail\w*|happened (?:to|with)|became of|nicht|aufgehört|gekündigt|abgesagt"
    r"|verlassen|passiert)\b",
    re.DOTALL,
)


@lru_cache(maxsize=4096)
def asks_about_user(question: str) -> bool:
    """Whether a question is about who asks it, "Where do I live?", or about the user: "Where does the user live?"."""
    return not FIRST_PERSON.isdisjoint(word_set(question)) or _USER.search(fold(question)) is not None


@lru_cache(maxsize=4096)
def may_be_denied(question: str) -> bool:
    """Whether a negation, or an end, may answer: a yes or no is asked for, or why or how something ended."""
    return _WHETHER.match(fold(question[:MAX_CHARACTERS]).replace("’", "'").strip(" ¿")) is not None
