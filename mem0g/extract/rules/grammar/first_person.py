"""What is said of somebody by name, as they would say it themselves: "ann lives in Oslo" as "I live in Oslo"."""

from __future__ import annotations

import re

from mem0g.extract.rules.grammar.verb_phrases import BASES

_OF_ONESELF = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_FORMS = {"is": "am", "has": "have", "does": "do"}
_ADVERBS = "also|always|both|just|never|no longer|now|often|really|sometimes|still|usually"


def first_person(text: str, name: str) -> str | None:
    """Return ``text`` with "I" and "my" for ``name``, in whatever case it is written.

    None if the name neither begins a sentence nor owns anything ("Bella is ann's dog"), or somebody speaks of
    themselves already.
    """
    text = text.replace("’", "'")
    named = rf"(?<![\w'@.-]){re.escape(name)}(?![\w@-])"
    begins = rf"(?:(?<=[.!?] )|^)\s*{named}"
    if _OF_ONESELF.search(text) or not re.search(rf"{begins}(?='s | \w)|{named}'s ", text, re.IGNORECASE):
        return None
    for pattern, words in ((rf"{begins}'s ", "My "), (rf"{named}'s ", "my ")):
        text = re.sub(pattern, words, text, flags=re.IGNORECASE)
    text = re.sub(rf"{begins} ((?:(?:{_ADVERBS}) )*)([\w']+)", _with_verb, text, flags=re.IGNORECASE)
    return re.sub(named, "me", text, flags=re.IGNORECASE)


def _with_verb(match: re.Match[str]) -> str:
    verb = match[2]
    return f"I {match[1]}{_FORMS.get(verb) or BASES.get(verb, verb)}"
