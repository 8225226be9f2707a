"""Indirect questions, which need no question mark: "I wonder where the key is", "remind me when we meet".

In five languages.
"""

from __future__ import annotations

import re
from typing import Final

from mem0g.text.languages import QUESTION_WORDS
from mem0g.text.names import fold


def _one_of(language: str, *others: str) -> str:
    """Return an expression of the words that begin what a sentence asks for."""
    return rf",?\s(?:{'|'.join((*sorted(QUESTION_WORDS[language]), *others))})\b"


_ENGLISH: Final = (
    r"(?:(?:can|could|would|will) (?:you|someone|anyone) )?(?:please |just )?(?:tell|remind|show) (?:me|us)"
    r"(?: again| please| once more)?" + _one_of("english", "if", "whether", "about", "the", "my", "our"),
    r"(?:i )?(?:still )?(?:(?:am |'m |was |was just )?wondering|wonder|keep wondering)"
    + _one_of("english", "if", "whether"),
    r"(?:i )?(?:just |really |still )?(?:need|want|would like|'d like|would love|'d love) to (?:know|find out)"
    + _one_of("english", "if", "whether"),
    r"(?:(?:i am|i'm|we are|we're) )?not (?:quite |really |entirely |so )?(?:sure|certain)"
    + _one_of("english", "if", "whether"),
    r"(?:i |we )?(?:just |totally |completely |always |have |'ve )?(?:forgot|forget|forgotten"
    r"|can't remember|cannot remember|can not remember|don't remember|do not remember|don't recall|don't know"
    r"|do not know|have no idea|(?:have )?no clue)" + _one_of("english", "if", "whether"),
    r"(?:any|no) (?:idea|clue)" + _one_of("english", "if", "whether"),
    r"(?:do|does|did) (?:you|we|i|they|he|she|it|anyone|anybody|somebody|someone)\b",
    r"(?:what|where|who|when|how|why|whose)(?:'s| is| are| was| were| do| does| did| can| should| will| has"
    r"| have) (?!more\b|matters\b|worse\b)",
)
_GERMAN: Final = (
    r"(?:ich )?frage? mich" + _one_of("german", "ob"),
    r"(?:kannst|konntest|könntest|können|konnen|könnten) (?:du|ihr|sie) mir (?:bitte |mal |noch mal )*"
    r"(?:sagen|verraten)\b",
    r"sag(?:t|e)? mir(?: bitte| mal)*" + _one_of("german", "ob"),
    r"erinner[en]? mich(?: bitte| mal)?(?: daran)?" + _one_of("german", "ob"),
    r"(?:ich )?wei(?:ß|ss) (?:nicht|nicht mehr|gar nicht)" + _one_of("german", "ob"),
    r"ich (?:muss|möchte|will|würde gerne?|hätte gern)(?: gerne?| noch)* (?:wissen|gewusst)" + _one_of("german", "ob"),
    r"(?:ich )?(?:hab(?:e)? )?(?:keine ahnung|vergessen)" + _one_of("german", "ob"),
    r"(?:ich )?(?:bin )?(?:mir )?nicht (?:ganz )?sicher" + _one_of("german", "ob"),
    rf"(?:{'|'.join(sorted(QUESTION_WORDS['german']))}) (?:ist|sind|war|waren|hat|habe|hast|kann|wird|heißt|heisst)\b",
)
_SPANISH: Final = (
    "me pregunto" + _one_of("spanish", "si"),
    r"(?:puedes|podrías|puede|podría) (?:decirme|recordarme)\b",
    r"(?:dime|dígame|recuérdame|recuerdame)" + _one_of("spanish", "si"),
    r"no (?:sé|recuerdo|me acuerdo de)" + _one_of("spanish", "si"),
    r"(?:quiero|necesito|quisiera|querría|me gustaría) saber" + _one_of("spanish", "si"),
    r"no estoy segur[oa](?: de)?" + _one_of("spanish", "si"),
    rf"¿?(?:{'|'.join(sorted(QUESTION_WORDS['spanish']))}) (?:es|está|son|están|era|fue|tiene|tengo|hay|vive)\b",
)
_FRENCH: Final = (
    "je me demande" + _one_of("french", "si", "ce que"),
    r"(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez) me (?:dire|rappeler)\b",
    r"(?:dis|dites|rappelle|rappelez)-moi" + _one_of("french", "si", "ce que"),
    r"je (?:ne )?sais (?:pas|plus)" + _one_of("french", "si", "ce que"),
    r"j'ai oublié" + _one_of("french", "si", "ce que"),
    r"(?:je veux|je voudrais|j'aimerais|j'ai besoin de) savoir" + _one_of("french", "si", "ce que"),
    r"(?:je ne suis |je suis )?pas s[uû]re?(?: de)?" + _one_of("french", "si", "ce que"),
    rf"(?:{'|'.join(sorted(QUESTION_WORDS['french'] - {'qui', 'quand'}))}) (?:est|sont|était|a|as-tu|avez-vous)\b",
)
_DUTCH: Final = (
    "ik vraag me(?: wel)? af" + _one_of("dutch", "of"),
    r"(?:kun|kan|kunt|zou) (?:je|jij|u) (?:me|mij) (?:even |nog eens |nog even )*(?:kunnen )?(?:vertellen|zeggen)\b",
    r"(?:vertel|zeg) (?:me|mij)(?: eens| even| nog eens)*" + _one_of("dutch", "of"),
    r"herinner me(?: er)?(?: eens)?(?: aan)?" + _one_of("dutch", "of"),
    r"(?:ik )?weet niet(?: meer| zeker)*" + _one_of("dutch", "of"),
    r"ik (?:wil|moet|zou)(?: graag| nog)* (?:weten|willen weten)" + _one_of("dutch", "of"),
    r"(?:ik )?(?:heb )?geen idee" + _one_of("dutch", "of"),
    r"(?:ik )?(?:ben )?(?:vergeten|er niet zeker van)" + _one_of("dutch", "of"),
    rf"(?:{'|'.join(sorted(QUESTION_WORDS['dutch']))}) (?:is|zijn|was|waren|heeft|heb|hebben|woont|werkt|staat|ligt)\b",
)
_ASKING: Final = re.compile("|".join(f"(?:{form})" for form in (*_ENGLISH, *_GERMAN, *_SPANISH, *_FRENCH, *_DUTCH)))
"""All forms at once, which takes a quarter of the time that one after the other takes."""
_OPENING: Final = re.compile(
    r"(?:(?:hey|hi|hello|ok|okay|so|and|but|um|uh|hm|also|btw|sorry|please|und|äh|y|pero|et|mais|en"
    r"|maar)\b[,.! ]*){1,4}"
)
_END: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_GOES_ON: Final = re.compile(r"[,;:–—]\s+(?!please\b|bitte\b|por favor\b)\w+\s+\w|\s[-–—]\s")
"""A clause that begins after what is asked: it may say something."""

MAX_LENGTH = 200
"""Characters of a question; what is longer tells something."""


def asks_indirectly(text: str) -> bool:
    """Return whether the last sentence of ``text`` asks without a question mark, and says nothing after it."""
    last = _END.split(text.strip())[-1]
    if len(last) > MAX_LENGTH:
        return False
    last = fold(last).replace("’", "'").rstrip(" .!…")
    opening = _OPENING.match(last)
    last = last[opening.end() :] if opening else last
    match = _ASKING.match(last)
    return match is not None and _GOES_ON.search(last, match.end()) is None


def beside_indirect(text: str) -> str | None:
    """Return the sentences before one that asks without a question mark; None for a text that ends with none."""
    return " ".join(_END.split(text.strip())[:-1]) if asks_indirectly(text) else None
