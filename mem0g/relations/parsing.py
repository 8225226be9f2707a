"""Parsing of relation names: the verb in its base form, its tense and mood, and whether it is negated."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from mem0g.text import verbs
from mem0g.text.names import normal_relation

Tense = Literal["plan", "wish", "maybe", "now", "past"]

IRREGULAR: Final = (
    {form: base for base, forms in verbs.IRREGULAR.items() if base != "be" for form in forms if form != base}
    | {form: base for base, form in verbs.IRREGULAR_THIRD.items() if base != "be"}
    | {form: form for form in ("put", "quit", "read")}
)
"""Irregular forms, to their base form. Of those that look like it, put, quit and read are taken for the past."""

Mood = Literal["plan", "promise", "expectation", "anticipation", "wish", "need", "maybe", "former", "was", ""]

_FUTURE: Final[dict[Mood, tuple[Tense, str]]] = {
    "plan": ("plan", "PLANS? TO|PLANNED TO|PLANNING TO|PLANS? ON|PLANNING ON|INTENDS? TO|INTENDING TO|WILL|GOING TO|"
             "DECIDED TO|DETERMINED TO|PREPARING TO|PREPARES TO"),
    "promise": ("plan", "PROMISE[DS] TO|AGREE[DS] TO"),
    "expectation": ("plan", "EXPECTS? TO"),
    "anticipation": ("plan", "LOOKS? FORWARD TO|LOOKING FORWARD TO"),
    "wish": ("wish", "WANTS? TO|HOPES? TO|HOPING TO|AIMS? TO|WOULD LIKE TO|WOULD LOVE TO|DREAMS? OF|DREAMS? ABOUT|"
             "ASPIRES? TO|WISHES TO"),
    "need": ("wish", "EXCITED TO|READY TO|NEEDS? TO"),
    "maybe": ("maybe", "CONSIDERING|THINKING ABOUT|THINKING OF|MIGHT|MAY"),
}  # fmt: skip
_PLAN = re.compile(
    r"(?:(?:IS|ARE|AM) )?(?:" + "|".join(f"(?P<{mood}>{words})" for mood, (_, words) in _FUTURE.items()) + r") (?=\S)"
)
_FORMER = re.compile(r"(?:FORMERLY|PREVIOUSLY|USED TO|ONCE) (?=\S)")
_DENIAL = re.compile(
    r"(?:(?P<past>(?:DID|WAS|WERE|HAS|HAVE|HAD) (?:NOT|NEVER)|DIDNT|FAILED TO|REFUSED TO)|"
    r"(?:(?:DOES|DO|IS|ARE|WILL|WOULD) )?(?:NOT|NEVER)|NO LONGER|DOESNT|DONT|ISNT|WONT|REFUSES TO|UNABLE TO)"
    r"(?: (?=\S)|$)"
)
_REWRITES: Final = {
    re.compile(r"(?:CANNOT|CANT|CAN NOT|COULD NOT|COULDNT) (?=\S)"): "NOT CAN ",
    re.compile(r"(?:HAS|HAVE) NO(?: (?=\S)|$)"): "NOT HAVE ",
    re.compile(r"^(?:HAS|HAVE) UPCOMING\b"): "WILL HAVE",
    re.compile(r"(?:(?:IS|ARE) )?THINKING (?:ABOUT|OF)$"): "CONSIDERING",
}
_AUXILIARY = re.compile(
    r"(?:(?P<perfect>HAS|HAVE|HAD)(?P<been> BEEN)?|(?P<be>IS|ARE|AM)|(?P<was>WAS|WERE)) (?P<rest>(?P<first>\w+).*)"
)
_ADVERB = re.compile(
    r"((?:IS|ARE|AM|WAS|WERE|HAS|HAVE|HAD) )?"
    r"(?:CURRENTLY|NOW|STILL|ALREADY|RECENTLY|FINALLY|REALLY|OFTEN|USUALLY|ALSO|JUST) (?=\S)"
)
_PARTICIPLE_AND_PREPOSITION = re.compile(r"\w+ (?:\w+ )*(?:OF|IN|AT|TO|BY|WITH|FOR|FROM|ABOUT)")
_PAST_FORM = re.compile(r"\w{2,}ED\b")


_EQUAL_STEMS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("search", "for"): ("look", "for"),
    ("seek",): ("look", "for"),
    ("contempl",): ("consid",),
    ("begin",): ("start",),
    ("purchas",): ("buy",),
    ("resid", "in"): ("live", "in"),
    ("thank", "for"): ("grate", "for"),
    ("thank", "to"): ("grate", "to"),
}
"""First words of a relation, as stems, and those of equal meaning that replace them."""


@dataclass(frozen=True, slots=True)
class ParsedRelation:
    """A parsed relation name.

    ``words`` are stems in order: go, camp, with for "went camping with". ``tense`` is "past" for what happened or is
    over, "now", or for the future "plan" (it is settled), "wish" or "maybe". ``mood`` is the kind of future (planned,
    promised, wished), "former" for a state that is over ("used to live in"), "was" for a passive of the past ("was
    inspired by"), else "". ``denied``: it is negated.
    """

    words: tuple[str, ...]
    tense: Tense
    denied: bool
    mood: Mood = ""

    @property
    def ahead(self) -> bool:
        """Whether it is about the future."""
        return self.tense in ("plan", "wish", "maybe")

    @property
    def plans(self) -> bool:
        """Whether it is about the future, or says that its object is planned: PLANS, IS_PLANNING."""
        return self.ahead or self.words[:1] == ("plan",)


@lru_cache(maxsize=65536)
def parse_relation(name: str) -> ParsedRelation:
    """Parse a relation name, given in any spelling that ``normal_relation`` takes."""
    rest = normal_relation(name).replace("_", " ").strip()
    for pattern, replacement in _REWRITES.items():
        rest = pattern.sub(replacement, rest, count=1)
    rest, denial = _cut(_DENIAL, rest)
    rest, former = _cut(_FORMER, rest)
    rest = _ADVERB.sub(r"\1", rest, count=1)
    rest, plan = _cut(_PLAN, rest)
    bare, past, mood = _without_auxiliary(rest)
    if former or (denial and denial["past"]):
        past = True
    tense: Tense = "past" if past or _is_past(bare) else "now"
    if plan:
        mood = next(each for each in _FUTURE if plan[each])
        tense = _FUTURE[mood][0]
    return ParsedRelation(_stems(bare), tense, denial is not None, "former" if former else mood)


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, re.Match[str] | None]:
    match = pattern.match(text)
    return (text[match.end() :], match) if match else (text, None)


def _without_auxiliary(text: str) -> tuple[str, bool, Mood]:
    """Return the words after an auxiliary, whether it makes them past, and the mood of a passive.

    'HAS VISITED' is VISITED and past, 'IS READING' is READING, 'IS PROUD OF' is PROUD OF. HAS in 'HAS PET' is the verb
    itself; IS in 'IS NAMED' stays, since a passive is the inverse of NAMED.
    """
    match = _AUXILIARY.match(text)
    if match is None:
        return text, False, ""
    first = match["first"]
    doing, did = first.endswith("ING"), bool(_PAST_FORM.match(first)) or first.casefold() in IRREGULAR
    if match["perfect"]:
        is_verb = did or bool(match["been"])
        return (match["rest"] if is_verb else text), (is_verb and not doing) or match["perfect"] == "HAD", ""
    if doing or _PARTICIPLE_AND_PREPOSITION.fullmatch(match["rest"]):
        return match["rest"], bool(match["was"]), "was" if match["was"] and did else ""
    return text, bool(match["was"]), ""


def _is_past(bare: str) -> bool:
    first = bare.partition(" ")[0]
    if first in {"DOES", "GOES", "HAS"}:
        return False
    return bool(_PAST_FORM.match(first)) or first.casefold() in IRREGULAR


def _stems(bare: str) -> tuple[str, ...]:
    """Return the stems of the words; after FAVORITE the words stay, since a plural (FAVORITE_BOOKS) differs."""
    given = bare.casefold().split()
    if given[:1] == ["favorite"]:
        return tuple(given)
    stems = tuple(_stem(word) for word in given)
    for words, equal in _EQUAL_STEMS.items():
        if stems[: len(words)] == words:
            return (*equal, *stems[len(words) :])
    return stems


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    import Stemmer

    return str(Stemmer.Stemmer("english", 0).stemWord(IRREGULAR.get(word, word)))
