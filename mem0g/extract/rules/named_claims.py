"""Claims of a sentence about something it names, as in an encyclopaedia: "The author of Dune is Frank Herbert".

These patterns mirror the sentence templates of the FactConsolidation benchmark (MemoryAgentBench), which were known
when they were written. A figure of the rules extractor on that benchmark is therefore in-sample: it measures how
conflicts are decided, not how well facts are extracted from text of other origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mem0g.extract.rules.grammar.days import DAY_WORD, WEEKDAY
from mem0g.extract.rules.verb_claims import FAIR
from mem0g.model import Triple
from mem0g.text.english import MONTH

MAX_NAME_WORDS = 12
"""Words of a name; a longer text is more than a name."""

_NAME = r"(?:[Tt]he )?[\"“(]?[A-ZÀ-ÖØ-Þ0-9][^;!?]*?"
"""A name with its capital, or a number such as 1984."""
_NAME_OR_KIND = (
    r"(?!(?:I|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Tt]h(?:is|at|ese|ose)|[Tt]here|[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er"
    r"|[Hh]ere|[Ii]ts|[Tt]heir|[Aa]n?|[Ss]ome|[Ee]very\w*|[Nn]o|[Ww]h\w+|[Hh]ow|[Ii]f|[Aa]nd|[Bb]ut|[Ss]o"
    r"|[Nn]o(?:body|ne)|[Ss]ome(?:one|body)|[Aa]ny(?:one|body)|[Pp]eople|[Mm]ost|[Mm]any|[Ff]ew|[Bb]oth|[Aa]ll|[Oo]nly|[Ii]n"
    r"|the [a-z]\w*)\b)[^,;!?]*?"
)
"""A name, also of a kind of things (rugby union), but no pronoun and nothing with a determiner."""
_QUOTES = '"“”'
_SMALL = "of|the|and|in|on|for|to|a|de|da|di|do|dos|du|del|des|den|der|la|le|al|bin|ibn|van|von|im|am|y|&"
_PROPER = re.compile(
    r"[\"“]?(?:[Tt]he )?[A-ZÀ-ÖØ-Þ0-9][^\s;!?]*"
    rf"(?: (?:[A-ZÀ-ÖØ-Þ0-9(][^\s;!?]*|{_SMALL}))*"
)
"""A whole name: capitals, and the small words within names."""
_OF_A_KIND = re.compile(r"[^,;!?]+")
_WHEN = re.compile(rf"(?:(?:early|late|mid) )?(?i:{MONTH}|spring|summer|autumn|fall|winter)?(?:(?: of)? ?\d{{4}})?")
"""A month, a season or a year, which is no place: "died in May"."""
_DATE = re.compile(
    rf"(?i:(?:on )?(?:the )?(?:{DAY_WORD}|\d{{1,2}}(?:st|nd|rd|th)|{WEEKDAY}|{MONTH})"
    rf"(?:(?: of)? (?:{MONTH}|\d{{1,4}}))*)"
)
_PLACES = r"(?:the (?:city|town|village) of )?"
_ORDINAL = re.compile(rf"(?:{DAY_WORD}) of$")
_KIND = r"(?:the (?P<kind>[a-z]+(?: [a-z]+)?) of )?"

_MAKING = (
    "founded|created|established|developed|performed|written|directed|composed|invented|designed|produced|published"
)

_OF_A_NAME = re.compile(
    rf"[Tt]he (?:name of the )?(?:current |present )?(?P<relation>[A-Za-z][A-Za-z -]*?)"
    rf" (?:of|in) (?P<subject>{_NAME}) is (?:(?:located|situated|based) in {_PLACES})?(?P<object>.+)"
)
_OWNED = re.compile(
    rf"(?!(?:My|Our|Your|His|Her|Their) )(?P<subject>{_NAME})['’]s (?!name\b"
    rf"|birthday\b)(?P<relation>[a-z]+(?: [a-z]+)?) is (?P<object>.+)"
)
_WHO_MADE = re.compile(rf"[Tt]he [a-z]+ (?:that|which|who) (?P<made>{_MAKING}) (?P<subject>{_NAME}) is (?P<object>.+)")
_WHERE = re.compile(rf"[Tt]he [a-z]+ (?:where|at which) (?P<subject>{_NAME}) was (?P<at>[a-z]+ed) is (?P<object>.+)")
_WHAT = re.compile(
    rf"[Tt]he (?P<kind>[a-z]+(?: of [a-z]+)?) (?:that|which) (?P<subject>{_NAME}) (?P<verb>[a-z]+s) is (?P<object>.+)"
)
_VERB = re.compile(
    rf"(?P<subject>{_NAME_OR_KIND}) (?:is (?:an?|the) (?P<role>[a-z]+ of)"
    r"|is (?P<state>(?:located|situated|based|headquartered) in|(?:affiliated|associated) with|married to|employed by"
    r"|(?:famous|known) for)"
    rf"|was (?P<event>(?:{_MAKING}) by"
    r"|(?:born|founded|created|established|developed|educated|invented|written) (?:in|at))"
    r"|(?P<did>(?:died|worked|works) in|plays|speaks(?! [^,]+(?:,| and ))))"
    rf" {_PLACES}{_KIND}(?P<object>.+)"
)
_FORMS = (_WHO_MADE, _WHERE, _WHAT, _OF_A_NAME, _OWNED, _VERB)


def named_claims(sentence: str, evidence: str) -> Iterator[Triple]:
    """Yield the claim of ``sentence``, which is without its full stop, if all of it fits a template."""
    for form in _FORMS:
        match = form.fullmatch(sentence)
        if match and _are_names(match):
            yield Triple(
                subject=match["subject"].strip(_QUOTES),
                relation=_relation(match.groupdict()),
                object=match["object"].strip(_QUOTES),
                text=f"{sentence}.",
                evidence=(evidence,),
                confidence=FAIR,
            )
            return


def _are_names(match: re.Match[str]) -> bool:
    """Whether both ends are names: short, and the object has capitals or its kind is given."""
    named = _PROPER if not match.groupdict().get("kind") else _OF_A_KIND
    if _ORDINAL.match(match.groupdict().get("role") or ""):  # "the release date is the fourth of October"
        return False
    if (match.groupdict().get("did") or "").startswith("died") and _WHEN.fullmatch(match["object"]):
        return False
    if _DATE.fullmatch(match["object"]):  # "the funeral is the 27th"
        return False
    short = all(len(match[end].split()) <= MAX_NAME_WORDS for end in ("subject", "object"))
    return short and named.fullmatch(match["object"]) is not None


def _relation(parts: dict[str, str | None]) -> str:
    """Return the words between the names: plays_position for "plays the position of"."""
    if parts.get("made"):
        return f"{parts['made']}_by"
    if parts.get("at"):
        return f"{parts['at']}_at"
    verb = next(filter(None, (parts.get(name) for name in ("relation", "verb", "role", "state", "event", "did"))))
    return " ".join(filter(None, (verb, parts.get("kind")))).replace(" ", "_")
