"""Passwords, codes, account numbers and salaries: a context has them only where the question asks for such a thing."""

from __future__ import annotations

import re
from typing import Final

from mem0g.text.names import fold
from mem0g.text.remembering import remembered
from mem0g.text.token_count import count_words

MOST_WORDS = 25
"""Words up to which a text is left out for a secret: a longer one says other things as well."""

_KINDS: Final = (
    (
        "(?:pass ?(?:word|phrase)|kennwort|passwort|contraseña|mot de passe|wachtwoord)",
        r"pass ?(?:word|phrase)\w*|credentials?|log ?(?:in|on|ged)?|sign (?:in|on)|unlock\w*|secrets?|wi-?fi|wlan"
        r"|kennw\w+|passw\w+|contraseñas?|mot de passe|wachtwoord\w*",
    ),
    (
        "(?:pass ?code|pin|pin (?:code|number)"
        "|(?:door|gate|alarm|safe|access|entry|security|wi-?fi|wlan|key ?pad|building|garage|garden|locker|bike lock)"
        " (?:code|key|password)|code (?:for|of|to) (?:the|my|our))",
        r"pass ?codes?|(?:door|wi-?fi|wlan|gate) password|pins?|codes?|keys?|unlock\w*|wi-?fi|wlan|get in(?:to|side)?"
        r"|enter|open\w*|secrets?",
    ),
    (
        "(?:(?:bank )?account (?:number|no)|iban|(?:credit |debit )?card number|cvv|cvc|sort code|routing number)",
        r"accounts?|iban|cards?|cvv|cvc|bank\w*|sort code|routing|pay\w*|transfer\w*|numbers?|secrets?",
    ),
    (
        "(?:social security number|ssn|passport number|national insurance number|tax id)",
        r"social security|ssn|passports?|insurance|tax\w*|numbers?|ids?|secrets?",
    ),
    (
        "(?:salary|gehalt|salario|salaire|salaris)",
        r"salar\w+|incomes?|wages?|earn\w*|paid|pay\w*|makes?|money|euros?|dollars?|pounds?|afford\w*|budget\w*|financ\w+"
        r"|raise|gehalt|verdien\w*|gan\w+|gagne\w*",
    ),
)
"""The names of each kind of secret, and the words of a question that ask for it, in folded text."""

_NAMED: Final = re.compile(rf"\b(?:{'|'.join(kind for kind, _ in _KINDS)})\b")
_GIVES: Final = tuple(
    re.compile(
        rf"\b{kind}\b[^.!?]{{0,40}}?(?:\d|[:=] ?\S)"
        rf"|\b(?:my|our|'s|(?:the|a) [\w-]{{1,20}}) {kind}(?: for [^.!?]{{1,30}}?)? (?:is|was|ist|es|est) \S"
        rf"|\bhas {kind} \S"
    )
    for kind, _ in _KINDS
)
_ASKS: Final = tuple(re.compile(rf"\b(?:{asking})\b") for _, asking in _KINDS)


def keeps_secret(text: str, question: str) -> bool:
    """Whether a text gives a secret that the question does not ask for: "my password is hunter2", "the code is 8812".

    Talk about passwords gives none.
    """
    kinds = _given(text)
    if not kinds:
        return False
    asked = fold(question)
    return not any(_ASKS[kind].search(asked) for kind in kinds)


@remembered
def _given(text: str) -> tuple[int, ...]:
    """Return the numbers of the kinds of secrets that a text gives."""
    folded = fold(text)
    if not _NAMED.search(folded) or count_words(folded) > MOST_WORDS:
        return ()
    return tuple(number for number, gives in enumerate(_GIVES) if gives.search(folded))
