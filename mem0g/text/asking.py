"""Whether a text asks: it ends with a question mark, or, as in chats, with a question that lacks one."""

from __future__ import annotations

import re
from typing import Final

from mem0g.text.indirect_questions import beside_indirect
from mem0g.text.languages import QUESTION_WORDS, asks, guess_language
from mem0g.text.names import fold
from mem0g.text.remembering import remembered

LONGEST = 200
"""Characters of a sentence that may be a question without a mark."""

MOST_WORDS = 9
"""Words of such a question in Spanish, French and Dutch, of which only the question words are known."""

_SENTENCE = re.compile(r"(?:(?:(?<!\d)\.|[!?…。！？])(?=\s)|\n)\s*")
_CLOSING = (".", "!", "?", "…", "。", "！", ":")
_LEADING = re.compile(
    r"(?:(?:and|so|wait|ok|okay|but|also|btw|hey|oh|hi|lol|haha|hm+|well|then|right|sorry|ah|aye|yeah|yes|yep|no|nope"
    r"|(?:[a-z]+ ){0,2}(?:q|question|one)(?=:| [–-] )"
    r"|und|aber|ach|na|sag mal|du|y|pero|et|mais|en|maar)\b[\s,.!:–-]+)+"
)
"""Words before a question: "and", "btw", "quick question:"."""

_OTHERS = "i|you|u|we|he|she|they"
_IS = "is|are|was|were|do|does|did|can|could|will|would|should|shall|has|have"
_ENGLISH: Final = re.compile(
    rf"(?:what'?s\b(?! (?:more|worse)\b)|what\b(?!'s\b| (?:a|an|{_OTHERS})\b)|who(?:'?s)?\b(?! (?:cares|knows)\b)"
    rf"|whose\b|(?:(?:where|when|who|how|why) (?:and|or) )?(?:where|when)(?:'?s\b| (?:{_IS})\b| ?$)"
    rf"|why\b(?! (?:{_OTHERS})\b)"
    rf"|how(?:'?s)?\b(?! (?:{_OTHERS}|nice|great|cool|lovely|sweet|cute|funny|awful|sad|exciting|wonderful|kind)\b)"
    r"|which\b(?! (?:is|are|was|were|means|i|we)\b)"
    rf"|(?:{_IS}|am|isn'?t|aren'?t|don'?t|doesn'?t|didn'?t|can'?t|won'?t|haven'?t|hasn'?t)"
    r" (?:i|you|u|we|he|she|they|there|anyone|anybody|everyone|everybody)\b"
    r"|(?:is|are|does|can) (?:it|that|this|the|my|your|his|her|our|their)\b"
    r"|any (?:news|idea|chance|luck|plans)\b|anyone (?!else)[a-z]+(?:ing|s)?\b.* (?:tonight|tomorrow|today)$"
    r"|any\b.* or (?:do|should|can) (?:i|we)\b|.*\byes or no$)"
)
_CALLED: Final = re.compile(
    rf"[a-z]+,? (?:(?:what|where|when|who|how|why)(?:'?s| (?:{_IS})) (?:you|your|ur|u)\b"
    r"|(?:can|could|do|did|have|are|will) (?:you|u)\b)"
)
"""The same after the name of who is asked: "Marta what's your address again"."""

_GERMAN: Final = re.compile(
    r"(?:(?:wie|was|wo|wer|wem|wen|wann|warum|wieso|weshalb|wohin|woher|womit|wofür|welche[rsmn]?)\b"
    r"(?! (?:ich|du|er|sie|es|wir|ihr|man|gesagt|immer|ein|eine|einen|für|auch|schön|toll|geil|süß)\b)"
    r"|\w+st du\b|\w+en wir\b|(?:habt|seid|könnt|wollt|kommt|geht|macht|müsst|fahrt) ihr\b"
    r"|(?:ist|hat|kann|kommt|geht|gibt|wird|darf|will) (?:er|sie|es|der|die|das|man|jemand|dein\w*)\b)"
)
"""The beginning of a question, not of an exclamation ("what a day") or of a clause ("when I was in Rome")."""


@remembered
def ends_asking(text: str) -> bool:
    """Return whether ``text`` ends with a question, with or without its question mark: "ok. whats the door code".

    Without one it has to begin as a question does and to end without a full stop.
    """
    return asks(text) or beside_unmarked(text) is not None


def beside_unmarked(text: str) -> str | None:
    """Return the rest of a text that ends with a question without its mark, direct or not; None for one that does not.

    The question is the last sentence or its last clause: "morning, is the internet dead". Clauses after it are no part
    of it: "what about Porto instead, they let you switch".
    """
    if (indirect := beside_indirect(text)) is not None:
        return indirect
    if (ended := text.rstrip()).endswith(_CLOSING):
        return None
    sentences = _SENTENCE.split(ended)
    last = sentences.pop()
    if not last or len(last) > LONGEST:
        return None
    language = guess_language(text)
    clauses = last.split(", ")
    for place in dict.fromkeys((len(clauses) - 1, 0)):
        if begins_asking(clauses[place], language):
            return " ".join((*sentences, *clauses[:place], *clauses[place + 1 :]))
    return None


def begins_asking(clause: str, language: str = "english") -> bool:
    """Return whether a clause begins as a question does: "can they do that", not "right"."""
    clause = fold(clause)
    leading = _LEADING.match(clause)
    clause = clause[leading.end() :] if leading else clause
    if language == "english":
        return _ENGLISH.match(clause) is not None or _CALLED.match(clause) is not None
    if language == "german":
        return _GERMAN.match(clause) is not None
    found = clause.split()
    return bool(found) and len(found) <= MOST_WORDS and found[0] in QUESTION_WORDS[language]
