"""What a message denies to have ever happened, and what it tells as done.

"I've never met Kelly at any library event", "I haven't deployed the API yet", "I have no experience with Docker"; and
"I met Kelly at the book club", "the API is deployed". Precision comes before recall; English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from mem0g.text import verbs
from mem0g.text.english import KIN, MONTH, WEEKDAYS
from mem0g.text.remembering import remembered
from mem0g.text.stemming import content, token_set, tokens

COVERED = 0.66
"""Share of the content words of what is denied, or of one of its alternatives, that a sentence has that it denies."""

ASKED = 0.75
"""Share of the words of one alternative of what is denied, beside the verb, that a question about it has."""

LEAST = 2
"""Content words that the two have in common at least."""

LONGEST, MAX_SENTENCES = 20_000, 200
"""Characters of a message and sentences of it that are read."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+")
_CLAUSE_END = re.compile(
    r"[,;:]\s+(?!(?:and|or) \w+ing\b)|\s[-–—]\s"
    r"|\s(?:but|so (?:I|can|could|how|what|that)|because|since|which|though|although|while|considering|if|and I)\s",
    re.IGNORECASE,
)
_DEED_END = re.compile(
    r"[;:]\s|,\s(?:(?:and |but )?(?:I|he|she|it|they|we|you|can|could)\b|so|which|who|considering|where|if|do|does"
    r"|did|should|would|will|are|is|what|how|any|please)\b"
    r"|\s(?:but|because|although|so (?:I|can|how|what))\s|\sand (?:I'm|I|he|she|it|they|we)\s",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\b(?:I|we)(?:'ve| have|'d| had)? (?:actually |really |honestly |literally )?(?:never"
    r"|(?:have|had)n't ever|have not ever)(?: (?:actually|really|even|once|ever|before|personally))? (?P<what>[a-z].*)",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:I|we)(?:'ve| have|'d| had)?(?:n't| not)(?: (?:actually|really|even|yet|personally|honestly))*"
    r" (?P<what>(?:start|beg[ua]n|touch|[a-z]++(?: [^.?!]{0,200})? (?:yet|at all)\b)[^.?!]*)",
    re.IGNORECASE,
)
_NO_EXPERIENCE = re.compile(
    r"\bI(?:'ve got| have|'ve)? (?:absolutely |really )?(?:no|zero) (?:\w+ )?(?:experience|familiarity)"
    r" (?:with|in|of|using|working with) (?P<what>[a-z].*)",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(?:today|tonight|this (?:week|month|year|morning|time)|recently|lately|since"
    r"|for (?:a|an|\w+) (?:while|long|\w+s)|in (?:a|an|\w+) (?:while|\w+s)|anymore|any more|again|properly|fully"
    r"|completely|entirely|enough|much|many|all the|every|rest|remaining|last|next|other|others|second|third"
    r"|another|new|newer|latest|final|more|further"
    r"|how|what|why|whether|which)\b",
    re.IGNORECASE,
)
"""Words by which "haven't … yet" is about a time, a part or a manner."""
_BEFORE = "".join(rf"(?<!\b{word} )" for word in "in on to of at for into with from within during".split())
_COMPARES = re.compile(rf"\b(?:so|as|such|{_BEFORE}(?:this|that)|more|better|worse|\w+er than)\b", re.IGNORECASE)
"""Words by which a denial is about a degree: "never eaten sushi so good"; not "in this project"."""
_ALTERNATIVE = re.compile(r"\s(?:or|nor|and)\s|,\s", re.IGNORECASE)
_EMPTY = content("ever before actually any project yet at all kind sort of new first time previously")
"""Words of a denial that say nothing of what is denied."""

_BASES: Final = {form: base for base, forms in verbs.IRREGULAR.items() for form in forms} | {"been": "be"}
_PAST = "|".join(sorted({form for base, forms in verbs.IRREGULAR.items() if base != "be" for form in forms} - {"read"}))
_ONLY_MEANT = (
    "think|consider|try|plann|look|hop|want|wonder|mean|struggl|feel|hav|be|talk|discuss|ask|read|learn|study|research"
    "|delay|avoid|putt|postpon|debat|worry|dream|wait|need|prepar"
)
"""Verbs, before -ing, of what is not done, or not yet."""
_DAY = rf"(?:{MONTH}|{'|'.join(WEEKDAYS)}|\d)"
_DID = re.compile(
    rf"\b(?:I|we)(?:'ve| have|'d| had)?(?: (?:just|also|already|recently|finally|actually|only|even|once|really|then"
    r"|now|successfully|previously))* (?:(?!need|want|hoped|planned|wanted|needed|tried|wondered|decided|used to\b)"
    r"[a-z]+ed"
    rf"|(?!thought|hear|knew|meant|felt|had to\b){_PAST})\b"
    r"|\b(?:I|we) (?:was|were|am|'m) (?:\w+ly )?(?:using|enrolled in|working with)\b"
    rf"|\b(?:I|we)(?:'ve| have) been (?:\w+ly )?(?!(?:{_ONLY_MEANT})ing\b)[a-z]+ing\b"
    rf"|\b(?:my|our) (?:[\w-]+ ){{1,5}}(?:[a-z]+ed|{_PAST}) (?=(?:on|in|at) (?:the )?(?:{_DAY}))",
    re.IGNORECASE,
)
"""Something that the speaker did or has done."""
_MAY_DENY = re.compile(r"ever|n[’']t|not|\bno |zero", re.IGNORECASE)
_IS_DONE = re.compile(
    r"\b(?:is|are|has been|have been)(?: (?:now|already|fully|successfully|finally|all))*"
    r" (?:integrated|implemented|installed|deployed|finished|completed|done|built|added|submitted|published|merged"
    r"|delivered|written|configured|migrated|sent|paid|booked|signed)\b",
    re.IGNORECASE,
)
"""Something that is complete, so that somebody has done it."""
_SUBORDINATE = re.compile(
    r"\b(?:that|how|what|when|if|whether|once|until|unless|before|after|where|while|ensure|sure)\b", re.IGNORECASE
)
"""Words after which something need not be complete yet: "to ensure that the app is deployed"."""
_OWN = re.compile(r"\b(?:I|I'm|I've|my|we|we've|our)\b", re.IGNORECASE)
_RELEASE = re.compile(r"\d\.\d+ (?:is|has been)\b")
"""The end of a subject with a version, such as "Flask-Login 0.6.2": one that somebody uses."""
_NEW = re.compile(
    r"\b(?:just|now|today|tonight|yesterday|finally|recently|lately|newly|since|ago|first time|at last"
    rf"|(?:this|last|past) (?:\w+ )?(?:hour|day|week|weekend|month|year|morning|afternoon|evening|night|{_DAY})"
    rf"|{'|'.join(WEEKDAYS)}|(?:in|by|on|of) (?:{MONTH})|(?:{MONTH}) \d+|\d+(?:st|nd|rd|th)?(?: of)? (?:{MONTH})"
    r"|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
"""Words by which something complete may be newer than what was said before, and any date."""
_PARTICIPLE = re.compile(rf"[a-z]+ed|{_PAST}", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no|none|neither|nor|without)\b|n't\b", re.IGNORECASE)
_UNREAL = re.compile(
    r"\b(?:if|unless|wish|would|could|should|might|maybe|imagine|suppose|almost|nearly)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_ALIKE: Final = tuple(frozenset(_stem for verb in family for _stem in tokens(verb)) for family in verbs.ALIKE)
_KIN: Final = frozenset(_stem for word in KIN for _stem in tokens(word))
_BEGUN: Final = frozenset(_stem for verb in "start begin touch".split() for _stem in tokens(verb))
_ENDED: Final = frozenset(_stem for verb in "finish complete do submit deliver".split() for _stem in tokens(verb))
"""Verbs of beginning and of ending: what was never begun was not ended, but what is not ended may have been begun."""


@dataclass(frozen=True, slots=True)
class Denial:
    """What a clause denies to have ever happened: the verb, as a stem, and the content words of each alternative.

    ``exact``: only the same verb contradicts it, and for one of beginning those of ending, too.
    """

    text: str
    alternatives: tuple[tuple[str, frozenset[str]], ...]
    exact: bool = False

    @property
    def words(self) -> frozenset[str]:
        """The content words of all alternatives."""
        return frozenset().union(*(words for _, words in self.alternatives))

    def excludes(self, words: frozenset[str]) -> bool:
        """Whether an alternative has its verb, or one like it, and most of its other words among those of a deed."""
        for verb, others in self.alternatives:
            alike = _exactly(verb) if self.exact else _alike(verb)
            common = len(others & words)
            if not alike.isdisjoint(words) and common >= COVERED * len(others) and common + (verb in words) >= LEAST:
                return True
        return False

    def asked_words(self, asked: frozenset[str]) -> int:
        """Return the number of words of the longest alternative that a question of these stems is about, 0 if none.

        It has most of its words; for "my son Max" the name is enough, with a verb like the one denied.
        """
        return max((len(words) for verb, words in self.alternatives if _is_about(asked, verb, words)), default=0)


class Deed(NamedTuple):
    """A sentence that says what the speaker did or what is done, with its content words.

    ``lasting``: whether it tells of a state that may have been reached long ago: it is complete, and nothing says that
    this is new.
    """

    text: str
    words: frozenset[str]
    lasting: bool


@remembered
def denials(text: str, speaker: str) -> tuple[Denial, ...]:
    """Return what the speaker denies in a message."""
    if not _MAY_DENY.search(text):  # most messages need no closer look
        return ()
    return tuple(each for sentence in sentences(text) for each in _denied(sentence, speaker) if each.alternatives)


def _denied(sentence: str, speaker: str) -> Iterator[Denial]:
    """Yield what a sentence denies."""
    for pattern in (_NEVER, _NOT_YET, _NO_EXPERIENCE):
        for match in pattern.finditer(sentence):
            clause = _CLAUSE_END.split(match["what"], maxsplit=1)[0]
            unreal = _UNREAL.search(sentence[: match.start()].rpartition(",")[2])
            limited = pattern is _NOT_YET and _LIMITED.search(clause)
            if not unreal and not limited and not _COMPARES.search(clause):
                clause = f"used {clause}" if pattern is _NO_EXPERIENCE else clause
                yield Denial(sentence, tuple(_alternatives(clause, speaker)), exact=pattern is _NOT_YET)


def _alternatives(clause: str, speaker: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the verb and the other content words of each part of "written any routes or handled requests"."""
    verb = ""
    for part in _ALTERNATIVE.split(clause):
        first, _, rest = part.strip().partition(" ")
        if not verb or _PARTICIPLE.fullmatch(first):
            verb, part = _base(first), rest
        words = content(part) - _EMPTY - token_set(speaker) - {verb}
        if verb and words:
            yield verb, words


@lru_cache(maxsize=4096)
def _base(word: str) -> str:
    """Return the stem of a verb in any form, "" of a form of "be"."""
    return next(iter(tokens(_BASES.get(word.lower(), word))), "")


@remembered
def deeds(text: str, speaker: str) -> tuple[Deed, ...]:
    """Return the sentences of a message that say what the speaker did or what is done, each with its content words."""
    found = []
    for sentence in sentences(text):
        own = _OWN.search(sentence) or _RELEASE.search(sentence)
        starts = [*_DID.finditer(sentence), *(_IS_DONE.finditer(sentence) if own else ())]
        for match in starts:
            end = _DEED_END.search(sentence, match.end())
            start = match.start()
            if match.re is _IS_DONE:
                start = max((each.end() for each in _DEED_END.finditer(sentence, 0, start)), default=0)
                if _SUBORDINATE.search(sentence, start, match.start()):
                    continue
            clause = sentence[start : end.start() if end else len(sentence)]
            if not _DENIED.search(clause) and not _UNREAL.search(sentence[: match.end()]):
                bases = frozenset(_base(word) for word in re.findall(r"[a-z]+", clause.lower()))
                lasting = match.re is _IS_DONE or "already" in clause.lower()
                before = sentence[max(0, match.start() - 20) : match.start()]
                words = (content(clause) | bases) - token_set(speaker) - {""}
                found.append(Deed(sentence, words, lasting and not _NEW.search(before + clause)))
    return tuple(found)


def sentences(text: str) -> list[str]:
    """Return the sentences of the first LONGEST characters of a message, without quoted code, at most MAX_SENTENCES."""
    bare = _QUOTED.sub(" ", text[:LONGEST]).replace("’", "'")
    return [each.strip() for each in _SENTENCE_END.split(bare) if each.strip()][:MAX_SENTENCES]


def _is_about(asked: frozenset[str], verb: str, words: frozenset[str]) -> bool:
    named = words if asked.isdisjoint(_alike(verb)) else words - _KIN
    return any(each and len(each & asked) >= ASKED * len(each) for each in (words, named))


def _alike(verb: str) -> frozenset[str]:
    """Return the verb, a stem, with those of which one may deny what another says of the same object."""
    return frozenset([verb]).union(*(family for family in _ALIKE if verb in family))


def _exactly(verb: str) -> frozenset[str]:
    """Return the verbs that say what a denial with this one excludes."""
    begun = _BEGUN | _ENDED if verb in _BEGUN else frozenset()
    return frozenset([verb]) | begun | (_ENDED if verb in _ENDED else frozenset())
