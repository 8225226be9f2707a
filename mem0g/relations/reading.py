"""Relation names read as words: the verb in its base form, whether planned, denied or over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from mem0g.names import normal_relation

Tense = Literal["plan", "wish", "maybe", "now", "past"]

IRREGULAR: Final = {
    form: base
    for base, forms in {
        "become": "became", "begin": "began begun", "break": "broke broken", "bring": "brought", "build": "built",
        "buy": "bought", "catch": "caught", "choose": "chose chosen", "come": "came", "do": "did done does",
        "draw": "drew drawn", "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen", "feed": "fed",
        "feel": "felt", "fight": "fought", "find": "found", "fly": "flew flown", "forget": "forgot forgotten",
        "get": "got gotten", "give": "gave given", "go": "went gone goes", "grow": "grew grown", "have": "had has",
        "hear": "heard", "hide": "hid hidden", "hold": "held", "keep": "kept", "know": "knew known",
        "lead": "led", "leave": "left", "lend": "lent", "lose": "lost", "make": "made", "mean": "meant",
        "meet": "met", "pay": "paid", "put": "put", "quit": "quit",
        "read": "read", "ride": "rode ridden", "rise": "rose risen", "run": "ran", "say": "said",
        "see": "saw seen", "seek": "sought", "sell": "sold", "send": "sent", "sing": "sang sung", "sit": "sat",
        "sleep": "slept", "speak": "spoke spoken", "spend": "spent", "stand": "stood", "steal": "stole stolen",
        "swim": "swam swum", "take": "took taken", "teach": "taught", "tell": "told", "think": "thought",
        "throw": "threw thrown", "understand": "understood", "wake": "woke woken", "wear": "wore worn",
        "win": "won", "write": "wrote written",
    }.items()
    for form in forms.split()
}  # fmt: skip
"""Irregular forms of the verbs of daily life, to their base form."""

_AHEAD: Final[dict[Tense, str]] = {
    "plan": "PLANS? TO|PLANNED TO|PLANNING TO|PLANS? ON|PLANNING ON|INTENDS? TO|INTENDING TO|WILL|GOING TO|"
    "PROMISE[DS] TO|AGREE[DS] TO|DECIDED TO|DETERMINED TO|PREPARING TO|PREPARES TO|EXPECTS? TO|"
    "LOOKS? FORWARD TO|LOOKING FORWARD TO",
    "wish": "WANTS? TO|HOPES? TO|HOPING TO|AIMS? TO|WOULD LIKE TO|WOULD LOVE TO|DREAMS? OF|DREAMS? ABOUT|EXCITED TO|"
    "ASPIRES? TO|WISHES TO|READY TO|NEEDS? TO",
    "maybe": "CONSIDERING|THINKING ABOUT|THINKING OF|MIGHT|MAY",
}  # fmt: skip
_PLAN = re.compile(
    r"(?:(?:IS|ARE|AM) )?(?:" + "|".join(f"(?P<{t}>{words})" for t, words in _AHEAD.items()) + r") (?=\S)"
)
_OVER = re.compile(r"(?:FORMERLY|PREVIOUSLY|USED TO|ONCE) (?=\S)")
_DENIAL = re.compile(
    r"(?:(?P<past>(?:DID|WAS|WERE|HAS|HAVE|HAD) (?:NOT|NEVER)|DIDNT|FAILED TO|REFUSED TO)|"
    r"(?:(?:DOES|DO|IS|ARE|WILL|WOULD) )?(?:NOT|NEVER)|NO LONGER|DOESNT|DONT|ISNT|WONT|REFUSES TO|UNABLE TO) (?=\S)"
)
_CANNOT = re.compile(r"(?:CANNOT|CANT|CAN NOT|COULD NOT|COULDNT) (?=\S)")
_AUXILIARY = re.compile(
    r"(?:(?P<perfect>HAS|HAVE|HAD)(?P<been> BEEN)?|(?P<be>IS|ARE|AM)|(?P<was>WAS|WERE)) (?P<rest>(?P<first>\w+).*)"
)
_ADVERB = re.compile(r"(?:CURRENTLY|NOW|STILL|ALREADY|RECENTLY|FINALLY|REALLY|OFTEN|USUALLY|ALSO|JUST) (?=\S)")
_BECOMES_ADJECTIVE = re.compile(r"\w+ (?:\w+ )*(?:OF|IN|AT|TO|BY|WITH|FOR|FROM|ABOUT)")
_PAST_FORM = re.compile(r"\w{2,}ED\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """A relation name as read: ``words`` are stems in order ("went camping with" is go, camp, with).

    ``tense`` is "past" (what happened or is over), "now", or lies ahead: "plan" (it is settled), "wish" or "maybe".
    ``denied`` says that it is said not to be so.
    """

    words: tuple[str, ...]
    tense: Tense
    denied: bool

    @property
    def ahead(self) -> bool:
        """Whether it is about what may happen."""
        return self.tense in _AHEAD


@lru_cache(maxsize=65536)
def read(name: str) -> Reading:
    """Read a relation name, given in any spelling that ``normal_relation`` takes."""
    rest = normal_relation(name).replace("_", " ").strip()
    rest = _CANNOT.sub("NOT CAN ", rest, count=1)
    rest, denial = _cut(_DENIAL, rest)
    rest, over = _cut(_OVER, rest)
    rest, _ = _cut(_ADVERB, rest)
    rest, plan = _cut(_PLAN, rest)
    bare, past = _without_auxiliary(rest)
    tense: Tense = "past" if past or over or (denial and denial["past"]) or _is_past(bare) else "now"
    for ahead in _AHEAD if plan else ():
        tense = ahead if plan and plan[ahead] else tense
    return Reading(_stems(bare), tense, denial is not None)


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, re.Match[str] | None]:
    match = pattern.match(text)
    return (text[match.end() :], match) if match else (text, None)


def _without_auxiliary(text: str) -> tuple[str, bool]:
    """The words after an auxiliary, and whether it makes them past.

    'HAS VISITED' is VISITED and past, 'IS READING' READING, 'IS PROUD OF' PROUD OF. HAS in 'HAS PET' is the verb
    itself; IS in 'IS NAMED' stays, as whoever named is at the other end.
    """
    match = _AUXILIARY.match(text)
    if match is None:
        return text, False
    first = match["first"]
    doing, did = first.endswith("ING"), bool(_PAST_FORM.match(first)) or first.casefold() in IRREGULAR
    if match["perfect"]:
        is_verb = did or bool(match["been"])
        return (match["rest"] if is_verb else text), (is_verb and not doing) or match["perfect"] == "HAD"
    if doing or _BECOMES_ADJECTIVE.fullmatch(match["rest"]):
        return match["rest"], bool(match["was"])
    return text, bool(match["was"])


def _is_past(bare: str) -> bool:
    first = bare.partition(" ")[0]
    if first in {"DOES", "GOES", "HAS"}:
        return False
    return bool(_PAST_FORM.match(first)) or first.casefold() in IRREGULAR


def _stems(bare: str) -> tuple[str, ...]:
    """Stems of the words; in a name without a verb (FAVORITE_BOOKS) a plural is a difference and stays."""
    words = bare.casefold().split()
    return tuple(words if words[:1] == ["favorite"] else (_stem(word) for word in words))


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    import snowballstemmer

    return str(snowballstemmer.stemmer("english").stemWord(IRREGULAR.get(word, word)))
